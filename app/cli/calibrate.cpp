// `streamscope calibrate`: a profile of the GPU at hand, and how far it can be trusted.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>

#include "app/cli/accuracy_report.h"
#include "app/cli/command.h"
#include "app/cli/interrupt.h"
#include "app/cli/outputs.h"
#include "app/cli/terminal.h"
#include "app/draw/paper.h"
#include "engine/base/files.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/calibration/calibrate.h"
#include "engine/device/catalog/catalog.h"
#include "engine/device/model/profile/profile_file.h"
#include "engine/output/output.h"

namespace streamscope::cli {
namespace {

struct CalibrateArguments {
  std::string out, device = "cuda", start, png, csv, json;
  std::size_t programs = 300;
  std::uint64_t seed = 1'000;
  std::string time = "55s";
  bool probes = true;
};

void show(StatusLine& line, const calibration::CalibrateStep& step) {
  constexpr std::size_t kWidth = 30;
  const auto full = static_cast<std::size_t>(kWidth * std::clamp(step.share, 0.0, 1.0));
  std::string what = tr("{}: {} of {}", calibration::name(step.stage), step.done, step.total);
  if (step.stage == calibration::CalibrateStage::fit) what = tr("fit, off by {:.1f} %", 100 * step.error);
  line.show(fmt::format("[{}{}] {:3.0f} % {}", std::string(full, '#'), std::string(kWidth - full, '.'),
                        100 * step.share, what));
}

// "NVIDIA GeForce RTX 4060" is "nvidia-geforce-rtx-4060.toml".
std::string file_for(const std::string& device) {
  std::string name;
  for (const char c : device) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  while (name.ends_with('-')) name.pop_back();
  return (name.empty() ? "profile" : name) + ".toml";
}

// Behind what says that the profile that it began with is kept.
std::string but_for_links(const calibration::Calibration& done) {
  return done.links ? tr(", but for its links, which were measured") : std::string();
}

std::string head(const calibration::Calibration& done, const calibration::Accuracy& found,
                 const model::Profile& start) {
  const calibration::Recording& on = done.fitted;
  const std::size_t assumed = static_cast<std::size_t>(
      std::count(done.profile.origins.begin(), done.profile.origins.end(), model::Origin::assumed));
  return tr(
      "{}, {}: `streamscope calibrate`, {}.\n"
      "Fitted to the bare wall times of {} programs, from the profile {}{}. On {} programs that it was not fitted on:\n"
      "mean error {:.1f} %, 95th percentile {:.1f} %, worst {:.1f} %; {:.1f} % of the pairs that differ by over 5 % "
      "are ranked alike.\n"
      "measured: fitted to times of this device; datasheet: as its driver reports; assumed: taken from the profile "
      "that it began\nwith, {} of {} numbers.",
      on.device, on.driver.empty() ? tr("a model") : tr("driver {}", on.driver), on.date, on.programs.size(), start.id,
      done.kept ? tr(", which was closer than the fit and is kept") + but_for_links(done) : "",
      done.judged.programs.size(), 100 * found.all.mean, 100 * found.all.percentile_95, 100 * found.all.worst,
      100 * found.order.share(), assumed, done.profile.origins.size());
}

Result<model::Profile> start_of(const CalibrateArguments& options, const device::DeviceInfo& device) {
  if (!options.start.empty()) return catalog::read_profile(options.start);
  const std::vector<model::Profile> profiles = catalog::shipped_profiles();
  if (profiles.empty()) {
    return fail(ErrorKind::bad_input, tr("There is no profile to begin with in {}; name one with --start.",
                                         (assets_folder() / "devices").string()));
  }
  return calibration::nearest(device, profiles);
}

Result<void> write_all(const CalibrateArguments& options, const std::string& file, const calibration::Calibration& done,
                       const calibration::Accuracy& found, const model::Profile& start) {
  TRY(write_text(file, model::write_profile(done.profile, head(done, found, start))));
  if (!options.csv.empty()) TRY(write_text(options.csv, pairs_csv(done.predictions)));
  if (!options.json.empty()) TRY(write_text(options.json, output::to_json(done, found, file)));
  if (options.png.empty()) return {};
  device::DeviceInfo model;
  model.kind = trace::Provenance::Kind::model;
  model.name = done.profile.name;
  model.profile = file;
  return draw::write_png(
      draw::scatter(figure_of(found, done.predictions, done.judged, model, Bounds{}), {.height = 1000}), 2,
      options.png);
}

Result<int> execute(const CalibrateArguments& options) {
  const auto time = parse_duration(options.time);
  constexpr Nanoseconds kLeast = 1'000'000'000, kMost = 3'600'000'000'000;
  if (!time || *time < kLeast || *time > kMost)
    return fail(ErrorKind::bad_input, tr("--time {}: error: from 1s to 3600s", options.time));
  if (options.programs < 1 || options.programs > 10'000)
    return fail(ErrorKind::bad_input, tr("--programs {}: error: from 1 to 10000", options.programs));
  Interrupt interrupt;
  const device::DeviceSpec asked = TRY(catalog::device_named(options.device));
  const auto device = TRY(catalog::open_device(asked));
  const device::DeviceInfo& info = device->info();
  const std::string file = options.out.empty() ? file_for(info.name) : options.out;
  TRY(check_outputs(
      {{"-o", file}, {"--png", options.png}, {"--csv", options.csv}, {"--json", options.json}},
      {{tr("the profile to begin with"), options.start}, {tr("the device's profile"), device::profile_file(asked)}}));
  const model::Profile start = TRY(start_of(options, info));
  print_stderr_text(tr("device {}: {}, {}; from the profile {}, in {} at most\n", info.id, info.name,
                       tr(trace::badge(info.kind)), start.id, options.time));

  calibration::CalibrateOptions how;
  how.programs = options.programs;
  how.judged = std::max<std::size_t>(1, (options.programs * 3 + 3) / 4);
  how.seed = options.seed;
  how.probes = options.probes;
  how.time = *time;
  const Nanoseconds begin = host_now();
  Result<calibration::Calibration> done = fail(ErrorKind::cancelled, "");
  {
    StatusLine line;
    done = calibration::calibrate(
        *device, start, how, [&](const calibration::CalibrateStep& step) { show(line, step); }, interrupt.flag());
  }
  if (!done) return fail(done.error());
  interrupt.end();
  const calibration::Accuracy found = calibration::accuracy(done->predictions);
  TRY(write_all(options, file, *done, found, start));
  if (file == "-" || options.csv == "-" || options.json == "-") return 0;
  return print_stdout(
      tr("{}\n\nwritten to {}: fitted to {} programs in {:.0f} s{}; judged on {} others, on which the profile "
         "that it began "
         "with has a mean error of {:.1f} %{}\n",
         words(found, done->predictions, done->judged, Bounds{}, 8), file, done->fitted.programs.size(),
         static_cast<double>(host_now() - begin) / 1e9,
         done->refused == 0 ? "" : tr(" ({} more do not run on this device)", done->refused),
         done->judged.programs.size(), 100 * calibration::errors(done->before).mean,
         done->kept ? tr(": closer than the fit, so its numbers are kept") + but_for_links(*done) : ""));
}

}  // namespace

Command calibrate_command() {
  const auto o = std::make_shared<CalibrateArguments>();
  return {
      .name = "calibrate",
      .about = tr("Measure a profile of the GPU at hand"),
      .options = {{"-o,--output", &o->out, tr("The profile to write (named after the device, in this folder)"),
                   "PROFILE.toml"},
                  {"--device", &o->device,
                   tr("The device to measure: cuda, cuda:N (GPU number N), model or model:PROFILE (cuda)"), "NAME"},
                  {"--start", &o->start, tr("The profile to begin with (the shipped one of the nearest kind)"),
                   "PROFILE.toml"},
                  {"--time", &o->time, tr("About the longest time that the calibration may take (55s)"), "TIME"},
                  {"--programs", &o->programs, tr("Generated programs to fit on, besides the probes (300)"), "N"},
                  {"--seed", &o->seed,
                   tr("Seed of the generated programs to fit on; those to judge with have the next one (1000)"), "S"},
                  {"!--no-probes", &o->probes,
                   tr("Leave out the probes, programs that are each there to measure one number of the profile")},
                  {"--png", &o->png, tr("Draw the judged programs' predicted against measured times, as PNG"), "F"},
                  {"--csv", &o->csv, tr("Write the judged programs' predicted and measured times as CSV, a line each"),
                   "F"},
                  {"--json", &o->json, tr("Write the verdict as JSON; - is standard output"), "F"}},
      .footer = tr("The profile is judged on programs that it was not fitted on. Run it with a device as\n"
                   "`streamscope run FILE --device model:PROFILE.toml`."),
      .run = [o] { return execute(*o); }};
}

}  // namespace streamscope::cli
