#include "kernels/reduce/launcher.h"

#include "kernels/reduce/launch.h"
#include "kernels/reduce/reduce.h"

namespace streamscope::kernels {
namespace {

struct ReduceLauncher final : Launcher {
  explicit ReduceLauncher(const ReduceOptions& of) : options(of) {}
  int prepare(std::size_t) override { return prepare_reduce(); }
  int warm_up(const StampTo& stamp, const std::uint32_t*, Stream stream) const override {
    return reduce({nullptr, nullptr, 0, 1, 32}, stamp, stream);
  }
  int launch(const LaunchData& data, const StampTo& stamp, const StagesTo&, Stream stream) const override {
    return reduce({reinterpret_cast<std::uint32_t*>(data.first), reinterpret_cast<const std::uint32_t*>(data.second),
                   data.bytes / sizeof(std::uint32_t), options.blocks, options.threads},
                  stamp, stream);
  }
  ReduceOptions options;
};

}  // namespace

std::unique_ptr<Launcher> reduce_launcher(const Values& values, std::uint32_t) {
  return std::make_unique<ReduceLauncher>(reduce_options(values));
}

}  // namespace streamscope::kernels
