// The stages that blocks of kernels record: the memory they write to, and the conversion to times.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "engine/device/cuda/runtime/context.h"
#include "engine/device/stage_plan.h"
#include "engine/reconstruct/clock_map.h"
#include "engine/trace/stages.h"
#include "kernels/stages.h"

namespace streamscope::cuda {

class StageRecords {
 public:
  // Of those operations that this GPU carries out. `slot`: the stamp of each operation, of `stamps` in all. The program
  // must outlive the records.
  static Result<std::unique_ptr<StageRecords>> make(std::shared_ptr<CudaContext> context,
                                                    const program::Program& program,
                                                    const std::function<bool(OperationIndex)>& is_here,
                                                    std::span<const std::uint32_t> slot, std::size_t stamps,
                                                    std::uint32_t every);

  std::uint32_t every() const { return every_; }
  // By slot of the kernels' stamps: where each writes.
  std::span<const kernels::StagesTo> targets() const { return targets_; }

  // Before a pass: clears the records.
  Result<void> arm(cudaStream_t stream);
  // After it, with the device idle. Times are relative to `zero`, host clock. `step`: in which %globaltimer moves on.
  Result<trace::Stages> read(cudaStream_t stream, const reconstruct::ClockMap& map, Nanoseconds step, Nanoseconds zero);

 private:
  std::uint64_t bytes() const {
    return blocks_ * sizeof(kernels::BlockClocks) + stages_ * sizeof(kernels::StageClocks);
  }

  std::shared_ptr<CudaContext> context_;
  std::uint32_t every_ = 0;
  device::StagePlan plan_;
  std::size_t blocks_ = 0, stages_ = 0;
  Memory on_device_, on_host_;  // all blocks, and behind them all stages
  std::vector<kernels::StagesTo> targets_;
};

}  // namespace streamscope::cuda
