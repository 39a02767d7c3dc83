#include "engine/program/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "engine/base/translate.h"

namespace streamscope::program {
namespace {

// What an operation is and what it is called, of each alternative of Work in its order; a copy and a prefetch go by
// their direction, a kernel and the calls of a capture have names of their own.
struct Description {
  OperationKind kind;
  Engine engine;
  std::string_view label;
};

constexpr Description kDescriptions[] = {
    {OperationKind::h2d, Engine::h2d, "H2D"},
    // Copies within the device and memsets are done by the multiprocessors; the view shows them there in any case.
    {OperationKind::d2d, Engine::compute, "D2D"},
    {OperationKind::memset, Engine::compute, "memset"},
    {OperationKind::kernel, Engine::compute, {}},
    {OperationKind::record, Engine::none, "record"},
    {OperationKind::wait, Engine::none, "wait"},
    {OperationKind::hostfn, Engine::host, "host function"},
    {OperationKind::work, Engine::host, "work"},
    {OperationKind::sync, Engine::host, "cudaDeviceSynchronize"},
    {OperationKind::sync, Engine::host, "cudaStreamSynchronize"},
    {OperationKind::sync, Engine::host, "cudaEventSynchronize"},
    {OperationKind::poll, Engine::host, "cudaStreamQuery"},
    {OperationKind::poll, Engine::host, "cudaEventQuery"},
    {OperationKind::malloc, Engine::host, "cudaMalloc"},
    {OperationKind::free, Engine::host, "cudaFree"},
    {OperationKind::touch, Engine::host, "touch"},
    {OperationKind::prefetch, Engine::h2d, "prefetch"},
    {OperationKind::malloc, Engine::none, "cudaMallocAsync"},
    {OperationKind::free, Engine::none, "cudaFreeAsync"},
    {OperationKind::launch, Engine::none, "cudaGraphLaunch"},
    {OperationKind::thread, Engine::host, "thread"},
    {OperationKind::join, Engine::host, "join"},
    {OperationKind::elapsed, Engine::host, "cudaEventElapsedTime"},
    {OperationKind::query, Engine::host, "stream attributes"},
    {OperationKind::create, Engine::host, "cudaStreamCreate"},
    {OperationKind::create, Engine::host, "cudaEventCreate"},
    {OperationKind::destroy, Engine::host, "cudaStreamDestroy"},
    {OperationKind::destroy, Engine::host, "cudaEventDestroy"},
    {OperationKind::peer, Engine::peer, "peer"},
    {OperationKind::device, Engine::host, "cudaSetDevice"},
    {OperationKind::device, Engine::host, {}},
    {OperationKind::malloc, Engine::host, "cudaMallocHost"},
    {OperationKind::free, Engine::host, "cudaFreeHost"},
    {OperationKind::pin, Engine::host, "cudaHostRegister"},
    {OperationKind::unpin, Engine::host, "cudaHostUnregister"},
    {OperationKind::fault, Engine::compute, "fault"},
    {OperationKind::query, Engine::host, "cudaGetLastError"},
    {OperationKind::reset, Engine::host, "cudaDeviceReset"},
    {OperationKind::create, Engine::host, {}},
    {OperationKind::query, Engine::host, "cudaStreamGetCaptureInfo"},
};
static_assert(std::size(kDescriptions) == std::variant_size_v<Work>);
const Description& description(const Work& work) { return kDescriptions[work.index()]; }

bool is_d2h(const Work& work) {
  const auto* copy = std::get_if<op::Copy>(&work);
  return copy != nullptr && copy->direction == Direction::d2h;
}

// The call of CUDA's that gives it to a stream under capture.
std::string_view captured_call(const Work& work) {
  const auto* copy = std::get_if<op::Copy>(&work);
  if (copy != nullptr) return copy->device.pitch != 0 ? "cudaMemcpy2DAsync" : "cudaMemcpyAsync";
  if (const auto* on_device = std::get_if<op::CopyOnDevice>(&work))
    return on_device->to.pitch != 0 ? "cudaMemcpy2DAsync" : "cudaMemcpyAsync";
  if (const auto* record = std::get_if<op::Record>(&work))
    return record->external ? "cudaEventRecordWithFlags" : "cudaEventRecord";
  if (std::holds_alternative<op::Wait>(work)) return "cudaStreamWaitEvent";
  if (std::holds_alternative<op::Memset>(work)) return "cudaMemsetAsync";
  if (std::holds_alternative<op::HostFunction>(work)) return "cudaLaunchHostFunc";
  return "cudaLaunchKernel";
}

std::string_view label_of(const Program& program, const op::Capture& capture) {
  switch (capture.step) {
    case CaptureStep::begin: return "cudaStreamBeginCapture";
    case CaptureStep::call: return captured_call(program.graphs[capture.graph.value].body[capture.body].work);
    case CaptureStep::end: return "cudaStreamEndCapture";
    case CaptureStep::instantiate: break;
  }
  return "cudaGraphInstantiate";
}

// A statement in the language of docs/language.md, with plain bytes and nanoseconds.
class StatementText {
 public:
  explicit StatementText(const Program& program) : program_(program) {}

  std::string operator()(const op::Copy& copy) const {
    const bool in = copy.direction == Direction::h2d;
    std::string text = fmt::format("{}{} {}", copy.blocking ? "memcpy " : "", in ? "h2d" : "d2h", range(copy.device));
    if (copy.device.pitch == 0 ? copy.host != copy.device
                               : copy.host.buffer != copy.device.buffer || copy.host.offset != copy.device.offset)
      text += (in ? " from " : " to ") + range(copy.host);
    return text + rows(copy.device, copy.host, "host-pitch");
  }
  std::string operator()(const op::Kernel& one) const {
    const kernels::Choice& choice = program_.kernels[one.kernel];
    std::string text(choice.kernel->word);
    if (const LaunchArguments* arguments = arguments_of(program_, one)) {
      const auto& parameters = choice.kernel->own()->parameters;
      for (std::size_t i = 0; i < arguments->size(); ++i) text += ' ' + written((*arguments)[i], parameters[i]);
    }
    if (choice.kernel->operands != kernels::Operands::none) text += ' ' + range(one.range);
    if (choice.kernel->has_two_ranges(choice.values)) text += " from " + range(one.from);
    const std::string options = kernels::written_out(choice);
    return options.empty() ? text : text + ' ' + options;
  }
  std::string operator()(const op::Elapsed& one) const {
    return "elapsed " + program_.events[one.from.value].name + ' ' + program_.events[one.to.value].name;
  }
  std::string operator()(const op::PeerCopy& one) const {
    return fmt::format("peer {}@{} {}@{}", range(one.to), one.to_device.value, range(one.from), one.from_device.value);
  }
  std::string operator()(const op::SetDevice& one) const { return fmt::format("device {}", one.device.value); }
  std::string operator()(const op::PeerAccess& one) const {
    return fmt::format("peer {} {} {}", one.first.value, one.second.value, one.on ? "on" : "off");
  }
  std::string operator()(const op::CreateStream& one) const {
    const Stream& stream = program_.streams[one.made.value];
    return fmt::format("create-stream {}{}{}", stream.name, stream.nonblocking ? " nonblocking" : "",
                       stream.priority != 0 ? fmt::format(" priority={}", stream.priority) : "");
  }
  std::string operator()(const op::CreateEvent& one) const {
    const Event& event = program_.events[one.made.value];
    return fmt::format("create-event {}{}{}", event.name, event.timing ? "" : " notiming",
                       event.blocking_sync ? " blockingsync" : "");
  }
  std::string operator()(const op::DestroyStream& one) const {
    return "destroy " + program_.streams[one.gone.value].name;
  }
  std::string operator()(const op::DestroyEvent& one) const {
    return "destroy " + program_.events[one.gone.value].name;
  }
  std::string operator()(const op::MallocHost& one) const {
    return fmt::format("malloc-host {} {}", buffer(one.made).name, buffer(one.made).bytes);
  }
  std::string operator()(const op::FreeHost& one) const { return "free-host " + buffer(one.gone).name; }
  std::string operator()(const op::Register& one) const { return "register " + buffer(one.memory).name; }
  std::string operator()(const op::Unregister& one) const { return "unregister " + buffer(one.memory).name; }
  std::string operator()(const op::Fault& one) const { return fmt::format("fault {}", name(one.kind)); }
  std::string operator()(const op::LastError& one) const { return one.peek ? "lasterror peek" : "lasterror"; }
  std::string operator()(const op::Attributes& one) const {
    return "attributes " + program_.streams[one.stream.value].name;
  }
  std::string operator()(const op::CaptureInfo& one) const {
    return "capture-info " + program_.streams[one.stream.value].name;
  }
  // Of a call in its body, that too: "capture G, A: h2d x[0:4096]"
  std::string operator()(const op::Capture& one) const {
    const Graph& graph = program_.graphs[one.graph.value];
    std::string text = "capture " + graph.name;
    if (one.step != CaptureStep::call) return text;
    const Operation& call = graph.body[one.body];
    return text + ", " + program_.streams[call.stream->value].name + ": " + std::visit(*this, call.work);
  }
  // A word, and those of these that the operation has.
  template <class Other>
  std::string operator()(const Other& one) const {
    std::string text(name(kind(one)));
    if constexpr (requires { one.callback; }) {
      if (one.callback) text = "callback";
    }
    const auto add = [&](const std::string& operand) { text += ' ' + operand; };
    if constexpr (std::is_same_v<Other, op::SyncDevice>) add("device");
    if constexpr (std::is_same_v<Other, op::CopyOnDevice>)
      add(range(one.to) + ' ' + range(one.from) + rows(one.to, one.from, "from-pitch"));
    if constexpr (requires { one.range; }) add(range(one.range));
    if constexpr (requires { one.value; }) add(std::to_string(one.value));
    if constexpr (requires { one.event; }) add(program_.events[one.event.value].name);
    if constexpr (requires { one.stream; }) add(program_.streams[one.stream.value].name);
    if constexpr (requires { one.buffer; }) add(buffer(one.buffer).name);
    if constexpr (std::is_same_v<Other, op::Malloc> || std::is_same_v<Other, op::MallocAsync>)
      add(std::to_string(buffer(one.buffer).bytes));
    if constexpr (requires { one.graph; }) add(program_.graphs[one.graph.value].name);
    if constexpr (requires { one.thread; }) add(program_.threads[one.thread.value].name);
    if constexpr (requires { one.external; }) {
      if (one.external) add("external");
    }
    if constexpr (requires { one.duration; }) add(fmt::format("{}ns", one.duration));
    if constexpr (requires { one.every; }) {
      if (!one.once) add(fmt::format("every={}ns", one.every));
      if (one.work > 0) add(fmt::format("work={}ns", one.work));
    }
    if constexpr (std::is_same_v<Other, op::Prefetch>) add(one.to == MemoryLocation::device ? "to=device" : "to=host");
    return text;
  }

 private:
  const Buffer& buffer(BufferId id) const { return program_.buffers[id.value]; }
  std::string range(const Range& range) const {
    return fmt::format("{}[{}:{}]", buffer(range.buffer).name, range.offset, range.bytes);
  }
  std::string written(const LaunchArgument& argument, const kernels::Parameter& parameter) const {
    if (kernels::is_pointer(parameter.kind)) return range(argument.range);
    if (parameter.type == "float")
      return fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(argument.bits)));
    if (parameter.type == "double") return fmt::format("{}", std::bit_cast<double>(argument.bits));
    if (parameter.type == "int") return fmt::format("{}", static_cast<std::int32_t>(argument.bits));
    return fmt::format("{}", static_cast<std::int64_t>(argument.bits));
  }
  static std::string rows(const Range& range, const Range& other, std::string_view key) {
    if (range.pitch == 0) return {};
    std::string text = fmt::format(" rows={} width={} pitch={}", rows_of(range), row_bytes(range), range.pitch);
    return other.pitch == range.pitch ? text : text + fmt::format(" {}={}", key, other.pitch);
  }

  const Program& program_;
};

}  // namespace

std::string_view name(FaultKind kind) { return kNames<FaultKind>[static_cast<std::size_t>(kind)]; }

CallResult error_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::illegal_address: return CallResult::illegal_address;
    case FaultKind::assertion: return CallResult::device_assert;
    case FaultKind::trap: return CallResult::launch_failure;
    case FaultKind::launch_config: return CallResult::invalid_value;
  }
  return CallResult::other;
}

std::string_view name(HostMemory memory) { return kNames<HostMemory>[static_cast<std::size_t>(memory)]; }

const kernels::Choice* kernel_of(const Program& program, const Work& work) {
  const auto* one = std::get_if<op::Kernel>(&work);
  return one == nullptr ? nullptr : &program.kernels[one->kernel];
}

std::vector<Range> ranges_of(const Program& program, const op::Kernel& launch) {
  std::vector<Range> all;
  const auto add = [&](const Range& range) {
    if (range.bytes > 0) all.push_back(range);
  };
  if (const LaunchArguments* arguments = arguments_of(program, launch)) {
    for (const LaunchArgument& one : *arguments) add(one.range);
  } else {
    add(launch.range);
    add(launch.from);
  }
  return all;
}

bool is_without_stream(const Work& work) {
  return std::visit(
      [](const auto& one) {
        if constexpr (requires { one.without_stream; }) return one.without_stream;
        return false;
      },
      work);
}

bool asks_once(const Work& work) {
  return std::visit(
      [](const auto& one) {
        if constexpr (requires { one.once; }) return one.once;
        return false;
      },
      work);
}

bool becomes_node(const Work& work) {
  if (const auto* record = std::get_if<op::Record>(&work)) return record->external;
  if (const auto* wait = std::get_if<op::Wait>(&work)) return wait->external;
  return !std::holds_alternative<op::CaptureInfo>(work);
}

// As an H100 has it (CUDA 13.0, 2026): not cudaMemcpy, cudaMemset, nor what makes or destroys streams and events.
bool is_unsafe_in_capture(const Work& work) {
  if (const auto* capture = std::get_if<op::Capture>(&work)) return capture->step == CaptureStep::instantiate;
  return allocation_of(work) || host_allocation_of(work) || std::holds_alternative<op::SyncDevice>(work) ||
         std::holds_alternative<op::SyncStream>(work) || std::holds_alternative<op::SyncEvent>(work) ||
         std::holds_alternative<op::PollStream>(work) || std::holds_alternative<op::PollEvent>(work);
}

OperationKind kind(const Work& work) {
  return is_d2h(work) ? OperationKind::d2h : asks_once(work) ? OperationKind::query : description(work).kind;
}

std::string_view label(const Program& program, const Work& work) {
  if (const kernels::Choice* kernel = kernel_of(program, work)) return kernel->kernel->word;
  if (is_blocking_copy(work)) return is_d2h(work) ? "cudaMemcpy D2H" : "cudaMemcpy H2D";
  if (const auto* access = std::get_if<op::PeerAccess>(&work))
    return access->on ? "cudaDeviceEnablePeerAccess" : "cudaDeviceDisablePeerAccess";
  if (const auto* capture = std::get_if<op::Capture>(&work)) return label_of(program, *capture);
  if (is_without_stream(work)) return kind(work) == OperationKind::memset ? "cudaMemset" : "cudaMemcpy D2D";
  if (const auto* function = std::get_if<op::HostFunction>(&work); function != nullptr && function->callback)
    return "cudaStreamAddCallback";
  if (const auto* error = std::get_if<op::LastError>(&work); error != nullptr && error->peek)
    return "cudaPeekAtLastError";
  return is_d2h(work) ? "D2H" : description(work).label;
}

std::uint64_t bytes(const Work& work) {
  return std::visit(
      [](const auto& one) -> std::uint64_t {
        if constexpr (std::is_same_v<std::decay_t<decltype(one)>, op::Kernel>) {
          return data_of(one).bytes;
        } else if constexpr (requires { one.range; }) {
          return one.range.bytes;
        } else if constexpr (requires { one.device.bytes; }) {
          return moved_bytes(one.device);
        } else if constexpr (requires { one.to.bytes; }) {
          return moved_bytes(one.to);
        } else {
          return 0;
        }
      },
      work);
}

std::uint64_t rows(const Work& work) {
  const auto of = [](const Range& range) { return range.pitch == 0 ? 0 : rows_of(range); };
  if (const auto* copy = std::get_if<op::Copy>(&work)) return of(copy->device);
  if (const auto* copy = std::get_if<op::CopyOnDevice>(&work)) return of(copy->to);
  return 0;
}

Engine engine_of(const Work& work) {
  const auto* prefetch = std::get_if<op::Prefetch>(&work);
  const bool out = is_d2h(work) || (prefetch != nullptr && prefetch->to == MemoryLocation::host);
  return out ? Engine::d2h : description(work).engine;
}

std::optional<BufferId> allocation_of(const Work& work) {
  return std::visit(
      [](const auto& one) -> std::optional<BufferId> {
        if constexpr (requires { one.buffer; }) return one.buffer;
        return std::nullopt;
      },
      work);
}

std::optional<BufferId> host_allocation_of(const Work& work) {
  if (const auto* one = std::get_if<op::MallocHost>(&work)) return one->made;
  if (const auto* one = std::get_if<op::FreeHost>(&work)) return one->gone;
  if (const auto* one = std::get_if<op::Register>(&work)) return one->memory;
  if (const auto* one = std::get_if<op::Unregister>(&work)) return one->memory;
  return std::nullopt;
}

bool ends_its_process(const Program& program) {
  return std::any_of(program.operations.begin(), program.operations.end(), [](const Operation& one) {
    const auto* fault = std::get_if<op::Fault>(&one.work);
    return std::holds_alternative<op::Reset>(one.work) || (fault != nullptr && fault->kind != FaultKind::launch_config);
  });
}

OperationIndex first_fault(const Program& program) {
  const auto is_it = [](const Operation& one) {
    return std::holds_alternative<op::Fault>(one.work) || std::holds_alternative<op::Reset>(one.work) ||
           std::holds_alternative<op::LastError>(one.work);
  };
  const auto at = std::find_if(program.operations.begin(), program.operations.end(), is_it);
  return at == program.operations.end()
             ? program.breaks_capture
             : std::min(program.breaks_capture, static_cast<OperationIndex>(at - program.operations.begin()));
}

bool waits_unasked(const Program& program, const Work& work) {
  if (const auto* free = std::get_if<op::Free>(&work)) return !program.buffers[free->buffer.value].stream_ordered;
  return std::holds_alternative<op::FreeHost>(work) || std::holds_alternative<op::Unregister>(work) ||
         std::holds_alternative<op::Reset>(work);
}

std::optional<StreamId> ordered_in(const Operation& operation) {
  if (is_blocking_copy(operation.work)) return operation.stream.value_or(kLegacyStream);
  return operation.stream;
}

DeviceId device_of(const Program& program, const Operation& operation) {
  if (const auto* peer = std::get_if<op::PeerCopy>(&operation.work)) return peer->from_device;
  if (operation.stream) return program.streams[operation.stream->value].device;
  if (const auto* capture = std::get_if<op::Capture>(&operation.work))
    return program.streams[program.graphs[capture->graph.value].origin.value].device;
  const auto* copy = std::get_if<op::Copy>(&operation.work);
  return copy != nullptr && copy->blocking ? program.buffers[copy->device.buffer.value].device : DeviceId{};
}

DeviceId side_of(const Program& program, const Operation& operation) {
  if (const auto allocation = allocation_of(operation.work)) return program.buffers[allocation->value].device;
  return device_of(program, operation);
}

namespace {

// Calls `name(device, line)` for all that the program names, in no order.
template <class Name>
void for_devices(const Program& program, const Name& name) {
  for (const Buffer& buffer : program.buffers) {
    name(buffer.device, buffer.line);
    for (const DeviceId more : buffer.more_devices) name(more, buffer.line);
  }
  for (const Stream& stream : program.streams) name(stream.device, stream.line);
  for (const Event& event : program.events) name(event.device, event.line);
  for (const Operation& operation : program.operations) {
    if (const auto* set = std::get_if<op::SetDevice>(&operation.work)) name(set->device, operation.line);
    if (const auto* access = std::get_if<op::PeerAccess>(&operation.work)) {
      name(std::max(access->first, access->second), operation.line);
    }
  }
}

}  // namespace

std::size_t device_count(const Program& program) {
  DeviceId last;
  for_devices(program, [&](DeviceId device, std::uint32_t) { last = std::max(last, device); });
  return last.value + 1;
}

std::uint32_t line_beyond(const Program& program, std::size_t devices) {
  std::uint32_t first = 0;
  for_devices(program, [&](DeviceId device, std::uint32_t line) {
    if (device.value >= devices && line != 0 && (first == 0 || line < first)) first = line;
  });
  return first;
}

bool has_side(const Buffer& buffer, DeviceId device) {
  return buffer.device == device ||
         std::find(buffer.more_devices.begin(), buffer.more_devices.end(), device) != buffer.more_devices.end();
}

bool is_legacy(const Program& program, StreamId stream) {
  return stream == kLegacyStream || program.streams[stream.value].legacy;
}

std::vector<std::optional<StreamId>> legacy_streams(const Program& program) {
  std::vector<std::optional<StreamId>> all{kLegacyStream};
  for (std::uint32_t i = 0; i < program.streams.size(); ++i) {
    const Stream& stream = program.streams[i];
    if (all.size() <= stream.device.value) all.resize(stream.device.value + 1);
    if (stream.legacy) all[stream.device.value] = StreamId{i};
  }
  return all;
}

std::string statement_of(const Program& program, OperationIndex index) {
  const Operation& operation = program.operations[index];
  const bool in_stream = operation.stream && !is_without_stream(operation.work) && !is_blocking_copy(operation.work);
  std::string who = in_stream ? program.streams[operation.stream->value].name : "host";
  if (operation.thread.value != 0) who += tr(" (thread {})", program.threads[operation.thread.value].name);
  return who + ": " + std::visit(StatementText(program), operation.work);
}

std::string describe(const Program& program, OperationIndex index) {
  if (index >= program.operations.size()) return tr("operation {}", index);
  const std::uint32_t line = program.operations[index].line;
  const std::string where = line == 0 ? tr("implied at the end") : tr("line {}", line);
  return tr("operation {}, {}: {}", index, where, statement_of(program, index));
}

}  // namespace streamscope::program
