// `streamscope run`: one experiment or program on one device, and what it left behind.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <tuple>

#include "app/cli/commands.h"
#include "app/cli/deliver.h"
#include "app/cli/input.h"
#include "app/cli/interrupt.h"
#include "app/cli/outputs.h"
#include "app/cli/tell.h"
#include "app/draw/figure.h"
#include "engine/base/files.h"
#include "engine/device/catalog/catalog.h"
#include "engine/device/measure.h"

namespace streamscope {
namespace {

struct Options {
  std::string file;
  std::vector<std::string> settings;
  std::string device;  // empty: auto, and a dry run asks none
  std::string repeat = "1";
  std::string instrument = "full";
  bool long_kernels = false;
  std::string json, csv, trace, png, program;
  std::string svg, pdf, cuda;  // agreed, but not in this version
  bool dry_run = false;
  std::string size = "1600x900";
  double scale = 1;
  std::string theme = "light";
};

constexpr int kSmallestSide = 100;
constexpr double kLargestSide = 32767;  // of a Cairo image
constexpr double kLargestArea = 100e6;  // what write_png() takes, known before the run and not only after it
constexpr int kMostRuns = 1'000'000;

bool parse_number(std::string_view digits, int& out) {
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  return error == std::errc{} && end == digits.data() + digits.size();
}

std::optional<std::pair<int, int>> parse_size(std::string_view text) {
  const std::size_t cross = text.find('x');
  if (cross == std::string_view::npos) return {};
  int width = 0, height = 0;
  if (!parse_number(text.substr(0, cross), width) || !parse_number(text.substr(cross + 1), height)) return {};
  return std::pair{width, height};
}

// The options as values, or all that is wrong with them.
struct Plan {
  MeasureOptions measure;
  FigureOptions figure;
};
Result<Plan> plan(const Options& options) {
  Plan plan;
  std::string wrong;
  const auto complain = [&](std::string_view option, std::string_view value, std::string_view why) {
    wrong += fmt::format("{}{} {}: error: {}", wrong.empty() ? "" : "\n", option, value, why);
  };
  plan.measure.long_kernels = options.long_kernels;
  if (!parse_number(options.repeat, plan.measure.runs) || plan.measure.runs < 1 || plan.measure.runs > kMostRuns) {
    complain("--repeat", options.repeat, "write a number of runs from 1 to 1000000");
  }
  for (const auto& [option, path, instead] : {std::tuple{"--svg", &options.svg, "--png draws the timeline"},
                                              {"--pdf", &options.pdf, "--png draws the timeline"},
                                              {"--emit-cuda", &options.cuda, "--emit-program writes the program"}}) {
    if (!path->empty()) complain(option, *path, fmt::format("not in this version; {}", instead));
  }
  if (options.instrument == "bare") {
    plan.measure.instrument = Instrument::bare;
    plan.measure.observer_effect = false;
    for (const auto& [option, path] :
         {std::pair{"--csv", &options.csv}, {"--trace", &options.trace}, {"--png", &options.png}}) {
      if (!path->empty()) {
        complain(option, *path,
                 "a bare run has wall times only and no spans to write; use --instrument full, or --json");
      }
    }
  } else if (options.instrument == "sampled" || options.instrument == "cupti") {
    complain("--instrument", options.instrument, "not in this version; write full or bare");
  } else if (options.instrument != "full") {
    complain("--instrument", options.instrument, "write full or bare");
  }
  if (const auto chosen = theme_name(options.theme)) {
    plan.figure.theme = *chosen;
  } else {
    complain("--theme", options.theme, "write dark, light, projector or print");
  }
  const auto size = parse_size(options.size);
  const bool size_fits = size && std::min(size->first, size->second) >= kSmallestSide &&
                         std::max(size->first, size->second) <= kLargestSide;
  const bool scale_fits = options.scale >= 0.1 && options.scale <= 16;
  if (!size_fits) {
    complain("--size", options.size, "write width x height in pixels, from 100x100 to 32767x32767, such as 1600x900");
  } else {
    plan.figure.width = size->first;
    plan.figure.height = size->second;
  }
  if (!scale_fits) {
    complain("--scale", fmt::format("{}", options.scale), "write a factor from 0.1 to 16");
  } else if (size_fits && std::max(size->first, size->second) * options.scale > kLargestSide) {
    complain("--scale", fmt::format("{}", options.scale), "the picture would have more than 32767 pixels to a side");
  } else if (size_fits &&
             std::round(size->first * options.scale) * std::round(size->second * options.scale) > kLargestArea) {
    complain("--size", options.size,
             options.scale == 1
                 ? "the picture would have more than 100 million pixels"
                 : fmt::format("the picture would have more than 100 million pixels at --scale {}", options.scale));
  }
  plan.figure.scale = options.scale;
  if (options.dry_run) {
    for (const auto& [option, path] : {std::pair{"--json", &options.json},
                                       {"--csv", &options.csv},
                                       {"--trace", &options.trace},
                                       {"--png", &options.png}}) {
      if (!path->empty())
        complain(option, *path, "--dry-run runs nothing, so there is nothing to write; leave one out");
    }
  }
  if (!wrong.empty()) return fail(ErrorKind::bad_input, std::move(wrong));
  return plan;
}

// `auto` says what it took, since the reader of the figures must know.
void tell_device(const DeviceInfo& device) {
  if (device.kind == Provenance::Kind::measured) {
    tell("device {}: {}, {}\n", device.id, device.name, badge(device.kind));
    return;
  }
  const std::string why = list_devices().why_no_gpu;
  tell("device {}: {}, {}; no GPU{}{}\n", device.id, device.name, badge(device.kind), why.empty() ? "" : ": ", why);
}

// On a terminal only: a log has no use for it.
class ProgressLine {
 public:
  ProgressLine() : shown_(::isatty(STDERR_FILENO) == 1) {}
  ~ProgressLine() {
    if (drawn_) std::fputs("\r\x1b[K", stderr);
  }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void operator()(int done, int total) {
    if (!shown_) return;
    std::fprintf(stderr, "\r\x1b[Krun %d of %d", done, total);
    std::fflush(stderr);
    drawn_ = true;
  }

 private:
  bool shown_;
  bool drawn_ = false;
};

std::string device_name(const Options& options) { return options.device.empty() ? "auto" : options.device; }

// What the device named has against the program, such as more bytes than it has.
Result<void> try_on_device(const Options& options, const Plan& plan, const Input& input) {
  auto device = open_device(device_name(options));
  if (!device) return fail(device.error());
  const auto loaded = (*device)->load(input.checked, LoadOptions{plan.measure.long_kernels});
  if (!loaded) return fail(loaded.error());
  return {};
}

Result<Run> run_on_device(const Options& options, const Plan& plan, const Input& input) {
  const Interrupt interrupt;
  auto device = open_device(device_name(options));
  if (!device) return fail(device.error());
  if (device_name(options) == "auto") tell_device((*device)->info());
  MeasureOptions measuring = plan.measure;
  measuring.verify = input.verify;
  ProgressLine progress;
  auto run = measure(**device, input.checked, measuring, RunControl{interrupt.token(), {}},
                     [&](const Step& step) { progress(step.done, step.total); });
  if (!run) return run;
  run->experiment = input.experiment;
  run->program = input.program;
  return run;
}

int report_placed(const Error& error, const Input& input) {
  return report(error.kind == ErrorKind::bad_input ? placed(error, input) : error);
}

int execute(const Options& options) {
  const auto planned = plan(options);
  if (!planned) return report(planned.error());
  if (options.file.empty()) tell("no FILE given: the default experiment, four-streams\n");
  const auto input = read_input(options.file.empty() ? "four-streams" : options.file, options.settings);
  if (!input) return report(input.error());
  tell_text(with_line_end(input->warnings));
  const bool profile = options.device.starts_with("model:") && options.device.ends_with(".toml");
  const auto writable = check_outputs({{"--json", options.json},
                                       {"--csv", options.csv},
                                       {"--trace", options.trace},
                                       {"--png", options.png},
                                       {"--emit-program", options.program}},
                                      {{"the input", options.file == "-" ? "-" : input->file},
                                       {"the device's profile", profile ? options.device.substr(6) : ""}});
  if (!writable) return report(writable.error());
  if (!options.program.empty()) {
    const auto written = write_text(options.program, input->program);
    if (!written) return report(written.error());
  }
  if (options.dry_run) {
    if (!options.device.empty()) {
      const auto possible = try_on_device(options, *planned, *input);
      if (!possible) return report_placed(possible.error(), *input);
    }
    if (options.program == "-") return 0;
    return say(fmt::format("{}: {}; nothing was run\n", printable_line(input->title), size_of(input->checked)));
  }
  const auto run = run_on_device(options, *planned, *input);
  if (!run) return report_placed(run.error(), *input);
  return deliver(*run, {.json = options.json,
                        .csv = options.csv,
                        .trace = options.trace,
                        .png = options.png,
                        .figure = planned->figure,
                        .title = input->title,
                        .output_taken = options.program == "-"});
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
  const auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("run", "Run an experiment or a stream program");
  command->add_option(
      "FILE", o->file,
      "An experiment (.toml), a program (.streams), a shipped name, or - for standard input, told apart by "
      "its first line; the default experiment without it");
  command->add_option("--set", o->settings, "Set a key of the experiment, such as streams=8; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_option("--device", o->device, "auto, cuda, cuda:N, model or model:PROFILE (auto)")->type_name("NAME");
  command->add_option("--repeat", o->repeat, "Timed runs after a warm-up (1)")->type_name("N");
  command->add_option("--instrument", o->instrument, "full: every operation's times; bare: wall times only (full)")
      ->type_name("NAME");
  command->add_flag("--long-kernels", o->long_kernels, "Allow kernels over 1 s, which freeze a display");
  command->add_option("--json", o->json, "Write the run as JSON; - is standard output")->type_name("F");
  command->add_option("--csv", o->csv, "Write one row for each operation")->type_name("F");
  command->add_option("--trace", o->trace, "Write a trace for Perfetto and chrome://tracing")->type_name("F");
  command->add_option("--png", o->png, "Draw the timeline")->type_name("F");
  command->add_option("--emit-program", o->program, "Write the stream program")->type_name("F");
  for (const auto& [option, path] : {std::pair{"--svg", &o->svg}, {"--pdf", &o->pdf}, {"--emit-cuda", &o->cuda}}) {
    command->add_option(option, *path)->group("");
  }
  command->add_flag("--dry-run", o->dry_run,
                    "Check, write the program, but run nothing; with --device, ask that device too");
  command->add_option("--size", o->size, "Of the picture, in pixels (1600x900)")->type_name("WxH");
  command->add_option("--scale", o->scale, "Multiplies the picture's pixels, for print (1)")->type_name("S");
  command->add_option("--theme", o->theme, "dark, light, projector or print (light)")->type_name("NAME");
  command->footer("Without --json, --csv, --trace or --png a summary goes to standard output.");
  command->callback([&action, o] { action = [o] { return execute(*o); }; });
}

}  // namespace streamscope
