// Whatever is pressed, clicked, dragged, typed and killed: the window goes on, and undo leads back to where it began.
//
// STREAMSCOPE_RANDOM_SEEDS and STREAMSCOPE_RANDOM_ACTIONS ask for more than a usual run has: 20 and 1000.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <random>
#include <sstream>

#include "app/window/state/undo.h"
#include "tests/support/counts.h"
#include "tests/support/headless_window.h"
#include "tests/support/observed_window/widget_places.h"

namespace streamscope::window {
namespace {

class RandomActions : public ::testing::TestWithParam<int>, protected testing::HeadlessWindow {
 protected:
  void SetUp() override {
    ASSERT_EQ(begin(STREAMSCOPE_PROGRAM " engine"), "");
    ASSERT_TRUE(until([](const State& state) { return state.runs.shown && state.runs.shown->number == 1; }));
  }
  void TearDown() override { end(); }

  int any(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random_); }
  template <class Values>
  auto one_of(const Values& values) {
    return values[static_cast<std::size_t>(any(static_cast<int>(std::size(values))))];
  }
  void point_anywhere() {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    point(static_cast<float>(any(static_cast<int>(size.x))), static_cast<float>(any(static_cast<int>(size.y))));
  }
  // On a widget, by what stands there in this frame.
  void point_at_widget() {
    tests::take_widget_places();
    frame();
    const auto places = tests::take_widget_places();
    if (places.empty()) return;
    const auto& [name, at] = *std::next(places.begin(), any(static_cast<int>(places.size())));
    done_ << " at " << name;
    point(at.x + at.width / 2, at.y + at.height / 2);
  }

  void act() {
    done_ << "\n";
    switch (any(20)) {
      case 0:
      case 1:
      case 2:
      case 3: {
        constexpr char32_t kLetters[] = U"lpwsadf/,.[]oyuimrbvxktc12345678?";
        const char32_t letter = kLetters[any(static_cast<int>(std::size(kLetters)) - 1)];
        done_ << "letter " << static_cast<char>(letter);
        // Where text is typed it goes there, as the window system has it.
        if (ImGui::GetIO().WantTextInput) ImGui::GetIO().AddInputCharacter(letter);
        press({.character = letter});
        break;
      }
      case 4:
      case 5: {
        constexpr int kKeys[] = {GLFW_KEY_SPACE, GLFW_KEY_ESCAPE, GLFW_KEY_ENTER, GLFW_KEY_LEFT, GLFW_KEY_RIGHT,
                                 GLFW_KEY_UP,    GLFW_KEY_DOWN,   GLFW_KEY_HOME,  GLFW_KEY_F1,   GLFW_KEY_F2};
        const int key = one_of(kKeys);
        done_ << "key " << key;
        press({.key = key, .shift = any(8) == 0});
        break;
      }
      case 6:
      case 7: {
        constexpr int kKeys[] = {GLFW_KEY_Z, GLFW_KEY_P,     GLFW_KEY_E,     GLFW_KEY_O,    GLFW_KEY_S,
                                 GLFW_KEY_0, GLFW_KEY_EQUAL, GLFW_KEY_MINUS, GLFW_KEY_ENTER};
        const int key = one_of(kKeys);
        const bool shift = any(2) == 0 || key == GLFW_KEY_P;
        done_ << "control " << key << (shift ? " shift" : "");
        press({.key = key, .shift = shift, .control = true});
        break;
      }
      case 8:
        done_ << "type";
        type(one_of(std::array{"A: h2d x\n", "stream S\n", "# 9", "kind:kernel", "theme", "1, 2", "\xe5\x9b\xba"}));
        break;
      case 9: {
        const ImVec2 kSizes[] = {{640, 480}, {800, 600}, {1280, 720}, {1920, 1080}, {1920, 1200}};
        ImGui::GetIO().DisplaySize = one_of(kSizes);
        done_ << "size " << ImGui::GetIO().DisplaySize.x;
        frames();
        break;
      }
      case 10:
        done_ << "wheel";
        point_anywhere();
        ImGui::GetIO().MouseWheel = any(2) == 0 ? 1.0f : -1.0f;
        ImGui::GetIO().KeyCtrl = any(4) == 0;
        frame();
        ImGui::GetIO().KeyCtrl = false;
        break;
      case 11:
      case 12: {
        done_ << "drag";
        any(2) == 0 ? point_anywhere() : point_at_widget();
        const int button = any(4) == 0 ? 1 : 0;
        ImGui::GetIO().MouseDown[button] = true;
        for (int i = any(5); i >= 0; --i) point_anywhere();
        ImGui::GetIO().MouseDown[button] = false;
        frames();
        break;
      }
      case 13:
        if (any(8) != 0 || window_->engine_process() == 0) break;
        done_ << "kill the engine";
        ::kill(window_->engine_process(), SIGKILL);
        frames();
        break;
      default:
        done_ << "click";
        any(4) == 0 ? point_anywhere() : point_at_widget();
        click_here(any(8) == 0 ? 1 : 0);
        break;
    }
    // No file but those of this test's folder is opened or written.
    if (window_->state().files.asks != FileQuestion::none) {
      frames();
      press({.key = GLFW_KEY_ESCAPE});
    }
  }

  std::mt19937 random_{static_cast<unsigned>(GetParam())};
  std::ostringstream done_;
};

TEST_P(RandomActions, LeaveAWindowThatUndoLeadsBackFrom) {
  const auto first = setup_of(window_->state());
  const int actions = tests::count_from("STREAMSCOPE_RANDOM_ACTIONS", 150);
  for (int i = 0; i < actions && !window_->closing(); ++i) act();
  SCOPED_TRACE(done_.str());
  ASSERT_FALSE(window_->closing());
  for (int i = 0; i < 30; ++i) press({.key = GLFW_KEY_ESCAPE});
  window_->stop();
  frames();
  while (!window_->state().undo.back.empty()) {
    const std::size_t left = window_->state().undo.back.size();
    window_->undo();
    frames();
    ASSERT_LT(window_->state().undo.back.size(), left);
  }
  auto now = setup_of(window_->state());
  // Where it was saved before anything was changed is not undone.
  if (now.path != first.path) {
    EXPECT_TRUE(std::filesystem::exists(now.path)) << now.path;
    now.path = first.path;
  }
  EXPECT_EQ(now.program, first.program);
  EXPECT_EQ(now.experiment_name, first.experiment_name);
  EXPECT_EQ(now.device, first.device);
  EXPECT_EQ(now.own_program, first.own_program);
  EXPECT_EQ(now.own.path, first.own.path);
  EXPECT_EQ(now.edited, first.edited);
  EXPECT_EQ(now.what_ifs, first.what_ifs);
  EXPECT_TRUE(now.experiment == first.experiment);
  EXPECT_TRUE(now.measuring == first.measuring);
  EXPECT_TRUE(now == first);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomActions,
                         ::testing::Range(1, 1 + tests::count_from("STREAMSCOPE_RANDOM_SEEDS", 3)));

}  // namespace
}  // namespace streamscope::window
