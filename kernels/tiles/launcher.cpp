#include "kernels/tiles/launcher.h"

#include "kernels/tiles/launch.h"
#include "kernels/tiles/tiles.h"

namespace streamscope::kernels {
namespace {

struct TilesLauncher final : Launcher {
  explicit TilesLauncher(const TilesOptions& of)
      : launched{nullptr,  0,          of.fma,        of.blocks,     of.threads,
                 of.copy,  of.stages,  of.tile_bytes, of.copy_bytes, of.through_l1,
                 of.align, of.diverge, of.producers} {}
  int prepare(std::size_t shared_bytes_limit) override {
    return prepare_tiles(launched.copy, launched.stages, shared_bytes_limit);
  }
  int warm_up(const StampTo& stamp, const std::uint32_t*, Stream stream) const override {
    Tiles one = launched;
    one.blocks = 1;
    return tiles(one, stamp, {}, stream);
  }
  int fit(Fit* fit) const override {
    TilesFit found{};
    const int code = tiles_fit(launched, &found);
    *fit = {found.blocks, found.registers, tiles_shared_bytes(launched.stages, launched.tile_bytes)};
    return code;
  }
  int launch(const LaunchData& data, const StampTo& stamp, const StagesTo& stages, Stream stream) const override {
    Tiles one = launched;
    one.data = reinterpret_cast<float*>(data.first);
    one.count = data.bytes / sizeof(float);
    return tiles(one, stamp, stages, stream);
  }
  std::uint32_t code() const override {
    const std::uint32_t stages = launched.copy == TileCopy::specialised ? launched.stages : 0;
    return static_cast<std::uint32_t>(launched.copy) * 100 + stages * 2 + (launched.align >= 16 ? 1 : 0);
  }
  Tiles launched;
};

}  // namespace

std::unique_ptr<Launcher> tiles_launcher(const Values& values, std::uint32_t multiprocessors) {
  return std::make_unique<TilesLauncher>(tiles_options(values, multiprocessors));
}

}  // namespace streamscope::kernels
