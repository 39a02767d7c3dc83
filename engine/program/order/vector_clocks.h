// Vector clocks over a program's streams: has an earlier operation ended before another one starts, in the order that
// CUDA promises, however the host threads interleave? They listen to the walk of order_walk.h.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/program/order/order.h"

namespace streamscope::program {

// A lane holds what one host thread does in one stream, or by itself; its operations end in the order of their numbers,
// which count from 1. Number 0 is before all of them.
struct Position {
  std::uint32_t lane = 0;
  std::uint32_t number = 0;
  friend bool operator==(const Position&, const Position&) = default;
};

class VectorClocks {
  using Clock = std::vector<std::uint32_t>;  // of each lane, how many of its operations have ended
  using SharedClock = std::shared_ptr<const Clock>;

 public:
  struct Point {
    Position position;
    SharedClock before;  // what it comes after in other lanes, but for what its host thread has waited for
    mutable std::weak_ptr<const Clock> with;  // that and itself, while a later one holds it
  };

  explicit VectorClocks(const Program& program);

  void begin(const Operation& operation, std::optional<StreamId> stream);
  void behind(const Point& point, DependencyKind);
  Point issued(OperationIndex);
  void waited(const Point& point);
  void starts(ThreadId thread);
  void joins(ThreadId thread);

  // Of the operation begun last: its position in its stream, where it has one.
  std::optional<Position> position() const;
  // The position of what its host thread itself does in it; none where there is only one thread.
  std::optional<Position> host_position();
  // Whether the operation at an earlier position has ended before it starts.
  bool ended_before(Position earlier) const;

  // The order was too costly to follow (very many streams times very many joins): some of it is missing.
  bool gave_up() const { return steps_ > kMaximumSteps || *live_entries_ > kMaximumLiveEntries; }

 private:
  static constexpr std::uint64_t kMaximumSteps = 4'000'000'000;      // clock entries compared: about a second or two
  static constexpr std::uint64_t kMaximumLiveEntries = 100'000'000;  // clock entries kept: 400 MB

  void number_lanes();
  std::uint32_t lane_of(StreamId stream, ThreadId thread) const;
  std::shared_ptr<Clock> share(Clock clock);
  SharedClock with(const Point& point);
  static bool comes_after(const Point& point, Position earlier);
  void add(Clock& all, const Point& point);

  const Program& program_;
  // First a lane of the main thread for each stream, then those of other threads, then one for each thread itself where
  // there are several.
  std::uint32_t lanes_ = 0, host_lanes_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> lane_by_use_;
  Clock issued_;              // how many of each lane
  std::vector<Clock> hosts_;  // what each host thread has waited for, while it runs

  // Of the operation begun last.
  ThreadId thread_;
  std::optional<std::uint32_t> lane_;  // none: host work
  SharedClock clock_;                  // what it comes after in other lanes
  Position newest_;                    // which came after all others in `clock_`; number 0: none yet; or kSeveral
  std::shared_ptr<Clock> own_clock_;   // of kSeveral: `clock_`, made for this operation
  const Clock* added_ = nullptr;       // what was added to a clock last
  std::uint64_t steps_ = 0;
  std::shared_ptr<std::uint64_t> live_entries_ = std::make_shared<std::uint64_t>(0);
};

}  // namespace streamscope::program
