// Which point is next, and what a sweep says of those that were run and those that were not.
#include "engine/sweep/points.h"

#include <gmock/gmock.h>

#include <utility>

namespace streamscope::sweep {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

// Of four combinations the second cannot be, and the fourth is the first's program.
Combinations combinations() {
  Combinations of;
  of.all.resize(4);
  of.all[1].why_not = "too large";
  of.all[3].same_as = 0;
  return of;
}
Sweep sweep() {
  Sweep of;
  of.axes = {{"streams", {"1", "2", "3", "4"}}};
  return of;
}

SweepResult result(std::string engine, std::string device) {
  SweepResult of;
  of.runs = 1;
  of.engine = std::move(engine);
  of.provenance.device = std::move(device);
  of.notes = {{trace::NoteKind::model, "It is a model."}};
  return of;
}

TEST(Points, AreThoseThatCanBeAndRepeatNoOther) {
  const Combinations all = combinations();
  Sweep of = sweep();
  Points points(all, of);
  EXPECT_EQ(points.left(), 2u);
  EXPECT_EQ(points.take(), 0u);
  EXPECT_EQ(points.take(), 2u);
  EXPECT_EQ(points.take(), std::nullopt);
  EXPECT_EQ(points.left(), 2u) << "taken ones are not done";
  points.keep(2, result("", "A"));
  points.keep(0, result("", "A"));
  EXPECT_EQ(points.left(), 0u);
  points.finish({});
  ASSERT_THAT(of.points, SizeIs(4));
  EXPECT_TRUE(of.points[0].result && of.points[2].result && of.points[3].result);
  EXPECT_EQ(of.points[3].same_as, 0u);
  EXPECT_EQ(of.points[1].why_not, "too large");
  EXPECT_EQ(of.provenance.device, "A");
  EXPECT_THAT(of.notes, SizeIs(1)) << "the note of both, once; and nothing of devices";
}

TEST(Points, GivenBackComeLast) {
  const Combinations all = combinations();
  Sweep of = sweep();
  Points points(all, of);
  EXPECT_EQ(points.take(), 0u);
  points.give_back(0);
  EXPECT_EQ(points.take(), 2u);
  EXPECT_EQ(points.take(), 0u);
  EXPECT_EQ(points.left(), 2u);
}

TEST(Points, NotRunSayWhy) {
  const Combinations all = combinations();
  Sweep of = sweep();
  Points points(all, of);
  points.keep(*points.take(), fail(ErrorKind::device_failed, "a.toml:1: error: It broke."));
  points.finish(Error{ErrorKind::device_failed, "It broke."});
  EXPECT_EQ(of.points[0].why_not, "It broke.");
  EXPECT_EQ(of.points[2].why_not, "not run: It broke.");
  EXPECT_EQ(of.points[3].why_not, "It broke.");
  EXPECT_EQ(of.points[3].same_as, 0u);
}

TEST(Points, OfSeveralEnginesSayWhoseTheyAre) {
  const Combinations all = combinations();
  Sweep of = sweep();
  Points points(all, of);
  points.keep(2, result("ssh a", "NVIDIA H200"));
  points.keep(0, result("ssh b", "NVIDIA L4"));
  points.finish({});
  EXPECT_THAT(engines_of(of), ElementsAre("ssh b", "ssh a"));
  ASSERT_THAT(of.notes, SizeIs(2));
  EXPECT_THAT(of.notes[0].text, AllOf(HasSubstr("do not compare"), HasSubstr("MODEL NVIDIA H200, MODEL NVIDIA L4")));
  const std::vector<std::string> remarks = sweep_remarks(of);
  EXPECT_THAT(remarks, ::testing::Contains("Engine ssh b: 1 of 4 points, on NVIDIA L4."));
  EXPECT_THAT(remarks, ::testing::Contains("Engine ssh a: 1 of 4 points, on NVIDIA H200."));
}

}  // namespace
}  // namespace streamscope::sweep
