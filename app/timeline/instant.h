// What every host thread, stream and engine does at one instant of a run, and what waits for what then.
//
//   InstantIndex(trace)    once for each trace: O(n log n), about 13 bytes a span
//   instant(trace, ...)    O(log n) for each thread, stream and engine, and for each operation that it lists
//
// An operation is in its stream's queue from its host call on until it is done. Of a trace that does not tell of host
// calls it is from where it was ready, and where that is not known either, from its start: then nothing is ever queued.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/trace/packed_spans.h"

namespace streamscope::timeline {

enum class OperationState : std::uint8_t {
  unknown,   // nothing is known of it before its start
  unissued,  // its host call has not begun
  calling,   // its host call goes on
  queued,    // issued; when it was ready is not known
  held,      // issued; what must come before it is not done
  ready,     // it waits for what carries it out
  running,
  done,
};

struct OperationStatus {
  OperationIndex operation = kNoOperation;
  std::uint32_t index = 0;  // span_at(trace, index)
  OperationState state = OperationState::unissued;
  Nanoseconds since = kAbsent;  // when it came to stand so; kAbsent where that is not known
  Nanoseconds left = 0;         // until its end where it is running, else until its start
  double done = 0;              // of what is running, 0..1
  friend bool operator==(const OperationStatus&, const OperationStatus&) = default;
};

struct StreamNow {
  std::uint32_t stream = 0;
  std::vector<OperationStatus> queue;    // what is running, then what waits, in the order in which they start
  std::size_t running = 0, waiting = 0;  // of all, listed or not
};

struct EngineNow {
  DeviceEngine engine;
  std::vector<OperationStatus> running;  // by start
  std::size_t count = 0;                 // of all that are running
  std::optional<OperationStatus> next;   // the one that starts next
};

struct HostNow {
  std::uint32_t thread = 0;
  std::optional<OperationStatus> call;  // the innermost; `running`: it goes on
  std::optional<OperationStatus> next;
};

struct Wait {
  std::uint32_t index = 0;                             // of the span that waits
  OperationIndex operation = kNoOperation;             // of it
  OperationIndex on = kNoOperation;                    // kNoOperation: not known, or not an operation (the gate)
  trace::WaitReason reason = trace::WaitReason::none;  // none: nothing holds it any more, it is on its way
  Nanoseconds since = kAbsent;
  friend bool operator==(const Wait&, const Wait&) = default;
};

struct Instant {
  Nanoseconds time = 0;
  std::vector<HostNow> threads;
  std::vector<StreamNow> streams;
  std::vector<EngineNow> engines;
  std::vector<Wait> waits;  // of hosts that are held, then of each stream the first that waits
};

class InstantIndex {
 public:
  explicit InstantIndex(const trace::Trace& trace);

  // The operations of one thread, stream or engine as indices of spans, sorted by begin, by end and by entry to the
  // queue. An order that is the same as by begin is left empty.
  struct Row {
    std::uint32_t id = 0;
    std::vector<std::uint32_t> by_begin, by_end, by_entry;
    // Where an order is of its own: of 16 in by_begin the latest end, and the first entry (negated, so that both are
    // the greatest); of 16 of those, and so on.
    std::vector<std::vector<Nanoseconds>> latest_end, first_entry;
  };
  const std::vector<Row>& threads() const { return threads_; }
  const std::vector<Row>& streams() const { return streams_; }
  const std::vector<Row>& engines() const { return engines_; }

 private:
  std::vector<Row> threads_, streams_, engines_;
};

// Of each queue and each engine at most so many operations are listed; all are counted.
Instant instant(const trace::Trace& trace, const InstantIndex& index, Nanoseconds time, std::size_t most = 24);

// The nearest time after or before at which an operation or a host call begins or ends; kAbsent where there is none.
Nanoseconds event_after(const trace::Trace& trace, const InstantIndex& index, Nanoseconds time);
Nanoseconds event_before(const trace::Trace& trace, const InstantIndex& index, Nanoseconds time);

}  // namespace streamscope::timeline
