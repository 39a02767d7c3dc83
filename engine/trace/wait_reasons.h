// What each reason for a wait means, in a sentence.
#pragma once

#include <string_view>

#include "engine/trace/span.h"

namespace streamscope::trace {

// Looked up in the catalogue of messages where it is shown. `remedy`: what would shorten the wait; may be empty.
struct WaitReasonHelp {
  std::string_view sentence, remedy;
};
const WaitReasonHelp& help(WaitReason reason);

}  // namespace streamscope::trace
