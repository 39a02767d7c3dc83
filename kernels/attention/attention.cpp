#include "kernels/attention/attention.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "engine/base/translate.h"
#include "kernels/attention/reference.h"
#include "kernels/option_values.h"
#include "kernels/textbook.h"

namespace streamscope::kernels {
namespace {

constexpr std::uint64_t kMatrices = 4;  // Q, K, V and O
constexpr std::uint64_t kMostRows = 1 << 24;
constexpr std::uint32_t kRegisters = 128;

constexpr std::array<std::int64_t, 2> kHeadSizes{64, 128}, kBuffersThereAre{1, 2}, kWaitsThereAre{1, 2};
constexpr std::array<std::int64_t, 11> kOfferedHeads{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
constexpr std::array<std::string_view, 2> kTypes{"fp32", "bf16"};

constexpr std::array<Option, 5> kOptions{{
    {.key = "heads",
     .least = 1,
     .most = 65'535,
     .standard = 1,
     .experiment = 8,
     .example = "8",
     .meaning = tr_later("of the batch, all together"),
     .label = tr_later("Heads"),
     .help = tr_later("Attention heads of the whole batch together. Each has as many rows as the chunk has room for."),
     .offered = kOfferedHeads,
     .always = true},
    {.key = "head",
     .least = 64,
     .most = 128,
     .standard = 64,
     .example = "64",
     .meaning = tr_later("elements of a row: 64 or 128"),
     .label = tr_later("Head size"),
     .help = tr_later("Elements of a row of Q, K, V and O."),
     .few = kHeadSizes,
     .always = true},
    {.key = "type",
     .kind = OptionKind::choice,
     .most = 1,
     .example = "bf16",
     .meaning = tr_later("of the elements"),
     .label = tr_later("Type"),
     .help = tr_later("Type of the elements of Q, K, V and O. Sums are float32 for both; the products are the CUDA "
                      "cores', not the tensor "
                      "cores'."),
     .words = kTypes,
     .always = true},
    {.key = "buffers",
     .least = 1,
     .most = 2,
     .standard = 2,
     .example = "2",
     .meaning = tr_later("places for a tile of K and of V: 2 is double buffering"),
     .label = tr_later("Buffers"),
     .help = tr_later(
         "Places for a tile of K and of V. With two (double buffering) the next tiles are copied while a block "
         "works on these."),
     .few = kBuffersThereAre,
     .always = true},
    {.key = "waits",
     .least = 1,
     .most = 2,
     .standard = 2,
     .example = "1",
     .meaning = tr_later("for each tile of K and V"),
     .label = tr_later("Waits"),
     .help = tr_later(
         "How often a block waits for each tile. With two, as FlashAttention-2 does, it waits for K before the product "
         "with Q and for V only behind it; with one it waits for both at once."),
     .few = kWaitsThereAre},
}};
enum : std::size_t { kHeads, kHead, kType, kBuffers, kWaits };

std::uint64_t row_bytes(const Values& values) {  // one row of each matrix, for every head
  const AttentionOptions chosen = attention_options(values);
  return kMatrices * chosen.heads * chosen.head_size * chosen.element_bytes();
}

// Values from 0 to this have no cancellation in sums, so that a relative tolerance is meaningful.
constexpr float kTamest = 1000;

struct AttentionReference final : Reference {
  std::optional<std::string> compute(const Values& values, std::uint64_t bytes, char* data, const char*) override {
    const AttentionOptions chosen = attention_options(values);
    const std::uint64_t matrix = bytes / kMatrices;
    const auto rows = static_cast<std::uint32_t>(chosen.rows(bytes));
    if (!all_between(data, 3 * matrix, chosen.bf16, 0, kTamest)) {
      return tr("works on data below 0 or above {}, whose sums can cancel or overflow on a GPU", kTamest);
    }
    write_elements(attention_reference({data, data + matrix, data + 2 * matrix, chosen.heads, rows, rows,
                                        chosen.head_size, chosen.bf16}),
                   chosen.bf16, data + 3 * matrix);
    return std::nullopt;
  }
};

// Assumed: its multiply-adds reach this many hundredths of the peak rate; each score costs this many other
// instructions; a block waits this many clocks at the barrier of each tile; a copy's data is seen so many clocks after
// a load's would be (cp.async, as fitted for tiles).
constexpr Int128 kRate = 75, kPerScore = 16, kBarrier = 300, kArrival = 268;

// Tiles of K, and as many of V, of each block.
Int128 pairs_of(const AttentionOptions& options, std::uint64_t bytes) {
  return static_cast<Int128>(std::max<std::uint64_t>(1, attention_key_tiles(options.rows(bytes))));
}

struct AttentionKernel final : Kernel {
  AttentionKernel() {
    word = "attention";
    meaning = tr_later("attention on chunks of Q, K, V and O, with tiles of K and V copied ahead of their use");
    usage = "attention x[0:16MiB] heads=8 head=64 type=fp32 buffers=2";
    operands = Operands::in_place;
    options = kOptions;
  }

  Granularity granularity(const Values& values) const override {
    const std::uint64_t row = row_bytes(values);
    return {16, row, kMostRows * row,
            tr("the kernel attention takes it for Q, K, V and O, and one row of each for all heads is {} bytes", row),
            kHeads};
  }

  // Q, K and V are read, O is written.
  std::array<Access, 2> accesses(const Values&, std::uint64_t bytes) const override {
    const std::uint64_t inputs = bytes / kMatrices * 3;
    return {{{0, 0, inputs, false}, {0, inputs, bytes - inputs, true}}};
  }

  Needs needs(const Values&) const override { return {8.0, "attention"}; }
  StageCalls stage_calls(const Values& values) const override {
    const AttentionOptions chosen = attention_options(values);
    const bool two = chosen.waits == 2;
    return {.commit = "cp.async.commit_group",
            .wait = chosen.buffers == 2 ? fmt::format("cp.async.wait_group {}", two ? 2 : 0)
                    : two               ? "cp.async.wait_group 1, 0"
                                        : "cp.async.wait_group 0",
            .barrier = "__syncthreads"};
  }
  std::string smaller(const Values&, std::uint64_t) const override {
    return tr("write buffers=1, type=bf16 or head=64");
  }

  // Q, K and V are read and O is written once at least; blocks of one head share K and V through the caches. Two
  // products of each row with every other.
  Shape shape(const Values& values, std::uint64_t bytes, std::uint32_t) const override {
    const AttentionOptions chosen = attention_options(values);
    const std::uint64_t rows = chosen.rows(bytes);
    return {.blocks = chosen.blocks(rows),
            .threads = kAttentionThreads,
            .shared_bytes = attention_shared_bytes(chosen.head_size, chosen.bf16, chosen.buffers),
            .registers = kRegisters,
            .alone = true,
            .bytes = bytes,
            .flops = 4.0 * chosen.heads * chosen.head_size * static_cast<double>(rows) * static_cast<double>(rows),
            .tiles = 2 * attention_key_tiles(rows),
            .places = 2 * chosen.buffers};
  }

  // At half of the peak rate. Blocks come in waves, one per multiprocessor.
  AtLeast at_least(const Values& values, std::uint64_t bytes, std::uint32_t multiprocessors,
                   double cycle) const override {
    const AttentionOptions chosen = attention_options(values);
    const auto rows = static_cast<double>(chosen.rows(bytes));
    const auto blocks = static_cast<double>(chosen.blocks(chosen.rows(bytes)));
    const double waves = std::ceil(blocks / std::max(1u, multiprocessors));
    const double per_block = 2.0 * std::min<double>(kAttentionQueries, rows) * rows * chosen.head_size;
    return {waves * per_block / 64 * cycle};
  }

  // Each tile of K and V is read from memory once, by the first block of its head that needs it; the others find it in
  // the L2 cache.
  Costs costs(const Hardware& hardware, const Values& values, std::uint64_t bytes) const override {
    const AttentionOptions chosen = attention_options(values);
    const Int128 pairs = pairs_of(chosen, bytes), tile = Int128{kAttentionKeys} * chosen.head_size;
    constexpr Int128 kMillion = 1'000'000;
    Costs costs;
    costs.working = std::max<std::uint64_t>(1, chosen.blocks(chosen.rows(bytes)));
    costs.elements = divided_up(bytes / 4, costs.working);
    costs.threads = kAttentionThreads;
    costs.steps = costs.whole_steps = 2 * pairs;
    const Int128 per_head = divided_up(pairs * kAttentionKeys, kAttentionQueries);
    costs.latency = hardware.cache_latency +
                    divided(std::max<Int128>(0, hardware.memory_latency - hardware.cache_latency), per_head);
    const Int128 rate =
        std::max<Int128>(1, static_cast<Int128>(std::max(hardware.cache_rate, hardware.memory_rate) / 1000));
    costs.rate = rate;
    costs.tile_moves = tile_moves(hardware, tile * chosen.element_bytes(), kMillion * kMillion / rate);
    const Int128 multiply_adds = costs.steps * tile * kAttentionQueries;
    costs.work =
        bounded(divided_up(multiply_adds * 1000, static_cast<Int128>(hardware.clock_mhz) * hardware.fma_per_clock));
    costs.work_per_step = bounded(divided(Int128{costs.work}, costs.steps));
    return costs;
  }
  // Tiles of K and V from the cache, and their rows of Q and O.
  Int128 moves(const Hardware&, const Values& values, std::uint64_t bytes, const Costs&, Int128 blocks) const override {
    const AttentionOptions chosen = attention_options(values);
    const Int128 rows = 2 * pairs_of(chosen, bytes) * kAttentionKeys + Int128{2} * kAttentionQueries;
    return blocks * rows * chosen.head_size * chosen.element_bytes();
  }
  // Tile 2j is of K, tile 2j + 1 of V.
  BlockPipeline pipeline(const Hardware& hardware, const Values& values, std::uint64_t, const Costs& costs,
                         Int128 resident) const override {
    const AttentionOptions chosen = attention_options(values);
    const Int128 scores = Int128{kAttentionQueries} * kAttentionKeys;
    // Both tiles of a pair take the same number of multiply-adds; the softmax is divided between them.
    const Int128 multiply_adds = divided_up(scores * chosen.head_size * 1000 * 100, hardware.fma_per_clock * kRate);
    const Int128 others = divided(scores * kPerScore * 1000, kWarpThreads * kSchedulers * 2);
    const Int128 turn = from_thousandths(hardware, multiply_adds + others);
    const Int128 work = std::max(turn + from_clocks(hardware, kBarrier), resident * turn);
    const Int128 arrival = costs.latency + from_clocks(hardware, kArrival);
    const Int128 moves = resident * costs.tile_moves, line = waiting_in_line(costs);

    BlockPipeline pipeline;
    pipeline.barriers = from_clocks(hardware, kBarrier);
    pipeline.places = 2 * chosen.buffers;
    pipeline.work = work;
    pipeline.first = queued(moves, arrival, line) + work;
    if (chosen.buffers == 1) {
      pipeline.begins = BlockPipeline::CopyBegins::in_pairs;
      pipeline.each = queued(moves, divided(arrival, 2) + work, divided(line, 2));
      // The values' way into shared memory is seen, too, where the product of the keys does not hide it.
      if (chosen.waits == 1) pipeline.each += divided(moves, 2);
      pipeline.copy = 2 * (pipeline.each - work);
    } else {
      // With one wait both tiles of a pair are asked for together, a pair ahead.
      const Int128 ahead = chosen.waits == 1 ? 2 : pipeline.places - 1;
      const Int128 brought = queued(moves, divided(arrival, ahead), divided(line, ahead));
      pipeline.each = std::max(brought, work);
      pipeline.copy = brought * ahead;
    }
    return pipeline;
  }

  Precision precision(const Values& values) const override {
    return values[kType] != 0 ? Precision{kAttentionToleranceBf16, true} : Precision{kAttentionTolerance, false};
  }
  // As doubles: O of all heads, K and V of one head.
  std::uint64_t reference_bytes(const Values& values, std::uint64_t bytes) const override {
    const AttentionOptions chosen = attention_options(values);
    return (chosen.heads + 2) * chosen.rows(bytes) * chosen.head_size * sizeof(double);
  }
  double reference_work(const Values& values, std::uint64_t bytes) const override {
    const AttentionOptions chosen = attention_options(values);
    const auto rows = static_cast<double>(chosen.rows(bytes));
    return 2.0 * chosen.heads * chosen.head_size * rows * rows;
  }
  CudaCode cuda_code(const Values& values, std::string_view name) const override {
    return attention_code(attention_options(values), name);
  }
  CudaLaunch cuda_launch(const Values& values, const CudaOperands& on) const override {
    const AttentionOptions chosen = attention_options(values);
    const std::string_view type = chosen.bf16 ? "__nv_bfloat16" : "float";
    const std::string rows =
        divided_by(on.bytes, fmt::format("{}", kMatrices * chosen.heads * chosen.head_size * chosen.element_bytes()));
    const auto matrix = [&](int number) {
      return cast_to(
          fmt::format("{}{}*", number < 3 ? "const " : "", type),
          number == 0 ? on.first : fmt::format("{} + {} * ({})", on.first, number, divided_by(on.bytes, "4")));
    };
    return {fmt::format("{} * (({} - 1) / {} + 1)", chosen.heads, rows, kAttentionQueries),
            fmt::format("{}, {}, {}, {}, {}", matrix(0), matrix(1), matrix(2), matrix(3), rows),
            attention_shared_bytes(chosen.head_size, chosen.bf16, chosen.buffers)};
  }

  std::unique_ptr<Reference> reference() const override { return std::make_unique<AttentionReference>(); }
};

}  // namespace

const Kernel& attention_kernel() {
  static const AttentionKernel kKernel;
  return kKernel;
}

AttentionOptions attention_options(const Values& values) {
  return {static_cast<std::uint32_t>(values[kHeads]), static_cast<std::uint32_t>(values[kHead]), values[kType] != 0,
          static_cast<std::uint32_t>(values[kBuffers]),
          values[kWaits] != 0 ? static_cast<std::uint32_t>(values[kWaits]) : 2};
}

}  // namespace streamscope::kernels
