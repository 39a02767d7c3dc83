#include <algorithm>
#include <initializer_list>
#include <limits>
#include <tuple>
#include <utility>

#include "engine/reconstruct/reconstruction.h"

namespace streamscope::reconstruct {
namespace {

// Between what it had to wait for and what its bytes leave of the time until its end anything is possible; it is put
// where a usual time would have it.
struct Begin {
  Nanoseconds earliest;     // that it can have started
  std::uint32_t doubt = 0;  // of that
  Nanoseconds likely;       // that it could start as a rule: when its engine was free
  Nanoseconds usually;      // how long after that it does
};

void set_start(trace::Span& span, Begin begin, const TransferTime& transfer) {
  // A copy that could not have moved its bytes since the one before it ended ran at the same time.
  if (span.end - begin.likely + Nanoseconds{span.uncertainty} < transfer.shortest) begin.likely = begin.earliest;
  const Nanoseconds latest = std::max(begin.earliest, span.end - transfer.shortest);
  const Nanoseconds likely_latest = std::max(begin.likely, latest);
  const Nanoseconds likely =
      transfer.bounded() ? std::clamp(span.end - transfer.longest, begin.likely, likely_latest) : begin.likely;
  // Two sightings are off by more than its usual time is. An event's own time is late by more than that.
  const Nanoseconds usually_latest = transfer.bounded() && span.source != trace::Source::event
                                         ? std::clamp(span.end - transfer.usual, likely, likely_latest)
                                         : likely_latest;
  span.start = std::clamp(begin.likely + begin.usually, likely, usually_latest);
  span.start_source = trace::Source::inferred;
  // Each bound has the doubt of what it follows from: the earliest start that of what it waited for, the latest start
  // that of its own end.
  Nanoseconds early = span.start - begin.earliest + begin.doubt;
  // Where the end of a copy in a graph is an estimate, the end of the copy before it may be wrong as well.
  if (span.launch != kNoOperation && span.source == trace::Source::inferred) {
    early = std::max(early, span.start - span.ready + std::max(span.uncertainty, begin.doubt));
  }
  const Nanoseconds late = latest - span.start + Nanoseconds{span.uncertainty};
  span.start_uncertainty = static_cast<std::uint32_t>(std::clamp<Nanoseconds>(std::max(early, late), 0, 0xFFFFFFFF));
}

// Whether the end of another operation made it ready, rather than its own issue or the gate.
bool was_released(const Reconstruction& run, OperationIndex i) {
  return run.spans[i].ready > std::max(run.issued(i), run.held_by_gate(i) ? run.gate_opened : kAbsent);
}

// The copies of one engine.
struct Queue {
  std::vector<OperationIndex> ended;                              // in that order
  Nanoseconds pending = std::numeric_limits<Nanoseconds>::max();  // when the first of those still running was ready
};

class Starts {
 public:
  explicit Starts(Reconstruction& run) : run_(run), before_(run.count(), kNoOperation), after_(before_) {}

  std::vector<OperationIndex> find() {
    const auto devices = static_cast<std::uint32_t>(program::device_count(run_.program));
    for (std::uint32_t device = 0; device < devices; ++device) {
      start_copies(queue_copies(device, {Engine::peer}), {});
      if (run_.one_copy_engine) {
        start_copies(queue_copies(device, {Engine::h2d, Engine::d2h}), {});
        continue;
      }
      const Queue in = queue_copies(device, {Engine::h2d}), out = queue_copies(device, {Engine::d2h});
      start_copies(in, out);
      start_copies(out, in);
    }
    start_the_rest();
    for (std::uint32_t device = 0; device < devices; ++device) queue_kernels(device);
    return std::move(before_);
  }

 private:
  Queue queue_copies(std::uint32_t device, std::initializer_list<Engine> directions) {
    Queue queue;
    for (OperationIndex i = 0; i < run_.count(); ++i) {
      const trace::Span& span = run_.spans[i];
      const bool its = span.device == device && std::ranges::find(directions, span.engine) != directions.end();
      if (!its || !known(span.ready)) continue;
      if (known(span.end)) {
        queue.ended.push_back(i);
      } else {
        queue.pending = std::min(queue.pending, span.ready);
      }
    }
    line_up(queue.ended, &trace::Span::end);
    OperationIndex last = kNoOperation;
    for (const OperationIndex i : queue.ended) {
      if (!has_engine_to_itself(run_.program, run_.operation(i))) continue;
      after_[i] = std::exchange(last, i);
    }
    return queue;
  }

  void queue_kernels(std::uint32_t device) {
    std::vector<OperationIndex> kernels;
    for (OperationIndex i = 0; i < run_.count(); ++i) {
      const trace::Span& span = run_.spans[i];
      if (span.kind == OperationKind::kernel && span.device == device && known(span.start)) kernels.push_back(i);
    }
    line_up(kernels, &trace::Span::start);
  }

  void line_up(std::vector<OperationIndex>& queue, Nanoseconds trace::Span::*by) {
    std::sort(queue.begin(), queue.end(), [&](OperationIndex a, OperationIndex b) {
      return std::tie(run_.spans[a].*by, a) < std::tie(run_.spans[b].*by, b);
    });
    for (std::size_t at = 1; at < queue.size(); ++at) before_[queue[at]] = queue[at - 1];
  }

  Nanoseconds after(OperationIndex before, Nanoseconds ready) const {
    return before == kNoOperation ? ready : std::max(ready, run_.spans[before].end);
  }
  std::uint32_t doubt_of(OperationIndex before, const trace::Span& span) const {
    return std::max(span.ready_uncertainty, before == kNoOperation ? 0 : run_.spans[before].uncertainty);
  }
  // When its engine was free, as far as its copies ended one after the other.
  Nanoseconds engine_free(OperationIndex i) const { return after(before_[i], run_.spans[i].ready); }

  void start_copies(const Queue& own, const Queue& opposite) {
    const std::vector<OperationIndex>& others = opposite.ended;
    std::size_t at = 0;
    for (const OperationIndex i : own.ended) {
      trace::Span& span = run_.spans[i];
      const device::DispatchLatency& dispatch = run_.dispatch(i);
      if (known(span.start)) continue;
      const Nanoseconds free = engine_free(i);
      while (at < others.size() && run_.spans[others[at]].end <= free) ++at;
      // Of those that have not ended yet, the first to be ready is running.
      const bool both_ways = at < others.size() ? engine_free(others[at]) < span.end : opposite.pending < span.end;
      // It was queued on its engine if the copy before it ended after it was ready.
      const bool queued = before_[i] != kNoOperation && free > span.ready;
      set_start(span,
                {.earliest = after(after_[i], span.ready),
                 .doubt = doubt_of(after_[i], span),
                 .likely = free,
                 .usually = queued || !was_released(run_, i) ? dispatch.after_copy : dispatch.after_dependency},
                transfer_time(run_, i, both_ways));
    }
  }

  void start_the_rest() {
    for (OperationIndex i = 0; i < run_.count(); ++i) {
      trace::Span& span = run_.spans[i];
      if (known(span.start) || !known(span.end) || !known(span.ready)) continue;
      set_start(span,
                {.earliest = span.ready,
                 .doubt = span.ready_uncertainty,
                 .likely = span.ready,
                 .usually = was_released(run_, i) ? run_.dispatch(i).after_dependency : run_.dispatch(i).after_copy},
                transfer_time(run_, i, false));
    }
  }

  Reconstruction& run_;
  std::vector<OperationIndex> before_;
  std::vector<OperationIndex> after_;  // the copy after whose end it started, as both had the engine to themselves
};

}  // namespace

std::vector<OperationIndex> find_start_times(Reconstruction& run) { return Starts(run).find(); }

}  // namespace streamscope::reconstruct
