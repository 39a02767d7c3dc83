// A checked, expanded stream program: everything the host asks the GPU to do, in the order of issue.
//
// This is what a device runs. It is made from text by parse() and check() only, and is valid from then on: every id is
// in its table, every range lies within its buffer, every number fits what the CUDA call takes. Sizes are bytes,
// durations nanoseconds.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/id.h"
#include "engine/base/kind.h"
#include "engine/base/time.h"
#include "kernels/kernel.h"
#include "kernels/own/own.h"

namespace streamscope::program {

enum class HostMemory : std::uint8_t {
  pinned,
  pageable,
  write_combined,
  mapped,   // one pinned allocation that kernels reach over the bus: it has no device side of its own
  managed,  // one managed allocation, whose pages migrate to the side that touches them
};
// As behind `host=`.
std::string_view name(HostMemory memory);
// One allocation that both sides work on: there is nothing to copy between them.
constexpr bool is_shared(HostMemory memory) { return memory == HostMemory::mapped || memory == HostMemory::managed; }

// A host and a device allocation of that size, made before the run is timed.
// A buffer made by `malloc` has a device side only and lives from that operation to its `free`: in host order
// (`host: malloc`, cudaMalloc) or in stream order (`A: malloc`, cudaMallocAsync). Either may be freed in either order.
// One made by `host: malloc-host` has a pinned host side only and lives to its `free-host`.
struct Buffer {
  std::string name;
  std::uint64_t bytes = 0;
  HostMemory host = HostMemory::pinned;
  bool made_in_run = false;
  std::uint32_t line = 0;
  bool stream_ordered = false;           // of one made in the run: by cudaMallocAsync
  bool on_host = false;                  // of one made in the run: by cudaMallocHost
  DeviceId device{};                     // that has the device side, the first of them
  std::vector<DeviceId> more_devices{};  // that have a device side of their own, too
};
bool has_side(const Buffer& buffer, DeviceId device);

struct Stream {
  std::string name;
  bool nonblocking = false;
  int priority = 0;  // as cudaStreamCreateWithPriority takes it: lower is more urgent, clamped by the device
  std::uint32_t line = 0;
  std::optional<ThreadId> per_thread{};  // it is cudaStreamPerThread of that host thread
  // No CUDA stream, but a row that shows the nodes that this graph captured from another stream than its origin
  // ("G.B": those captured from B). It has no other operations.
  std::optional<GraphId> of_graph{};
  DeviceId device{};
  bool made_in_run = false;  // by op::CreateStream
  bool legacy = false;       // the legacy default stream of a device; that of the first is kLegacyStream in any case
};

struct Event {
  std::string name;
  bool timing = true;
  bool blocking_sync = false;  // a thread that synchronises with it sleeps (cudaEventBlockingSync)
  DeviceId device{};
  bool made_in_run = false;  // by op::CreateEvent
  std::uint32_t line = 0;    // of its declaration, or of its first record or wait
};

struct Range {
  constexpr Range() = default;
  constexpr Range(BufferId in, std::uint64_t from, std::uint64_t length, std::uint32_t apart = 0)
      : buffer(in), pitch(apart), offset(from), bytes(length) {}
  BufferId buffer;
  // Of a copy in two dimensions: from one row to the next. The last row ends with the range, so that the bytes say how
  // many rows there are and how wide they are. 0: all bytes in a row.
  std::uint32_t pitch = 0;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  friend bool operator==(const Range&, const Range&) = default;
};
constexpr std::uint64_t rows_of(const Range& range) {
  return range.pitch == 0 ? 1 : (range.bytes + range.pitch - 1) / range.pitch;
}
constexpr std::uint64_t row_bytes(const Range& range) { return range.bytes - (rows_of(range) - 1) * range.pitch; }
// Without what lies between rows.
constexpr std::uint64_t moved_bytes(const Range& range) { return rows_of(range) * row_bytes(range); }

enum class Direction : std::uint8_t { h2d, d2h };
enum class MemoryLocation : std::uint8_t { device, host };
// How a kernel fails. What sticks ends the use of the device for the process (docs/cuda-rules.md 21).
enum class FaultKind : std::uint8_t {
  illegal_address,
  assertion,
  trap,
  launch_config,  // refused by the launch itself; does not stick
};
std::string_view name(FaultKind kind);
CallResult error_of(FaultKind kind);

// Of those that capture a graph, which call it is.
enum class CaptureStep : std::uint8_t { begin, call, end, instantiate };

using KernelIndex = std::uint32_t;

// The operations. Each names the CUDA call it stands for.
namespace op {

// Between the two sides: of one buffer or of two, at any offsets; both ranges have the same length, or as many rows of
// the same width.
struct Copy {  // cudaMemcpyAsync, cudaMemcpy2DAsync; a blocking one is cudaMemcpy, in the default stream
  Direction direction;
  Range host, device;
  bool blocking = false;
  bool registered = false;  // its pageable memory is registered when the copy is issued, and so pinned
};
// The two forms without a stream are work of the default stream, which is their operation's stream; the host waits for
// neither.
struct CopyOnDevice {           // cudaMemcpyAsync, cudaMemcpy2DAsync, device to device
  Range to, from;               // of the same length, or as many rows of the same width
  bool without_stream = false;  // cudaMemcpy
};
struct PeerCopy {                   // cudaMemcpyPeerAsync
  Range to, from;                   // of the same length
  DeviceId to_device, from_device;  // whose sides they are; two
};
struct Memset {  // cudaMemsetAsync
  Range range;
  std::uint8_t value;
  bool without_stream = false;  // cudaMemset
};
// A kernel (kernels/kernel.h). `range` is what it works on; of one that writes elsewhere, what it writes, and `from` is
// what it works on. Without operands both are empty. Of the program's own, `range` is the first that it writes, or else
// reads, and all of them are among its arguments.
struct Kernel {
  Range range, from;
  KernelIndex kernel = 0;       // of Program::kernels
  std::uint32_t arguments = 0;  // of Program::arguments; of the program's own
};
// An external one is in a graph, and is a node of it: cudaEventRecordExternal, cudaEventWaitExternal.
struct Record {  // cudaEventRecord, cudaEventRecordWithFlags
  EventId event;
  bool external = false;
};
// `record` below is the operation that recorded the event last before this one was issued; kNoOperation if none did. Of
// an external wait in a graph's body it is none; each launch's node has its own.
struct Wait {  // cudaStreamWaitEvent
  EventId event;
  OperationIndex record = kNoOperation;
  bool external = false;
};
struct HostFunction {  // cudaLaunchHostFunc
  Nanoseconds duration;
  bool callback = false;  // cudaStreamAddCallback, which is told the stream's status
};
struct HostWork {  // the host thread computes
  Nanoseconds duration;
};
struct SyncDevice {   // cudaDeviceSynchronize
  DeviceId device{};  // the current one
};
struct SetDevice {  // cudaSetDevice
  DeviceId device;
};
// Both devices may reach the other's memory, or no longer: two calls of CUDA's.
struct PeerAccess {  // cudaDeviceEnablePeerAccess, cudaDeviceDisablePeerAccess
  DeviceId first, second;
  bool on = true;
};
struct SyncStream {  // cudaStreamSynchronize
  StreamId stream;
};
struct SyncEvent {  // cudaEventSynchronize
  EventId event;
  OperationIndex record = kNoOperation;
};
struct PollStream {  // cudaStreamQuery until done
  StreamId stream;
  Nanoseconds every;
  bool once = false;     // one question, whatever the answer: it orders nothing
  Nanoseconds work = 0;  // other work of the host between two questions, a part of `every`
};
struct PollEvent {  // cudaEventQuery until done
  EventId event;
  OperationIndex record = kNoOperation;
  Nanoseconds every;
  bool once = false;
  Nanoseconds work = 0;
};
struct Attributes {  // cudaStreamGetPriority and its like
  StreamId stream;
};
struct Elapsed {  // cudaEventElapsedTime
  EventId from, to;
  OperationIndex from_record = kNoOperation, to_record = kNoOperation;
};
struct Prefetch {  // cudaMemPrefetchAsync
  Range range;     // of a managed buffer
  MemoryLocation to;
};
struct Malloc {  // cudaMalloc
  BufferId buffer;
};
struct Free {  // cudaFree; of what cudaMallocAsync made it waits for nothing
  BufferId buffer;
};
struct MallocAsync {  // cudaMallocAsync
  BufferId buffer;
};
struct FreeAsync {  // cudaFreeAsync
  BufferId buffer;
};
struct MallocHost {  // cudaMallocHost
  BufferId made;
};
struct FreeHost {  // cudaFreeHost
  BufferId gone;
};
// Of the host side of a buffer with pageable memory. What is still registered when the run ends is so no longer.
struct Register {  // cudaHostRegister
  BufferId memory;
};
struct Unregister {  // cudaHostUnregister
  BufferId memory;
};
// Streams and events that live from one operation of the run to another, or to its end.
struct CreateStream {  // cudaStreamCreateWithPriority
  StreamId made;
};
struct CreateEvent {  // cudaEventCreateWithFlags
  EventId made;
};
struct DestroyStream {  // cudaStreamDestroy; work that it still has is carried out
  StreamId gone;
};
struct DestroyEvent {  // cudaEventDestroy
  EventId gone;
};
// A kernel that fails on purpose.
struct Fault {
  FaultKind kind;
};
struct LastError {  // cudaGetLastError, cudaPeekAtLastError
  bool peek = false;
};
struct Reset {};  // cudaDeviceReset: whatever was made before it is gone
struct Touch {    // the CPU reads and writes the host side of the range
  Range range;
};
// cudaGraphLaunch. One operation for each of the graph's nodes follows it at once, in the order of Graph::nodes.
struct Launch {
  GraphId graph;
};
// Another host thread begins here. Its operations follow at once, up to the next operation of the thread that started
// it; they are issued concurrently with what comes behind them.
struct StartThread {
  ThreadId thread;
};
struct JoinThread {  // waits until that thread has issued all of its operations
  ThreadId thread;
};
// What captures a graph inside the run is an operation for each call, all of one thread and one behind the other: they
// begin the capture, give each operation of the graph's body to its stream, end the capture and instantiate the graph.
// What a body asks of a capture (op::CaptureInfo) stands among them as itself.
struct Capture {  // cudaStreamBeginCapture, the call of the body, cudaStreamEndCapture, cudaGraphInstantiate
  GraphId graph;
  CaptureStep step = CaptureStep::begin;
  std::uint32_t body = 0;  // of CaptureStep::call: index into Graph::body
};
struct CaptureInfo {  // cudaStreamGetCaptureInfo
  StreamId stream;
};

}  // namespace op

using Work =
    std::variant<op::Copy, op::CopyOnDevice, op::Memset, op::Kernel, op::Record, op::Wait, op::HostFunction,
                 op::HostWork, op::SyncDevice, op::SyncStream, op::SyncEvent, op::PollStream, op::PollEvent, op::Malloc,
                 op::Free, op::Touch, op::Prefetch, op::MallocAsync, op::FreeAsync, op::Launch, op::StartThread,
                 op::JoinThread, op::Elapsed, op::Attributes, op::CreateStream, op::CreateEvent, op::DestroyStream,
                 op::DestroyEvent, op::PeerCopy, op::SetDevice, op::PeerAccess, op::MallocHost, op::FreeHost,
                 op::Register, op::Unregister, op::Fault, op::LastError, op::Reset, op::Capture, op::CaptureInfo>;

struct Operation {
  Work work;
  std::optional<StreamId> stream;  // none: done by the host thread itself
  ThreadId thread;                 // the host thread that issues it
  std::uint32_t line = 0;          // of the text it came from, counted from 1; 0 for the implied last synchronisation
  // Of a graph's node: the op::Launch that it belongs to. No host call issues it; `stream` is the row that shows it,
  // and what it waits for is in Graph::nodes.
  OperationIndex launch = kNoOperation;
};

// Which calls of a thread CUDA refuses while a capture is under way (cudaStreamBeginCapture): those that are
// potentially unsafe, of any thread or of the capturing one; or none.
enum class CaptureMode : std::uint8_t { global, thread_local_, relaxed };

// A node of a graph: one operation of its body, but records and waits that are not external, which capture turns into
// edges, and what the host asks of the capture.
struct GraphNode {
  std::uint32_t body = 0;            // index into Graph::body
  std::vector<std::uint32_t> after;  // indexes into Graph::nodes, all smaller; empty: it comes right after the launch
};
// What a stream program captures from its streams (cudaStreamBeginCapture): before the run is timed, or by op::Capture.
// Of the events that are recorded in its body, those outside the capture can wait for external ones only.
struct Graph {
  std::string name;
  StreamId origin;  // the capture begins and ends in this stream
  std::uint32_t line = 0;
  // As issued under capture, records and waits too; Wait::record is an index into the body. Rule 19 of
  // docs/cuda-rules.md holds: every stream but the origin begins with such a wait, and all are joined back.
  std::vector<Operation> body;
  std::vector<GraphNode> nodes;  // in the order of the body
  CaptureMode mode = CaptureMode::thread_local_;
  bool captured_in_run = false;  // by op::Capture, once, before its first launch
};

struct Thread {
  std::string name;
  std::uint32_t line = 0;
};

// What a launch of the program's own kernel gives for one of its parameters.
struct LaunchArgument {
  Range range = {};        // for a pointer
  std::uint64_t bits = 0;  // for a number, in the first bytes, as the parameter's type has it
};
using LaunchArguments = std::vector<LaunchArgument>;

struct Program {
  std::vector<Buffer> buffers;
  // [0] is `default`, [1] is `per-thread`, then those declared, the per-thread streams of other threads and the rows
  // of graphs. The default streams of a device but the first are behind those, where they are used: "default@1".
  std::vector<Stream> streams;
  std::vector<Event> events;
  std::vector<Graph> graphs;
  std::vector<Thread> threads{{"main", 0}};                            // [0] is the main thread
  std::vector<kernels::Choice> kernels;                                // each with its options, once; all different
  std::vector<std::shared_ptr<const kernels::OwnKernel>> own_kernels;  // that `kernels` name, too
  std::vector<std::uint32_t> own_lines;                                // of their declarations
  std::vector<LaunchArguments> arguments;                              // of each launch of those
  // Ends with an op::SyncDevice of each device, all threads joined.
  std::vector<Operation> operations;
  // What is given to no stream goes to its thread's own default stream: --default-stream per-thread.
  bool default_per_thread = false;
  // The first call that another thread's capture may refuse, and be broken by, as their times have it: calls fail then,
  // and the program goes on. kNoOperation where there is none.
  OperationIndex breaks_capture = kNoOperation;
};

bool is_legacy(const Program& program, StreamId stream);
// By device: its legacy default stream, where the program uses it.
std::vector<std::optional<StreamId>> legacy_streams(const Program& program);

// The kernel that an operation launches; null for others.
const kernels::Choice* kernel_of(const Program& program, const Work& work);
// Of a kernel of the program's own; null for others.
inline const LaunchArguments* arguments_of(const Program& program, const op::Kernel& launch) {
  return program.kernels[launch.kernel].kernel->own() != nullptr ? &program.arguments[launch.arguments] : nullptr;
}
// All ranges that a kernel works on, those that it does not have left out.
std::vector<Range> ranges_of(const Program& program, const op::Kernel& launch);
// What it works on: of a kernel that writes elsewhere, what it reads.
inline const Range& data_of(const op::Kernel& kernel) { return kernel.from.bytes != 0 ? kernel.from : kernel.range; }
// The host memory that a copy reads or writes.
inline HostMemory host_memory(const Program& program, const op::Copy& copy) {
  return copy.registered ? HostMemory::pinned : program.buffers[copy.host.buffer.value].host;
}
inline bool is_blocking_copy(const Work& work) {
  const auto* copy = std::get_if<op::Copy>(&work);
  return copy != nullptr && copy->blocking;
}

bool asks_once(const Work& work);
// Whether capture makes a node of it.
bool becomes_node(const Work& work);
// Whether CUDA counts its call among those that are potentially unsafe while a capture is under way.
bool is_unsafe_in_capture(const Work& work);
// A copy within the device or a memset that is given to no stream.
bool is_without_stream(const Work& work);

OperationKind kind(const Work& work);
// What the view and the files call it: "H2D", "D2H", "axpb", "spin", "record e" is "record", "cudaMalloc" ...
std::string_view label(const Program& program, const Work& work);
// Bytes moved or touched; 0 for operations without a range.
std::uint64_t bytes(const Work& work);
// Of a copy in two dimensions, those on the device; 0 for all others.
std::uint64_t rows(const Work& work);
Engine engine_of(const Work& work);
// The buffer that it allocates or frees on the device, by the host or in a stream; none for others.
std::optional<BufferId> allocation_of(const Work& work);
// The buffer whose host memory it allocates, frees, registers or unregisters; none for others.
std::optional<BufferId> host_allocation_of(const Work& work);
// Whether its call may wait for the whole device though nobody asked it to (docs/cuda-rules.md 4).
bool waits_unasked(const Program& program, const Work& work);
// The first operation that makes an error on purpose or resets the device (op::Fault, op::Reset, op::LastError), or
// that may break a capture (Program::breaks_capture); kNoOperation where there is none.
OperationIndex first_fault(const Program& program);
inline bool fails_on_purpose(const Program& program) { return first_fault(program) != kNoOperation; }
// Whether the process that runs it on a GPU has no device afterwards: a fault that sticks, or a reset.
bool ends_its_process(const Program& program);
// The stream the operation is ordered in: its own, or legacy for a blocking copy without one; none for other host work.
std::optional<StreamId> ordered_in(const Operation& operation);
// The device whose engines carry the operation out: its stream's, a blocking copy's buffer's; the first for others.
DeviceId device_of(const Program& program, const Operation& operation);
// Whose sides of its buffers it works on; a copy between devices says so itself.
DeviceId side_of(const Program& program, const Operation& operation);
std::size_t device_count(const Program& program);  // 1 or more: all that it names count
// The first line that names one of more devices than `devices`; 0: none does.
std::uint32_t line_beyond(const Program& program, std::size_t devices);
// "operation 12, line 7: S0: h2d x[0:1048576]", for messages.
std::string describe(const Program& program, OperationIndex index);
// As a statement alone, with whose it is: "A: h2d x[0:4096]".
std::string statement_of(const Program& program, OperationIndex index);

}  // namespace streamscope::program

template <>
inline constexpr streamscope::NameTable<5> streamscope::kNames<streamscope::program::HostMemory>{
    "pinned", "pageable", "write-combined", "mapped", "managed"};
template <>
inline constexpr streamscope::NameTable<3> streamscope::kNames<streamscope::program::CaptureMode>{
    "global", "thread-local", "relaxed"};
template <>
inline constexpr streamscope::NameTable<4> streamscope::kNames<streamscope::program::FaultKind>{
    "illegal-address", "assert", "trap", "launch-config"};
