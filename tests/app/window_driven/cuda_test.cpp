// The CUDA C++ beside the program, as a person meets it.
#include <gmock/gmock.h>

#include <fstream>

#include "tests/app/window_driven/window_fixture.h"

namespace streamscope::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::uint32_t kSelection = 0x2DD4BF;

TEST_F(Window, TheProgramsCudaStandsBesideItAndTheirLinesAreTied) {
  ASSERT_TRUE(window->click("Program/CUDA C++"));
  const auto written = window->wait_for("CUDA C++ of version");
  ASSERT_TRUE(written);
  EXPECT_GT(number_after(*written, ","), 100);
  // The line that calls what is selected is lit, and comes into sight: it is far down.
  ASSERT_TRUE(window->press("period"));
  ASSERT_TRUE(window->wait_for("selected 0"));
  const auto code = window->place("CUDA C++/text");
  ASSERT_TRUE(code);
  const Area edge{code->x, code->y, 6, code->height};
  EXPECT_TRUE(shows(kSelection, 30, edge));
  // A click there looks at the program's line: the one that issues the copy.
  const auto screen = window->screenshot();
  ASSERT_TRUE(screen);
  const auto lit = screen->find(kSelection, edge);
  ASSERT_TRUE(lit);
  const int x = code->x + code->width / 2, y = lit->second + 4;
  ASSERT_TRUE(window->drag(x, y, x, y));
  EXPECT_TRUE(window->wait_for("looks at line 6"));
  // Its arrows move the cursor there, and not on the timeline.
  window->forget();
  ASSERT_TRUE(window->press("Down"));
  EXPECT_TRUE(window->wait_for("looks at line 7"));
  EXPECT_FALSE(window->has_said("selected"));
  // And the other way round: the cursor in the program, on its first declaration.
  ASSERT_TRUE(window->click("Program/editor"));
  ASSERT_TRUE(window->press("ctrl+Home") && window->press("Down"));
  EXPECT_TRUE(window->wait_for("looks at line 2"));
}

TEST_F(Window, ItIsWrittenAnewAsTheProgramChangesAndCopiedAndSaved) {
  const auto whole = window->place("Program/editor");
  ASSERT_TRUE(whole);
  ASSERT_TRUE(window->press("0"));
  ASSERT_TRUE(window->wait_for("CUDA C++ of version"));
  ASSERT_TRUE(poll_until([&] { return window->place("Program/editor")->width < whole->width; }));
  replace_text("stream A\n");
  const auto small = window->wait_for("CUDA C++ of version");
  ASSERT_TRUE(small);
  ASSERT_TRUE(window->click("CUDA C++/Copy"));
  EXPECT_THAT(window->wait_for("clipboard").value_or(""), HasSubstr("// nvcc -std=c++17 -O3 four-streams.cu"));
  ASSERT_TRUE(window->click("CUDA C++/Save…"));
  ASSERT_TRUE(window->press("ctrl+a") && window->type("mine") && window->press("Return"));
  const auto saved = window->wait_for("said: Saved ");
  ASSERT_TRUE(saved);
  std::ifstream file(saved->substr(saved->find('/')));
  std::string line;
  std::getline(file, line);
  EXPECT_THAT(line, StartsWith("// nvcc -std=c++17 -O3 mine.cu -o mine"));
}

}  // namespace
}  // namespace streamscope::tests
