#include "kernels/tiles/pipeline_time.h"

#include <algorithm>

namespace streamscope::kernels {
namespace {

constexpr Int128 kNothingWaitedFor = 64;

// What of the options matters here.
struct Tiled {
  TileCopy copy;
  Int128 tile;        // elements
  Int128 warps;       // of a block
  Int128 producers;   // warps that only copy
  Int128 word_bytes;  // of what a thread works on at once
  Int128 copy_bytes;  // of one thread's copy
  Int128 diverge;     // parts in which a warp commits
  Int128 later;       // groups that are not waited for
  std::uint32_t fma, stages;
};

Tiled tiled(const TilesOptions& options, std::uint64_t bytes) {
  const bool commits = can_diverge(options.copy), specialised = options.copy == TileCopy::specialised;
  const Int128 word_bytes = options.align >= 16 ? 16 : 4;
  return {.copy = options.copy,
          .tile = elements_of_tile(options, bytes),
          .warps = (options.threads + 31) / 32,
          .producers = specialised ? options.producers : 0,
          .word_bytes = word_bytes,
          .copy_bytes = commits || specialised ? Int128{options.copy_bytes} : word_bytes,
          .diverge = commits ? options.diverge : 1,
          .later = options.leave_out == LeaveOut::wait ? kNothingWaitedFor
                   : options.wait != kAsNeeded         ? Int128{options.wait}
                                                       : Int128{needed_wait(options.stages)},
          .fma = options.fma,
          .stages = options.stages};
}

// The work on one tile.
struct TileWork {
  Int128 alone;  // with one block on the multiprocessor
  Int128 turn;   // the part that blocks on one multiprocessor cannot overlap: instruction issue
};

TileWork tile_work(const Hardware& hardware, const Tiled& of) {
  const TileCopyCost& cost = tile_copy_cost(of.copy);
  const Int128 workers = std::max<Int128>(1, of.warps - of.producers);
  const Int128 bytes = of.tile * 4, chains = of.word_bytes / 4;

  // The words of one thread, one after the other; each scheduler has its share of the warps.
  const Int128 words = divided_up(bytes, of.word_bytes), at_once = workers * kWarpThreads;
  const Int128 whole = divided(words, at_once), rounds = divided_up(words, at_once);
  const Int128 last = divided_up(words - whole * at_once, kWarpThreads);
  const Int128 busiest = whole * divided_up(workers, kSchedulers) + divided_up(last, kSchedulers);
  // One multiply-add of each chain of each thread of a warp: thousandths of a clock.
  const Int128 one_warp = divided(chains * kWarpThreads * kSchedulers * 1000, std::max(1u, hardware.fma_per_clock));
  const Int128 chained = std::max<Int128>(divided(hardware.fma_latency, 1000), one_warp);
  Int128 in_turn = busiest * of.fma * one_warp, by_itself = rounds * of.fma * chained;
  if (of.producers > 0) {
    in_turn = divided(in_turn * tile_cost::kSpecialisedTurn, 100);
    by_itself = divided(by_itself * tile_cost::kSpecialisedAlone, 100);
  }

  // With a cuda::barrier a copy of aligned data is a bulk copy, too: one thread issues it.
  const bool bulk = of.copy == TileCopy::bulk || (of.copy == TileCopy::barrier && of.word_bytes >= 16);
  const Int128 copies = bulk ? Int128{0} : divided_up(divided_up(bytes, of.copy_bytes), kWarpThreads);
  const Int128 instructions = of.warps * (cost.per_warp + (of.diverge - 1) * tile_cost::kCommit) +
                              divided_up(words, kWarpThreads) * tile_cost::kWord + copies * cost.per_instruction;
  const Int128 waits = cost.alone + rounds * tile_cost::kRound;
  return {from_thousandths(hardware, std::max(in_turn, by_itself) + (instructions + waits) * 1000),
          from_thousandths(hardware, in_turn + instructions * 1000)};
}

// From the request for a tile to its arrival, on otherwise idle memory.
Int128 tile_arrival(const Hardware& hardware, const Tiled& of, const Costs& costs) {
  Int128 arrival = costs.latency + from_clocks(hardware, tile_copy_cost(of.copy).arrival);
  const Int128 copies = divided_up(of.tile * 4, of.copy_bytes);
  // A thread's loads into registers follow each other.
  if (of.copy == TileCopy::sync) arrival += costs.latency * (divided_up(copies, of.warps * kWarpThreads) - 1);
  if (of.producers > 0) {
    arrival += from_clocks(hardware, divided_up(copies, kWarpThreads * of.producers) * tile_cost::kProduced);
  }
  return arrival;
}

}  // namespace

std::uint32_t elements_of_tile(const TilesOptions& options, std::uint64_t bytes) {
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(options.tile_bytes / 4, std::max<std::uint64_t>(1, bytes / 4)));
}

BlockPipeline tiles_pipeline(const Hardware& hardware, const TilesOptions& options, std::uint64_t bytes,
                             const Costs& costs, Int128 resident) {
  const Tiled of = tiled(options, bytes);
  const TileWork work = tile_work(hardware, of);
  const Int128 arrival = tile_arrival(hardware, of, costs), one_by_one = arrival + work.alone;
  const Int128 moves = resident * costs.tile_moves, line = waiting_in_line(costs);
  const Int128 contention = resident > 1 ? from_clocks(hardware, tile_cost::kContention) : Int128{0};
  // Limited by instruction issue, which all blocks of the multiprocessor share.
  const auto in_turn = [&](Int128 alone) { return queued(resident * work.turn, alone, contention); };

  BlockPipeline pipeline;
  pipeline.barriers = from_clocks(hardware, tile_copy_cost(of.copy).alone);
  pipeline.places = std::max(1u, of.stages);
  pipeline.first = std::max(queued(moves, one_by_one, line), in_turn(one_by_one));
  const Int128 places = pipeline.places;
  if (of.producers > 0) {
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
    const Int128 ahead = divided(of.later, of.diverge) + 1;
    const Int128 brought = queued(moves, divided(arrival, ahead), divided(line, ahead));
    pipeline.work = in_turn(work.alone);
    pipeline.each = std::max(brought, pipeline.work);
    pipeline.copy = brought * (places - 1);
  }
  return pipeline;
}

}  // namespace streamscope::kernels
