#include "kernels/attention/attention.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "kernels/attention/pipeline_time.h"
#include "kernels/attention/reference.h"
#include "kernels/option_values.h"

namespace streamscope::kernels {
namespace {

constexpr std::uint64_t kMatrices = 4;  // Q, K, V and O
constexpr std::uint64_t kMostRows = 1 << 24;
constexpr std::uint32_t kRegisters = 128;

constexpr std::array<std::int64_t, 2> kHeadSizes{64, 128}, kBuffersThereAre{1, 2};
constexpr std::array<std::int64_t, 11> kOfferedHeads{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
constexpr std::array<std::string_view, 2> kTypes{"fp32", "bf16"};

constexpr std::array<Option, 4> kOptions{{
    {.key = "heads",
     .least = 1,
     .most = 65'535,
     .standard = 1,
     .experiment = 8,
     .example = "8",
     .meaning = "of the batch, all together",
     .label = "Heads",
     .help = "Heads of the batch, all together. The rows of each are what the chunk has room for.",
     .offered = kOfferedHeads,
     .always = true},
    {.key = "head",
     .least = 64,
     .most = 128,
     .standard = 64,
     .example = "64",
     .meaning = "elements of a row: 64 or 128",
     .label = "Head size",
     .help = "Elements of a row of Q, K, V and O.",
     .few = kHeadSizes,
     .always = true},
    {.key = "type",
     .kind = OptionKind::choice,
     .most = 1,
     .example = "bf16",
     .meaning = "of the elements",
     .label = "Type",
     .help = "Of the elements. Sums are float32 for both; the products are the CUDA cores', not the tensor cores'.",
     .words = kTypes,
     .always = true},
    {.key = "buffers",
     .least = 1,
     .most = 2,
     .standard = 2,
     .example = "2",
     .meaning = "places for a tile of K and of V: 2 is double buffering",
     .label = "Buffers",
     .help = "Places for a tile of K and of V. With two (double buffering) the next tiles are copied while a block "
             "works on these.",
     .few = kBuffersThereAre,
     .always = true},
}};
enum : std::size_t { kHeads, kHead, kType, kBuffers };

std::uint64_t row_bytes(const Values& values) {  // one row of each matrix, for every head
  const AttentionOptions chosen = attention_options(values);
  return kMatrices * chosen.heads * chosen.head_size * chosen.element_bytes();
}
std::uint64_t blocks_of(const AttentionOptions& chosen, std::uint64_t bytes) {
  return chosen.heads * ((chosen.rows(bytes) + kAttentionQueries - 1) / kAttentionQueries);
}

// Values from 0 to this have no cancellation in sums, so that a relative tolerance is meaningful.
constexpr float kTamest = 1000;

struct AttentionReference final : Reference {
  std::optional<std::string> compute(const Values& values, std::uint64_t bytes, char* data, const char*) override {
    const AttentionOptions chosen = attention_options(values);
    const std::uint64_t matrix = bytes / kMatrices;
    const auto rows = static_cast<std::uint32_t>(chosen.rows(bytes));
    if (!all_between(data, 3 * matrix, chosen.bf16, 0, kTamest)) {
      return fmt::format("works on data below 0 or above {}, whose sums can cancel or overflow on a GPU", kTamest);
    }
    write_elements(attention_reference({data, data + matrix, data + 2 * matrix, chosen.heads, rows, rows,
                                        chosen.head_size, chosen.bf16}),
                   chosen.bf16, data + 3 * matrix);
    return std::nullopt;
  }
};

struct AttentionKernel final : Kernel {
  AttentionKernel() {
    word = "attention";
    meaning = "a chunk holds Q, K, V and O, and the tiles of K and V are brought ahead";
    usage = "attention x[0:16MiB] heads=8 head=64 type=fp32 buffers=2";
    operands = Operands::in_place;
    options = kOptions;
  }

  Granularity granularity(const Values& values) const override {
    const std::uint64_t row = row_bytes(values);
    return {16, row, kMostRows * row,
            fmt::format(
                "the kernel attention takes it for Q, K, V and O, and one row of each for all heads is {} bytes", row),
            kHeads};
  }

  // Q, K and V are read, O is written.
  std::array<Access, 2> accesses(const Values&, std::uint64_t bytes) const override {
    const std::uint64_t inputs = bytes / kMatrices * 3;
    return {{{0, 0, inputs, false}, {0, inputs, bytes - inputs, true}}};
  }

  Needs needs(const Values&) const override { return {8.0, "attention"}; }
  std::string smaller(const Values&, std::uint64_t) const override { return "write buffers=1, type=bf16 or head=64"; }

  // Q, K and V are read and O is written once at least; blocks of one head share K and V through the caches. Two
  // products of each row with every other.
  Shape shape(const Values& values, std::uint64_t bytes, std::uint32_t) const override {
    const AttentionOptions chosen = attention_options(values);
    const std::uint64_t rows = chosen.rows(bytes);
    return {.blocks = blocks_of(chosen, bytes),
            .threads = kAttentionThreads,
            .shared_bytes = attention_shared_bytes(chosen.head_size, chosen.bf16, chosen.buffers),
            .registers = kRegisters,
            .alone = true,
            .bytes = bytes,
            .flops = 4.0 * chosen.heads * chosen.head_size * static_cast<double>(rows) * static_cast<double>(rows),
            .tiles = 2 * ((rows + kAttentionKeys - 1) / kAttentionKeys),
            .places = 2 * chosen.buffers};
  }

  // At half of the peak rate. Blocks come in waves, one per multiprocessor.
  AtLeast at_least(const Values& values, std::uint64_t bytes, std::uint32_t multiprocessors,
                   double cycle) const override {
    const AttentionOptions chosen = attention_options(values);
    const auto rows = static_cast<double>(chosen.rows(bytes));
    const double waves = std::ceil(static_cast<double>(blocks_of(chosen, bytes)) / std::max(1u, multiprocessors));
    const double per_block = 2.0 * std::min<double>(kAttentionQueries, rows) * rows * chosen.head_size;
    return {waves * per_block / 64 * cycle};
  }

  Costs costs(const Hardware& hardware, const Values& values, std::uint64_t bytes) const override {
    return attention_costs(hardware, attention_options(values), bytes);
  }
  Int128 moves(const Hardware&, const Values& values, std::uint64_t bytes, const Costs&, Int128 blocks) const override {
    return attention_moves(attention_options(values), bytes, blocks);
  }
  BlockPipeline pipeline(const Hardware& hardware, const Values& values, std::uint64_t, const Costs& costs,
                         Int128 resident) const override {
    return attention_pipeline(hardware, attention_options(values), costs, resident);
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
  std::unique_ptr<Reference> reference() const override { return std::make_unique<AttentionReference>(); }
};

}  // namespace

const Kernel& attention_kernel() {
  static const AttentionKernel kKernel;
  return kKernel;
}

AttentionOptions attention_options(const Values& values) {
  return {static_cast<std::uint32_t>(values[kHeads]), static_cast<std::uint32_t>(values[kHead]), values[kType] != 0,
          static_cast<std::uint32_t>(values[kBuffers])};
}

}  // namespace streamscope::kernels
