// What the editor makes of a word that has only begun.
#include "app/window/panels/completion.h"

#include <gmock/gmock.h>

namespace streamscope::window {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST(CompletionOfAWord, HasNamesOfTheProgramBeforeWordsOfTheLanguage) {
  const std::string program = "buffer hostile 1MiB\nstream S\nho";
  const Completion found = complete(program, program.size());
  EXPECT_EQ(found.begin, program.size() - 2);
  ASSERT_FALSE(found.words.empty());
  EXPECT_EQ(found.words.front(), "hostile");
  EXPECT_THAT(found.words, Contains("host"));
  EXPECT_THAT(found.words, Each(StartsWith("ho")));
}

TEST(CompletionOfAWord, IsOfWhatStandsBeforeTheCursor) {
  const std::string program = "buffer x 1MiB\nA: h2d x";
  EXPECT_THAT(complete(program, 3).words, ElementsAre("buffer", "buffers"));
  EXPECT_THAT(complete("A: h2", 5).words, ElementsAre("h2d"));
  EXPECT_THAT(complete("zzz", 3).words, IsEmpty());
  EXPECT_THAT(complete("# remarkable\nrema", 17).words, Not(Contains("remarkable"))) << "a comment has no names";
  EXPECT_FALSE(complete("", 99).words.empty()) << "what may stand there";
}

TEST(CompletionOfAWord, IsExplained) {
  EXPECT_NE(sentence_of("h2d"), "");
  EXPECT_EQ(sentence_of("zzz"), "");
}

}  // namespace
}  // namespace streamscope::window
