#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "engine/reconstruct/reconstruction.h"

namespace streamscope::reconstruct {
namespace {

// `usually`: how long after `earliest` it starts where the time its bytes take is not known.
void set_start(trace::Span& span, Nanoseconds earliest, Nanoseconds usually, const TransferTime& transfer) {
  // Small copies can overtake a large one on their engine: a copy that could not have moved its bytes since the one
  // before it ended ran at the same time.
  if (span.end - earliest + Nanoseconds{span.uncertainty} < transfer.shortest) earliest = span.ready;
  const Nanoseconds high = std::max(earliest, span.end - transfer.shortest);
  const Nanoseconds low = transfer.bounded() ? std::clamp(span.end - transfer.longest, earliest, high) : earliest;
  span.start = std::clamp(earliest + usually, low, high);
  span.start_source = trace::Source::inferred;
  // Without a bound from its bytes, the usual delay is taken to be uncertain by its own length.
  Nanoseconds uncertainty =
      transfer.bounded() ? std::max(span.start - low, high - span.start) : std::min(usually, high - low);
  // Where the end of a copy in a graph is an estimate, the end of the copy before it may be wrong as well.
  if (span.launch != kNoOperation && span.source == trace::Source::inferred) {
    uncertainty = std::max({uncertainty, span.start - span.ready, span.end - transfer.shortest - span.start});
  }
  span.start_uncertainty = static_cast<std::uint32_t>(
      std::min<Nanoseconds>(uncertainty + std::max(span.uncertainty, span.ready_uncertainty), 0xFFFFFFFF));
}

// Whether the end of another operation made it ready, rather than its own issue or the gate.
bool was_released(const Reconstruction& run, OperationIndex i) {
  return run.spans[i].ready > std::max(run.issued(i), run.held_by_gate(i) ? run.gate_opened : kAbsent);
}

// The copies of one direction on one device.
struct Queue {
  std::vector<OperationIndex> ended;                              // in that order
  Nanoseconds pending = std::numeric_limits<Nanoseconds>::max();  // when the first of those still running was ready
};

class Starts {
 public:
  explicit Starts(Reconstruction& run) : run_(run), before_(run.count(), kNoOperation) {}

  std::vector<OperationIndex> find() {
    const auto devices = static_cast<std::uint32_t>(program::device_count(run_.program));
    for (std::uint32_t device = 0; device < devices; ++device) {
      const Queue in = queue_copies({device, Engine::h2d}), out = queue_copies({device, Engine::d2h});
      start_copies(in, out);
      start_copies(out, in);
    }
    start_the_rest();
    for (std::uint32_t device = 0; device < devices; ++device) queue_kernels(device);
    return std::move(before_);
  }

 private:
  Queue queue_copies(DeviceEngine engine) {
    Queue queue;
    for (OperationIndex i = 0; i < run_.count(); ++i) {
      const trace::Span& span = run_.spans[i];
      if (trace::queue_of(span) != engine || !known(span.ready)) continue;
      if (known(span.end)) {
        queue.ended.push_back(i);
      } else {
        queue.pending = std::min(queue.pending, span.ready);
      }
    }
    line_up(queue.ended, &trace::Span::end);
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

  // A copy cannot start before this.
  Nanoseconds earliest_start(OperationIndex i) const {
    const OperationIndex before = before_[i];
    return before == kNoOperation ? run_.spans[i].ready : std::max(run_.spans[i].ready, run_.spans[before].end);
  }

  void start_copies(const Queue& own, const Queue& opposite) {
    const std::vector<OperationIndex>& others = opposite.ended;
    const device::DispatchLatency& dispatch = run_.dispatch;
    std::size_t at = 0;
    for (const OperationIndex i : own.ended) {
      trace::Span& span = run_.spans[i];
      if (known(span.start)) continue;
      const Nanoseconds earliest = earliest_start(i);
      while (at < others.size() && run_.spans[others[at]].end <= earliest) ++at;
      // Of those that have not ended yet, the first to be ready is running.
      const bool both_ways = at < others.size() ? earliest_start(others[at]) < span.end : opposite.pending < span.end;
      // It was queued on its engine if the copy before it ended after it was ready.
      const bool queued = before_[i] != kNoOperation && earliest > span.ready;
      set_start(span, earliest, queued || !was_released(run_, i) ? dispatch.after_copy : dispatch.after_dependency,
                transfer_time(run_, i, both_ways));
    }
  }

  void start_the_rest() {
    for (OperationIndex i = 0; i < run_.count(); ++i) {
      trace::Span& span = run_.spans[i];
      if (known(span.start) || !known(span.end) || !known(span.ready)) continue;
      set_start(span, span.ready, was_released(run_, i) ? run_.dispatch.after_dependency : run_.dispatch.after_copy,
                transfer_time(run_, i, false));
    }
  }

  Reconstruction& run_;
  std::vector<OperationIndex> before_;
};

}  // namespace

std::vector<OperationIndex> find_start_times(Reconstruction& run) { return Starts(run).find(); }

}  // namespace streamscope::reconstruct
