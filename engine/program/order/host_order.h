// Which statement comes before which in every interleaving of the host threads.
//
// The main thread alone starts others and joins them, and each is started once and joined once; so two places in two
// threads are ordered only by a start or a join between them. (A wait of the host for an event orders nothing for sure:
// it does not wait where the event has not been recorded yet.)
#pragma once

#include <vector>

#include "engine/program/program.h"

namespace streamscope::program {

class HostOrder {
 public:
  HostOrder() : lives_(1) {}
  explicit HostOrder(const Program& program);

  // In order of ThreadId, as the program's operations are gone through.
  void start(OperationIndex at) { lives_.push_back({at, kNoOperation}); }
  void join(ThreadId thread, OperationIndex at) { lives_[thread.value].joined = at; }

  // Whether operation `first` of one thread is over before `second` of the other begins; first < second.
  bool before(ThreadId thread, OperationIndex first, ThreadId other, OperationIndex second) const {
    if (thread == other) return true;
    if (thread == ThreadId{0}) return first < lives_[other.value].started;
    return lives_[thread.value].joined < (other == ThreadId{0} ? second : lives_[other.value].started);
  }

 private:
  struct Life {
    OperationIndex started = 0, joined = kNoOperation;  // the operations of the main thread that do so
  };
  std::vector<Life> lives_;  // by thread
};

// The last use that each thread made of a thing.
class LastUses {
 public:
  struct Use {
    ThreadId thread;
    OperationIndex operation = kNoOperation;
  };
  void add(ThreadId thread, OperationIndex operation);
  // One that may still be to come when `operation` of `thread` begins; operation kNoOperation for none.
  Use unordered(const HostOrder& order, ThreadId thread, OperationIndex operation) const;

 private:
  std::vector<Use> uses_;
};

}  // namespace streamscope::program
