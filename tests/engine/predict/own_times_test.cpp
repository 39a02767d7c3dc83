// What own kernels took on a GPU, told from a trace, remembered in a file and given to models.
#include "engine/predict/own_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "engine/base/files.h"
#include "engine/predict/predict.h"
#include "tests/support/program_of.h"

namespace streamscope::predict {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kOwnText =
    "kernel scale \"scale.cu\" (float* y, int n)\nbuffer y 4MiB\nstream A nonblocking\nstream B nonblocking\n"
    "A: scale y 1 blocks=64\nA: scale y 2 blocks=64\nA: scale y 3 blocks=64\nA: scale y 4 blocks=8 time=20us\n";
const std::string kScale = "__global__ void scale(float* y, int n) {}\n";

// As a GPU would: launches of 64 blocks take 31, 30 and 90 us, the other one 7 us.
trace::Trace measured_own(const program::Program& program) {
  trace::Trace trace;
  trace.provenance.kind = trace::Provenance::Kind::measured;
  trace.provenance.device = "NVIDIA H200";
  trace.names = {"scale"};
  trace.launches = {{.line = 5, .name = 0, .blocks = 64, .threads = 256, .registers = 40}};
  const Nanoseconds takes[] = {31'000, 30'000, 90'000, 7'000};
  for (OperationIndex i = 0; i < program.operations.size(); ++i) {
    trace::Span& span = trace.spans.emplace_back();
    span.operation = i;
    if (i >= std::size(takes)) continue;
    span.start = 1'000'000 * i;
    span.end = span.start + takes[i];
  }
  return trace;
}

// With a folder of settings and one of programs of its own.
class OwnTimes : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "streamscope-own-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    setenv("XDG_CONFIG_HOME", (folder_ / "settings").c_str(), 1);
    ASSERT_TRUE(write_text(folder_ / "scale.cu", kScale));
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  const program::Program program_ = tests::program_of(kOwnText);
  const std::vector<std::string> files_{"scale.cu"};
  std::filesystem::path folder_;
};

TEST_F(OwnTimes, AreTheMediansOfEachShapeWithTheMarkOfTheSource) {
  const std::vector<kernels::OwnSource> sources{{"scale.cu", kScale}};
  const auto times = own_times(measured_own(program_), program_, sources);
  ASSERT_EQ(times.size(), 2u);
  const OwnTime wanted{source_mark(kScale), "scale", 64, 256, 0, 31'000, 40, "NVIDIA H200"};
  EXPECT_EQ(times[0], wanted);
  EXPECT_EQ(times[1].time, 7'000);
  EXPECT_EQ(times[1].blocks, 8u);
  EXPECT_NE(source_mark(kScale), source_mark(kScale + " "));
  EXPECT_THAT(own_times(measured_own(program_), tests::program_of("stream A\nA: spin 1us\n"), sources), IsEmpty());
}

TEST_F(OwnTimes, AreTakenByLaunchesThatDoNotSayThemselves) {
  const auto times = own_times(measured_own(program_), program_, {});
  program::Program with = program_;
  give_own_times(with, times);
  const auto prediction = predict(device::model_of("h200"), with, {});
  ASSERT_TRUE(prediction) << prediction.error().message;
  const auto& spans = prediction->trace.spans;
  EXPECT_NEAR(static_cast<double>(spans[0].end - spans[0].start), 31'000, 500);
  EXPECT_NEAR(static_cast<double>(spans[3].end - spans[3].start), 20'000, 500) << "as it says";
  std::string notes;
  for (const trace::Note& each : prediction->notes) notes += each.text + "\n";
  EXPECT_THAT(notes, HasSubstr("a launch takes 31 us, as measured on NVIDIA H200"));
  EXPECT_THAT(notes, HasSubstr("a launch takes the 20 us that it says (time)"));
  // Another shape is another launch.
  program::Program other = tests::program_of(
      "kernel scale \"scale.cu\" (float* y, int n)\nbuffer y 4MiB\nstream A nonblocking\nA: scale y 1 blocks=63\n");
  const auto before = other.kernels;
  give_own_times(other, times);
  EXPECT_EQ(other.kernels, before);
}

TEST_F(OwnTimes, AreRememberedWholeForTheSameSourceAlone) {
  EXPECT_THAT(remembered_own_times(folder_, files_), IsEmpty());
  const std::vector<kernels::OwnSource> sources{{"scale.cu", kScale}};
  auto times = own_times(measured_own(program_), program_, sources);
  remember_own_times(times);
  auto found = remembered_own_times(folder_, files_);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].source, "") << "it is the source at hand";
  EXPECT_EQ(found[0].device, "NVIDIA H200");
  EXPECT_EQ(found[0].time, 31'000);
  // A newer one of the same launch comes in its place.
  times.resize(1);
  times[0].time = 5;
  remember_own_times(times);
  found = remembered_own_times(folder_, files_);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].time, 5);
  // Without a mark it is of nothing that could be known again; a broken line costs only itself.
  times[0].source.clear();
  remember_own_times(times);
  const auto file = folder_ / "settings/streamscope/own-kernels";
  ASSERT_TRUE(write_text(file, "odd\n" + read_text(file).value_or("")));
  EXPECT_EQ(remembered_own_times(folder_, files_).size(), 2u);
  ASSERT_TRUE(write_text(folder_ / "scale.cu", kScale + "// changed\n"));
  EXPECT_THAT(remembered_own_times(folder_, files_), IsEmpty());
}

TEST_F(OwnTimes, AreNoMoreThanAFileOfThemIsToHold) {
  std::vector<OwnTime> many;
  for (std::uint64_t i = 0; i < kMostOwnTimes + 9; ++i)
    many.push_back({source_mark(kScale), "scale", i, 256, 0, 5, 0, "NVIDIA H200"});
  remember_own_times(many);
  EXPECT_EQ(remembered_own_times(folder_, files_).size(), kMostOwnTimes);
}

}  // namespace
}  // namespace streamscope::predict
