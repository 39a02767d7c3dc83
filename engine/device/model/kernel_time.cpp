#include "engine/device/model/kernel_time.h"

#include <algorithm>

namespace streamscope {
namespace {

using Wide = __int128;
constexpr Wide kLongest = static_cast<Wide>(365) * 86'400 * 1'000'000'000;

constexpr std::uint32_t kWarp = 32;
constexpr Wide kBytesAnElement = 8;  // 4 read and 4 written

Wide up(Wide value, Wide by) { return (value + by - 1) / by; }
Nanoseconds bounded(Wide time) { return static_cast<Nanoseconds>(std::min(time, kLongest)); }

std::int64_t share(Wide part, Nanoseconds whole) {
  return static_cast<std::int64_t>(std::min<Wide>(part * BatchTime::kWhole / whole, BatchTime::kWhole));
}

}  // namespace

Grid grid_of(const Profile& profile, const Work& work) {
  const auto warps = [](std::uint32_t threads) { return (threads + kWarp - 1) / kWarp * kWarp; };
  Grid grid;
  grid.shared_bytes = profile.compute.block_shared_reserved;
  if (const auto* spin = std::get_if<op::Spin>(&work)) {
    grid.blocks = spin->blocks;
    grid.threads = warps(spin->threads);
    grid.shared_bytes += spin->shared_bytes;
    grid.spin = spin->duration;
  } else if (const auto* axpb = std::get_if<op::Axpb>(&work)) {
    grid.blocks = axpb->blocks != 0 ? axpb->blocks : 2u * static_cast<std::uint32_t>(profile.compute.multiprocessors);
    grid.threads = warps(axpb->threads);
    grid.shares_rates = true;
    grid.elements = axpb->range.bytes / 4;
    grid.fma = axpb->fma;
  }
  return grid;
}

std::uint32_t blocks_that_fit(const Profile& profile, const Grid& grid) {
  const Profile::Compute& sm = profile.compute;
  std::uint32_t fit = std::min(sm.blocks, sm.threads / grid.threads);
  if (grid.shared_bytes > 0) fit = std::min(fit, sm.shared_bytes / grid.shared_bytes);
  return fit;
}

BatchTime batch_time(const Profile& profile, const Grid& grid, std::uint64_t blocks, std::uint32_t busiest) {
  const Profile::Compute& sm = profile.compute;
  if (!grid.shares_rates) return {bounded(static_cast<Wide>(grid.spin) + sm.block_overhead), 0, 0};

  const Wide turns = up(grid.elements, static_cast<Wide>(grid.blocks) * grid.threads);
  const Wide elements_a_block = up(grid.elements, grid.blocks);
  const Wide elements = std::min<Wide>(elements_a_block * blocks, grid.elements);
  const Wide chain =
      turns * sm.memory_latency + up(turns * grid.fma * sm.fma_latency * 1000, static_cast<Wide>(sm.clock_mhz));
  const Wide fma_a_microsecond = static_cast<Wide>(sm.clock_mhz) * sm.fma_a_clock;
  const Wide arithmetic_busiest = up(elements_a_block * busiest * grid.fma * 1000, fma_a_microsecond);
  const Wide arithmetic = up(elements * grid.fma * 1000, fma_a_microsecond * sm.multiprocessors);
  const Wide memory = up(elements * kBytesAnElement * 1'000'000'000, static_cast<Wide>(sm.memory_rate));

  BatchTime time;
  time.alone = std::max<Nanoseconds>(1, bounded(sm.block_overhead + std::max({chain, arithmetic_busiest, memory})));
  time.arithmetic = share(std::min(arithmetic, kLongest), time.alone);
  time.memory = share(std::min(memory, kLongest), time.alone);
  return time;
}

Nanoseconds time_alone(const Profile& profile, const Grid& grid) {
  const std::uint32_t fit = blocks_that_fit(profile, grid);
  if (fit == 0) return 0;
  const auto multiprocessors = static_cast<std::uint64_t>(profile.compute.multiprocessors);
  const std::uint64_t wave = std::min<std::uint64_t>(grid.blocks, fit * multiprocessors);
  const auto busiest = static_cast<std::uint32_t>((wave + multiprocessors - 1) / multiprocessors);
  return bounded(static_cast<Wide>(batch_time(profile, grid, wave, busiest).alone) * up(grid.blocks, wave));
}

}  // namespace streamscope
