#include "engine/trace/device_facts.h"

#include <algorithm>
#include <tuple>

#include "engine/trace/trace.h"

namespace streamscope::trace {

Nanoseconds usual_hand_over(const std::vector<HandOver>& all, WaitReason after, Engine from, Engine to) {
  Nanoseconds usual = kAbsent;
  int most = -1;
  for (const HandOver& one : all) {
    const bool fits = one.after == after && (one.from == from || one.from == Engine::none) &&
                      (one.to == to || one.to == Engine::none);
    const int specific = (one.to != Engine::none ? 2 : 0) + (one.from != Engine::none ? 1 : 0);
    if (!fits || specific <= most) continue;
    most = specific;
    usual = one.usual;
  }
  return usual;
}

Nanoseconds usual_hand_over(const DeviceFacts& facts, WaitReason after, Engine from, Engine to) {
  return usual_hand_over(facts.hand_overs, after, from, to);
}

bool comes_before(const LaunchShape& a, const LaunchShape& b) {
  return std::tie(a.line, a.name, a.bytes) < std::tie(b.line, b.name, b.bytes);
}

const LaunchShape* launch_of(const Trace& trace, const Span& span) {
  if (span.kind != OperationKind::kernel) return nullptr;
  const LaunchShape wanted{.line = span.line, .name = span.name, .bytes = span.bytes};
  const auto at = std::lower_bound(trace.launches.begin(), trace.launches.end(), wanted, comes_before);
  return at != trace.launches.end() && !comes_before(wanted, *at) ? &*at : nullptr;
}

}  // namespace streamscope::trace
