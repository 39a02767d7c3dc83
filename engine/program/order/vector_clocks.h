// Vector clocks over a program's streams: has an earlier operation ended before another one starts, by CUDA's order and
// whatever the host threads do?
//
// Goes along with the operations in program order. The rules are those of order.h; what a host thread has waited for
// counts for all that it issues afterwards. Each thread has its own view of what was issued: a thread begins with its
// starter's, and a join adds the joined one's. An event that threads use without an order between them orders nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/program/program.h"

namespace streamscope::program {

// Where an operation stands: its lane, which is what one host thread does in one stream (or itself), and its number
// there, from 1. Operations of a lane end in the order of their numbers. Number 0 stands before all.
struct Position {
  std::uint32_t lane = 0;
  std::uint32_t number = 0;
  friend bool operator==(const Position&, const Position&) = default;
};

class Clocks {
 public:
  explicit Clocks(const Program& program);

  // Takes the next operation. Its place in its stream, where it has one.
  std::optional<Position> enter(OperationIndex index);
  // The place of what the host thread itself does in the operation entered last; none where there is one thread, whose
  // own order says it all.
  std::optional<Position> by_host();
  // Once its accesses have been looked at: what holds for the operations after it.
  void leave();

  // Of a position taken earlier, seen from the operation entered last.
  bool ended_before(Position earlier) const;

  // Set when the order became too much to follow (very many streams times very many joins): then some order is not
  // seen.
  bool gave_up() const { return work_ > kMaximumWork || *live_ > kMaximumLive; }

 private:
  using Seen = std::vector<std::uint32_t>;  // of each lane, how many of its operations have ended
  using Shared = std::shared_ptr<const Seen>;

  struct StreamState {
    Position last;
    Shared seen;                       // of other lanes, by events, graphs and the legacy stream; null for none
    std::uint32_t legacy_version = 0;  // of View::legacy that `seen` contains
    bool since_legacy = false;
  };
  struct Recorded {
    Position position;
    StreamId stream;
    Shared seen;
  };
  // What one host thread knows to have been issued before.
  struct View {
    std::vector<StreamState> streams;
    std::vector<std::uint32_t> since_legacy;
    Seen legacy;  // what every operation entered in a blocking stream comes after
    std::uint32_t legacy_version = 0;
    Shared legacy_shared;
    Seen host;                                // what the host thread has waited for
    Seen issued;                              // how many of each lane
    std::vector<std::uint32_t> since_device;  // lanes
    std::vector<bool> in_since_device;
  };
  struct NodeState {
    Position position;
    Shared seen;  // but for its own lane
  };

  bool blocking(std::uint32_t stream) const { return !program_.streams[stream].nonblocking; }
  void number_lanes();
  std::uint32_t lane_of(StreamId stream, ThreadId thread) const;
  std::uint64_t size_of_view() const { return 4 * lanes_ + 8 * program_.streams.size(); }

  Shared joined(const Shared& left, const Shared& right);
  Shared made(Seen seen);
  Shared with(const Shared& seen, Position position);
  void into(Seen& all, const Shared& seen);

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

  static constexpr std::uint64_t kMaximumWork = 4'000'000'000;  // clock entries compared: about a second or two
  static constexpr std::uint64_t kMaximumLive = 100'000'000;    // clock entries kept: 400 MB

  const Program& program_;
  // A lane for each stream, which is the main thread's; behind them those of other threads, and one for each thread
  // itself where there are several.
  std::uint32_t lanes_ = 0, host_lanes_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> lane_by_use_;
  std::vector<std::unique_ptr<View>> views_;  // of each thread, while it runs
  std::vector<Recorded> events_;              // the latest record of each
  std::vector<bool> unordered_events_;
  std::vector<Shared> after_graph_;  // of each graph, its latest launch
  std::vector<std::vector<std::uint32_t>> last_nodes_;
  std::uint32_t legacy_versions_ = 0;

  // Of the operation entered last.
  OperationIndex index_ = 0;
  View* view_ = nullptr;
  std::optional<StreamId> stream_;  // that it is ordered in; of a node, its launch's
  std::uint32_t lane_ = 0;
  bool is_node_ = false;
  std::vector<NodeState> nodes_;  // of the launch that is gone through
  Shared before_nodes_;           // what its first nodes come after
  std::uint64_t work_ = 0;
  std::shared_ptr<std::uint64_t> live_ = std::make_shared<std::uint64_t>(0);
};

}  // namespace streamscope::program
