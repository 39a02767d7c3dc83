#include "engine/reconstruct/starts.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "engine/reconstruct/transfer_time.h"

namespace streamscope::reconstruct {
namespace {

// `usually`: how long after `earliest` it starts where its bytes do not say.
void set_start(trace::Span& span, Nanoseconds earliest, Nanoseconds usually, const Moving& moving) {
  // Small copies can pass a large one on their engine: a copy with no time left for its bytes behind the one before
  // it was under way beside it.
  if (span.end - earliest + Nanoseconds{span.uncertainty} < moving.shortest) earliest = span.ready;
  const Nanoseconds high = std::max(earliest, span.end - moving.shortest);
  const Nanoseconds low = moving.bounded() ? std::clamp(span.end - moving.longest, earliest, high) : earliest;
  span.start = std::clamp(earliest + usually, low, high);
  span.start_source = trace::Source::inferred;
  // Where its bytes do not bound it, what is usual is taken to be right to within itself.
  Nanoseconds doubt = moving.bounded() ? std::max(span.start - low, high - span.start) : std::min(usually, high - low);
  // Of a copy whose end is only bounded the end of the one before it need not be right either.
  if (span.launch != kNoOperation && span.source == trace::Source::inferred) {
    doubt = std::max({doubt, span.start - span.ready, span.end - moving.shortest - span.start});
  }
  span.start_uncertainty = static_cast<std::uint32_t>(
      std::min<Nanoseconds>(doubt + std::max(span.uncertainty, span.ready_uncertainty), 0xFFFFFFFF));
}

// Whether another operation's end made it ready, and not its own issue or the gate.
bool was_let_go(const Reconstruction& run, OperationIndex i) {
  return run.spans[i].ready > std::max(run.issued(i), run.held_by_gate(i) ? run.opened : kAbsent);
}

// The copies of one direction.
struct Queue {
  std::vector<OperationIndex> ended;                              // in that order
  Nanoseconds pending = std::numeric_limits<Nanoseconds>::max();  // when the first of those that have not was ready
};

class Starts {
 public:
  explicit Starts(Reconstruction& run) : run_(run), before_(run.count(), kNoOperation) {}

  std::vector<OperationIndex> find() {
    const Queue in = queue_copies(Engine::h2d), out = queue_copies(Engine::d2h);
    start_copies(in, out);
    start_copies(out, in);
    start_the_rest();
    queue_kernels();
    return std::move(before_);
  }

 private:
  Queue queue_copies(Engine engine) {
    Queue queue;
    for (OperationIndex i = 0; i < run_.count(); ++i) {
      const trace::Span& span = run_.spans[i];
      if (span.engine != engine || !known(span.ready)) continue;
      if (known(span.end)) {
        queue.ended.push_back(i);
      } else {
        queue.pending = std::min(queue.pending, span.ready);
      }
    }
    line_up(queue.ended, &trace::Span::end);
    return queue;
  }

  void queue_kernels() {
    std::vector<OperationIndex> kernels;
    for (OperationIndex i = 0; i < run_.count(); ++i) {
      if (run_.spans[i].kind == OperationKind::kernel && known(run_.spans[i].start)) kernels.push_back(i);
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
    const device::Dispatch& dispatch = run_.dispatch;
    std::size_t at = 0;
    for (const OperationIndex i : own.ended) {
      trace::Span& span = run_.spans[i];
      if (known(span.start)) continue;
      const Nanoseconds earliest = earliest_start(i);
      while (at < others.size() && run_.spans[others[at]].end <= earliest) ++at;
      // Of those that have not ended yet the first to be ready is under way.
      const bool both = at < others.size() ? earliest_start(others[at]) < span.end : opposite.pending < span.end;
      // Behind a copy on its engine that ended last it was queued there; else something let it go.
      const bool queued = before_[i] != kNoOperation && earliest > span.ready;
      set_start(span, earliest, queued || !was_let_go(run_, i) ? dispatch.after_copy : dispatch.after_dependency,
                moving_time(run_, i, both));
    }
  }

  void start_the_rest() {
    for (OperationIndex i = 0; i < run_.count(); ++i) {
      trace::Span& span = run_.spans[i];
      if (known(span.start) || !known(span.end) || !known(span.ready)) continue;
      set_start(span, span.ready, was_let_go(run_, i) ? run_.dispatch.after_dependency : run_.dispatch.after_copy,
                moving_time(run_, i, false));
    }
  }

  Reconstruction& run_;
  std::vector<OperationIndex> before_;
};

}  // namespace

std::vector<OperationIndex> find_starts(Reconstruction& run) { return Starts(run).find(); }

}  // namespace streamscope::reconstruct
