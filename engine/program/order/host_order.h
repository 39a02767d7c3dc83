// Which statement comes before which in every interleaving of the host threads.
//
// Only the main thread starts and joins others, each once; so operations of two threads are ordered only by a start or
// a join between them. (A host wait for an event does not order them reliably: it does not wait where the event has not
// been recorded yet.)
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

// The last use of something (a buffer, a stream, an event) by each thread.
class LastUses {
 public:
  struct Use {
    ThreadId thread;
    OperationIndex operation = kNoOperation;
  };
  void add(ThreadId thread, OperationIndex operation);
  // A use that `operation` of `thread` is not ordered after; operation kNoOperation for none.
  Use unordered(const HostOrder& order, ThreadId thread, OperationIndex operation) const;

 private:
  std::vector<Use> uses_;
};

}  // namespace streamscope::program
