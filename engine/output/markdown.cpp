// A run as a page to paste into an issue or a report: what was run, its figures, its engines and its operations.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/analysis/analysis.h"
#include "engine/analysis/figures.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/output/fields.h"
#include "engine/output/output.h"
#include "engine/trace/packed_spans.h"

namespace streamscope::output {
namespace {

constexpr std::size_t kMostRows = 500;  // beyond that nobody reads a table

// Within a cell: no line break, and nothing that would end it or be read as markup.
std::string cell(std::string_view text) {
  std::string out;
  for (const char letter : clean(text)) {
    if (letter == '\n' || letter == '\r') {
      out += ' ';
      continue;
    }
    if (std::string_view("\\|`*_<>[]#").find(letter) != std::string_view::npos) out += '\\';
    out += letter;
  }
  return out;
}

std::string duration(Nanoseconds value) { return known(value) ? display_duration(value) : std::string(); }

void row(std::string& out, std::initializer_list<std::string> cells) {
  for (const std::string& each : cells) fmt::format_to(std::back_inserter(out), "| {} ", each);
  out += "|\n";
}

void spread_row(std::string& out, const char* name, const std::optional<trace::Statistic>& of, int runs) {
  if (!of) return;
  row(out,
      {name, display_duration(of->median),
       runs > 1 ? tr("median of {} runs, {} to {}", runs, display_duration(of->minimum), display_duration(of->maximum))
                : tr("one run")});
}

void figures(std::string& out, const trace::Run& run, const analysis::Analysis& found) {
  out += fmt::format("\n| {} | {} | |\n| :-- | --: | :-- |\n", tr("Figure"), tr("Value"));
  if (run.makespan)
    spread_row(out, tr("Makespan"), run.makespan, run.runs);
  else if (known(found.makespan))
    row(out, {tr("Makespan"), display_duration(found.makespan), tr("first start to last end")});
  spread_row(out, tr("Wall time"), run.wall, run.runs);
  spread_row(out, tr("Bare wall time"), run.bare_wall, run.runs);
  if (run.observer_effect)
    row(out, {tr("Observer effect"), fmt::format("{:.3f}×", run.observer_effect->median),
              tr("{:.3f} to {:.3f}, {} pairs", run.observer_effect->low, run.observer_effect->high,
                 run.observer_effect->pairs)});
  if (trace::span_count(run.trace) == 0) return;
  for (const analysis::Figure& each : analysis::figures(found, analysis::figure_noise(run, found))) {
    if (each.weight == analysis::FigureWeight::file || !each.value) continue;
    const std::string noise = each.noise > 0 ? " " + analysis::display_noise(each) : "";
    row(out, {std::string(each.name), analysis::display(each, 1) + noise, std::string(each.meaning)});
  }
}

void engines(std::string& out, const trace::Trace& trace, const analysis::Analysis& found) {
  out += fmt::format("\n{}\n", tr("| Engine | Busy | Of the makespan | Operations | Moved | Rate while busy |"));
  out += "| :-- | --: | --: | --: | --: | --: |\n";
  for (const analysis::EngineUse& use : found.engines) {
    if (use.operations == 0) continue;
    const bool moves = use.bytes != 0;
    row(out, {std::string(tr(name(use.engine))) + trace::of_device(trace, use.device), duration(use.busy),
              fmt::format("{:.1f} %", 100 * use.use), fmt::format("{}", use.operations),
              moves ? display_bytes(use.bytes) : "", moves ? display_bandwidth(use.bytes, use.busy) : ""});
  }
}

void operations(std::string& out, const trace::Trace& trace) {
  const Table names(trace.names, cell, ""), streams(stream_names(trace), cell, "");
  out += fmt::format("\n{}\n", tr("| # | Line | Operation | Stream | Size | Start | Duration | Ready to start | |"));
  out += "| --: | --: | :-- | :-- | --: | --: | --: | --: | :-- |\n";
  const std::size_t count = trace::span_count(trace);
  for (std::size_t i = 0; i < std::min(count, kMostRows); ++i) {
    const trace::Span span = trace::span_at(trace, i);
    row(out, {fmt::format("{}", i), span.line != 0 ? fmt::format("{}", span.line) : "", names[span.name],
              streams[span.stream], span.bytes != 0 ? display_bytes(span.bytes) : "",
              duration(known(span.start) ? span.start : span.host_begin),
              duration(known(span.start) ? elapsed(span.start, span.end) : elapsed(span.host_begin, span.host_end)),
              duration(elapsed(span.ready, span.start)), cell(analysis::explain_wait(trace, span))});
  }
  if (count > kMostRows)
    out += fmt::format("\n{}\n", tr("The first {} of {} operations; --csv writes all.", kMostRows, count));
}

}  // namespace

std::string to_markdown(const trace::Run& run) {
  const trace::Provenance& from = run.trace.provenance;
  const bool model = from.kind == trace::Provenance::Kind::model;
  std::string out = tr("**{}** {}{}, instrument {}{}", tr(trace::badge(from.kind)), cell(from.device),
                       model                 ? tr(", profile {}", cell(from.profile))
                       : from.driver.empty() ? std::string()
                                             : tr(", driver {}", cell(from.driver)),
                       cell(trace::instrument_text(from)), from.date.empty() ? "" : ", " + cell(from.date)) +
                    "\n";
  const analysis::Analysis found = analysis::analyse(run);
  figures(out, run, found);
  if (trace::span_count(run.trace) > 0) {
    engines(out, run.trace, found);
    operations(out, run.trace);
  }
  if (!run.program.empty()) {
    out += "\n    ";  // as code, whatever stands in it
    for (const char letter : clean(run.program)) out += letter == '\n' ? "\n    " : std::string(1, letter);
    while (out.ends_with(' ')) out.pop_back();
    if (!out.ends_with('\n')) out += '\n';
  }
  for (const trace::Note& note : run.notes) out += fmt::format("\n> {}\n", cell(note.text));
  return out;
}

}  // namespace streamscope::output
