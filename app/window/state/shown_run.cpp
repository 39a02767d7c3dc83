#include "app/window/state/shown_run.h"

#include <fmt/format.h>

#include <future>

#include "app/draw/caption.h"
#include "app/timeline/span_text.h"
#include "engine/base/memory.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

// From here on a second thread is worth its making: what is read off the trace takes as long as its tracks.
constexpr std::size_t kLargeRun = 50'000;       // spans
constexpr std::size_t kMuchMemory = 1'000'000;  // spans, from where on it takes time worth spending

void read_off(ShownRun& shown) {
  shown.waiters = timeline::waiters(shown.run->trace);
  shown.analysis = analysis::analyse(*shown.run);
  shown.noise = analysis::figure_noise(*shown.run, shown.analysis);
  shown.totals = reading::name_totals(shown.run->trace);
}

}  // namespace

std::shared_ptr<const ShownRun> prepare(const FinishedRun& finished) {
  auto shown = std::make_shared<ShownRun>();
  shown->number = finished.number;
  shown->id = finished.id;
  shown->subject = finished.started.subject;
  shown->asked = finished.started.asked;
  shown->run = finished.run;
  shown->setup = finished.started.setup;
  shown->ends_process = finished.started.ends_process;
  shown->series = finished.started.series;
  const auto policy = trace::span_count(shown->run->trace) >= kLargeRun ? std::launch::async
                                                                        : std::launch::deferred;  // deferred: by get()
  std::future<void> reading = std::async(policy, [&] { read_off(*shown); });
  shown->tracks = timeline::tracks(shown->run->trace);
  reading.get();
  if (shown->run->prediction && !shown->run->trace.spans.empty()) {
    shown->with_ghosts = timeline::tracks(shown->run->trace, shown->run->prediction->trace);
    shown->error = analysis::prediction_error(*shown->run);
    shown->comparison = analysis::compare(*shown->run);
  }
  if (trace::span_count(shown->run->trace) >= kMuchMemory) give_back_memory();
  shown->name = finished.started.label;
  const draw::Brief brief = draw::brief(*shown->run);
  // A lesson's names of its runs are for its file: what their programs say of themselves is for people.
  const bool titled = finished.started.purpose == RunFor::lesson && shown->run->program.starts_with('#');
  shown->about = shown->run->experiment.empty() && !titled ? shown->name : draw::caption(*shown->run).title;
  timeline::add_part(shown->about, brief.made_with);
  shown->besides = brief.besides;
  const std::string inside = shown->run->trace.stages.blocks.empty() ? "" : tr(" · in-kernel");
  shown->label = fmt::format("{}{} · {}", shown->name, inside, display_duration(shown->analysis.makespan));
  return shown;
}

}  // namespace streamscope::window
