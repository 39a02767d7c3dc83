// The program with its window watched, for the tests that drive it as a person does and for the bench that times it. On
// stderr, one line each, besides what state_lines.h says:
//
//   first frame 123 ms                  since the process started
//   change to picture 45 ms             from a change of a control to the frame that shows its run
//   run to picture 20 ms                of a run that nobody asked for, as in live mode: from its start to that frame
//   pointer 12 34                       where the mouse was in the frame that is on the screen now
//   released                            the left button was, and what that did is on the screen
//   widget 12 34 80 24 Toolbar/Run      x, y, width, height in window coordinates, whenever they have changed and are
//                                       the same for two frames: what has just appeared may still move
#include <glad/gl.h>
// The OpenGL loader before all that includes OpenGL.
#include <imgui.h>
#include <unistd.h>

#include <ctime>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "app/cli/cli.h"
#include "app/cli/interrupt.h"
#include "app/window/effects/remembered_file.h"
#include "app/window/main_window.h"
#include "app/window/platform/window.h"
#include "tests/support/observed_window/state_lines.h"
#include "tests/support/observed_window/widget_places.h"

namespace streamscope::tests {
namespace {

// How long ago this process was started; kAbsent where the system does not say.
Nanoseconds process_age() {
  std::ifstream file("/proc/self/stat");
  std::string line;
  if (!std::getline(file, line)) return kAbsent;
  const auto after_name = line.rfind(')');  // the name may hold blanks
  if (after_name == std::string::npos) return kAbsent;
  std::istringstream fields(line.substr(after_name + 2));
  std::string skipped;
  for (int field = 3; field < 22; ++field) fields >> skipped;
  long long ticks = 0;  // field 22: since boot
  if (!(fields >> ticks)) return kAbsent;
  timespec now{};
  if (clock_gettime(CLOCK_BOOTTIME, &now) != 0) return kAbsent;
  return now.tv_sec * 1'000'000'000 + now.tv_nsec - ticks * (1'000'000'000 / sysconf(_SC_CLK_TCK));
}

class Frames {
 public:
  void changed(const window::State& state) {
    if (state.running.in_progress != 0) begun_.try_emplace(state.running.in_progress, host_now());
  }
  void drawn(const window::MainWindow& window) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (ImGui::IsMousePosValid(&mouse) && (mouse.x != pointer_.x || mouse.y != pointer_.y)) {
      pointer_ = mouse;
      write_line("pointer {:.0f} {:.0f}", mouse.x, mouse.y);
    }
    if (ImGui::IsMouseReleased(ImGuiMouseButton_Left)) write_line("released");
    settle(take_widget_places());
    if (std::exchange(first_, false)) {
      glFinish();
      write_line("first frame {} ms", process_age() / 1'000'000);
    }
    const std::shared_ptr<const window::ShownRun>& shown = window.state().runs.shown;
    if (!shown || shown->number == timed_run_ || !window.drew(shown->number)) return;
    timed_run_ = shown->number;
    const auto begun = begun_.find(shown->id);
    if (!known(shown->asked) && begun == begun_.end()) return;
    glFinish();
    const auto since = [](Nanoseconds time) { return static_cast<double>(host_now() - time) * 1e-6; };
    if (known(shown->asked)) return write_line("change to picture {:.1f} ms", since(shown->asked));
    write_line("run to picture {:.1f} ms", since(begun->second));
    begun_.erase(begun_.begin(), std::next(begun));
  }

 private:
  void settle(const std::map<std::string, WidgetPlace>& places) {
    std::map<std::string, Seen> now;
    for (const auto& [name, at] : places) {
      Seen& seen = now[name] = std::move(seen_[name]);
      std::string place = fmt::format("{:.0f} {:.0f} {:.0f} {:.0f}", at.x, at.y, at.width, at.height);
      if (place == seen.last && place != seen.written) {
        seen.written = place;
        write_line("widget {} {}", place, name);
      }
      seen.last = std::move(place);
    }
    seen_ = std::move(now);
  }

  struct Seen {
    std::string last, written;
  };
  std::map<std::string, Seen> seen_;
  ImVec2 pointer_{-1, -1};
  bool first_ = true;
  std::uint64_t timed_run_ = 0;
  std::map<std::uint64_t, Nanoseconds> begun_;  // by the session's number
};

}  // namespace
}  // namespace streamscope::tests

int main(int argc, char** argv) {
  using namespace streamscope;
  // Each state and each drawn frame is written down.
  const auto observed = [](auto open) {
    tests::StateLines state;
    tests::Frames frames;
    const window::Observer observer{.changed =
                                        [&](const window::MainWindow& window) {
                                          state.write(window.state(), window.engine_process());
                                          frames.changed(window.state());
                                        },
                                    .drawn = [&](const window::MainWindow& window) { frames.drawn(window); }};
    const cli::Interrupt interrupt;
    return open(interrupt.flag(), observer);
  };
  return cli::command_line(
      argc, argv,
      {[&](const std::string& file, const std::string& engine_command) {
         return observed([&](const StopFlag& close, const window::Observer& observer) {
           return window::open_window(file, engine_command, close, observer);
         });
       },
       [&](const std::filesystem::path& folder, lesson::Language language, const std::string& device) {
         return observed([&](const StopFlag& close, const window::Observer& observer) {
           return window::open_lesson(folder, language, device, close, observer);
         });
       },
       window::chosen_language});
}
