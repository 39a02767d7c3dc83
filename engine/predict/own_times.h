// What launches of a program's own kernels took on a GPU. A model does not run their code, and lets them take the same.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/time.h"
#include "engine/program/program.h"
#include "engine/trace/trace.h"

namespace streamscope::predict {

struct OwnTime {
  std::string source;  // that it was compiled from: source_mark(); empty: the one at hand
  std::string kernel;
  std::uint64_t blocks = 0;
  std::uint32_t threads = 0;
  std::uint64_t shared_bytes = 0;
  Nanoseconds time = 0;         // the median of its launches in a pass
  std::uint32_t registers = 0;  // of a thread; 0: not known
  std::string device;           // "NVIDIA H200"
  friend bool operator==(const OwnTime&, const OwnTime&) = default;
};

// The same for the same text, and as good as never for another.
std::string source_mark(std::string_view text);

// Of a trace of the program, one for each kernel and shape of launch. `sources`: what was compiled; the mark of one
// that is not among them is empty.
std::vector<OwnTime> own_times(const trace::Trace& trace, const program::Program& program,
                               std::span<const kernels::OwnSource> sources);

// Launches that do not say themselves how long they take (time=) take what is known of their kernel and shape, with the
// registers that it had; the first that fits counts. A model's notes then name the device.
void give_own_times(program::Program& program, std::span<const OwnTime> times);

// Those that were measured before, in `own-kernels` in the folder of a person's settings: the newest kMostOwnTimes.
inline constexpr std::size_t kMostOwnTimes = 200;
// Of the program's files as they are now, in that folder; empty marks, since they fit. A file is read to know it again
// only where something is remembered at all; one that cannot be read is not known.
std::vector<OwnTime> remembered_own_times(const std::filesystem::path& folder, std::span<const std::string> files);
// Takes them over, those with a mark; the file is written whole or not at all, and not where nothing changed. Where
// nothing can be remembered, nothing is.
void remember_own_times(std::span<const OwnTime> times);

}  // namespace streamscope::predict
