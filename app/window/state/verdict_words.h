// How people read of what the verdict names. In files these have short names of their own (kNames).
#pragma once

#include <string>

#include "engine/verdict/call_slices.h"
#include "engine/verdict/causes.h"
#include "engine/verdict/execution_slices.h"

namespace streamscope::window {

std::string in_words(verdict::Cause cause);      // "pageable copies"
std::string in_words(verdict::WaitCause cause);  // of an operation: "its engine, busy"
std::string in_words(verdict::SlowCause cause);  // of an execution: "copies the other way"
std::string in_words(verdict::CallCause cause);  // of a host call: "a full launch queue"

}  // namespace streamscope::window
