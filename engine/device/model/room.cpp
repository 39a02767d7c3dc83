#include "engine/device/model/room.h"

#include <algorithm>

namespace streamscope {

Room::Room(const Profile& profile)
    : blocks_(profile.compute.blocks),
      free_(static_cast<std::size_t>(profile.compute.multiprocessors),
            {profile.compute.blocks, profile.compute.threads, profile.compute.shared_bytes, profile.compute.registers}),
      sort_{0, 0, 0, 0},
      fit_(free_.size(), 0),
      how_many_(profile.compute.blocks + 1, 0) {}

std::uint32_t Room::fit(const Needs& free) const {
  if (sort_.carveout > free.carveout && free.blocks < blocks_) return 0;
  std::uint32_t blocks = std::min(free.blocks, free.threads / sort_.threads);
  if (sort_.shared_bytes > 0) blocks = std::min(blocks, free.shared_bytes / sort_.shared_bytes);
  if (sort_.registers > 0) blocks = std::min(blocks, free.registers / sort_.registers);
  return blocks;
}

void Room::look_at(const Needs& sort) {
  if (sort == sort_) return;
  sort_ = sort;
  std::fill(how_many_.begin(), how_many_.end(), 0);
  for (std::size_t i = 0; i < free_.size(); ++i) {
    // Neighbours are mostly alike, and divisions cost the most here.
    fit_[i] = i > 0 && free_[i] == free_[i - 1] ? fit_[i - 1] : fit(free_[i]);
    ++how_many_[fit_[i]];
  }
}

void Room::change(std::uint32_t at, const Needs& sort, std::int32_t blocks) {
  const auto by = static_cast<std::uint32_t>(blocks);  // modulo 2^32, so that it may be negative
  Needs& free = free_[at];
  free.blocks -= by;
  free.threads -= by * sort.threads;
  free.shared_bytes -= by * sort.shared_bytes;
  free.registers -= by * sort.registers;
  free.carveout = free.blocks == blocks_ ? 0 : std::max(free.carveout, sort.carveout);
  if (sort_.blocks == 0) return;
  --how_many_[fit_[at]];
  fit_[at] = sort == sort_ ? fit_[at] - by : fit(free);
  ++how_many_[fit_[at]];
}

std::uint64_t Room::take(const Grid& grid, std::uint64_t most, Placed& placed) {
  placed.clear();
  const Needs sort = needs(grid);
  look_at(sort);
  std::uint64_t room = 0;
  std::uint32_t level = 0;
  for (std::uint32_t blocks = 1; blocks < how_many_.size(); ++blocks) {
    if (how_many_[blocks] == 0) continue;
    room += std::uint64_t{how_many_[blocks]} * blocks;
    level = blocks;
  }
  const std::uint64_t count = std::min(room, most);
  if (count == 0) return 0;

  // Fill down to a common level of room left, then one each for what remains.
  std::uint64_t single = count;
  for (std::uint64_t roomy = how_many_[level]; level > 0 && roomy <= single;) {
    single -= roomy;
    if (--level > 0) roomy += how_many_[level];
  }
  std::uint64_t left = count;
  for (std::uint32_t i = 0; i < fit_.size() && left > 0; ++i) {
    std::uint32_t blocks = fit_[i] > level ? fit_[i] - level : 0;
    if (single > 0 && level > 0 && fit_[i] >= level) {
      ++blocks;
      --single;
    }
    if (blocks == 0) continue;
    placed.emplace_back(i, blocks);
    change(i, sort, static_cast<std::int32_t>(blocks));
    left -= blocks;
  }
  return count;
}

void Room::give_back(const Grid& grid, const Placed& placed) {
  const Needs sort = needs(grid);
  for (const auto& [at, blocks] : placed) change(at, sort, -static_cast<std::int32_t>(blocks));
}

}  // namespace streamscope
