#include "app/window/state/observer_effect.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace streamscope::window {

Subject subject_of(const remote::message::StartRun& request) {
  const measure::MeasureOptions& o = request.options;
  const Subject hash = std::hash<std::string>{}(
      fmt::format("{}\n{} {} {} {}\n{}", request.device, device::name(o.instrument),
                  o.instrument == device::Instrument::sampled ? o.share : 0, o.gate, o.stages_of, request.program));
  return std::max<Subject>(hash, 1);
}

void note(Pairs& pairs, Subject subject, const trace::Run& run) {
  if (subject == 0) return;
  if (pairs.subject != subject) {
    pairs = {};
    pairs.subject = subject;
  }
  if (run.observer_effect) pairs.whole = run.observer_effect;
  // Of more than one run only medians are reported, and they are no pair.
  if (run.runs != 1 || !run.wall || !run.bare_wall ||
      run.trace.provenance.instrument == device::name(device::Instrument::bare)) {
    ++pairs.runs_since;
    return;
  }
  pairs.runs_since = 0;
  pairs.instrumented.push_back(run.wall->median);
  pairs.bare.push_back(run.bare_wall->median);
  if (pairs.bare.size() <= kPairsKept) return;
  pairs.instrumented.erase(pairs.instrumented.begin());
  pairs.bare.erase(pairs.bare.begin());
}

bool bare_due(const Pairs& pairs, Subject next) {
  if (pairs.subject != next) return false;
  if (!pairs.whole && pairs.bare.size() < static_cast<std::size_t>(trace::kFewestPairs)) return true;
  return pairs.runs_since + 1 >= kBareEvery;
}

std::optional<trace::ObserverEffect> effect(const Pairs& pairs, Subject subject) {
  if (subject == 0 || pairs.subject != subject) return std::nullopt;
  const auto gathered = trace::observer_effect(pairs.instrumented, pairs.bare);
  return gathered ? gathered : pairs.whole;
}

}  // namespace streamscope::window
