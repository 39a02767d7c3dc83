#include "app/window/state/run_history.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "engine/analysis/changes.h"

namespace streamscope::window {

void keep(State& state, std::shared_ptr<const ShownRun> run) {
  const auto spans = [](const ShownRun& of) {
    return trace::span_count(of.run->trace) + (of.run->prediction ? of.run->prediction->trace.spans.size() : 0);
  };
  if (!state.runs.empty())
    state.run_changes[run->number] = analysis::changes_text(analysis::changes(*state.runs.back()->run, *run->run));
  state.spans_kept += spans(*run);
  state.runs.push_back(std::move(run));
  std::size_t dropped = 0;
  const auto goes = [&](const std::shared_ptr<const ShownRun>& each) {
    const bool stays = each == state.runs.back() || each == state.compared || state.run_names.contains(each->number);
    if (stays || state.spans_kept <= kSpansKept) return false;
    state.spans_kept -= spans(*each);
    state.run_changes.erase(each->number);
    ++dropped;
    return true;
  };
  std::vector<std::shared_ptr<const ShownRun>> left;
  for (const auto& each : state.runs)
    if (!goes(each)) left.push_back(each);
  if (dropped == 0) return;
  state.runs = std::move(left);
  say(state.status,
      fmt::format("To save memory only the newest {} runs are kept, those you named among them.", state.runs.size()));
}

}  // namespace streamscope::window
