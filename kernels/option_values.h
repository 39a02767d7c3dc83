// Values that sliders offer and options that several kernels have.
#pragma once

#include <array>
#include <cstdint>

#include "engine/base/translate.h"
#include "kernels/kernel.h"

namespace streamscope::kernels {

inline constexpr std::int64_t kMostBlocks = 2'147'483'647;  // gridDim.x (CUDA programming guide, compute capabilities)
inline constexpr std::int64_t kMostThreads = 1024;          // of a block (as above)
inline constexpr std::int64_t kWarp = 32;
// Shared memory of one block: CUDA C++ Programming Guide, technical specifications, compute capability 9.0; others have
// less.
inline constexpr std::uint64_t kMostSharedBytes = 227 << 10;

inline constexpr std::array<std::int64_t, 24> kOfferedFma{
    1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096};
inline constexpr std::array<std::int64_t, 14> kOfferedBlocks{0,  1,   2,   4,   8,    16,   32,
                                                             64, 128, 256, 512, 1024, 2048, 4096};
inline constexpr std::array<std::int64_t, 14> kOfferedThreads{32,  64,  96,  128, 160, 192, 224,
                                                              256, 384, 512, 640, 768, 896, 1024};
inline constexpr std::array<std::int64_t, 9> kOfferedShared{0,        1 << 10,   8 << 10,   16 << 10, 32 << 10,
                                                            48 << 10, 100 << 10, 164 << 10, 227 << 10};

constexpr Option fma_option() {
  return {.key = "fma",
          .least = 1,
          .most = 2'147'483'647,
          .standard = 1,
          .experiment = 2100,  // on an H200 16 MiB then take about as long as their copy
          .example = "64",
          .meaning = tr_later("multiply-adds per element"),
          .label = tr_later("Arithmetic"),
          .help = tr_later("Fused multiply-adds for each element; they decide how long the kernel takes."),
          .unit = "FMA",
          .offered = kOfferedFma,
          .required = true,
          .argument = true};
}
// `standard`: in the language; 0 where it is left to the kernel, which `automatic` says.
constexpr Option blocks_option(std::int64_t standard, std::string_view automatic) {
  return {.key = "blocks",
          .least = 1,
          .most = kMostBlocks,
          .standard = standard,
          .experiment = 0,
          .example = "264",
          .meaning = tr_later("in the grid"),
          .label = tr_later("Blocks"),
          .help = tr_later("Blocks in the grid. Left out, the kernel chooses."),
          .automatic = automatic,
          .offered = kOfferedBlocks,
          .of_grid = true};
}
constexpr Option threads_option(std::int64_t standard) {
  return {.key = "threads",
          .least = 1,
          .most = kMostThreads,
          .standard = standard,
          .experiment = 256,
          .example = "256",
          .meaning = tr_later("in a block"),
          .label = tr_later("Threads"),
          .help = tr_later("Threads in each block."),
          .offered = kOfferedThreads,
          .always = true,
          .of_grid = true};
}
constexpr Option shared_memory_option(std::string_view help) {
  return {
      .key = "smem",
      .kind = OptionKind::bytes,
      .least = 0,
      .most = kMostSharedBytes,
      .example = "48KiB",
      .meaning = tr_later("shared memory of a block in bytes; 227KiB is the most that any device has, many have less"),
      .label = tr_later("Shared memory"),
      .help = help,
      .offered = kOfferedShared};
}

// Registers as compiled for compute capability 9.0 are each kernel's own.
inline constexpr std::uint32_t whole_warps(std::uint32_t threads) { return (threads + 31) / 32 * 32; }

}  // namespace streamscope::kernels
