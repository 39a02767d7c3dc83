// The model as a device: what it refuses, how it stops, and that its figures are near those it was made from.
#include "engine/device/model/model.h"

#include <filesystem>

#include "engine/base/stop_source.h"
#include "engine/experiment/build.h"
#include "engine/experiment/experiment.h"
#include "engine/experiment/experiment_file.h"
#include "engine/measure/measure.h"
#include "tests/engine/model/simulated.h"
#include "tests/support/kernel_options.h"

namespace streamscope::model {
namespace {

using ::testing::HasSubstr;

std::string refusal(std::string_view text, Profile profile = h200()) {
  const program::Program program = tests::program_of(text);
  const auto loaded = make_model(std::move(profile))->load(program, {});
  EXPECT_FALSE(loaded);
  if (loaded) return {};
  EXPECT_EQ(loaded.error().kind, ErrorKind::bad_input);
  return loaded.error().message;
}

TEST(Model, SaysWhatItIs) {
  const auto device = make_model(h200());
  EXPECT_EQ(device->info().id, "model:model-profile");
  EXPECT_EQ(device->info().kind, trace::Provenance::Kind::model);
  EXPECT_EQ(device->info().multiprocessors, 132);
  const program::Program program = tests::program_of("host: sync device\n");
  const auto loaded = device->load(program, {});
  ASSERT_TRUE(loaded);
  EXPECT_EQ((*loaded)->frame().provenance.kind, trace::Provenance::Kind::model);
  EXPECT_EQ((*loaded)->frame().provenance.profile, "model-profile");
  EXPECT_FALSE((*loaded)->frame().provenance.date.empty());
  EXPECT_THAT(trace::texts((*loaded)->notes()), ::testing::Contains(HasSubstr("moves no data")));
  const auto verified = (*loaded)->verify();
  ASSERT_TRUE(verified);
  EXPECT_FALSE(verified->has_value());
}

TEST(Model, CountsTheNumbersThatAreAssumed) {
  Profile profile = h200();
  std::ranges::fill(profile.origins, Origin::measured);
  const program::Program program = tests::program_of("host: sync device\n");
  const auto said = [&](std::size_t assumed) {
    std::fill_n(profile.origins.begin(), assumed, Origin::assumed);
    const auto device = make_model(profile);
    const auto loaded = device->load(program, {});
    return loaded ? (*loaded)->notes().front().text : loaded.error().message;
  };
  EXPECT_THAT(said(1), HasSubstr("1 of its 106 numbers is assumed"));
  EXPECT_THAT(said(2), HasSubstr("2 of its 106 numbers are assumed"));
}

// What load() says of a program besides what it says of all.
std::string said_of(std::string_view text) {
  const program::Program program = tests::program_of(text);
  const auto device = make_model(h200());
  auto loaded = device->load(program, {});
  EXPECT_TRUE(loaded) << loaded.error().message;
  std::string all;
  if (loaded) {
    for (const trace::Note& note : (*loaded)->notes()) all += note.text + "\n";
  }
  return all;
}

TEST(Model, SaysWhichPrioritiesTheDeviceDoesNotHave) {
  const std::string said = said_of("stream A priority=-100\nstream B priority=3\nstream C priority=-5\nA: spin 1us\n");
  EXPECT_THAT(said, HasSubstr("Stream A asks for priority -100, and Golden has 0 to -5: it counts as -5"));
  EXPECT_THAT(said, HasSubstr("Stream B asks for priority 3, and Golden has 0 to -5: it counts as 0"));
  EXPECT_THAT(said, Not(HasSubstr("Stream C")));
  const program::Program program = tests::program_of("stream A priority=-100\nA: spin 1us\n");
  const auto device = make_model(h200());
  const auto loaded = device->load(program, {});
  ASSERT_TRUE(loaded);
  EXPECT_EQ((*loaded)->frame().streams[2].priority, -5);
}

TEST(Model, SaysWhichOptionsItDoesNotPrice) {
  const std::string plain = "buffer x 1MiB\nstream A\nA: tiles x fma=4";
  EXPECT_THAT(said_of(plain + " copy=cp.async l1\n"),
              HasSubstr("what l1 changes in tiles, which takes as long as with copies past the L1 cache"));
  EXPECT_THAT(said_of(plain + " copy=barrier align=128\n"),
              HasSubstr("what align=128 changes in tiles, which takes as long as with align=16"));
  EXPECT_THAT(said_of(plain + " copy=barrier align=4\n"), Not(HasSubstr("takes as long as with")));
}

TEST(Model, RefusesMoreMemoryThanTheDeviceHasByTheBuffersLine) {
  Profile profile = h200();
  profile.device.memory = 10 << 20;
  EXPECT_THAT(refusal("buffer x 6MiB\n# a remark\nbuffer y 6MiB\n", profile),
              ::testing::AllOf(HasSubstr("line 3"), HasSubstr("y of 6MiB"), HasSubstr("10MiB")));
  EXPECT_THAT(refusal("buffer x 6MiB\nhost: malloc t 6MiB\n", profile), HasSubstr("line 2"));
  const program::Program program =
      tests::program_of("buffer x 6MiB\nhost: malloc t 4MiB\nhost: free t\nhost: malloc u 4MiB\n");
  EXPECT_TRUE(make_model(profile)->load(program, {}));
}

TEST(Model, RefusesBlocksThatFitNowhere) {
  Profile profile = h200();
  profile.compute.block_threads = 512;
  profile.compute.block_shared = 4096;
  EXPECT_THAT(refusal("stream A\nA: spin 1us threads=513\n", profile), HasSubstr("line 2"));
  EXPECT_THAT(refusal("stream A\nA: spin 1us smem=4097\n", profile), HasSubstr("4KiB at most"));
}

TEST(Model, RefusesRunsBeyondItsClock) {
  EXPECT_THAT(refusal("stream A\nrepeat 100 as i {\n  A: spin 600s blocks=1000000 threads=1024\n}\n"),
              HasSubstr("three years"));
}

TEST(Model, RunsLongKernelsWithoutBeingAsked) {
  const auto run = simulate("stream A\nA: spin 100s\n");
  EXPECT_GE(took(run[0]), 100'000'000'000);
}

// Waves of a huge grid are taken together; the sum is that of the single ones.
TEST(Model, AHugeGridTakesAllItsWaves) {
  Profile profile = h200();
  profile.compute.block_overhead = 0;
  profile.compute.block_rate = 1'000'000'000'000'000;
  const std::uint64_t blocks = 2'000'000'000, wave = 132 * 2;
  const auto run = simulate("stream A\nA: spin 1us blocks=" + std::to_string(blocks) + " threads=1024\n", profile);
  EXPECT_EQ(took(run[0]), static_cast<Nanoseconds>((blocks + wave - 1) / wave * 1'001));
}

TEST(Model, AHugeGridBesideAnotherKernelDoesToo) {
  Profile profile = h200();
  profile.compute.block_overhead = 0;
  profile.compute.block_rate = 1'000'000'000'000'000;
  const auto run = simulate(
      "streams S 2 nonblocking\nS0: spin 100s threads=1024\nS1: spin 1us blocks=2000000000 threads=1024\n", profile);
  const double waves = 2e9 / (132 * 2 - 1);
  EXPECT_NEAR(static_cast<double>(took(run[1])), waves * 1'001, waves);
}

// Batches that are one after many kernels take as much of the device as they took each on its own.
TEST(Model, ManyGridsLargerThanTheDeviceKeepTheirPace) {
  const auto run =
      simulate("streams S 8 nonblocking\nrepeat 60000 as i {\n  S{i%8}: spin 4us blocks=1500 threads=256\n}\n");
  const auto pace = [&](std::size_t from, std::size_t to) {
    return static_cast<double>(run[to].end - run[from].end) / static_cast<double>(to - from);
  };
  EXPECT_NEAR(pace(30'000, 59'900) / pace(1'000, 5'000), 1, 0.015);
}

TEST(Model, HonoursAStop) {
  const program::Program program = tests::program_of("stream A\nrepeat 100000 as i {\n  A: spin 1us\n}\n");
  const auto device = make_model(h200());
  const auto loaded = device->load(program, {});
  ASSERT_TRUE(loaded);
  StopSource source;
  device::RunControl control{source.flag(), {}};
  control.on_spans = [&](std::span<const trace::Span>) { source.request_stop(); };
  const auto pass = (*loaded)->run(device::Instrument::full, control);
  ASSERT_FALSE(pass);
  EXPECT_EQ(pass.error().kind, ErrorKind::cancelled);
}

TEST(Model, SendsSpansWhileTheRunGoesOn) {
  const program::Program program = tests::program_of("stream A\nrepeat 5000 as i {\n  A: spin 1us\n}\n");
  const auto device = make_model(h200());
  const auto loaded = device->load(program, {});
  ASSERT_TRUE(loaded);
  int batches = 0;
  device::RunControl control;
  control.on_spans = [&](std::span<const trace::Span>) { ++batches; };
  ASSERT_TRUE((*loaded)->run(device::Instrument::full, control));
  EXPECT_EQ(batches, 5);
}

TEST(Model, TheDeviceMayGoBeforeItsProgram) {
  const program::Program program = tests::program_of("stream A\nA: spin 1us\n");
  auto loaded = make_model(h200())->load(program, {});
  ASSERT_TRUE(loaded);
  EXPECT_TRUE((*loaded)->run(device::Instrument::full, {}));
}

TEST(Model, HasNoObserverEffectAndMeasuresAsEveryDevice) {
  const program::Program program = tests::program_of("stream A\nA: spin 100us\n");
  const auto device = make_model(h200());
  const auto run = measure::measure(*device, program, {.runs = 3}, {});
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_FALSE(run->observer_effect.has_value());
  EXPECT_FALSE(run->bare_wall.has_value());
  EXPECT_FALSE(run->verified.has_value());
  EXPECT_EQ(run->wall->minimum, run->wall->maximum);
}

TEST(Model, RunsEveryExperimentThatIsShipped) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(assets_folder() / "experiments")) {
    SCOPED_TRACE(entry.path().string());
    const auto text = read_text(entry.path());
    ASSERT_TRUE(text);
    const auto file = experiment::parse_experiment(*text, entry.path().string());
    ASSERT_TRUE(file) << file.error().message;
    Profile profile = h200();
    profile.devices = static_cast<int>(file->experiment.devices);
    const auto run = simulate(experiment::build(file->experiment), profile);
    EXPECT_GT(trace::makespan(run.spans), 0);
    EXPECT_LE(trace::makespan(run.spans), run.wall);
    ++files;
  }
  EXPECT_GE(files, 7);
}

// Copies take what the profile's points say.
TEST(Figures, CopiesBySize) {
  for (const TimeBySize::Point& point : h200().copies.h2d.points) {
    const auto run = simulate("buffer x " + std::to_string(point.bytes) + "\nstream A\nA: h2d x\n");
    EXPECT_EQ(took(run[0]), point.time);
  }
}

TEST(Figures, TheClassicDemonstration) {
  const auto run = simulate("buffer x 256MiB\ndefault: h2d x\ndefault: axpb x fma=64\n");
  EXPECT_LT(held(run[0]), 10'000);
  EXPECT_LT(held(run[1]), 10'000);
  EXPECT_GT(took(run[0]), 4'000'000);
}

// Copy in, kernel and copy out a third each, 16 chunks: three stages that overlap take 16 + 2 steps of 48.
TEST(Figures, FourStreamsTakeAboutEighteenFortyEighthsOfOne) {
  const auto total = [](int streams) {
    experiment::Experiment experiment;
    experiment.streams = static_cast<std::uint32_t>(streams);
    test_support::set_kernel(experiment, "spin", {{"duration", 306'000}});
    return static_cast<double>(trace::makespan(simulate(experiment::build(experiment)).spans));
  };
  const double ratio = total(4) / total(1);
  EXPECT_GT(ratio, 18.0 / 48);
  EXPECT_LT(ratio, 18.0 / 48 * 1.12);  // both directions at once slow each other by a tenth
}

TEST(Figures, KernelsThatRunAtOnceShareTheDevice) {
  constexpr std::string_view kGrid = " fma=4000 blocks=132 threads=512\n";
  const auto alone = simulate("buffer x 64MiB\nstream A\nA: axpb x[0:32MiB]" + std::string(kGrid));
  const auto both = simulate("buffer x 64MiB\nstreams S 2 nonblocking\nS0: axpb x[0:32MiB]" + std::string(kGrid) +
                             "S1: axpb x[32MiB:32MiB]" + std::string(kGrid));
  ASSERT_TRUE(overlap(both[0], both[1]));
  EXPECT_GT(took(both[0]), took(alone[0]) * 3 / 2);  // each had nearly all of the arithmetic to itself
  EXPECT_LT(both[1].end - both[0].start, took(alone[0]) * 5 / 2);
}

TEST(Figures, FewWarpsCannotUseTheWholeDevice) {
  const auto time = [](std::string_view grid) {
    return took(simulate("buffer x 16MiB\nstream A\nA: axpb x fma=64 " + std::string(grid) + "\n")[0]);
  };
  EXPECT_GT(time("blocks=1 threads=32"), 100 * time("blocks=264"));
  EXPECT_LE(time("blocks=264"), time("blocks=132"));
}

}  // namespace
}  // namespace streamscope::model
