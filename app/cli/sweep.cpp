// `streamscope sweep`: one experiment over the values of up to three of its keys, on one device or on several engines.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/interrupt.h"
#include "app/cli/outputs.h"
#include "app/cli/run_options.h"
#include "app/cli/sweep_engines.h"
#include "app/cli/sweep_table.h"
#include "app/cli/terminal.h"
#include "app/draw/paper.h"
#include "app/draw/sweep_chart.h"
#include "engine/base/files.h"
#include "engine/base/translate.h"
#include "engine/device/catalog/open_devices.h"
#include "engine/output/output.h"
#include "engine/sweep/combinations.h"
#include "engine/sweep/run_sweep.h"

namespace streamscope::cli {
namespace {

// "wall, makespan or overlap"
template <class Word>
std::string listed(const std::vector<Word>& words) {
  return tr("{} or {}", fmt::join(words.begin(), words.end() - 1, ", "), words.back());
}

std::string figures_explained() {
  std::vector<std::string> words;
  for (const std::string_view each : sweep::choices()) {
    words.push_back(fmt::format("{}{}", each,
                                each == sweep::choices().front()        ? tr(" (where all have tiles or attention)")
                                : each == sweep::choices(false).front() ? tr(" (else)")
                                                                        : ""));
  }
  return tr("What the table and the plot show: {}; files have all of them", listed(words));
}

struct SweepArguments {
  RunOptions run;  // those that a sweep has too
  std::vector<std::string> axes, engines;
  std::string figure;  // empty: by what the programs are
  std::string figures = figures_explained();
  std::string csv, json;
};

// The rate of kernels that not every combination has would leave gaps that say nothing.
Result<std::string> figure_for(const std::string& asked, const sweep::Combinations& combinations) {
  const auto possible = [](const sweep::Combination& one) { return one.why_not.empty(); };
  const auto has = [&](const sweep::Combination& one) { return !possible(one) || one.has_tiles; };
  const bool all = std::all_of(combinations.all.begin(), combinations.all.end(), has);
  if (asked.empty()) return std::string(sweep::choices(all).front());
  const bool any = std::any_of(combinations.all.begin(), combinations.all.end(),
                               [&](const sweep::Combination& one) { return possible(one) && one.has_tiles; });
  if (sweep::figure_of({}, asked).of_kernels && !any) {
    return fail(ErrorKind::bad_input,
                tr("--figure {}: error: no combination has a tiles or an attention kernel, whose bytes are "
                   "known; write {}",
                   asked, listed(sweep::choices(false))));
  }
  return asked;
}

void show(StatusLine& line, const sweep::SweepProgress& at) {
  const std::string run = at.run > 0 ? tr(", run {} of {}", at.run, at.runs) : "";
  line.show(tr("combination {} of {}{}: {}", at.combination + 1, at.combinations, run, fmt::join(at.settings, " ")));
}

int write_all(const SweepArguments& options, const sweep::Sweep& sweep, const draw::FigureOptions& size) {
  int code = 0;
  const auto keep = [&](const Result<void>& written) {
    if (!written) code = report(written.error());
  };
  if (!options.csv.empty()) keep(write_text(options.csv, output::sweep_csv(sweep)));
  if (!options.json.empty()) keep(write_text(options.json, output::sweep_json(sweep)));
  if (!options.run.png.empty()) {
    const draw::ChartOptions drawn{size.width, size.height, 1, size.theme};
    keep(draw::write_png(draw::chart(draw::sweep_chart(sweep), drawn), size.scale, options.run.png));
  }
  if (options.csv != "-" && options.json != "-" && options.run.png != "-") {
    if (const int said = print_stdout(sweep_table(sweep)); said != 0) code = said;
  } else {
    for (const std::string& remark : sweep::sweep_remarks(sweep)) print_stderr("{}\n", printable_line(remark));
  }
  return code;
}

// Of what was run; called after all is written.
int exit_code(const sweep::Sweep& sweep, const std::optional<Error>& ended) {
  if (ended) return report(*ended);
  const auto has = [&](auto what) { return std::any_of(sweep.points.begin(), sweep.points.end(), what); };
  if (has([](const sweep::SweepPoint& point) { return point.result && point.result->verified == false; })) {
    return report({ErrorKind::wrong_data, tr("{}: error: the data that came back is wrong.", sweep.title)});
  }
  if (!has([](const sweep::SweepPoint& point) { return point.result.has_value(); })) {
    return report({ErrorKind::bad_input, tr("{}: error: the device can run none of the combinations.", sweep.title)});
  }
  return 0;
}

sweep::SweepPlan how_of(const RunPlan& planned) {
  sweep::SweepPlan how;
  how.runs = planned.measure.runs;
  how.timeout = planned.measure.timeout;
  how.long_kernels = planned.measure.long_kernels;
  return how;
}

// What ended it, as run_sweep() says. Errors: the device cannot be opened.
Result<std::optional<Error>> run_here(const RunPlan& planned, const experiment::InputText& source,
                                      const sweep::Combinations& combinations, const StopFlag& stop,
                                      sweep::Sweep& sweep) {
  catalog::OpenDevices devices;
  std::size_t most = 1;
  for (const sweep::Combination& each : combinations.all) most = std::max(most, each.devices);
  device::Device* const device = TRY(devices.open(planned.device, most));
  const device::DeviceInfo& info = device->info();
  const trace::Notes of_device = devices.notes_on(planned.device);
  print_stderr_text(tr("device {}: {}, {}; {} combinations\n", info.id, device::title(info),
                       tr(trace::badge(info.kind)), combinations.all.size()));
  sweep.notes.insert(sweep.notes.begin(), of_device.begin(), of_device.end());
  // Until a run says more.
  sweep.provenance.kind = info.kind;
  sweep.provenance.device = info.name;
  sweep.provenance.driver = info.driver;
  sweep.provenance.profile = info.profile;
  sweep::SweepPlan how = how_of(planned);
  if (!planned.repeat_given) how.runs = default_runs({}, info.kind);
  StatusLine line;
  return sweep::run_sweep(
      *device, source, combinations, how, stop, [&](const sweep::SweepProgress& at) { show(line, at); }, sweep);
}

std::optional<Error> run_on_engines(const SweepArguments& options, const RunPlan& planned,
                                    const experiment::InputText& source, const sweep::Combinations& combinations,
                                    const StopFlag& stop, sweep::Sweep& sweep) {
  StatusLine line;
  const EngineSweepCalls calls{.progress = [&](const sweep::SweepProgress& at) { show(line, at); },
                               .tell =
                                   [&](const std::string& told) {
                                     line.show("");
                                     print_stderr("{}\n", printable_line(told));
                                   }};
  return sweep_on_engines({.commands = options.engines,
                           .device = planned.device,
                           .how = how_of(planned),
                           .runs_given = planned.repeat_given},
                          source, combinations, stop, calls, sweep);
}

// --engines takes all words behind it, FILE too. A file that may be run is a command.
bool is_input(const std::string& engine) {
  const auto found = find_input(engine);
  return found && ::access(found->c_str(), X_OK) != 0;
}

Result<int> execute(const SweepArguments& options) {
  const RunOptions& run = options.run;
  std::string wrong;
  const auto complain = [&](const std::string& text) { wrong += (wrong.empty() ? "" : "\n") + text; };
  const auto planned = plan(run);
  if (!planned && planned.error().kind != ErrorKind::bad_input) return fail(planned.error());
  if (!planned) complain(planned.error().message);
  const std::vector<std::string_view> figures = sweep::choices();
  if (!options.figure.empty() && std::find(figures.begin(), figures.end(), options.figure) == figures.end()) {
    complain(tr("--figure {}: error: write {}", options.figure, listed(figures)));
  }
  const auto axes = sweep::parse_axes(options.axes);
  if (!axes) complain(axes.error().message);
  for (const std::string& each : options.engines) {
    if (is_input(each)) complain(tr("--engines {}: error: this is no command; write FILE before --engines", each));
  }
  if (!wrong.empty()) return fail(ErrorKind::bad_input, std::move(wrong));

  if (run.file.empty()) print_stderr_text(tr("no FILE given: the default experiment, four-streams\n"));
  const experiment::InputText source = TRY(read_source(run.file.empty() ? "four-streams" : run.file));
  Result<sweep::Combinations> checked = fail(ErrorKind::cancelled, "");
  {
    StatusLine line;
    checked = sweep::combine(source, run.settings, *axes, [&](std::size_t done, std::size_t all) {
      line.show(tr("checking combination {} of {}", done + 1, all));
    });
  }
  const sweep::Combinations combinations = TRY(std::move(checked));
  const auto figure = TRY(figure_for(options.figure, combinations));
  TRY(check_outputs({{"--csv", options.csv}, {"--json", options.json}, {"--png", run.png}},
                    {{tr("the input"), run.file == "-" ? "-" : source.file},
                     {tr("the device's profile"), device::profile_file(planned->device)}}));

  Interrupt interrupt;
  sweep::Sweep sweep{.title = combinations.title,
                     .settings = run.settings,
                     .axes = *axes,
                     .points = {},
                     .notes = combinations.notes,
                     .figure = figure,
                     .provenance = {}};
  const std::optional<Error> ended =
      options.engines.empty() ? TRY(run_here(*planned, source, combinations, interrupt.flag(), sweep))
                              : run_on_engines(options, *planned, source, combinations, interrupt.flag(), sweep);
  interrupt.end();
  const int written = write_all(options, sweep, planned->figure);
  const int code = exit_code(sweep, ended);
  return code != 0 ? code : written;
}

}  // namespace

Command sweep_command() {
  const auto o = std::make_shared<SweepArguments>();
  RunOptions& run = o->run;
  return {
      .name = "sweep",
      .about = tr("Run an experiment for each combination of some keys' values"),
      .options =
          {{"FILE", &run.file,
            tr("An experiment (.toml), a shipped name, or - for standard input; the default experiment "
               "without it"),
            "TEXT"},
           {"--axis", &o->axes,
            tr("A key of the experiment and the values it takes, such as \"streams=[1,2,4,8]\"; up to three: x, "
               "lines, plots"),
            "KEY=[V,V,...]"},
           {"--set", &run.settings,
            tr("Set a key of the experiment for all combinations, such as bytes=64MiB; repeatable"), "KEY=VALUE"},
           {"--figure", &o->figure, o->figures, "NAME"},
           {"--device", &run.device,
            tr("Where to run: auto (a GPU, else a model), cuda, cuda:N (GPU number N), model or model:PROFILE (auto)"),
            "NAME"},
           {"--engines", &o->engines,
            tr("Run the combinations on several engine processes at once, each started by a command such as \"ssh "
               "gpubox streamscope engine\"; takes all words up to the next option"),
            "COMMAND...", false, false, true},
           {"--repeat", &run.repeat, tr("Timed runs of each combination after a warm-up (5 on a GPU, 1 on a model)"),
            "N"},
           {"--timeout", &run.timeout,
            tr("Begin no run of a combination once this time has passed since its first timed one"), "TIME"},
           {"--long-kernels", &run.long_kernels, tr("Allow kernels over 1 s, which freeze a display")},
           {"--csv", &o->csv, tr("Write a line for each combination; - is standard output"), "F"},
           {"--json", &o->json, tr("Write the sweep as JSON; - is standard output"), "F"},
           {"--png", &run.png, tr("Draw the sweep's plot as PNG"), "F"},
           {"--size", &run.size, tr("The picture's size in pixels (1600x900)"), "WxH"},
           {"--scale", &run.scale, tr("Multiplies the picture's pixels, for print (1)"), "S"},
           {"--theme", &run.theme, tr("The picture's colours: dark, light, projector or print (light)"), "NAME"}},
      .footer =
          tr("A combination that cannot be is shown as - with its reason. One whose program is the same as another's, "
             "since a\nkey does nothing beside the others, is run once and stands in both places."),
      .run = [o] { return execute(*o); }};
}

}  // namespace streamscope::cli
