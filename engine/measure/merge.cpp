#include "engine/measure/merge.h"

#include <algorithm>
#include <tuple>

#include "engine/base/translate.h"
#include "engine/device/blank_trace.h"
#include "engine/reconstruct/reconstruct.h"

namespace streamscope::measure {
namespace {

// Of fewer samples than this the spread says little.
constexpr std::uint32_t kFewSamples = 4;

bool takes_no_time(const program::Operation& operation) {
  const OperationKind is = program::kind(operation.work);
  return is == OperationKind::record || is == OperationKind::wait;
}
std::vector<DeviceEngine> copy_queues(const program::Program& program) {
  std::vector<DeviceEngine> all;
  for (std::uint32_t device = 0; device < program::device_count(program); ++device)
    for (const Engine engine : {Engine::h2d, Engine::d2h}) all.push_back({device, engine});
  return all;
}
bool on_device(const program::Operation& operation) { return program::ordered_in(operation).has_value(); }

// How far each reading may be off, as far as the passes show it.
class Doubts {
 public:
  Doubts(const program::Program& program, const std::vector<device::Observed>& merged)
      : program_(program), merged_(merged) {
    std::vector<std::uint32_t> spreads;
    for (std::size_t i = 0; i < merged.size(); ++i) {
      if (on_device(program.operations[i]) && merged[i].samples >= kFewSamples) spreads.push_back(merged[i].spread);
    }
    if (spreads.empty()) return;
    const auto middle = spreads.begin() + static_cast<std::ptrdiff_t>(spreads.size() / 2);
    std::nth_element(spreads.begin(), middle, spreads.end());
    typical_ = *middle;
  }

  Nanoseconds of(OperationIndex i) const { return spread(i) + merged_[i].uncertainty; }
  // How far `before` may seem to end after `after` began.
  Nanoseconds together(OperationIndex before, OperationIndex after) const {
    return of(before) + of(after) + lag(before);
  }
  // By operation, what its uncertainty does not say.
  std::vector<Nanoseconds> spreads() const {
    std::vector<Nanoseconds> all(merged_.size());
    for (OperationIndex i = 0; i < all.size(); ++i) all[i] = spread(i) + lag(i);
    return all;
  }

 private:
  Nanoseconds spread(OperationIndex i) const {
    const device::Observed& seen = merged_[i];
    return seen.samples < kFewSamples ? std::max<Nanoseconds>(seen.spread, typical_) : seen.spread;
  }
  Nanoseconds lag(OperationIndex i) const { return trace::is_of_event(merged_[i].source) ? reconstruct::kEventLag : 0; }

  const program::Program& program_;
  const std::vector<device::Observed>& merged_;
  Nanoseconds typical_ = 0;
};

// A time, and the operation that sets it.
struct Bound {
  Nanoseconds time = kAbsent;
  OperationIndex by = kNoOperation;
};
Bound earlier(const Bound& a, const Bound& b) {
  if (!known(a.time)) return b;
  return known(b.time) && b.time < a.time ? b : a;
}
Bound later(const Bound& a, const Bound& b) {
  if (!known(a.time)) return b;
  return known(b.time) && b.time > a.time ? b : a;
}

class Mending {
 public:
  Mending(const program::Program& program, const program::Dependencies& dependencies,
          std::vector<device::Observed>& merged)
      : program_(program), dependencies_(dependencies), merged_(merged), doubts_(program, merged) {}

  // Both go once over the operations, each to be settled before what it limits; so the whole ends.
  void run() {
    move_back();
    move_forward();
    for (const DeviceEngine& queue : copy_queues(program_)) take_turns(queue);
  }
  const Doubts& doubts() const { return doubts_; }
  std::size_t moved() const { return moved_; }

 private:
  // By when what comes before the operation must have ended, and who says so.
  Bound begins(OperationIndex i, const Bound& limit) const {
    const program::Operation& operation = program_.operations[i];
    const device::Observed& seen = merged_[i];
    if (!on_device(operation)) return {seen.host_end, i};  // a host wait: it returns when all has ended
    if (known(seen.start)) return {seen.start, i};
    if (!takes_no_time(operation) && known(seen.end)) return earlier({seen.end, i}, limit);
    return limit;
  }

  void move_back() {
    std::vector<Bound> limits(merged_.size());
    for (std::size_t n = merged_.size(); n-- > 0;) {
      const auto i = static_cast<OperationIndex>(n);
      device::Observed& seen = merged_[i];
      const Bound& limit = limits[i];
      if (on_device(program_.operations[i]) && known(seen.end) && known(limit.time) && seen.end > limit.time) {
        // What a host wait says holds, since the wait returned.
        const bool wait = !on_device(program_.operations[limit.by]);
        const bool less_sure = wait || doubts_.of(i) >= doubts_.of(limit.by);
        if (less_sure && seen.end - limit.time <= doubts_.together(i, limit.by)) {
          seen.end = limit.time;
          if (known(seen.start)) seen.start = std::min(seen.start, seen.end);
          ++moved_;
        }
      }
      const Bound bound = begins(i, limit);
      for (const program::Dependency& dependency : dependencies_.of(i)) {
        limits[dependency.on] = earlier(limits[dependency.on], bound);
      }
    }
  }

  void move_forward() {
    std::vector<Bound> ends(merged_.size());
    for (OperationIndex i = 0; i < merged_.size(); ++i) {
      const program::Operation& operation = program_.operations[i];
      device::Observed& seen = merged_[i];
      if (!on_device(operation)) continue;
      Bound floor;
      for (const program::Dependency& dependency : dependencies_.of(i)) floor = later(floor, ends[dependency.on]);
      ends[i] = floor;
      if (takes_no_time(operation) || !known(seen.end)) continue;
      const Nanoseconds begin = known(seen.start) ? seen.start : seen.end;
      if (known(floor.time) && begin < floor.time && floor.time - begin <= doubts_.together(floor.by, i)) {
        if (known(seen.start)) seen.start = floor.time;
        seen.end = std::max(seen.end, floor.time);
        ++moved_;
      }
      ends[i] = {seen.end, i};
    }
  }

  // Only where copies have a start of their own; else reconstruct() lets them follow one another.
  void take_turns(const DeviceEngine& of) {
    std::vector<OperationIndex> queue;
    for (OperationIndex i = 0; i < merged_.size(); ++i) {
      const program::Operation& operation = program_.operations[i];
      const DeviceEngine its{program::device_of(program_, operation).value, program::engine_of(operation.work)};
      if (its == of && known(merged_[i].end)) queue.push_back(i);
    }
    std::sort(queue.begin(), queue.end(), [&](OperationIndex a, OperationIndex b) {
      return std::tie(merged_[a].end, a) < std::tie(merged_[b].end, b);
    });
    for (std::size_t at = 1; at < queue.size(); ++at) {
      const OperationIndex before = queue[at - 1];
      device::Observed& seen = merged_[queue[at]];
      const Nanoseconds gap = elapsed(seen.start, merged_[before].end);
      if (!known(seen.start) || gap <= 0 || gap > doubts_.together(before, queue[at])) continue;
      seen.start = merged_[before].end;
      ++moved_;
    }
  }

  const program::Program& program_;
  const program::Dependencies& dependencies_;
  std::vector<device::Observed>& merged_;
  Doubts doubts_;
  std::size_t moved_ = 0;
};

// Of what moves data or computes, what no pass saw.
void tell_unseen(const std::vector<device::Observed>& merged, const std::vector<trace::Span>& spans, std::size_t passes,
                 std::uint32_t of, trace::Notes& notes) {
  std::size_t follow = 0, unknown = 0;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (!trace::device_work(spans[i]) || merged[i].samples > 0) continue;
    ++(known(spans[i].start) && known(spans[i].end) ? follow : unknown);
  }
  if (unknown == 0 && (follow == 0 || passes >= of)) return;
  std::string text = tr("Never seen: {} of {} operations", follow + unknown, spans.size());
  if (passes < of) text += tr(", since only {} of {} shares had their turn", passes, of);
  if (follow > 0) text += tr("; {} of them follow from others", follow);
  if (unknown > 0) text += tr("; {} have no times", unknown);
  notes.push_back(
      {trace::NoteKind::sampling, text + tr(". Ask for more runs (--repeat) or a larger share (--share).")});
}

}  // namespace

Merged merge(const program::Program& program, const program::Dependencies& dependencies, const trace::Trace& frame,
             const Sampling& sampling, std::uint32_t of, const device::Circumstances& circumstances) {
  std::vector<device::Observed> merged = sampling.merged();
  Mending mending(program, dependencies, merged);
  mending.run();
  Merged result;
  result.mended = mending.moved();
  result.spans = device::blank_spans(program, frame);
  reconstruct::reconstruct(program, dependencies, merged, result.spans, circumstances);
  result.contradictions =
      reconstruct::find_contradictions(program, dependencies, result.spans, mending.doubts().spreads());
  tell_unseen(merged, result.spans, sampling.passes(), of, result.notes);
  return result;
}

}  // namespace streamscope::measure
