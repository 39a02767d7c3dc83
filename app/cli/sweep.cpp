// `streamscope sweep`: one experiment over the values of up to three of its keys, on one device.
#include "app/cli/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/outputs.h"
#include "app/cli/run_options.h"
#include "app/cli/status_line.h"
#include "app/cli/tell.h"
#include "app/draw/paper.h"
#include "engine/base/files.h"
#include "engine/device/catalog/catalog.h"

namespace streamscope::cli {
namespace {

struct SweepArguments {
  RunOptions run;  // those that a sweep has too
  std::vector<std::string> axes;
  std::string figure;  // empty: by what the programs are
};

// The rate of kernels that not every combination has would leave gaps that say nothing.
Result<SweepFigure> figure_for(const SweepArguments& options, const Combinations& combinations) {
  const auto possible = [](const Combination& one) { return one.why_not.empty(); };
  const auto has = [&](const Combination& one) { return !possible(one) || one.has_tiles; };
  const bool all = std::all_of(combinations.all.begin(), combinations.all.end(), has);
  if (options.figure.empty()) return all ? SweepFigure::kernel_rate : SweepFigure::wall;
  const SweepFigure asked = *sweep_figure(options.figure);
  const bool any = std::any_of(combinations.all.begin(), combinations.all.end(),
                               [&](const Combination& one) { return possible(one) && one.has_tiles; });
  if (asked == SweepFigure::kernel_rate && !any) {
    return fail(ErrorKind::bad_input,
                "--figure kernel-rate: error: no combination has a tiles or an attention kernel, whose bytes are "
                "known; write wall, makespan or overlap");
  }
  return asked;
}

// The combinations in turn on one device. `ended` is what stopped it before its end, if anything did.
class Sweeper {
 public:
  Sweeper(device::Device& device, const InputText& source, const SweepArguments& options, const SweepPlan& plan,
          Sweep& sweep)
      : device_(device), source_(source), options_(options), plan_(plan), sweep_(sweep) {}

  std::optional<Error> run(const Combinations& combinations, const std::stop_token& stop) {
    std::optional<Error> ended;
    for (std::size_t i = 0; i < combinations.all.size(); ++i) {
      const Combination& one = combinations.all[i];
      SweepPoint point;
      point.why_not = one.why_not;
      if (one.same_as) {
        point = sweep_.points[*one.same_as];
        point.same_as = one.same_as;
      } else if (ended) {
        if (point.why_not.empty()) point.why_not = "not run: " + reason_of(*ended);
      } else if (one.why_not.empty()) {
        auto result = measure(i, one, stop);
        if (result) {
          sweep_.provenance = result->provenance;
          for (const std::string& note : result->notes) add_note(note);
          point.result = std::move(*result);
        } else {
          point.why_not = reason_of(result.error());
          // After a failed call a process may have no working device any more.
          const ErrorKind kind = result.error().kind;
          if (kind == ErrorKind::cancelled || kind == ErrorKind::device_failed) ended = result.error();
        }
        if (!ended && stop.stop_requested()) ended = Error{ErrorKind::cancelled, "The sweep was stopped on request."};
      }
      sweep_.points.push_back(std::move(point));
    }
    return ended;
  }

 private:
  // Most combinations have the same to say.
  void add_note(const std::string& note) {
    constexpr std::size_t kMostNotes = 20;
    std::vector<std::string>& notes = sweep_.notes;
    if (notes.size() < kMostNotes && std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
  }

  Result<SweepResult> measure(std::size_t index, const Combination& one, const std::stop_token& stop) {
    const std::vector<std::string> values = settings_of(sweep_.axes, index);
    std::vector<std::string> settings = options_.run.settings;
    settings.insert(settings.end(), values.begin(), values.end());
    // Loading takes a while where there is much memory to fill.
    line_.show(fmt::format("combination {} of {}: {}", index + 1, count_of(sweep_.axes), fmt::join(values, " ")));
    const auto input = read_input(source_, settings);
    if (!input) return fail(input.error());
    SweepPlan plan = plan_;
    plan.verify = one.verify;
    auto result = measure_combination(device_, input->checked, plan, stop, [&](int run) {
      line_.show(fmt::format("combination {} of {}, run {} of {}: {}", index + 1, count_of(sweep_.axes), run, plan.runs,
                             fmt::join(values, " ")));
    });
    if (!result && result.error().kind == ErrorKind::bad_input) return fail(placed(result.error(), *input));
    return result;
  }

  device::Device& device_;
  const InputText& source_;
  const SweepArguments& options_;
  const SweepPlan& plan_;
  Sweep& sweep_;
  StatusLine line_;
};

int write_all(const RunOptions& options, const Sweep& sweep, const draw::FigureOptions& size) {
  int code = 0;
  const auto keep = [&](const Result<void>& written) {
    if (!written) code = report(written.error());
  };
  if (!options.csv.empty()) keep(write_text(options.csv, sweep_csv(sweep)));
  if (!options.json.empty()) keep(write_text(options.json, sweep_json(sweep)));
  if (!options.png.empty()) {
    const draw::ChartOptions drawn{size.width, size.height, 1, size.theme};
    keep(draw::write_png(draw::chart(sweep_chart(sweep), drawn), size.scale, options.png));
  }
  if (options.csv != "-" && options.json != "-" && options.png != "-") {
    if (const int said = say(sweep_table(sweep)); said != 0) code = said;
  } else {
    for (const std::string& remark : sweep_remarks(sweep)) tell("{}\n", printable_line(remark));
  }
  return code;
}

// What the exit code tells, after all is written.
int verdict(const Sweep& sweep, const std::optional<Error>& ended) {
  if (ended) return report(*ended);
  const auto has = [&](auto what) { return std::any_of(sweep.points.begin(), sweep.points.end(), what); };
  if (has([](const SweepPoint& point) { return point.result && point.result->verified == false; })) {
    return report({ErrorKind::wrong_data, sweep.title + ": error: the data that came back is wrong."});
  }
  if (!has([](const SweepPoint& point) { return point.result.has_value(); })) {
    return report({ErrorKind::bad_input, sweep.title + ": error: the device can run none of the combinations."});
  }
  return 0;
}

int execute(const SweepArguments& options) {
  const RunOptions& run = options.run;
  std::string wrong;
  const auto complain = [&](const std::string& text) { wrong += (wrong.empty() ? "" : "\n") + text; };
  const auto planned = plan(run);
  if (!planned) complain(planned.error().message);
  if (!options.figure.empty() && !sweep_figure(options.figure)) {
    complain(fmt::format("--figure {}: error: write kernel-rate, wall, makespan or overlap", options.figure));
  }
  const auto axes = parse_axes(options.axes);
  if (!axes) complain(axes.error().message);
  if (!wrong.empty()) return report({ErrorKind::bad_input, std::move(wrong)});

  if (run.file.empty()) tell("no FILE given: the default experiment, four-streams\n");
  const auto source = read_source(run.file.empty() ? "four-streams" : run.file);
  if (!source) return report(source.error());
  auto combinations = combine(*source, run.settings, *axes);
  if (!combinations) return report(combinations.error());
  const auto figure = figure_for(options, *combinations);
  if (!figure) return report(figure.error());
  const bool profile = run.device.starts_with("model:") && run.device.ends_with(".toml");
  const auto writable = check_outputs({{"--csv", run.csv}, {"--json", run.json}, {"--png", run.png}},
                                      {{"the input", run.file == "-" ? "-" : source->file},
                                       {"the device's profile", profile ? run.device.substr(6) : ""}});
  if (!writable) return report(writable.error());

  const Interrupt interrupt;
  auto device = catalog::open_device(run.device.empty() ? "auto" : run.device);
  if (!device) return report(device.error());
  const device::DeviceInfo& info = (*device)->info();
  tell("device {}: {}, {}; {} combinations\n", info.id, info.name, trace::badge(info.kind), combinations->all.size());
  Sweep sweep{.title = combinations->title,
              .settings = run.settings,
              .axes = *axes,
              .points = {},
              .notes = combinations->notes,
              .figure = *figure,
              .provenance = {}};
  // Until a run says more.
  sweep.provenance.kind = info.kind;
  sweep.provenance.device = info.name;
  sweep.provenance.driver = info.driver;
  sweep.provenance.profile = info.profile;
  SweepPlan how;
  how.runs = planned->repeat_given ? planned->measure.runs : default_runs({}, info.kind);
  how.timeout = planned->measure.timeout;
  how.long_kernels = planned->measure.long_kernels;
  const std::optional<Error> ended =
      Sweeper(**device, *source, options, how, sweep).run(*combinations, interrupt.token());
  const int written = write_all(run, sweep, planned->figure);
  const int told = verdict(sweep, ended);
  return told != 0 ? told : written;
}

}  // namespace

Command sweep_command() {
  const auto o = std::make_shared<SweepArguments>();
  RunOptions& run = o->run;
  return {
      .name = "sweep",
      .about = "Run an experiment for each combination of some keys' values",
      .options = {{"FILE", &run.file,
                   "An experiment (.toml), a shipped name, or - for standard input; the default experiment without "
                   "it",
                   "TEXT"},
                  {"--axis", &o->axes,
                   "A key of the experiment and the values it takes, such as \"streams=[1,2,4,8]\"; up to three: x, "
                   "lines, plots",
                   "KEY=[V,V,...]"},
                  {"--set", &run.settings, "Set a key of the experiment for all, such as bytes=64MiB; repeatable",
                   "KEY=VALUE"},
                  {"--figure", &o->figure,
                   "What the table and the plot show: kernel-rate (where all have tiles or attention), wall "
                   "(else), makespan or overlap; files have all of them",
                   "NAME"},
                  {"--device", &run.device, "auto, cuda, cuda:N, model or model:PROFILE (auto)", "NAME"},
                  {"--repeat", &run.repeat, "Timed runs of each after a warm-up (5 on a GPU, 1 on a model)", "N"},
                  {"--timeout", &run.timeout, "Of each combination, begin no run once this time has passed", "TIME"},
                  {"--long-kernels", &run.long_kernels, "Allow kernels over 1 s, which freeze a display"},
                  {"--csv", &run.csv, "Write a line for each combination; - is standard output", "F"},
                  {"--json", &run.json, "Write the sweep as JSON", "F"},
                  {"--png", &run.png, "Draw the plot", "F"},
                  {"--size", &run.size, "Of the picture, in pixels (1600x900)", "WxH"},
                  {"--scale", &run.scale, "Multiplies the picture's pixels, for print (1)", "S"},
                  {"--theme", &run.theme, "dark, light, projector or print (light)", "NAME"}},
      .footer =
          "A combination that cannot be is shown as - with its reason. One whose program is the same as another's, "
          "since "
          "a\n"
          "key does nothing beside the others, is run once and stands in both places.",
      .run = [o] { return execute(*o); }};
}

}  // namespace streamscope::cli
