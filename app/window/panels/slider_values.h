// The values that the sliders step through: powers of two, divisors, the series 1 2 5. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/device/device.h"
#include "engine/experiment/experiment.h"

namespace streamscope::window {

// Sorted, without doubles; the present value is always one of them, whatever a file set.
std::vector<std::uint64_t> total_choices(std::uint64_t present);                       // 1 MiB to 4 GiB
std::vector<std::uint64_t> chunk_choices(std::uint64_t bytes, std::uint64_t present);  // powers of two that divide
std::vector<std::uint64_t> duration_choices(std::uint64_t present);                    // 1 us to 100 ms: 1 2 5
std::vector<std::uint64_t> fma_choices(std::uint64_t present);                         // 1 to 4096
// Of tiles: sizes, and how many of that size fit a block's shared memory on any device that has most of it.
std::vector<std::uint64_t> tile_choices(std::uint64_t present);
std::vector<std::uint64_t> stage_choices(std::uint64_t tile);
// Of attention: powers of two with which a chunk holds whole rows of all four matrices.
std::vector<std::uint64_t> head_choices(const experiment::Experiment& experiment);
std::vector<std::uint64_t> block_choices(std::uint64_t present);   // 0 (by the device) to 4096
std::vector<std::uint64_t> thread_choices(std::uint64_t present);  // 32 to 1024, whole warps

// Of a number of "what if": every whole one of a count; else the series 1 1.2 1.5 2 2.5 3 4 5 6 8 in each decade. The
// profile's own value and the present one are always among them.
std::vector<double> what_if_choices(const device::WhatIfNumber& number, double present);

// The total set to `bytes`, the chunk kept where it still divides, else the largest choice below it.
experiment::Experiment with_total(experiment::Experiment experiment, std::uint64_t bytes);

}  // namespace streamscope::window
