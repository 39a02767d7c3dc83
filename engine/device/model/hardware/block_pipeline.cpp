#include "engine/device/model/hardware/block_pipeline.h"

#include <algorithm>

#include "engine/device/model/hardware/tile_copy_costs.h"
#include "engine/program/attention_shape.h"

namespace streamscope::model {
namespace {

constexpr Wide kWarpThreads = 32, kSchedulers = 4;  // of a multiprocessor
constexpr Wide kLongestForRoots = Wide{1} << 58;    // ns: sums of squares of them have roots (wide.h)

// Assumed of the attention kernel: shared memory and bookkeeping leave its multiply-adds so many hundredths of the
// rate; each score costs so many other instructions; and a block waits so many clocks at each tile's barrier.
constexpr Wide kAttentionRate = 75, kAScore = 16, kAttentionBarrier = 300;

// Thousandths of a clock; a clock's number of nanoseconds depends on the profile.
Wide nanoseconds(const Profile& profile, Wide thousandths) {
  return std::min(kLongestForRoots, divided(thousandths, profile.compute.clock_mhz));
}
Wide of_clocks(const Profile& profile, Wide clocks) { return nanoseconds(profile, clocks * 1000); }

// What takes `alone` by itself and goes no faster than one in `turn`, where requests come at any time and wait for each
// other: of two limits that lie far apart the longer one; in between, more than either, the more so the larger `rival`.
// With c the result, c = alone + rival * turn / (c - turn), the waiting time of a queue.
Wide queued(Wide turn, Wide alone, Wide rival) {
  turn = std::min(turn, kLongestForRoots);
  alone = std::min(alone, kLongestForRoots);
  rival = std::min(rival, kLongestForRoots);
  const Wide apart = alone - turn;
  return std::max({turn, alone, (turn + alone + root(apart * apart + 4 * rival * turn)) / 2});
}
Wide waiting_in_line(const Pace& pace) { return pace.latency * tile_cost::kQueue / 10; }

// The work on one tile.
struct TileWork {
  Wide alone;  // with nobody in its way
  Wide turn;   // of it, what the blocks of a multiprocessor take in turn
};

TileWork tile_work(const Profile& profile, const Grid& grid) {
  const Profile::Compute& sm = profile.compute;
  const TileWay& way = tile_way(grid.copy);
  const bool roles = grid.producers > 0;
  const Wide warps = grid.threads / kWarpThreads, workers = std::max<Wide>(1, warps - grid.producers);
  const Wide bytes = Wide{grid.tile} * 4, chains = grid.word_bytes / 4;

  // Words of a thread, taken in turn; each scheduler has its share of the warps.
  const Wide words = divided_up(bytes, grid.word_bytes), at_once = workers * kWarpThreads;
  const Wide whole = divided(words, at_once), rounds = divided_up(words, at_once);
  const Wide last = divided_up(words - whole * at_once, kWarpThreads);
  const Wide busiest = whole * divided_up(workers, kSchedulers) + divided_up(last, kSchedulers);
  // Multiply-adds of a word of each of a warp's threads, one from each chain: thousandths of a clock.
  const Wide one_warp = divided(chains * kWarpThreads * kSchedulers * 1000, std::max(1u, sm.fma_a_clock));
  const Wide chained = std::max<Wide>(divided(sm.fma_latency, 1000), one_warp);
  Wide in_turn = busiest * grid.fma * one_warp, by_itself = rounds * grid.fma * chained;
  if (roles) {
    in_turn = divided(in_turn * tile_cost::kRolesTake, 100);
    by_itself = divided(by_itself * tile_cost::kRolesAlone, 100);
  }

  // A copy of aligned data on a cuda::barrier is a bulk copy, too.
  const bool one_asks =
      grid.copy == program::TileCopy::bulk || (grid.copy == program::TileCopy::barrier && grid.word_bytes >= 16);
  const Wide copies = one_asks ? Wide{0} : divided_up(divided_up(bytes, grid.copy_bytes), kWarpThreads);
  const Wide instructions = warps * (way.a_warp + (grid.diverge - 1) * tile_cost::kCommit) +
                            divided_up(words, kWarpThreads) * tile_cost::kWord + copies * way.an_instruction;
  const Wide waits = way.alone + rounds * tile_cost::kRound;
  return {nanoseconds(profile, std::max(in_turn, by_itself) + (instructions + waits) * 1000),
          nanoseconds(profile, in_turn + instructions * 1000)};
}

// From asking for a tile to its arrival, where memory has nothing else to do.
Wide tile_arrival(const Profile& profile, const Grid& grid, const Pace& pace) {
  Wide arrival = pace.latency + of_clocks(profile, tile_way(grid.copy).arrival);
  const Wide copies = divided_up(Wide{grid.tile} * 4, grid.copy_bytes);
  // A thread's loads into registers wait for each other.
  if (grid.copy == program::TileCopy::sync) arrival += pace.latency * (divided_up(copies, grid.threads) - 1);
  if (grid.producers > 0) {
    arrival += of_clocks(profile, divided_up(copies, kWarpThreads * grid.producers) * tile_cost::kProduced);
  }
  return arrival;
}

BlockPipeline tiles_pipeline(const Profile& profile, const Grid& grid, const Pace& pace, Wide resident) {
  const TileWork work = tile_work(profile, grid);
  const Wide arrival = tile_arrival(profile, grid, pace), one_by_one = arrival + work.alone;
  const Wide moves = resident * pace.tile_moves, line = waiting_in_line(pace);
  const Wide rival = resident > 1 ? of_clocks(profile, tile_cost::kRivals) : Wide{0};
  // The multiprocessor's instructions, of all its blocks.
  const auto in_turn = [&](Wide alone) { return queued(resident * work.turn, alone, rival); };

  BlockPipeline pipeline;
  pipeline.barriers = of_clocks(profile, tile_way(grid.copy).alone);
  pipeline.places = std::max(1u, grid.stages);
  pipeline.first = std::max(queued(moves, one_by_one, line), in_turn(one_by_one));
  const Wide places = pipeline.places;
  if (grid.producers > 0) {
    pipeline.asks = BlockPipeline::Asks::when_free;
    const Wide round = divided(one_by_one, places);
    const Wide brought = queued(moves, round, divided(line, places));
    pipeline.work = std::max(work.alone, std::min(in_turn(std::max(work.alone, round)), resident * work.turn));
    pipeline.each = std::min(pipeline.first, std::max(brought, in_turn(std::max(work.alone, round))));
    pipeline.copy = std::max(arrival, places * pipeline.each - pipeline.work);
  } else if (places == 1) {
    pipeline.each = pipeline.first;
    pipeline.work = work.alone;
    pipeline.copy = pipeline.first - work.alone;
  } else {
    // Threads that have diverged commit one after the other, and to wait for all but so many commits is to wait for
    // more tiles than was meant: CUDA C++ Programming Guide, "Warp Entanglement".
    const Wide ahead = divided(places - 2, grid.diverge) + 1;
    const Wide brought = queued(moves, divided(arrival, ahead), divided(line, ahead));
    pipeline.work = in_turn(work.alone);
    pipeline.each = std::max(brought, pipeline.work);
    pipeline.copy = brought * (places - 1);
  }
  return pipeline;
}

BlockPipeline attention_pipeline(const Profile& profile, const Grid& grid, const Pace& pace, Wide resident) {
  const Profile::Compute& sm = profile.compute;
  const Wide scores = Wide{program::kAttentionQueries} * program::kAttentionKeys;
  // Both tiles of a pair take as many multiply-adds; the weights are shared out between them.
  const Wide multiply_adds = divided_up(scores * grid.head * 1000 * 100, sm.fma_a_clock * kAttentionRate);
  const Wide others = divided(scores * kAScore * 1000, kWarpThreads * kSchedulers * 2);
  const Wide turn = nanoseconds(profile, multiply_adds + others);
  const Wide work = std::max(turn + of_clocks(profile, kAttentionBarrier), resident * turn);
  const Wide arrival = pace.latency + of_clocks(profile, tile_way(program::TileCopy::cp_async).arrival);
  const Wide moves = resident * pace.tile_moves, line = waiting_in_line(pace);

  BlockPipeline pipeline;
  pipeline.barriers = of_clocks(profile, kAttentionBarrier);
  pipeline.places = 2 * grid.stages;
  pipeline.work = work;
  pipeline.first = queued(moves, arrival, line) + work;
  if (grid.stages == 1) {
    pipeline.asks = BlockPipeline::Asks::in_pairs;
    pipeline.each = queued(moves, divided(arrival, 2) + work, divided(line, 2));
    pipeline.copy = 2 * (pipeline.each - work);
  } else {
    const Wide ahead = pipeline.places - 1;
    const Wide brought = queued(moves, divided(arrival, ahead), divided(line, ahead));
    pipeline.each = std::max(brought, work);
    pipeline.copy = brought * ahead;
  }
  return pipeline;
}

}  // namespace

BlockPipeline block_pipeline(const Profile& profile, const Grid& grid, const Pace& pace, Wide resident) {
  return grid.pairs > 0 ? attention_pipeline(profile, grid, pace, resident)
                        : tiles_pipeline(profile, grid, pace, resident);
}

double copy_rate(const Profile& profile) {
  constexpr std::uint64_t kBytes = 256 << 20;
  return 2e9 * static_cast<double>(kBytes) /
         static_cast<double>(std::max<Nanoseconds>(1, profile.copies.on_device.at(kBytes)));
}

Wide tile_rate(const Profile& profile) {
  constexpr std::uint64_t kBytes = 256 << 20;
  const Wide rate = static_cast<Wide>(profile.compute.memory_rate);
  const Wide copied = divided(Wide{2'000'000'000} * static_cast<Wide>(kBytes),
                              std::max<Nanoseconds>(1, profile.copies.on_device.at(kBytes)));
  return std::min(rate * tile_cost::kOfMemoryRate / 1000, std::max(rate, copied * tile_cost::kOfCopyRate / 1000));
}

}  // namespace streamscope::model
