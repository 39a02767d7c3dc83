// How close a model's predicted wall times are to a GPU's: records bare runs, and holds a model against a recording.
//
//   bench_model walls [--probes] [--seed S --programs N] [--device cuda] --csv F     times programs and writes them
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <optional>
#include <span>

#include "engine/base/files.h"
#include "engine/calibration/probes.h"
#include "engine/calibration/recorded.h"
#include "engine/calibration/workloads.h"
#include "engine/device/catalog/catalog.h"

namespace streamscope {
namespace {

struct Options {
  bool probes = false, quick = false;
  std::uint64_t seed = 1;
  std::size_t programs = 0;
  std::string device = "auto", csv;
  double limit = 120;  // seconds
  int each = 50;       // milliseconds
};

std::vector<RecordedProgram> wanted(const Options& options) {
  std::vector<RecordedProgram> all;
  if (options.probes) {
    for (Probe& probe : probes()) {
      if (options.quick && probe.thorough) continue;
      all.push_back({std::move(probe.name), std::move(probe.group), probe.thorough, {}, std::move(probe.text)});
    }
  }
  for (Workload& workload : workloads(options.seed, options.programs)) {
    all.push_back({std::move(workload.name), std::move(workload.family), false, {}, std::move(workload.text)});
  }
  return all;
}

std::vector<ProgramText> texts(const std::vector<RecordedProgram>& programs) {
  std::vector<ProgramText> all;
  for (const RecordedProgram& one : programs) all.push_back({one.name, one.text});
  return all;
}

Result<void> record(const Options& options) {
  auto device = open_device(options.device);
  if (!device) return fail(device.error());
  const bool model = (*device)->info().kind == Provenance::Kind::model;
  Recording recording{model ? "model" : "measured", (*device)->info().name, (*device)->info().driver, utc_date(),
                      wanted(options)};
  TimingOptions timing;
  timing.each = Nanoseconds{options.each} * 1'000'000;
  const std::vector<ProgramText> all = texts(recording.programs);
  std::vector<RecordedProgram> timed;
  const Nanoseconds began = host_now(), end = began + static_cast<Nanoseconds>(options.limit * 1e9);
  std::optional<Error> failed;
  // A program that this device cannot run is told and left out; after any other error there is no going on.
  for (std::size_t from = 0; from < all.size() && (!failed || failed->kind == ErrorKind::bad_input);) {
    timing.limit = end - host_now();
    if (timing.limit <= 0) break;
    const auto some =
        time_programs(**device, std::span(all).subspan(from), timing, {}, [&](std::size_t, const WallTimes& times) {
          recording.programs[from].wall = times;
          timed.push_back(std::move(recording.programs[from++]));
        });
    if (some) break;
    failed = some.error();
    fmt::print(stderr, "{}\n", failed->message);
    ++from;
  }
  recording.programs = std::move(timed);
  if (auto written = write_text(options.csv, to_csv(recording)); !written) return written;
  fmt::print(stderr, "{} of {} programs in {:.1f} s\n", recording.programs.size(), all.size(),
             static_cast<double>(host_now() - began) / 1e9);
  if (failed) return fail(*failed);
  return {};
}

}  // namespace
}  // namespace streamscope

int main(int count, char** arguments) {
  using namespace streamscope;
  CLI::App app{"How close a model of a GPU is to a GPU."};
  app.require_subcommand(1);
  Options options;
  CLI::App* walls = app.add_subcommand("walls", "Time programs, bare, and write them with their times");
  walls->add_flag("--probes", options.probes, "the probes of a calibration");
  walls->add_flag("--quick", options.quick, "of the probes only those of a quick calibration");
  walls->add_option("--seed", options.seed, "of the generated programs");
  walls->add_option("--programs", options.programs, "how many generated programs");
  walls->add_option("--device", options.device, "as `streamscope devices` lists them");
  walls->add_option("--limit", options.limit, "seconds after which no further program is begun");
  walls->add_option("--each", options.each, "milliseconds that the timed passes of one program go on");
  walls->add_option("--csv", options.csv, "the file to write")->required();
  CLI11_PARSE(app, count, arguments);
  const auto done = record(options);
  if (!done) {
    fmt::print(stderr, "{}\n", done.error().message);
    return exit_code(done.error().kind);
  }
  return 0;
}
