#include "app/cli/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "app/cli/terminal.h"
#include "app/draw/caption.h"
#include "app/timeline/span_text.h"
#include "engine/analysis/analysis.h"
#include "engine/analysis/api_calls.h"
#include "engine/analysis/compare.h"
#include "engine/analysis/figures.h"
#include "engine/analysis/second_opinion.h"
#include "engine/analysis/stage_times.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/trace/packed_spans.h"

namespace streamscope::cli {
namespace {

// From here on a figure says little: runs that differ so much, as part of the median, were not alike.
constexpr double kMuchNoise = 0.05;

std::string with_spread(const std::optional<trace::Statistic>& statistic, int runs) {
  if (!statistic) return tr("not measured");
  if (runs < 2) return display_duration(statistic->median);
  const std::string median = display_duration(statistic->median), least = display_duration(statistic->minimum),
                    most = display_duration(statistic->maximum);
  if (!known(statistic->spread)) return tr("{} (median; {} to {})", median, least, most);
  std::string text = tr("{} (median; {} to {}, spread {})", median, least, most, display_duration(statistic->spread));
  const double noise =
      statistic->median > 0 ? static_cast<double>(statistic->spread) / static_cast<double>(statistic->median) : 0;
  if (noise >= kMuchNoise) text += tr("; noisy, the runs differ by {:.0f} %", 100 * noise);
  return text;
}

// A merged trace has one makespan; how far its last end spreads is what is known of the noise.
std::string makespan_text(const trace::Run& run) {
  if (run.trace.provenance.share == 0 || !run.makespan) return with_spread(run.makespan, run.runs);
  const std::string median = display_duration(run.makespan->median);
  if (!known(run.makespan->spread)) return tr("{} (merged)", median);
  return tr("{} (merged, spread {})", median, display_duration(run.makespan->spread));
}

std::string observer_text(const trace::Run& run) {
  const std::string bare = run.bare_wall ? tr(", bare {}", display_duration(run.bare_wall->median)) : "";
  if (!run.observer_effect) return tr("no figure, too few pairs") + bare;
  const trace::ObserverEffect& effect = *run.observer_effect;
  std::string text =
      tr("{:.3f} ({:.3f} to {:.3f}, {} pairs){}", effect.median, effect.low, effect.high, effect.pairs, bare);
  if (effect.low <= 1 && effect.high >= 1) text += tr("; within its own noise, so it may be none");
  return text;
}

// "264 blocks recorded 33,000 tiles, 21 % of their time waiting; kernels took 1.003 times as long (…)"
std::string stages_text(const trace::Run& run) {
  std::size_t tiles = 0;
  for (const trace::StageBlock& block : run.trace.stages.blocks) tiles += block.stages.size();
  std::string text = tr("{} blocks recorded {} tiles", run.trace.stages.blocks.size(), tiles);
  if (const auto waited = analysis::share_waited(run.trace.stages))
    text += tr(", {:.1f} % of their time waiting", 100 * *waited);
  if (!run.stage_effect) return text;
  const trace::ObserverEffect& effect = *run.stage_effect;
  return text + tr("; their kernels took {:.4f} times as long for it ({:.4f} to {:.4f}, {} pairs)", effect.median,
                   effect.low, effect.high, effect.pairs);
}

std::string use_of(const analysis::EngineUse& use) {
  std::string text = tr("{:.1f} % of the makespan, {}", 100 * use.use,
                        tr_n("{} operation", "{} operations", use.operations, use.operations));
  if (use.engine != Engine::compute) {
    text += tr(", {} at {}", display_bytes(use.bytes), display_bandwidth(use.bytes, use.busy));
  }
  return text;
}

// "+12 us: D2H (operation 5, line 7): ran at 50.1 GB/s, 55.3 GB/s predicted"
std::string deviation_text(const trace::Trace& trace, const analysis::Deviation& deviation) {
  const trace::Span* span = deviation.operation < trace.spans.size() ? &trace.spans[deviation.operation] : nullptr;
  const std::string what = span != nullptr && span->name < trace.names.size() ? trace.names[span->name] + " " : "";
  const std::string line = deviation.line != 0 ? tr(", line {}", deviation.line) : "";
  return tr("{}{}: {}(operation {}{}): {}", deviation.by > 0 ? "+" : "", display_duration(deviation.by), what,
            deviation.operation, line, deviation.cause);
}

}  // namespace

std::string summary(const trace::Run& run, const std::string& title, const remedy::ExplainedRun* why) {
  const trace::Provenance& from = run.trace.provenance;
  std::string text;
  const auto out = std::back_inserter(text);
  const auto row = [&](std::string_view what, std::string_view value) {
    fmt::format_to(out, "  {:<12}{}\n", what, printable_line(value));
  };
  fmt::format_to(out, "{}\n", printable_line(title));
  if (const std::string what = draw::caption(run).subtitle; !what.empty())
    row(!run.experiment.empty() ? tr("experiment") : !run.program.empty() ? tr("program") : tr("trace"), what);
  const bool model = from.kind == trace::Provenance::Kind::model;
  row(tr(trace::badge(from)), fmt::format("{}{}", from.device,
                                          model                 ? tr(" (profile {})", from.profile)
                                          : from.driver.empty() ? std::string()
                                                                : fmt::format(" ({})", from.driver)));
  row(tr("runs"), tr("{}, instrument {}", run.runs, trace::instrument_text(from)));
  row(tr("wall"), with_spread(run.wall, run.runs));
  if (trace::span_count(run.trace) > 0) {
    const analysis::Analysis figures = analysis::analyse(run);
    row(tr("makespan"), makespan_text(run));
    for (const analysis::Figure& each : analysis::figures(figures)) {
      if (each.weight != analysis::FigureWeight::headline || !each.value) continue;
      row(timeline::lower(each.name), fmt::format("{}, {}", analysis::display(each, 1), each.detail));
    }
    if (why != nullptr && !why->verdict.entries.empty()) {
      const remedy::Entry& first = why->verdict.entries.front();
      if (const std::string over = remedy::headline(*why->judgement); !over.empty()) row(tr("bound"), over);
      row(tr("why"), first.text);
      if (first.help) row("", remedy::help_text(*first.help));
    }
    for (const analysis::EngineUse& use : figures.engines) {
      if (use.operations == 0 || !known(figures.makespan)) continue;
      const std::string where = trace::device_count(run.trace) > 1 ? tr("device {}: ", use.device) : "";
      row(tr(words_of(use.engine).text), where + use_of(use));
    }
    if (!run.trace.packed) row(tr("API calls"), analysis::api_calls_text(analysis::api_calls(run.trace)));
    row(tr("clocks"),
        model || from.uncertainty == 0 ? from.clock : tr("{}, to ±{}", from.clock, display_duration(from.uncertainty)));
  }
  if (const std::string failed = analysis::failed_calls_text(run.trace); !failed.empty()) row(tr("errors"), failed);
  if (const std::string sticks = analysis::sticky_error_text(run.trace); !sticks.empty()) row(tr("sticks"), sticks);
  if (const auto wrong = from.contradictions) {
    row(tr("consistent"), *wrong == 0 ? tr("yes, no times contradict each other")
                                      : tr_n("NO: {} contradiction between times",
                                             "NO: {} contradictions between times", *wrong, *wrong));
  }
  if (model) {
    row(tr("observer"), tr("not simulated"));
  } else if (run.bare_wall && from.instrument != "bare") {
    row(tr("observer"), observer_text(run));
  }
  if (run.trace.stages.every > 0) row(tr("in-kernel"), stages_text(run));
  if (run.referee) {
    const analysis::SecondOpinion said = analysis::second_opinion(*run.referee);
    row(tr("referee"), said.verdict);
    row("", said.detail);
  }
  if (run.prediction) {
    row(tr("prediction"), analysis::prediction_text(run));
    const analysis::Comparison comparison = analysis::compare(run);
    constexpr std::size_t kTold = 3;
    for (std::size_t i = 0; i < std::min(kTold, comparison.deviations.size()); ++i) {
      row(i == 0 ? tr("deviates at") : "", deviation_text(run.trace, comparison.deviations[i]));
    }
    if (comparison.count == 0 && !run.trace.spans.empty())
      row(tr("deviates at"), tr("nowhere beyond the measurement's uncertainty"));
    if (comparison.count > kTold) row("", tr("in all: {}", analysis::sums_text(comparison)));
  }
  row(tr("verified"), !run.verified   ? tr("not checked")
                      : *run.verified ? tr("yes, the data is right")
                                      : tr("NO: the data that came back is wrong"));
  for (const trace::Note& note : run.notes) row(tr("note"), note.text);
  if (run.prediction) {
    for (const trace::Note& note : run.prediction->notes) {
      // The same as for the run itself where that is a model's, too.
      if (std::find(run.notes.begin(), run.notes.end(), note) == run.notes.end()) row(tr("predicted"), note.text);
    }
  }
  return text;
}

}  // namespace streamscope::cli
