#include "engine/sweep/run_sweep.h"

#include <algorithm>
#include <utility>

#include "engine/base/translate.h"

namespace streamscope::sweep {
namespace {

// Most combinations have the same notes.
void add_note(trace::Notes& notes, const trace::Note& note) {
  constexpr std::size_t kMostNotes = 20;
  if (notes.size() < kMostNotes && std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
}

}  // namespace

std::optional<Error> run_sweep(device::Device& device, const experiment::InputText& source,
                               const Combinations& combinations, const SweepPlan& plan, const StopFlag& stop,
                               const std::function<void(const SweepProgress&)>& progress, Sweep& sweep) {
  const auto measure = [&](std::size_t index, const Combination& one) -> Result<SweepResult> {
    SweepProgress at{index, combinations.all.size(), 0, plan.runs, settings_of(sweep.axes, index)};
    if (progress) progress(at);  // loading takes a while where there is much memory to fill
    std::vector<std::string> settings = sweep.settings;
    settings.insert(settings.end(), at.settings.begin(), at.settings.end());
    const auto input = TRY(experiment::read_input(source, settings));
    SweepPlan how = plan;
    how.verify = one.verify;
    auto result = measure_combination(device, input.checked, how, stop, [&](int run) {
      at.run = run;
      if (progress) progress(at);
    });
    if (!result && result.error().kind == ErrorKind::bad_input) return fail(experiment::placed(result.error(), input));
    return result;
  };

  std::optional<Error> ended;
  for (std::size_t i = 0; i < combinations.all.size(); ++i) {
    const Combination& one = combinations.all[i];
    SweepPoint point;
    point.why_not = one.why_not;
    if (one.same_as) {
      point = sweep.points[*one.same_as];
      point.same_as = one.same_as;
    } else if (ended) {
      if (point.why_not.empty()) point.why_not = tr("not run: {}", reason_of(*ended));
    } else if (one.why_not.empty()) {
      auto result = measure(i, one);
      if (result) {
        sweep.provenance = result->provenance;
        for (const trace::Note& note : result->notes) add_note(sweep.notes, note);
        point.result = std::move(*result);
      } else {
        point.why_not = reason_of(result.error());
        const ErrorKind kind = result.error().kind;
        if (kind == ErrorKind::cancelled || kind == ErrorKind::device_failed) ended = result.error();
      }
      if (!ended && stop.stop_requested()) ended = Error{ErrorKind::cancelled, tr("The sweep was stopped on request.")};
    }
    sweep.points.push_back(std::move(point));
  }
  return ended;
}

}  // namespace streamscope::sweep
