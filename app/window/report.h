// Tells on stderr (see probe.h) what changed in the state since the last call.
#pragma once

#include "app/window/probe.h"
#include "app/window/state/state.h"

namespace streamscope::window {

class Report {
 public:
  void changes(Probe& probe, const State& state, int engine_process);

 private:
  EngineStatus engine_ = EngineStatus::starting;
  int process_ = 0;
  std::uint64_t shown_ = 0, checked_ = 0;
  std::size_t kept_ = 0;
  OperationIndex selected_ = kNoOperation;
  timeline::Opening opening_;
  bool live_ = false, edited_ = false, refused_ = false;
  Measuring measuring_;
  timeline::ThemeName theme_ = timeline::ThemeName::dark;
  float text_scale_ = 1;
  std::size_t marks_ = 0;
  timeline::TrackChoice choice_;
  bool palette_ = false, keys_open_ = false;
  command::Dock dock_ = command::Dock::program;
  std::string range_;
  std::string said_, beside_, pair_, names_, view_, measure_, table_, figures_, observer_, profile_, ghost_;
  bool playing_ = false;
  double slower_ = 1000;
  Nanoseconds playhead_ = kAbsent;
  OperationIndex selected_beside_ = kNoOperation;
};

}  // namespace streamscope::window
