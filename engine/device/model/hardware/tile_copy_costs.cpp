#include "engine/device/model/hardware/tile_copy_costs.h"

#include <array>

namespace streamscope::model {
namespace {

constexpr std::array<TileCopyCost, 8> kCosts{{
    {.registers = 25, .per_warp = 27, .per_instruction = 26, .alone = 4, .arrival = 183},    // sync
    {.registers = 31, .per_warp = 23, .per_instruction = 10, .alone = 660, .arrival = 268},  // cp.async
    {.registers = 26, .per_warp = 29, .per_instruction = 3, .alone = 609, .arrival = 441},   // primitives
    {.registers = 29, .per_warp = 33, .per_instruction = 1, .alone = 613, .arrival = 500},   // cg
    {.registers = 23, .per_warp = 32, .per_instruction = 3, .alone = 407, .arrival = 670},   // barrier
    {.registers = 27, .per_warp = 30, .per_instruction = 2, .alone = 668, .arrival = 441},   // pipeline
    {.registers = 32, .per_warp = 23, .per_instruction = 1, .alone = 292, .arrival = 538},   // warp-specialised
    {.registers = 23, .per_warp = 26, .per_instruction = 0, .alone = 301, .arrival = 634},   // bulk
}};

}  // namespace

const TileCopyCost& tile_copy_cost(program::TileCopy copy) { return kCosts[static_cast<std::size_t>(copy)]; }

}  // namespace streamscope::model
