// FreeResources against the plain algorithm, which looks at every multiprocessor for every block.
#include "engine/device/model/hardware/free_resources.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

namespace streamscope::model {
namespace {

class Plain {
 public:
  explicit Plain(const Profile::Compute& sm)
      : free_(static_cast<std::size_t>(sm.multiprocessors), {sm.blocks, sm.threads, sm.shared_bytes, sm.registers}),
        busy_(free_.size(), 0),
        step_(free_.size(), 0) {}

  // One block after the other, each to the multiprocessor where the most fit, among equals to the lower number.
  FreeResources::Placements take(const Grid& grid, std::uint64_t most, Nanoseconds now, Nanoseconds work,
                                 Nanoseconds step) {
    std::vector<std::uint32_t> placed(free_.size(), 0);
    for (; most > 0; --most) {
      std::size_t best = 0;
      for (std::size_t i = 1; i < free_.size(); ++i) {
        if (fit(i, grid) > fit(best, grid)) best = i;
      }
      if (fit(best, grid) == 0) break;
      move(best, grid, -1);
      ++placed[best];
    }
    FreeResources::Placements where;
    for (std::uint32_t i = 0; i < placed.size(); ++i) {
      if (placed[i] == 0) continue;
      busy_[i] = std::max(busy_[i], now);
      where.push_back({i, 1, placed[i], step_[i], busy_[i] - now});
      busy_[i] += placed[i] * work;
      step_[i] += placed[i] * step;
    }
    return where;
  }
  void give_back(const Grid& grid, Nanoseconds step, const FreeResources::Placements& placed) {
    for (const FreeResources::Placement& placement : placed) {
      for (std::uint32_t i = 0; i < placement.multiprocessors; ++i) {
        move(placement.first + i, grid, static_cast<int>(placement.blocks));
        step_[placement.first + i] -= placement.blocks * step;
      }
    }
  }

 private:
  using Free = std::array<std::int64_t, 4>;
  static Free needs(const Grid& grid) { return {1, grid.threads, grid.shared_bytes, grid.registers}; }
  std::int64_t fit(std::size_t at, const Grid& grid) const {
    std::int64_t least = 1 << 20;
    for (std::size_t i = 0; i < 4; ++i) {
      if (needs(grid)[i] > 0) least = std::min(least, free_[at][i] / needs(grid)[i]);
    }
    return least;
  }
  void move(std::size_t at, const Grid& grid, int blocks) {
    for (std::size_t i = 0; i < 4; ++i) free_[at][i] += blocks * needs(grid)[i];
  }

  std::vector<Free> free_;
  std::vector<Nanoseconds> busy_, step_;
};

FreeResources::Placements each(const FreeResources::Placements& placed) {
  FreeResources::Placements all;
  for (const FreeResources::Placement& placement : placed) {
    for (std::uint32_t i = 0; i < placement.multiprocessors; ++i) {
      all.push_back({placement.first + i, 1, placement.blocks, placement.others, placement.wait});
    }
  }
  return all;
}

TEST(FreeResources, PlacesBlocksAsOneAfterTheOtherWouldBe) {
  Profile profile;
  profile.compute.multiprocessors = 7;
  profile.compute.blocks = 16;
  profile.compute.threads = 1024;
  profile.compute.shared_bytes = 100'000;
  profile.compute.registers = 65'536;
  std::mt19937 random(1);
  FreeResources free(profile);
  Plain plain(profile.compute);
  struct Running {
    Grid grid;
    Nanoseconds step;
    FreeResources::Placements placed;
  };
  std::vector<Running> running;
  int full = 0;
  for (int step = 0; step < 3000; ++step) {
    if (!running.empty() && random() % 5 < 2) {
      const std::size_t which = random() % running.size();
      const auto& [grid, step_work, placed] = running[which];
      free.give_back(grid, step_work, placed);
      plain.give_back(grid, step_work, placed);
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(which));
      continue;
    }
    Grid grid;
    grid.threads = 32u << random() % 5;
    grid.shared_bytes = random() % 3 == 0 ? 1024 * (random() % 40) : 0;
    grid.registers = 16 * grid.threads;
    const std::uint64_t most = 1 + random() % 60;
    FreeResources::Placements placed;
    const Nanoseconds now = step * 10, work = static_cast<Nanoseconds>(random() % 50), step_work = work / 2;
    const std::uint64_t count = free.take({grid, most, 0, 1, work, step_work}, now, placed);
    FreeResources::Placements expected = plain.take(grid, most, now, work, step_work);
    ASSERT_EQ(each(placed), expected) << "step " << step;
    std::uint64_t sum = 0;
    for (const FreeResources::Placement& placement : expected) sum += placement.blocks;
    ASSERT_EQ(count, sum);
    if (count < most) ++full;
    if (count > 0) running.push_back({grid, step_work, std::move(placed)});
  }
  EXPECT_GT(full, 100) << "the device was hardly ever full";
}

}  // namespace
}  // namespace streamscope::model
