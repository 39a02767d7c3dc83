#include "engine/verdict/history.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "engine/verdict/by_time.h"

namespace streamscope::verdict {
namespace {

using program::Dependency;
using program::DependencyKind;
using trace::Span;

WaitCause cause_of(DependencyKind kind) {
  switch (kind) {
    case DependencyKind::event: return WaitCause::event;
    case DependencyKind::legacy: return WaitCause::legacy;
    case DependencyKind::graph: return WaitCause::graph;
    case DependencyKind::stream:
    case DependencyKind::host: break;
  }
  return WaitCause::stream;
}

trace::WaitReason reason_of(WaitCause cause) {
  switch (cause) {
    case WaitCause::stream: return trace::WaitReason::stream;
    case WaitCause::event:
    case WaitCause::pool: return trace::WaitReason::event;
    case WaitCause::legacy: return trace::WaitReason::legacy;
    case WaitCause::graph: return trace::WaitReason::graph;
    case WaitCause::gate: return trace::WaitReason::gate;
    case WaitCause::queue: return trace::WaitReason::queue;
    case WaitCause::engine:
    case WaitCause::other_direction:
    case WaitCause::host_functions:
    case WaitCause::blocks:
    case WaitCause::room:
    case WaitCause::priority: return trace::WaitReason::engine;
    case WaitCause::hand_over:
    case WaitCause::unexplained: break;
  }
  return trace::WaitReason::none;
}

// Which of a device's units carries it out; nothing where none does.
std::optional<Unit> unit_of(const Span& span, bool one_copy_engine) {
  switch (span.kind) {
    case OperationKind::d2d:
    case OperationKind::memset: return Unit::within_device;
    case OperationKind::fault:
    case OperationKind::kernel: return Unit::kernels;
    case OperationKind::peer: return Unit::to_devices;
    case OperationKind::hostfn: return Unit::host_functions;
    case OperationKind::h2d:
    case OperationKind::d2h:
    case OperationKind::prefetch:
      if (span.engine == Engine::none) return std::nullopt;
      return span.engine == Engine::d2h && !one_copy_engine ? Unit::d2h : Unit::h2d;
    default: return std::nullopt;
  }
}

Nanoseconds first_known(Nanoseconds a, Nanoseconds b) { return known(a) ? a : b; }

}  // namespace

History::History(const trace::Trace& trace, const program::Program* program) : trace_(trace), program_(program) {
  if (trace.packed) {
    unpacked_.reserve(trace.packed->size());
    for (std::size_t i = 0; i < trace.packed->size(); ++i) unpacked_.push_back((*trace.packed)[i]);
  }
  devices_ = trace::device_count(trace);
  list_calls();
  for (const Span& each : spans()) {
    if (each.launch == kNoOperation) continue;
    const auto at = nodes_over_.try_emplace(each.launch, each.end).first;
    at->second = std::max(at->second, each.end);
  }
  find_order(program);
  places_ = queue_places(*this);
  list_units();
  find_releases();
}

Nanoseconds History::issued(OperationIndex i) const {
  const Span& each = span(i);
  const Nanoseconds returned = first_known(each.host_end, each.host_begin);
  if (!known(returned)) return each.start;
  return known(each.start) ? std::min(returned, each.start) : returned;
}

Nanoseconds History::ready(OperationIndex i) const {
  const Span& each = span(i);
  const Nanoseconds from = issued(i);
  if (!known(from) || !known(each.start)) return kAbsent;
  const Nanoseconds at = first_known(each.ready, releases_[i].at);
  return std::clamp(first_known(at, from), from, each.start);
}

bool History::has_one_copy_engine(std::size_t device) const {
  return device < trace_.device_facts.size() && trace_.device_facts[device].copy_engines == 1;
}

bool History::in_stream(OperationIndex i) const { return span(i).stream != Span::kNoStream || executes(i); }

Nanoseconds History::left_queue(OperationIndex i) const {
  const auto nodes = nodes_over_.find(i);
  return nodes == nodes_over_.end() ? span(i).end : nodes->second;
}

bool History::call_waits(OperationIndex i) const {
  if (span(i).blocking) return true;
  return program_ != nullptr && program::call_waits_for_copy(*program_, program_->operations[i].work);
}

// When calls got on to give their work to the device: behind their begin where a stream's queue was full, and of a
// cudaMemcpy from pageable memory where its stream was not done. `order`: as they began.
std::vector<Nanoseconds> History::entered(std::span<const OperationIndex> order,
                                          const std::vector<Nanoseconds>& begins) const {
  const std::size_t depth = trace_.device_facts.empty() ? 0 : trace_.device_facts[0].queue_depth;
  std::vector<std::vector<Nanoseconds>> ends(program_->streams.size());  // of what each stream was given
  std::vector<Nanoseconds> over(program_->streams.size(), kAbsent);      // all that each was given
  std::vector<Nanoseconds> blocking_over(devices_, kAbsent);  // and that all blocking streams of a device were
  const auto device_of = [&](StreamId stream) { return program_->streams[stream.value].device.value; };
  std::multimap<Nanoseconds, OperationIndex> late;  // what waits to be given, by when it is
  const auto stream_of = [&](OperationIndex i) {
    const program::Operation& operation = program_->operations[i];
    return program::ordered_in(operation.launch == kNoOperation ? operation : program_->operations[operation.launch]);
  };
  const auto give = [&](OperationIndex i) {
    const StreamId stream = *stream_of(i);
    if (span(i).launch == kNoOperation) ends[stream.value].push_back(left_queue(i));
    over[stream.value] = std::max(over[stream.value], span(i).end);
    if (program_->streams[stream.value].nonblocking) return;
    Nanoseconds& last = blocking_over[device_of(stream)];
    last = std::max(last, span(i).end);
  };
  std::vector<Nanoseconds> all = begins;
  for (const OperationIndex i : order) {
    const auto stream = stream_of(i);
    if (!stream) continue;
    while (!late.empty() && late.begin()->first <= begins[i]) {
      give(late.begin()->second);
      late.erase(late.begin());
    }
    const program::Operation& operation = program_->operations[i];
    const std::vector<Nanoseconds>& before = ends[stream->value];
    const auto* const copy = std::get_if<program::op::Copy>(&operation.work);
    if (copy != nullptr && copy->blocking && copy->direction == program::Direction::h2d &&
        program::host_memory(*program_, *copy) == program::HostMemory::pageable) {
      all[i] = std::max(
          all[i], program::is_legacy(*program_, *stream) ? blocking_over[device_of(*stream)] : over[stream->value]);
    } else if (operation.launch == kNoOperation && depth > 0 && before.size() >= depth) {
      all[i] = std::max(all[i], before[before.size() - depth]);
    }
    if (all[i] > begins[i]) {
      late.emplace(all[i], i);
    } else {
      give(i);
    }
  }
  return all;
}

void History::find_order(const program::Program* program) {
  const auto count = static_cast<OperationIndex>(size());
  first_.assign(count + 1, 0);
  std::vector<Nanoseconds> begins(count);
  for (OperationIndex i = 0; i < count; ++i) begins[i] = first_known(span(i).host_begin, span(i).start);
  if (program != nullptr) {
    order_ = program::issue_order(*program, begins);
    if (program->threads.size() > 1) order_ = program::issue_order(*program, entered(order_, begins));
    const auto failed = [&](OperationIndex i) { return span(i).result != CallResult::success; };
    const program::Dependencies all(*program, program::without_failed_launches(*program, order_, failed));
    for (OperationIndex i = 0; i < count; ++i) first_[i + 1] = first_[i] + all.of(i).size();
    edges_.reserve(first_[count]);
    for (OperationIndex i = 0; i < count; ++i) edges_.insert(edges_.end(), all.of(i).begin(), all.of(i).end());
    return;
  }
  order_.resize(count);
  std::iota(order_.begin(), order_.end(), OperationIndex{0});
  sort_by_time(order_, [&](OperationIndex i) { return begins[i]; });
  std::vector<OperationIndex> last(trace_.streams.size(), kNoOperation), before(count, kNoOperation);
  for (const OperationIndex i : order_) {
    if (span(i).stream < last.size()) before[i] = std::exchange(last[span(i).stream], i);
  }
  for (OperationIndex i = 0; i < count; ++i) {
    if (before[i] != kNoOperation) edges_.push_back({before[i], DependencyKind::stream});
    first_[i + 1] = edges_.size();
  }
}

// In the order of issue, which no dependency runs against: what a record, a wait or a launch came behind last is known
// when it is asked for.
void History::find_releases() {
  releases_.assign(size(), {});
  for (const OperationIndex i : order_) releases_[i] = release_of(i);
}

Release History::release_of(OperationIndex i) const {
  const Span& each = span(i);
  Release last;
  Nanoseconds handed = kAbsent;
  bool all_known = true;
  OperationIndex last_on = kNoOperation;
  const auto consider = [&](const Release& other, OperationIndex on) {
    if (!known(other.at)) return;
    const bool later = other.over != last.over ? other.over > last.over : on < last_on;
    if (known(last.at) && !later) return;
    last = other;
    last_on = on;
  };
  const auto hand = [&](Nanoseconds from, const Span* by, WaitCause link) {
    const Nanoseconds usual = usual_hand_over(trace_, by, link, each);
    if (!known(usual) || !known(from)) {
      all_known = false;
    } else {
      handed = std::max(handed, from + usual + each.start_uncertainty + (by == nullptr ? 0 : by->uncertainty));
    }
  };
  for (const Dependency& dependency : behind(i)) {
    const OperationIndex on = dependency.on;
    const WaitCause cause = cause_of(dependency.kind);
    if (executes(on) || !in_stream(on)) {
      consider({.at = span(on).end, .by = on, .cause = cause, .over = span(on).end}, on);
      if (executes(on)) hand(span(on).end, &span(on), cause);
      continue;
    }
    Release through = releases_[on];
    if (!known(through.at)) continue;
    const Nanoseconds took = std::max(Nanoseconds{0}, elapsed(span(on).start, span(on).end));
    const Nanoseconds usually_over = known(through.handed_over) ? through.handed_over + took : kAbsent;
    const bool node_of_it = each.launch == on;
    if (dependency.kind != DependencyKind::stream && !node_of_it) through.cause = cause;
    // What was over when it was issued did not hold it.
    through.over = through.at > issued(on) ? std::max(through.over, span(on).end) : through.at;
    hand(usually_over, nullptr, cause);
    consider(through, on);
  }
  // Which memory a pool hands out is not in the program: the device says so.
  const bool of_pool = each.kind == OperationKind::malloc && each.reason == trace::WaitReason::event &&
                       each.waits_for < size() && span(each.waits_for).kind == OperationKind::free;
  if (of_pool) {
    Release freed = releases_[each.waits_for];
    freed.cause = WaitCause::pool;
    if (!known(last.at) || (known(freed.at) && freed.over >= last.over)) consider(freed, each.waits_for);
  }
  if (each.reason == trace::WaitReason::gate && known(each.ready) && executes(i)) {
    consider({.at = each.ready, .cause = WaitCause::gate, .over = each.ready}, kNoOperation);
    hand(each.ready, nullptr, WaitCause::gate);
  }
  const Nanoseconds alone = usual_hand_over(trace_, nullptr, WaitCause::hand_over, each);
  if (known(alone) && known(issued(i))) handed = std::max(handed, issued(i) + alone + each.start_uncertainty);
  last.handed_over = all_known && known(alone) ? handed : kAbsent;
  return last;
}

void History::list_units() {
  unit_.assign(size(), kNoUnit);
  units_.resize(devices_ * kUnits);
  taken_.resize(devices_ * kTaken);
  for (OperationIndex i = 0; i < size(); ++i) {
    const Span& each = span(i);
    const auto unit = unit_of(each, has_one_copy_engine(each.device));
    if (unit && known(each.start) && known(each.end) && each.end >= each.start) {
      unit_[i] = static_cast<std::uint8_t>(*unit);
      UnitList& list = units_[each.device * kUnits + unit_[i]];
      list.by_start.push_back(i);
      list.engines.set(static_cast<std::size_t>(each.engine));
    }
    if (const auto taken = unit_taken(i)) taken_[each.device * kTaken + *taken].push_back(i);
  }
  for (std::vector<OperationIndex>& list : taken_) {
    // What took no time, such as a prefetch of what is there, came behind what ended right then.
    sort_by_time(list, [&](OperationIndex i) { return std::pair(span(i).end, span(i).start); });
  }
  for (UnitList& list : units_) {
    sort_by_time(list.by_start, [&](OperationIndex i) { return span(i).start; });
    list.latest_end.reserve(list.by_start.size());
    Nanoseconds latest = kAbsent;
    for (const OperationIndex i : list.by_start) {
      latest = std::max(latest, span(i).end);
      list.latest_end.push_back(latest);
    }
  }
}

void History::list_calls() {
  place_.assign(size(), 0);
  calls_.resize(std::max<std::size_t>(1, trace_.threads.size()));
  for (OperationIndex i = 0; i < size(); ++i) {
    const Span& each = span(i);
    if (trace::has_own_call(each) && each.thread < calls_.size()) calls_[each.thread].push_back(i);
  }
  for (std::vector<OperationIndex>& thread : calls_) {
    sort_by_time(thread, [&](OperationIndex i) { return span(i).host_begin; });
    for (std::uint32_t at = 0; at < thread.size(); ++at) place_[thread[at]] = at;
  }
}

std::optional<std::size_t> History::unit_taken(OperationIndex i) const {
  const QueuePlace& place = queue_place(i);
  if (place.takes_engine && known(span(i).start) && known(span(i).end)) {
    const bool out = place.unit == Engine::d2h && !has_one_copy_engine(span(i).device);
    return static_cast<std::size_t>(out ? Unit::d2h : Unit::h2d);
  }
  if (!executes(i)) return std::nullopt;
  if (!place.in_commands) return unit_[i];
  // The smallest are part of a command.
  if (span(i).bytes <= trace_.device_facts[0].inlined_bytes) return std::nullopt;
  return kCommands;
}

OperationIndex History::right_before(OperationIndex i, std::size_t unit, Nanoseconds from, Nanoseconds to) const {
  const std::vector<OperationIndex>& list = taken_[span(i).device * kTaken + unit];
  // It and what came behind it have ended by then, too, where they took no time or times are in doubt.
  const auto place = [&](OperationIndex other) { return std::tuple(span(other).end, span(other).start, other); };
  const auto behind = std::min(std::ranges::upper_bound(list, to, {}, [&](OperationIndex o) { return span(o).end; }),
                               std::ranges::lower_bound(list, place(i), {}, place));
  if (behind == list.begin()) return kNoOperation;
  const OperationIndex last = *std::prev(behind);
  return span(last).end >= from ? last : kNoOperation;
}

std::span<const OperationIndex> History::executed(std::uint32_t device, Unit unit) const {
  return units_[device * kUnits + static_cast<std::size_t>(unit)].by_start;
}

bool History::any_through(Engine engine, std::uint32_t device, Unit unit) const {
  const UnitList& list = units_[device * kUnits + static_cast<std::size_t>(unit)];
  return list.engines.test(static_cast<std::size_t>(engine));
}

void History::beside(OperationIndex i, Nanoseconds from, Nanoseconds to, std::vector<OperationIndex>& found) const {
  during(span(i).device, static_cast<Unit>(unit_[i]), i, from, to, size(), found);
}

void History::during(std::uint32_t device, Unit unit, OperationIndex but, Nanoseconds from, Nanoseconds to,
                     std::size_t most, std::vector<OperationIndex>& found) const {
  const UnitList& list = units_[device * kUnits + static_cast<std::size_t>(unit)];
  auto at = static_cast<std::size_t>(
      std::ranges::lower_bound(list.by_start, to, {}, [&](OperationIndex other) { return span(other).start; }) -
      list.by_start.begin());
  for (std::size_t seen = 0; at > 0 && list.latest_end[at - 1] > from && seen < most; ++seen) {
    const OperationIndex other = list.by_start[--at];
    if (other != but && span(other).end > from) found.push_back(other);
  }
}

Nanoseconds usual_hand_over(const trace::Trace& trace, const trace::Span* from, WaitCause cause,
                            const trace::Span& to) {
  if (to.device >= trace.device_facts.size()) return kAbsent;
  const trace::DeviceFacts& facts = trace.device_facts[to.device];
  return trace::usual_hand_over(facts, reason_of(cause), from == nullptr ? Engine::none : from->engine, to.engine);
}

}  // namespace streamscope::verdict
