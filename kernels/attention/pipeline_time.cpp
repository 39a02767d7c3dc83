#include "kernels/attention/pipeline_time.h"

#include <algorithm>

namespace streamscope::kernels {
namespace {

// Assumed: its multiply-adds reach this many hundredths of the peak rate; each score costs this many other
// instructions; a block waits this many clocks at the barrier of each tile; a copy's data is seen so many clocks after
// a load's would be (cp.async, as fitted for tiles).
constexpr Int128 kRate = 75, kPerScore = 16, kBarrier = 300, kArrival = 268;

constexpr Int128 kMillion = 1'000'000;

// Tiles of K, and as many of V, of each block.
Int128 pairs_of(const AttentionOptions& options, std::uint64_t bytes) {
  const std::uint64_t rows = options.rows(bytes);
  return static_cast<Int128>(std::max<std::uint64_t>(1, (rows + kAttentionKeys - 1) / kAttentionKeys));
}

}  // namespace

Costs attention_costs(const Hardware& hardware, const AttentionOptions& options, std::uint64_t bytes) {
  const std::uint64_t rows = options.rows(bytes);
  const Int128 pairs = pairs_of(options, bytes), tile = Int128{kAttentionKeys} * options.head_size;
  Costs costs;
  costs.working = std::max<std::uint64_t>(1, options.heads * ((rows + kAttentionQueries - 1) / kAttentionQueries));
  costs.elements = divided_up(bytes / 4, costs.working);
  costs.threads = kAttentionThreads;
  costs.steps = costs.whole_steps = 2 * pairs;
  const Int128 per_head = divided_up(pairs * kAttentionKeys, kAttentionQueries);
  costs.latency =
      hardware.cache_latency + divided(std::max<Int128>(0, hardware.memory_latency - hardware.cache_latency), per_head);
  const Int128 rate =
      std::max<Int128>(1, static_cast<Int128>(std::max(hardware.cache_rate, hardware.memory_rate) / 1000));
  costs.rate = rate;
  costs.tile_moves = tile_moves(hardware, tile * options.element_bytes(), kMillion * kMillion / rate);
  const Int128 multiply_adds = costs.steps * tile * kAttentionQueries;
  costs.work =
      bounded(divided_up(multiply_adds * 1000, static_cast<Int128>(hardware.clock_mhz) * hardware.fma_per_clock));
  costs.work_per_step = bounded(divided(Int128{costs.work}, costs.steps));
  return costs;
}

Int128 attention_moves(const AttentionOptions& options, std::uint64_t bytes, Int128 blocks) {
  const Int128 rows = 2 * pairs_of(options, bytes) * kAttentionKeys + Int128{2} * kAttentionQueries;
  return blocks * rows * options.head_size * options.element_bytes();
}

BlockPipeline attention_pipeline(const Hardware& hardware, const AttentionOptions& options, const Costs& costs,
                                 Int128 resident) {
  const Int128 scores = Int128{kAttentionQueries} * kAttentionKeys;
  // Both tiles of a pair take the same number of multiply-adds; the softmax is divided between them.
  const Int128 multiply_adds = divided_up(scores * options.head_size * 1000 * 100, hardware.fma_per_clock * kRate);
  const Int128 others = divided(scores * kPerScore * 1000, kWarpThreads * kSchedulers * 2);
  const Int128 turn = from_thousandths(hardware, multiply_adds + others);
  const Int128 work = std::max(turn + from_clocks(hardware, kBarrier), resident * turn);
  const Int128 arrival = costs.latency + from_clocks(hardware, kArrival);
  const Int128 moves = resident * costs.tile_moves, line = waiting_in_line(costs);

  BlockPipeline pipeline;
  pipeline.barriers = from_clocks(hardware, kBarrier);
  pipeline.places = 2 * options.buffers;
  pipeline.work = work;
  pipeline.first = queued(moves, arrival, line) + work;
  if (options.buffers == 1) {
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

}  // namespace streamscope::kernels
