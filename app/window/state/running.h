// The engine, the runs under way and those that are to come by themselves.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/session/session.h"
#include "app/window/state/effects.h"
#include "app/window/state/observer_effect.h"

namespace streamscope::window {

enum class EngineStatus : std::uint8_t { starting, up, lost };

struct Running {
  EngineStatus engine = EngineStatus::starting;
  std::string engine_program;  // "streamscope 0.1.0"
  session::session_event::EngineLost lost;
  std::uint64_t in_progress = 0;  // the run that was asked for last, until it comes back; 0: none
  std::map<std::uint64_t, StartedRun> started;
  int passes_done = 0, passes_total = 0;
  std::vector<trace::Span> preview;  // of the run in progress
  bool live = false;
  std::uint64_t series = 1;  // that the next picture belongs to: live mode and each change begin another
  bool run_when_checked = false;
  bool ran_once = false;                                 // the first run is started by itself
  Nanoseconds live_due = kAbsent;                        // host clock: when live mode wants its next run
  Nanoseconds last_start = kAbsent, last_end = kAbsent;  // of the last run; host clock
  std::uint64_t preparing = 0;  // the number of the run that came back last, until the views have it; 0: none
  Pairs pairs;
  // Host clock: when the run in view wants its observer effect known, and a second opinion.
  Nanoseconds pairs_due = kAbsent, referee_due = kAbsent;
};

namespace command {
struct Stop {};
struct RunStarted {
  std::uint64_t id;  // the session's
  StartedRun run;
};
// These are about what is set, too.
struct RunNow {};
struct RunLongKernels {};  // the refused program, once, all the same
// The code that it brings along was read, since the person let it run.
struct OwnCodeRead {
  Effects::OwnCode of;
  std::vector<kernels::OwnSource> sources;
};
struct PairsDue {};    // the time to learn the observer effect of the run in view has come
struct RefereeDue {};  // the time to ask for a second opinion on it
struct ToggleLive {};
struct LiveDue {};  // the time for live mode's next run has come
struct RestartEngine {};
}  // namespace command

[[nodiscard]] Effects update(Running& running, const command::Stop& command);
void update(Running& running, const command::RunStarted& command);
void update(Running& running, const session::session_event::RunSpans& event);
void update(Running& running, const session::session_event::RunPasses& event);

RunFor purpose_of(const Running& running, std::uint64_t run);
// The run in progress has come back.
void ended(Running& running);

}  // namespace streamscope::window
