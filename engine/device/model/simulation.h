// One run of a program on the model: the host thread and the device, event by event, in whole nanoseconds.
//
// The host issues operations one after the other and the device lags behind: before each call all that ends up to the
// host's time is carried out; where the host waits, the device goes on until what it waits for is there. The device
// never waits for a later call of the host, so every wait ends.
//
// Of what happens at the same instant, ends come before starts, and earlier operations before later ones.
#pragma once

#include <cstdint>
#include <optional>
#include <queue>
#include <vector>

#include "engine/base/result.h"
#include "engine/device/device.h"
#include "engine/device/model/engine_queue.h"
#include "engine/device/model/multiprocessors.h"
#include "engine/device/model/plan.h"

namespace streamscope {

class Simulation {
 public:
  // All four must outlive it. `blank` is what the spans start from.
  Simulation(const Profile& profile, const Program& program, const Plan& plan, const RunControl& control);
  // Once.
  Result<Pass> run(std::vector<Span> blank);

 private:
  struct Issue;  // what the host does for each sort of operation
  struct Begin;  // what the device does
  enum class Due : std::uint8_t { end, submitted, ready };
  struct Timer {
    Nanoseconds at;
    Due due;
    OperationIndex operation;
    friend auto operator<=>(const Timer&, const Timer&) = default;
  };

  // The host's part, simulation_host.cpp. False: stop, error_ says why.
  bool issue(OperationIndex index);
  bool call(OperationIndex index, Nanoseconds cost);  // an asynchronous call that returns at once
  bool copy(OperationIndex index, Direction direction, const Range& range, bool blocking);
  bool synchronise(OperationIndex index);
  bool poll(OperationIndex index, Nanoseconds every);
  bool wait_for_device();
  bool wait_for_room(StreamId stream);
  bool wait_for_stream(StreamId stream);
  bool wait_for_what_it_names(OperationIndex index);  // a synchronisation or a poll
  void submit(OperationIndex index);                  // at the host's time
  void on_host(OperationIndex index, Nanoseconds begin);
  // Lets the device go on until then, or until `done`; the host's time follows.
  bool let_device_reach(Nanoseconds time);
  template <class Done>
  bool hold_until(Done done);

  // The device's part.
  Nanoseconds next() const;
  bool step();
  void due(const Timer& timer);
  void release(OperationIndex index, WaitReason reason, OperationIndex on);
  void begin(OperationIndex index);
  void start(const Started& started);
  void start_for(OperationIndex index, Nanoseconds duration);
  void end(OperationIndex index);
  void grant();
  void set_copy_rates();
  EngineQueue& copy_engine(Direction direction);
  Nanoseconds copy_time(Direction direction, const Range& range) const;

  bool is_staged(Direction direction, const Range& range) const;
  bool is_pageable(const Range& range) const;
  bool is_blocking(StreamId stream) const { return !program_.streams[stream.value].nonblocking; }
  bool ended(OperationIndex index) const { return known(spans_[index].end); }
  bool stopped();
  void report(OperationIndex index);
  void flush();

  const Profile& profile_;
  const Program& program_;
  const Plan& plan_;
  const RunControl& control_;

  std::vector<Span> spans_;
  std::vector<std::uint32_t> awaited_;     // dependencies and the submission still to come, of each operation
  std::vector<std::uint32_t> unfinished_;  // operations in each stream
  std::uint64_t outstanding_ = 0;          // unfinished operations of the device
  std::uint64_t blocking_ = 0;             // of them, those in blocking streams and the legacy default stream
  std::uint64_t staged_ = 0;               // bytes in the staging room
  Nanoseconds host_ = 0, now_ = 0;         // the host's time and the device's
  OperationIndex last_ended_ = kNoOperation;

  std::priority_queue<Timer, std::vector<Timer>, std::greater<>> timers_;
  EngineQueue h2d_, d2h_;
  EngineQueue memory_;     // copies on the device and memsets
  EngineQueue callbacks_;  // host functions
  Multiprocessors multiprocessors_;
  std::vector<OperationIndex> ends_;  // scratch
  std::vector<Started> starts_;       // scratch

  std::vector<Span> batch_;  // for control_.on_spans
  std::uint32_t until_stop_check_ = 0;
  std::optional<Error> error_;
};

}  // namespace streamscope
