#include "engine/device/cuda/verify/reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "engine/device/cuda/verify/attention_reference.h"
#include "engine/device/cuda/verify/parallel_slices.h"

namespace streamscope::cuda {
namespace {

// Values from 0 to this have no cancellation in sums, so that a relative tolerance (kAttentionTolerance) is meaningful.
constexpr float kTamest = 1000;
bool tame(const char* data, std::uint64_t bytes, bool bf16) {
  const std::uint64_t size = bf16 ? 2 : 4;
  std::atomic<bool> all = true;
  in_slices(bytes / size, [&](std::size_t, std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      std::uint32_t word = 0;
      std::memcpy(reinterpret_cast<char*>(&word) + (4 - size), data + i * size, size);  // little-endian
      float value = 0;
      std::memcpy(&value, &word, sizeof value);
      if (!(value >= 0 && value <= kTamest)) all = false;
    }
  });
  return all;
}

}  // namespace

std::uint64_t Reference::memory_needed(const program::Program& program) {
  std::uint64_t needed = 0;
  for (const program::Buffer& buffer : program.buffers) {
    needed += buffer.made_in_run || program::is_shared(buffer.host) ? buffer.bytes : 2 * buffer.bytes;
  }
  // For one attention at a time, as doubles: O of all heads, K and V of one head.
  std::uint64_t most = 0;
  for (const program::Operation& operation : program.operations) {
    const auto* one = std::get_if<program::op::Attention>(&operation.work);
    if (one == nullptr) continue;
    const std::uint64_t head = program::rows(*one) * one->head;
    most = std::max(most, (one->heads + 2) * head * sizeof(double));
  }
  return needed + most;
}

std::optional<std::string> Reference::run() {
  sides_.clear();
  sides_.resize(program_.buffers.size());
  for (std::size_t b = 0; b < sides_.size(); ++b) {
    const program::Buffer& buffer = program_.buffers[b];
    if (buffer.made_in_run) continue;
    const BufferId id{static_cast<std::uint32_t>(b)};
    sides_[b].host = std::make_unique_for_overwrite<char[]>(buffer.bytes);
    fill_pattern(sides_[b].host.get(), buffer.bytes, host_seed(id));
    if (program::is_shared(buffer.host)) continue;
    sides_[b].device = std::make_unique_for_overwrite<char[]>(buffer.bytes);
    fill_pattern(sides_[b].device.get(), buffer.bytes, device_seed(id));
  }
  for (std::size_t i = 0; i < program_.operations.size(); ++i) {
    if (auto why = apply(static_cast<OperationIndex>(i))) return why;
  }
  return std::nullopt;
}

std::optional<std::string> Reference::apply(OperationIndex index) {
  const program::Work& work = program_.operations[index].work;
  constexpr auto kHost = RoughData::Side::host;
  const auto copy_over = [&](program::Direction direction, const program::Range& range) {
    if (direction == program::Direction::h2d) {
      std::memcpy(device(range), host(range), range.bytes);
      rough_.copy(kHost, range, side_of(range.buffer), range);
    } else {
      std::memcpy(host(range), device(range), range.bytes);
      rough_.copy(side_of(range.buffer), range, kHost, range);
    }
  };
  if (const auto* copy = std::get_if<program::op::Copy>(&work)) {
    copy_over(copy->direction, copy->range);
  } else if (const auto* blocking = std::get_if<program::op::BlockingCopy>(&work)) {
    copy_over(blocking->direction, blocking->range);
  } else if (const auto* within = std::get_if<program::op::CopyOnDevice>(&work)) {
    const bool from_known = is_known(within->from);
    if (!from_known && !program_.buffers[within->to.buffer.value].made_in_run) {
      return fmt::format("{} copies memory that nothing has written since it was allocated",
                         program::describe(program_, index));
    }
    // A copy that is not aligned to elements would leave parts of them in two places.
    const std::uint64_t shift = within->to.offset - within->from.offset;
    if (shift % sizeof(float) != 0 && rough_.touches(side_of(within->from.buffer), within->from)) {
      return on_rough_data(index);
    }
    std::memmove(device(within->to), device(within->from), within->to.bytes);
    set_known(within->to, from_known);
    rough_.copy(side_of(within->from.buffer), within->from, side_of(within->to.buffer), within->to);
  } else if (const auto* memset = std::get_if<program::op::Memset>(&work)) {
    std::memset(device(memset->range), memset->value, memset->range.bytes);
    set_known(memset->range, true);
    rough_.clear(side_of(memset->range.buffer), memset->range);
  } else if (const auto kernel = program::in_place(work)) {
    if (rough_.touches(side_of(kernel->range.buffer), kernel->range)) return on_rough_data(index);
    chains_.apply(reinterpret_cast<float*>(device(kernel->range)), kernel->range.bytes / sizeof(float), kernel->fma);
  } else if (const auto* attention = std::get_if<program::op::Attention>(&work)) {
    return attend(index, *attention);
  } else if (const auto* malloc = std::get_if<program::op::Malloc>(&work)) {
    make(malloc->buffer);
  } else if (const auto* in_stream = std::get_if<program::op::MallocAsync>(&work)) {
    make(in_stream->buffer);
  } else if (const auto* free = std::get_if<program::op::Free>(&work)) {
    sides_[free->buffer.value].device.reset();
  } else if (const auto* free_in_stream = std::get_if<program::op::FreeAsync>(&work)) {
    sides_[free_in_stream->buffer.value].device.reset();
  }
  return std::nullopt;
}

std::string Reference::on_rough_data(OperationIndex index) const {
  return fmt::format("{} works on what attention has written, which the CPU foresees only within a tolerance",
                     program::describe(program_, index));
}

std::optional<std::string> Reference::attend(OperationIndex index, const program::op::Attention& attention) {
  // Some seconds on 16 cores.
  constexpr double kMostProducts = 2e11;
  const std::uint64_t matrix = attention.range.bytes / 4, each = program::rows(attention);
  const program::Range inputs{attention.range.buffer, attention.range.offset, 3 * matrix};
  const program::Range output{attention.range.buffer, attention.range.offset + 3 * matrix, matrix};
  const RoughData::Side side = side_of(attention.range.buffer);
  if (rough_.touches(side, inputs)) return on_rough_data(index);
  products_ += 2.0 * attention.heads * attention.head * static_cast<double>(each) * static_cast<double>(each);
  if (products_ > kMostProducts) {
    return fmt::format("up to {} the CPU would need minutes for what attention computes",
                       program::describe(program_, index));
  }
  const char* const data = device(attention.range);
  if (!tame(data, 3 * matrix, attention.bf16)) {
    return fmt::format("{} works on data below 0 or above {}, whose sums can cancel or overflow on a GPU",
                       program::describe(program_, index), kTamest);
  }
  const std::vector<double> expected =
      attention_reference({data, data + matrix, data + 2 * matrix, attention.heads, static_cast<std::uint32_t>(each),
                           static_cast<std::uint32_t>(each), attention.head, attention.bf16});
  char* const to = device(output);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto value = static_cast<float>(expected[i]);
    if (attention.bf16) {
      const std::uint16_t bits = to_bf16(value);
      std::memcpy(to + 2 * i, &bits, sizeof bits);
    } else {
      std::memcpy(to + 4 * i, &value, sizeof value);
    }
  }
  set_known(output, is_known(inputs));
  rough_.add(side, output, attention.bf16);
  return std::nullopt;
}

void Reference::make(BufferId buffer) {
  Side& side = sides_[buffer.value];
  side.device = std::make_unique<char[]>(program_.buffers[buffer.value].bytes);
  side.written.clear();
}

bool Reference::is_known(const program::Range& range) const {
  if (!program_.buffers[range.buffer.value].made_in_run || range.bytes == 0) return true;
  const auto& written = sides_[range.buffer.value].written;
  const auto after = written.upper_bound(range.offset);
  return after != written.begin() && std::prev(after)->second >= range.offset + range.bytes;
}

void Reference::set_known(const program::Range& range, bool known) {
  if (!program_.buffers[range.buffer.value].made_in_run || range.bytes == 0) return;
  auto& written = sides_[range.buffer.value].written;
  std::uint64_t begin = range.offset, end = range.offset + range.bytes;
  // Removes what was known of the range, then adds it if it is known, joined with its neighbours.
  auto at = written.upper_bound(begin);
  if (at != written.begin() && std::prev(at)->second >= begin) --at;
  while (at != written.end() && at->first <= end) {
    const auto [old_begin, old_end] = *at;
    at = written.erase(at);
    if (known) {
      begin = std::min(begin, old_begin);
      end = std::max(end, old_end);
    } else {
      if (old_begin < begin) written.emplace(old_begin, begin);
      if (old_end > end) written.emplace(end, old_end);
    }
  }
  if (known) written.emplace(begin, end);
}

}  // namespace streamscope::cuda
