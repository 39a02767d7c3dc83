// A verdict in words. Internal to this room.
#pragma once

#include <string>

#include "engine/remedy/explain.h"

namespace streamscope::remedy {

// What a cause did to the run: a sentence, without the change that would help.
std::string sentence(const verdict::Judgement& judgement, const Entry& entry, Nanoseconds makespan);

}  // namespace streamscope::remedy
