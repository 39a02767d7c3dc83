#include "app/window/state/playhead.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/quantity.h"

namespace streamscope::window {
namespace {

constexpr Nanoseconds kFrame = 16'666'667;  // of a display with 60 Hz
// How long before the figures of the panel are drawn again where the playhead itself has hardly moved.
constexpr Nanoseconds kFiguresEvery = 100'000'000;

constexpr const char* kStandsStill = "Slow motion stands still while a run goes on, so as not to disturb it.";

bool panel_open(const State& state) {
  return state.workspace.dock_open && state.workspace.dock == command::Dock::slow_motion;
}

std::string with_commas(double number) {
  const std::string digits = fmt::format("{:.0f}", number);
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
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
  const timeline::Tracks& tracks = state.runs.shown->tracks;
  return known(state.slow_motion.playhead) ? std::clamp(state.slow_motion.playhead, tracks.begin, tracks.end)
                                           : tracks.begin;
}

void set_playhead(State& state, Nanoseconds time) {
  state.slow_motion.playback = {};
  if (!state.runs.shown || !known(time)) {
    state.slow_motion.playhead = kAbsent;
    state.slow_motion.playing = false;
    return;
  }
  const timeline::Tracks& tracks = state.runs.shown->tracks;
  state.slow_motion.playhead = std::clamp(time, tracks.begin, tracks.end);
}

void play(State& state, bool on) {
  state.slow_motion.playback = {};
  state.slow_motion.playing = on && state.runs.shown;
  if (!state.slow_motion.playing) return;
  if (state.running.in_progress != 0) {
    state.slow_motion.playing = false;
    say(state.status, kStandsStill);
    return;
  }
  const timeline::Tracks& tracks = state.runs.shown->tracks;
  if (!known(state.slow_motion.playhead) || state.slow_motion.playhead >= tracks.end)
    state.slow_motion.playhead = tracks.begin;
}

void move_playhead(State& state, Nanoseconds now) {
  if (!state.slow_motion.playing || !state.runs.shown) return;
  if (state.running.in_progress != 0) {
    state.slow_motion.playing = false;
    say(state.status, kStandsStill);
    return;
  }
  if (!known(state.slow_motion.playback.since)) {
    state.slow_motion.playback = {state.slow_motion.playhead, now};
    return;
  }
  const Nanoseconds end = state.runs.shown->tracks.end;
  state.slow_motion.playhead = std::min(played(state.slow_motion.playback, state.slow_motion.times_slower, now), end);
  state.slow_motion.playing = state.slow_motion.playhead < end;
}

Nanoseconds next_frame(const State& state, Nanoseconds now, double pixel) {
  if (!state.slow_motion.playing) return kAbsent;
  if (!known(state.slow_motion.playback.since) || !known(state.slow_motion.playhead)) return now;
  Nanoseconds next = state.slow_motion.playhead + std::max<Nanoseconds>(1, std::llround(std::min(pixel, 1e15)));
  if (const timeline::InstantIndex* index = instants(state))
    if (const Nanoseconds event =
            timeline::event_after(state.runs.shown->run->trace, *index, state.slow_motion.playhead);
        known(event))
      next = std::min(next, event);
  Nanoseconds due = comes_to(state.slow_motion.playback, state.slow_motion.times_slower, next);
  if (panel_open(state)) due = std::min(due, now + kFiguresEvery);
  return std::max(due, now + kFrame);
}

std::string speed_text(double times_slower, Nanoseconds run) {
  const std::string takes = display_duration(std::llround(static_cast<double>(run) * times_slower));
  if (times_slower == 1) return fmt::format("as fast as it was: {}", takes);
  return fmt::format("{} × slower: {} take {}", with_commas(times_slower), display_duration(run), takes);
}

}  // namespace streamscope::window
