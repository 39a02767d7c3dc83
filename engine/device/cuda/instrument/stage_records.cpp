#include "engine/device/cuda/instrument/stage_records.h"

#include <algorithm>
#include <cmath>

#include "engine/base/translate.h"
#include "engine/device/cuda/runtime/cuda_error.h"

namespace streamscope::cuda {
namespace {

// Converts a block's cycle counts to times. Both clocks were read at its begin and its end; between these, cycles are
// taken to be of equal length.
class BlockClock {
 public:
  BlockClock(const kernels::BlockClocks& block, const reconstruct::ClockMap& map, Nanoseconds zero)
      : begin_(map.host(static_cast<Nanoseconds>(block.time_begin)) - zero),
        end_(map.host(static_cast<Nanoseconds>(block.time_end)) - zero),
        first_(block.clock_begin) {
    const std::int64_t cycles = block.clock_end - block.clock_begin;
    if (cycles > 0) per_cycle_ = static_cast<double>(end_ - begin_) / static_cast<double>(cycles);
  }
  Nanoseconds begin() const { return begin_; }
  Nanoseconds end() const { return end_; }
  Nanoseconds at(std::int64_t clock) const {
    return std::clamp<Nanoseconds>(begin_ + std::llround(static_cast<double>(clock - first_) * per_cycle_), begin_,
                                   end_);
  }

 private:
  Nanoseconds begin_, end_;
  std::int64_t first_;
  double per_cycle_ = 0;
};

trace::StageBlock block_of(const device::RecordedKernel& kernel, std::uint32_t number,
                           const kernels::BlockClocks& recorded, const kernels::StageClocks* ring,
                           const reconstruct::ClockMap& map, Nanoseconds step, Nanoseconds zero) {
  const BlockClock clock(recorded, map, zero);
  trace::StageBlock block;
  block.operation = kernel.operation;
  block.block = number * kernel.every;
  block.multiprocessor = recorded.multiprocessor;
  block.warp = kernel.warp;
  block.copy_warp = kernel.copy_warp;
  block.places = kernel.places;
  block.tiles = recorded.tiles;
  block.begin = clock.begin();
  block.end = clock.end();
  // Each of the two readings of the timer that cycles are converted by is up to a step behind.
  block.uncertainty = static_cast<std::uint32_t>(
      std::min<Nanoseconds>(map.uncertainty_at(static_cast<Nanoseconds>(recorded.time_end)) + step, 0xFFFFFFFF));
  const Nanoseconds length = clock.end() - clock.begin();
  block.rate_uncertainty = step >= length ? 1 : static_cast<double>(step) / static_cast<double>(length);
  const std::uint32_t kept = std::min(recorded.tiles, kernel.ring);
  block.stages.reserve(kept);
  for (std::uint32_t tile = recorded.tiles - kept; tile < recorded.tiles; ++tile) {
    const kernels::StageClocks& of = ring[tile & (kernel.ring - 1)];
    block.stages.push_back(
        {tile, clock.at(of.load_issued), clock.at(of.wait_begun), clock.at(of.wait_over), clock.at(of.compute_over)});
  }
  return block;
}

}  // namespace

Result<std::unique_ptr<StageRecords>> StageRecords::make(std::shared_ptr<CudaContext> context,
                                                         const program::Program& program,
                                                         const std::function<bool(OperationIndex)>& is_here,
                                                         std::span<const std::uint32_t> slot, std::size_t stamps,
                                                         std::uint32_t every) {
  auto made = std::make_unique<StageRecords>();
  StageRecords& all = *made;
  all.every_ = every;
  all.plan_ =
      device::stage_plan(program, static_cast<std::uint32_t>(std::max(1, context->info.multiprocessors)), every);
  std::erase_if(all.plan_.kernels, [&](const device::RecordedKernel& kernel) { return !is_here(kernel.operation); });
  all.context_ = std::move(context);
  for (const device::RecordedKernel& kernel : all.plan_.kernels) {
    all.blocks_ += kernel.blocks;
    all.stages_ += std::size_t{kernel.blocks} * kernel.ring;
  }
  for (const auto& [memory, kind] :
       {std::pair{&all.on_device_, MemoryKind::device}, {&all.on_host_, MemoryKind::pinned}}) {
    *memory = TRY(all.context_->pool->take(kind, all.bytes(), tr("what blocks record of their stages")));
  }
  all.targets_.resize(stamps);
  auto* blocks = all.on_device_.as<kernels::BlockClocks>();
  auto* stages = reinterpret_cast<kernels::StageClocks*>(blocks + all.blocks_);
  for (const device::RecordedKernel& kernel : all.plan_.kernels) {
    all.targets_[slot[kernel.operation]] = {blocks, stages, kernel.ring, kernel.every};
    blocks += kernel.blocks;
    stages += std::size_t{kernel.blocks} * kernel.ring;
  }
  return made;
}

Result<void> StageRecords::arm(cudaStream_t stream) {
  if (blocks_ == 0) return {};
  CUDA_TRY(cudaMemsetAsync(on_device_.data(), 0, bytes(), stream),
           tr("while making room for what blocks record of their stages"));
  return {};
}

Result<trace::Stages> StageRecords::read(cudaStream_t stream, const reconstruct::ClockMap& map, Nanoseconds step,
                                         Nanoseconds zero) {
  trace::Stages out;
  out.every = every_;
  if (blocks_ == 0) return out;
  constexpr const char* kDoing = tr_later("while reading what blocks recorded of their stages");
  CUDA_TRY(cudaMemcpyAsync(on_host_.data(), on_device_.data(), bytes(), cudaMemcpyDeviceToHost, stream), tr(kDoing));
  CUDA_TRY(cudaStreamSynchronize(stream), tr(kDoing));
  const auto* blocks = on_host_.as<kernels::BlockClocks>();
  const auto* stages = reinterpret_cast<const kernels::StageClocks*>(blocks + blocks_);
  out.blocks.reserve(blocks_);
  for (const device::RecordedKernel& kernel : plan_.kernels) {
    for (std::uint32_t b = 0; b < kernel.blocks; ++b, ++blocks, stages += kernel.ring) {
      // A block without tiles has no stages; one that never ran has no times.
      if (blocks->time_end == 0 || blocks->tiles == 0) continue;
      out.blocks.push_back(block_of(kernel, b, *blocks, stages, map, step, zero));
    }
  }
  return out;
}

}  // namespace streamscope::cuda
