#include "kernels/axpb/launcher.h"

#include "kernels/axpb/axpb.h"

namespace streamscope::kernels {
namespace {

struct AxpbLauncher final : Launcher {
  explicit AxpbLauncher(const AxpbOptions& of) : options(of) {}
  int prepare(std::size_t) override { return 0; }  // kernels::prepare() has
  int warm_up(const StampTo& stamp, const std::uint32_t*, Stream stream) const override {
    return axpb({nullptr, 0, 0, 1, 32}, stamp, stream);
  }
  int launch(const LaunchData& data, const StampTo& stamp, const StagesTo&, Stream stream) const override {
    return axpb({reinterpret_cast<float*>(data.first), data.bytes / sizeof(float), options.fma, options.blocks,
                 options.threads},
                stamp, stream);
  }
  AxpbOptions options;
};

}  // namespace

std::unique_ptr<Launcher> axpb_launcher(const Values& values, std::uint32_t multiprocessors) {
  return std::make_unique<AxpbLauncher>(axpb_options(values, multiprocessors));
}

}  // namespace streamscope::kernels
