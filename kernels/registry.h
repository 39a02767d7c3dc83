// The kernels there are.
#pragma once

#include <span>
#include <string_view>

#include "kernels/kernel.h"

namespace streamscope::kernels {

std::span<const Kernel* const> all();
const Kernel* find(std::string_view word);  // null: there is none
// Its place among all().
std::size_t index(const Kernel& kernel);
// Its CUDA part, where that is built, with these options.
std::unique_ptr<Launcher> launcher(const Choice& choice, std::uint32_t multiprocessors);

}  // namespace streamscope::kernels
