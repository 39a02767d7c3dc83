// How long the blocks of reduce take on a modelled GPU (kernels/model_time.h): they only load.
#pragma once

#include "kernels/model_time.h"
#include "kernels/reduce/options.h"

namespace streamscope::kernels {

// A multiprocessor gets so many bytes a clock from the second-level cache, at most.
inline constexpr std::uint32_t kReduceBytesAClock = 64;

Costs reduce_costs(const Hardware& hardware, const ReduceOptions& options, std::uint64_t bytes);
// ns, of `blocks` that start together, `busiest` of them on one multiprocessor.
Int128 reduce_stepping(const Hardware& hardware, std::uint64_t bytes, const Costs& costs, std::uint32_t busiest,
                       Int128 blocks);
// Bytes that so many blocks with data read and write.
Int128 reduce_moves(std::uint64_t bytes, const Costs& costs, Int128 blocks);

}  // namespace streamscope::kernels
