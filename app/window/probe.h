// With STREAMSCOPE_TIMINGS=1 the window tells on stderr what it does and where its widgets are, one line each:
//
//   first frame 123 ms                  since the process started
//   change to picture 45 ms             from a change of a control to the frame that shows its run
//   run 3 done: 48 spans                program error line 2 column 5          engine up 4711          ...
//   pointer 12 34                       where the mouse was in the frame that is on the screen now
//   widget run-button 12 34 80 24       x, y, width, height in window coordinates, whenever they have changed and
//                                       are the same for two frames: what has just appeared may still move
//
// Claims about speed are measured with it, and tests drive the real window by it.
#pragma once

#include <fmt/format.h>
#include <imgui.h>

#include <map>
#include <string>

#include "engine/base/time.h"

namespace streamscope::window {

class Probe {
 public:
  Probe();
  bool on() const { return on_; }

  template <class... Args>
  void say(fmt::format_string<Args...> format, Args&&... args) {
    if (on_) write(fmt::format(format, std::forward<Args>(args)...));
  }
  void widget(const std::string& name, ImVec2 from, ImVec2 to);
  void item(const std::string& name) {  // the last item of Dear ImGui
    if (on_) widget(name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  }

 private:
  static void write(const std::string& line);
  bool on_ = false;
  struct Seen {
    std::string last, told;
  };
  std::map<std::string, Seen> seen_;
};

// How long ago this process was started; kAbsent where the system does not say.
Nanoseconds process_age();

}  // namespace streamscope::window
