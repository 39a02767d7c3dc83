// `streamscope run`: one experiment or program on one device, and what it left behind.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/interrupt.h"
#include "app/cli/outputs.h"
#include "app/cli/run_options.h"
#include "app/cli/terminal.h"
#include "app/cli/write_run.h"
#include "engine/base/files.h"
#include "engine/base/translate.h"
#include "engine/device/catalog/catalog.h"
#include "engine/device/catalog/open_devices.h"
#include "engine/input/open.h"
#include "engine/measure/measure.h"
#include "engine/output/output.h"
#include "engine/predict/predict.h"
#include "engine/referee/referee.h"
#include "engine/remote/own_process.h"

namespace streamscope::cli {
namespace {

std::string instruments_text() {
  std::string text;
  for (const device::Instrument each : device::all_instruments())
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", device::name(each), tr(device::about(each).brief));
  return text;
}

// `auto` says what it took, and what it could not take, since the reader of the figures must know.
void print_device(const device::DeviceInfo& device, const trace::Notes& passed_over) {
  for (const trace::Note& note : passed_over) print_stderr_text(note.text + "\n");
  if (device.kind == trace::Provenance::Kind::measured) {
    print_stderr_text(tr("device {}: {}, {}\n", device.id, device.name, tr(trace::badge(device.kind))));
    return;
  }
  const std::string why = catalog::list_devices().why_no_gpu;
  if (!passed_over.empty()) {
    print_stderr_text(
        tr("device {}: {}, {}; no GPU can be used\n", device.id, device.name, tr(trace::badge(device.kind))));
    return;
  }
  print_stderr_text(tr("device {}: {}, {}; no GPU{}{}\n", device.id, device.name, tr(trace::badge(device.kind)),
                       why.empty() ? "" : ": ", why));
}

// Under a stop rule nobody knows how many there will be: how far the rule is says more.
void show(StatusLine& line, const measure::Step& step, bool ruled) {
  if (!ruled)
    line.show(tr("run {} of {}", step.done, step.total));
  else if (step.noise)
    line.show(tr("run {}, noise {:.2g} %", step.runs, 100 * *step.noise));
  else
    line.show(tr("run {}", step.runs));
}

// What the device named has against the program, such as more bytes than it has.
Result<void> try_on_device(const RunPlan& plan, const experiment::Input& input) {
  const auto device = TRY(catalog::open_device(plan.device));
  const auto loaded = TRY(device->load(input.checked, device::LoadOptions{plan.measure.long_kernels}));
  device::PassRequest request(plan.measure.instrument);
  request.gate = plan.measure.gate;
  request.stages_of = plan.measure.stages_of;
  return loaded->can(request);
}

struct Ran {
  trace::Run run;
  remote::message::StartRun as;  // how an engine would be asked for it
};

// The device is closed again, and its memory free.
Result<Ran> run_on_device(const RunPlan& plan, const experiment::Input& input, const Interrupt& interrupt) {
  catalog::OpenDevices devices;
  device::Device& device = *TRY(devices.open(plan.device));
  const trace::Notes of_device = devices.notes_on(plan.device);
  if (plan.device.kind == device::DeviceSpec::Kind::automatic) print_device(device.info(), of_device);
  measure::MeasureOptions measuring = plan.measure;
  measuring.verify = input.verify;
  if (!plan.repeat_given) measuring.runs = default_runs(measuring, device.info().kind);
  // Before anything runs, so that a wrong name is reported at once.
  if (plan.predict) TRY(catalog::open_device(predict::model_for(*plan.predict, device.info()).model));
  const bool ruled = measuring.max_noise > 0 || known(measuring.timeout);
  StatusLine line;
  trace::Run run = TRY(measure::measure(device, input.checked, measuring, device::RunControl{interrupt.flag(), {}},
                                        [&](const measure::Step& step) { show(line, step, ruled); }));
  if (plan.predict) predict::Predictions(devices).add_to(run, device, *plan.predict, input.checked, interrupt.flag());
  run.notes.insert(run.notes.begin(), of_device.begin(), of_device.end());
  run.experiment = input.experiment;
  run.program = input.program;
  remote::message::StartRun as;
  as.device = device.info().id;
  as.program = input.program;
  as.options = measuring;
  return Ran{std::move(run), std::move(as)};
}

Result<trace::Run> run_and_judge(const RunPlan& plan, const experiment::Input& input) {
  const Interrupt interrupt;
  Ran ran = TRY(run_on_device(plan, input, interrupt));
  if (!plan.referee || !referee::can_judge(ran.as.options, ran.run.trace.provenance.kind)) return std::move(ran.run);
  StatusLine line;
  line.show(tr("a second opinion, by CUPTI in another process"));
  referee::judge(ran.run, remote::ask_referee(ran.as, interrupt.flag()));
  return std::move(ran.run);
}

// With the place in the input that an error of it is about.
template <class T>
Result<T> placed(Result<T> result, const experiment::Input& input) {
  if (result || result.error().kind != ErrorKind::bad_input) return result;
  return fail(experiment::placed(result.error(), input));
}

// What was given that has no meaning for a trace that was saved or comes from another tool.
std::string without_meaning(const RunOptions& options) {
  const RunOptions plain;
  const std::pair<const char*, bool> given[] = {{"--set", !options.settings.empty()},
                                                {"--device", !options.device.empty()},
                                                {"--predict", !options.predict.empty()},
                                                {"--repeat", !options.repeat.empty()},
                                                {"--instrument", options.instrument != plain.instrument},
                                                {"--referee", !options.referee.empty()},
                                                {"--share", !options.share.empty()},
                                                {"--in-kernel", !options.in_kernel.empty()},
                                                {"--gate", options.gate},
                                                {"--max-noise", !options.max_noise.empty()},
                                                {"--min-samples", !options.min_samples.empty()},
                                                {"--timeout", !options.timeout.empty()},
                                                {"--long-kernels", options.long_kernels},
                                                {"--emit-program", !options.program.empty()},
                                                {"--dry-run", options.dry_run}};
  std::string wrong;
  for (const auto& [option, is] : given) {
    if (is)
      wrong +=
          fmt::format("{}{}", wrong.empty() ? "" : "\n",
                      tr("{}: error: {} is a trace: nothing is run, so leave the option out", option, options.file));
  }
  return wrong;
}

// What is in the file is drawn and written; nothing is run.
Result<int> write_saved_trace(const RunOptions& options, const RunPlan& plan) {
  if (std::string wrong = without_meaning(options); !wrong.empty()) return fail(ErrorKind::bad_input, std::move(wrong));
  TRY(check_outputs(outputs_of(options), {{tr("the input"), options.file}}));
  const Interrupt interrupt;
  Result<trace::Run> run;
  {
    StatusLine line;
    run = input::open_trace(options.file,
                            {interrupt.flag(), [&](double share) { line.show(tr("reading, {:.0f} %", 100 * share)); }});
  }
  if (!run) return fail(run.error());
  return write_outputs(*run, options, plan, std::filesystem::path(options.file).filename().string());
}

Result<int> execute(const RunOptions& options) {
  const RunPlan planned = TRY(plan(options));
  if (options.file != "-" && input::looks_like_trace(options.file)) return write_saved_trace(options, planned);
  if (options.file.empty()) print_stderr_text(tr("no FILE given: the default experiment, four-streams\n"));
  const experiment::Input input =
      TRY(read_input(options.file.empty() ? "four-streams" : options.file, options.settings));
  print_stderr_text(experiment::with_line_end(input.warnings));
  std::vector<OutputFile> outputs = outputs_of(options);
  outputs.push_back({"--emit-program", options.program});
  TRY(check_outputs(outputs, {{tr("the input"), options.file == "-" ? "-" : input.file},
                              {tr("the device's profile"), device::profile_file(planned.device)}}));
  if (!options.program.empty()) TRY(write_text(options.program, input.program));
  if (options.dry_run) {
    if (!options.device.empty()) TRY(placed(try_on_device(planned, input), input));
    if (options.program == "-") return 0;
    return print_stdout(tr("{}: {}; nothing was run\n", printable_line(input.title), size_of(input.checked)));
  }
  const trace::Run run = TRY(placed(run_and_judge(planned, input), input));
  return write_outputs(run, options, planned, input.title);
}

}  // namespace

Command run_command() {
  const auto o = std::make_shared<RunOptions>();
  Command command{
      .name = "run",
      .about = tr("Run an experiment or a stream program"),
      .options =
          {{"FILE", &o->file,
            tr("An experiment (.toml), a program (.streams), a shipped name, or - for standard input, distinguished by "
               "its first line; the default experiment without it. A trace (a saved run, Chrome's trace events, an "
               "SQLite "
               "export of Nsight Systems) is drawn and written, and nothing is run"),
            "TEXT"},
           {"--set", &o->settings, tr("Set a key of the experiment, such as streams=8; repeatable"), "KEY=VALUE"},
           {"--device", &o->device,
            tr("Where to run: auto (a GPU, else a model), cuda, cuda:N (GPU number N), model or model:PROFILE (auto); "
               "model:h200,copies.engines=1,host.launch=5us is a model with some of its numbers changed"),
            "NAME"},
           {"--predict{auto}", &o->predict,
            tr("Let a model predict the same run and report where the two differ: the model that fits the device, or "
               "--predict=model:PROFILE, its numbers changed as for --device")},
           {"--repeat", &o->repeat,
            tr("Timed runs after a warm-up (5 on a GPU, 4 times --share where sampled, 1 on a model); with "
               "--max-noise or --timeout the most there may be (1000)"),
            "N"},
           {"--instrument", &o->instrument, instruments_text() + tr(" (full)"), "NAME"},
           {"--referee", &o->referee,
            tr("A second opinion on a measured run: CUPTI's records of a few more runs, made in another process, widen "
               "the doubt of bars that they contradict; auto: where CUPTI can be had; off: none (auto)"),
            "NAME"},
           {"--share", &o->share, tr("With --instrument sampled: one operation in N carries an event in each run (16)"),
            "N"},
           {"--in-kernel", &o->in_kernel,
            tr("Look inside tiles and attention: this share of their blocks records when each tile was asked for, "
               "waited for and worked on: all, 10%, 1% or 1/N (off)"),
            "SHARE"},
           {"--gate", &o->gate, tr("Hold all streams until everything is queued")},
           {"--max-noise", &o->max_noise,
            tr("Stop once the spread of the wall times is at most this part of their median, such as 1%"), "P"},
           {"--min-samples", &o->min_samples, tr("The fewest runs before --max-noise may stop (5)"), "N"},
           {"--timeout", &o->timeout,
            tr("Begin no run once this time has passed since the first timed one, such as 30s; what runs is "
               "finished"),
            "TIME"},
           {"--long-kernels", &o->long_kernels, tr("Allow kernels over 1 s, which freeze a display")},
           {"--png", &o->png, tr("Draw the timeline as PNG"), "F"},
           {"--svg", &o->svg, tr("Draw the timeline as SVG: vectors, with its text as text; - is standard output"),
            "F"},
           {"--pdf", &o->pdf, tr("Draw the timeline as PDF: one page of vectors, for print"), "F"},
           {"--emit-program", &o->program, tr("Write the stream program that is run"), "F"},
           {"--emit-cuda", &o->cuda, "", "", false, true},
           {"--dry-run", &o->dry_run,
            tr("Check, write the program, but run nothing; with --device, ask that device too")},
           {"--size", &o->size, tr("The picture's size in pixels (1600x900)"), "WxH"},
           {"--scale", &o->scale, tr("Multiplies the picture's pixels, for print (1)"), "S"},
           {"--theme", &o->theme, tr("The picture's colours: dark, light, projector or print (light)"), "NAME"},
           {"--colour", &o->colour, tr("What the colours of the picture's bars tell apart: kind or stream (kind)"),
            "NAME"},
           {"--interval", &o->interval,
            tr("Draw only this part of the run, as on the picture's axis, such as 1.2ms..3ms"), "FROM..TO"},
           {"--tracks", &o->tracks,
            tr("Draw only these: host, streams, engines, names such as S0 or h2d, or globs such as \"S1*\", "
               "with commas between them"),
            "NAMES"},
           {"--title", &o->heading, tr("The picture's title, instead of the experiment's name"), "T"},
           {"--caption", &o->caption, tr("Words below the picture's title and configuration"), "T"},
           {"--no-legend", &o->no_legend, tr("Leave the legend out of the picture")},
           {"--no-figures", &o->no_figures, tr("Leave the row of figures out of the picture")},
           {"--open", &o->open,
            tr("In the picture, the inside of the tiles or attention kernel of that line of the program, or of the "
               "first one; with the stages of multiprocessor SM, else of the first whose blocks recorded any; "
               "without --in-kernel one block in 100 records"),
            "LINE|first[:SM]"}},
      .footer = tr("Without a file to write, a summary goes to standard output."),
      .run = [o] { return execute(*o); }};
  const auto is_picture = [](const Option& each) { return each.names == "--png"; };
  auto at = std::find_if(command.options.begin(), command.options.end(), is_picture);
  for (const output::Format& each : output::formats()) {
    std::string& path = o->texts[std::string(each.option)];
    at = command.options.insert(at, {each.option, &path, std::string(tr(each.meaning)), "F"}) + 1;
  }
  return command;
}

}  // namespace streamscope::cli
