#include "engine/sweep/run_sweep.h"

#include <utility>

#include "engine/base/translate.h"
#include "engine/sweep/points.h"

namespace streamscope::sweep {

Error stopped_on_request() { return {ErrorKind::cancelled, tr("The sweep was stopped on request.")}; }

Result<experiment::Input> input_of(const experiment::InputText& source, const Sweep& sweep, std::size_t combination) {
  std::vector<std::string> settings = sweep.settings;
  for (std::string& each : settings_of(sweep.axes, combination)) settings.push_back(std::move(each));
  return experiment::read_input(source, settings);
}

std::optional<Error> run_sweep(device::Device& device, const experiment::InputText& source,
                               const Combinations& combinations, const SweepPlan& plan, const StopFlag& stop,
                               const std::function<void(const SweepProgress&)>& progress, Sweep& sweep) {
  const auto measure = [&](std::size_t index, const Combination& one) -> Result<SweepResult> {
    SweepProgress at{index, combinations.all.size(), 0, plan.runs, settings_of(sweep.axes, index)};
    if (progress) progress(at);  // loading takes a while where there is much memory to fill
    const auto input = TRY(input_of(source, sweep, index));
    SweepPlan how = plan;
    how.verify = one.verify;
    auto result = measure_combination(device, input.checked, how, stop, [&](int run) {
      at.run = run;
      if (progress) progress(at);
    });
    if (!result && result.error().kind == ErrorKind::bad_input) return fail(experiment::placed(result.error(), input));
    return result;
  };

  Points points(combinations, sweep);
  std::optional<Error> ended;
  while (!ended) {
    const auto next = points.take();
    if (!next) break;
    auto result = measure(*next, combinations.all[*next]);
    if (!result && (result.error().kind == ErrorKind::cancelled || result.error().kind == ErrorKind::device_failed)) {
      ended = result.error();
    } else if (stop.stop_requested()) {
      ended = stopped_on_request();
    }
    points.keep(*next, std::move(result));
  }
  points.finish(ended);
  return ended;
}

}  // namespace streamscope::sweep
