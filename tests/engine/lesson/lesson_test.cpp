// A lesson's folder as values, and what is wrong in one, at its place.
#include "engine/lesson/lesson.h"

#include "tests/engine/lesson/lesson_case.h"

namespace streamscope::lesson {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::map<std::string, std::string> with(const std::string& file, const std::string& old, const std::string& now) {
  auto files = small_lesson();
  std::string& text = files[file];
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  if (at != std::string::npos) text.replace(at, old.size(), now);
  return files;
}

TEST(Lesson, HasItsStepsAndWords) {
  const Folder folder(small_lesson());
  const auto lesson = read_lesson(folder.path());
  ASSERT_TRUE(lesson) << lesson.error().message;
  EXPECT_THAT(lesson->covers, ElementsAre("0.1"));
  EXPECT_EQ(lesson->runs.size(), 2u);
  EXPECT_EQ(lesson->steps.size(), 7u);
  const Words& words = words_in(*lesson, Language::ko);
  EXPECT_EQ(words.title, "A small lesson");
  const Section& read = section_of(*lesson, lesson->steps[0], Language::en);
  ASSERT_EQ(read.text.size(), 3u);
  EXPECT_EQ(plain(read.text, nullptr), "A copy of 16 MiB by A: h2d x, then … of a kernel.\n\n- one\n- two");
  const Section& guess = section_of(*lesson, lesson->steps[1], Language::en);
  EXPECT_EQ(plain(guess.options.at("same"), nullptr), "As long as before.");
  EXPECT_EQ(guess.answers.size(), 3u);
}

TEST(Lesson, ALanguageWithoutWordsHasEnglish) {
  const Folder folder(small_lesson());
  folder.write("zh.md", "# 小课\n\n说明。\n");
  const auto partly = read_lesson(folder.path());
  ASSERT_FALSE(partly);  // not half of each
  EXPECT_THAT(partly.error().message, HasSubstr("zh.md:3:1: error: the step 'read' has no words"));
}

TEST(Lesson, LinesOfChineseAreJoinedWithoutASpace) {
  auto files = small_lesson();
  for (const auto& [old, now] :
       std::map<std::string, std::string>{{"What it is about.", "第一行，\n第二行\nCUDA 流"}}) {
    std::string& text = files["en.md"];
    text.replace(text.find(old), old.size(), now);
  }
  const Folder folder(files);
  const auto lesson = read_lesson(folder.path());
  ASSERT_TRUE(lesson) << lesson.error().message;
  EXPECT_EQ(plain(words_in(*lesson, Language::en).about, nullptr), "第一行，第二行 CUDA 流");
}

TEST(ShippedLessons, HaveKeywordsInThreeLanguages) {
  const auto is_ascii = [](const std::string& word) {
    return std::ranges::all_of(word, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  };
  const std::vector<Listed> all = list_lessons(Language::en);
  EXPECT_EQ(all.size(), 24u);
  for (const Listed& each : all) {
    const auto& [en, zh, ko] = each.keywords;
    for (const std::vector<std::string>* words : {&en, &zh, &ko}) {
      EXPECT_GE(words->size(), 5u) << each.name;
      EXPECT_EQ(std::set(words->begin(), words->end()).size(), words->size()) << each.name << ": a word twice";
    }
    EXPECT_TRUE(std::ranges::all_of(en, is_ascii)) << each.name;
    for (const std::vector<std::string>* words : {&zh, &ko})
      EXPECT_FALSE(std::ranges::any_of(*words, is_ascii)) << each.name;
  }
}

struct Mistake {
  std::string file, old, now;
  std::string said;  // with its place, from the name of the file on
};
class LessonMistakes : public ::testing::TestWithParam<Mistake> {};

TEST_P(LessonMistakes, AreToldAtTheirPlace) {
  const auto& [file, old, now, said] = GetParam();
  const Folder folder(with(file, old, now));
  const auto lesson = read_lesson(folder.path());
  ASSERT_FALSE(lesson) << said;
  EXPECT_EQ(lesson.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(lesson.error().message, HasSubstr((folder.path() / said).string()));
  // Each line has its place.
  EXPECT_THAT("\n" + lesson.error().message, Not(HasSubstr("\nerror")));
}

INSTANTIATE_TEST_SUITE_P(
    , LessonMistakes,
    ::testing::Values(
        Mistake{"lesson.toml", "covers", "coverz",
                "lesson.toml:1:1: error: unknown key 'coverz'; did you mean 'covers'?"},
        Mistake{"lesson.toml", "covers = [\"0.1\"]", "covers = [", "lesson.toml:2:"},
        Mistake{"lesson.toml", "covers = [\"0.1\"]", "covers = [\"0.1\"]\nkeywords = [\"race\"]",
                "lesson.toml:2:12: error: keywords are a table: [keywords] and below it en = "},
        Mistake{"lesson.toml", "covers = [\"0.1\"]", "covers = [\"0.1\"]\nkeywords.de = [\"Rennen\"]",
                "lesson.toml:2:10: error: unknown key 'de'; here are en, zh, ko"},
        Mistake{"lesson.toml", "\"one.streams\"", "\"../one.streams\"", "lesson.toml:3:9: error: name a file of the"},
        Mistake{"lesson.toml", "\"one.streams\"", "\"nothing\"", "lesson.toml:3:9: error: the folder has no file"},
        Mistake{"lesson.toml", "kind = \"say\"", "kind = \"sing\"",
                "lesson.toml:8:9: error: kind 'sing' is none of say"},
        Mistake{"lesson.toml", "run = \"two\"\nask", "run = \"three\"\nask",
                "lesson.toml:12:8: error: 'three' is no run of this lesson; there are one, two"},
        Mistake{"lesson.toml", "0.8 * makespan(one)\" }", "0.8 * makespan(on)\" }",
                "lesson.toml:14:72: error: 'on' is no run of this lesson"},
        Mistake{"lesson.toml", "0.8 * makespan(one)\" }", "0.8\" }",
                "lesson.toml:14:41: error: a time cannot be compared by < with a plain number"},
        Mistake{"lesson.toml", "start(@kernel)\"\ntolerance", "start(@kern)\"\ntolerance",
                "lesson.toml:22:16: error: the program has no comment that ends with @kern; it has @copy, @kernel"},
        Mistake{"lesson.toml", "unit = \"us\"", "unit = \"MiB\"",
                "lesson.toml:22:10: error: the value is nothing that"},
        Mistake{"lesson.toml", "tolerance = \"20%\"", "tolerance = \"20MiB\"",
                "lesson.toml:23:14: error: the tolerance is a share such as 20%"},
        Mistake{"lesson.toml", "name = \"time\"", "name = \"guess\"",
                "lesson.toml:17:9: error: there is a step 'guess'"},
        Mistake{"lesson.toml", "items = [\"kernel\", \"copy\"]", "items = [\"kernel\"]",
                "lesson.toml:25:1: error: order needs two or more items"},
        Mistake{"lesson.toml", "solution = \"two.streams\"\n", "", "lesson.toml:44:1: error: solution is missing"},
        Mistake{"one.streams", "A: h2d x", "A: h2d y", "one.streams:4:8: error:"},
        Mistake{"en.md", "# A small lesson\n", "", "en.md:1:1: error: the title is missing"},
        Mistake{"en.md", "## read\n", "## reed\n",
                "en.md:5:4: error: lesson.toml has no step 'reed'; did you mean 'read'?"},
        Mistake{"en.md", "- same: As long\n  as before.\n", "",
                "en.md:12:1: error: '- same: …' is missing in the step 'guess'"},
        Mistake{"en.md", "### same\nNo.\n", "", "en.md:12:1: error: '### same' is missing in the step 'guess'"},
        Mistake{"en.md", "### right\nYes.\n\n## time", "## time", "en.md:12:1: error: '### right' is missing"},
        Mistake{"en.md", "### fails\n", "### falls\n", "en.md:54:5: error: the step 'sum' has no answer 'falls'"},
        Mistake{"en.md", "{makespan}", "{makespa}",
                "en.md:19:6: error: 'makespa' is nothing that can be asked of a run"},
        Mistake{"en.md", "{duration(one, @kernel)}", "{duration(@kernel)}",
                "en.md:7:7: error: this step has no run of its own"},
        Mistake{"en.md", "**16 MiB**", "**16 MiB", "en.md:6:11: error: this is never closed: ** is missing"},
        Mistake{"en.md", "## sum\nSo it is.\n", "## sum\n", "en.md:52:1: error: the step 'sum' has no text"}));

TEST(Lesson, AFolderWithoutOneSaysSo) {
  const Folder folder({});
  const auto lesson = read_lesson(folder.path());
  ASSERT_FALSE(lesson);
  EXPECT_THAT(lesson.error().message, HasSubstr("there is no lesson.toml in it"));
  EXPECT_FALSE(find_lesson("no-such-lesson"));
}

}  // namespace
}  // namespace streamscope::lesson
