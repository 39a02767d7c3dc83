#include "engine/device/model/hardware/handoff.h"

#include <algorithm>

namespace streamscope::model {
namespace {

bool polls(Unit from, Unit to) {
  return from != to && from != Unit::none && (to == Unit::compute || to == Unit::h2d || to == Unit::d2h);
}

}  // namespace

Nanoseconds late_handoff(const Profile::Streams& streams, Unit from, Unit to) {
  if (from == Unit::none || to == Unit::none) return 0;
  if (to == Unit::host) return from == Unit::host ? streams.host_function_again : streams.host_function_after_work;
  if (from == Unit::host) return streams.after_host_function;
  if (from == Unit::compute) return to == Unit::compute ? streams.kernel_after_kernel : streams.copy_after_kernel;
  if (to == Unit::compute) return streams.kernel_after_copy;
  return from == to ? streams.copy_after_copy : streams.copy_after_other_copy;
}

Nanoseconds handoff(const Profile::Streams& streams, Unit from, Unit to, Nanoseconds waited) {
  const Nanoseconds late = late_handoff(streams, from, to);
  if (!polls(from, to) || waited > streams.long_wait) return late;
  const Nanoseconds soon = std::min(late, streams.short_handoff);
  return waited > streams.short_wait ? (soon + late) / 2 : soon;
}

}  // namespace streamscope::model
