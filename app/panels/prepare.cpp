#include <fmt/format.h>

#include "app/panels/state.h"
#include "engine/base/quantity.h"

namespace streamscope {

std::shared_ptr<const ShownRun> prepare(const Finished& finished) {
  auto shown = std::make_shared<ShownRun>();
  shown->number = finished.number;
  shown->id = finished.id;
  shown->subject = finished.started.subject;
  shown->asked = finished.started.asked;
  shown->run = finished.run;
  shown->tracks = tracks(shown->run->trace);
  shown->waiters = waiters(shown->run->trace);
  shown->analysis = analyse(shown->run->trace);
  shown->noise = figure_noise(*shown->run, shown->analysis);
  if (shown->run->prediction && !shown->run->trace.spans.empty()) {
    shown->with_ghosts = tracks(shown->run->trace, shown->run->prediction->trace);
    shown->error = prediction_error(*shown->run);
    shown->comparison = compare(*shown->run);
  }
  shown->label = fmt::format("{} · {}", finished.started.label, display_duration(shown->analysis.makespan));
  return shown;
}

}  // namespace streamscope
