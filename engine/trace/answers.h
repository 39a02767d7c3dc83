// What the host was told where it asked for more than whether something is done.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/id.h"
#include "engine/base/name_table.h"
#include "engine/base/time.h"

namespace streamscope::trace {

// One question of a poll; of all but the last the answer was that it is not done yet.
struct PollAnswer {
  OperationIndex operation = kNoOperation;  // the poll
  Nanoseconds at = kAbsent;
  Nanoseconds worked_until = kAbsent;  // the end of the other work behind it; kAbsent where there was none
  friend bool operator==(const PollAnswer&, const PollAnswer&) = default;
};
inline constexpr std::size_t kMostAnswers = 512;     // of a poll; those of later questions are left out
inline constexpr std::size_t kMostPollsKept = 1024;  // of a run; later ones keep their number only

enum class CaptureStatus : std::uint8_t { none, active, invalidated };

// cudaStreamGetPriority, cudaStreamGetFlags, cudaStreamGetId, cudaStreamIsCapturing.
struct StreamAttributes {
  OperationIndex operation = kNoOperation;  // that asked
  std::uint32_t device = 0;                 // as CUDA numbers it
  int priority = 0;                         // as clamped
  bool nonblocking = false;
  std::uint64_t id = 0;
  CaptureStatus capture = CaptureStatus::none;
  friend bool operator==(const StreamAttributes&, const StreamAttributes&) = default;
};

// cudaStreamGetCaptureInfo.
struct CaptureAnswer {
  OperationIndex operation = kNoOperation;  // that asked
  CaptureStatus status = CaptureStatus::none;
  std::uint64_t id = 0;  // of the capture that is under way
  friend bool operator==(const CaptureAnswer&, const CaptureAnswer&) = default;
};

struct Answers {
  std::vector<PollAnswer> polls;  // by operation, then by time
  std::vector<StreamAttributes> streams;
  std::vector<CaptureAnswer> captures;  // by operation
  friend bool operator==(const Answers&, const Answers&) = default;
};

// Those of that operation; null where it did not ask for them.
const StreamAttributes* attributes_of(const Answers& answers, OperationIndex operation);
const CaptureAnswer* capture_info_of(const Answers& answers, OperationIndex operation);

}  // namespace streamscope::trace

template <>
inline constexpr streamscope::NameTable<3> streamscope::kNames<streamscope::trace::CaptureStatus>{"none", "active",
                                                                                                  "invalidated"};
