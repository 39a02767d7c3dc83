#include "engine/device/model/hardware/tile_copy_costs.h"

#include <array>

namespace streamscope::model {
namespace {

constexpr std::array<TileWay, 8> kWays{{
    {.registers = 25, .a_warp = 27, .an_instruction = 26, .alone = 4, .arrival = 183},    // sync
    {.registers = 31, .a_warp = 23, .an_instruction = 10, .alone = 660, .arrival = 268},  // cp.async
    {.registers = 26, .a_warp = 29, .an_instruction = 3, .alone = 609, .arrival = 441},   // primitives
    {.registers = 29, .a_warp = 33, .an_instruction = 1, .alone = 613, .arrival = 500},   // cg
    {.registers = 23, .a_warp = 32, .an_instruction = 3, .alone = 407, .arrival = 670},   // barrier
    {.registers = 27, .a_warp = 30, .an_instruction = 2, .alone = 668, .arrival = 441},   // pipeline
    {.registers = 32, .a_warp = 23, .an_instruction = 1, .alone = 292, .arrival = 538},   // warp-specialised
    {.registers = 23, .a_warp = 26, .an_instruction = 0, .alone = 301, .arrival = 634},   // bulk
}};

}  // namespace

const TileWay& tile_way(program::TileCopy copy) { return kWays[static_cast<std::size_t>(copy)]; }

}  // namespace streamscope::model
