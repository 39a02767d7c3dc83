// What comes before what in every interleaving of the host threads.
//
// Only the main thread starts and joins others, each once, and a thread's operations follow its start; so, gone through
// in the order of the program, an operation comes after what its own thread, the main thread and the threads joined so
// far have issued before it, and nothing else. (A host wait for an event does not order threads reliably: it does not
// wait where the event has not been recorded yet.)
#pragma once

#include <algorithm>
#include <bitset>
#include <vector>

#include "engine/base/id.h"
#include "engine/program/limits.h"

namespace streamscope::program {

class HostOrder {
 public:
  void join(ThreadId thread) { joined_.set(thread.value); }
  // Whether what `earlier` has issued so far is over before `thread` issues its next.
  bool before(ThreadId earlier, ThreadId thread) const {
    return earlier == thread || earlier == ThreadId{0} || joined_.test(earlier.value);
  }

 private:
  std::bitset<kMaximumHostThreads> joined_;
};

// The last uses of something (a buffer, a stream, an event): those that not every thread finds behind a later one.
template <class What>
class LastUses {
 public:
  struct Use {
    ThreadId thread;
    What what;
  };

  void add(const HostOrder& order, ThreadId thread, What what) {
    if (uses_.size() == 1 && uses_[0].thread == thread) {
      uses_[0].what = std::move(what);
      return;
    }
    // All that are still to come see what the main thread does.
    std::erase_if(uses_, [&](const Use& use) {
      return use.thread == thread || (thread == ThreadId{0} && order.before(use.thread, thread));
    });
    uses_.push_back({thread, std::move(what)});
  }
  // A thread's latest use was several at once.
  void replace_latest(const std::vector<What>& several) {
    const ThreadId thread = uses_.back().thread;
    uses_.pop_back();
    for (const What& what : several) uses_.push_back({thread, what});
  }

  // One that the thread's next operation does not come after; null where there is none.
  const Use* unordered(const HostOrder& order, ThreadId thread) const {
    const auto at =
        std::find_if(uses_.begin(), uses_.end(), [&](const Use& use) { return !order.before(use.thread, thread); });
    return at == uses_.end() ? nullptr : &*at;
  }
  const Use& latest() const { return uses_.back(); }
  auto begin() const { return uses_.begin(); }
  auto end() const { return uses_.end(); }

 private:
  std::vector<Use> uses_;
};

}  // namespace streamscope::program
