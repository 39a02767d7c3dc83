#include "engine/device/model/room.h"

#include <algorithm>
#include <utility>

namespace streamscope {
namespace {

// Divisions cost the most here, so they are multiplications: exact below 2^31, and a profile's numbers are.
constexpr int kPoint = 63;
std::uint64_t reciprocal(std::uint32_t need) { return (std::uint64_t{1} << kPoint) / need + 1; }
std::uint32_t times(std::uint32_t free, std::uint64_t reciprocal) {
  return static_cast<std::uint32_t>(static_cast<unsigned __int128>(free) * reciprocal >> kPoint);
}

}  // namespace

Room::Room(const Profile& profile)
    : empty_{profile.compute.blocks, profile.compute.threads, profile.compute.shared_bytes, profile.compute.registers},
      runs_(static_cast<std::size_t>(profile.compute.multiprocessors)),
      sort_{0, 0, 0, 0},
      how_many_(profile.compute.blocks + 1, 0) {
  runs_[0] = {0, 0, empty_, 0};
  set_end(0, static_cast<std::uint32_t>(runs_.size()));
  how_many_[0] = runs_[0].end;
}

std::uint32_t Room::fit(const Needs& free) const {
  if (sort_.carveout > free.carveout && free.blocks < empty_.blocks) return 0;
  std::uint32_t blocks = std::min(free.blocks, times(free.threads, per_threads_));
  if (sort_.shared_bytes > 0) blocks = std::min(blocks, times(free.shared_bytes, per_shared_bytes_));
  if (sort_.registers > 0) blocks = std::min(blocks, times(free.registers, per_registers_));
  return blocks;
}

void Room::look_at(const Needs& sort) {
  if (sort == sort_) return;
  sort_ = sort;
  per_threads_ = reciprocal(sort.threads);
  if (sort.shared_bytes > 0) per_shared_bytes_ = reciprocal(sort.shared_bytes);
  if (sort.registers > 0) per_registers_ = reciprocal(sort.registers);
  std::fill(how_many_.begin(), how_many_.end(), 0);
  room_ = 0;
  most_ = fit(empty_);
  for (std::uint32_t run = 0; run < runs_.size(); run = runs_[run].end) {
    runs_[run].fit = fit(runs_[run].free);
    how_many_[runs_[run].fit] += runs_[run].end - run;
    room_ += std::uint64_t{runs_[run].end - run} * runs_[run].fit;
  }
}

void Room::change(std::uint32_t run, const Needs& sort, std::int32_t blocks) {
  const auto by = static_cast<std::uint32_t>(blocks);  // modulo 2^32, so that it may be negative
  auto& [first, end, free, fitting] = runs_[run];
  free.blocks -= by;
  free.threads -= by * sort.threads;
  free.shared_bytes -= by * sort.shared_bytes;
  free.registers -= by * sort.registers;
  free.carveout = std::max(free.carveout, sort.carveout);
  how_many_[fitting] -= end - run;
  room_ -= std::uint64_t{end - run} * fitting;
  fitting = sort == sort_ ? fitting - by : fit(free);
  how_many_[fitting] += end - run;
  room_ += std::uint64_t{end - run} * fitting;
}

std::uint32_t Room::run_of(std::uint32_t at) const {
  while (runs_[at].end == 0) --at;
  return at;
}

void Room::set_end(std::uint32_t run, std::uint32_t end) {
  runs_[run].end = end;
  runs_[end - 1].first = run;
}

// The run ends before that multiprocessor, and another begins there.
void Room::split(std::uint32_t run, std::uint32_t at) {
  runs_[at].free = runs_[run].free;
  runs_[at].fit = runs_[run].fit;
  set_end(at, runs_[run].end);
  set_end(run, at);
}

// Joins runs that have become alike: those from `first` to `end`, and their neighbours on both sides.
void Room::join_around(std::uint32_t first, std::uint32_t end) {
  const std::uint32_t last = std::min(end, static_cast<std::uint32_t>(runs_.size()) - 1);
  for (std::uint32_t run = first > 0 ? runs_[first - 1].first : 0; runs_[run].end <= last;) {
    const std::uint32_t next = runs_[run].end;
    if (runs_[run].free == runs_[next].free) {
      set_end(run, std::exchange(runs_[next].end, 0));
    } else {
      run = next;
    }
  }
}

std::uint64_t Room::room(const Grid& grid) {
  look_at(needs(grid));
  return room_;
}

std::uint64_t Room::take(const Grid& grid, std::uint64_t most, Spread spread, Placed& placed) {
  placed.clear();
  const Needs sort = needs(grid);
  look_at(sort);
  const std::uint64_t count = std::min(room_, most);
  if (count == 0) return 0;

  if (spread == Spread::fill) {
    std::uint64_t left = count;
    for (std::uint32_t run = 0; left > 0; run = runs_[run].end) {
      const std::uint32_t fit = runs_[run].fit;
      if (fit == 0) continue;
      const std::uint64_t full = left / fit;
      const auto blocks = full == 0 ? static_cast<std::uint32_t>(left) : fit;
      const std::uint64_t places = std::max<std::uint64_t>(1, full);
      if (places < runs_[run].end - run) split(run, run + static_cast<std::uint32_t>(places));
      placed.push_back({run, runs_[run].end - run, blocks});
      left -= std::uint64_t{runs_[run].end - run} * blocks;
      change(run, sort, static_cast<std::int32_t>(blocks));
    }
    join_around(placed.front().first, placed.back().first + placed.back().multiprocessors);
    return count;
  }

  std::uint32_t level = most_;
  while (how_many_[level] == 0) --level;

  // Fill down to a common level of room left, then one each for what remains.
  std::uint64_t single = count;
  for (std::uint64_t roomy = how_many_[level]; level > 0 && roomy <= single;) {
    single -= roomy;
    if (--level > 0) roomy += how_many_[level];
  }
  std::uint64_t left = count;
  for (std::uint32_t run = 0; left > 0; run = runs_[run].end) {
    std::uint32_t blocks = runs_[run].fit > level ? runs_[run].fit - level : 0;
    if (single > 0 && level > 0 && runs_[run].fit >= level) {
      ++blocks;
      if (single < runs_[run].end - run) split(run, run + static_cast<std::uint32_t>(single));
      single -= runs_[run].end - run;
    }
    if (blocks == 0) continue;
    placed.push_back({run, runs_[run].end - run, blocks});
    left -= std::uint64_t{runs_[run].end - run} * blocks;
    change(run, sort, static_cast<std::int32_t>(blocks));
  }
  join_around(placed.front().first, placed.back().first + placed.back().multiprocessors);
  return count;
}

void Room::give_back(const Grid& grid, const Placed& placed) {
  const Needs sort = needs(grid);
  for (const auto& [first, multiprocessors, blocks] : placed) {
    const std::uint32_t end = first + multiprocessors;
    if (const std::uint32_t run = run_of(first); run < first) split(run, first);
    for (std::uint32_t run = first; run < end; run = runs_[run].end) {
      if (runs_[run].end > end) split(run, end);
      change(run, sort, -static_cast<std::int32_t>(blocks));
    }
    join_around(first, end);
  }
}

}  // namespace streamscope
