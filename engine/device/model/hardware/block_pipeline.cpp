#include "engine/device/model/hardware/block_pipeline.h"

#include <algorithm>

#include "engine/device/model/hardware/tile_copy_costs.h"
#include "engine/program/attention_shape.h"

namespace streamscope::model {
namespace {

constexpr Int128 kWarpThreads = 32, kSchedulers = 4;  // of a multiprocessor
constexpr Int128 kLongestForRoots = Int128{1} << 58;  // ns: the squares can be added and rooted (int128.h)

// Assumed for the attention kernel: its multiply-adds reach this many hundredths of the peak rate; each score costs
// this many other instructions; a block waits this many clocks at the barrier of each tile.
constexpr Int128 kAttentionRate = 75, kPerScore = 16, kAttentionBarrier = 300;

// From thousandths of a clock.
Int128 nanoseconds(const Profile& profile, Int128 thousandths) {
  return std::min(kLongestForRoots, divided(thousandths, profile.compute.clock_mhz));
}
Int128 of_clocks(const Profile& profile, Int128 clocks) { return nanoseconds(profile, clocks * 1000); }

// The time of something that takes `alone` by itself and shares a resource that serves one request every `turn`. If the
// two are far apart the longer one decides; if they are close, queueing makes it longer than either, by more the larger
// `contention` is. The result c solves c = alone + contention * turn / (c - turn), the waiting time of a queue.
Int128 queued(Int128 turn, Int128 alone, Int128 contention) {
  turn = std::min(turn, kLongestForRoots);
  alone = std::min(alone, kLongestForRoots);
  contention = std::min(contention, kLongestForRoots);
  const Int128 apart = alone - turn;
  return std::max({turn, alone, (turn + alone + root(apart * apart + 4 * contention * turn)) / 2});
}
Int128 waiting_in_line(const GridCosts& costs) { return costs.latency * tile_cost::kQueue / 10; }

// The work on one tile.
struct TileWork {
  Int128 alone;  // with one block on the multiprocessor
  Int128 turn;   // the part that blocks on one multiprocessor cannot overlap: instruction issue
};

TileWork tile_work(const Profile& profile, const Grid& grid) {
  const Profile::Compute& sm = profile.compute;
  const TileCopyCost& cost = tile_copy_cost(grid.copy);
  const bool specialised = grid.producers > 0;
  const Int128 warps = grid.threads / kWarpThreads, workers = std::max<Int128>(1, warps - grid.producers);
  const Int128 bytes = Int128{grid.tile} * 4, chains = grid.word_bytes / 4;

  // The words of one thread, one after the other; each scheduler has its share of the warps.
  const Int128 words = divided_up(bytes, grid.word_bytes), at_once = workers * kWarpThreads;
  const Int128 whole = divided(words, at_once), rounds = divided_up(words, at_once);
  const Int128 last = divided_up(words - whole * at_once, kWarpThreads);
  const Int128 busiest = whole * divided_up(workers, kSchedulers) + divided_up(last, kSchedulers);
  // One multiply-add of each chain of each thread of a warp: thousandths of a clock.
  const Int128 one_warp = divided(chains * kWarpThreads * kSchedulers * 1000, std::max(1u, sm.fma_per_clock));
  const Int128 chained = std::max<Int128>(divided(sm.fma_latency, 1000), one_warp);
  Int128 in_turn = busiest * grid.fma * one_warp, by_itself = rounds * grid.fma * chained;
  if (specialised) {
    in_turn = divided(in_turn * tile_cost::kSpecialisedTurn, 100);
    by_itself = divided(by_itself * tile_cost::kSpecialisedAlone, 100);
  }

  // With a cuda::barrier a copy of aligned data is a bulk copy, too: one thread issues it.
  const bool bulk =
      grid.copy == program::TileCopy::bulk || (grid.copy == program::TileCopy::barrier && grid.word_bytes >= 16);
  const Int128 copies = bulk ? Int128{0} : divided_up(divided_up(bytes, grid.copy_bytes), kWarpThreads);
  const Int128 instructions = warps * (cost.per_warp + (grid.diverge - 1) * tile_cost::kCommit) +
                              divided_up(words, kWarpThreads) * tile_cost::kWord + copies * cost.per_instruction;
  const Int128 waits = cost.alone + rounds * tile_cost::kRound;
  return {nanoseconds(profile, std::max(in_turn, by_itself) + (instructions + waits) * 1000),
          nanoseconds(profile, in_turn + instructions * 1000)};
}

// From the request for a tile to its arrival, on otherwise idle memory.
Int128 tile_arrival(const Profile& profile, const Grid& grid, const GridCosts& costs) {
  Int128 arrival = costs.latency + of_clocks(profile, tile_copy_cost(grid.copy).arrival);
  const Int128 copies = divided_up(Int128{grid.tile} * 4, grid.copy_bytes);
  // A thread's loads into registers follow each other.
  if (grid.copy == program::TileCopy::sync) arrival += costs.latency * (divided_up(copies, grid.threads) - 1);
  if (grid.producers > 0) {
    arrival += of_clocks(profile, divided_up(copies, kWarpThreads * grid.producers) * tile_cost::kProduced);
  }
  return arrival;
}

BlockPipeline tiles_pipeline(const Profile& profile, const Grid& grid, const GridCosts& costs, Int128 resident) {
  const TileWork work = tile_work(profile, grid);
  const Int128 arrival = tile_arrival(profile, grid, costs), one_by_one = arrival + work.alone;
  const Int128 moves = resident * costs.tile_moves, line = waiting_in_line(costs);
  const Int128 contention = resident > 1 ? of_clocks(profile, tile_cost::kContention) : Int128{0};
  // Limited by instruction issue, which all blocks of the multiprocessor share.
  const auto in_turn = [&](Int128 alone) { return queued(resident * work.turn, alone, contention); };

  BlockPipeline pipeline;
  pipeline.barriers = of_clocks(profile, tile_copy_cost(grid.copy).alone);
  pipeline.places = std::max(1u, grid.stages);
  pipeline.first = std::max(queued(moves, one_by_one, line), in_turn(one_by_one));
  const Int128 places = pipeline.places;
  if (grid.producers > 0) {
    pipeline.begins = BlockPipeline::CopyBegins::when_free;
    const Int128 round = divided(one_by_one, places);
    const Int128 brought = queued(moves, round, divided(line, places));
    pipeline.work = std::max(work.alone, std::min(in_turn(std::max(work.alone, round)), resident * work.turn));
    pipeline.each = std::min(pipeline.first, std::max(brought, in_turn(std::max(work.alone, round))));
    pipeline.copy = std::max(arrival, places * pipeline.each - pipeline.work);
  } else if (places == 1) {
    pipeline.each = pipeline.first;
    pipeline.work = work.alone;
    pipeline.copy = pipeline.first - work.alone;
  } else {
    // Diverged threads commit one after the other, so that waiting for all but the last n commits waits for more tiles
    // than intended: CUDA C++ Programming Guide, "Warp Entanglement".
    const Int128 ahead = divided(places - 2, grid.diverge) + 1;
    const Int128 brought = queued(moves, divided(arrival, ahead), divided(line, ahead));
    pipeline.work = in_turn(work.alone);
    pipeline.each = std::max(brought, pipeline.work);
    pipeline.copy = brought * (places - 1);
  }
  return pipeline;
}

BlockPipeline attention_pipeline(const Profile& profile, const Grid& grid, const GridCosts& costs, Int128 resident) {
  const Profile::Compute& sm = profile.compute;
  const Int128 scores = Int128{program::kAttentionQueries} * program::kAttentionKeys;
  // Both tiles of a pair take the same number of multiply-adds; the softmax is divided between them.
  const Int128 multiply_adds = divided_up(scores * grid.head * 1000 * 100, sm.fma_per_clock * kAttentionRate);
  const Int128 others = divided(scores * kPerScore * 1000, kWarpThreads * kSchedulers * 2);
  const Int128 turn = nanoseconds(profile, multiply_adds + others);
  const Int128 work = std::max(turn + of_clocks(profile, kAttentionBarrier), resident * turn);
  const Int128 arrival = costs.latency + of_clocks(profile, tile_copy_cost(program::TileCopy::cp_async).arrival);
  const Int128 moves = resident * costs.tile_moves, line = waiting_in_line(costs);

  BlockPipeline pipeline;
  pipeline.barriers = of_clocks(profile, kAttentionBarrier);
  pipeline.places = 2 * grid.stages;
  pipeline.work = work;
  pipeline.first = queued(moves, arrival, line) + work;
  if (grid.stages == 1) {
    pipeline.begins = BlockPipeline::CopyBegins::in_pairs;
    pipeline.each = queued(moves, divided(arrival, 2) + work, divided(line, 2));
    pipeline.copy = 2 * (pipeline.each - work);
  } else {
    const Int128 ahead = pipeline.places - 1;
    const Int128 brought = queued(moves, divided(arrival, ahead), divided(line, ahead));
    pipeline.each = std::max(brought, work);
    pipeline.copy = brought * ahead;
  }
  return pipeline;
}

}  // namespace

BlockPipeline block_pipeline(const Profile& profile, const Grid& grid, const GridCosts& costs, Int128 resident) {
  return grid.pairs > 0 ? attention_pipeline(profile, grid, costs, resident)
                        : tiles_pipeline(profile, grid, costs, resident);
}

double copy_rate(const Profile& profile) {
  constexpr std::uint64_t kBytes = 256 << 20;
  return 2e9 * static_cast<double>(kBytes) /
         static_cast<double>(std::max<Nanoseconds>(1, profile.copies.on_device.at(kBytes)));
}

Int128 tile_rate(const Profile& profile) {
  constexpr std::uint64_t kBytes = 256 << 20;
  const Int128 rate = static_cast<Int128>(profile.compute.memory_rate);
  const Int128 copied = divided(Int128{2'000'000'000} * static_cast<Int128>(kBytes),
                                std::max<Nanoseconds>(1, profile.copies.on_device.at(kBytes)));
  return std::min(rate * tile_cost::kOfMemoryRate / 1000, std::max(rate, copied * tile_cost::kOfCopyRate / 1000));
}

}  // namespace streamscope::model
