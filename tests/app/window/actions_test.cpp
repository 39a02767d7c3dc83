// Keys, the list of keys and the palette read one table.
#include "app/window/panels/palette_choices.h"

#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "tests/support/command_as.h"

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
  for (const char32_t letter : std::u32string_view(U"wsadf.,[]m/?l"))
    EXPECT_TRUE(has(letter, 0)) << static_cast<int>(letter);
  for (const int key :
       {GLFW_KEY_HOME, GLFW_KEY_LEFT, GLFW_KEY_RIGHT, GLFW_KEY_UP, GLFW_KEY_DOWN, GLFW_KEY_ESCAPE, GLFW_KEY_SPACE})
    EXPECT_TRUE(has(0, key)) << key;
}

TEST(Actions, WhatHasAKeyTellsIt) {
  for (const Action& action : actions()) EXPECT_EQ(action.chords.empty(), action.keys.empty()) << action.title;
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
  state.editing.shipped = {{.path = "/somewhere/four-streams.toml", .name = "four-streams", .about = ""}};
  const auto found = choices_for(state, "open four");
  ASSERT_FALSE(found.empty());
  ASSERT_EQ(found.front().commands.size(), 1u);
  EXPECT_EQ(testing::as<command::OpenFile>(found.front().commands.front())->path, "/somewhere/four-streams.toml");
}

}  // namespace
}  // namespace streamscope::window
