// Something that executes one operation at a time: a copy engine, the thread that runs host functions.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "engine/base/id.h"
#include "engine/base/time.h"
#include "engine/device/model/profile/profile.h"

namespace streamscope::model {

// Later than any time.
inline constexpr Nanoseconds kNever = std::numeric_limits<Nanoseconds>::max();

// An operation that began, and the one that had occupied what it needed, if it had to wait for that.
struct Started {
  OperationIndex operation = kNoOperation;
  OperationIndex after = kNoOperation;
};

class EngineQueue {
 public:
  static constexpr std::uint32_t kFullRate = 1'000'000;  // rates are in millionths

  explicit EngineQueue(CopyQueue order = CopyQueue::eligible) : order_(order) {}

  // The operation was issued: this fixes its turn in CopyQueue::issue. Must come before add(). Returns what is right
  // ahead of it there, or kNoOperation.
  OperationIndex announce(OperationIndex operation);
  // The operation could start now. `duration` is at full rate. In CopyQueue::channel operations with a channel are
  // taken in turn by channel; of one channel at most one is here at a time. `release`: after its end the engine tells
  // others of it for so long, before it begins the next.
  void add(OperationIndex operation, Nanoseconds ready, Nanoseconds duration,
           std::optional<std::uint32_t> channel = std::nullopt, Nanoseconds release = 0);
  // Begins the next one where the engine is free.
  std::optional<Started> begin(Nanoseconds now);
  // When the current one, or its release, ends if nothing changes; kNever where there is none.
  Nanoseconds next() const { return ends_; }
  // Ends the current one; only at next(). kNoOperation: its release has ended.
  OperationIndex finish();

  bool busy() const { return current_ != kNoOperation; }
  OperationIndex current() const { return current_; }  // kNoOperation: none
  bool could_begin() const { return ends_ == kNever && !waiting_.empty(); }
  void set_rate(Nanoseconds now, std::uint32_t rate);

 private:
  struct Waiting {
    Nanoseconds ready;
    OperationIndex operation;
    Nanoseconds duration;
    std::optional<std::uint32_t> channel;
    Nanoseconds release;
  };
  struct Sooner {
    CopyQueue order;
    bool operator()(const Waiting& a, const Waiting& b) const {
      if (order != CopyQueue::issue && a.ready != b.ready) return a.ready < b.ready;
      return a.operation < b.operation;
    }
  };
  using Work = __int128;  // nanoseconds at full rate, in millionths

  Nanoseconds end() const { return since_ + static_cast<Nanoseconds>((left_ + rate_ - 1) / rate_); }

  CopyQueue order_;
  std::set<Waiting, Sooner> waiting_{Sooner{order_}};
  std::map<std::uint32_t, Waiting> of_channel_;  // in CopyQueue::channel
  std::optional<std::uint32_t> served_;
  std::deque<OperationIndex> announced_;
  OperationIndex current_ = kNoOperation, last_ = kNoOperation;
  Nanoseconds since_ = 0;
  Work left_ = 0;
  std::uint32_t rate_ = kFullRate;
  Nanoseconds ends_ = kNever, release_ = 0;
};

}  // namespace streamscope::model
