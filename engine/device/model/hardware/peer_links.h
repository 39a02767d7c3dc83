// Copies between devices. Nothing queues there: all that are under way share the ways out of and into their devices,
// or, where there is no such way, the buses to the host.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/device/model/hardware/engine_queue.h"

namespace streamscope::model {

struct PeerTransfer {
  OperationIndex operation = kNoOperation;
  std::uint32_t from = 0, to = 0;  // devices
  Nanoseconds alone = 0;           // how long it takes with nothing beside it
  bool over_bus = false;           // it takes the buses that copies to and from the host take
};

class PeerLinks {
 public:
  PeerLinks(const Profile::Links& links, std::size_t devices) : links_(links), use_(devices) {}

  // It begins. share() must follow before next() is called.
  void add(Nanoseconds now, const PeerTransfer& transfer);
  // The next end if nothing changes; kNever where none is under way.
  Nanoseconds next() const { return next_; }
  // Appends those that have ended by now; share() must follow where there were any.
  void finish(Nanoseconds now, std::vector<OperationIndex>& ended);

  // How many transfers the bus of a device carries in each direction, and what else does.
  struct BusUsers {
    std::uint32_t in = 0, out = 0;
  };
  BusUsers on_bus(std::size_t device) const { return use_[device].bus; }
  // Divides the rates; `others`: by device.
  void share(Nanoseconds now, const std::vector<BusUsers>& others);

 private:
  struct Active {
    PeerTransfer transfer;
    __int128 left = 0;  // nanoseconds at full rate, in millionths
    std::uint32_t rate = EngineQueue::kFullRate;
  };
  struct Use {
    std::uint32_t in = 0, out = 0;  // over links
    BusUsers bus;
  };

  void catch_up(Nanoseconds now);
  void count(const PeerTransfer& transfer, int by);
  std::uint32_t rate_of(const PeerTransfer& transfer, const std::vector<BusUsers>& others) const;

  const Profile::Links& links_;
  std::vector<Use> use_;  // by device
  std::vector<Active> active_;
  Nanoseconds since_ = 0, next_ = kNever;
};

}  // namespace streamscope::model
