#include "engine/device/model/hardware/engine_queue.h"

#include <utility>

namespace streamscope::model {

OperationIndex EngineQueue::announce(OperationIndex operation) {
  if (order_ != CopyQueue::issue) return kNoOperation;
  const OperationIndex ahead = announced_.empty() ? kNoOperation : announced_.back();
  announced_.push_back(operation);
  return ahead;
}

void EngineQueue::add(OperationIndex operation, Nanoseconds ready, Nanoseconds duration,
                      std::optional<std::uint32_t> channel, Nanoseconds release) {
  const Waiting waiting{ready, operation, duration, channel, release};
  waiting_.insert(waiting);
  if (order_ == CopyQueue::channel && channel) of_channel_.emplace(*channel, waiting);
}

std::optional<Started> EngineQueue::begin(Nanoseconds now) {
  if (!could_begin()) return std::nullopt;
  Waiting first = *waiting_.begin();
  if (order_ == CopyQueue::issue) {
    // The head may still wait for its stream; it depends on earlier ones only, so its turn comes.
    const auto head = waiting_.find({0, announced_.front(), 0, std::nullopt, 0});
    if (head == waiting_.end()) return std::nullopt;
    first = *head;
    announced_.pop_front();
  }
  if (order_ == CopyQueue::channel && first.channel) {
    // The channel that was served last, else the next one after it.
    auto its = of_channel_.lower_bound(served_.value_or(*first.channel));
    if (its == of_channel_.end()) its = of_channel_.begin();
    first = its->second;
    served_ = its->first;
    of_channel_.erase(its);
  }
  waiting_.erase(first);
  current_ = first.operation;
  release_ = first.release;
  since_ = now;
  left_ = static_cast<Work>(first.duration) * kFullRate;
  ends_ = rate_ == kFullRate ? now + first.duration : end();
  return Started{first.operation, last_};
}

OperationIndex EngineQueue::finish() {
  const OperationIndex over = std::exchange(current_, kNoOperation);
  if (over != kNoOperation) last_ = over;
  const Nanoseconds release = std::exchange(release_, 0);
  ends_ = release > 0 ? ends_ + release : kNever;
  return over;
}

void EngineQueue::set_rate(Nanoseconds now, std::uint32_t rate) {
  if (rate == rate_) return;
  if (busy()) {
    const Work done = static_cast<Work>(now - since_) * rate_;
    left_ = done < left_ ? left_ - done : 0;
    since_ = now;
  }
  rate_ = rate;
  if (busy()) ends_ = end();
}

}  // namespace streamscope::model
