// There is help for each key of the window.
#include "app/window/panels/key_help.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/help/help.h"
#include "app/window/panels/actions.h"

namespace streamscope::window {
namespace {

TEST(KeyHelp, IsThereForEachActionAndEachGesture) {
  const help::Entries entries = key_help();
  EXPECT_EQ(entries.size(), actions().size() + mouse_gestures().size());
  for (const Action& action : actions()) {
    const std::string_view asked = action.keys.empty() ? action.title : action.keys;
    const auto found = help::find(entries, asked.substr(0, asked.find("   "))).called;
    EXPECT_TRUE(std::any_of(found.begin(), found.end(), [&](const help::Entry* each) {
      return each->sentence.find(action.title) == 0 && !action.title.empty();
    })) << action.title;
  }
}

TEST(KeyHelp, IsFoundAsPeopleWriteKeys) {
  const help::Entries entries = key_help();
  for (const char* written : {"Ctrl+E", "ctrl e", "F", "f", "?", "O", "Enter", "Shift →", "Ctrl Shift P"})
    EXPECT_FALSE(help::find(entries, written).called.empty()) << written;
}

}  // namespace
}  // namespace streamscope::window
