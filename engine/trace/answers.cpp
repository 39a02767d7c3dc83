#include "engine/trace/answers.h"

#include <algorithm>

namespace streamscope::trace {

const StreamAttributes* attributes_of(const Answers& answers, OperationIndex operation) {
  const auto at = std::ranges::find(answers.streams, operation, &StreamAttributes::operation);
  return at == answers.streams.end() ? nullptr : &*at;
}

const CaptureAnswer* capture_info_of(const Answers& answers, OperationIndex operation) {
  const auto at = std::ranges::find(answers.captures, operation, &CaptureAnswer::operation);
  return at == answers.captures.end() ? nullptr : &*at;
}

}  // namespace streamscope::trace
