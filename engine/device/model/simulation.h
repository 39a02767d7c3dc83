// One run of a program on the model: host threads and the device, event by event, in whole nanoseconds.
//
// Whoever has the earliest time goes next: a host thread with its next call, or the device with the next end or
// arrival. A waiting thread continues at the instant at which its condition holds. The device never waits for a later
// call of the host, so every wait ends; if nothing is left to do and a thread still waits, the run fails with an error.
//
// At one instant, ends come before starts, and earlier operations before later ones.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <queue>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "engine/base/range_set.h"
#include "engine/base/result.h"
#include "engine/device/device.h"
#include "engine/device/model/hardware/block_scheduler.h"
#include "engine/device/model/hardware/device_memory.h"
#include "engine/device/model/hardware/engine_queue.h"
#include "engine/device/model/hardware/handoff.h"
#include "engine/device/model/hardware/peer_links.h"
#include "engine/device/model/hold_log.h"
#include "engine/device/model/host/host_call.h"
#include "engine/device/model/host/pool_search.h"
#include "engine/device/model/host/recent_streams.h"
#include "engine/device/model/host/submitted_work.h"
#include "engine/program/order/order.h"
#include "engine/trace/channels.h"

namespace streamscope::model {

class Simulation {
 public:
  // All must outlive it. `log`: where what held each operation is written; null: nowhere.
  Simulation(const Profile& profile, const program::Program& program, const device::RunControl& control,
             HoldLog* log = nullptr);
  // Once. `blank` is what the spans start from (blank_spans).
  Result<device::Pass> run(std::vector<trace::Span> blank);

 private:
  enum class TimerKind : std::uint8_t { end, submitted, eligible };
  struct Timer {
    Nanoseconds at;
    TimerKind kind;
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
    bool has_called = false;  // any call of the driver yet
    HostCall call{};
    std::size_t preceding = 0;              // of the work that its call waits for, what was submitted before the call
    OperationIndex awaited = kNoOperation;  // what its call last waited for
    CallResult last_error = CallResult::success;
  };
  // What each device has of its own.
  struct Gpu {
    explicit Gpu(const Profile& profile);
    DeviceMemory memory;
    SubmittedWork in_blocking_streams;  // with its legacy default stream
    SubmittedWork submitted;            // all
    std::uint64_t staged = 0;           // bytes in its staging buffer
    Nanoseconds callbacks_since = 0;    // when the last host function ended; one ran just before the clock started
    EngineQueue h2d, d2h;
    EngineQueue written;    // copies whose data travels in the command stream, but for the smallest
    EngineQueue on_device;  // copies on the device and memsets
    EngineQueue callbacks;  // host functions
    std::uint32_t on_device_on_bus = EngineQueue::kFullRate;  // rate of on_device as the bus allows it
    bool kernels_on_bus = false;                              // when it was shared last
    BlockScheduler block_scheduler;
    trace::Channels compute_channels, h2d_channels, d2h_channels;
  };

  // An operation that waits for another one; linked into the list of that other one.
  struct Dependent {
    OperationIndex operation;
    program::DependencyKind kind;
    std::uint32_t next;
  };

  // The host threads: simulation_host.cpp.
  HostThread* next_thread();
  void advance(HostThread& thread);
  bool take_next(HostThread& thread);
  void begin_wait(HostThread& thread, HostWait wait);
  bool is_over(HostThread& thread, HostWait wait);
  SubmittedWork& work_of(StreamId stream);
  bool is_idle(OperationIndex index);
  bool reaches(OperationIndex index) const;  // of a copy between devices: peer access is on now
  void make_call(HostThread& thread);
  void answer(HostThread& thread);
  // Errors that are made on purpose: simulation_faults.cpp.
  bool fails(HostThread& thread);  // ends the call at once, if it does
  std::optional<CallResult> refused(const HostThread& thread);
  // Captures inside the run: simulation_captures.cpp.
  void capture(const program::op::Capture& step, ThreadId by);
  std::optional<CallResult> refused_by_capture(const HostThread& thread);
  void tell_of_capture(OperationIndex index);
  void returns(HostThread& thread, CallResult result);
  void die(OperationIndex fault);
  void tell();  // the host: from now on all calls fail
  void reset();
  void never_runs(OperationIndex index);
  bool is_done(OperationIndex record) const;  // or there is none
  void finish(HostThread& thread);
  void note_answers(OperationIndex poll, Nanoseconds again, Nanoseconds period, Nanoseconds query);
  void wake_threads();
  void submit(OperationIndex index, Nanoseconds at, std::span<const program::Dependency> after);
  void allocate(OperationIndex index, Nanoseconds at);
  void wait_for(OperationIndex index, const program::Dependency& dependency, HoldKind kind, Nanoseconds at);
  std::uint64_t migrate(OperationIndex index, const program::Range& range, bool to_device);
  Nanoseconds migration_of(OperationIndex index);
  std::string waiting_threads() const;

  // The order of events, and the time from one operation to the next: simulation.cpp.
  Nanoseconds next() const { return !dead() ? first_event() : told_ ? kNever : told_at_; }
  Nanoseconds first_event() const {
    Nanoseconds first = std::min({next_timer(), next_engine_, links_.next()});
    for (const Gpu& gpu : gpus_) first = std::min(first, gpu.block_scheduler.next());
    return first;
  }
  Nanoseconds next_timer() const { return timers_.empty() ? kNever : timers_.top().at; }
  void step(Nanoseconds at);
  void on_timer(const Timer& timer);
  void release(OperationIndex index, Nanoseconds eligible, trace::WaitReason reason, OperationIndex on);
  void end(OperationIndex index);
  Nanoseconds start_latency(OperationIndex index) const;
  Nanoseconds handoff(OperationIndex from, OperationIndex to, program::DependencyKind kind) const;
  Nanoseconds in_graph(OperationIndex from, OperationIndex to) const;
  Engine unit_of(OperationIndex index) const;
  bool leaves_queue(OperationIndex ended);
  StreamId owner(OperationIndex index) const;  // its stream; of a graph's node, that of the launch

  // Engines, multiprocessors and channels: simulation_engines.cpp.
  void carry_out(OperationIndex index);
  void transfer(OperationIndex index, const program::op::Copy& copy);
  void kernel(OperationIndex index);
  void start(const Started& started, std::size_t unit);
  void start_for(OperationIndex index, Nanoseconds duration);
  void start_what_can();
  void begin_engines();
  void finish_engines();
  void share_bus();
  Engine carries(const EngineQueue& engine) const;
  void share_bus(Gpu& gpu, PeerLinks::BusUsers between_devices);
  void between_devices(OperationIndex index, const program::op::PeerCopy& copy);
  void set_memory_rate();
  Nanoseconds pageable_turn(const program::op::Copy& copy);
  EngineQueue& copy_engine(OperationIndex index, Engine engine);
  void announce(OperationIndex index, Nanoseconds at);
  std::optional<Engine> goes_through(OperationIndex index) const;
  trace::Channels& channels_to(OperationIndex index, Engine unit);
  std::optional<std::uint32_t> engine_channel(OperationIndex index) const;
  void leave_channel(OperationIndex index);
  bool keeps_time(OperationIndex index) const;

  Gpu& gpu_of(StreamId stream) { return gpus_[program_.streams[stream.value].device.value]; }
  Gpu& gpu_of(OperationIndex index) { return gpu_of(owner(index)); }
  bool is_blocking(StreamId stream) const { return !program_.streams[stream.value].nonblocking; }
  bool ended(OperationIndex index) const { return known(spans_[index].end); }
  bool dead() const { return sticks_ != CallResult::success; }
  bool stopped();
  void send(OperationIndex index);
  void flush();

  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  const Profile& profile_;
  const program::Program& program_;
  const device::RunControl& control_;
  HoldLog* const log_;
  const std::uint64_t pageable_data_;               // pageable_data()
  const std::vector<std::uint32_t> pool_searches_;  // pool_searches()

  std::vector<trace::Span> spans_;
  std::vector<trace::PollAnswer> answers_;
  std::size_t polls_kept_ = 0;
  std::deque<HostThread> threads_;  // those started so far; each stays where it is
  program::DependencyTracker order_;
  RecentStreams recent_streams_;
  Nanoseconds driver_free_ = 0;  // when the last call of any thread returned
  bool may_wake_ = false;        // an operation ended, or a thread began to wait, since threads were last woken

  std::vector<std::uint32_t> awaited_;  // by operation: unfinished dependencies, plus its arrival at the device
  std::vector<Nanoseconds> eligible_;   // by operation: earliest start, as far as known
  std::vector<Engine> unit_;            // by operation, once it is issued
  std::vector<std::uint32_t> waiters_;  // by operation: the first of its dependents_
  std::vector<Dependent> dependents_;
  std::uint32_t unused_dependents_ = kNone;
  std::vector<Engine> stream_unit_;        // of the last operation in each stream
  std::vector<std::uint32_t> queued_;      // unfinished operations in each stream, a graph as one
  std::vector<std::uint32_t> nodes_left_;  // of each launch of a graph, those that are not over
  std::vector<SubmittedWork> in_stream_;   // with the nodes of graphs; of the legacy default stream its own
  std::vector<std::array<Nanoseconds, kEngines>> last_begun_;  // of each stream, by each unit
  Nanoseconds now_ = 0;                                        // the device's time
  std::vector<RangeSet> read_;  // by buffer: the pageable memory that was last read by a copy to the device

  // Of each graph that the run captures: how far that has come.
  struct CaptureState {
    trace::CaptureStatus status = trace::CaptureStatus::none;  // none: before it, or behind its end
    bool is_there = false;                                     // it can be launched
    bool is_uploaded = true;
    bool is_broken = false;  // a call of another thread has broken it
    std::uint64_t id = 0;
    ThreadId thread;
  };
  std::vector<CaptureState> captures_;               // by graph
  std::vector<std::optional<GraphId>> captured_by_;  // by stream
  std::uint64_t captures_begun_ = 0;
  std::vector<trace::CaptureAnswer> capture_answers_;

  std::priority_queue<Timer, std::vector<Timer>, std::greater<>> timers_;
  std::deque<Gpu> gpus_;
  PeerLinks links_;
  std::set<std::pair<DeviceId, DeviceId>> reached_;  // devices that reach each other's memory, as far as called
  std::vector<bool> is_direct_;                      // copies between devices that were issued then
  std::vector<PeerLinks::BusUsers> bus_users_;       // scratch, by device
  std::vector<EngineQueue*> engines_;                // of all devices
  Nanoseconds next_engine_ = kNever;                 // the first end on any of them
  bool engines_changed_ = false;                     // since they last started an operation
  std::vector<std::uint32_t> channel_of_;            // by operation that goes through one
  std::vector<bool> arrived_;                        // at the device
  std::vector<bool> with_commands_;                  // copies that travel in the command stream and use no copy engine
  std::vector<bool> is_released_;                    // copies whose stream goes on elsewhere: handoff.h
  std::vector<bool> held_;                           // eligible, but not the first of its channel
  std::vector<RangeSet> on_device_;                  // by managed buffer: its pages there

  std::vector<OperationIndex> released_;  // no longer held
  std::vector<OperationIndex> ends_;      // scratch
  std::vector<Started> starts_;           // scratch

  CallResult sticks_ = CallResult::success;  // what every call returns once it is told; success: the device lives
  Nanoseconds died_at_ = kAbsent, told_at_ = kAbsent;
  bool told_ = false;
  std::vector<bool> never_runs_;  // by operation
  // By event: the record issued last, which one that was refused is not; kNoOperation: none.
  std::vector<OperationIndex> recorded_;

  std::vector<trace::Span> batch_;  // for control_.on_spans
  std::uint32_t until_stop_check_ = 0;
  std::optional<Error> error_;
};

}  // namespace streamscope::model
