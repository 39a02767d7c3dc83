// Why a run on a faster machine took longer: the first time in it that is later than in the run on the slower one.
//
// All that came before it was no later, so it is no consequence of another delay. What can make it later all the same
// is known for each kind of time, and is looked for in both runs; each is a scheduling anomaly, of the model's hardware
// as of a real one, and has a name. Where there is none of them, something is wrong.
#pragma once

#include <string>
#include <string_view>

#include "engine/device/model/model.h"
#include "engine/program/program.h"

namespace streamscope::generated {

struct Lag {
  std::string_view anomaly;  // "order", ...; empty: none is found
  std::string what;          // the operation, and its times in both runs
};
// The wall time must be later in `faster`.
Lag first_lag(const program::Program& program, const model::Profile& profile, const model::LoggedRun& slower,
              const model::LoggedRun& faster);

}  // namespace streamscope::generated
