// How close a model's predicted wall times are to a GPU's: records bare runs, and holds a model against a recording.
//
//   bench_model walls [--probes] [--seed S --programs N] [FILE ...] [--device cuda] [--rounds R] --csv F
//                                                                                     times programs and writes them
//   bench_model compare --csv F [--again G] [--device model:h200] [--png F]          holds a model against them
//
//   bench_model fit --csv F ... --start PROFILE.toml -o PROFILE.toml                  fits a profile to recordings
//
// `compare` and `fit` need no GPU: a recording holds the programs' texts. It exits with 1 where the model is out of
// bounds.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iterator>

#include "app/cli/accuracy_report.h"
#include "app/draw/paper.h"
#include "engine/base/files.h"
#include "engine/calibration/fit.h"
#include "engine/calibration/probes.h"
#include "engine/calibration/recorded.h"
#include "engine/calibration/workloads.h"
#include "engine/device/catalog/catalog.h"
#include "engine/device/model/model.h"
#include "engine/device/model/profile/profile_file.h"
#include "tests/support/open_device.h"

namespace streamscope::bench {
namespace {

struct Options {
  bool probes = false, quick = false, all_families = false;
  std::uint64_t seed = 1;
  std::size_t programs = 0;
  std::vector<std::string> files;
  std::string device = "auto", csv;
  double limit = 120;  // seconds
  int each = 50;       // milliseconds
  int rounds = 1;
};

Result<std::vector<calibration::RecordedProgram>> wanted(const Options& options) {
  std::vector<calibration::RecordedProgram> all;
  for (const std::string& file : options.files) {
    auto text = read_text(file);
    if (!text) return fail(text.error());
    all.push_back({file, "file", false, {}, std::move(*text)});
  }
  if (options.probes) {
    for (calibration::Probe& probe : calibration::probes()) {
      if (options.quick && probe.thorough) continue;
      all.push_back({std::move(probe.name), std::move(probe.group), probe.thorough, {}, std::move(probe.text)});
    }
  }
  for (calibration::RecordedProgram& workload :
       calibration::workloads(options.seed, options.programs,
                              options.all_families ? calibration::Families::all : calibration::Families::plain)) {
    all.push_back(std::move(workload));
  }
  return all;
}

std::vector<measure::ProgramText> texts(const std::vector<calibration::RecordedProgram>& programs) {
  std::vector<measure::ProgramText> all;
  for (const calibration::RecordedProgram& one : programs) all.push_back({one.name, one.text});
  return all;
}

Result<void> record(const Options& options) {
  auto device = tests::open_device(options.device);
  if (!device) return fail(device.error());
  const auto programs = wanted(options);
  if (!programs) return fail(programs.error());
  const bool model = (*device)->info().kind == trace::Provenance::Kind::model;
  calibration::Recording recording{
      model ? "model" : "measured", (*device)->info().name, (*device)->info().driver, utc_date(), {}};
  const Nanoseconds began = host_now();
  const auto end = began + static_cast<Nanoseconds>(options.limit * 1e9);
  Result<void> done;
  // What was timed before an error is written all the same.
  for (int i = 0; i < options.rounds && done && host_now() < end; ++i) {
    measure::TimingOptions timing;
    timing.each = Nanoseconds{options.each} * 1'000'000;
    timing.limit = end - host_now();
    timing.pace = true;
    calibration::Recording round;
    const auto timed = measure::time_programs(
        **device, texts(*programs), timing, {},
        [&](std::size_t index, const measure::WallTimes& times) {
          round.programs.push_back((*programs)[index]);
          round.programs.back().wall = times;
        },
        [&](std::size_t index, const Error& why) {
          fmt::print(stderr, "left out: \"{}\": {}\n", (*programs)[index].name, why.message);
        });
    if (!timed) done = fail(timed.error());
    calibration::keep_quietest(recording, std::move(round));
  }
  if (auto written = write_text(options.csv, calibration::to_csv(recording)); !written) return written;
  fmt::print(stderr, "{} of {} programs in {:.1f} s\n", recording.programs.size(), programs->size(),
             static_cast<double>(host_now() - began) / 1e9);
  return done;
}

struct Compare {
  std::string device = "model:h200", csv, again, png, only, pairs;
  std::size_t list = 15;
  bool texts = false, own_pace = false, best_pace = false;
};

// Whether the model is within bounds.
Result<bool> compare(const Compare& options) {
  const auto csv = read_text(options.csv);
  if (!csv) return fail(csv.error());
  auto recording = calibration::recording_from_csv(*csv, options.csv);
  if (!recording) return fail(recording.error());
  if (!options.only.empty()) {
    std::erase_if(recording->programs, [&](const calibration::RecordedProgram& one) {
      return one.name.find(options.only) == std::string::npos;
    });
  }
  const auto profile = catalog::open_profile(device::parse_device(options.device).value());
  if (!profile) return fail(profile.error());
  if (!options.again.empty()) {
    const auto other = read_text(options.again);
    if (!other) return fail(other.error());
    const auto again = calibration::recording_from_csv(*other, options.again);
    if (!again) return fail(again.error());
    const auto pairs = calibration::between(*recording, *again);
    fmt::print("{}\n", cli::self_agreement(calibration::accuracy(pairs), pairs.size(), *recording, *again));
    const auto paced = calibration::between_at_one_pace(*profile, *recording, *again);
    if (!paced) return fail(paced.error());
    fmt::print("The same with the second host at the pace of the first:\n{}\n",
               cli::self_agreement(calibration::accuracy(*paced), paced->size(), *recording, *again));
  }
  const auto slower = calibration::pace(*profile, *recording);
  if (!slower) return fail(slower.error());
  if (options.own_pace) recording = calibration::without_pace(std::move(*recording));
  const auto predictions = options.best_pace ? calibration::predict_at_best_pace(*profile, *recording)
                                             : calibration::predict(*profile, *recording);
  if (!predictions) return fail(predictions.error());
  const calibration::Accuracy found = calibration::accuracy(*predictions);
  const cli::Bounds bounds;
  fmt::print("{} programs of {}, {}, against {}\n\n{}", predictions->size(), recording->device, recording->date,
             options.device, cli::words(found, *predictions, *recording, bounds, options.list));
  for (std::size_t i = 0; options.texts && i < std::min(options.list, found.worst.size()); ++i) {
    fmt::print("\n# {}\n{}", recording->programs[found.worst[i]].name, recording->programs[found.worst[i]].text);
  }
  if (slower->known > 0) {
    fmt::print("\nthe host's calls took {:.3f} times as long as the profile's (quartiles {:.3f} and {:.3f}); {}\n",
               slower->median, slower->low, slower->high,
               options.best_pace  ? "each program predicted at the pace that suits it best"
               : options.own_pace ? "not predicted so"
                                  : "predicted so");
  }
  if (!options.pairs.empty()) {
    if (auto written = write_text(options.pairs, cli::pairs_csv(*predictions)); !written) return fail(written.error());
  }
  if (!options.png.empty()) {
    const timeline::Scene scene =
        draw::scatter(cli::figure_of(found, *predictions, *recording, model::make_model(*profile)->info(), bounds), {});
    if (auto written = draw::write_png(scene, 2, options.png); !written) return fail(written.error());
  }
  return cli::within(found, bounds);
}

struct FitCommand {
  std::vector<std::string> csv;
  std::string start, out, head;
  double seconds = 60;
};

Result<void> fit(const FitCommand& options) {
  const auto start = catalog::read_profile(options.start);
  if (!start) return fail(start.error());
  std::vector<calibration::RecordedProgram> programs, others;
  for (const std::string& file : options.csv) {
    const auto csv = read_text(file);
    if (!csv) return fail(csv.error());
    auto recording = calibration::recording_from_csv(*csv, file);
    if (!recording) return fail(recording.error());
    auto& to = file.find("probes") == std::string::npos ? others : programs;
    std::move(recording->programs.begin(), recording->programs.end(), std::back_inserter(to));
  }
  const std::size_t probes = programs.size();
  std::move(others.begin(), others.end(), std::back_inserter(programs));
  const auto samples = calibration::fit_samples(programs, probes, calibration::middle_pace(programs));
  if (!samples) return fail(samples.error());
  calibration::FitOptions how;
  how.rounds = 200;
  how.time = static_cast<Nanoseconds>(options.seconds * 1e9);
  const auto fitted = calibration::fit_profile(*start, *samples, how,
                                               [](int done, int total, double error) {
                                                 if (done > 0)
                                                   fmt::print(stderr, "round {} of {}: mean error {:.2f} %\n", done,
                                                              total, 100 * error);
                                               },
                                               {});
  if (!fitted) return fail(fitted.error());
  return write_text(options.out, model::write_profile(*fitted, options.head));
}

}  // namespace
}  // namespace streamscope::bench

int main(int count, char** arguments) {
  using namespace streamscope;
  using namespace streamscope::bench;
  CLI::App app{"How close a model of a GPU is to a GPU."};
  app.require_subcommand(1);
  Options options;
  CLI::App* walls = app.add_subcommand("walls", "Time programs, bare, and write them with their times");
  walls->add_flag("--probes", options.probes, "the probes of a calibration");
  walls->add_flag("--quick", options.quick, "of the probes only those of a quick calibration");
  walls->add_option("--seed", options.seed, "of the generated programs");
  walls->add_option("--programs", options.programs, "how many generated programs");
  walls->add_flag("--all-families", options.all_families,
                  "host threads, graphs, shared memory and the like among them");
  walls->add_option("--device", options.device, "as `streamscope devices` lists them");
  walls->add_option("--limit", options.limit, "seconds after which no further program is begun");
  walls->add_option("--each", options.each, "milliseconds that the timed passes of one program go on");
  walls->add_option("--rounds", options.rounds, "times through all of them; of each program the quietest round counts");
  walls->add_option("files", options.files, "stream programs to time as well");
  walls->add_option("--csv", options.csv, "the file to write")->required();
  Compare comparing;
  CLI::App* compared = app.add_subcommand("compare", "Hold a model against recorded times");
  compared->add_option("--csv", comparing.csv, "what `bench_model walls` wrote")->required();
  compared->add_option("--device", comparing.device, "the model, as `streamscope devices` lists it, or a profile");
  compared->add_option("--again", comparing.again, "a second recording, to see how far the GPU agrees with itself");
  compared->add_option("--png", comparing.png, "draw a scatter plot into this file");
  compared->add_option("--list", comparing.list, "how many of the worst to list");
  compared->add_flag("--texts", comparing.texts, "show their programs");
  compared->add_flag("--own-pace", comparing.own_pace, "predict with the profile's host, not one at the measured pace");
  compared->add_flag(
      "--best-pace", comparing.best_pace,
      "predict each program at the pace that comes closest: what knowing the pace perfectly would leave");
  compared->add_option("--only", comparing.only, "only programs whose name has this in it");
  compared->add_option("--pairs", comparing.pairs, "write measured and predicted times into this file, as CSV");
  FitCommand fitting;
  CLI::App* fitted = app.add_subcommand("fit", "Fit a profile to recorded times");
  fitted->add_option("--csv", fitting.csv, "what `bench_model walls` wrote, one or more")->required();
  fitted->add_option("--start", fitting.start, "the profile to begin with")->required();
  fitted->add_option("-o", fitting.out, "the profile to write")->required();
  fitted->add_option("--head", fitting.head, "the comment at its top");
  fitted->add_option("--seconds", fitting.seconds, "no round is begun later");
  CLI11_PARSE(app, count, arguments);
  const auto report = [](const Error& error) {
    fmt::print(stderr, "{}\n", error.message);
    return exit_code(error.kind);
  };
  if (compared->parsed()) {
    const auto good = compare(comparing);
    if (!good) return report(good.error());
    return *good ? 0 : 1;
  }
  const auto done = fitted->parsed() ? fit(fitting) : record(options);
  return done ? 0 : report(done.error());
}
