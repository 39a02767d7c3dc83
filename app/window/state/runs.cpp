#include "app/window/state/runs.h"

#include <algorithm>
#include <utility>

#include "engine/analysis/changes.h"

namespace streamscope::window {
namespace {

constexpr std::size_t kSpansOfARun =
    1'000;  // that it counts for besides its own: a day of small ones takes memory, too

}  // namespace

void update(Runs& runs, const command::RenameRun& command) {
  runs.renaming = kNoRun;
  if (command.name.empty())
    runs.names.erase(command.run);
  else
    runs.names[command.run] = command.name;
}

bool keep(Runs& runs, std::shared_ptr<const ShownRun> run, const std::shared_ptr<const ShownRun>& compared) {
  const auto spans = [](const ShownRun& of) {
    return kSpansOfARun + trace::span_count(of.run->trace) +
           (of.run->prediction ? of.run->prediction->trace.spans.size() : 0);
  };
  const auto follows = [&](const std::shared_ptr<const ShownRun>& last) {
    return run->series != 0 && last->series == run->series && last != compared && !runs.names.contains(last->number);
  };
  if (!runs.all.empty() && follows(runs.all.back())) {
    runs.spans_kept -= spans(*runs.all.back());
    runs.changes.erase(runs.all.back()->number);
    runs.all.pop_back();
  }
  if (!runs.all.empty())
    runs.changes[run->number] = analysis::changes_text(analysis::changes(*runs.all.back()->run, *run->run));
  runs.spans_kept += spans(*run);
  runs.all.push_back(std::move(run));
  const auto goes = [&, newest = runs.all.back()](const std::shared_ptr<const ShownRun>& each) {
    const bool stays = each == newest || each == compared || runs.names.contains(each->number);
    if (stays || runs.spans_kept <= kSpansKept) return false;
    runs.spans_kept -= spans(*each);
    runs.changes.erase(each->number);
    return true;
  };
  std::vector<std::shared_ptr<const ShownRun>> left;
  for (const auto& each : runs.all)
    if (!goes(each)) left.push_back(each);
  runs.all.swap(left);
  return runs.all.size() < left.size();
}

bool replace(Runs& runs, const std::shared_ptr<const ShownRun>& run) {
  const auto same =
      std::find_if(runs.all.begin(), runs.all.end(), [&](const auto& kept) { return kept->number == run->number; });
  if (same == runs.all.end()) return false;
  *same = run;
  return true;
}

std::string run_name(const Runs& runs, const ShownRun& run) {
  const auto found = runs.names.find(run.number);
  return found == runs.names.end() ? run.label : found->second;
}

std::shared_ptr<const ShownRun> find_run(const Runs& runs, std::uint64_t number) {
  const auto found =
      std::find_if(runs.all.begin(), runs.all.end(), [&](const auto& run) { return run->number == number; });
  return found == runs.all.end() ? nullptr : *found;
}

}  // namespace streamscope::window
