#include "app/window/state/referee_row.h"

#include <fmt/format.h>

#include <utility>

#include "engine/analysis/second_opinion.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

// Where the second opinion on a run that was made here stands.
std::string stands(const State& state, const ShownRun& shown) {
  const Running& running = state.running;
  const trace::Provenance& from = shown.run->trace.provenance;
  const auto made_with = [&](device::Instrument each) { return from.instrument == device::name(each); };
  if (made_with(device::Instrument::cupti)) return tr("none: these times are CUPTI's own");
  if (!made_with(device::Instrument::full) && !made_with(device::Instrument::sampled))
    return tr("none: the run has no bars to judge");
  if (shown.ends_process) return tr("none: the program takes its process along, so there is one pass of it");
  if (running.live) return tr("none in live mode");
  if (const auto now = running.started.find(running.in_progress);
      now != running.started.end() && now->second.purpose == RunFor::referee && now->second.subject == shown.subject)
    return tr("running");
  const bool newest = !state.runs.all.empty() && state.runs.all.back() == state.runs.shown;
  if (newest && known(running.referee_due)) return tr("waits for the controls to rest");
  return tr("not asked: run again, and let the controls rest");
}

}  // namespace

RefereeRow referee_row(const State& state) {
  if (!state.runs.shown || state.runs.shown->number == 0) return {};
  const ShownRun& shown = *state.runs.shown;
  RefereeRow row;
  row.meaning =
      tr("A second opinion on how long the operations took: CUPTI's records of other passes of the same program, made "
         "in another process once nothing was changed for 2 s. Bars that it contradicts keep their place, and their "
         "doubt grows.");
  if (shown.run->referee) {
    analysis::SecondOpinion said = analysis::second_opinion(*shown.run->referee);
    row.says = std::move(said.verdict);
    row.meaning += fmt::format("\n{}", said.detail);
    row.contradicts = said.contradicts;
  } else if (shown.subject != 0 && shown.run->trace.provenance.kind == trace::Provenance::Kind::measured) {
    row.says = stands(state, shown);
  }
  return row;
}

}  // namespace streamscope::window
