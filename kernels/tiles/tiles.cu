#include "kernels/tiles/tiles.h"

#include "kernels/axpb/axpb.h"
#include "kernels/tiles/loop.cuh"

namespace streamscope::kernels {
namespace {

TileForms forms_of(const TilesOptions& options) {
  switch (options.copy) {
    case TileCopy::sync: return sync_tiles(options.align);
    case TileCopy::cp_async: return cp_async_tiles(options.align, deviates(options));
    case TileCopy::primitives: return primitives_tiles(options.align, deviates(options));
    case TileCopy::cg: return cg_tiles(options.align);
    case TileCopy::barrier: return barrier_tiles(options.align);
    case TileCopy::pipeline: return pipeline_tiles(options.align);
    case TileCopy::specialised: return specialised_tiles(options.align, options.stages);
    case TileCopy::bulk: break;
  }
  return bulk_tiles(options.align);
}

struct TilesLauncher final : Launcher {
  explicit TilesLauncher(const TilesOptions& of) : options(of), forms(forms_of(of)) {}
  std::size_t shared_bytes() const { return tiles_shared_bytes(options.stages, options.tile_bytes, options.shift); }

  int prepare(std::size_t shared_bytes_limit) override { return load(forms, shared_bytes_limit); }
  int warm_up(const StampTo& stamp, const std::uint32_t*, Stream stream) const override {
    TilesOptions one = options;
    one.blocks = 1;
    return TilesLauncher(one).launch({}, stamp, {}, stream);
  }
  int fit(Fit* fit) const override { return fit_of(forms[0], options.threads, shared_bytes(), fit); }
  int launch(const LaunchData& data, const StampTo& stamp, const StagesTo& stages, Stream stream) const override {
    const TileWork work{
        reinterpret_cast<float*>(data.first),
        data.bytes / sizeof(float),
        options.tile_bytes / static_cast<std::uint32_t>(sizeof(float)),
        options.stages,
        options.fma,
        options.copy_bytes,
        options.through_l1 ? 1u : 0u,
        options.align,
        options.diverge,
        options.producers,
        kAxpbA,
        kAxpbB,
        options.shift,
        static_cast<std::uint32_t>(options.wait != kAsNeeded ? options.wait : needed_wait(options.stages)),
        static_cast<std::uint32_t>(options.leave_out)};
    return kernels::launch(forms, options.blocks, options.threads, shared_bytes(), stream, work, stamp, stages);
  }
  const void* code() const override { return reinterpret_cast<const void*>(forms[0]); }

  TilesOptions options;
  TileForms forms;
};

}  // namespace

std::unique_ptr<Launcher> tiles_launcher(const TilesOptions& options) {
  return std::make_unique<TilesLauncher>(options);
}

}  // namespace streamscope::kernels
