// CUDA's order, in one place: goes through a program's operations and says what each one comes behind.
//
// Stream order, the legacy default stream, events, host waits, blocking copies, graphs and host threads
// (docs/cuda-rules.md 1, 2, 3, 5, 8, 10, 20). Dependencies (order.h) and the search for hazards (vector_clocks.h) both
// listen to it.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/program/order/host_order.h"
#include "engine/program/order/order.h"

namespace streamscope::program {

// Streams by the time of their last work, the latest first.
class RecentStreams {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;
  explicit RecentStreams(std::size_t streams) : before_(streams, kNone), after_(streams, kNone) {}

  std::uint32_t first() const { return first_; }
  std::uint32_t next(std::uint32_t stream) const { return after_[stream]; }

  void move_to_front(std::uint32_t stream) {
    if (first_ == stream) return;
    if (before_[stream] != kNone) after_[before_[stream]] = after_[stream];
    if (after_[stream] != kNone) before_[after_[stream]] = before_[stream];
    before_[stream] = kNone;
    after_[stream] = first_;
    if (first_ != kNone) before_[first_] = stream;
    first_ = stream;
  }

 private:
  std::vector<std::uint32_t> before_, after_;
  std::uint32_t first_ = kNone;
};

enum class Interleaving : std::uint8_t {
  as_issued,  // operations are added in the order in which the host threads issued them
  any,        // in program order; only what holds however the threads interleave is said
};

// A Listener has a Point, what it keeps of an operation that others may come behind, and
//   begin(operation, stream)  the next operation, in that stream or row of a graph; none: host work
//   behind(point, kind)       it comes behind that one; host work: what its thread issues afterwards does
//   issued(index)             gives its own point, after all that it comes behind; not of host work
//   waited(point)             its call returned when that one was over
//   starts(thread), joins(thread)
//
// A list of streams is emptied when it is read, or read only as far as it changed since the reader's last time, so the
// total time is proportional to operations and what they come behind, whatever the number of streams.
template <class Listener>
class OrderWalk {
 public:
  using Point = typename Listener::Point;

  OrderWalk(const Program& program, Listener& listener, Interleaving interleaving)
      : program_(program),
        listener_(listener),
        any_(interleaving == Interleaving::any),
        streams_(program.streams.size()),
        events_(program.events.size()),
        graphs_(program.graphs.size()),
        legacy_(legacy_streams(program)),
        threads_(program.threads.size(), ThreadState{std::vector<typename ThreadState::OfDevice>(legacy_.size())}),
        latest_(legacy_.size(), RecentStreams(program.streams.size())),
        latest_blocking_(latest_) {
    for (std::size_t graph = 0; graph < graphs_.size(); ++graph) {
      graphs_[graph].last_nodes = last_nodes(program.graphs[graph]);
    }
    if (!any_) return;
    for (const Race& race : find_races(program)) {
      if (!race.stream) events_[race.event.value].raced = true;
    }
  }

  // Each operation once; a graph's nodes right behind their launch.
  void add(OperationIndex index) {
    index_ = index;
    ++rank_;
    const Operation& operation = program_.operations[index];
    viewer_ = any_ ? operation.thread : ThreadId{0};
    if (operation.launch != kNoOperation) return node(operation);
    const auto stream = ordered_in(operation);
    listener_.begin(operation, stream);
    if (stream) return in_stream(operation, *stream);
    host(operation);
  }

 private:
  // That the viewer has come behind all of a stream up to `rank`, with as many joins before it.
  struct Mark {
    std::uint64_t rank = 0;
    ThreadId viewer;
    std::uint32_t joins = 0;
    friend bool operator==(const Mark&, const Mark&) = default;
  };
  struct StreamState {
    LastUses<Point> last;                  // of a launch its last nodes
    std::uint64_t rank = 0;                // of the operation added last, from 1
    Mark legacy;                           // of the legacy stream, by this one's operations
    Mark awaited;                          // of this one, by a host thread
    std::optional<ThreadId> since_legacy;  // is in that one's list
  };
  struct EventState {
    std::optional<StreamId> recorded_in;
    Point point{};
    bool raced = false;  // two threads use it without an order between them: it orders nothing
  };
  struct GraphState {
    std::vector<std::uint32_t> last_nodes;
    std::optional<StreamId> launched_in;
    std::vector<Point> end;  // of that launch
  };
  struct ThreadState {
    struct OfDevice {
      std::uint64_t all = 0, blocking = 0;      // rank up to which it has waited: for all streams, for blocking ones
      std::vector<std::uint32_t> since_legacy;  // blocking streams with work since the last legacy operation
    };
    std::vector<OfDevice> devices;
  };

  bool blocking(StreamId stream) const { return !program_.streams[stream.value].nonblocking; }
  std::uint32_t device_of(StreamId stream) const { return program_.streams[stream.value].device.value; }
  Mark mark(const StreamState& state, ThreadId viewer) const { return {state.rank, viewer, joins_}; }

  void behind(const StreamState& state, DependencyKind kind) {
    for (const auto& [thread, point] : state.last) {
      if (host_order_.before(thread, viewer_)) listener_.behind(point, kind);
    }
  }

  // docs/cuda-rules.md 20
  void node(const Operation& operation) {
    listener_.begin(operation, operation.stream);
    const Operation& call = program_.operations[operation.launch];
    GraphState& graph = graphs_[std::get<op::Launch>(call.work).graph.value];
    const auto& nodes = program_.graphs[std::get<op::Launch>(call.work).graph.value].nodes;
    const std::size_t at = index_ - operation.launch - 1;
    LastUses<Point>& last = streams_[call.stream->value].last;
    if (at == 0) nodes_.clear();
    if (nodes[at].after.empty()) listener_.behind(last.latest().what, DependencyKind::graph);
    for (const std::uint32_t before : nodes[at].after) listener_.behind(nodes_[before], DependencyKind::graph);
    if (const auto* wait = std::get_if<op::Wait>(&operation.work)) {
      if (const EventState* event = recorded(wait->event)) listener_.behind(event->point, DependencyKind::event);
    }
    nodes_.push_back(listener_.issued(index_));
    if (const auto* record = std::get_if<op::Record>(&operation.work)) {
      events_[record->event.value].recorded_in = *operation.stream;
      events_[record->event.value].point = nodes_.back();
    }
    if (nodes_.size() < nodes.size()) return;
    // The launch is over when its last nodes are.
    graph.end.clear();
    for (const std::uint32_t node : graph.last_nodes) graph.end.push_back(nodes_[node]);
    last.replace_latest(graph.end);
  }

  void in_stream(const Operation& operation, StreamId stream) {
    StreamState& state = streams_[stream.value];
    behind(state, DependencyKind::stream);
    legacy_barrier(stream);
    if (const auto* wait = std::get_if<op::Wait>(&operation.work)) {
      // Within one stream its order says it already.
      if (const EventState* event = recorded(wait->event); event != nullptr && *event->recorded_in != stream)
        listener_.behind(event->point, DependencyKind::event);
    } else if (const auto* launch = std::get_if<op::Launch>(&operation.work)) {
      GraphState& graph = graphs_[launch->graph.value];
      if (std::exchange(graph.launched_in, stream) != stream) {
        for (const Point& point : graph.end) listener_.behind(point, DependencyKind::graph);
      }
    }
    issued(operation, stream, listener_.issued(index_));
  }

  // Between the legacy default stream of a device and its blocking ones, in either direction.
  void legacy_barrier(StreamId stream) {
    StreamState& state = streams_[stream.value];
    const std::uint32_t device = device_of(stream);
    if (legacy_[device] == stream) {
      std::vector<std::uint32_t>& since = threads_[viewer_.value].devices[device].since_legacy;
      for (const std::uint32_t other : since) {
        behind(streams_[other], DependencyKind::legacy);
        if (streams_[other].since_legacy == viewer_) streams_[other].since_legacy.reset();
      }
      since.clear();
    } else if (blocking(stream) && legacy_[device]) {
      // Where the stream has work since the last legacy operation, that work waited for it already.
      const StreamState& legacy = streams_[legacy_[device]->value];
      if (state.legacy != mark(legacy, viewer_)) behind(legacy, DependencyKind::legacy);
      state.legacy = mark(legacy, viewer_);
    }
  }

  void issued(const Operation& operation, StreamId stream, Point point) {
    StreamState& state = streams_[stream.value];
    if (const auto* record = std::get_if<op::Record>(&operation.work)) {
      events_[record->event.value].recorded_in = stream;
      events_[record->event.value].point = point;
    }
    state.rank = rank_;
    const std::uint32_t device = device_of(stream);
    latest_[device].move_to_front(stream.value);
    if (legacy_[device] != stream && blocking(stream)) {
      latest_blocking_[device].move_to_front(stream.value);
      if (state.since_legacy != viewer_) threads_[viewer_.value].devices[device].since_legacy.push_back(stream.value);
      state.since_legacy = viewer_;
    }
    if (is_blocking_copy(operation.work) && !returns_after_staging(program_, std::get<op::Copy>(operation.work))) {
      listener_.waited(point);
      state.awaited = mark(state, operation.thread);
    }
    state.last.add(host_order_, viewer_, std::move(point));
  }

  void host(const Operation& operation) {
    ThreadState& thread = threads_[operation.thread.value];
    std::visit(
        [&](const auto& work) {
          using T = std::decay_t<decltype(work)>;
          if constexpr (std::is_same_v<T, op::SyncDevice>) {
            if (work.device.value >= legacy_.size()) return;  // it has no streams
            auto& known = thread.devices[work.device.value];
            wait_for_new(latest_[work.device.value], known.all, operation.thread);
            known.all = known.blocking = rank_;
          } else if constexpr (std::is_same_v<T, op::SyncStream> || std::is_same_v<T, op::PollStream>) {
            if (asks_once(operation.work)) return;
            if (const std::uint32_t device = device_of(work.stream); legacy_[device] == work.stream) {
              wait_for_new(latest_blocking_[device], thread.devices[device].blocking, operation.thread);
              thread.devices[device].blocking = rank_;
            }
            wait_for(work.stream.value, operation.thread);
          } else if constexpr (std::is_same_v<T, op::SyncEvent> || std::is_same_v<T, op::PollEvent>) {
            if (asks_once(operation.work)) return;
            if (const EventState* event = recorded(work.event)) listener_.behind(event->point, DependencyKind::host);
          } else if constexpr (std::is_same_v<T, op::StartThread>) {
            threads_[work.thread.value] = thread;
            listener_.starts(work.thread);
          } else if constexpr (std::is_same_v<T, op::JoinThread>) {
            join(thread, work.thread);
            listener_.joins(work.thread);
          }
        },
        operation.work);
  }

  void join(ThreadState& thread, ThreadId other) {
    const ThreadState& joined = threads_[other.value];
    if (any_) {
      host_order_.join(other);
      ++joins_;
    }
    for (std::size_t device = 0; device < thread.devices.size(); ++device) {
      auto& own = thread.devices[device];
      const auto& its = joined.devices[device];
      if (!any_) {
        own.all = std::max(own.all, its.all);
        own.blocking = std::max(own.blocking, its.blocking);
        continue;
      }
      // Operations come into view that were not there when it waited.
      own.all = own.blocking = 0;
      std::vector<std::uint32_t>& since = own.since_legacy;
      since.insert(since.end(), its.since_legacy.begin(), its.since_legacy.end());
      std::sort(since.begin(), since.end());
      since.erase(std::unique(since.begin(), since.end()), since.end());
    }
  }

  // Its latest record; null where there is none that the operation can count on.
  const EventState* recorded(EventId id) const {
    const EventState& event = events_[id.value];
    return event.recorded_in && !event.raced ? &event : nullptr;
  }

  void wait_for_new(const RecentStreams& streams, std::uint64_t known, ThreadId thread) {
    for (std::uint32_t at = streams.first(); at != RecentStreams::kNone && streams_[at].rank > known;
         at = streams.next(at)) {
      wait_for(at, thread);
    }
  }

  void wait_for(std::uint32_t stream, ThreadId thread) {
    StreamState& state = streams_[stream];
    const std::uint64_t known = threads_[thread.value].devices[device_of(StreamId{stream})].all;
    if (state.rank <= known || state.awaited == mark(state, thread)) return;
    behind(state, DependencyKind::host);
    state.awaited = mark(state, thread);
  }

  const Program& program_;
  Listener& listener_;
  bool any_;
  std::vector<StreamState> streams_;
  std::vector<EventState> events_;
  std::vector<GraphState> graphs_;
  std::vector<std::optional<StreamId>> legacy_;  // by device
  std::vector<ThreadState> threads_;
  std::vector<RecentStreams> latest_, latest_blocking_;  // by device
  std::uint32_t joins_ = 0;                              // in any interleaving
  OperationIndex index_ = 0;
  std::uint64_t rank_ = 0;
  HostOrder host_order_;      // in any interleaving
  ThreadId viewer_;           // who issues it; as issued all is seen, as if one thread did
  std::vector<Point> nodes_;  // of the launch that is gone through
};

}  // namespace streamscope::program
