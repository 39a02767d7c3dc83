#include "app/window/state/playhead.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/counts.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

constexpr Nanoseconds kFrame = 16'666'667;  // of a display with 60 Hz
// How long before the figures of the panel are drawn again where the playhead itself has hardly moved.
constexpr Nanoseconds kFiguresEvery = 100'000'000;

constexpr const char* kStandsStill = tr_later("Slow motion stands still while a run goes on, so as not to disturb it.");

bool panel_open(const State& state) {
  return state.workspace.dock_open && state.workspace.dock == command::Dock::slow_motion;
}

}  // namespace

bool needs_instants(const State& state) {
  return state.runs.shown && (known(state.slow_motion.playhead) || panel_open(state)) &&
         state.slow_motion.instants_of != state.runs.shown;
}

const timeline::InstantIndex* instants(const State& state) {
  return state.runs.shown && state.slow_motion.instants_of == state.runs.shown ? state.slow_motion.instants.get()
                                                                               : nullptr;
}

Nanoseconds looked_at(const State& state) {
  const SlowMotion& slow = state.slow_motion;
  const timeline::Tracks& tracks = state.runs.shown->tracks;
  return known(slow.playhead) ? std::clamp(slow.playhead, tracks.begin, tracks.end) : tracks.begin;
}

void set_playhead(State& state, Nanoseconds time) {
  SlowMotion& slow = state.slow_motion;
  slow.playback = {};
  if (!state.runs.shown || !known(time)) {
    slow.playhead = kAbsent;
    slow.playing = slow.paused = false;
    return;
  }
  const timeline::Tracks& tracks = state.runs.shown->tracks;
  slow.playhead = std::clamp(time, tracks.begin, tracks.end);
}

void play(State& state, bool on) {
  SlowMotion& slow = state.slow_motion;
  slow.playback = {};
  slow.paused = slow.playing && !on;
  slow.playing = on && state.runs.shown;
  if (!slow.playing) return;
  if (state.running.in_progress != 0) {
    slow.playing = false;
    say(state.status, tr(kStandsStill));
    return;
  }
  const timeline::Tracks& tracks = state.runs.shown->tracks;
  if (!known(slow.playhead) || slow.playhead >= tracks.end) slow.playhead = tracks.begin;
}

void move_playhead(State& state, Nanoseconds now) {
  SlowMotion& slow = state.slow_motion;
  if (!slow.playing || !state.runs.shown) return;
  if (state.running.in_progress != 0) {
    slow.playing = false;
    say(state.status, tr(kStandsStill));
    return;
  }
  if (!known(slow.playback.since)) {
    slow.playback = {slow.playhead, now};
    return;
  }
  const Nanoseconds end = state.runs.shown->tracks.end;
  slow.playhead = std::min(played(slow.playback, slow.times_slower, now), end);
  slow.playing = slow.playhead < end;
}

Nanoseconds next_frame(const State& state, Nanoseconds now, double pixel) {
  const SlowMotion& slow = state.slow_motion;
  if (!slow.playing) return kAbsent;
  if (!known(slow.playback.since) || !known(slow.playhead)) return now;
  Nanoseconds next = slow.playhead + std::max<Nanoseconds>(1, std::llround(std::min(pixel, 1e15)));
  if (const timeline::InstantIndex* index = instants(state))
    if (const Nanoseconds event = timeline::event_after(state.runs.shown->run->trace, *index, slow.playhead);
        known(event))
      next = std::min(next, event);
  Nanoseconds due = comes_to(slow.playback, slow.times_slower, next);
  if (panel_open(state)) due = std::min(due, now + kFiguresEvery);
  return std::max(due, now + kFrame);
}

std::string speed_text(double times_slower, Nanoseconds run) {
  const std::string takes = display_duration(std::llround(static_cast<double>(run) * times_slower));
  if (times_slower == 1) return tr("as fast as it was: {}", takes);
  return tr("{} × slower: {} take {}", with_commas(static_cast<std::uint64_t>(std::nearbyint(times_slower))),
            display_duration(run), takes);
}

}  // namespace streamscope::window
