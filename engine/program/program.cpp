#include "engine/program/program.h"

#include <fmt/format.h>

#include <algorithm>

namespace streamscope::program {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

// A statement in the language of stream-program.md, with plain bytes and nanoseconds.
class StatementText {
 public:
  explicit StatementText(const Program& program) : program_(program) {}

  std::string operator()(const op::Copy& copy) const {
    const bool in = copy.direction == Direction::h2d;
    std::string text = fmt::format("{}{} {}", copy.blocking ? "memcpy " : "", in ? "h2d" : "d2h", range(copy.device));
    if (copy.host != copy.device) text += (in ? " from " : " to ") + range(copy.host);
    return text;
  }
  std::string operator()(const op::CopyOnDevice& copy) const {
    return fmt::format("d2d {} {}", range(copy.to), range(copy.from));
  }
  std::string operator()(const op::Memset& set) const {
    return fmt::format("memset {} {}", range(set.range), set.value);
  }
  std::string operator()(const op::Kernel& one) const {
    const kernels::Choice& choice = program_.kernels[one.kernel];
    std::string text(choice.kernel->word);
    if (choice.kernel->operands != kernels::Operands::none) text += ' ' + range(one.range);
    if (choice.kernel->operands == kernels::Operands::to_from) text += " from " + range(one.from);
    const std::string options = kernels::written_out(choice);
    return options.empty() ? text : text + ' ' + options;
  }
  std::string operator()(const op::Record& record) const { return "record " + event(record.event); }
  std::string operator()(const op::Wait& wait) const { return "wait " + event(wait.event); }
  std::string operator()(const op::HostFunction& function) const {
    return fmt::format("hostfn {}ns", function.duration);
  }
  std::string operator()(const op::HostWork& work) const { return fmt::format("work {}ns", work.duration); }
  std::string operator()(const op::SyncDevice&) const { return "sync device"; }
  std::string operator()(const op::SyncStream& sync) const { return "sync " + stream(sync.stream); }
  std::string operator()(const op::SyncEvent& sync) const { return "sync " + event(sync.event); }
  std::string operator()(const op::PollStream& poll) const {
    return fmt::format("poll {} every={}ns", stream(poll.stream), poll.every);
  }
  std::string operator()(const op::PollEvent& poll) const {
    return fmt::format("poll {} every={}ns", event(poll.event), poll.every);
  }
  std::string operator()(const op::Malloc& malloc) const {
    return fmt::format("malloc {} {}", buffer(malloc.buffer), program_.buffers[malloc.buffer.value].bytes);
  }
  std::string operator()(const op::Free& free) const { return "free " + buffer(free.buffer); }
  std::string operator()(const op::Touch& touch) const { return "touch " + range(touch.range); }
  std::string operator()(const op::Prefetch& prefetch) const {
    return fmt::format("prefetch {} to={}", range(prefetch.range),
                       prefetch.to == MemoryLocation::device ? "device" : "host");
  }
  std::string operator()(const op::MallocAsync& malloc) const {
    return fmt::format("malloc {} {}", buffer(malloc.buffer), program_.buffers[malloc.buffer.value].bytes);
  }
  std::string operator()(const op::FreeAsync& free) const { return "free " + buffer(free.buffer); }
  std::string operator()(const op::Launch& launch) const {
    return "launch " + program_.graphs[launch.graph.value].name;
  }
  std::string operator()(const op::StartThread& start) const {
    return "thread " + program_.threads[start.thread.value].name;
  }
  std::string operator()(const op::JoinThread& join) const {
    return "join " + program_.threads[join.thread.value].name;
  }

  std::string stream(StreamId id) const { return program_.streams[id.value].name; }

 private:
  std::string event(EventId id) const { return program_.events[id.value].name; }
  std::string buffer(BufferId id) const { return program_.buffers[id.value].name; }
  std::string range(const Range& range) const {
    return fmt::format("{}[{}:{}]", buffer(range.buffer), range.offset, range.bytes);
  }

  const Program& program_;
};

}  // namespace

std::string_view name(HostMemory memory) { return kNames<HostMemory>[static_cast<std::size_t>(memory)]; }

const kernels::Choice* kernel_of(const Program& program, const Work& work) {
  const auto* one = std::get_if<op::Kernel>(&work);
  return one == nullptr ? nullptr : &program.kernels[one->kernel];
}

OperationKind kind(const Work& work) {
  return std::visit(Overloaded{
                        [](const op::Copy& copy) {
                          return copy.direction == Direction::h2d ? OperationKind::h2d : OperationKind::d2h;
                        },
                        [](const op::CopyOnDevice&) { return OperationKind::d2d; },
                        [](const op::Memset&) { return OperationKind::memset; },
                        [](const op::Kernel&) { return OperationKind::kernel; },
                        [](const op::Record&) { return OperationKind::record; },
                        [](const op::Wait&) { return OperationKind::wait; },
                        [](const op::HostFunction&) { return OperationKind::hostfn; },
                        [](const op::HostWork&) { return OperationKind::work; },
                        [](const op::SyncDevice&) { return OperationKind::sync; },
                        [](const op::SyncStream&) { return OperationKind::sync; },
                        [](const op::SyncEvent&) { return OperationKind::sync; },
                        [](const op::PollStream&) { return OperationKind::poll; },
                        [](const op::PollEvent&) { return OperationKind::poll; },
                        [](const op::Malloc&) { return OperationKind::malloc; },
                        [](const op::Free&) { return OperationKind::free; },
                        [](const op::Touch&) { return OperationKind::touch; },
                        [](const op::Prefetch&) { return OperationKind::prefetch; },
                        [](const op::MallocAsync&) { return OperationKind::malloc; },
                        [](const op::FreeAsync&) { return OperationKind::free; },
                        [](const op::Launch&) { return OperationKind::launch; },
                        [](const op::StartThread&) { return OperationKind::thread; },
                        [](const op::JoinThread&) { return OperationKind::join; },
                    },
                    work);
}

std::string_view label(const Program& program, const Work& work) {
  return std::visit(
      Overloaded{
          [](const op::Copy& copy) -> std::string_view {
            const bool in = copy.direction == Direction::h2d;
            if (copy.blocking) return in ? "cudaMemcpy H2D" : "cudaMemcpy D2H";
            return in ? "H2D" : "D2H";
          },
          [](const op::CopyOnDevice&) -> std::string_view { return "D2D"; },
          [](const op::Memset&) -> std::string_view { return "memset"; },
          [&](const op::Kernel& one) -> std::string_view { return program.kernels[one.kernel].kernel->word; },
          [](const op::Record&) -> std::string_view { return "record"; },
          [](const op::Wait&) -> std::string_view { return "wait"; },
          [](const op::HostFunction&) -> std::string_view { return "host function"; },
          [](const op::HostWork&) -> std::string_view { return "work"; },
          [](const op::SyncDevice&) -> std::string_view { return "cudaDeviceSynchronize"; },
          [](const op::SyncStream&) -> std::string_view { return "cudaStreamSynchronize"; },
          [](const op::SyncEvent&) -> std::string_view { return "cudaEventSynchronize"; },
          [](const op::PollStream&) -> std::string_view { return "cudaStreamQuery"; },
          [](const op::PollEvent&) -> std::string_view { return "cudaEventQuery"; },
          [](const op::Malloc&) -> std::string_view { return "cudaMalloc"; },
          [](const op::Free&) -> std::string_view { return "cudaFree"; },
          [](const op::Touch&) -> std::string_view { return "touch"; },
          [](const op::Prefetch&) -> std::string_view { return "prefetch"; },
          [](const op::MallocAsync&) -> std::string_view { return "cudaMallocAsync"; },
          [](const op::FreeAsync&) -> std::string_view { return "cudaFreeAsync"; },
          [](const op::Launch&) -> std::string_view { return "cudaGraphLaunch"; },
          [](const op::StartThread&) -> std::string_view { return "thread"; },
          [](const op::JoinThread&) -> std::string_view { return "join"; },
      },
      work);
}

std::uint64_t bytes(const Work& work) {
  return std::visit(
      [](const auto& one) -> std::uint64_t {
        if constexpr (std::is_same_v<std::decay_t<decltype(one)>, op::Kernel>) {
          return data_of(one).bytes;
        } else if constexpr (requires { one.range; }) {
          return one.range.bytes;
        } else if constexpr (requires { one.device; }) {
          return one.device.bytes;
        } else if constexpr (requires { one.to.bytes; }) {
          return one.to.bytes;
        } else {
          return 0;
        }
      },
      work);
}

// A copy within the device and a memset are done by the multiprocessors; the view shows them there in any case.
Engine engine_of(const Work& work) {
  switch (kind(work)) {
    case OperationKind::h2d: return Engine::h2d;
    case OperationKind::d2h: return Engine::d2h;
    case OperationKind::d2d:
    case OperationKind::memset:
    case OperationKind::kernel: return Engine::compute;
    case OperationKind::prefetch:
      return std::get<op::Prefetch>(work).to == MemoryLocation::device ? Engine::h2d : Engine::d2h;
    case OperationKind::record:
    case OperationKind::wait:
    case OperationKind::launch: return Engine::none;
    case OperationKind::hostfn:
    case OperationKind::work:
    case OperationKind::sync:
    case OperationKind::poll:
    case OperationKind::malloc:
    case OperationKind::free:
      return std::holds_alternative<op::MallocAsync>(work) || std::holds_alternative<op::FreeAsync>(work)
                 ? Engine::none
                 : Engine::host;
    case OperationKind::touch:
    case OperationKind::thread:
    case OperationKind::join: return Engine::host;
  }
  return Engine::none;
}

std::optional<StreamId> ordered_in(const Operation& operation) {
  if (is_blocking_copy(operation.work)) return kLegacyStream;
  return operation.stream;
}

DeviceId device_of(const Program& program, const Operation& operation) {
  const auto* copy = std::get_if<op::Copy>(&operation.work);
  if (copy != nullptr && copy->blocking) return program.buffers[copy->device.buffer.value].device;
  return operation.stream ? program.streams[operation.stream->value].device : DeviceId{};
}

std::size_t device_count(const Program& program) {
  DeviceId last;
  for (const Buffer& buffer : program.buffers) last = std::max(last, buffer.device);
  for (const Stream& stream : program.streams) last = std::max(last, stream.device);
  return last.value + 1;
}

std::string describe(const Program& program, OperationIndex index) {
  if (index >= program.operations.size()) return fmt::format("operation {}", index);
  const Operation& operation = program.operations[index];
  const StatementText statement(program);
  const std::string where = operation.line == 0 ? "implied at the end" : fmt::format("line {}", operation.line);
  std::string who = operation.stream ? statement.stream(*operation.stream) : "host";
  if (operation.thread.value != 0) who += fmt::format(" (thread {})", program.threads[operation.thread.value].name);
  return fmt::format("operation {}, {}: {}: {}", index, where, who, std::visit(statement, operation.work));
}

}  // namespace streamscope::program
