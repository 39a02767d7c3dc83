// The times of one operation in one run.
//
//   host_begin .. host_end   the host call (or host work); of a graph's node that of its launch
//   ready                    all it depends on is done: it could start
//   start .. end             it is carried out on its engine
//
// ready..start is waiting and is drawn as waiting; only start..end is execution. All times are nanoseconds from the
// run's first host call, on the trace's one clock; kAbsent where not known.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/base/id.h"
#include "engine/base/kind.h"
#include "engine/base/name_table.h"
#include "engine/base/time.h"

namespace streamscope::trace {

// Where a time comes from.
enum class Source : std::uint8_t {
  none,      // nothing is known
  host,      // the host clock
  event,     // a CUDA event, by its own time: the device's clock
  stamp,     // %globaltimer, written by the kernel itself
  inferred,  // from neighbours, by CUDA's rules
  cupti,     // CUPTI activity records
  model,     // simulated
  referee,   // inferred or stamped, its doubt widened to what other passes took under CUPTI (engine/referee)
  sighting,  // a CUDA event, by when the host saw it: the host's clock
};

// Why an operation did not start as soon as it was issued: the last thing that kept it from starting.
enum class WaitReason : std::uint8_t {
  none,    // it did not wait
  stream,  // its predecessor in the stream
  legacy,  // the legacy default stream
  event,   // an event of another stream
  engine,  // the engine was busy
  host,    // the host issued it late, or the host waited
  unknown,
  gate,   // the gate held all streams until everything was queued
  graph,  // a node of its graph that comes before it; of a launch, the one before of the same executable graph
  queue,  // an operation before it in a hardware queue that its stream shares with others
};

struct Span {
  OperationIndex operation = kNoOperation;  // index into the program
  std::uint32_t line = 0;                   // of the program's text
  std::uint32_t name = 0;                   // index into Trace::names
  std::uint32_t stream = kNoStream;         // index into Trace::streams
  OperationKind kind = OperationKind::work;
  Engine engine = Engine::none;
  Source ready_source = Source::none;
  Source start_source = Source::none;
  Source source = Source::none;  // of end
  WaitReason reason = WaitReason::none;
  bool blocking = false;                    // a copy whose call returns only when it is done: cudaMemcpy
  bool callback = false;                    // a host function that is given its stream's status: cudaStreamAddCallback
  std::uint8_t device = 0;                  // whose engine it is: 0 the trace's first, then Trace::other_devices
  std::uint8_t to_device = 0;               // of a copy between devices, which is the work of the one that it reads
  OperationIndex waits_for = kNoOperation;  // the operation behind the reason, where there is one
  OperationIndex launch = kNoOperation;     // of a graph's node: the operation that launched the graph
  std::uint32_t thread = 0;                 // index into Trace::threads
  std::uint64_t bytes = 0;
  Nanoseconds host_begin = kAbsent, host_end = kAbsent;
  Nanoseconds ready = kAbsent, start = kAbsent, end = kAbsent;
  // Plus or minus, in nanoseconds, against the host's clock, the uncertainty between the clocks included.
  std::uint32_t ready_uncertainty = 0, start_uncertainty = 0;
  std::uint32_t uncertainty = 0;  // of end
  // Of a trace merged from many runs (Instrument::sampled): in how many of them the end was observed, and half the
  // distance between the quartiles of these ends. Else 1 and 0.
  std::uint32_t samples = 1, spread = 0;
  std::uint32_t polls = 0;                  // how often a poll asked
  std::uint32_t rows = 0;                   // of a copy in two dimensions
  CallResult result = CallResult::success;  // of its call
  Nanoseconds elapsed = kAbsent;            // that time, between the records of these operations
  OperationIndex elapsed_from = kNoOperation, elapsed_to = kNoOperation;

  static constexpr std::uint32_t kNoStream = 0xFFFFFFFFu;
  friend bool operator==(const Span&, const Span&) = default;
};

// Whether it is a call whose answer is told: one that asks, or one that failed.
constexpr bool has_result(const Span& span) {
  return span.kind == OperationKind::query || span.kind == OperationKind::elapsed || span.result != CallResult::success;
}
inline DeviceEngine queue_of(const Span& span) { return {span.device, span.engine}; }

// Whether its host call is known and its own. A graph's node carries the call of its launch, which sums and rows of
// host calls have with the launch.
inline bool has_own_call(const Span& span) {
  return span.launch == kNoOperation && known(span.host_begin) && known(span.host_end);
}

// Whether a copy that waited for its engine waited for one that goes the other way: its device has one engine for both.
bool shares_copy_engine(const Span& waiting, const Span& busy);

// Whether it is that of an event behind the operation, however that was read.
inline bool is_of_event(Source source) { return source == Source::event || source == Source::sighting; }
std::string_view name(Source source);
std::string_view name(WaitReason reason);

}  // namespace streamscope::trace

template <>
inline constexpr streamscope::NameTable<9> streamscope::kNames<streamscope::trace::Source>{
    "none", "host", "event", "stamp", "inferred", "cupti", "model", "referee", "sighting"};
template <>
inline constexpr streamscope::NameTable<10> streamscope::kNames<streamscope::trace::WaitReason>{
    "none", "stream", "legacy", "event", "engine", "host", "unknown", "gate", "graph", "queue"};
