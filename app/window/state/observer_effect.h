// The observer effect as the window knows it, also where runs are short.
//
// A run that was pressed for makes its bare runs itself. A run of live mode or after a change of a control must be on
// screen at once: it makes none, or one. Each that makes one leaves a pair of wall times here, instrumented and bare,
// and the newest kPairsKept of them give the effect for all runs of the same subject. The two runs of a pair follow
// one another, so that a device that grows warm affects both.
//
// In live mode each run carries a bare one until there are enough pairs to say something, and then one in
// kBareEvery runs: it costs an eighth more time and the meter follows within seconds. After a change of a control the
// pairs come in a run of their own, once the controls rest, so that no drag waits for them (run_requests.h).
#pragma once

#include <optional>
#include <vector>

#include "app/window/state/shown_run.h"
#include "engine/remote/message.h"

namespace streamscope::window {

// Runs of one subject have one effect.
Subject subject_of(const remote::message::StartRun& request);

inline constexpr std::size_t kPairsKept = 15;
inline constexpr int kBareEvery = 8;

struct Pairs {
  Subject subject = 0;
  std::vector<Nanoseconds> instrumented, bare;  // pair by pair, the newest last
  std::optional<trace::ObserverEffect> whole;   // of a run that made enough pairs by itself
  int runs_since = 0;                           // without a bare one
};
// Takes in what a finished run says. One of another subject takes the place of all there was.
void note(Pairs& pairs, Subject subject, const trace::Run& run);
// Whether the next run of live mode shall carry a bare one. Not the first of a subject: it shall be on screen soon.
bool bare_due(const Pairs& pairs, Subject next);
std::optional<trace::ObserverEffect> effect(const Pairs& pairs, Subject subject);

}  // namespace streamscope::window
