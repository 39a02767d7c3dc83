// The real window after its first run, and what a test looks for in it.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>

#include <cerrno>
#include <sstream>

#include "tests/support/window_driver.h"

namespace streamscope::tests {

// Okabe-Ito, as docs/window.md names them.
inline constexpr std::uint32_t kH2d = 0x009E73, kD2h = 0xCC79A7, kKernel = 0x56B4E9;

// The number behind the first occurrence of these words; -1 where there is none.
inline int number_after(const std::string& text, const std::string& words) {
  const std::size_t at = text.find(words);
  if (at == std::string::npos) return -1;
  int number = -1;
  std::istringstream(text.substr(at + words.size())) >> number;
  return number;
}
inline int spans_in(const std::optional<std::string>& line) { return number_after(line.value_or(""), "done: "); }

inline bool gone(pid_t process) { return kill(process, 0) != 0 && errno == ESRCH; }

// One that the test starts itself.
class AnyWindow : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = WindowDriver::missing(); !why.empty())
      GTEST_SKIP() << "no window is driven here: " << why;
  }
  void TearDown() override {
    if (window && HasFailure()) std::cerr << window->all_lines();
  }
  // The screen shows so many pixels of that colour there, soon.
  bool shows(std::uint32_t colour, std::size_t at_least, const Area& within) {
    return poll_until([&] {
      const auto screen = window->screenshot();
      return screen && screen->count(colour, within) >= at_least;
    });
  }
  std::optional<WindowDriver> window;
};

class Window : public AnyWindow {
 protected:
  virtual std::vector<std::string> arguments() const { return {}; }
  virtual bool first_start() const { return false; }
  void SetUp() override {
    AnyWindow::SetUp();
    if (IsSkipped()) return;
    window.emplace(arguments(), first_start());
    first = window->wait_for("run 1 done");
    ASSERT_TRUE(first) << window->all_lines();
  }
  // All of the editor's text is replaced by this.
  void replace_text(const std::string& text) {
    ASSERT_TRUE(window->click("Program/editor"));
    ASSERT_TRUE(window->press("ctrl+a"));
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) ASSERT_TRUE(window->type(line) && window->press("Return"));
  }
  // With the mouse's wheel over the other widget, until this one is wholly in sight.
  bool scroll_to(const std::string& widget, const std::string& over) {
    const auto from = window->place(over);
    if (!from || !window->move(from->x + 5, from->y + from->height / 2)) return false;
    return poll_until([&] {
      const auto at = window->place(widget);
      const auto timeline = window->place("Timeline/plot");
      if (at && timeline && at->y + 3 * at->height < timeline->y + timeline->height) return true;
      window->wheel(5);
      return false;
    });
  }

  std::optional<std::string> first;
};

}  // namespace streamscope::tests
