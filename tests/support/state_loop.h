// The window's state with something in place of its loop: its effects are carried out as far as a test needs.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/window/state/observer_effect.h"
#include "app/window/state/run_requests.h"
#include "app/window/state/update.h"
#include "engine/program/syntax/parse.h"
#include "engine/sweep/run_sweep.h"

namespace streamscope::testing {

// Two spans of one stream, then the host's wait.
inline std::shared_ptr<const trace::Run> a_run(const std::string& program, std::size_t spans = 3) {
  auto run = std::make_shared<trace::Run>();
  run->program = program;
  run->trace.streams = {{"default", false, 0}, {"per-thread", false, 0}, {"A", true, 0}};
  run->trace.threads = {"main"};
  run->trace.names = {"H2D"};
  for (std::size_t i = 0; i < spans; ++i) {
    trace::Span span;
    span.operation = static_cast<OperationIndex>(i);
    span.stream = 2;
    span.kind = OperationKind::h2d;
    span.engine = Engine::h2d;
    span.start = static_cast<Nanoseconds>(i) * 100;
    span.end = span.start + 50;
    run->trace.spans.push_back(span);
  }
  return run;
}

inline device::DeviceInfo a_gpu() {
  device::DeviceInfo gpu;
  gpu.id = "cuda:0";
  gpu.name = "GPU";
  gpu.kind = trace::Provenance::Kind::measured;
  return gpu;
}
inline device::DeviceInfo a_model() {
  device::DeviceInfo model;
  model.id = "model:h200";
  model.name = "Model";
  model.profile = "h200";
  return model;
}

// Stands for the window's loop: carries the wish for a run out and remembers it.
struct StateLoop {
  window::State state;
  window::Effects wanted = window::begin(state, {.name = "four-streams", .content = {}});
  std::uint64_t last_id = 0;
  int started = 0;
  window::RunWanted last;  // that led to a run
  remote::message::StartRun request_sent;
  std::vector<std::string> programs;
  std::optional<window::Effects::OwnCode> own_code;  // asked for
  std::optional<window::Effects::OwnMeasured> own_measured;

  template <class C>
  void update(C change) {
    wanted += window::update(state, change);
    carry_out();
  }
  void event(session::SessionEvent what) {
    wanted += window::update(state, what);
    carry_out();
  }
  void carry_out() {
    window::Effects effects = std::exchange(wanted, {});
    if (effects.check) {
      program::Parsed parsed = program::parse(state.editing.program);
      pending_check = window::command::ProgramChecked{state.editing.version, parsed.diagnostics};
    }
    if (effects.run && state.running.engine == window::EngineStatus::up) {
      ++started;
      last = *effects.run;
      request_sent = window::request(state, last.purpose, last.long_kernels);
      programs.push_back(request_sent.program);
      wanted += window::update(
          state, window::command::RunStarted{++last_id, window::started(state, last, request_sent, host_now())});
    }
    if (effects.own_code) own_code = std::move(effects.own_code);
    if (effects.own_measured) own_measured = std::move(effects.own_measured);
    stopped |= effects.stop;
    follow_verdict(effects);
    restarted |= effects.restart;
    if (effects.combine)
      wanted += window::update(
          state, window::command::SweepCombined{sweep::combine(effects.combine->text, {}, effects.combine->axes)});
    for (const auto& each : effects.sweep_results)
      wanted += window::update(state, window::command::SweepMeasured{each.point, sweep::result_of(*each.run)});
    for (const window::LessonWork& each : effects.lesson_runs) {
      const auto facts = lesson::facts_of(*each.run.run, each.causes);
      wanted += window::update(state, window::command::LessonRunReady{
                                          each.of, each.name, {facts.value_or(nullptr), window::prepare(each.run)}});
    }
    for (const window::FinishedRun& each : effects.prepare) prepared.push_back(window::prepare(each));
    for (auto& each : std::exchange(prepared, {})) wanted += window::update(state, window::command::RunPrepared{each});
    follow_verdict(wanted);
  }
  void follow_verdict(window::Effects& effects) {
    if (effects.drop_verdict) verdict_wanted.reset();
    if (effects.verdict) verdict_wanted = std::exchange(effects.verdict, nullptr);
  }
  void checked() {
    if (pending_check) update(*std::exchange(pending_check, std::nullopt));
  }
  // The verdict that is wanted, as the background thread makes it.
  void judge() {
    if (!verdict_wanted) return;
    const auto made = window::make_verdict(std::exchange(verdict_wanted, nullptr), {});
    update(window::command::VerdictFound{made});
  }
  void up() { event(session::session_event::EngineUp{"streamscope 0.1.0", {}}); }
  // With a GPU first in the list.
  void up_with_gpu() { event(session::session_event::EngineUp{"streamscope 0.1.0", {{a_gpu(), a_model()}, {}}}); }
  // As a GPU's run: in the ratio of instrumented to bare wall time that is given, where a bare one was asked for.
  void finish_measured(double ratio = 1.1) {
    auto run = std::make_shared<trace::Run>(*a_run(state.editing.program));
    run->trace.provenance.kind = trace::Provenance::Kind::measured;
    run->trace.provenance.instrument = device::name(request_sent.options.instrument);
    run->runs = request_sent.options.runs;
    const auto wall = static_cast<Nanoseconds>(1'000'000 * ratio);
    run->wall = trace::Statistic{wall, wall, wall};
    if (request_sent.options.observer_effect) {
      run->bare_wall = trace::Statistic{1'000'000, 1'000'000, 1'000'000};
      const std::vector<Nanoseconds> walls(static_cast<std::size_t>(run->runs), wall), bare(walls.size(), 1'000'000);
      run->observer_effect = trace::observer_effect(walls, bare);
    }
    event(session::session_event::RunDone{last_id, run});
  }
  void finish(std::size_t spans = 3) {
    event(session::session_event::RunDone{last_id, a_run(state.editing.program, spans)});
  }

  std::optional<window::command::ProgramChecked> pending_check;
  std::shared_ptr<const window::ShownRun> verdict_wanted;
  std::vector<std::shared_ptr<const window::ShownRun>> prepared;
  bool stopped = false, restarted = false;
};

}  // namespace streamscope::testing
