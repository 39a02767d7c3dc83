// A calibration against a model whose numbers are known: from another start it must find the times again.
#include "engine/calibration/calibrate.h"

#include <gmock/gmock.h>

#include <cmath>
#include <memory>
#include <utility>
#include <variant>

#include "engine/base/stop_source.h"
#include "engine/calibration/probes.h"
#include "engine/device/catalog/catalog.h"
#include "engine/device/model/model.h"
#include "engine/device/model/profile/profile_numbers.h"
#include "engine/measure/host_pace.h"
#include "engine/predict/host_pace.h"
#include "engine/program/read_program.h"

namespace streamscope::calibration {
namespace {

model::Profile known_profile() {
  auto profile = catalog::read_profile(STREAMSCOPE_SOURCE "/tests/golden/model-profile.toml");
  EXPECT_TRUE(profile) << profile.error().message;
  return *profile;
}

model::Profile changed(model::Profile profile, std::initializer_list<std::pair<const char*, const char*>> changes) {
  for (const auto& [key, value] : changes) {
    const auto done = model::change(profile, key, value);
    EXPECT_TRUE(done) << done.error().message;
  }
  profile.changes.clear();
  return profile;
}

Recording walls_of(const model::Profile& profile, const std::vector<std::string>& texts) {
  Recording recording;
  std::vector<measure::ProgramText> programs;
  for (const std::string& text : texts) programs.push_back({"p", text});
  const auto device = model::make_model(profile);
  const auto walls = measure::time_programs(*device, programs, {});
  EXPECT_TRUE(walls) << walls.error().message;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    recording.programs.push_back({"p", "all", false, (*walls)[i], texts[i]});
  }
  return recording;
}

std::vector<std::string> small_set() {
  std::vector<std::string> all;
  const std::string stream = "stream A nonblocking\n";
  for (const int count : {1, 4, 16, 64}) {
    const std::string times = "repeat " + std::to_string(count) + " {\n";
    all.push_back(stream + times + "A: spin 0us\n}\n");
    all.push_back(stream + times + "A: spin 20us\n}\n");
    all.push_back(stream + "A: spin 500us\n" + times + "A: spin 1us\n}\n");
    all.push_back("buffer x 16MiB\n" + stream + times + "A: h2d x[0:1MiB]\n}\n");
    all.push_back("buffer x 16MiB\n" + stream + times + "A: d2h x[0:1MiB]\n}\n");
  }
  for (const char* size : {"4KiB", "64KiB", "256KiB", "4MiB", "16MiB", "64MiB"}) {
    for (const char* way : {"h2d", "d2h"}) {
      all.push_back("buffer x 64MiB\n" + stream + "A: " + way + " x[0:" + size + "]\n");
    }
  }
  all.push_back(stream + "host: malloc t 1MiB\nA: spin 500us\nhost: free t\nhost: work 500us\n");
  all.push_back(stream + "A: spin 5ms\nrepeat 2000 {\nA: spin 0us\n}\n");
  all.push_back(stream + "A: spin 5ms\nrepeat 600 {\nA: spin 0us\n}\n");
  return all;
}

std::vector<FitSample> samples_of(const Recording& recording) {
  std::vector<FitSample> samples;
  for (const RecordedProgram& one : recording.programs) {
    auto read = program::read_program(one.text, one.name);
    EXPECT_TRUE(read) << read.error().message;
    samples.push_back({std::move(read->program), one.wall.median, 1});
  }
  return samples;
}

double mean_error(const model::Profile& profile, const Recording& recording) {
  const auto predictions = predict(profile, recording);
  EXPECT_TRUE(predictions) << predictions.error().message;
  return errors(*predictions).mean;
}

TEST(Fit, FindsTheTimesOfAProfileAgainFromAnotherStart) {
  const model::Profile truth = changed(
      known_profile(), {{"host.launch", "6us"}, {"copies.link", "12GB/s"}, {"streams.kernel_after_kernel", "3us"}});
  const Recording recording = walls_of(truth, small_set());
  const model::Profile start = known_profile();
  FitOptions options;
  options.rounds = 40;
  const auto fitted = fit_profile(start, samples_of(recording), options, {}, {});
  ASSERT_TRUE(fitted) << fitted.error().message;
  EXPECT_GT(mean_error(start, recording), 0.3);
  EXPECT_LT(mean_error(*fitted, recording), 0.02);
}

// Links of thrice the rate beside the bus, with slower calls: what is between devices is found by the probes of it
// alone.
TEST(Fit, FindsTheLinksOfAPair) {
  model::Profile start = known_profile();
  start.devices = 2;
  model::Profile truth = start;
  for (model::TimeBySize::Point& point : truth.links.peer.points) point.time /= 3;
  for (model::TimeBySize::Point& point : truth.links.staged.points) point.time *= 2;
  truth.links.over_bus = !start.links.over_bus;
  truth.links.access = 3 * start.links.access;
  truth.links.copy_call = 2 * start.links.copy_call;
  std::vector<std::string> texts;
  for (const Probe& probe : link_probes()) texts.push_back(probe.text);
  const Recording recording = walls_of(truth, texts);
  FitOptions options;
  options.choices = calibrate_choices(start);
  options.reluctance = 0.1;
  const auto fitted = fit_profile(start, samples_of(recording), options, {}, {});
  ASSERT_TRUE(fitted) << fitted.error().message;
  EXPECT_GT(mean_error(start, recording), 0.3);
  EXPECT_LT(mean_error(*fitted, recording), 0.03);
  EXPECT_EQ(fitted->links.over_bus, truth.links.over_bus);
  const auto near = [](double found, double wanted, double by = 0.1) { EXPECT_NEAR(found / wanted, 1, by); };
  near(static_cast<double>(fitted->links.peer.points.front().time),
       static_cast<double>(truth.links.peer.points.front().time), 0.15);
  near(static_cast<double>(fitted->links.staged.points.front().time),
       static_cast<double>(truth.links.staged.points.front().time), 0.15);
  near(static_cast<double>(fitted->links.peer.points.back().time),
       static_cast<double>(truth.links.peer.points.back().time));
  near(static_cast<double>(fitted->links.copy_call), static_cast<double>(truth.links.copy_call));
  near(static_cast<double>(fitted->links.access), static_cast<double>(truth.links.access));
}

TEST(Fit, APointThatHasGoneAstrayDoesNotHoldItsNeighbours) {
  const model::Profile truth = known_profile();
  model::Profile start = truth;
  auto& points = start.copies.h2d.points;
  ASSERT_GT(points.size(), 4u);
  // The first is too long, and no program shows it: those behind it must be no shorter.
  for (std::size_t i = 0; i < 4; ++i) points[i].time = points[4].time;
  std::vector<std::string> texts;
  for (const model::TimeBySize::Point& point : truth.copies.h2d.points) {
    if (point.bytes == truth.copies.h2d.points[0].bytes || point.bytes > (32 << 20)) continue;
    texts.push_back("buffer x 32MiB\nstream A nonblocking\nA: h2d x[0:" + std::to_string(point.bytes) + "]\n");
  }
  const Recording recording = walls_of(truth, texts);
  const auto fitted = fit_profile(start, samples_of(recording), {}, {}, {});
  ASSERT_TRUE(fitted) << fitted.error().message;
  EXPECT_GT(mean_error(start, recording), 0.2);
  EXPECT_LT(mean_error(*fitted, recording), 0.02);
  const auto& found = fitted->copies.h2d.points;
  EXPECT_TRUE(std::is_sorted(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.time < b.time; }));
}

TEST(Fit, OneProgramThatIsALittleOffBendsNothing) {
  const model::Profile start = known_profile();
  Recording recording = walls_of(start, {"stream A\nA: spin 20us\n"});
  recording.programs[0].wall.median += recording.programs[0].wall.median / 50;
  const auto fitted = fit_profile(start, samples_of(recording), {}, {}, {});
  ASSERT_TRUE(fitted) << fitted.error().message;
  EXPECT_EQ(fitted->origins[*model::find_number("host.launch")], start.origins[*model::find_number("host.launch")])
      << "it was not measured: only reluctance held it";
  for (const model::ProfileNumber& number : model::profile_numbers()) {
    if (number.kind == model::NumberKind::times) continue;
    EXPECT_EQ(number.get(*fitted), number.get(start)) << number.path;
  }
}

// Kernels timed while the host was slow and copies while it was fast.
TEST(Fit, TakesTheHostsPaceIntoAccount) {
  const model::Profile truth = changed(known_profile(), {{"host.launch", "6us"}});
  Recording recording;
  for (const std::string& text : small_set()) {
    const model::Profile then = predict::at_pace(truth, text.find("spin") != std::string::npos ? 1.5 : 0.8);
    const auto pace = model::predict_wall(then, measure::pace_program());
    ASSERT_TRUE(pace);
    recording.programs.push_back(walls_of(then, {text}).programs.front());
    recording.programs.back().wall.pace = *pace;
  }
  EXPECT_LT(mean_error(truth, recording), 1e-3);
  const auto own = model::predict_wall(truth, measure::pace_program());
  ASSERT_TRUE(own);
  const auto samples = fit_samples(recording.programs, 0, *own);
  ASSERT_TRUE(samples) << samples.error().message;
  ASSERT_EQ(samples->size(), recording.programs.size() + 1);
  EXPECT_EQ(samples->back().measured, *own) << "what the paces are measured by";
  EXPECT_EQ(samples->back().slower, 1);
  const auto fitted = fit_profile(known_profile(), *samples, {}, {}, {});
  ASSERT_TRUE(fitted) << fitted.error().message;
  EXPECT_NEAR(static_cast<double>(fitted->host.launch), 6'000, 300);
  EXPECT_LT(mean_error(*fitted, recording), 0.01);
  EXPECT_EQ(fitted->host.pace, truth.host.pace) << "it is one by definition";
}

TEST(Fit, MakesTheChoicesThatProgramsTell) {
  const model::Profile truth = changed(known_profile(), {{"host.free_waits", "false"}, {"streams.queue_depth", "256"}});
  const model::Profile start = changed(known_profile(), {{"host.free_waits", "true"}, {"streams.queue_depth", "1022"}});
  const Recording recording = walls_of(truth, small_set());
  FitOptions options;
  options.rounds = 12;
  options.choices = {{"host.free_waits", {0, 1}},
                     {"streams.queue_depth", {128, 256, 512, 1022, 4094}},
                     {"streams.connections", {1, 2, 4, 8, 16, 32}}};
  const auto fitted = fit_profile(start, samples_of(recording), options, {}, {});
  ASSERT_TRUE(fitted) << fitted.error().message;
  EXPECT_FALSE(fitted->host.free_waits);
  EXPECT_EQ(fitted->streams.queue_depth, 256u);
  // No program says anything of these: each has one stream.
  EXPECT_EQ(fitted->streams.connections, start.streams.connections);
  const auto origin = [&](const char* key) { return fitted->origins[*model::find_number(key)]; };
  EXPECT_EQ(origin("host.free_waits"), model::Origin::measured);
  EXPECT_EQ(origin("streams.connections"), start.origins[*model::find_number("streams.connections")]);
}

TEST(Fit, StopsOnRequest) {
  StopSource stop;
  stop.request_stop();
  const Recording recording = walls_of(known_profile(), {"stream A\nA: spin 1us\n"});
  const auto fitted = fit_profile(known_profile(), samples_of(recording), {}, {}, stop.flag());
  ASSERT_FALSE(fitted);
  EXPECT_EQ(fitted.error().kind, ErrorKind::cancelled);
}

TEST(Described, TakesWhatTheDriverTellsAndAssumesTheRest) {
  device::DeviceInfo info;
  info.name = "A GPU";
  info.compute_capability = "8.9";
  info.memory_bytes = 8ull << 30;
  info.multiprocessors = 24;
  info.copy_engines = 1;
  info.highest_priority = -5;
  info.limits = {1536, 24, 65536, 100 << 10, 1024, 99 << 10, 1 << 10, 2400};
  const model::Profile profile = described(info, known_profile());
  EXPECT_EQ(profile.device.memory, info.memory_bytes);
  EXPECT_EQ(profile.compute.multiprocessors, 24);
  EXPECT_EQ(profile.compute.threads, 1536u);
  EXPECT_EQ(profile.compute.fma_per_clock, 128u);
  EXPECT_EQ(profile.copies.engines, 1);
  EXPECT_EQ(profile.origins[*model::find_number("compute.threads")], model::Origin::datasheet);
  EXPECT_EQ(profile.origins[*model::find_number("host.launch")], model::Origin::assumed);
  for (const model::TimeBySize::Point& point : profile.copies.h2d.points)
    EXPECT_EQ(point.origin, model::Origin::assumed);
}

TEST(Described, LeavesAProfileThatHoldsTogetherWhereTheDriverTellsNonsense) {
  device::DeviceInfo info;
  info.limits = {512, 8, 65536, 16 << 10, 1024, 48 << 10, 1 << 10, 0};
  EXPECT_FALSE(model::check_profile(described(info, known_profile())));
}

TEST(Nearest, IsOfTheSameComputeCapabilityFirst) {
  std::vector<model::Profile> all(3, known_profile());
  all[0].compute_capability = "9.0", all[1].compute_capability = "8.9", all[2].compute_capability = "8.9";
  all[1].compute.multiprocessors = 24, all[2].compute.multiprocessors = 128;
  device::DeviceInfo info;
  info.compute_capability = "8.9";
  info.multiprocessors = 120;
  EXPECT_EQ(&nearest(info, all), &all[2]);
}

TEST(Calibrate, NeedsTimeForOneProgramAtLeast) {
  const auto device = model::make_model(known_profile());
  CalibrateOptions options;
  options.time = 0;
  const auto done = calibrate(*device, known_profile(), options, {}, {});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, ErrorKind::bad_input);
}

// Two that do not reach each other's memory.
class TwoApart : public device::Device {
 public:
  explicit TwoApart(model::Profile profile) : model_(model::make_model(std::move(profile))) {}
  const device::DeviceInfo& info() const override { return model_->info(); }
  Result<std::unique_ptr<device::LoadedProgram>> load(const program::Program& program,
                                                      const device::LoadOptions& options) override {
    for (const program::Operation& each : program.operations) {
      if (std::holds_alternative<program::op::PeerAccess>(each.work)) return fail(ErrorKind::bad_input, "no access");
    }
    return model_->load(program, options);
  }

 private:
  std::unique_ptr<device::Device> model_;
};

TEST(Calibrate, MeasuresTheLinksOfTwoThatDoNotReachEachOther) {
  model::Profile truth = known_profile();
  truth.devices = 2;
  for (model::TimeBySize::Point& point : truth.links.staged.points) point.time *= 2;
  TwoApart device(truth);
  CalibrateOptions options;
  options.programs = options.judged = 1;
  options.time = 20'000'000'000;
  const auto done = calibrate(device, known_profile(), options, {}, {});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_TRUE(done->links);
  EXPECT_GT(done->refused, 5u);
  const model::TimeBySize &found = done->profile.links.staged, &wanted = truth.links.staged;
  EXPECT_NEAR(static_cast<double>(found.points.back().time) / static_cast<double>(wanted.points.back().time), 1, 0.1);
  EXPECT_EQ(found.points.back().origin, model::Origin::measured);
  EXPECT_EQ(done->profile.links.peer.points.back().time, known_profile().links.peer.points.back().time);
}

TEST(KeepTheCloser, TakesAFitBackThatIsFurtherOff) {
  const model::Profile start = known_profile();
  const auto calibration = [&](Nanoseconds before, Nanoseconds fitted) {
    Calibration out;
    out.profile = changed(start, {{"host.launch", "9us"}, {"links.access", "7ms"}});
    out.profile.name = "mine";
    out.before = {{"p", "all", 1'000, before}};
    out.predictions = {{"p", "all", 1'000, fitted}};
    keep_the_closer(out, start);
    return out;
  };
  const Calibration kept = calibration(1'050, 900);
  EXPECT_TRUE(kept.kept);
  EXPECT_EQ(kept.profile.host.launch, start.host.launch);
  EXPECT_EQ(kept.profile.name, "mine");
  EXPECT_EQ(kept.profile.links.access, 7'000'000) << "no judged program is of two devices";
  EXPECT_EQ(kept.predictions.front().predicted, 1'050);
  const Calibration better = calibration(1'050, 1'020);
  EXPECT_FALSE(better.kept);
  EXPECT_EQ(better.profile.host.launch, 9'000);
}

}  // namespace
}  // namespace streamscope::calibration
