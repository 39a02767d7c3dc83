#include "engine/trace/span.h"

namespace streamscope::trace {

std::string_view name(Source which) { return kNames<Source>[static_cast<std::size_t>(which)]; }
std::string_view name(WaitReason reason) { return kNames<WaitReason>[static_cast<std::size_t>(reason)]; }

}  // namespace streamscope::trace
