// What the axes of a sweep are, and what is said of values that cannot be.
#include "engine/sweep/axes.h"

#include <gmock/gmock.h>

#include "engine/sweep/combinations.h"

namespace streamscope::sweep {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string error_of(const std::vector<std::string>& texts) {
  const auto axes = parse_axes(texts);
  return axes ? "" : axes.error().message;
}

experiment::InputText experiment_text(const std::string& text) { return {"e.toml", "e.toml", text}; }

Result<Combinations> combined(const std::vector<std::string>& axes, const std::vector<std::string>& settings = {},
                              const std::string& text = "chunks = 2\n") {
  const auto parsed = parse_axes(axes);
  if (!parsed) return fail(parsed.error());
  return combine(experiment_text(text), settings, *parsed);
}

std::string wrong_with(const std::vector<std::string>& axes, const std::vector<std::string>& settings = {},
                       const std::string& text = "chunks = 2\n") {
  const auto all = combined(axes, settings, text);
  return all ? "" : all.error().message;
}

TEST(Combinations, SayHowFarTheyAre) {
  const auto axes = parse_axes({"streams=[1,2]", "chunks=[2,4,8]"});
  std::vector<std::size_t> done;
  ASSERT_TRUE(combine(experiment_text(""), {}, *axes, [&](std::size_t at, std::size_t all) {
    done.push_back(at);
    EXPECT_EQ(all, 6u);
  }));
  EXPECT_THAT(done, ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(Axes, AreAKeyAndItsValues) {
  const auto axes = parse_axes({"streams=[1, 2,4]", "kernel.copy = cp.async,\"bulk\"", "chunk=4MiB"});
  ASSERT_TRUE(axes) << axes.error().message;
  EXPECT_THAT(*axes, ElementsAre(Axis{"streams", {"1", "2", "4"}}, Axis{"kernel.copy", {"cp.async", "bulk"}},
                                 Axis{"chunk", {"4MiB"}}));
}

TEST(Axes, TellEverythingWrongAtOnce) {
  const std::string all = error_of({"streams", "=1", "streams=", "streams=[1,2", "chunk=1MiB,,2MiB"});
  for (const char* what :
       {"5 axes are too many", "--axis streams: error:", "--axis =1: error:", "--axis streams=: error:",
        "--axis streams=[1,2: error: a bracket is missing", "--axis chunk=1MiB,,2MiB: error: a value"}) {
    EXPECT_THAT(all, HasSubstr(what));
  }
  EXPECT_THAT(error_of({"streams=1,1"}), HasSubstr("the value 1 stands there twice"));
  EXPECT_THAT(error_of({"chunk=1MiB", "chunks=4"}), HasSubstr("an axis of chunk already"));
  EXPECT_THAT(error_of({"program=x"}), HasSubstr("no key to sweep"));
  EXPECT_THAT(error_of({}), HasSubstr("name 1 to 3 keys"));
}

TEST(Axes, HaveSoManyCombinationsAtMost) {
  std::string values = "1";
  for (int i = 2; i <= 65; ++i) values += "," + std::to_string(i);
  EXPECT_THAT(error_of({"streams=" + values, "kernel.fma=" + values}), HasSubstr("4225 combinations, and 4096"));
}

TEST(Axes, TheLastTurnsFastest) {
  const std::vector<Axis> axes{{"a", {"1", "2"}}, {"b", {"x", "y", "z"}}};
  ASSERT_EQ(count_of(axes), 6u);
  EXPECT_THAT(settings_of(axes, 0), ElementsAre("a=1", "b=x"));
  EXPECT_THAT(settings_of(axes, 1), ElementsAre("a=1", "b=y"));
  EXPECT_THAT(settings_of(axes, 5), ElementsAre("a=2", "b=z"));
  EXPECT_THAT(places_of(axes, 4), ElementsAre(1, 1));
}

TEST(Combine, TellsWhatIsWrongWithEachValueByItsPlace) {
  const std::string all = wrong_with({"kernel.stages=[0,1,9]", "kernel.copy=[sync,x]", "strems=[1,2]"}, {"bytes=0"});
  for (const char* line :
       {"--axis kernel.stages=0: error: kernel.stages is 0",
        "--axis kernel.stages=9: error:", "--axis kernel.copy=x: error: kernel.copy is \"x\"",
        "--axis strems: error: unknown key 'strems'; did you mean 'streams'?", "--set bytes: error: bytes is 0"}) {
    EXPECT_THAT(all, HasSubstr(line));
  }
  EXPECT_THAT(all, AllOf(Not(HasSubstr("stages=1:")), Not(HasSubstr("copy=sync"))));
}

TEST(Combine, ValuesThatDoNotFitTogetherAreNoError) {
  const auto all = combined({"kernel.stages=[3,4]", "kernel.tile=[16KiB,64KiB]"}, {"kernel.name=tiles"});
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_THAT(all->all[0].why_not, IsEmpty());
  EXPECT_THAT(all->all[2].why_not, IsEmpty());
  EXPECT_THAT(all->all[3].why_not, AllOf(HasSubstr("4 stages of 64KiB"), Not(HasSubstr("error:"))));
  const auto alone = combined({"kernel.stages=[3,4]"}, {"kernel.name=tiles", "kernel.tile=64KiB"});
  ASSERT_TRUE(alone) << "4 is right by itself: " << alone.error().message;
  EXPECT_THAT(alone->all[1].why_not, HasSubstr("4 stages of 64KiB"));
}

TEST(Combine, WhereNothingCanBeItSaysWhy) {
  EXPECT_THAT(wrong_with({"kernel.stages=[4,5]"}, {"kernel.name=tiles", "kernel.tile=64KiB"}),
              AllOf(HasSubstr("No combination can be"), HasSubstr("kernel.stages=5: error: 5 stages")));
  EXPECT_THAT(wrong_with({"streams=[1,2]"}, {}, "program = \"stream A\\nA: spin 10us\\n\"\n"),
              HasSubstr("stream program of its own"));
}

TEST(Combine, AKeyThatDoesNothingMakesTheSameProgram) {
  const auto all = combined({"kernel.stages=[1,2,3]", "kernel.copy=[sync,bulk]"}, {"kernel.name=tiles"});
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_FALSE(all->all[0].same_as || all->all[1].same_as || all->all[3].same_as);
  EXPECT_EQ(all->all[2].same_as, 0u);
  EXPECT_EQ(all->all[4].same_as, 0u);
  EXPECT_THAT(trace::texts(all->notes),
              ElementsAre(AllOf(HasSubstr("In some combinations kernel.stages does nothing: "),
                                HasSubstr("copy=sync has one stage"))));
  EXPECT_EQ(all->notes[0].kind, trace::NoteKind::warning);
  EXPECT_TRUE(all->all[0].has_tiles);
}

TEST(Combine, AKeyIsSetOrSwept) {
  EXPECT_THAT(wrong_with({"chunk=1MiB"}, {"chunks=4"}), HasSubstr("--set chunks=4: error: there is an axis of chunk"));
}

TEST(Combine, AProgramHasNoKeys) {
  const auto axes = parse_axes({"streams=1,2"});
  const auto all = combine({"p.streams", "p.streams", "stream A\nA: spin 10us\n"}, {}, *axes);
  ASSERT_FALSE(all);
  EXPECT_THAT(all.error().message, HasSubstr("p.streams is a stream program; only an experiment (.toml) has keys"));
}

}  // namespace
}  // namespace streamscope::sweep
