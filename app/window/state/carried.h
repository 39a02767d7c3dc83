// What the file of an opened trace carries besides its operations: counters, flows, arguments.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <vector>

#include "app/timeline/counters.h"
#include "engine/input/file_extras.h"

namespace streamscope::window {

struct FileExtrasOf {
  std::filesystem::path path;
  std::shared_ptr<const input::FileExtras> extras;  // null: not read yet
  std::shared_ptr<const std::vector<timeline::CounterRow>> counters;
};
// The file is read once more for them, in the background; the arguments of an operation when it is selected.
struct Carried {
  std::map<std::uint64_t, FileExtrasOf> files;  // by the run's number
  std::uint64_t run = 0;                        // whose operation
  OperationIndex operation = kNoOperation;      // these are the arguments of
  std::vector<input::Argument> arguments;
};

struct ExtrasWanted {
  std::uint64_t run = 0;
  std::filesystem::path path;
};
struct ArgumentsWanted {
  std::uint64_t run = 0;
  std::filesystem::path path;
  std::shared_ptr<const input::FileExtras> extras;
  OperationIndex operation = kNoOperation;
};

namespace command {
struct ExtrasRead {
  std::uint64_t run;
  FileExtrasOf file;
};
struct ArgumentsRead {
  std::uint64_t run;
  OperationIndex operation;
  std::vector<input::Argument> arguments;
};
}  // namespace command

}  // namespace streamscope::window
