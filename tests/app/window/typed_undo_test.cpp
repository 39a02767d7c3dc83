// What one step of undo takes back of a text that was typed.
#include <gtest/gtest.h>

#include "app/window/state/undo.h"
#include "tests/support/state_loop.h"

namespace streamscope::window {
namespace {

class TypedUndo : public ::testing::Test {
 protected:
  TypedUndo() { loop_.up(); }
  const std::string& text() const { return loop_.state.editing.program; }
  void edit(const std::string& text) { loop_.update(command::EditProgram{text}); }
  void type(const std::string& letters) {
    for (const char c : letters) edit(text() + c);
  }
  void erase(int count) {
    for (; count > 0; --count) edit(text().substr(0, text().size() - 1));
  }
  const std::string& undone() {
    loop_.update(command::UndoChange{});
    return text();
  }
  testing::StateLoop loop_;
};

TEST_F(TypedUndo, TakesBackAWordAtATime) {
  edit("");
  type("stream A\nbuffer x");
  EXPECT_EQ(undone(), "stream A\nbuffer ");
  EXPECT_EQ(undone(), "stream A\n");
  EXPECT_EQ(undone(), "stream ");
  loop_.update(command::RedoChange{});
  EXPECT_EQ(text(), "stream A\n");
  EXPECT_EQ(undone(), "stream ");
  EXPECT_EQ(undone(), "");
}

TEST_F(TypedUndo, PartsTypingFromDeletingAndFromWhatWasPasted) {
  edit("");
  type("abcdef");
  erase(3);
  edit(text() + "pasted\ntext");
  type("gh");
  EXPECT_EQ(undone(), "abcpasted\ntext");
  EXPECT_EQ(undone(), "abc");
  EXPECT_EQ(undone(), "abcdef");
  EXPECT_EQ(undone(), "");
}

TEST_F(TypedUndo, BeginsAnewInAnotherPlaceAndAfterAPause) {
  Undo undo;
  const auto begins = [&](const char* before, const char* now, Nanoseconds when) {
    window::Setup was, is;
    was.program = before;
    is.program = now;
    was.edited = is.edited = true;
    return begins_step(undo, was, is, when);
  };
  EXPECT_TRUE(begins("", "a", 0));
  EXPECT_FALSE(begins("a", "ab", kPauseOfTyping - 1));
  EXPECT_TRUE(begins("ab", "abc", 2 * kPauseOfTyping));
  EXPECT_TRUE(begins("abc", "xabc", 2 * kPauseOfTyping)) << "elsewhere";
  EXPECT_FALSE(begins("xabc", "xyabc", 2 * kPauseOfTyping));
  // Backspace goes to the left, Delete stays where it is.
  EXPECT_TRUE(begins("xyabc", "xyab", 2 * kPauseOfTyping));
  EXPECT_FALSE(begins("xyab", "xya", 2 * kPauseOfTyping));
  EXPECT_TRUE(begins("xya", "ya", 2 * kPauseOfTyping));
  EXPECT_FALSE(begins("ya", "a", 2 * kPauseOfTyping));
}

TEST_F(TypedUndo, RunsNothingAsTypingDoes) {
  loop_.checked();
  loop_.finish();
  const int runs = loop_.started;
  type(" A");
  static_cast<void>(undone());
  EXPECT_EQ(loop_.started, runs);
  EXPECT_TRUE(loop_.state.editing.edited && loop_.state.editing.replaced.empty()) << "nothing is put aside for it";
  static_cast<void>(undone());
  EXPECT_FALSE(loop_.state.editing.edited);
}

}  // namespace
}  // namespace streamscope::window
