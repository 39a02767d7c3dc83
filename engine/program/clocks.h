// Vector clocks over a program's streams: has an earlier operation ended before another one starts, by CUDA's order?
//
// Goes along with the operations in issue order. The rules are those of order.h; what the host has waited for counts
// for all that is issued afterwards.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/program/program.h"

namespace streamscope {

// Where an operation stands: the stream it is ordered in and its number there, from 1. Number 0 stands before all.
struct Position {
  std::uint32_t stream = 0;
  std::uint32_t number = 0;
};

class Clocks {
 public:
  explicit Clocks(const Program& program);

  // Takes the next operation. Its place in its stream, where it has one.
  std::optional<Position> enter(const Operation& operation);
  // Once its accesses have been looked at: what holds for the operations after it.
  void leave(const Operation& operation);

  // Of a position taken earlier, seen from the operation entered last (in `stream`, or on the host).
  bool ended_before(Position earlier, std::optional<StreamId> stream) const;

  // Set when the order became too much to follow (very many streams times very many joins): then some order is not
  // seen.
  bool gave_up() const { return work_ > kMaximumWork || *live_ > kMaximumLive; }

 private:
  using Seen = std::vector<std::uint32_t>;  // of each stream, how many of its operations have ended
  using Shared = std::shared_ptr<const Seen>;

  struct StreamState {
    std::uint32_t number = 0;          // operations so far
    Shared seen;                       // of other streams, by events and the legacy stream; null for none
    std::uint32_t legacy_version = 0;  // of legacy_ that `seen` contains
    bool since_legacy = false;
  };
  struct Recorded {
    Position position;
    Shared seen;
  };

  bool blocking(std::uint32_t stream) const { return !program_.streams[stream].nonblocking; }
  Shared joined(const Shared& left, const Shared& right);
  Shared made(Seen seen);
  Shared with(const Shared& seen, Position position);
  void into(Seen& all, const Shared& seen);
  void see_legacy(std::uint32_t stream);
  void gather_legacy();
  void wait_for(const Recorded& recorded);
  void wait_for_stream(StreamId stream);

  static constexpr std::uint64_t kMaximumWork = 4'000'000'000;  // clock entries compared: about a second or two
  static constexpr std::uint64_t kMaximumLive = 100'000'000;    // clock entries kept: 400 MB

  const Program& program_;
  std::vector<StreamState> streams_;
  std::vector<Recorded> events_;  // the latest record of each
  std::vector<std::uint32_t> since_legacy_;
  Seen legacy_;  // what every operation entered in a blocking stream comes after
  std::uint32_t legacy_version_ = 0;
  Shared legacy_shared_;
  Seen host_;  // what the host has waited for
  std::vector<std::uint32_t> since_device_;
  std::vector<bool> in_since_device_;
  std::uint64_t work_ = 0;
  std::shared_ptr<std::uint64_t> live_ = std::make_shared<std::uint64_t>(0);
};

}  // namespace streamscope
