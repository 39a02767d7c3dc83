#include "engine/reconstruct/contradictions.h"

#include <algorithm>
#include <tuple>

#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/reconstruct/reconstruction.h"

namespace streamscope::reconstruct {
namespace {

using Rule = Contradiction::Rule;

// Smaller copies to the device may have left the host's memory, but not have arrived, when the call returns
// (docs/cuda-rules.md 9).
constexpr std::uint64_t kReturnsEarly = 64 << 10;

// Whether the operation's own call returns when it has ended.
bool call_returns_at_end(const program::Program& program, const program::Operation& operation) {
  const auto* copy = std::get_if<program::op::Copy>(&operation.work);
  if (copy == nullptr || operation.launch != kNoOperation) return false;
  if (copy->direction == program::Direction::d2h) return program::call_waits_for_copy(program, operation.work);
  return copy->blocking && !program::returns_after_staging(program, *copy) &&
         program::moved_bytes(copy->host) > kReturnsEarly;
}

// Whether cudaFree and its like wait is the device's own affair (docs/cuda-rules.md 4).
bool waits_for_certain(const program::Operation& operation) {
  return is_host_work(operation) && !may_wait_unasked(program::kind(operation.work));
}

class Search {
 public:
  Search(const program::Program& program, std::span<const trace::Span> spans, std::span<const Nanoseconds> spread)
      : program_(program), spans_(spans), spread_(spread) {}

  void dependencies(const program::Dependencies& dependencies) {
    for (OperationIndex i = 0; i < spans_.size(); ++i) {
      const program::Operation& operation = program_.operations[i];
      const bool on_device = !is_host_work(operation);
      const bool refused = spans_[i].result == CallResult::capture_unsupported;  // so it waited for nothing
      if (!on_device && (refused || !waits_for_certain(operation))) continue;
      const Nanoseconds latest = on_device ? latest_start(i) : plus(spans_[i].host_end, spread(i));
      for (const program::Dependency& dependency : dependencies.of(i)) {
        if (may_come_first(i, dependency.on)) continue;
        compare(dependency.on, i, elapsed(latest, earliest_end(dependency.on)),
                on_device ? Rule::order : Rule::host_wait);
      }
    }
  }

  void each_alone() {
    for (OperationIndex i = 0; i < spans_.size(); ++i) {
      const trace::Span& span = spans_[i];
      const program::Operation& operation = program_.operations[i];
      compare(kNoOperation, i, elapsed(span.host_end, span.host_begin), Rule::duration);
      if (is_host_work(operation)) continue;
      compare(kNoOperation, i, elapsed(plus(span.end, end_doubt(i)), plus(span.start, -start_doubt(i))),
              Rule::duration);
      compare(kNoOperation, i, elapsed(latest_start(i), plus(span.host_begin, -spread(i))), Rule::call);
      if (call_returns_at_end(program_, operation))
        compare(i, i, elapsed(plus(span.host_end, spread(i)), earliest_end(i)), Rule::host_wait);
    }
  }

  // Of those that have begun for certain when a copy begins, the one that goes on longest.
  void engine(DeviceEngine of) {
    std::vector<OperationIndex> copies;
    for (OperationIndex i = 0; i < spans_.size(); ++i) {
      if (trace::queue_of(spans_[i]) != of || !has_engine_to_itself(program_, program_.operations[i])) continue;
      if (known(latest_start(i)) && known(earliest_end(i))) copies.push_back(i);
    }
    std::sort(copies.begin(), copies.end(), [&](OperationIndex a, OperationIndex b) {
      return std::tuple(latest_start(a), a) < std::tuple(latest_start(b), b);
    });
    OperationIndex longest = kNoOperation;
    for (const OperationIndex i : copies) {
      if (longest != kNoOperation) {
        compare(longest, i, std::min(earliest_end(longest) - latest_start(i), earliest_end(i) - latest_start(longest)),
                Rule::engine);
      }
      if (longest == kNoOperation || earliest_end(i) > earliest_end(longest)) longest = i;
    }
  }

  std::vector<Contradiction> found;

 private:
  // Of two threads' calls at one time, one of which may have waited for room or for the other thread in the driver, it
  // is not known which one gave its operation to the device first.
  bool may_come_first(OperationIndex later, OperationIndex earlier) const {
    const trace::Span &a = spans_[earlier], &b = spans_[later];
    if (program_.operations[later].thread == program_.operations[earlier].thread) return false;
    return known(a.host_end) && known(b.host_begin) && b.host_begin < a.host_end && a.host_begin < b.host_end;
  }
  static Nanoseconds plus(Nanoseconds time, Nanoseconds by) { return known(time) ? time + by : kAbsent; }
  Nanoseconds spread(OperationIndex i) const {
    if (!spread_.empty()) return spread_[i];
    return spans_[i].samples > 1 ? spans_[i].spread : 0;
  }
  Nanoseconds start_doubt(OperationIndex i) const { return spans_[i].start_uncertainty + spread(i); }
  Nanoseconds end_doubt(OperationIndex i) const { return spans_[i].uncertainty + spread(i); }
  Nanoseconds latest_start(OperationIndex i) const { return plus(spans_[i].start, start_doubt(i)); }
  Nanoseconds earliest_end(OperationIndex i) const { return plus(spans_[i].end, -end_doubt(i)); }

  void compare(OperationIndex before, OperationIndex after, Nanoseconds by, Rule rule) {
    if (known(by) && by > 0) found.push_back({before, after, by, rule});
  }

  const program::Program& program_;
  std::span<const trace::Span> spans_;
  std::span<const Nanoseconds> spread_;
};

std::string named(std::span<const trace::Span> spans, OperationIndex i) {
  const std::uint32_t line = spans[i].line;
  return line == 0 ? tr("operation {}", i) : tr("operation {} (line {})", i, line);
}

std::string worst_text(const Contradiction& worst, std::span<const trace::Span> spans) {
  const std::string after = named(spans, worst.after), by = display_duration(worst.by);
  switch (worst.rule) {
    case Rule::call: return tr("{} starts {} before its call begins", after, by);
    case Rule::duration: return tr("{} ends {} before it starts", after, by);
    case Rule::host_wait:
      return worst.before == worst.after
                 ? tr("the call of {} returns {} before that has ended", after, by)
                 : tr("{} returns {} before {} has ended", after, by, named(spans, worst.before));
    case Rule::engine: return tr("{} is on its engine for {} together with {}", after, by, named(spans, worst.before));
    case Rule::order: break;
  }
  return tr("{} starts {} before {} has ended", after, by, named(spans, worst.before));
}

}  // namespace

std::vector<Contradiction> find_contradictions(const program::Program& program,
                                               const program::Dependencies& dependencies,
                                               std::span<const trace::Span> spans,
                                               std::span<const Nanoseconds> spread) {
  Search search(program, spans, spread);
  search.dependencies(dependencies);
  search.each_alone();
  for (std::uint32_t device = 0; device < program::device_count(program); ++device)
    for (const Engine engine : {Engine::h2d, Engine::d2h}) search.engine({device, engine});
  return std::move(search.found);
}

std::string contradiction_text(std::span<const Contradiction> found, std::span<const trace::Span> spans) {
  const Contradiction& worst = *std::max_element(
      found.begin(), found.end(), [](const Contradiction& a, const Contradiction& b) { return a.by < b.by; });
  return tr_n("Times contradict each other {} time by more than they may be off; at worst {}.",
              "Times contradict each other {} times by more than they may be off; at worst {}.", found.size(),
              found.size(), worst_text(worst, spans));
}

}  // namespace streamscope::reconstruct
