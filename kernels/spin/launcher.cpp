#include "kernels/spin/launcher.h"

#include "kernels/spin/spin.h"

namespace streamscope::kernels {
namespace {

struct SpinLauncher final : Launcher {
  explicit SpinLauncher(const SpinOptions& of) : options(of) {}
  int prepare(std::size_t) override { return 0; }  // kernels::prepare() has
  int warm_up(const StampTo& stamp, const std::uint32_t* abandon, Stream stream) const override {
    return spin({0, 1, 32, 0, abandon}, stamp, stream);
  }
  int launch(const LaunchData& data, const StampTo& stamp, const StagesTo&, Stream stream) const override {
    return spin({static_cast<std::uint64_t>(options.duration), options.blocks, options.threads, options.shared_bytes,
                 data.abandon},
                stamp, stream);
  }
  SpinOptions options;
};

}  // namespace

std::unique_ptr<Launcher> spin_launcher(const Values& values, std::uint32_t) {
  return std::make_unique<SpinLauncher>(spin_options(values));
}

}  // namespace streamscope::kernels
