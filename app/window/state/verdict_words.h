// How people read of what the verdict names. In files these have short names of their own (kNames).
#pragma once

#include <string>

#include "engine/verdict/causes.h"

namespace streamscope::window {

std::string in_words(verdict::Cause cause);      // "pageable copies"
std::string in_words(verdict::IdleCause cause);  // of an engine: "nothing issued: the host is in a call"
std::string in_words(verdict::WaitCause cause);  // of an operation: "its engine, busy"

}  // namespace streamscope::window
