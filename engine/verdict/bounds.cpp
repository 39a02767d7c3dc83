#include "engine/verdict/bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <compare>
#include <limits>
#include <map>

#include "engine/verdict/by_time.h"

namespace streamscope::verdict {
namespace {

using trace::Span;

constexpr Nanoseconds kNever = std::numeric_limits<Nanoseconds>::max();

Nanoseconds sum(Nanoseconds a, Nanoseconds b) {
  add(a, b);
  return a;
}

Nanoseconds took(const Span& span) { return elapsed(span.start, span.end); }

// Durations of its start's and its end's doubts.
Nanoseconds doubt(const Span& span) { return Nanoseconds{span.start_uncertainty} + span.uncertainty; }

// The longest ways through the program's order to the begin of each operation and from its end, at durations that are
// the least an operation takes. What a thread issues comes after what it has waited for. Which of two threads issues
// first is chance: what one did is ahead of the other's work only where it had to be.
class LongestWays {
 public:
  LongestWays(const History& history, const std::vector<Nanoseconds>& durations)
      : history_(history),
        durations_(durations),
        before_(history.size(), 0),
        after_(history.size(), 0),
        started_(history.calls().size(), kNoOperation) {
    for (OperationIndex i = 0; i < history.size(); ++i) {
      if (const auto* start = as<program::op::StartThread>(i)) started_[start->thread.value] = i;
    }
    go_forward();
    go_back();
  }
  Nanoseconds before(OperationIndex i) const { return before_[i]; }
  Nanoseconds after(OperationIndex i) const { return after_[i]; }
  Nanoseconds longest() const { return longest_; }

 private:
  OperationIndex call_of(OperationIndex i) const {
    const OperationIndex launch = history_.span(i).launch;
    return launch == kNoOperation ? i : launch;
  }
  std::size_t thread_of(OperationIndex i) const {
    return std::min<std::size_t>(history_.span(call_of(i)).thread, history_.calls().size() - 1);
  }
  // Whether `on`, which was issued first, always is: by the same thread, or before `i`'s thread was started.
  bool always_ahead(OperationIndex on, OperationIndex i) const {
    if (thread_of(on) == thread_of(i)) return true;
    const OperationIndex start = started_[thread_of(i)];
    return start != kNoOperation && thread_of(start) == thread_of(on) && call_of(on) < start;
  }
  // Whether what its thread issues next comes after it.
  bool is_waited_for(OperationIndex i) const {
    if (history_.in_stream(i)) return waits_to_the_end(i);
    return true;
  }
  bool waits_to_the_end(OperationIndex i) const {
    if (!history_.span(i).blocking || history_.program() == nullptr) return false;
    const auto* const copy = std::get_if<program::op::Copy>(&history_.program()->operations[i].work);
    return copy != nullptr && copy->blocking && !program::returns_after_staging(*history_.program(), *copy);
  }
  template <class T>
  const T* as(OperationIndex i) const {
    return history_.program() == nullptr ? nullptr : std::get_if<T>(&history_.program()->operations[i].work);
  }

  void go_forward() {
    std::vector<Nanoseconds> threads(history_.calls().size(), 0);
    for (const OperationIndex i : history_.order()) {
      Nanoseconds& thread = threads[thread_of(i)];
      Nanoseconds begin = thread;
      for (const program::Dependency& one : history_.behind(i)) {
        if (always_ahead(one.on, i)) begin = std::max(begin, sum(before_[one.on], durations_[one.on]));
      }
      if (const auto* join = as<program::op::JoinThread>(i)) begin = std::max(begin, threads[join->thread.value]);
      before_[i] = begin;
      longest_ = std::max(longest_, sum(begin, durations_[i]));
      if (is_waited_for(i)) thread = std::max(thread, sum(begin, durations_[i]));
      if (const auto* start = as<program::op::StartThread>(i)) threads[start->thread.value] = thread;
    }
  }

  void go_back() {
    std::vector<Nanoseconds> threads(history_.calls().size(), 0);  // the longest way through what each issues later
    for (auto at = history_.order().rbegin(); at != history_.order().rend(); ++at) {
      const OperationIndex i = *at;
      Nanoseconds& thread = threads[thread_of(i)];
      if (const auto* start = as<program::op::StartThread>(i)) thread = std::max(thread, threads[start->thread.value]);
      if (is_waited_for(i)) after_[i] = std::max(after_[i], thread);
      if (const auto* join = as<program::op::JoinThread>(i)) {
        Nanoseconds& joined = threads[join->thread.value];
        joined = std::max(joined, thread);
      }
      const Nanoseconds way = sum(after_[i], durations_[i]);
      for (const program::Dependency& one : history_.behind(i)) {
        if (always_ahead(one.on, i)) after_[one.on] = std::max(after_[one.on], way);
      }
      thread = std::max(thread, way);
    }
  }

  const History& history_;
  const std::vector<Nanoseconds>& durations_;
  std::vector<Nanoseconds> before_, after_;
  std::vector<OperationIndex> started_;  // by thread: what started it; kNoOperation: the first
  Nanoseconds longest_ = 0;
};

struct Shortest {
  Isolated of_all;
  bool sure = false;  // its doubt is a small part of it
  bool alone = false;
};
constexpr Nanoseconds kSure = 4;  // times its doubt

// The least that one took alone, but for bars that were drawn far too short: what ran alone varies by its spread.
Nanoseconds least_alone(const trace::IsolatedTime& time) {
  const Nanoseconds varies = known(time.spread) ? 3 * std::max(time.spread, time.duration / 100) : time.duration / 10;
  return std::max(time.shortest, time.duration - varies);
}

// What a unit has to do, by the byte at the fastest rate that it was seen at.
struct Work {
  Nanoseconds time = 0, uncertainty = 0;
  bool known = false;
};

Work work_by_bytes(const History& history, const std::vector<Isolated>& isolated,
                   std::span<const OperationIndex> operations) {
  double best = 0, doubt_of_best = 0;  // bytes per nanosecond; of its duration, as a part
  double bytes = 0;
  for (const OperationIndex i : operations) {
    const double each = static_cast<double>(history.span(i).bytes);
    bytes += each;
    if (isolated[i].duration <= 0) return {0, 0, true};  // of pages that were there already
    const double time = static_cast<double>(isolated[i].duration);
    if (each / time <= best) continue;
    best = each / time;
    doubt_of_best = static_cast<double>(isolated[i].uncertainty) / time;
  }
  if (best == 0) return {};
  const double time = bytes / best;
  return {static_cast<Nanoseconds>(time), static_cast<Nanoseconds>(time * doubt_of_best), true};
}

// How long at least one of them ran; by start.
Nanoseconds time_busy(const History& history, std::span<const OperationIndex> operations) {
  Nanoseconds busy = 0, until = kAbsent;
  for (const OperationIndex i : operations) {
    const Span& span = history.span(i);
    const Nanoseconds from = std::max(span.start, until);
    if (span.end > from) add(busy, span.end - from);
    until = std::max(until, span.end);
  }
  return busy;
}

// Of kernels: how long their blocks take what they need of the multiprocessors, of which kernels side by side need
// different things; what is taken longest counts.
Work work_of_kernels(const History& history, const std::vector<Isolated>& isolated,
                     std::span<const OperationIndex> operations, std::uint32_t device) {
  const trace::Trace& trace = history.trace();
  if (device >= trace.device_facts.size() || operations.empty()) return {};
  const trace::DeviceFacts& has = trace.device_facts[device];
  if (has.multiprocessors == 0) return {};
  enum { kThreads, kBlocks, kRegisters, kShared, kResources };
  std::array<double, kResources> times{}, doubts{};
  for (const OperationIndex i : operations) {
    const trace::LaunchShape* const shape = trace::launch_of(trace, history.span(i));
    if (shape == nullptr || shape->blocks == 0 || shape->blocks_at_once == 0) return {};
    const auto blocks = static_cast<double>(shape->blocks);
    const std::uint64_t held = std::uint64_t{shape->blocks_at_once} * has.multiprocessors;
    const double waves = static_cast<double>((shape->blocks + held - 1) / held);
    const auto part_of = [&](double each, double all) {
      return all > 0 ? std::min(1.0, each / all) / waves * blocks / static_cast<double>(has.multiprocessors) : 0;
    };
    const double threads = shape->threads;
    const std::array<double, kResources> parts{
        part_of(threads, has.threads), part_of(1, has.blocks), part_of(threads * shape->registers, has.registers),
        part_of(static_cast<double>(shape->shared_bytes + has.block_shared_reserved),
                static_cast<double>(has.shared_bytes))};
    for (std::size_t resource = 0; resource < kResources; ++resource) {
      times[resource] += parts[resource] * static_cast<double>(isolated[i].duration);
      doubts[resource] += parts[resource] * static_cast<double>(isolated[i].uncertainty);
    }
  }
  const auto most = static_cast<std::size_t>(std::ranges::max_element(times) - times.begin());
  // Done in less: then blocks do not take as long as their kernel, and how long they do is not known.
  if (times[most] - doubts[most] > static_cast<double>(time_busy(history, operations))) return {};
  return {static_cast<Nanoseconds>(times[most]), static_cast<Nanoseconds>(doubts[most]), true};
}

// Of copies of both directions. Side by side each gets a part of its rate; what is left of either goes alone. Where the
// two parts are less than one rate together it is better not to go side by side.
Work work_of_bus(const History& history, const std::vector<Isolated>& isolated, std::uint32_t device) {
  if (device >= history.trace().device_facts.size()) return {};
  const trace::DeviceFacts& facts = history.trace().device_facts[device];
  const Work in = work_by_bytes(history, isolated, history.executed(device, Unit::h2d));
  const Work out = work_by_bytes(history, isolated, history.executed(device, Unit::d2h));
  const double in_part = facts.h2d_beside_d2h / 1e6, out_part = facts.d2h_beside_h2d / 1e6;
  if (!in.known || !out.known || in_part <= 0 || out_part <= 0 || in_part + out_part <= 1) return {};
  const auto in_time = static_cast<double>(in.time), out_time = static_cast<double>(out.time);
  const double both = std::min(in_time / in_part, out_time / out_part);
  const double time = both + (in_time - in_part * both) + (out_time - out_part * both);
  return {static_cast<Nanoseconds>(time), in.uncertainty + out.uncertainty, true};
}

// The greater of two for one engine.
void add_bound(std::vector<Bound>& all, const Bound& bound) {
  const auto same = std::ranges::find_if(all, [&](const Bound& one) { return name(one) == name(bound); });
  if (same == all.end()) {
    all.push_back(bound);
  } else if (bound.time > same->time) {
    *same = bound;
  }
}

}  // namespace

std::string name(const Bound& bound) {
  if (bound.kind == BoundKind::bus && bound.engine.device != 0) return fmt::format("bus:{}", bound.engine.device);
  if (bound.kind != BoundKind::engine) return std::string(kNames<BoundKind>[static_cast<std::size_t>(bound.kind)]);
  const std::string device = bound.engine.device == 0 ? "" : fmt::format("{}:", bound.engine.device);
  return fmt::format("engine:{}{}", device, streamscope::name(bound.engine.engine));
}

std::vector<Isolated> isolated_durations(const History& history, const std::vector<trace::IsolatedTime>& alone) {
  std::vector<OperationIndex> by_start;
  for (OperationIndex i = 0; i < history.size(); ++i) {
    if (history.executes(i)) by_start.push_back(i);
  }
  sort_by_time(by_start, [&](OperationIndex i) { return history.span(i).start; });
  std::map<trace::OperationClass, Shortest> classes;
  Nanoseconds until = kAbsent;
  for (std::size_t at = 0; at < by_start.size(); ++at) {
    const Span& span = history.span(by_start[at]);
    Shortest& shortest = classes[trace::class_of(span)];
    const bool last = at + 1 == by_start.size();
    const bool by_itself = span.start >= until && (last || history.span(by_start[at + 1]).start >= span.end);
    until = std::max(until, span.end);
    shortest.alone = shortest.alone || by_itself;
    // Of bars that are little more than a doubt none is the shortest that was seen.
    const bool sure = kSure * doubt(span) <= took(span);
    if (sure < shortest.sure) continue;
    if (sure > shortest.sure || !known(shortest.of_all.duration) || took(span) < shortest.of_all.duration) {
      shortest.of_all = {took(span), doubt(span)};
      shortest.sure = sure;
    }
  }
  std::vector<Isolated> out(history.size());
  for (const OperationIndex i : by_start) {
    const Shortest& shortest = classes.at(trace::class_of(history.span(i)));
    out[i] = shortest.of_all;
    const trace::IsolatedTime* const measured = trace::isolated_time_of(alone, history.span(i));
    if (measured != nullptr) {
      const Nanoseconds least = least_alone(*measured);
      // A bar of which half is missing is nothing but its doubt; one a little shorter may be right.
      const bool no_bar = !shortest.sure && 2 * out[i].duration < least;
      if (no_bar) out[i].uncertainty = std::max<Nanoseconds>(0, measured->duration - least);
      if (no_bar || least < out[i].duration) out[i].duration = least;
    }
    out[i].alone = shortest.alone || measured != nullptr;
    // It was slowed by who knows how much.
    if (!out[i].alone) out[i].uncertainty = out[i].duration;
  }
  return out;
}

std::vector<Bound> bounds(const History& history, const std::vector<Isolated>& isolated) {
  std::vector<Nanoseconds> durations(history.size(), 0), least(history.size(), 0);
  for (OperationIndex i = 0; i < history.size(); ++i) {
    if (!known(isolated[i].duration)) continue;
    durations[i] = isolated[i].duration;
    least[i] = std::max<Nanoseconds>(0, isolated[i].duration - isolated[i].uncertainty);
  }
  const LongestWays ways(history, durations), least_ways(history, least);
  std::vector<Bound> out;
  const auto keep = [&](BoundKind kind, DeviceEngine which, const auto& operations, const Work& work) {
    if (!work.known || operations.empty()) return;
    Nanoseconds before = kNever, after = kNever, least_before = kNever, least_after = kNever;
    for (const OperationIndex i : operations) {
      before = std::min(before, ways.before(i));
      after = std::min(after, ways.after(i));
      least_before = std::min(least_before, least_ways.before(i));
      least_after = std::min(least_after, least_ways.after(i));
    }
    const Nanoseconds time = sum(sum(before, work.time), after);
    const Nanoseconds at_least = sum(sum(least_before, work.time - work.uncertainty), least_after);
    add_bound(out, {kind, which, time, time - at_least, work.time});
  };
  for (std::uint32_t device = 0; device < history.devices(); ++device) {
    for (const auto& [unit, its] : {std::pair{Unit::h2d, Engine::h2d}, std::pair{Unit::d2h, Engine::d2h},
                                    std::pair{Unit::within_device, Engine::compute}}) {
      const auto operations = history.executed(device, unit);
      keep(BoundKind::engine, {device, its}, operations, work_by_bytes(history, isolated, operations));
    }
    const auto kernels = history.executed(device, Unit::kernels);
    keep(BoundKind::engine, {device, Engine::compute}, kernels, work_of_kernels(history, isolated, kernels, device));
    std::vector<OperationIndex> copies(history.executed(device, Unit::h2d).begin(),
                                       history.executed(device, Unit::h2d).end());
    copies.insert(copies.end(), history.executed(device, Unit::d2h).begin(), history.executed(device, Unit::d2h).end());
    keep(BoundKind::bus, {device, Engine::none}, copies, work_of_bus(history, isolated, device));
  }
  out.push_back({BoundKind::order, {}, ways.longest(), ways.longest() - least_ways.longest(), 0});
  Nanoseconds host = 0;
  for (const std::vector<OperationIndex>& thread : history.calls()) {
    Nanoseconds its = 0;
    for (const OperationIndex i : thread) {
      const Span& span = history.span(i);
      const bool waits = span.kind == OperationKind::sync || span.kind == OperationKind::poll ||
                         span.kind == OperationKind::join || history.call_waits(i) ||
                         span.reason == trace::WaitReason::host;
      if (!waits) add(its, std::max<Nanoseconds>(0, elapsed(span.host_begin, span.host_end)));
    }
    host = std::max(host, its);
  }
  out.push_back({BoundKind::host, {}, host, 0, 0});
  return out;
}

}  // namespace streamscope::verdict
