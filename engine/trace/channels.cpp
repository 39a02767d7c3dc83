#include "engine/trace/channels.h"

#include <algorithm>

namespace streamscope::trace {

std::uint32_t Channels::issue(OperationIndex operation, StreamId stream) {
  auto its = std::find_if(channels_.begin(), channels_.end(),
                          [&](const Channel& one) { return one.used > 0 && one.stream == stream; });
  if (its == channels_.end()) its = std::ranges::min_element(channels_, {}, &Channel::used);
  its->stream = stream;
  its->used = ++uses_;
  its->work.push_back(operation);
  return static_cast<std::uint32_t>(its - channels_.begin());
}

OperationIndex Channels::next(std::uint32_t channel) {
  std::deque<OperationIndex>& work = channels_[channel].work;
  work.pop_front();
  return work.empty() ? kNoOperation : work.front();
}

}  // namespace streamscope::trace
