// A recording comes back as it was written, and a wrong file is reported by line.
#include "engine/calibration/recorded.h"

#include <gmock/gmock.h>

namespace streamscope::calibration {
namespace {

using ::testing::HasSubstr;

Recording sample() {
  Recording recording{"measured", "NVIDIA H200", "580.1, CUDA 13.0", "2026-11-21T10:00:00Z", {}};
  recording.programs.push_back(
      {"pipeline 1", "pipeline", false, {20'000, 19'000, 21'500, 18'000, 30, 210'000}, "stream A\nA: spin 1us\n"});
  recording.programs.push_back({"with \"all\", even \\n", "odd, one", true, {1, 1, 1, 1, 1}, "# \\ \"x\", y\n\n"});
  return recording;
}

TEST(Recorded, ComesBackAsItWasWritten) {
  const Recording before = sample();
  const auto after = recording_from_csv(to_csv(before), "f.csv");
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_EQ(to_csv(*after), to_csv(before));
  EXPECT_EQ(after->device, "NVIDIA H200");
  EXPECT_EQ(after->kind, "measured");
  ASSERT_EQ(after->programs.size(), 2u);
  EXPECT_EQ(after->programs[0].wall.high, 21'500);
  EXPECT_EQ(after->programs[0].wall.pace, 210'000);
  EXPECT_EQ(after->programs[1].wall.pace, kAbsent);
  EXPECT_EQ(after->programs[1].name, "with \"all\", even \\n");
  EXPECT_EQ(after->programs[1].text, "# \\ \"x\", y\n\n");
  EXPECT_TRUE(after->programs[1].thorough);
}

TEST(Recorded, OfSeveralRoundsTheQuietestStands) {
  Recording all = sample();
  Recording round = sample();
  round.programs[0].wall = {25'000, 1, 1, 1, 30};
  round.programs[1].wall = {0, 0, 0, 0, 7};
  round.programs.push_back({"new", "of the second round", false, {5, 5, 5, 5, 5}, "A: spin 1us\n"});
  keep_quietest(all, round);
  ASSERT_EQ(all.programs.size(), 3u);
  EXPECT_EQ(all.programs[0].wall.median, 20'000);
  EXPECT_EQ(all.programs[1].wall.samples, 7);
  EXPECT_EQ(all.programs[2].name, "new");
}

TEST(Recorded, APaceIsTheMedianOfThoseTimedBesideIt) {
  Recording round;
  for (int i = 0; i < 40; ++i) {
    const Nanoseconds pace = i < 20 ? 200'000 : 300'000;  // the host became slower halfway
    round.programs.push_back({std::to_string(i), "", false, {1, 1, 1, 1, 1, pace}, ""});
  }
  round.programs[3].wall.pace = 900'000;  // something else ran just then
  round.programs[7].wall.pace = kAbsent;
  Recording all;
  keep_quietest(all, round);
  EXPECT_EQ(all.programs[3].wall.pace, 200'000);
  EXPECT_EQ(all.programs[7].wall.pace, kAbsent);
  EXPECT_EQ(all.programs[0].wall.pace, 200'000);
  EXPECT_EQ(all.programs[16].wall.pace, 200'000);
  EXPECT_EQ(all.programs[23].wall.pace, 300'000);
  EXPECT_EQ(all.programs[39].wall.pace, 300'000);
}

TEST(Recorded, TheMiddlePaceIsThatOfTheProgramsThatHaveOne) {
  std::vector<RecordedProgram> programs = sample().programs;
  EXPECT_EQ(middle_pace(programs), 210'000);
  programs.push_back({"slow", "", false, {1, 1, 1, 1, 1, 400'000}, ""});
  programs.push_back({"fast", "", false, {1, 1, 1, 1, 1, 100'000}, ""});
  EXPECT_EQ(middle_pace(programs), 210'000);
  programs.erase(programs.begin());
  EXPECT_EQ(middle_pace(std::span(programs).first(1)), kAbsent);
}

TEST(Recorded, LinesEndAsAnywhere) {
  std::string csv = to_csv(sample());
  for (std::size_t at = 0; (at = csv.find('\n', at)) != std::string::npos; at += 2) csv.insert(at, "\r");
  const auto after = recording_from_csv(csv, "f.csv");
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_EQ(to_csv(*after), to_csv(sample()));
}

TEST(Recorded, AWrongFileIsToldByLine) {
  const std::string good = to_csv(sample());
  const auto error_in = [](const std::string& csv) {
    const auto read = recording_from_csv(csv, "f.csv");
    return read ? std::string("no error") : read.error().message;
  };
  EXPECT_THAT(error_in(""), HasSubstr("has none"));
  EXPECT_THAT(error_in("name,time\n"), HasSubstr("f.csv:1: expected the header"));
  EXPECT_THAT(error_in(good + "\"a\",\"b\",0,1,1,1,1,1,\n"), HasSubstr("f.csv:8: expected 10 fields, found 9"));
  EXPECT_THAT(error_in(good + "\"a\",\"b\",0,1.5,1,1,1,1,,\"\"\n"), HasSubstr("f.csv:8: expected whole numbers"));
  EXPECT_THAT(error_in(good + "\"a\",\"b\",0,0,1,1,1,1,,\"\"\n"), HasSubstr("more than 0"));
  EXPECT_THAT(error_in(good + "\"a\",\"b\",0,1,1,1,1,1,x,\"\"\n"), HasSubstr("f.csv:8: expected whole numbers"));
  EXPECT_THAT(error_in(good + "\"a\",\"b\",0,1,1,1,1,1,0,\"\"\n"), HasSubstr("more than 0"));
  EXPECT_THAT(error_in(good + "\"a,0\n"), HasSubstr("quotation"));
  // However it is cut off, it is read or refused.
  for (std::size_t length = 0; length < good.size(); ++length) error_in(good.substr(0, length));
}

}  // namespace
}  // namespace streamscope::calibration
