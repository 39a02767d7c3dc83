#include "engine/trace/span.h"

namespace streamscope::trace {

std::string_view name(Source which) { return kNames<Source>[static_cast<std::size_t>(which)]; }
std::string_view name(WaitReason reason) { return kNames<WaitReason>[static_cast<std::size_t>(reason)]; }

bool shares_copy_engine(const Span& waiting, const Span& busy) {
  const auto one_way = [](const Span& span) { return span.engine == Engine::h2d || span.engine == Engine::d2h; };
  return waiting.reason == WaitReason::engine && waiting.device == busy.device && one_way(waiting) && one_way(busy) &&
         waiting.engine != busy.engine;
}

}  // namespace streamscope::trace
