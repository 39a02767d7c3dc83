// A run put together from what an engine sends: its spans in batches, then the rest. Checked, as an engine may send
// anything: what comes out here can be indexed and subtracted without a look.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "engine/base/result.h"
#include "engine/program/limits.h"
#include "engine/remote/message.h"

namespace streamscope::session {

// Times beyond this (36 years) are nonsense. Differences and sums of a few such times fit into 64 bits.
inline constexpr Nanoseconds kFarthest = Nanoseconds{1} << 60;

// Of a run: one for each operation, and the synchronisation at the end.
inline constexpr std::size_t kMostSpans = program::kMaximumOperations + 1;

Result<void> check_times(const std::vector<trace::Span>& spans);

class RunAssembly {
 public:
  Result<void> add(std::vector<trace::Span> spans, bool predicted = false);
  // Gives away what was added.
  Result<std::shared_ptr<const trace::Run>> finish(remote::message::Done done);

 private:
  std::vector<trace::Span> spans_, predicted_;
};

}  // namespace streamscope::session
