// What comes with the program is found by title, sentence and words of three languages.
#include "engine/experiment/shipped.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <set>

#include "engine/base/files.h"
#include "engine/base/translate.h"
#include "engine/experiment/experiment_file.h"

namespace streamscope::experiment {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Letters beyond ASCII; a letter of UTF-8 has one byte that does not continue another.
std::size_t letters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}
bool is_ascii(std::string_view text) { return letters(text) == text.size(); }

TEST(ShippedFiles, HaveTitleSentenceAndKeywordsInThreeLanguages) {
  std::set<std::string> names, titles;
  for (const Shipped& each : shipped()) {
    ASSERT_TRUE(describe(each.path).has_value()) << describe(each.path).error().message;
    EXPECT_TRUE(names.insert(each.name).second) << each.path << ": a name of two files";
    EXPECT_NE(each.title, each.name) << each.path << ": no title";
    EXPECT_TRUE(titles.insert(each.title).second) << each.path << ": a title of two files";
    EXPECT_LE(letters(each.title), 40u) << each.title;
    EXPECT_FALSE(each.sentence.empty()) << each.path << ": nothing says what it shows";
    EXPECT_LE(letters(each.sentence), 120u) << each.sentence;
    EXPECT_GE(letters(each.sentence), 40u) << each.sentence;
    const auto& [en, zh, ko] = each.keywords;
    for (const std::vector<std::string>* words : {&en, &zh, &ko}) {
      EXPECT_GE(words->size(), 4u) << each.path;
      EXPECT_EQ(std::set(words->begin(), words->end()).size(), words->size()) << each.path << ": a word twice";
    }
    EXPECT_TRUE(std::all_of(en.begin(), en.end(), is_ascii)) << each.path;
    for (const std::vector<std::string>* words : {&zh, &ko})
      EXPECT_FALSE(std::all_of(words->begin(), words->end(), is_ascii)) << each.path;
  }
  EXPECT_GE(names.size(), 19u);
}

// What people are known to look for leads somewhere.
TEST(ShippedFiles, AreFoundByTheWordsOfTheField) {
  std::set<std::string> known;
  for (const Shipped& each : shipped())
    for (const std::vector<std::string>* words : {&each.keywords.en, &each.keywords.zh, &each.keywords.ko})
      known.insert(words->begin(), words->end());
  for (const char* word : {"pinned",
                           "固定内存",
                           "페이지 고정",
                           "pageable",
                           "callback",
                           "回调",
                           "콜백",
                           "legacy default stream",
                           "默认流",
                           "기본 스트림",
                           "capture",
                           "graph",
                           "cp.async",
                           "double buffer",
                           "双缓冲",
                           "더블 버퍼",
                           "priority",
                           "优先级",
                           "우선순위",
                           "event",
                           "overlap",
                           "does not overlap",
                           "managed memory",
                           "unified memory",
                           "race",
                           "FlashAttention",
                           "threads",
                           "stream-ordered allocation",
                           "barrier",
                           "pipeline",
                           "cudaMemcpyAsync",
                           "nsys"})
    EXPECT_TRUE(known.contains(word)) << word;
}

TEST(Heads, OfAProgramAreItsFirstComments) {
  const Head head = head_of(
      "# Title: A title\n# One sentence with cp.async. And\n# another.\n#\n# A paragraph.\n#\n# Keywords: a b, c\n"
      "# Keywords: d\n# 关键词：重叠，流、事件\r\n# 키워드: 겹침\nstream A\n# Title: not this\n# nor this\n# Keywords: "
      "e\n");
  EXPECT_EQ(head.title, "A title");
  EXPECT_EQ(head.about, "One sentence with cp.async. And another.\n\nA paragraph.");
  EXPECT_EQ(first_sentence(head.about), "One sentence with cp.async.");
  EXPECT_THAT(head.keywords.en, ElementsAre("a b", "c", "d", "e"));
  EXPECT_THAT(head.keywords.zh, ElementsAre("重叠", "流", "事件"));
  EXPECT_THAT(head.keywords.ko, ElementsAre("겹침"));
  const Head none = head_of("\n# below an empty line\n");
  EXPECT_TRUE(none.title.empty() && none.about.empty());
  EXPECT_EQ(head_of("# no end").about, "no end");
  EXPECT_EQ(first_sentence("no full stop"), "");
}

class OwnLanguage : public ::testing::Test {
 protected:
  void TearDown() override { translate_by(nullptr); }
};

TEST_F(OwnLanguage, NoSpaceFollowsAFullStopThatBringsItsOwn) {
  const std::string about = "It waits. It costs.";
  EXPECT_EQ(in_own_language(about), about);
  translate_by([](const char* text, const char*, unsigned long) {
    return std::strcmp(text, "It waits.") == 0 ? "它等待。" : std::strcmp(text, "It costs.") == 0 ? "代价。" : text;
  });
  EXPECT_EQ(in_own_language(about), "它等待。代价。");
  EXPECT_EQ(in_own_language("It waits.\n\nIt costs."), "它等待。\n\n代价。");
}

TEST(Describe, NamesAFileThatSaysNothingOfItselfByItsName) {
  std::string name = ::testing::TempDir() + "shipped-XXXXXX";
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  const std::filesystem::path folder = name;
  std::ofstream(folder / "silent.streams") << "stream A\nA: spin 1us\n";
  std::ofstream(folder / "wrong.toml") << "strems = 4\n";
  const auto silent = describe(folder / "silent.streams");
  ASSERT_TRUE(silent.has_value());
  EXPECT_EQ(silent->title, "silent");
  EXPECT_EQ(silent->sentence, "");
  EXPECT_FALSE(describe(folder / "wrong.toml").has_value());
  EXPECT_FALSE(describe(folder / "none.toml").has_value());
  std::filesystem::remove_all(folder);
}

TEST(Keywords, AreReadAndWrittenButNotKeptByARun) {
  const char* const text = "[keywords]\nen = [\"pinned\", \"a \\\"b\\\"\"]\nzh = [\"固定内存\"]\n";
  const auto file = parse_experiment(text, "k.toml");
  ASSERT_TRUE(file.has_value()) << file.error().message;
  const Keywords& words = file->experiment.keywords;
  EXPECT_THAT(words.en, ElementsAre("pinned", "a \"b\""));
  EXPECT_THAT(words.zh, ElementsAre("固定内存"));
  EXPECT_THAT(words.ko, IsEmpty());
  EXPECT_THAT(to_toml(file->experiment), HasSubstr("keywords.zh = [\"固定内存\"]\n"));
  EXPECT_EQ(toml_for_run(file->experiment), to_toml(Experiment{}));
  const auto set = parse_experiment("", "k.toml", {{"keywords.en", "[\"overlap\"]"}});
  ASSERT_TRUE(set.has_value()) << set.error().message;
  EXPECT_THAT(set->experiment.keywords.en, ElementsAre("overlap"));
}

TEST(Keywords, AreRefusedWhereTheyAreNoTexts) {
  const auto error = [](const char* text) {
    const auto file = parse_experiment(text, "k.toml");
    return file ? std::string() : file.error().message;
  };
  EXPECT_EQ(
      error("keywords.en = \"pinned\""),
      "k.toml:1:15: error: keywords.en is \"pinned\"; write an array of texts, such as [\"pinned\", \"overlap\"]");
  EXPECT_THAT(error("keywords.ko = [1, 2]"), HasSubstr("keywords.ko is an array; write an array of texts"));
  EXPECT_THAT(error("keywords.zh = [\"a\", \" \"]"), HasSubstr("keywords.zh has a blank text"));
  EXPECT_THAT(error("keywords = [\"a\"]"), HasSubstr("write [keywords] and below it en = "));
  EXPECT_THAT(error("[keywords]\nde = [\"a\"]"), HasSubstr("unknown key 'keywords.de'"));
  EXPECT_THAT(error("streams = [\"4\"]"), HasSubstr("streams is an array; write a whole number"));
}

}  // namespace
}  // namespace streamscope::experiment
