// What work on mapped memory asks of the bus, and how long it takes: the device reads such memory as a copy to the
// device does, and writes it as a copy to the host does.
#pragma once

#include "engine/device/model/profile/profile.h"
#include "engine/program/program.h"

namespace streamscope::model {

struct BusUse {
  bool in = false, out = false;  // to the device, to the host
  bool any() const { return in || out; }
};
// Of a memset or a copy within the device; of everything else, nothing.
BusUse bus_use(const program::Program& program, const program::Work& work);

// Of a copy, as if all bytes were in a row: short rows count for more than they hold.
std::uint64_t carried_bytes(const program::Range& range);

// With nothing else on the bus.
Nanoseconds memset_time(const Profile& profile, const program::Program& program, const program::op::Memset& memset);
Nanoseconds copy_on_device_time(const Profile& profile, const program::Program& program,
                                const program::op::CopyOnDevice& copy);

}  // namespace streamscope::model
