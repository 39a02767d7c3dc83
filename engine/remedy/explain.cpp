#include "engine/remedy/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/program/order/order.h"
#include "engine/program/read_changed.h"
#include "engine/remedy/sentences.h"
#include "engine/remedy/trials.h"

namespace streamscope::remedy {
namespace {

using verdict::Cause;
using verdict::Evidence;
using verdict::Judgement;

constexpr double kAlwaysBusy = 0.95;  // of the makespan, an engine of which nothing better is known
constexpr double kTrusted = 0.1;      // off by less, the model knows that a change gains nothing
constexpr double kAsGood = 0.9;       // of the best gain: causes then go by their order
constexpr double kUnsure = 0.7;  // of its cost counts where it may not be the cause's; sets of faults say 0.5 to 0.8
constexpr double kRepairUnsure = 0.1;  // of the makespan, with an order that was not there; one set of programs says so
constexpr std::size_t kMostNamed = 16;

// A cause is known by what removing it would gain; these also without that, by their time on the critical path.
bool stands_alone(Cause cause) {
  switch (cause) {
    case Cause::pageable_copy:
    case Cause::implicit_sync:
    case Cause::driver_lock:
    case Cause::legacy_barrier:
    case Cause::host_sync:
    case Cause::launch_queue_full:
    case Cause::host_late:
    case Cause::graph_serial:
    case Cause::pool_reuse:
    case Cause::page_migration:
    case Cause::mapped_access:
    case Cause::peer_staged:
    case Cause::copy_engine_shared:
    case Cause::chunks_too_small:
    case Cause::priority:
    case Cause::sm_full:
    case Cause::chunks_too_large:
    case Cause::unexplained: return true;
    default: return false;
  }
}

// Whether a change that is tried takes the cause away: then it costs no more than the change gains. What finds no room
// or takes another's memory may do so after every change that is known.
bool taken_away(Cause cause) {
  return cause != Cause::sm_full && cause != Cause::priority && cause != Cause::pool_reuse;
}

// Whether the work itself takes longer for it, and with it the bounds: what else there is only delays.
bool is_of_the_work(Cause cause) {
  switch (cause) {
    case Cause::pageable_copy:
    case Cause::page_migration:
    case Cause::mapped_access:
    case Cause::peer_staged:
    case Cause::copy_engine_shared:
    case Cause::chunks_too_small:
    case Cause::tile_stages:
    case Cause::divergence:
    case Cause::chunks_too_large: return true;  // the ways to the first and from the last are in an engine's bound
    default: return false;
  }
}

bool in(const std::vector<Entry>& entries, Cause cause) {
  return std::ranges::find(entries, cause, &Entry::cause) != entries.end();
}

class Explanation {
 public:
  Explanation(const Judgement& judgement, const Source& source, const Circumstances& circumstances,
              const Simulate& simulate)
      : judgement_(judgement),
        source_(source),
        simulate_(simulate),
        makespan_(known(circumstances.makespan) ? circumstances.makespan : judgement.makespan),
        evidence_(verdict::evidence(judgement)),
        trials_(judgement, evidence_, source, circumstances, simulate, makespan_) {}

  Result<Verdict> run() {
    if (!known(makespan_) || makespan_ <= 0) return Verdict{};
    if (const auto error = trace::sticky_error(judgement_.history.trace())) return only_fault(*error, judgement_);
    if (simulate_) TRY(trials_.run());
    std::vector<Entry> entries;
    for (auto& [cause, helps] : trials_.helps) {
      std::ranges::stable_sort(helps, {}, [](const Help& one) { return std::pair(!one.likely, one.predicted); });
      Entry entry = entry_of(cause);
      entry.cost = makespan_ - helps.front().predicted;
      entry.help = std::move(helps.front());
      for (std::size_t i = 1; i < helps.size(); ++i) {
        if (helps[i].likely) verdict_.others.push_back(std::move(helps[i]));
      }
      entries.push_back(std::move(entry));
    }
    add_costs(entries);
    std::vector<Entry> weaker, refuted;  // for want of better ones
    for (const Evidence& each : evidence_) {
      if (!stands_alone(each.cause) || in(entries, each.cause)) continue;
      const bool gains_nothing = trials_.tried.contains(each.cause) && taken_away(each.cause);
      // Those that were in the way could have come later: said already.
      if (each.cause == Cause::sm_full && trials_.helps.contains(Cause::priority)) continue;
      if (!is_enough(each.time)) continue;
      Entry entry = entry_of(each.cause);
      entry.cost = each.time;
      const bool is_refuted = (gains_nothing || trials_.costs.contains(each.cause)) && trials_.doubt < kTrusted;
      const bool is_weak = gains_nothing || each.cause == Cause::chunks_too_large;
      (is_refuted ? refuted : is_weak ? weaker : entries).push_back(std::move(entry));
    }
    if (entries.empty()) entries = std::move(weaker);
    // A wait that the data needs is not what one would change, where anything else is known.
    if (entries.size() > 1 && trials_.wait_is_needed) {
      std::erase_if(entries, [](const Entry& each) { return each.cause == Cause::host_sync && !each.help; });
    }
    add_order(entries);
    at_the_bound(entries);
    const bool near = verdict::binding(judgement_) != nullptr && verdict::over_bound(judgement_) <= kNearBound;
    const bool at_it = near && busiest_share(judgement_) >= kAlwaysBusy && all_are_small(entries);
    if (full_multiprocessors(entries) || at_it) {
      entries.clear();
      verdict_.others.clear();
    }
    const Cause busy = near ? Cause::at_the_bound : Cause::engine_busy;
    if (entries.empty() && busiest_share(judgement_) >= kAlwaysBusy) entries.push_back(entry_of(busy));
    if (entries.empty()) entries = std::move(refuted);
    if (entries.empty() && occupied_share(judgement_) >= kAlwaysBusy) entries.push_back(entry_of(busy));
    put_in_order(entries);
    TRY(add_hazard(entries));
    if (entries.empty()) entries.push_back(entry_of(Cause::unexplained));
    for (Entry& each : entries) {
      each.share = static_cast<double>(each.cost) / static_cast<double>(makespan_);
      each.text = sentence(judgement_, each, makespan_, cost_from(each));
    }
    std::ranges::stable_sort(verdict_.others, {}, &Help::predicted);
    verdict_.entries = std::move(entries);
    return std::move(verdict_);
  }

 private:
  // It says how far the run came and how long it took: nothing else does, and no change of the order helps.
  static Verdict only_fault(const trace::StickyError& error, const Judgement& judgement) {
    Entry entry;
    entry.cause = Cause::fault;
    if (error.fault != kNoOperation) {
      entry.operations.push_back(error.fault);
      entry.lines.push_back(judgement.history.span(error.fault).line);
    }
    entry.text = sentence(error, judgement);
    return {.entries = {std::move(entry)}, .others = {}};
  }

  // That a device without it would gain enough to count.
  bool has_cost(Cause cause) const {
    const auto found = trials_.costs.find(cause);
    return found != trials_.costs.end() && is_enough(found->second);
  }
  bool is_enough(Nanoseconds time) const {
    return static_cast<double>(time) >= kLeastShare * static_cast<double>(makespan_);
  }

  CostFrom cost_from(const Entry& entry) const {
    if (has_cost(entry.cause)) return {trials_.costs.at(entry.cause), false};
    const auto found = std::ranges::find(evidence_, entry.cause, &Evidence::cause);
    if (entry.help || found == evidence_.end()) return {entry.cost, false};
    return {found->time, true};
  }
  Entry entry_of(Cause cause) const {
    Entry entry;
    entry.cause = cause;
    const auto found = std::ranges::find(evidence_, cause, &Evidence::cause);
    if (found == evidence_.end()) return entry;
    for (const OperationIndex i : found->operations) {
      if (entry.operations.size() == kMostNamed) break;
      if (std::ranges::find(entry.operations, i) == entry.operations.end()) entry.operations.push_back(i);
      const std::uint32_t line = judgement_.history.span(i).line;
      if (line != 0) entry.lines.push_back(line);
    }
    std::ranges::sort(entry.lines);
    entry.lines.erase(std::unique(entry.lines.begin(), entry.lines.end()), entry.lines.end());
    return entry;
  }

  // What a device without it would gain.
  void add_costs(std::vector<Entry>& entries) const {
    for (const auto& [cause, cost] : trials_.costs) {
      if (!is_enough(cost)) continue;
      auto found = std::ranges::find(entries, cause, &Entry::cause);
      if (found == entries.end()) found = entries.insert(entries.end(), entry_of(cause));
      found->cost = std::max(found->cost, cost);
    }
  }

  // The order of the operations takes longer than any engine needs, and no change is known.
  void add_order(std::vector<Entry>& entries) const {
    if (std::ranges::any_of(entries, [&](const Entry& each) { return tells(each); }) || in(entries, Cause::one_stream))
      return;  // more telling, or known
    const auto shown = std::ranges::find(evidence_, Cause::one_stream, &Evidence::cause);
    if (shown == evidence_.end()) return;
    Nanoseconds order = 0, engine = 0;
    for (const verdict::Bound& each : judgement_.bounds) {
      if (each.kind == verdict::BoundKind::order) order = each.time;
      if (each.kind == verdict::BoundKind::engine) engine = std::max(engine, each.work);
    }
    const bool binds = static_cast<double>(order) > kNearBound * static_cast<double>(engine) &&
                       static_cast<double>(makespan_) < kNearBound * static_cast<double>(order);
    Entry entry = entry_of(Cause::one_stream);
    entry.cost = std::min(makespan_ - engine, shown->time);
    if (!binds || engine == 0 || !tells(entry)) return;
    entries.push_back(std::move(entry));
  }

  // Nothing is worth an offer there.
  void at_the_bound(std::vector<Entry>& entries) {
    const verdict::Bound* const bound = verdict::binding(judgement_);
    const double over = verdict::over_bound(judgement_);
    if (bound == nullptr || over > kNearBound) return;
    // Where the order binds another order may be better: only where nothing is known that could go.
    if (bound->kind == verdict::BoundKind::order && !entries.empty()) return;
    const auto most = static_cast<Nanoseconds>((kNearBound - 1) * static_cast<double>(makespan_));
    // What only delays is refuted by a bound that is met.
    if (std::ranges::any_of(
            entries, [&](const Entry& each) { return (each.help || is_of_the_work(each.cause)) && each.cost > most; }))
      return;
    entries.clear();
    verdict_.others.clear();
    entries.push_back(entry_of(Cause::at_the_bound));
  }

  // It costs more than a run at its bound may be over it.
  bool tells(const Entry& entry) const {
    return static_cast<double>(entry.cost) >= (kNearBound - 1) * static_cast<double>(makespan_);
  }

  bool all_are_small(const std::vector<Entry>& entries) const {
    return std::ranges::none_of(
        entries, [&](const Entry& each) { return (each.help && is_of_the_work(each.cause)) || tells(each); });
  }

  // Kernels wait for room, no change that was tried lets them go side by side, and there is always one that runs.
  bool full_multiprocessors(const std::vector<Entry>& entries) const {
    const auto is_room = [](Cause cause) { return cause == Cause::sm_full || cause == Cause::priority; };
    return std::ranges::any_of(trials_.tried, is_room) && busiest_share(judgement_) >= kAlwaysBusy &&
           std::ranges::all_of(entries, [&](const Entry& each) { return !each.help && is_room(each.cause); });
  }

  // The greatest cost first; of those that cost about the same the one that stands first among the causes.
  void put_in_order(std::vector<Entry>& entries) {
    // What no known change takes away may not go. A change for what the path does not show, and more streams, also
    // gain by going round what stands in the way.
    const auto goes_round = [&](const Entry& each) {
      const bool is_shown = std::ranges::find(evidence_, each.cause, &Evidence::cause) != evidence_.end();
      return each.cause == Cause::one_stream || (each.help && !is_shown && !has_cost(each.cause));
    };
    const auto is_sure = [&](const Entry& each) {
      // A host that is ten times as fast is nothing to be had.
      const bool is_had = has_cost(each.cause) && (each.help || each.cause != Cause::host_late);
      return is_had || (each.help && !goes_round(each));
    };
    const auto weight = [&](const Entry& each) {
      return static_cast<double>(each.cost) * (is_sure(each) ? 1 : kUnsure);
    };
    std::ranges::stable_sort(entries, std::greater{}, weight);
    if (entries.empty()) return;
    const double as_good = kAsGood * weight(entries.front());
    const auto end = std::ranges::find_if(entries, [&](const Entry& each) { return weight(each) < as_good; });
    const auto rank = [&](const Entry& each) { return std::pair(goes_round(each), each.cause); };
    const auto first = std::ranges::min_element(entries.begin(), end, {}, rank);
    std::rotate(entries.begin(), first, first + 1);
    // None that is sure is dearer by more than a tenth. A way round what stands in the way is an offer and no cause; of
    // a time that may be another cause's, or is not to be had, as much counts as the first costs.
    const Nanoseconds dearest = entries.front().cost;
    std::vector<Entry> listed;
    for (Entry& each : entries) {
      const bool is_dearer = each.cost > dearest && !is_sure(each);
      if (is_dearer && each.help) {
        if (each.help->likely) verdict_.others.push_back(std::move(*each.help));
        continue;
      }
      if (is_dearer) each.cost = dearest;
      listed.push_back(std::move(each));
    }
    entries = std::move(listed);
    std::ranges::stable_sort(entries.begin() + 1, entries.end(), std::greater{}, &Entry::cost);
  }

  // Whatever it costs: the run's data may be wrong.
  Result<void> add_hazard(std::vector<Entry>& entries) const {
    const program::Program* const program = judgement_.history.program();
    if (program == nullptr) return {};
    const std::vector<program::Hazard>& hazards = trials_.hazards();
    if (hazards.empty() || hazards.front().first == hazards.front().second) return {};
    Entry entry;
    entry.cause = Cause::hazard;
    for (const OperationIndex i : {hazards.front().first, hazards.front().second}) {
      entry.operations.push_back(i);
      entry.lines.push_back(program->operations[i].line);
    }
    std::ranges::sort(entry.lines);
    entry.lines.erase(std::unique(entry.lines.begin(), entry.lines.end()), entry.lines.end());
    // What repairs it need not be faster.
    const auto line = [&](OperationIndex i) { return program->operations[i].line; };
    for (Edit& edit : orderings(source_, line(hazards.front().first), line(hazards.front().second))) {
      const auto changed = program::read_changed(edit.changed.program, "changed");
      if (!simulate_ || !changed || program::hazards(*changed, kMostHazards).size() >= hazards.size()) continue;
      const auto now = simulate_(*program, {}), then = simulate_(*changed, {});
      for (const auto* each : {&now, &then}) {
        if (!*each && each->error().kind == ErrorKind::cancelled) return fail(each->error());
      }
      if (!now || !then || *now <= 0) continue;
      entry.help = trials_.help_of(std::move(edit), static_cast<double>(*then) / static_cast<double>(*now));
      entry.help->likely = entry.help->sure = true;  // that it repairs the data; its range says what it costs
      if (entry.help->low != entry.help->high) {     // measured
        const auto unsure = static_cast<Nanoseconds>(kRepairUnsure * static_cast<double>(makespan_));
        entry.help->low = std::max<Nanoseconds>(0, entry.help->low - unsure);
        entry.help->high += unsure;
      }
    }
    entries.insert(entries.begin(), std::move(entry));
    return {};
  }

  const Judgement& judgement_;
  const Source& source_;
  const Simulate& simulate_;
  const Nanoseconds makespan_;
  const std::vector<Evidence> evidence_;
  Trials trials_;
  Verdict verdict_;
};

}  // namespace

Result<Verdict> explain(const Judgement& judgement, const Source& source, const Circumstances& circumstances,
                        const Simulate& simulate) {
  return Explanation(judgement, source, circumstances, simulate).run();
}

std::string headline(const Judgement& judgement) {
  if (trace::sticky_error(judgement.history.trace())) return {};
  const verdict::Bound* const bound = verdict::binding(judgement);
  const auto host = std::ranges::find(judgement.bounds, verdict::BoundKind::host, &verdict::Bound::kind);
  if (host != judgement.bounds.end() && host->time > 0 && (bound == nullptr || host->time > bound->time)) {
    const double times = static_cast<double>(judgement.wall) / static_cast<double>(host->time);
    if (times <= kNearBound) return tr("{:.2f}× what the host takes by itself; its calls and its work bind", times);
  }
  if (bound == nullptr) return {};
  const double over = verdict::over_bound(judgement);
  const bool binds = over <= kNearBound;  // further off something else does
  if (bound->kind == verdict::BoundKind::bus)
    return binds ? tr("{:.2f}× the bound; the bus binds, in both directions", over)
                 : tr("{:.2f}× the bound, which the bus sets, in both directions", over);
  if (bound->kind == verdict::BoundKind::order)
    return !binds                 ? tr("{:.2f}× the bound, which the order of the operations sets", over)
           : takes_all(judgement) ? tr("{:.2f}× the bound; one operation binds", over)
                                  : tr("{:.2f}× the bound; the order of the operations binds", over);
  const std::string engine(tr(words_of(bound->engine.engine).the_text));
  return binds ? tr("{:.2f}× the bound; {} binds", over, engine) : tr("{:.2f}× the bound, which {} sets", over, engine);
}

std::string help_text(const Help& help) {
  const std::string predicted = display_duration(help.predicted);
  if (!help.sure && !known(help.measured))
    return tr("perhaps with {}: what it gains is too uncertain to say", help.change);
  if (known(help.measured)) {
    return tr("with {}: {} predicted, {} measured", help.change, predicted, display_duration(help.measured));
  }
  if (help.low == help.high) return tr("with {}: {} predicted", help.change, predicted);
  return tr("with {}: {} predicted ({} to {})", help.change, predicted, display_duration(help.low),
            display_duration(help.high));
}

}  // namespace streamscope::remedy
