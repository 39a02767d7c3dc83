// A model of a GPU behind the device interface: the same programs, simulated. Deterministic, exact integer time.
// README.md in this folder says what is simulated, by which rule and number, and what is not.
#pragma once

#include <map>
#include <memory>

#include "engine/device/device.h"
#include "engine/device/model/hold_log.h"
#include "engine/device/model/profile/profile.h"

namespace streamscope::model {

// The profile must be valid, as parse_profile() leaves it.
std::unique_ptr<device::Device> make_model(Profile profile);

// A program's wall time on a profile, without spans: fitting a profile needs it very often.
// Error bad_input: the device cannot run it.
Result<Nanoseconds> predict_wall(const Profile& profile, const program::Program& program);

// A pass with what held each operation in it. Error bad_input: the device cannot run it.
struct LoggedRun {
  device::Pass pass;
  std::map<OperationIndex, std::uint64_t> migrated;  // bytes of managed memory that it moved
  std::vector<Hold> holds;                           // by operation
};
Result<LoggedRun> run_logged(const Profile& profile, const program::Program& program);

}  // namespace streamscope::model
