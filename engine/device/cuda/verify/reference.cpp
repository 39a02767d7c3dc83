#include "engine/device/cuda/verify/reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "engine/base/translate.h"

namespace streamscope::cuda {
namespace {

constexpr std::string_view kUnwritten = tr_later("copies memory that nothing has written since it was allocated");
constexpr std::string_view kRough =
    tr_later("works on what a kernel has written that the CPU foresees only within a tolerance");

}  // namespace

std::uint64_t Reference::memory_needed(const program::Program& program) {
  std::uint64_t needed = 0;
  for (const program::Buffer& buffer : program.buffers) {
    const bool one_side = buffer.made_in_run || program::is_shared(buffer.host);
    needed += one_side ? buffer.bytes : (2 + buffer.more_devices.size()) * buffer.bytes;
  }
  std::uint64_t most = 0;  // for one kernel at a time
  for (const program::Operation& operation : program.operations) {
    const auto* one = std::get_if<program::op::Kernel>(&operation.work);
    if (one == nullptr) continue;
    const kernels::Choice& choice = program.kernels[one->kernel];
    most = std::max(most, choice.kernel->reference_bytes(choice.values, program::data_of(*one).bytes));
  }
  return needed + most;
}

std::optional<std::string> Reference::run() {
  sides_.clear();
  sides_.resize(program_.buffers.size());
  const auto devices = static_cast<std::uint32_t>(program::device_count(program_));
  for (std::size_t b = 0; b < sides_.size(); ++b) {
    sides_[b].device.resize(devices);
    const program::Buffer& buffer = program_.buffers[b];
    if (buffer.made_in_run) continue;
    const BufferId id{static_cast<std::uint32_t>(b)};
    sides_[b].host = std::make_unique_for_overwrite<char[]>(buffer.bytes);
    fill_pattern(sides_[b].host.get(), buffer.bytes, host_seed(id));
    if (program::is_shared(buffer.host)) continue;
    for (std::uint32_t d = 0; d < devices; ++d) {
      if (!program::has_side(buffer, DeviceId{d})) continue;
      sides_[b].device[d] = std::make_unique_for_overwrite<char[]>(buffer.bytes);
      fill_pattern(sides_[b].device[d].get(), buffer.bytes, device_seed(id, DeviceId{d}));
    }
  }
  for (std::size_t i = 0; i < program_.operations.size(); ++i) {
    if (auto why = apply(static_cast<OperationIndex>(i))) return why;
  }
  return std::nullopt;
}

// Row by row where it is a copy in two dimensions.
std::optional<std::string> Reference::copy(OperationIndex index, const Piece& to, const Piece& from) {
  const std::uint64_t width = program::row_bytes(to.range);
  for (std::uint64_t row = 0; row < program::rows_of(to.range); ++row) {
    const std::uint64_t to_row = row * to.range.pitch, from_row = row * from.range.pitch;
    const program::Range into{to.range.buffer, to.range.offset + to_row, width};
    const program::Range of{from.range.buffer, from.range.offset + from_row, width};
    const bool from_known = is_known(of);
    if (!from_known && !program_.buffers[into.buffer.value].made_in_run) return said_of(index, tr(kUnwritten));
    if (splits_elements(from.side, of, into)) return said_of(index, tr(kRough));
    std::memmove(to.data + to_row, from.data + from_row, width);
    set_known(into, from_known);
    rough_.copy(from.side, of, to.side, into);
  }
  return std::nullopt;
}

std::optional<std::string> Reference::apply(OperationIndex index) {
  const program::Work& work = program_.operations[index].work;
  const DeviceId here = program::side_of(program_, program_.operations[index]);
  if (const auto* copied = std::get_if<program::op::Copy>(&work)) {
    const Piece host = on_host(copied->host), device = on_device(copied->device, here);
    const bool in = copied->direction == program::Direction::h2d;
    return in ? copy(index, device, host) : copy(index, host, device);
  } else if (const auto* within = std::get_if<program::op::CopyOnDevice>(&work)) {
    return copy(index, on_device(within->to, here), on_device(within->from, here));
  } else if (const auto* peer = std::get_if<program::op::PeerCopy>(&work)) {
    return copy(index, on_device(peer->to, peer->to_device), on_device(peer->from, peer->from_device));
  } else if (const auto* memset = std::get_if<program::op::Memset>(&work)) {
    std::memset(device(memset->range, here), memset->value, memset->range.bytes);
    set_known(memset->range, true);
    rough_.clear(side(memset->range.buffer, here), memset->range);
  } else if (const auto* kernel = std::get_if<program::op::Kernel>(&work)) {
    return compute(index, *kernel, here);
  } else if (const auto allocation = program::allocation_of(work)) {
    program::kind(work) == OperationKind::malloc ? make(*allocation)
                                                 : sides_[allocation->value].device[here.value].reset();
  } else if (const auto* made = std::get_if<program::op::MallocHost>(&work)) {
    make(made->made);
  } else if (const auto* gone = std::get_if<program::op::FreeHost>(&work)) {
    sides_[gone->gone.value].host.reset();
  }
  return std::nullopt;
}

// A copy that is not aligned to elements leaves parts of them in two places.
bool Reference::splits_elements(RoughData::Side side, const program::Range& from, const program::Range& to) const {
  return (to.offset - from.offset) % sizeof(float) != 0 && rough_.touches(side, from);
}

std::string Reference::said_of(OperationIndex index, std::string_view what) const {
  return fmt::format("{} {}", program::describe(program_, index), what);
}

bool Reference::bits_may_differ(const program::Range& range, DeviceId device) {
  const char* const data = this->device(range, device);
  const std::uint64_t end = range.offset + range.bytes;
  std::uint64_t from = range.offset;
  for (const RoughPart& integers : rough_.parts(side(range.buffer, device), range.buffer)) {
    const std::uint64_t begin = std::clamp(integers.begin, from, end);
    if (holds_nan(data + (from - range.offset), begin - from)) return true;
    from = std::clamp(integers.end, from, end);
  }
  return holds_nan(data + (from - range.offset), end - from);
}

std::optional<std::string> Reference::compute(OperationIndex index, const program::op::Kernel& kernel, DeviceId here) {
  constexpr double kMostWork = 2e11;  // some seconds on 16 cores
  const kernels::Choice& choice = program_.kernels[kernel.kernel];
  if (choice.kernel->own() != nullptr)
    return said_of(index, tr("is code of the program's own, which the CPU does not run"));
  const std::uint64_t bytes = program::data_of(kernel).bytes;
  const kernels::Precision precision = choice.kernel->precision(choice.values);
  const auto accesses = choice.kernel->accesses(choice.values, bytes);
  const auto part = [&](const kernels::Access& access) {
    const program::Range& whole = access.operand == 0 ? kernel.range : kernel.from;
    return program::Range{whole.buffer, whole.offset + access.offset, access.bytes};
  };
  auto& reference = kernels_[choice.kernel];
  if (reference == nullptr) reference = choice.kernel->reference();
  if (reference == nullptr) return std::nullopt;
  // What is written in place is read as well, unless the kernel says what it reads.
  const bool tells_reads = std::any_of(accesses.begin(), accesses.end(),
                                       [](const kernels::Access& one) { return one.bytes != 0 && !one.writes; });
  bool known = true;
  for (const kernels::Access& access : accesses) {
    if (access.bytes == 0 || (access.writes && tells_reads)) continue;
    if (rough_.touches(side(part(access).buffer, here), part(access))) return said_of(index, tr(kRough));
    if (precision.integers && bits_may_differ(part(access), here)) {
      return said_of(index, tr("takes for integers what holds a NaN, whose bits differ between GPUs and CPUs"));
    }
    known = known && is_known(part(access));
  }
  work_ += choice.kernel->reference_work(choice.values, bytes);
  if (work_ > kMostWork) {
    return tr("up to {} the CPU would need minutes for what its kernels compute", program::describe(program_, index));
  }
  char* const first = kernel.range.bytes != 0 ? device(kernel.range, here) : nullptr;
  const char* const second = kernel.from.bytes != 0 ? device(kernel.from, here) : nullptr;
  if (auto why = reference->compute(choice.values, bytes, first, second)) {
    return said_of(index, *why);
  }
  for (const kernels::Access& access : accesses) {
    if (access.bytes == 0 || !access.writes) continue;
    if (tells_reads) set_known(part(access), known);
    rough_.clear(side(part(access).buffer, here), part(access));
    if (precision.tolerance > 0 || precision.integers) {
      rough_.add(side(part(access).buffer, here), part(access), precision);
    }
  }
  return std::nullopt;
}

void Reference::make(BufferId buffer) {
  Side& side = sides_[buffer.value];
  const program::Buffer& made = program_.buffers[buffer.value];
  (made.on_host ? side.host : side.device[made.device.value]) = std::make_unique<char[]>(made.bytes);
  side.written = {};
}

bool Reference::is_known(const program::Range& range) const {
  if (!program_.buffers[range.buffer.value].made_in_run || range.bytes == 0) return true;
  return sides_[range.buffer.value].written.contains(range.offset, range.bytes);
}

void Reference::set_known(const program::Range& range, bool known) {
  if (!program_.buffers[range.buffer.value].made_in_run || range.bytes == 0) return;
  RangeSet& written = sides_[range.buffer.value].written;
  known ? written.add(range.offset, range.bytes) : written.remove(range.offset, range.bytes);
}

}  // namespace streamscope::cuda
