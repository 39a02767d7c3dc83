// Vector clocks over a program's streams: has an earlier operation ended before another one starts, in the order that
// CUDA promises, however the host threads interleave?
//
// Operations are entered in program order. The rules are those of order.h; what a host thread has waited for holds for
// all that it issues afterwards. Each thread has its own view of what was issued: a thread begins with the view of the
// thread that starts it, and a join adds the view of the one that ended. An event that two threads use without an order
// between them orders nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/program/program.h"

namespace streamscope::program {

// A lane holds what one host thread does in one stream, or by itself; its operations end in the order of their numbers,
// which count from 1. Number 0 is before all of them.
struct Position {
  std::uint32_t lane = 0;
  std::uint32_t number = 0;
  friend bool operator==(const Position&, const Position&) = default;
};

class VectorClocks {
 public:
  explicit VectorClocks(const Program& program);

  // Takes the next operation. Gives its position in its stream, where it has one.
  std::optional<Position> enter(OperationIndex index);
  // The position of what the host thread itself does in the operation entered last; none where there is only one
  // thread.
  std::optional<Position> enter_host();
  // After the accesses of the operation entered last have been checked.
  void leave();

  // Whether the operation at an earlier position has ended before the one entered last starts.
  bool ended_before(Position earlier) const;

  // The order was too costly to follow (very many streams times very many joins): some of it is missing.
  bool gave_up() const { return steps_ > kMaximumSteps || *live_entries_ > kMaximumLiveEntries; }

 private:
  using Clock = std::vector<std::uint32_t>;  // of each lane, how many of its operations have ended
  using SharedClock = std::shared_ptr<const Clock>;

  struct StreamState {
    Position last;
    SharedClock clock;                 // of other lanes, by events, graphs and the legacy stream; null for none
    std::uint32_t legacy_version = 0;  // of View::legacy that `seen` contains
    bool since_legacy = false;
  };
  struct Recorded {
    Position position;
    StreamId stream;
    SharedClock clock;
  };
  // What one host thread knows to have been issued before.
  struct View {
    std::vector<StreamState> streams;
    std::vector<std::uint32_t> since_legacy;
    Clock legacy;  // what every operation entered in a blocking stream comes after
    std::uint32_t legacy_version = 0;
    SharedClock legacy_shared;
    Clock host;                               // what the host thread has waited for
    Clock issued;                             // how many of each lane
    std::vector<std::uint32_t> since_device;  // lanes
    std::vector<bool> in_since_device;
  };
  struct NodeState {
    Position position;
    SharedClock clock;  // but for its own lane
  };

  bool blocking(std::uint32_t stream) const { return !program_.streams[stream].nonblocking; }
  void number_lanes();
  std::uint32_t lane_of(StreamId stream, ThreadId thread) const;
  std::uint64_t size_of_view() const { return 4 * lanes_ + 8 * program_.streams.size(); }

  SharedClock join(const SharedClock& left, const SharedClock& right);
  SharedClock share(Clock clock);
  SharedClock extended(const SharedClock& clock, Position position);
  void max_into(Clock& all, const SharedClock& clock);

  Position issue(std::uint32_t lane);
  void host_waits(const Operation& operation);
  Position enter_stream(const Operation& operation, StreamId stream);
  Position enter_node(const Operation& operation);
  void leave_launch(const op::Launch& launch);
  void change_legacy();
  void see_legacy(std::uint32_t stream);
  void gather_legacy();
  void wait_for(const Recorded& recorded);
  void wait_for_stream(StreamId stream);
  static bool contains(const StreamState& state, Position position);
  void merge(View& view, const View& other);
  void merge(StreamState& state, const StreamState& other);

  static constexpr std::uint64_t kMaximumSteps = 4'000'000'000;      // clock entries compared: about a second or two
  static constexpr std::uint64_t kMaximumLiveEntries = 100'000'000;  // clock entries kept: 400 MB

  const Program& program_;
  // First a lane of the main thread for each stream, then those of other threads, then one for each thread itself where
  // there are several.
  std::uint32_t lanes_ = 0, host_lanes_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> lane_by_use_;
  std::vector<std::unique_ptr<View>> views_;  // of each thread, while it runs
  std::vector<Recorded> events_;              // the latest record of each
  std::vector<bool> unordered_events_;
  std::vector<SharedClock> after_graph_;  // of each graph, its latest launch
  std::vector<std::vector<std::uint32_t>> last_nodes_;
  std::uint32_t legacy_versions_ = 0;

  // Of the operation entered last.
  OperationIndex index_ = 0;
  View* view_ = nullptr;
  std::optional<StreamId> stream_;  // that it is ordered in; of a node, its launch's
  std::uint32_t lane_ = 0;
  bool is_node_ = false;
  std::vector<NodeState> nodes_;  // of the launch that is gone through
  SharedClock before_nodes_;      // what its first nodes come after
  std::uint64_t steps_ = 0;
  std::shared_ptr<std::uint64_t> live_entries_ = std::make_shared<std::uint64_t>(0);
};

}  // namespace streamscope::program
