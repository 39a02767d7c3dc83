// The life of one operation in one run.
//
//   host_begin .. host_end   the host call (or host work)
//   ready                    all it depends on is done: it could start now
//   start .. end             it is carried out on its engine
//
// ready..start is waiting and is drawn as waiting; only start..end is execution. All times are nanoseconds from the
// run's first host call, on the trace's one clock; kAbsent where not known.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/base/id.h"
#include "engine/base/kind.h"
#include "engine/base/time.h"

namespace streamscope {

// Where start and end come from.
enum class Source : std::uint8_t {
  none,      // nothing is known
  host,      // the host clock
  event,     // a CUDA event
  stamp,     // %globaltimer, written by the kernel itself
  inferred,  // from neighbours, by CUDA's rules
  cupti,     // CUPTI activity records
  model,     // simulated
};

// Why an operation did not start as soon as it was issued; the last cause to fall away.
enum class WaitReason : std::uint8_t {
  none,    // it did not wait
  stream,  // its predecessor in the stream
  legacy,  // the legacy default stream
  event,   // an event of another stream
  engine,  // the engine was busy
  host,    // the host issued it late, or the host waited
  unknown,
};

struct Span {
  OperationIndex operation = kNoOperation;  // index into the program
  std::uint32_t line = 0;                   // of the program's text
  std::uint32_t name = 0;                   // index into Trace::names
  std::uint32_t stream = kNoStream;         // index into Trace::streams
  OperationKind kind = OperationKind::work;
  Engine engine = Engine::none;
  Source source = Source::none;
  WaitReason reason = WaitReason::none;
  OperationIndex waits_for = kNoOperation;  // the operation behind the reason, where there is one
  std::uint32_t thread = 0;                 // index into Trace::threads
  std::uint64_t bytes = 0;
  Nanoseconds host_begin = kAbsent, host_end = kAbsent;
  Nanoseconds ready = kAbsent, start = kAbsent, end = kAbsent;
  std::uint32_t uncertainty = 0;  // of start and end, plus or minus, in nanoseconds
  std::uint32_t polls = 0;        // how often a poll asked

  static constexpr std::uint32_t kNoStream = 0xFFFFFFFFu;
  friend bool operator==(const Span&, const Span&) = default;
};

std::string_view name(Source source);
std::string_view name(WaitReason reason);
std::optional<Source> source(std::string_view name);
std::optional<WaitReason> wait_reason(std::string_view name);

}  // namespace streamscope
