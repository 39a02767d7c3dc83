// What held each operation in a simulation, as the mechanisms that held it had it: for tests of what is concluded from
// the spans. A run without a log pays a comparison here and there.
//
// A dependency holds from the submission of the operation to the end of what it depends on; a place behind another
// stream's operation in a shared channel from the submission until that one leaves the channel. What occupies an
// engine, the thread that runs host functions or the multiprocessors holds from the later of the operation's readiness
// and its own start until it ends or makes room; a pause of the unit says that nothing waited for it, but not
// the pause in which it tells others of what it did, if what came next waited for that. A launch gap is nobody's.
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

  // It begins on a unit that carries out one operation after the other; ready since then. What the unit was busy with
  // until now, without a pause, held it, if it waited for the unit at all.
  void begin(std::size_t unit, OperationIndex operation, Nanoseconds ready, bool waited, Nanoseconds at) {
    std::vector<Occupant>& all = unit_of(unit);
    Nanoseconds busy_from = at;
    bool next_waited = waited;
    for (auto one = all.rbegin(); waited && one != all.rend() && busy_from > ready; ++one) {
      if ((next_waited ? one->free : one->until) != busy_from) break;
      hold(operation, ready, *one, one->until);
      busy_from = one->from;
      next_waited = one->waited;
    }
    add(unit, operation, at, waited);
  }
  // It gets its first block on the multiprocessors, where `after` made room for it; kNoOperation: it did not wait for
  // room. Those that run on were in its way until that one began, which was so from then on.
  void begin_beside_others(std::size_t unit, OperationIndex operation, Nanoseconds ready, OperationIndex after,
                           Nanoseconds at) {
    std::vector<Occupant>& all = unit_of(unit);
    if (const auto its = begun_.find(after); its != begun_.end()) {
      const Nanoseconds way_made_from = units_[its->second.first][its->second.second].from;
      for (const Occupant& one : all) {
        const bool runs_on = !known(one.until);
        hold(operation, ready, one, !runs_on ? one.until : one.operation == after ? at : way_made_from);
      }
    }
    add(unit, operation, at, false);
  }
  void end(OperationIndex operation, Nanoseconds at) {
    if (const auto its = begun_.find(operation); its != begun_.end()) {
      Occupant& one = units_[its->second.first][its->second.second];
      one.until = at;
      one.free = std::max(one.free, at);
    }
  }
  // Its unit has more to do for it, until then.
  void free(OperationIndex operation, Nanoseconds at) {
    const auto& [unit, index] = begun_.at(operation);
    units_[unit][index].free = at;
  }

  void migrate(OperationIndex operation, std::uint64_t bytes) { migrated_[operation] += bytes; }
  // By operation: of managed memory, the bytes that it moved to the device or back.
  const std::map<OperationIndex, std::uint64_t>& migrated() const { return migrated_; }

  // By operation. A dependency that ended while the call was under way is over before it begins; other holds that would
  // be so are left out.
  std::vector<Hold> holds() && {
    std::erase_if(holds_, [](const Hold& hold) {
      const bool dependency = hold.kind != HoldKind::queue && hold.kind != HoldKind::occupant;
      return !known(hold.until) || (!dependency && hold.until <= hold.from);
    });
    std::sort(holds_.begin(), holds_.end());
    return std::move(holds_);
  }

 private:
  struct Occupant {
    OperationIndex operation;
    Nanoseconds from, until, free;  // free: of the unit
    bool waited;                    // for the unit
  };
  std::vector<Occupant>& unit_of(std::size_t unit) {
    if (units_.size() <= unit) units_.resize(unit + 1);
    return units_[unit];
  }
  void add(std::size_t unit, OperationIndex operation, Nanoseconds at, bool waited) {
    begun_[operation] = {unit, units_[unit].size()};
    units_[unit].push_back({operation, at, kAbsent, kAbsent, waited});
  }
  void hold(OperationIndex operation, Nanoseconds ready, const Occupant& by, Nanoseconds until) {
    holds_.push_back({operation, by.operation, HoldKind::occupant, std::max(ready, by.from), until});
  }

  std::map<OperationIndex, std::uint64_t> migrated_;
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
