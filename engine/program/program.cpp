#include "engine/program/program.h"

#include <algorithm>

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

}  // namespace streamscope::program
