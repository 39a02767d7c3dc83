// Whether the times that a pass states can all be true: what CUDA orders is in order, an engine does one thing at a
// time, a call that waits returns no sooner than what it waits for ends.
//
// Pure. A time stands for all that it may be, by its uncertainty, and only what no choice among these allows is a
// contradiction. So a sound pass has none, whatever instrument observed it, and a model's has none at all.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/program/order/order.h"
#include "engine/program/program.h"
#include "engine/trace/trace.h"

namespace streamscope::reconstruct {

struct Contradiction {
  enum class Rule : std::uint8_t {
    order,      // `after` starts before `before`, which it depends on, has ended
    host_wait,  // the call of `after` waits for `before`, and returns before that has ended
    call,       // `after` starts before the call that asked for it began; no `before`
    duration,   // `after` ends before it starts; no `before`
    engine,     // both have the same engine to themselves, at the same time
  };
  OperationIndex before = kNoOperation, after = kNoOperation;
  Nanoseconds by = 0;  // beyond the uncertainties of both times
  Rule rule = Rule::order;
  friend bool operator==(const Contradiction&, const Contradiction&) = default;
};

// The times of `spans`, one for each operation, as far as they are known. `dependencies`: of the order in which the
// calls were made. `spread`: by operation, how far its times may be off besides their uncertainties (of a merged
// trace); empty: what the spans say. At most one for each dependency, operation and call. O(n log n).
std::vector<Contradiction> find_contradictions(const program::Program& program,
                                               const program::Dependencies& dependencies,
                                               std::span<const trace::Span> spans,
                                               std::span<const Nanoseconds> spread = {});

// How often, and the worst of them, in whole sentences. There must be one.
std::string contradiction_text(std::span<const Contradiction> found, std::span<const trace::Span> spans);

}  // namespace streamscope::reconstruct
