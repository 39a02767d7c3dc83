// What a file of Chrome's trace events carries besides its slices: counters, flows, and the arguments of each event.
// A trace is to be opened quickly, so they are read in a pass of their own, and arguments only when they are asked for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/base/id.h"
#include "engine/base/result.h"
#include "engine/base/time.h"
#include "engine/input/read_control.h"

namespace streamscope::input {

// A value that changes: it holds from each time until the next. Times ascend, on the clock of the trace's spans.
struct Counter {
  std::string name;  // "memory", or of an event of several values "memory · allocated"
  std::vector<Nanoseconds> times;
  std::vector<double> values;
};

// An arrow of the file, from one operation to a later one.
struct FileFlow {
  OperationIndex from = kNoOperation, to = kNoOperation;
  friend auto operator<=>(const FileFlow&, const FileFlow&) = default;
};

struct FileExtras {
  std::vector<Counter> counters;
  std::vector<FileFlow> flows;  // ascending, each once
  // Where in the file the event of each operation begins; of a call that is one with its execution, the call's.
  std::vector<std::uint64_t> events;
  std::unordered_map<OperationIndex, std::uint64_t> executions;  // and there the execution's
};

// Nothing for files of other sorts. The operations are those of open_trace() on the same file.
Result<FileExtras> read_extras(const std::filesystem::path& path, const OpenControl& control = {});

// A member of an event's "args", as it is written; of texts without their quotes.
struct Argument {
  std::string name, value;
  friend bool operator==(const Argument&, const Argument&) = default;
};
// Those of the call, then those of its execution that are not the same. Reads no more of the file than the two events.
Result<std::vector<Argument>> read_arguments(const std::filesystem::path& path, const FileExtras& extras,
                                             OperationIndex operation);

}  // namespace streamscope::input
