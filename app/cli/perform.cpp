#include "app/cli/perform.h"

#include <fmt/format.h>

#include <utility>

#include "app/cli/input.h"
#include "app/cli/terminal.h"
#include "engine/base/translate.h"
#include "engine/device/catalog/catalog.h"
#include "engine/device/catalog/open_devices.h"
#include "engine/input/open.h"
#include "engine/measure/measure.h"
#include "engine/predict/own_times.h"
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
    print_stderr_text(tr("device {}: {}, {}\n", device.id, device::title(device), tr(trace::badge(device.kind))));
    return;
  }
  const std::string why = catalog::list_devices().why_no_gpu;
  if (!passed_over.empty()) {
    print_stderr_text(
        tr("device {}: {}, {}; no GPU can be used\n", device.id, device::title(device), tr(trace::badge(device.kind))));
    return;
  }
  print_stderr_text(tr("device {}: {}, {}; no GPU{}{}\n", device.id, device::title(device),
                       tr(trace::badge(device.kind)), why.empty() ? "" : ": ", why));
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

struct Ran {
  trace::Run run;
  remote::message::StartRun as;  // how an engine would be asked for it
};

// The device is closed again, and its memory free.
Result<Ran> run_on_device(const RunPlan& plan, const experiment::Input& input, const Interrupt& interrupt) {
  catalog::OpenDevices devices;
  device::Device& device = *TRY(devices.open(plan.device, program::device_count(input.checked)));
  const trace::Notes of_device = devices.notes_on(plan.device);
  if (plan.device.kind == device::DeviceSpec::Kind::automatic) print_device(device.info(), of_device);
  measure::MeasureOptions measuring = plan.measure;
  measuring.verify = input.verify;
  if (plan.own_kernels) measuring.own = TRY(own_sources(input));
  if (!plan.repeat_given) measuring.runs = default_runs(measuring, device.info().kind);
  // Before anything runs, so that a wrong name is reported at once.
  if (plan.predict) TRY(catalog::open_device(predict::model_for(*plan.predict, device.info(), input.checked).model));
  const bool on_gpu = device.info().kind == trace::Provenance::Kind::measured;
  std::optional<program::Program> with_times;
  if (!input.checked.own_kernels.empty())
    predict::give_own_times(with_times.emplace(input.checked), TRY(remembered_times(input)));
  const program::Program& for_models = with_times ? *with_times : input.checked;
  const bool ruled = measuring.max_noise > 0 || known(measuring.timeout);
  StatusLine line;
  remote::message::StartRun as;
  as.device = device.info().id;
  as.program = input.program;
  as.options = measuring;
  const auto run_here = [&] {
    return measure::measure(device, on_gpu ? input.checked : for_models, measuring,
                            device::RunControl{interrupt.flag(), {}},
                            [&](const measure::Step& step) { show(line, step, ruled); });
  };
  const auto run_elsewhere = [&] {
    line.show(tr("in a process of its own"));
    device.release_memory();
    return remote::run_alone(as, interrupt.flag(), [&](const measure::Step& step) { show(line, step, false); });
  };
  const bool alone = remote::needs_own_process(input.checked, device.info(), measuring);
  trace::Run run = TRY(alone ? run_elsewhere() : run_here());
  if (on_gpu && with_times) {
    const auto times = predict::own_times(run.trace, input.checked, measuring.own);
    predict::give_own_times(with_times.emplace(input.checked), times);
    predict::remember_own_times(times);
  }
  if (plan.predict) predict::Predictions(devices).add_to(run, device, *plan.predict, for_models, interrupt.flag());
  run.notes.insert(run.notes.begin(), of_device.begin(), of_device.end());
  run.experiment = input.experiment;
  run.program = input.program;
  return Ran{std::move(run), std::move(as)};
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
                                                {"--own-kernels", options.own_kernels},
                                                {"--own-limit", !options.own_limit.empty()},
                                                {"--emit-program", !options.program.empty()},
                                                {"--emit-cuda", !options.cuda.empty()},
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

}  // namespace

std::vector<Option> measuring_options(RunOptions& to) {
  return {
      {"FILE", &to.file,
       tr("An experiment (.toml), a program (.streams), a shipped name, or - for standard input, distinguished by "
          "its first line; the default experiment without it. A trace (a saved run, Chrome's trace events, an SQLite "
          "export of Nsight Systems) is taken as it is, and nothing is run"),
       "TEXT"},
      {"--set", &to.settings, tr("Set a key of the experiment, such as streams=8; repeatable"), "KEY=VALUE"},
      {"--device", &to.device,
       tr("Where to run: auto (a GPU, else a model), cuda, cuda:N (GPU number N), model or model:PROFILE (auto); "
          "model:h200,copies.engines=1,host.launch=5us is a model with some of its numbers changed"),
       "NAME"},
      {"--predict{auto}", &to.predict,
       tr("Let a model predict the same run and report where the two differ: the model that fits the device, or "
          "--predict=model:PROFILE, its numbers changed as for --device")},
      {"--repeat", &to.repeat,
       tr("Timed runs after a warm-up (5 on a GPU, 4 times --share where sampled, 1 on a model); with "
          "--max-noise or --timeout the most there may be (1000)"),
       "N"},
      {"--instrument", &to.instrument, instruments_text() + tr(" (full)"), "NAME"},
      {"--referee", &to.referee,
       tr("A second opinion on a measured run: CUPTI's records of a few more runs, made in another process, widen "
          "the doubt of bars that they contradict; auto: where CUPTI can be had; off: none (auto)"),
       "NAME"},
      {"--share", &to.share, tr("With --instrument sampled: one operation in N carries an event in each run (16)"),
       "N"},
      {"--in-kernel", &to.in_kernel,
       tr("Look inside tiles and attention: this share of their blocks records when each tile was asked for, "
          "waited for and worked on: all, 10%, 1% or 1/N (off)"),
       "SHARE"},
      {"--gate", &to.gate, tr("Hold all streams until everything is queued")},
      {"--max-noise", &to.max_noise,
       tr("Stop once the spread of the wall times is at most this part of their median, such as 1%"), "P"},
      {"--min-samples", &to.min_samples, tr("The fewest runs before --max-noise may stop (5)"), "N"},
      {"--timeout", &to.timeout,
       tr("Begin no run once this time has passed since the first timed one, such as 30s; what runs is "
          "finished"),
       "TIME"},
      {"--long-kernels", &to.long_kernels, tr("Allow kernels over 1 s, which freeze a display")},
      {"--own-kernels", &to.own_kernels,
       tr("Compile and run the program's own kernels (`kernel`): code from files beside it, with all that you may do; "
          "read them first. Without it a GPU refuses such a program")},
      {"--own-limit", &to.own_limit,
       tr("End the process where a run with such kernels takes longer, such as 30s (10s)"), "TIME"}};
}

Result<void> try_on_device(const RunPlan& plan, const experiment::Input& input) {
  catalog::OpenDevices devices;
  device::Device* const device = TRY(devices.open(plan.device, program::device_count(input.checked)));
  measure::MeasureOptions measuring = plan.measure;
  if (plan.own_kernels) measuring.own = TRY(own_sources(input));
  measuring.own_process = true;
  const auto loaded = TRY(device->load(input.checked, measure::load_options(measuring)));
  device::PassRequest request(plan.measure.instrument);
  request.gate = plan.measure.gate;
  request.stages_of = plan.measure.stages_of;
  return loaded->can(request);
}

Result<trace::Run> perform(const RunPlan& plan, const experiment::Input& input, const Interrupt& interrupt) {
  Ran ran = TRY(run_on_device(plan, input, interrupt));
  // What takes its process along has no other passes.
  if (!plan.referee || program::ends_its_process(input.checked) ||
      !referee::can_judge(ran.as.options, ran.run.trace.provenance.kind))
    return std::move(ran.run);
  StatusLine line;
  line.show(tr("a second opinion, by CUPTI in another process"));
  referee::judge(ran.run, remote::ask_referee(ran.as, interrupt.flag()));
  return std::move(ran.run);
}

Result<trace::Run> open_saved(const RunOptions& options, const Interrupt& interrupt) {
  if (std::string wrong = without_meaning(options); !wrong.empty()) return fail(ErrorKind::bad_input, std::move(wrong));
  StatusLine line;
  return input::open_trace(options.file,
                           {interrupt.flag(), [&](double share) { line.show(tr("reading, {:.0f} %", 100 * share)); }});
}

}  // namespace streamscope::cli
