#include "engine/verdict/bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <compare>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "engine/analysis/kernel_figures.h"
#include "engine/verdict/by_time.h"
#include "engine/verdict/touched.h"

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

// At the shortest durations that were seen, and at the least that these may be: both are summed in one go.
struct Times {
  Nanoseconds seen = 0, least = 0;
};
Times sum(const Times& a, const Times& b) { return {sum(a.seen, b.seen), sum(a.least, b.least)}; }
void raise(Times& to, const Times& by) {
  to.seen = std::max(to.seen, by.seen);
  to.least = std::max(to.least, by.least);
}
void lower(Times& to, const Times& by) {
  to.seen = std::min(to.seen, by.seen);
  to.least = std::min(to.least, by.least);
}

// The longest ways through the program's order to the begin of each operation and from its end. What a thread issues
// comes after what it has waited for. Which of two threads issues first is chance: what one did is ahead of the other's
// work only where it had to be.
class LongestWays {
 public:
  LongestWays(const History& history, const std::vector<Times>& durations)
      : history_(history),
        durations_(durations),
        facts_(history.size()),
        before_(history.size()),
        after_(history.size()),
        started_(history.calls().size(), kNoOperation) {
    for (OperationIndex i = 0; i < history.size(); ++i) {
      facts_[i] = {.thread = thread_of(i), .is_waited_for = is_waited_for(i)};
      if (history.program() == nullptr) continue;
      const program::Work& work = history.program()->operations[i].work;
      const auto* start = std::get_if<program::op::StartThread>(&work);
      if (start != nullptr) started_[start->thread.value] = i;
      facts_[i].starts_or_joins = start != nullptr || std::holds_alternative<program::op::JoinThread>(work);
    }
    go_forward();
    go_back();
  }
  const Times& before(OperationIndex i) const { return before_[i]; }
  const Times& after(OperationIndex i) const { return after_[i]; }
  const Times& longest() const { return longest_; }

 private:
  // Of an operation, as it is needed in its turn and in that of each that comes behind it.
  struct Facts {
    std::uint32_t thread = 0;
    bool is_waited_for = false;  // whether what its thread issues next comes after it
    bool starts_or_joins = false;
  };

  OperationIndex call_of(OperationIndex i) const {
    const OperationIndex launch = history_.span(i).launch;
    return launch == kNoOperation ? i : launch;
  }
  std::uint32_t thread_of(OperationIndex i) const {
    const std::size_t last = history_.calls().size() - 1;
    return static_cast<std::uint32_t>(std::min<std::size_t>(history_.span(call_of(i)).thread, last));
  }
  // Whether `on`, which was issued first, always is: by the same thread, or before `i`'s thread was started.
  bool always_ahead(OperationIndex on, OperationIndex i) const {
    if (facts_[on].thread == facts_[i].thread) return true;
    const OperationIndex start = started_[facts_[i].thread];
    return start != kNoOperation && facts_[start].thread == facts_[on].thread && call_of(on) < start;
  }
  bool is_waited_for(OperationIndex i) const {
    if (history_.in_stream(i)) return waits_to_the_end(i);
    return true;
  }
  bool waits_to_the_end(OperationIndex i) const {
    if (!history_.span(i).blocking || history_.program() == nullptr) return false;
    const auto* const copy = std::get_if<program::op::Copy>(&history_.program()->operations[i].work);
    return copy != nullptr && copy->blocking && !program::returns_after_staging(*history_.program(), *copy);
  }
  // A start or a join of a thread. The program is not looked at for all others.
  template <class T>
  const T* as(OperationIndex i) const {
    if (!facts_[i].starts_or_joins) return nullptr;
    return std::get_if<T>(&history_.program()->operations[i].work);
  }

  void go_forward() {
    std::vector<Times> threads(history_.calls().size());
    for (const OperationIndex i : history_.order()) {
      Times& thread = threads[facts_[i].thread];
      Times begin = thread;
      for (const program::Dependency& one : history_.behind(i)) {
        if (always_ahead(one.on, i)) raise(begin, sum(before_[one.on], durations_[one.on]));
      }
      if (const auto* join = as<program::op::JoinThread>(i)) raise(begin, threads[join->thread.value]);
      before_[i] = begin;
      const Times end = sum(begin, durations_[i]);
      raise(longest_, end);
      if (facts_[i].is_waited_for) raise(thread, end);
      if (const auto* start = as<program::op::StartThread>(i)) threads[start->thread.value] = thread;
    }
  }

  void go_back() {
    std::vector<Times> threads(history_.calls().size());  // the longest way through what each issues later
    for (auto at = history_.order().rbegin(); at != history_.order().rend(); ++at) {
      const OperationIndex i = *at;
      Times& thread = threads[facts_[i].thread];
      if (const auto* start = as<program::op::StartThread>(i)) raise(thread, threads[start->thread.value]);
      if (facts_[i].is_waited_for) raise(after_[i], thread);
      if (const auto* join = as<program::op::JoinThread>(i)) raise(threads[join->thread.value], thread);
      const Times way = sum(after_[i], durations_[i]);
      for (const program::Dependency& one : history_.behind(i)) {
        if (always_ahead(one.on, i)) raise(after_[one.on], way);
      }
      raise(thread, way);
    }
  }

  const History& history_;
  const std::vector<Times>& durations_;
  std::vector<Facts> facts_;
  std::vector<Times> before_, after_;
  std::vector<OperationIndex> started_;  // by thread: what started it; kNoOperation: the first
  Times longest_;
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

// Copies but for those that travel with the commands, which are no work of a copy engine; where all do, all.
std::vector<OperationIndex> on_engine(const History& history, std::span<const OperationIndex> copies) {
  std::vector<OperationIndex> out;
  std::ranges::copy_if(copies, std::back_inserter(out),
                       [&](OperationIndex i) { return !history.queue_place(i).in_commands; });
  if (out.empty()) out.assign(copies.begin(), copies.end());
  return out;
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
// different things, and how long their arithmetic takes at the device's peak; what is taken longest counts.
Work work_of_kernels(const History& history, const std::vector<Isolated>& isolated,
                     std::span<const OperationIndex> operations, std::uint32_t device) {
  const trace::Trace& trace = history.trace();
  if (device >= trace.device_facts.size() || operations.empty()) return {};
  const trace::DeviceFacts& has = trace.device_facts[device];
  if (has.multiprocessors == 0) return {};
  enum { kThreads, kBlocks, kRegisters, kShared, kArithmetic, kResources };
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
    const std::array<double, kArithmetic> parts{
        part_of(threads, has.threads), part_of(1, has.blocks), part_of(threads * shape->registers, has.registers),
        part_of(static_cast<double>(shape->shared_bytes + has.block_shared_reserved),
                static_cast<double>(has.shared_bytes))};
    for (std::size_t resource = 0; resource < parts.size(); ++resource) {
      times[resource] += parts[resource] * static_cast<double>(isolated[i].duration);
      doubts[resource] += parts[resource] * static_cast<double>(isolated[i].uncertainty);
    }
    const trace::KernelFacts* const facts = analysis::find_kernel(trace, i);
    if (facts != nullptr && facts->peak_flops > 0) times[kArithmetic] += facts->flops / facts->peak_flops * 1e9;
  }
  const auto most = static_cast<std::size_t>(std::ranges::max_element(times) - times.begin());
  // Done in less: then blocks do not take as long as their kernel, and how long they do is not known.
  if (times[most] - doubts[most] > static_cast<double>(time_busy(history, operations))) return {};
  return {static_cast<Nanoseconds>(times[most]), static_cast<Nanoseconds>(doubts[most]), true};
}

// Copies of pageable memory go as fast as the host stages them.
bool any_is_staged(const History& history, std::span<const OperationIndex> copies) {
  const program::Program* const program = history.program();
  if (program == nullptr) return false;
  return std::ranges::any_of(copies, [&](OperationIndex i) {
    const auto* const copy = std::get_if<program::op::Copy>(&program->operations[i].work);
    return copy != nullptr && program::host_memory(*program, *copy) == program::HostMemory::pageable;
  });
}

// Of copies of both directions. Side by side each gets a part of its rate; what is left of either goes alone. Where the
// two parts are less than one rate together it is better not to go side by side.
Work work_of_bus(const History& history, const Work& in, const Work& out, std::uint32_t device) {
  if (device >= history.trace().device_facts.size()) return {};
  const trace::DeviceFacts& facts = history.trace().device_facts[device];
  const double in_part = facts.h2d_beside_d2h / 1e6, out_part = facts.d2h_beside_h2d / 1e6;
  if (!in.known || !out.known || in_part <= 0 || out_part <= 0 || in_part + out_part <= 1) return {};
  const auto in_time = static_cast<double>(in.time), out_time = static_cast<double>(out.time);
  const double both = std::min(in_time / in_part, out_time / out_part);
  const double time = both + (in_time - in_part * both) + (out_time - out_part * both);
  return {static_cast<Nanoseconds>(time), in.uncertainty + out.uncertainty, true};
}

// What the first of some operations has before it, and the last behind it.
struct Ends {
  bool any = false;
  Times before{kNever, kNever}, after{kNever, kNever};
};
Ends ends_of(std::span<const OperationIndex> operations, const LongestWays& ways) {
  Ends all{.any = !operations.empty()};
  for (const OperationIndex i : operations) {
    lower(all.before, ways.before(i));
    lower(all.after, ways.after(i));
  }
  return all;
}
Ends of_both(Ends a, const Ends& b) {
  a.any = a.any || b.any;
  lower(a.before, b.before);
  lower(a.after, b.after);
  return a;
}

// What an operation can be slowed by: what else is on its devices, and for copies of the host's memory, or through it,
// any other such.
std::vector<std::size_t> shared_by(const Span& span, bool staged, std::size_t devices) {
  std::vector<std::size_t> all{span.device};
  if (span.kind == OperationKind::peer && span.to_device != span.device) all.push_back(span.to_device);
  const bool of_host = staged || span.kind == OperationKind::h2d || span.kind == OperationKind::d2h ||
                       span.kind == OperationKind::prefetch || span.kind == OperationKind::hostfn;
  if (of_host) all.push_back(devices);
  return all;
}

// Of operations in the order of their starts, beside which of them nothing was that could slow it.
std::vector<bool> had_all_for_itself(const History& history, const std::vector<OperationIndex>& by_start) {
  const std::size_t devices = history.devices();
  const std::set<OperationIndex> staged = staged_peer_copies(history.program());
  std::vector<bool> out(by_start.size(), true);
  std::vector<Nanoseconds> until(devices + 1, kAbsent);
  std::vector<std::optional<std::size_t>> last(devices + 1);
  for (std::size_t at = 0; at < by_start.size(); ++at) {
    const Span& span = history.span(by_start[at]);
    const bool may_be = history.program() == nullptr && span.kind == OperationKind::peer;
    for (const std::size_t each : shared_by(span, may_be || staged.contains(by_start[at]), devices)) {
      if (span.start < until[each]) out[at] = false;
      until[each] = std::max(until[each], span.end);
      if (last[each] && history.span(by_start[*last[each]]).end > span.start) out[*last[each]] = false;
      last[each] = at;
    }
  }
  return out;
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
  const std::vector<bool> by_itself = had_all_for_itself(history, by_start);
  for (std::size_t at = 0; at < by_start.size(); ++at) {
    const Span& span = history.span(by_start[at]);
    Shortest& shortest = classes[trace::class_of(span)];
    shortest.alone = shortest.alone || by_itself[at];
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
    // Another tool's kernels of one name may have any grid and arguments: the shortest says nothing of the others.
    if (history.span(i).kind == OperationKind::kernel && trace::of_another_tool(history.trace().provenance)) {
      out[i] = {took(history.span(i)), took(history.span(i)), false};
      continue;
    }
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
    // It was slowed by who knows how much; and of a prefetch on a GPU the call itself moves who knows how many pages.
    const bool is_measured = history.trace().provenance.kind == trace::Provenance::Kind::measured;
    const bool by_its_call = is_measured && history.span(i).kind == OperationKind::prefetch;
    if (!out[i].alone || by_its_call) out[i].uncertainty = out[i].duration;
  }
  return out;
}

std::vector<Bound> bounds(const History& history, const std::vector<Isolated>& isolated) {
  std::vector<Times> durations(history.size());
  for (OperationIndex i = 0; i < history.size(); ++i) {
    const Isolated& its = isolated[i];
    if (known(its.duration)) durations[i] = {its.duration, std::max<Nanoseconds>(0, its.duration - its.uncertainty)};
  }
  const LongestWays ways(history, durations);
  std::vector<Bound> all;
  const auto keep = [&](BoundKind kind, DeviceEngine which, const Ends& ends, const Work& work) {
    if (!work.known || !ends.any) return;
    const Nanoseconds time = sum(sum(ends.before.seen, work.time), ends.after.seen);
    const Nanoseconds at_least = sum(sum(ends.before.least, work.time - work.uncertainty), ends.after.least);
    add_bound(all, {kind, which, time, time - at_least, work.time});
  };
  for (std::uint32_t device = 0; device < history.devices(); ++device) {
    const std::vector<OperationIndex> copies_in = on_engine(history, history.executed(device, Unit::h2d)),
                                      copies_out = on_engine(history, history.executed(device, Unit::d2h));
    const auto within = history.executed(device, Unit::within_device),
               kernels = history.executed(device, Unit::kernels);
    const Ends in = ends_of(copies_in, ways), out = ends_of(copies_out, ways);
    const Work in_work = work_by_bytes(history, isolated, copies_in);
    const Work out_work = work_by_bytes(history, isolated, copies_out);
    keep(BoundKind::engine, {device, Engine::h2d}, in, in_work);
    keep(BoundKind::engine, {device, Engine::d2h}, out, out_work);
    keep(BoundKind::engine, {device, Engine::compute}, ends_of(within, ways), work_by_bytes(history, isolated, within));
    keep(BoundKind::engine, {device, Engine::compute}, ends_of(kernels, ways),
         work_of_kernels(history, isolated, kernels, device));
    if (any_is_staged(history, copies_in) || any_is_staged(history, copies_out)) continue;
    const Work both = work_of_bus(history, in_work, out_work, device);
    keep(BoundKind::bus, {device, Engine::none}, of_both(in, out), both);
  }
  all.push_back({BoundKind::order, {}, ways.longest().seen, ways.longest().seen - ways.longest().least, 0});
  Nanoseconds host = 0;
  for (const std::vector<OperationIndex>& thread : history.calls()) {
    Nanoseconds its = 0;
    for (const OperationIndex i : thread) {
      const Span& span = history.span(i);
      const bool waits = span.kind == OperationKind::sync || span.kind == OperationKind::poll ||
                         span.kind == OperationKind::join || span.reason == trace::WaitReason::host ||
                         history.call_waits(i);
      if (!waits) add(its, std::max<Nanoseconds>(0, elapsed(span.host_begin, span.host_end)));
    }
    host = std::max(host, its);
  }
  all.push_back({BoundKind::host, {}, host, 0, 0});
  return all;
}

}  // namespace streamscope::verdict
