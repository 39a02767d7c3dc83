#include "engine/remedy/without.h"

#include <algorithm>

#include "engine/verdict/touched.h"

namespace streamscope::remedy {

using verdict::Cause;

std::vector<device::DeviceSpec::Change> without(Cause cause) {
  switch (cause) {
    case Cause::implicit_sync: return {{"host.malloc_waits", "false"}, {"host.free_waits", "false"}};
    case Cause::driver_lock: return {{"host.calls_take_turns", "0"}};
    case Cause::launch_queue_full: return {{"streams.queue_depth", "1000000000"}};
    case Cause::host_late: return {{"host.pace", "0.1"}};  // the least there is
    case Cause::copy_engine_shared: return {{"copies.engines", "2"}};
    default: return {};
  }
}

std::vector<Cause> causes_of_the_device(const verdict::Judgement& judgement) {
  const verdict::History& history = judgement.history;
  std::vector<Cause> all;
  // A faster host stages faster, too, which is another cause.
  bool stages = false;
  for (OperationIndex i = 0; i < history.size(); ++i) stages = stages || verdict::touched(history, i).pageable;
  if (!stages) all.push_back(Cause::host_late);
  const bool allocates = std::ranges::any_of(history.spans(), [](const trace::Span& one) {
    return may_wait_unasked(one.kind) && one.stream == trace::Span::kNoStream;
  });
  const auto any_device = [&](const auto& is) { return std::ranges::any_of(history.trace().device_facts, is); };
  if (allocates) all.push_back(Cause::implicit_sync);
  if (history.calls().size() > 1) all.push_back(Cause::driver_lock);
  if (any_device([&](const auto& its) { return its.queue_depth > 0 && history.size() > its.queue_depth; }))
    all.push_back(Cause::launch_queue_full);
  if (any_device([](const auto& its) { return its.copy_engines == 1; })) all.push_back(Cause::copy_engine_shared);
  return all;
}

}  // namespace streamscope::remedy
