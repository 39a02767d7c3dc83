#include "tests/generated/logged_slices.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace streamscope::generated {
namespace {

using model::Hold;
using model::HoldKind;
using verdict::Holder;
using verdict::Slice;
using verdict::WaitCause;

WaitCause cause_of(HoldKind kind) {
  switch (kind) {
    case HoldKind::stream: return WaitCause::stream;
    case HoldKind::legacy: return WaitCause::legacy;
    case HoldKind::event: return WaitCause::event;
    case HoldKind::graph: return WaitCause::graph;
    case HoldKind::pool: return WaitCause::pool;
    case HoldKind::queue: return WaitCause::queue;
    case HoldKind::occupant: break;
  }
  return WaitCause::engine;
}

bool is_occupant(WaitCause cause) {
  switch (cause) {
    case WaitCause::engine:
    case WaitCause::other_direction:
    case WaitCause::host_functions:
    case WaitCause::blocks:
    case WaitCause::room:
    case WaitCause::priority: return true;
    default: return false;
  }
}

// At each instant the holder that holds it longest counts; of two until the same instant the first operation. Not by
// the verdict's own way of doing this, which is looked at here.
std::vector<Slice> slices_of(Nanoseconds from, Nanoseconds to, const std::vector<Holder>& holders) {
  std::vector<Slice> all;
  while (from < to) {
    const Holder* longest = nullptr;
    Nanoseconds until = to;
    for (const Holder& one : holders) {
      if (one.from > from) until = std::min(until, one.from);
      if (one.from > from || one.until <= from) continue;
      if (longest == nullptr || std::pair(-one.until, one.by) < std::pair(-longest->until, longest->by)) longest = &one;
    }
    if (longest != nullptr) {
      until = std::min(until, longest->until);
      all.push_back({from, until, longest->cause, longest->by, true});
    }
    from = until;
  }
  return all;
}

bool is_held(WaitCause cause) { return cause != WaitCause::hand_over && cause != WaitCause::unexplained; }

}  // namespace

LoggedSlices::LoggedSlices(const verdict::History& history, const std::vector<Hold>& holds)
    : history_(history), of_(history.size()) {
  for (const Hold& hold : holds) of_[hold.operation].push_back(hold);
}

// Records, waits and launches do no work, so what they came behind stands for them.
std::vector<Slice> LoggedSlices::of(OperationIndex i) const {
  const Nanoseconds issued = history_.issued(i), start = history_.span(i).start;
  if (issued >= start) return {};
  std::vector<Holder> holders;
  if (const auto last = last_dependency(i)) holders.push_back({issued, last->until, last->cause, last->by});
  for (const Hold& hold : holds(i)) {
    if (hold.kind == HoldKind::queue) holders.push_back({issued, hold.until, WaitCause::queue, hold.by});
    if (hold.kind == HoldKind::occupant) holders.push_back({hold.from, hold.until, WaitCause::engine, hold.by});
  }
  return slices_of(issued, start, holders);
}

std::optional<Holder> LoggedSlices::last_dependency(OperationIndex i) const {
  if (const auto found = last_.find(i); found != last_.end()) return found->second;
  return last_[i] = find_last_dependency(i);
}

// What it depends on that released it last. What does no work itself counts for what it came behind, if that held it.
std::optional<Holder> LoggedSlices::find_last_dependency(OperationIndex i) const {
  std::optional<Holder> found;
  Nanoseconds latest = kAbsent;
  for (const Hold& hold : holds(i)) {
    if (hold.kind == HoldKind::queue || hold.kind == HoldKind::occupant) continue;
    std::optional<Holder> holder = Holder{hold.from, hold.until, cause_of(hold.kind), hold.by};
    Nanoseconds released = hold.until;
    if (!history_.executes(hold.by)) {
      holder = last_dependency(hold.by);
      if (!holder) continue;
      if (holder->until <= history_.issued(hold.by)) released = holder->until;
      const bool node_of_it = history_.span(i).launch == hold.by;
      if (hold.kind != HoldKind::stream && !node_of_it) holder->cause = cause_of(hold.kind);
    }
    if (released <= latest) continue;
    found = holder;
    latest = released;
  }
  return found;
}

std::vector<Slice> comparable(const std::vector<Slice>& slices) {
  std::vector<Slice> out;
  for (Slice slice : slices) {
    if (!is_held(slice.cause)) continue;
    if (is_occupant(slice.cause)) slice.cause = WaitCause::engine;
    slice.certain = true;
    if (!out.empty() && out.back().to == slice.from && out.back().by == slice.by && out.back().cause == slice.cause) {
      out.back().to = slice.to;
    } else {
      out.push_back(slice);
    }
  }
  return out;
}

std::string text(const std::vector<Slice>& slices) {
  std::string out;
  for (const Slice& slice : slices) {
    out += fmt::format(" [{}, {}) {} by {}", slice.from, slice.to, name_of(slice.cause),
                       slice.by == kNoOperation ? std::string("nobody") : std::to_string(slice.by));
  }
  return out;
}

}  // namespace streamscope::generated
