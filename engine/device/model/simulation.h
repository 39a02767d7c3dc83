// One run of a program on the model: host threads and the device, event by event, in whole nanoseconds.
//
// Whoever has the earliest time goes next: a host thread with its next call, or the device with whatever ends or
// arrives. A thread that waits goes on at the instant that what it waits for is there. The device never waits for a
// later call of the host, so every wait ends; should nothing be left to do and a thread still wait, that is told as an
// error.
//
// Of what happens at the same instant, ends come before starts, and earlier operations before later ones.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <queue>
#include <span>
#include <vector>

#include "engine/base/result.h"
#include "engine/device/device.h"
#include "engine/device/model/engine_queue.h"
#include "engine/device/model/host_call.h"
#include "engine/device/model/multiprocessors.h"
#include "engine/device/model/residency.h"
#include "engine/program/order.h"

namespace streamscope {

class Simulation {
 public:
  // All three must outlive it.
  Simulation(const Profile& profile, const Program& program, const RunControl& control);
  // Once. `blank` is what the spans start from (blank_spans).
  Result<Pass> run(std::vector<Span> blank);

 private:
  // What carries work out: where it passes from one to another, that takes time.
  enum class Unit : std::uint8_t { none, compute, h2d, d2h, host };
  enum class Due : std::uint8_t { end, submitted, eligible };
  struct Timer {
    Nanoseconds at;
    Due due;
    OperationIndex operation;
    friend auto operator<=>(const Timer&, const Timer&) = default;
  };
  enum class Phase : std::uint8_t { next, before, enter, until, leave, done };
  struct HostThread {
    ThreadId id;
    Nanoseconds time = 0;
    OperationIndex at = 0;  // its operation
    Phase phase = Phase::next;
    bool waiting = false, waited = false;
    bool has_called = false;  // the driver
    HostCall call{};
  };
  // One operation that waits for another; a list by the other.
  struct Dependent {
    OperationIndex operation;
    DependencyKind kind;
    std::uint32_t next;
  };

  // The host's part, simulation_host.cpp.
  HostThread* next_thread();
  void go_on(HostThread& thread);
  bool take_next(HostThread& thread);
  bool met(const HostThread& thread, HostWait wait) const;
  void called(HostThread& thread);
  void finish(HostThread& thread);
  void wake_threads();
  void submit(OperationIndex index, Nanoseconds at, std::span<const Dependency> after);
  void wait_for(OperationIndex index, const Dependency& dependency);
  Nanoseconds migration_of(OperationIndex index);
  std::string who_waits() const;

  // The device's part, simulation.cpp.
  Nanoseconds next() const { return std::min({next_timer(), next_engine_, multiprocessors_.next()}); }
  Nanoseconds next_timer() const { return timers_.empty() ? kNever : timers_.top().at; }
  void step(Nanoseconds at);
  void due(const Timer& timer);
  void release(OperationIndex index, Nanoseconds eligible, WaitReason reason, OperationIndex on);
  void begin(OperationIndex index);
  Nanoseconds pageable_turn(OperationIndex index, Nanoseconds time);
  void kernel(OperationIndex index);
  void carry_out(OperationIndex index);
  void start(const Started& started);
  void start_for(OperationIndex index, Nanoseconds duration);
  void end(OperationIndex index);
  void finish_engines();
  void begin_engines();
  void grant();
  void announce(OperationIndex index);
  void set_copy_rates();
  bool is_queued(OperationIndex index) const;
  EngineQueue& copy_engine(Direction direction, std::uint64_t bytes, StreamId stream);
  Nanoseconds first(OperationIndex index) const;
  Nanoseconds in_graph(OperationIndex from, OperationIndex to) const;
  Nanoseconds handoff(OperationIndex from, OperationIndex to, DependencyKind kind) const;
  Nanoseconds between(Unit from, Unit to) const;
  Unit unit_of(OperationIndex index) const;
  StreamId owner(OperationIndex index) const;  // the stream whose work it is: of a graph's node that of its launch

  bool is_blocking(StreamId stream) const { return !program_.streams[stream.value].nonblocking; }
  bool ended(OperationIndex index) const { return known(spans_[index].end); }
  bool stopped();
  void report(OperationIndex index);
  void flush();

  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  const Profile& profile_;
  const Program& program_;
  const RunControl& control_;
  const std::uint64_t host_data_;  // pageable_data()

  std::vector<Span> spans_;
  std::deque<HostThread> threads_;  // those started so far; each stays where it is
  DependencyTracker order_;
  Nanoseconds driver_free_ = 0;  // when the last call of any thread returned
  bool may_wake_ = false;        // an operation ended, or a thread began to wait, since threads were last woken

  std::vector<std::uint32_t> awaited_;  // dependencies and the submission still to come, of each operation
  std::vector<Nanoseconds> eligible_;   // when each could be carried out, as far as known
  std::vector<Unit> unit_;              // of each operation issued
  std::vector<std::uint32_t> waiters_;  // of each operation, the first of its dependents_
  std::vector<Dependent> dependents_;
  std::uint32_t unused_dependents_ = kNone;
  std::vector<Unit> stream_unit_;  // of the last operation in each stream
  std::vector<OperationIndex> stream_last_;
  std::vector<std::uint32_t> queued_;      // unfinished operations in each stream, nodes of graphs aside
  std::vector<std::uint32_t> unfinished_;  // and with them
  std::uint64_t staged_ = 0;               // bytes in the staging room
  std::uint64_t outstanding_ = 0;          // unfinished operations of the device
  std::uint64_t blocking_ = 0;             // of them, those in blocking streams and the legacy default stream
  Nanoseconds now_ = 0;                    // the device's time
  OperationIndex last_ended_ = kNoOperation;
  std::optional<Direction> last_pageable_;
  Nanoseconds callbacks_since_ = 0;  // when the last host function ended; before the clock one has woken the thread

  std::priority_queue<Timer, std::vector<Timer>, std::greater<>> timers_;
  EngineQueue h2d_, d2h_;
  std::array<EngineQueue, 2> small_h2d_, small_d2h_;  // copies that pass larger ones
  EngineQueue memory_;                                // copies on the device and memsets
  EngineQueue callbacks_;                             // host functions
  std::vector<EngineQueue*> engines_;
  Nanoseconds next_engine_ = kNever;  // the first end on any of them
  bool engines_changed_ = false;      // since they last took what waits
  Multiprocessors multiprocessors_;
  // Kernels in the order of their issue, by hardware queue: one behind another stream's kernel that has not begun yet
  // waits for it (cuda-rules 16).
  std::vector<std::deque<OperationIndex>> connections_;
  std::vector<std::uint32_t> connection_of_;  // by stream
  std::vector<bool> arrived_;                 // at the device
  std::vector<bool> held_;                    // eligible, but not at the head of its connection
  std::vector<Residency> residency_;          // by buffer

  std::vector<OperationIndex> ends_;  // scratch
  std::vector<Started> starts_;       // scratch

  std::vector<Span> batch_;  // for control_.on_spans
  std::uint32_t until_stop_check_ = 0;
  std::optional<Error> error_;
};

}  // namespace streamscope
