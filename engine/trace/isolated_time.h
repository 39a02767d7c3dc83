// How long operations take that nothing runs beside, by class.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/base/kind.h"
#include "engine/base/time.h"
#include "engine/trace/span.h"

namespace streamscope::trace {

// Operations of one class take equally long: the same call on the same device with as many bytes, from one line of the
// program, where the kind of memory and a kernel's options are.
struct OperationClass {
  OperationKind kind = OperationKind::work;
  std::uint8_t device = 0;
  std::uint32_t line = 0, name = 0;  // as Span's
  std::uint64_t bytes = 0;
  friend auto operator<=>(const OperationClass&, const OperationClass&) = default;
};
OperationClass class_of(const Span& span);

struct IsolatedTime {
  OperationClass of;
  Nanoseconds duration = 0;  // the median
  Nanoseconds shortest = 0;
  Nanoseconds spread = kAbsent;  // half the distance between the quartiles; of fewer than kFewestForSpread not known
  std::uint64_t count = 0;       // of executions
  friend bool operator==(const IsolatedTime&, const IsolatedTime&) = default;
};
inline constexpr std::size_t kMostIsolatedTimes = 65'536;  // further classes are left out

using Durations = std::map<OperationClass, std::vector<Nanoseconds>>;
// Adds those of all device work of a program in one stream, where nothing runs beside it. `names` are what the spans'
// names count in, `into_names` what those of the classes do; what is not there is left out.
void add_durations(std::span<const Span> spans, const std::vector<std::string>& names,
                   const std::vector<std::string>& into_names, Durations& durations);
std::vector<IsolatedTime> isolated_times(const Durations& durations);  // by class

// Of the operation's class; null where it is not known. `all` is by class.
const IsolatedTime* isolated_time_of(const std::vector<IsolatedTime>& all, const Span& span);

}  // namespace streamscope::trace
