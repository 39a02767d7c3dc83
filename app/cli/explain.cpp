// `streamscope explain`: why a run took so long, and what would help.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/interrupt.h"
#include "app/cli/outputs.h"
#include "app/cli/perform.h"
#include "app/cli/pictures.h"
#include "app/cli/terminal.h"
#include "app/timeline/path_shares.h"
#include "app/timeline/rulers.h"
#include "engine/analysis/api_calls.h"
#include "engine/base/files.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/input/open.h"
#include "engine/output/output.h"
#include "engine/program/read_program.h"
#include "engine/remedy/explain_run.h"
#include "engine/remedy/fix.h"

namespace streamscope::cli {
namespace {

struct ExplainOptions {
  RunOptions run;
  std::string json;
  bool fix = false;
  std::string top;
};

constexpr std::size_t kTop = 5;

std::string share_text(Nanoseconds part, Nanoseconds of) {
  return of <= 0 ? "" : fmt::format("{:.0f} %", 100 * static_cast<double>(part) / static_cast<double>(of));
}

std::string indented(const std::string& lines, std::string_view by) {
  std::string out;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    out += fmt::format("{}{}\n", by, lines.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

std::string text_of(const trace::Run& run, const remedy::ExplainedRun& of, const std::string& title, std::size_t top) {
  const verdict::Judgement& judgement = *of.judgement;
  const Nanoseconds makespan = judgement.makespan;
  if (!known(makespan)) return fmt::format("{}: {}\n", title, analysis::nothing_ran_text(run.trace));
  std::string out = tr("{}: {} on {}, {}\n", title, display_duration(makespan), run.trace.provenance.device,
                       tr(trace::badge(run.trace.provenance)));
  if (const std::string over = remedy::headline(judgement); !over.empty()) out += over + "\n";
  if (const std::string failed = analysis::failed_calls_text(run.trace); !failed.empty())
    out += tr("Errors: {}", failed) + "\n";
  std::size_t number = 0;
  for (const remedy::Entry& entry : of.verdict.entries) {
    if (number == top) break;
    out += fmt::format("\n{}. {}  {}\n", ++number, verdict::name(entry.cause), entry.text);
    if (!entry.help) continue;
    out += fmt::format("   {}\n", remedy::help_text(*entry.help));
    out += indented(entry.help->difference, "     ");
  }
  if (!of.verdict.others.empty()) {
    out += fmt::format("\n{}\n", tr("Other changes that would help:"));
    for (std::size_t i = 0; i < of.verdict.others.size() && i < top; ++i) {
      out += fmt::format("   {}\n", remedy::help_text(of.verdict.others[i]));
    }
  }
  // What the host does before the first operation and behind the last is in no makespan.
  if (judgement.wall > makespan + makespan / 20 && !judgement.path.pieces.empty()) {
    const Nanoseconds before = judgement.path.pieces.front().from;
    const Nanoseconds behind = judgement.wall - judgement.path.pieces.back().to;
    out += fmt::format("\n{}\n", tr("Wall time: {}, {} of it before the first operation and {} behind the last",
                                    display_duration(judgement.wall), display_duration(before),
                                    display_duration(std::max<Nanoseconds>(0, behind))));
  }
  out += fmt::format("\n{}\n",
                     tr("Critical path: {}", timeline::path_shares_text(judgement.path, timeline::PathTimes::shown)));
  std::string bounds;
  for (const verdict::Bound& bound : judgement.bounds) {
    const std::string doubt = bound.uncertainty == 0 ? "" : fmt::format(" ±{}", display_duration(bound.uncertainty));
    bounds += fmt::format("{}{} {}{}", bounds.empty() ? "" : "; ", timeline::bound_name(judgement, bound),
                          display_duration(bound.time), doubt);
  }
  out += fmt::format("{}\n", tr("Bounds: {}", bounds));
  for (const verdict::EngineIdle& each : judgement.idle) {
    std::string causes;
    for (const verdict::IdleTime& one : each.causes) {
      causes += fmt::format("{}{} {}", causes.empty() ? "" : ", ", in_words(one.cause), share_text(one.time, makespan));
    }
    const std::string engine(tr(words_of(each.engine.engine).text));
    out += fmt::format("{}\n",
                       tr("Idle, {}: {} of the makespan ({})", engine + trace::of_device(run.trace, each.engine.device),
                          share_text(each.idle, makespan), causes.empty() ? std::string("-") : causes));
  }
  return out;
}

Result<std::size_t> parse_top(const std::string& text) {
  if (text.empty()) return kTop;
  const bool digits = std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  if (!digits || text.size() > 4 || text == "0") {
    return fail(ErrorKind::bad_input, tr("--top {}: error: write how many causes to name, from 1 to 9999", text));
  }
  return std::stoul(text);
}

// Runs what the plan asks for, of another source.
Result<trace::Run> run_source(const RunPlan& plan, const experiment::Input& input, const remedy::Source& source,
                              const Interrupt& interrupt) {
  experiment::Input changed = input;
  changed.program = source.program;
  changed.experiment = source.experiment;
  changed.checked = TRY(program::read_program(source.program, tr("the changed program"))).program;
  return perform(plan, changed, interrupt);
}

std::string steps_text(const std::vector<remedy::FixStep>& steps, Nanoseconds before, bool model) {
  std::string out = "\n";
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const remedy::FixStep& step = steps[i];
    const std::string predicted = display_duration(step.help.predicted), took = display_duration(step.help.measured);
    out += model ? tr("Step {}: {}: {} simulated", i + 1, step.help.change, took)
                 : tr("Step {}: {}: {} predicted, {} measured", i + 1, step.help.change, predicted, took);
    out += (step.kept ? "" : tr(", left out again")) + std::string("\n");
    out += indented(step.help.difference, "     ");
  }
  const auto last = std::find_if(steps.rbegin(), steps.rend(), [](const remedy::FixStep& each) { return each.kept; });
  if (last == steps.rend()) return out + tr("No change made it faster.\n");
  const double times = static_cast<double>(before) / static_cast<double>(std::max<Nanoseconds>(1, last->help.measured));
  return out + tr("{} became {}, {:.2f} times as fast.\n", display_duration(before),
                  display_duration(last->help.measured), times);
}

Result<int> execute(const ExplainOptions& options) {
  const std::size_t top = TRY(parse_top(options.top));
  const RunPlan planned = TRY(plan(options.run));
  const device::Instrument instrument = planned.measure.instrument;
  if (!device::about(instrument).spans || instrument == device::Instrument::calls) {
    return fail(
        ErrorKind::bad_input,
        tr("--instrument {}: error: a verdict rests on the times of the operations; use full", options.run.instrument));
  }
  Interrupt interrupt;
  const bool saved = options.run.file != "-" && input::looks_like_trace(options.run.file);
  if (saved && options.fix) {
    return fail(ErrorKind::bad_input,
                tr("--fix: error: {} is a trace: nothing can be run, so leave the option out", options.run.file));
  }
  std::vector<OutputFile> outputs{{"--json", options.json}};
  for (OutputFile& each : outputs_of(options.run)) outputs.push_back(std::move(each));
  TRY(check_outputs(outputs, {{tr("the input"), options.run.file}}));
  experiment::Input input;
  trace::Run run;
  std::string title;
  if (saved) {
    run = TRY(open_saved(options.run, interrupt));
    title = std::filesystem::path(options.run.file).filename().string();
  } else {
    input = TRY(read_input(options.run.file.empty() ? "four-streams" : options.run.file, options.run.settings));
    print_stderr_text(experiment::with_line_end(input.warnings));
    run = TRY(placed(perform(planned, input, interrupt), input));
    title = input.title;
  }
  // A model by itself, with its changed numbers; a GPU by the model that was asked for.
  std::optional<device::DeviceSpec> simulating;
  if (!saved && planned.device.kind == device::DeviceSpec::Kind::model) simulating = planned.device;
  if (planned.predict && planned.predict->kind == device::DeviceSpec::Kind::model) simulating = planned.predict;
  std::optional<StatusLine> line(std::in_place);
  const auto show = [&](int simulated) { line->show(tr("simulating changes: {} done", simulated)); };
  const std::size_t all = remedy::Circumstances{}.most_simulated;
  const std::shared_ptr<const remedy::ExplainedRun> found =
      TRY(remedy::explain_run(run, interrupt.flag(), simulating, all, show));
  std::string fixed;
  if (options.fix) {
    const auto try_it = [&](const remedy::Source& source) -> Result<remedy::Tried> {
      const trace::Run changed = TRY(run_source(planned, input, source, interrupt));
      const auto then = TRY(remedy::explain_run(changed, interrupt.flag(), simulating, all, show));
      return remedy::Tried{then->makespan, then->verdict};
    };
    const bool model = run.trace.provenance.kind == trace::Provenance::Kind::model;
    fixed =
        steps_text(TRY(remedy::fix(found->source, {found->makespan, found->verdict}, try_it)), found->makespan, model);
  }
  line.reset();
  interrupt.end();
  if (!options.json.empty()) {
    TRY(write_text(options.json, output::to_json(found->verdict, *found->judgement)));
  }
  int code = 0;
  if (draws_pictures(options.run)) {
    draw::FigureOptions figure = planned.figure;
    if (planned.open) figure.opening = TRY(opening_in(run.trace, *planned.open));
    code = write_pictures(run, options.run, figure, found);
  }
  if (options.json == "-" || options.run.svg == "-") return code;
  const int said = print_stdout(text_of(run, *found, printable_line(title), top) + fixed);
  return code != 0 ? code : said;
}

}  // namespace

Command explain_command() {
  const auto o = std::make_shared<ExplainOptions>();
  std::vector<Option> options = measuring_options(o->run);
  for (Option& each : picture_options(o->run)) options.push_back(std::move(each));
  options.push_back({"--json", &o->json, tr("Write the verdict with all that it rests on as JSON"), "F"});
  options.push_back(
      {"--fix", &o->fix, tr("Make the changes that help, one after the other, as long as a run says that they do")});
  options.push_back({"--top", &o->top, tr("How many causes and changes to name (5)"), "N"});
  return {.name = "explain",
          .about = tr("Say why a run took so long, and what would help"),
          .options = std::move(options),
          .footer = tr("Changes are simulated by the model that fits the device, and scaled by the measurement."),
          .run = [o] { return execute(*o); }};
}

}  // namespace streamscope::cli
