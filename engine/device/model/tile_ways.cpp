#include "engine/device/model/tile_ways.h"

#include <array>

namespace streamscope {
namespace {

constexpr std::array<TileWay, 8> kWays{{
    {.registers = 25, .a_warp = 32, .an_instruction = 24, .alone = 0, .arrival = 236},   // sync
    {.registers = 26, .a_warp = 32, .an_instruction = 3, .alone = 707, .arrival = 236},  // cp.async
    {.registers = 26, .a_warp = 32, .an_instruction = 3, .alone = 693, .arrival = 236},  // primitives
    {.registers = 28, .a_warp = 36, .an_instruction = 1, .alone = 703, .arrival = 236},  // cg
    {.registers = 25, .a_warp = 32, .an_instruction = 3, .alone = 576, .arrival = 236},  // barrier
    {.registers = 27, .a_warp = 32, .an_instruction = 3, .alone = 774, .arrival = 236},  // pipeline
    {.registers = 32, .a_warp = 15, .an_instruction = 0, .alone = 303, .arrival = 444},  // warp-specialised
    {.registers = 17, .a_warp = 32, .an_instruction = 0, .alone = 392, .arrival = 236},  // bulk
}};

}  // namespace

const TileWay& tile_way(TileCopy copy) { return kWays[static_cast<std::size_t>(copy)]; }

}  // namespace streamscope
