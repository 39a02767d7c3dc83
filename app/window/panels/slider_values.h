// The values that the sliders step through: powers of two, divisors, the series 1 2 5. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "engine/device/device.h"
#include "engine/experiment/experiment.h"

namespace streamscope::window {

// Sorted, without doubles; the present value is always one of them, whatever a file set.
std::vector<std::uint64_t> total_choices(std::uint64_t present);                       // 1 MiB to 4 GiB
std::vector<std::uint64_t> chunk_choices(std::uint64_t bytes, std::uint64_t present);  // powers of two that divide
// So many of the sorted values, evenly out of all there are, the present one among them.
std::vector<std::uint64_t> few_of(const std::vector<std::uint64_t>& values, std::size_t most, std::uint64_t present);
// Of an option of the experiment's kernel: what it offers and the others leave possible.
std::vector<std::uint64_t> option_choices(const experiment::Experiment& experiment, std::size_t option);

// Of a number of "what if": every whole one of a count; else the series 1 1.2 1.5 2 2.5 3 4 5 6 8 in each decade. The
// profile's own value and the present one are always among them.
std::vector<double> what_if_choices(const device::WhatIfNumber& number, double present);

// Another kernel, with the values that it had last, else with those of the options that both have. Null: none.
kernels::Choice with_kernel(const kernels::Choice& present, const kernels::Kernel* kernel,
                            const std::map<const kernels::Kernel*, kernels::Values>& last);

// The total set to `bytes`, the chunk kept where it still divides, else the largest choice below it.
experiment::Experiment with_total(experiment::Experiment experiment, std::uint64_t bytes);

}  // namespace streamscope::window
