#include "engine/remedy/trials.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "engine/program/order/order.h"
#include "engine/program/read_changed.h"
#include "engine/remedy/without.h"
#include "engine/verdict/touched.h"

namespace streamscope::remedy {

using verdict::Cause;
using verdict::Evidence;

namespace {

constexpr double kLeastUnsure = 0.02;  // of the makespan, of a prediction for a GPU
constexpr double kLikelyOver = 2;      // times what the model or the run is off by: a gain that is one
constexpr double kToldOver = 8;        // times that: a gain worth a figure
constexpr std::size_t kMostTried = 64;

std::vector<program::Hazard> hazards_of(const program::Program* program) {
  return program == nullptr ? std::vector<program::Hazard>() : program::hazards(*program, kMostHazards);
}

// What each device does, by kind: its bytes, or how often where there are none. A change may give none of it to another
// device. What a change may add or leave out (allocations, prefetches, records and waits) does not count.
std::map<std::pair<std::uint32_t, OperationKind>, std::uint64_t> work_by_device(const program::Program& program) {
  std::map<std::pair<std::uint32_t, OperationKind>, std::uint64_t> all;
  for (const program::Operation& one : program.operations) {
    const OperationKind kind = program::kind(one.work);
    switch (kind) {
      case OperationKind::h2d:
      case OperationKind::d2h:
      case OperationKind::d2d:
      case OperationKind::peer:
      case OperationKind::memset:
      case OperationKind::kernel:
      case OperationKind::hostfn:
        all[{program::device_of(program, one).value, kind}] += std::max<std::uint64_t>(1, program::bytes(one.work));
        break;
      default: break;
    }
  }
  return all;
}

}  // namespace

Trials::Trials(const verdict::Judgement& judgement, const std::vector<Evidence>& evidence, const Source& source,
               const Circumstances& circumstances, const Simulate& simulate, Nanoseconds makespan)
    : judgement_(judgement),
      evidence_(evidence),
      source_(source),
      circumstances_(circumstances),
      simulate_(simulate),
      makespan_(makespan),
      hazards_(hazards_of(judgement.history.program())) {}

Result<void> Trials::run() {
  const program::Program* const now = judgement_.history.program();
  if (now == nullptr || now->operations.size() > circumstances_.most_simulated) return {};
  const auto simulated = simulate_(*now, {});
  if (!simulated)
    return simulated.error().kind == ErrorKind::cancelled ? Result<void>(fail(simulated.error())) : Result<void>();
  if (*simulated <= 0) return {};
  if (!circumstances_.model) {
    doubt = std::abs(1 - static_cast<double>(*simulated) / static_cast<double>(makespan_));
  }
  TRY(try_other_devices(*now, *simulated));
  std::size_t count = 0, operations = 0;
  std::set<std::string> seen{source_.program};
  for (Edit& edit : edits(source_, evidence_)) {
    if (!seen.insert(edit.changed.program).second) continue;
    if (++count > kMostTried || operations > circumstances_.most_simulated) break;
    const auto changed = program::read_changed(edit.changed.program, "changed");
    if (!changed) continue;
    if (program::hazards(*changed, kMostHazards).size() > hazards_.size()) {
      wait_is_needed = wait_is_needed || edit.cause == Cause::host_sync;
      // What the barrier costs, though something else has to keep the order that it kept.
      if (edit.cause == Cause::legacy_barrier) TRY(cost_of(Cause::legacy_barrier, *changed, *simulated));
      continue;
    }
    if (program::device_count(*now) > 1 && work_by_device(*now) != work_by_device(*changed)) continue;
    const bool reorders = edit.cause == Cause::issue_order || edit.cause == Cause::copy_engine_shared;
    if (reorders && program::reverses_data_order(*now, *changed)) continue;
    if (edit.fits_at_once != 0 && (!fits_at_once(edit.fits_at_once) || multiprocessors_bind())) continue;
    operations += changed->operations.size();
    const auto then = simulate_(*changed, {});
    if (!then && then.error().kind == ErrorKind::cancelled) return fail(then.error());
    if (!then || *then <= 0) continue;
    tried.insert(edit.cause);
    const double ratio = static_cast<double>(*then) / static_cast<double>(*simulated);
    const Cause cause = behind_a_full_queue(edit.cause) ? Cause::launch_queue_full : edit.cause;
    Help help = help_of(std::move(edit), ratio);
    const auto gain = static_cast<double>(makespan_ - help.predicted);
    if (gain <= std::max(kLeastGain, circumstances_.noise) * static_cast<double>(makespan_)) continue;
    helps[cause].push_back(std::move(help));
  }
  return {};
}

Result<void> Trials::try_other_devices(const program::Program& program, Nanoseconds now) {
  for (const Cause cause : causes_of_the_device(judgement_)) {
    const auto then = simulate_(program, cause);
    if (!then && then.error().kind == ErrorKind::cancelled) return fail(then.error());
    if (!then || *then <= 0) continue;
    const double part = 1 - static_cast<double>(*then) / static_cast<double>(now);
    Nanoseconds& cost = costs[cause] = static_cast<Nanoseconds>(part * static_cast<double>(makespan_));
    // What the host computes takes as long there.
    if (cause == Cause::host_late) cost = std::min(makespan_, std::max<Nanoseconds>(0, cost) + host_work());
  }
  const auto set_up = set_up_of_copies();
  if (!set_up && set_up.error().kind == ErrorKind::cancelled) return fail(set_up.error());
  if (set_up && static_cast<double>(*set_up) >= kLeastShare * static_cast<double>(makespan_))
    costs[Cause::chunks_too_small] = *set_up;
  return {};
}

Result<void> Trials::cost_of(Cause cause, const program::Program& changed, Nanoseconds now) {
  const auto then = simulate_(changed, {});
  if (!then && then.error().kind == ErrorKind::cancelled) return fail(then.error());
  if (!then || *then <= 0) return {};
  const double part = 1 - static_cast<double>(*then) / static_cast<double>(now);
  Nanoseconds& cost = costs[cause];
  cost = std::max(cost, static_cast<Nanoseconds>(part * static_cast<double>(makespan_)));
  return {};
}

// Against the rate at which the device moves what is large.
Result<Nanoseconds> Trials::set_up_of_copies() const {
  constexpr std::uint64_t kLarge = 64ULL << 20U;
  Nanoseconds sum = 0;
  for (const OperationKind kind : {OperationKind::h2d, OperationKind::d2h}) {
    std::vector<const verdict::Piece*> its;
    for (const verdict::Piece& each : judgement_.path.pieces) {
      const bool executes = each.kind == verdict::PieceKind::execution && each.operation != kNoOperation;
      if (!executes || judgement_.history.span(each.operation).kind != kind) continue;
      if (!verdict::touched(judgement_.history, each.operation).pageable) its.push_back(&each);
    }
    if (its.empty()) continue;
    const auto takes = [&](std::uint64_t bytes) -> Result<Nanoseconds> {
      const std::string size = std::to_string(bytes), verb(name(kind));
      const std::string text = "buffer x " + size + "\nstream A nonblocking\nA: " + verb + " x[0:" + size + "]\n";
      const auto copy = program::read_changed(text, "copy");
      return simulate_(*copy, {});
    };
    const Nanoseconds moving = TRY(takes(2 * kLarge)) - TRY(takes(kLarge));
    for (const verdict::Piece* const each : its) {
      const auto bytes = static_cast<double>(judgement_.history.span(each->operation).bytes);
      const auto ideal = static_cast<Nanoseconds>(bytes / static_cast<double>(kLarge) * static_cast<double>(moving));
      if (const Nanoseconds took = each->to - each->from; took > 2 * ideal) sum += took - ideal;
    }
  }
  return sum;
}

Nanoseconds Trials::host_work() const {
  Nanoseconds sum = 0;
  for (const verdict::Piece& each : judgement_.path.pieces) {
    const bool works = each.kind == verdict::PieceKind::work;
    if (works && !verdict::touched(judgement_.history, each.operation).managed) sum += each.to - each.from;
  }
  return sum;
}

// Then fewer blocks of what takes as long with any number of them would only be less work.
bool Trials::multiprocessors_bind() const {
  return std::ranges::any_of(judgement_.bounds, [&](const verdict::Bound& each) {
    return each.kind == verdict::BoundKind::engine && each.engine.engine == Engine::compute &&
           static_cast<double>(makespan_) <= kNearBound * static_cast<double>(each.time);
  });
}

bool Trials::fits_at_once(std::uint32_t line) const {
  const trace::Trace& trace = judgement_.history.trace();
  return std::ranges::all_of(trace.launches, [&](const trace::LaunchShape& shape) {
    if (shape.line != line) return true;
    return !trace.device_facts.empty() &&
           shape.blocks <= std::uint64_t{shape.blocks_at_once} * trace.device_facts[0].multiprocessors;
  });
}

// Fewer calls, others first, or more queues: what helps a host that is held by a full one.
bool Trials::behind_a_full_queue(Cause cause) const {
  const bool could = cause == Cause::host_late || cause == Cause::chunks_too_small || cause == Cause::issue_order ||
                     cause == Cause::one_stream;
  if (!could) return false;
  const auto cost = costs.find(Cause::launch_queue_full);
  return cost != costs.end() && static_cast<double>(cost->second) >= kLeastShare * static_cast<double>(makespan_);
}

// Whether staging and migrations take a part of the run: at a pace that differs by two between hosts with one GPU.
bool Trials::host_memory_tells() const {
  return !circumstances_.model && std::ranges::any_of(evidence_, [&](const Evidence& each) {
    const bool is_it = each.cause == Cause::pageable_copy || each.cause == Cause::page_migration;
    return is_it && static_cast<double>(each.time) >= kLeastShare * static_cast<double>(judgement_.makespan);
  });
}

Help Trials::help_of(Edit edit, double ratio) const {
  const auto makespan = static_cast<double>(makespan_);
  const auto predicted = static_cast<Nanoseconds>(std::llround(ratio * makespan));
  const double gain = std::abs(makespan - static_cast<double>(predicted));
  const double unsure = std::max({kLeastUnsure, circumstances_.noise, doubt});
  const auto off = static_cast<Nanoseconds>(circumstances_.model ? 0 : 0.3 * gain + unsure * makespan);
  const bool on_host_memory = edit.cause != Cause::pageable_copy && host_memory_tells();
  const bool likely = !on_host_memory && gain >= kLikelyOver * std::max(doubt, circumstances_.noise) * makespan;
  std::string changes = difference(source_, edit.changed);
  return {.change = std::move(edit.change),
          .difference = std::move(changes),
          .changed = std::move(edit.changed),
          .predicted = predicted,
          .low = std::max<Nanoseconds>(0, predicted - off),
          .high = predicted + off,
          .likely = likely,
          .sure = likely && (circumstances_.model || gain >= kToldOver * unsure * makespan)};
}

}  // namespace streamscope::remedy
