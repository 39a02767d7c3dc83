// Keys, the list of keys and the palette read one table.
#include "app/window/panels/palette_choices.h"

#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "app/window/effects/files.h"
#include "app/window/panels/timeline_panel.h"
#include "app/window/state/update.h"
#include "tests/support/command_as.h"
#include "tests/support/source_words.h"
#include "tests/support/timeline_run.h"

namespace streamscope::window {
namespace {

TEST(Actions, NoKeyMeansTwoThings) {
  std::set<std::tuple<char32_t, int, bool, bool>> seen;
  for (const Action& action : actions())
    for (const Chord& chord : action.chords) {
      EXPECT_TRUE(chord.character != 0 || chord.key != 0) << action.title;
      EXPECT_TRUE(seen.insert({chord.character, chord.key, chord.control, chord.shift}).second) << action.title;
    }
}

TEST(Actions, EveryKeyOfTheSpecificationIsThere) {
  const auto has = [](char32_t character, int key) {
    for (const Action& action : actions())
      for (const Chord& chord : action.chords)
        if ((character != 0 && chord.character == character) || (key != 0 && chord.key == key && !chord.control))
          return true;
    return false;
  };
  for (const char32_t letter : std::u32string_view(U"wsadf.,[]m/?le"))
    EXPECT_TRUE(has(letter, 0)) << static_cast<int>(letter);
  for (const int key :
       {GLFW_KEY_HOME, GLFW_KEY_LEFT, GLFW_KEY_RIGHT, GLFW_KEY_UP, GLFW_KEY_DOWN, GLFW_KEY_ESCAPE, GLFW_KEY_SPACE})
    EXPECT_TRUE(has(0, key)) << key;
}

TEST(Actions, WhatHasAKeyTellsIt) {
  for (const Action& action : actions()) EXPECT_EQ(action.chords.empty(), action.keys.empty()) << action.title;
}

TEST(Palette, PresentingTheSearchAndLessonsAreFoundByWhatPeopleCallThem) {
  State state;
  state.lesson.all = {{"/lessons/05-four-streams", "05-four-streams", "Four streams", "What overlaps with what."}};
  const auto first = [&](std::string_view words) {
    const auto found = choices_for(state, words);
    return found.empty() ? Choice{} : found.front();
  };
  const auto key = [&](std::string_view words) { return first(words).keys; };
  for (const char* words : {"present", "lecture", "full screen"}) EXPECT_EQ(key(words), "F5") << words;
  EXPECT_TRUE(std::ranges::any_of(choices_for(state, "projector"), [](const Choice& c) { return c.keys == "F5"; }));
  for (const char* words : {"find operation", "search"}) EXPECT_EQ(key(words), "/   Ctrl F") << words;
  for (const char* words : {"lesson", "four streams", "05"}) {
    const Choice found = first(words);
    ASSERT_EQ(found.commands.size(), 1u) << words;
    const auto* open = testing::as<command::OpenLesson>(found.commands.front());
    ASSERT_NE(open, nullptr) << words;
    EXPECT_EQ(open->folder, "/lessons/05-four-streams");
  }
}

class Keys : public ::testing::Test {
 protected:
  // What a key does now, in the panels.
  Commands press(const KeyPress& key) {
    Commands out;
    TimelinePanel timeline;
    act_on(key, Reach::panels, Panel{state, look, out}, timeline);
    return out;
  }
  template <class C>
  bool does(const KeyPress& key) {
    const Commands all = press(key);
    return all.size() == 1 && testing::as<C>(all.front()) != nullptr;
  }
  void carry_out(const Commands& all) {
    for (const Command& each : all) (void)update(state, each);
  }
  State state;
  Look look;
};

TEST_F(Keys, CtrlFGoesToTheSearch) {
  EXPECT_TRUE(does<command::FocusSearch>({.key = GLFW_KEY_F, .control = true}));
  EXPECT_TRUE(does<command::FocusSearch>({.character = U'/'}));
}

TEST_F(Keys, SpacePausesSlowMotionAndGoesOnAndElseRuns) {
  const KeyPress space{.key = GLFW_KEY_SPACE};
  EXPECT_TRUE(does<command::RunNow>(space));
  auto run = std::make_shared<trace::Run>(streamscope::testing::pipeline_run({.streams = 2, .chunks = 2}));
  (void)update(state, command::RunPrepared{prepare({.id = 1, .number = 1, .started = {}, .run = std::move(run)})});
  (void)update(state, command::Play{true});
  ASSERT_TRUE(state.slow_motion.playing);
  carry_out(press(space));
  EXPECT_FALSE(state.slow_motion.playing);
  carry_out(press(space));
  EXPECT_TRUE(state.slow_motion.playing);
  (void)update(state, command::SetPlayhead{kAbsent});
  EXPECT_TRUE(does<command::RunNow>(space));
  (void)update(state, command::SetPlayhead{1'000});
  EXPECT_TRUE(does<command::RunNow>(space)) << "an instant that was only looked at is not played";
}

TEST_F(Keys, LargerTextIsLargerAtOnceWhilePresentingAndThePanelsKeepTheirs) {
  const KeyPress larger{.key = GLFW_KEY_EQUAL, .control = true};
  (void)update(state, command::Present{true});
  const float before = text_scale_now(state.workspace);
  EXPECT_FLOAT_EQ(before, kPresentScale);
  carry_out(press(larger));
  EXPECT_GT(text_scale_now(state.workspace), before);
  (void)update(state, command::Present{false});
  EXPECT_FLOAT_EQ(text_scale_now(state.workspace), 1);
}

TEST(Palette, OffersEveryActionAndFindsByTheLettersInOrder) {
  const State state;
  const auto all = choices_for(state, "");
  for (const Action& action : actions()) {
    if (!action.palette) continue;
    const bool there =
        std::any_of(all.begin(), all.end(), [&](const Choice& each) { return each.title == action.title; });
    EXPECT_TRUE(there) << action.title;
  }
  const auto found = choices_for(state, "zi");
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().title, "Zoom in");
  EXPECT_EQ(choices_for(state, "PROJECTOR").front().title, "Theme: projector");
  EXPECT_TRUE(choices_for(state, "xyzzy").empty());
}

TEST(Palette, OffersWhatCanBeChosenNow) {
  State state;
  state.editing.shipped = {{.path = "/somewhere/four-streams.toml", .name = "four-streams", .title = "Four streams"}};
  const auto found = choices_for(state, "open four");
  ASSERT_FALSE(found.empty());
  ASSERT_EQ(found.front().commands.size(), 1u);
  EXPECT_EQ(testing::as<command::OpenFile>(found.front().commands.front())->path, "/somewhere/four-streams.toml");
}

TEST(Palette, FindsFilesByTitleNameKeywordAndSentenceInThisOrder) {
  State state;
  state.editing.shipped = {
      {.path = "/sentence", .name = "d", .title = "D", .sentence = "It shows an event."},
      {.path = "/keyword",
       .name = "c",
       .title = "C",
       .keywords = {.en = {"CUDA Event"}, .zh = {"事件"}, .ko = {"이벤트"}}},
      {.path = "/within", .name = "prevent", .title = "A"},
      {.path = "/name", .name = "two-events", .title = "B"},
      {.path = "/title", .name = "e", .title = "Events"},
  };
  const auto paths = [&](std::string_view words) {
    std::vector<std::string> found;
    for (const Choice& each : choices_for(state, words))
      if (const auto* open = each.commands.empty() ? nullptr : testing::as<command::OpenFile>(each.commands.front()))
        found.push_back(open->path.string());
    return found;
  };
  using Paths = std::vector<std::string>;
  EXPECT_EQ(paths("EVENT"), (Paths{"/title", "/name", "/keyword", "/sentence", "/within"}));
  EXPECT_EQ(paths("事"), Paths{"/keyword"});
  EXPECT_EQ(paths("이벤트"), Paths{"/keyword"});
  EXPECT_EQ(paths("event shows"), Paths{"/sentence"}) << "all words, in any order";
  EXPECT_EQ(paths("  event   cuda "), Paths{"/keyword"});
  EXPECT_EQ(paths("事故"), Paths{});
  EXPECT_EQ(choices_for(state, "shows").front().sentence, "It shows an event.");
}

TEST(Palette, FindsTheShippedFilesByWordsOfThreeLanguages) {
  State state;
  state.editing.shipped = shipped_files();
  for (const char* words :
       {"固定内存", "페이지 고정", "pinned", "nsys", "does not overlap", "回调", "cudamemcpyasync"}) {
    const auto found = choices_for(state, words);
    ASSERT_FALSE(found.empty()) << words;
    ASSERT_FALSE(found.front().commands.empty()) << words;
    EXPECT_NE(testing::as<command::OpenFile>(found.front().commands.front()), nullptr) << words;
  }
}

TEST(Palette, LeadsFromEachWordOfTheSourcesToItsLesson) {
  State state;
  state.lesson.all = lesson::list_lessons(lesson::Language::en);
  const auto words = source_words(STREAMSCOPE_SOURCE "/tests/ideas/words.csv");
  EXPECT_GE(words.size(), 300u);
  for (const auto& [number, word] : words) {
    const auto found = choices_for(state, word);
    const bool there = std::ranges::any_of(found, [&](const Choice& each) {
      const auto* open = each.commands.empty() ? nullptr : testing::as<command::OpenLesson>(each.commands.front());
      return open != nullptr && open->folder.filename().string().starts_with(number + "-");
    });
    EXPECT_TRUE(there) << word << " does not lead to lesson " << number;
  }
}

TEST(Palette, ALanguageIsFoundByItsNameAndTheWordForLanguagesInEach) {
  using enum lesson::Language;
  const auto first = [](std::string_view words) {
    const auto found = choices_for(State(), words);
    const auto* chosen = found.empty() || found.front().commands.empty()
                             ? nullptr
                             : testing::as<command::SetLanguage>(found.front().commands.front());
    return chosen == nullptr ? std::nullopt : std::optional(chosen->language);
  };
  for (const char* words : {"language", "语言", "언어", "english", "영어"}) EXPECT_EQ(first(words), en) << words;
  for (const char* words : {"chinese", "中文", "중국어", "language chinese"}) EXPECT_EQ(first(words), zh) << words;
  for (const char* words : {"korean", "한국어", "韩语", "언어 한국어"}) EXPECT_EQ(first(words), ko) << words;
}

}  // namespace
}  // namespace streamscope::window
