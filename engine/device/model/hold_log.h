// What held each operation in a simulation, as the mechanisms that held it had it: for tests of what is concluded from
// the spans. A run without a log pays a comparison here and there.
//
// A dependency holds from the submission of the operation to the end of what it depends on; a place behind another
// stream's operation in a shared channel from the submission until that one leaves the channel. An occupant (of an
// engine, of the thread that runs host functions, of the multiprocessors) holds from the later of the operation's
// readiness and its own start until it ends or, of a kernel, until it makes the room that the operation starts in. A
// kernel beside which the operation starts, and which made no room for it, held nothing up; nor does a launch gap.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "engine/base/id.h"
#include "engine/base/name_table.h"
#include "engine/base/time.h"

namespace streamscope::model {

enum class HoldKind : std::uint8_t {
  stream,    // the operation before it in its stream
  legacy,    // the legacy default stream's barrier
  event,     // an event that its stream waits for
  graph,     // a node before it in its graph; of a launch the one before of the same executable graph
  pool,      // memory that it takes was freed in another stream
  queue,     // an operation of another stream ahead of it in a channel
  occupant,  // what has its engine or the multiprocessors
};

struct Hold {
  OperationIndex operation = kNoOperation, by = kNoOperation;
  HoldKind kind = HoldKind::stream;
  Nanoseconds from = kAbsent, until = kAbsent;
  friend auto operator<=>(const Hold&, const Hold&) = default;
};

class HoldLog {
 public:
  // `slot`: what the simulation knows that dependency by, until it is released.
  void depend(std::uint32_t slot, const Hold& hold) {
    if (of_slot_.size() <= slot) of_slot_.resize(slot + 1);
    of_slot_[slot] = holds_.size();
    holds_.push_back(hold);
  }
  void release(std::uint32_t slot, Nanoseconds at) { holds_[of_slot_[slot]].until = at; }

  // `by` is right ahead of it in a channel.
  void queue(OperationIndex operation, OperationIndex by, Nanoseconds at) {
    behind_[by] = holds_.size();
    holds_.push_back({operation, by, HoldKind::queue, at, kAbsent});
  }
  void leave_queue(OperationIndex by, Nanoseconds at) {
    if (const auto held = behind_.find(by); held != behind_.end()) holds_[held->second].until = at;
  }

  // It begins on a unit; ready since then. `after` made way for it there; kNoOperation: it did not wait for the unit.
  void begin(std::size_t unit, OperationIndex operation, Nanoseconds ready, OperationIndex after, Nanoseconds at) {
    if (units_.size() <= unit) units_.resize(unit + 1);
    for (const Occupant& one : units_[unit]) {
      const bool over = known(one.until);
      if (after == kNoOperation || (!over && one.operation != after)) continue;
      const Nanoseconds until = over ? one.until : at;
      if (until > ready)
        holds_.push_back({operation, one.operation, HoldKind::occupant, std::max(ready, one.from), until});
    }
    begun_[operation] = {unit, units_[unit].size()};
    units_[unit].push_back({operation, at, kAbsent});
  }
  void end(OperationIndex operation, Nanoseconds at) {
    if (const auto its = begun_.find(operation); its != begun_.end()) {
      units_[its->second.first][its->second.second].until = at;
    }
  }

  // By operation; without what was over when it would have begun.
  std::vector<Hold> holds() && {
    std::erase_if(holds_, [](const Hold& hold) { return !known(hold.until) || hold.until <= hold.from; });
    std::sort(holds_.begin(), holds_.end());
    return std::move(holds_);
  }

 private:
  struct Occupant {
    OperationIndex operation;
    Nanoseconds from, until;
  };
  std::vector<Hold> holds_;
  std::vector<std::size_t> of_slot_;
  std::map<OperationIndex, std::size_t> behind_;                         // by what is ahead
  std::map<OperationIndex, std::pair<std::size_t, std::size_t>> begun_;  // where it is in units_
  std::vector<std::vector<Occupant>> units_;                             // in order of their begins
};

}  // namespace streamscope::model

template <>
inline constexpr streamscope::NameTable<7> streamscope::kNames<streamscope::model::HoldKind>{
    "stream", "legacy", "event", "graph", "pool", "queue", "occupant"};
