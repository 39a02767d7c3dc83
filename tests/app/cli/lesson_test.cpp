// `streamscope lesson`: text, a sheet of answers, grades, paper, and what is said of a lesson that is wrong.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "app/cli/cli.h"
#include "app/cli/lesson_handout.h"
#include "engine/base/files.h"
#include "engine/base/wide_letters.h"
#include "tests/app/cli/command_line.h"

namespace streamscope::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kLesson = STREAMSCOPE_SOURCE "/tests/support/small_lesson";

class LessonCommandLine : public CommandLine {
 protected:
  static ChildResult lesson(std::vector<std::string> more) {
    more.insert(more.begin(), {"lesson", kLesson});
    return streamscope_child(more);
  }
  std::string sheet() {
    const std::string file = write("sheet.json", "");
    EXPECT_EQ(lesson({"--sheet", file, "--device", "model:h200"}).code, 0);
    return *read_text(file);
  }
  // Of the lesson, with one of its files changed.
  std::string a_copy_with(const std::string& file, const std::string& old, const std::string& now) const {
    std::filesystem::copy(kLesson, path("copy"));
    write("copy/" + file, with(*read_text(path("copy/" + file)), old, now));
    return path("copy");
  }
  static std::string with(std::string text, const std::string& old, const std::string& now) {
    const std::size_t at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    return at == std::string::npos ? text : text.replace(at, old.size(), now);
  }
};

TEST_F(LessonCommandLine, AsTextHasTheFiguresOfItsRuns) {
  const ChildResult result = lesson({"--text", "--device", "model:h200"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(StartsWith("A small lesson\n"), HasSubstr("300.3 us of a kernel"),
                                HasSubstr("- shorter: Shorter."), HasSubstr("A: spin 300us"), Not(HasSubstr("…"))));
}

// Of Chinese the lines end between letters, and take two columns for each.
TEST_F(LessonCommandLine, AsTextHasLinesThatFitInEachLanguage) {
  for (const char* language : {"en", "zh", "ko"}) {
    const ChildResult result =
        streamscope_child({"lesson", "08", "--text", "--device", "model:h200", "--language", language});
    ASSERT_EQ(result.code, 0) << result.err;
    std::istringstream lines(result.out);
    std::size_t longest = 0;
    for (std::string line; std::getline(lines, line);) {
      EXPECT_NE(line, "-") << "a bullet alone, in " << language;
      if (line.starts_with("    ")) continue;  // a program
      EXPECT_LE(columns(line), 100u) << line;
      longest = std::max(longest, columns(line));
    }
    EXPECT_GT(longest, 90u) << language;
  }
}

TEST_F(LessonCommandLine, SaysWhereItRunsForWantOfAGpu) {
  const std::string two = a_copy_with("lesson.toml", "covers = ", "needs = [\"gpus=2\"]\ncovers = ");
  const ChildResult result = streamscope_child({"lesson", two, "--text", "--device", "model:h100"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("on model:h100x2, MODEL\n"),
                                HasSubstr("the lesson needs 2 GPUs, and there is only 1 here (model:h100)")));
}

TEST_F(LessonCommandLine, SaysWhereWhatItWritesWasRun) {
  const std::string two = a_copy_with("lesson.toml", "covers = ", "needs = [\"gpus=2\"]\ncovers = ");
  const auto why = HasSubstr("there is only 1 here (model:h100); it runs on model:h100x2\n");
  const std::string sheet = write("sheet.json", ""), paper = write("paper.pdf", "");
  EXPECT_THAT(streamscope_child({"lesson", two, "--sheet", sheet, "--device", "model:h100"}).err, why);
  EXPECT_THAT(*read_text(sheet), HasSubstr("\"device\": \"model:h100x2\""));
  EXPECT_THAT(streamscope_child({"lesson", two, "--handout", paper, "--device", "model:h100"}).err, why);
  EXPECT_THAT(streamscope_child({"lesson", two, "--sheet", sheet, "--device", "model:h100x2"}).err,
              Not(HasSubstr("it runs on")));
  lesson::Lesson empty;
  empty.words.front().emplace().title = "Two";
  const auto parts = handout_parts(empty, {}, lesson::Language::en, "Two on model:h100x2, MODEL");
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[1].text, "Two on model:h100x2, MODEL");
}

TEST_F(LessonCommandLine, NamesCausesAsTheVerdictDoes) {
  const std::string why = a_copy_with("en.md", "## read\n", "## read\nIt is {cause(one)}.\n");
  const ChildResult result = streamscope_child({"lesson", why, "--text", "--device", "model:h200"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("It is “Large chunks”."));
}

TEST_F(LessonCommandLine, WithoutADisplayItIsText) {
  EXPECT_THAT(lesson({"--device", "model:h200"}).out, StartsWith("A small lesson\n"));
}

TEST_F(LessonCommandLine, ASheetIsFilledInAndGraded) {
  const std::string blank = sheet();
  const std::string right = write("right.json", with(blank, "\"choice\": null", "\"choice\": \"shorter\""));
  const std::string wrong = write("wrong.json", with(blank, "\"choice\": null", "\"choice\": \"same\""));
  const std::string table = write("grades.csv", "");
  const ChildResult result = lesson({"--check", right, wrong, "--csv", table});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("guess: shorter, right"), HasSubstr("guess: same, wrong; right is shorter"),
                                HasSubstr("1 of 5 right"), HasSubstr("0 of 5 right")));
  EXPECT_THAT(*read_text(table), AllOf(StartsWith("file,lesson,step,kind,answer,mark,right\n"),
                                       HasSubstr("wrong.json,small_lesson,guess,predict,same,wrong,shorter\n"),
                                       HasSubstr("right.json,small_lesson,repair,change,skipped,skipped,\n")));
}

// As a shell writes *.json, options behind it too.
TEST_F(LessonCommandLine, AClassIsGraded) {
  const std::string blank = sheet(), table = write("grades.csv", "");
  Arguments more{"--check"};
  for (const char* each : {"ana.json", "ben.json", "cem.json", "dee.json"}) more.push_back(write(each, blank));
  more.insert(more.end(), {"--csv", table});
  const ChildResult result = lesson(more);
  EXPECT_EQ(result.code, 0) << result.err;
  for (const char* each : {"ana.json", "ben.json", "cem.json", "dee.json"})
    EXPECT_THAT(*read_text(table), HasSubstr(fmt::format("{},small_lesson,guess,predict,skipped", each)));
}

TEST_F(LessonCommandLine, AChangedProgramIsRunAgainWhereThatIsAskedFor) {
  const std::string file =
      write("changed.json", with(sheet(), "\\nA: spin 300us  # @kernel\\nhost: sync device\\n\", \"run\"",
                                 "\\nB: spin 300us  # @kernel\\nhost: sync device\\n\", \"run\""));
  EXPECT_THAT(lesson({"--check", file}).out, HasSubstr("repair: changed, not run, wrong; --rerun runs it"));
  EXPECT_THAT(lesson({"--check", file, "--rerun"}).out, HasSubstr("repair: changed, right"));
}

TEST_F(LessonCommandLine, OneBrokenFileDoesNotKeepTheOthersFromBeingGraded) {
  const std::string good = write("good.json", sheet()), bad = write("bad.json", "{\"schema\": 1}");
  const ChildResult result = lesson({"--check", bad, good});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("bad.json:1:1: error: "));
  EXPECT_THAT(result.out, HasSubstr("0 of 5 right"));
}

TEST_F(LessonCommandLine, WhoseFileIsWrongIsToldAtTheEnd) {
  const std::string blank = sheet();
  const std::string ana = write("ana.json", blank);
  const std::string ben = write("ben.json", with(blank, "\"choice\": null", "\"choice\": \"sane\""));
  const std::string cem = write("cem.json", with(blank, "\\nA: spin 300us  # @kernel\\nhost: sync device\\n\", \"run\"",
                                                 "\\nA: spun 300us  # @kernel\\nhost: sync device\\n\", \"run\""));
  const std::string dee = write("dee.json", blank);
  ChildResult result = lesson({"--check", ana, ben, dee});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.out, AllOf(HasSubstr("ana.json\n"), HasSubstr("dee.json\n"), Not(HasSubstr("ben.json"))));
  EXPECT_THAT(result.err, HasSubstr("ben.json:6:3: error: the step 'guess' has no choice 'sane'"));
  result = lesson({"--check", cem, dee, "--rerun"});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.out, HasSubstr("dee.json\n"));
  EXPECT_THAT(result.err, HasSubstr("cem.json: repair:"));
}

TEST_F(LessonCommandLine, IsPrinted) {
  const std::string file = write("paper.pdf", "");
  EXPECT_EQ(lesson({"--handout", file, "--device", "model:h200"}).code, 0);
  EXPECT_THAT(*read_text(file), StartsWith("%PDF"));
}

TEST_F(LessonCommandLine, OfAStepOfCodeTheLitLinesArePrinted) {
  const std::string copy = a_copy_with("lesson.toml", "[[steps]]\nname = \"guess\"",
                                       "[[steps]]\nname = \"cuda\"\nkind = \"code\"\nrun = \"one\"\n"
                                       "lines = [\"@kernel\"]\n[[steps]]\nname = \"guess\"");
  write("copy/en.md", with(*read_text(path("copy/en.md")), "## guess", "## cuda\nThe calls.\n\n## guess"));
  const auto call = HasSubstr("spin<<<"), copies = HasSubstr("cudaMemcpyAsync");
  const ChildResult result = streamscope_child({"lesson", copy, "--text", "--device", "model:h200"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(call, Not(copies)));
  auto lesson = lesson::read_lesson(copy);
  ASSERT_TRUE(lesson) << lesson.error().message;
  std::erase_if(lesson->steps, [](const lesson::Step& each) { return each.name != "cuda"; });
  std::string printed;
  for (const draw::HandoutPart& each : handout_parts(*lesson, {}, lesson::Language::en, "")) printed += each.text;
  EXPECT_THAT(printed, AllOf(HasSubstr("The calls."), call, Not(copies)));
}

TEST_F(LessonCommandLine, IsTriedByWhoWritesIt) {
  const ChildResult result = lesson({"--test", "--device", "model:h200"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("guess: right is shorter"), HasSubstr("holds")));
}

TEST_F(LessonCommandLine, SaysWhatIsWrong) {
  EXPECT_THAT(streamscope_child({"lesson", "no-such"}).err, HasSubstr("no-such: error: no such lesson and no folder"));
  EXPECT_THAT(lesson({"--language", "fr"}).err, HasSubstr("--language fr: error: write one of en"));
  EXPECT_THAT(lesson({"--rerun"}).err, HasSubstr("--check: error: name the files"));
  const std::string file = write("lesson.toml", "covers = 1\n");
  const ChildResult result =
      streamscope_child({"lesson", std::filesystem::path(file).parent_path().string(), "--text"});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("lesson.toml:1:10: error: covers must be a list of texts"));
}

TEST_F(LessonCommandLine, AllAreListed) {
  const ChildResult result = streamscope_child({"lessons", "--json", "-"});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out, HasSubstr("\"lessons\": ["));
}

TEST(LessonInOwnWords, KindsOfStepsAndTitlesOfRunsAreInTheLanguage) {
  const std::string lesson = STREAMSCOPE_SOURCE "/assets/lessons/05-four-streams";
  for (const auto& [language, kind, title] : {std::tuple{"zh", "1. one (讲解)", "十六个数据块，经过四个流"},
                                              {"ko", "1. one (설명)", "스트림 넷을 지나는 청크 열여섯"},
                                              {"en", "1. one (say)", "Sixteen chunks through four streams"}}) {
    const ChildResult text =
        streamscope_child({"--language", language, "lesson", lesson, "--text", "--device", "model:h200"});
    EXPECT_THAT(text.out, HasSubstr(kind));
    const ChildResult picture = streamscope_child(
        {"--language", language, "run", lesson + "/four.streams", "--svg", "-", "--device", "model:h200"});
    EXPECT_THAT(picture.out, HasSubstr(title));
  }
}

TEST(LessonInTheWindow, IsOpenedOnTheDeviceThatWasAskedFor) {
  const auto opened_on = [](const std::string& device) {
    std::optional<std::string> on;
    std::vector<std::string> arguments{"streamscope", "lesson", kLesson};
    if (!device.empty()) arguments.insert(arguments.end(), {"--device", device});
    std::vector<char*> argv;
    for (std::string& each : arguments) argv.push_back(each.data());
    const OpenLesson open = [&](const std::filesystem::path&, lesson::Language, const std::string& asked) {
      on = asked;
      return Result<void>();
    };
    ::testing::internal::CaptureStderr();
    command_line(static_cast<int>(argv.size()), argv.data(), {.window = {}, .lesson = open, .language = {}});
    (void)::testing::internal::GetCapturedStderr();
    return on;
  };
  EXPECT_EQ(opened_on("model:one-copy-engine"), "model:one-copy-engine");
  EXPECT_EQ(opened_on(""), "");
  EXPECT_EQ(opened_on("no-such-device"), std::nullopt) << "it is said at once";
}

}  // namespace
}  // namespace streamscope::cli
