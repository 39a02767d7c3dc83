// What has changed in the window's state since the last call, a line each, on stderr: "run 3 done: 48 spans",
// "program error line 2 column 5", "engine up 4711".
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

#include "app/window/state/state.h"

namespace streamscope::tests {

template <class... Args>
void write_line(fmt::format_string<Args...> format, Args&&... args) {
  std::fputs((fmt::format(format, std::forward<Args>(args)...) + "\n").c_str(), stderr);
  std::fflush(stderr);
}

class StateLines {
 public:
  void write(const window::State& state, int engine_process);

 private:
  window::EngineStatus engine_ = window::EngineStatus::starting;
  int walk_ = 0;
  int process_ = 0;
  std::uint64_t shown_ = 0, checked_ = 0;
  std::uint64_t judged_ = 0;
  std::size_t kept_ = 0, lit_ = 0, uncompiled_ = 0, error_ = 0;
  OperationIndex selected_ = kNoOperation;
  timeline::OpenKernel opening_;
  bool live_ = false, edited_ = false, refused_ = false;
  std::uint64_t cuda_ = 0;
  std::uint32_t looked_at_ = 0;
  window::Measuring measuring_;
  timeline::ThemeName theme_ = timeline::ThemeName::dark;
  float text_scale_ = 1;
  std::size_t marks_ = 0;
  timeline::TrackChoice choice_;
  std::string differs_;
  experiment::Experiment experiment_;
  bool palette_ = false, keys_open_ = false, hint_ = false, asks_close_ = false, export_open_ = false;
  timeline::Meaning shown_alone_ = timeline::kNoMeaning;
  bool presenting_ = false;
  std::size_t arguments_ = 0;
  window::command::Dock dock_ = window::command::Dock::program;
  std::string range_, help_ = "closed";
  std::string said_, compared_, pair_, names_, view_, measure_, table_, figures_, observer_, referee_, profile_, ghost_,
      tried_;
  std::string lesson_ = "none";
  bool playing_ = false;
  double slower_ = 1000;
  Nanoseconds playhead_ = kAbsent;
  OperationIndex selected_compared_ = kNoOperation;
};

}  // namespace streamscope::tests
