#include "app/window/panels/live_controls.h"

#include <algorithm>
#include <string>
#include <vector>

#include "app/window/panels/help_answer.h"
#include "app/window/panels/typed_choice.h"
#include "app/window/platform/imgui_compat.h"
#include "app/window/state/run_requests.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

// The levels that a trigger's slider has: 1 2 5 in each decade, from 1 us to 10 s.
std::vector<std::uint64_t> trigger_levels(Nanoseconds present) {
  std::vector<std::uint64_t> out{static_cast<std::uint64_t>(present)};
  for (std::uint64_t decade = 1'000; decade <= 10'000'000'000; decade *= 10)
    for (const std::uint64_t step : {1, 2, 5}) out.push_back(decade * step);
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace

void live_controls(const Panel& panel, float label_width) {
  const State& state = panel.state;
  const Live& live = state.live;
  heading(panel.look, tr("Live"));
  const Disabled on("");
  constexpr const char* kTriggers[] = {tr_later("nothing"), tr_later("a makespan over"), tr_later("a wait over"),
                                       tr_later("a contradiction")};
  row(tr("Hold at"), label_width);
  const auto all = {TriggerOn::nothing, TriggerOn::makespan, TriggerOn::wait, TriggerOn::contradiction};
  const auto words = [&](TriggerOn each) { return tr(kTriggers[static_cast<std::size_t>(each)]); };
  if (const auto chosen = combo("##trigger", all, live.trigger.on, words)) {
    // From where it stands now, so that the next excess is seen.
    const Nanoseconds now = state.runs.shown ? measured_by(*chosen, *state.runs.shown) : kAbsent;
    panel.emit(command::SetTrigger{{*chosen, known(now) ? now : live.trigger.level}});
  }
  help_here(panel, "trigger", help::Kind::term);
  on.explain(tr("Live mode stops at the first run that passes this, and its picture stays."));
  if (live.trigger.on == TriggerOn::makespan || live.trigger.on == TriggerOn::wait) {
    row(tr("Level"), label_width);
    auto level = static_cast<std::uint64_t>(live.trigger.level);
    if (choose(panel, "##level", trigger_levels(live.trigger.level), level, display_duration(live.trigger.level),
               Typed::duration))
      panel.emit(command::SetTrigger{{live.trigger.on, static_cast<Nanoseconds>(level)}});
    on.explain(tr("A double click: type a value."));
  }
  bool cloud = live.persistence;
  if (ImGui::Checkbox(tr("Persistence"), &cloud)) panel.emit(command::SetPersistence{cloud});
  help_here(panel, "persistence", help::Kind::term);
  on.explain(tr("Where the bars of live mode's last {} runs ended, as a faint cloud", kRunsInCloud));
  ImGui::SameLine();
  const Disabled why(state.running.live ? std::string() : why_not_run(state));
  if (ImGui::Button(tr("Single"))) panel.emit(command::SingleShot{});
  why.explain(tr("Live until the trigger holds a run; without one, a single run (N)"));
}

}  // namespace streamscope::window
