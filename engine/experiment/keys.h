// The keys of an experiment file and how each is read. Internal to this room.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/experiment/experiment.h"

namespace streamscope::experiment::keys {

inline constexpr std::uint64_t kMostStreams = 1024;          // far beyond what the hardware holds apart
inline constexpr std::uint64_t kMostFma = 1'000'000'000;     // seconds for one element
inline constexpr std::uint64_t kMostBlocks = 2'147'483'647;  // gridDim.x (CUDA programming guide, compute capabilities)
inline constexpr std::uint64_t kWarp = 32, kMostPerMultiprocessor = 32, kMostHeads = 65'535;
inline constexpr std::uint64_t kMostThreads = 1024;  // a block (as above)

// A value as it was given, in a file or by --set.
struct NotScalar {
  std::string_view what;  // "an array", "a table"
};
using Scalar = std::variant<NotScalar, bool, std::int64_t, double, std::string>;

struct Given {
  std::string key;  // dotted: "kernel.fma"
  Scalar value;
  std::string raw;    // of --set: the text as typed, for keys that hold text
  std::string place;  // "file:3:9" or "--set kernel.fma"
};

// What has been read so far. `chunk` and `chunks` say the same thing, so the one given last counts.
struct Draft {
  Experiment experiment;
  std::string program;
  std::optional<std::uint64_t> chunks;
  std::map<std::string, std::string, std::less<>> places;  // key -> place
};

using Problem = std::optional<std::string>;

struct Key {
  KeyHelp help;
  bool with_program;  // has a meaning beside `program`
  Problem (*read)(Draft&, const Given&);
};
std::span<const Key> all();
const Key* find(std::string_view name);

// "unknown key 'strems'; did you mean 'streams'?"
std::string unknown(std::string_view name);

std::string_view memory_name(program::HostMemory memory);

// The nearest of the words by edits, where it is near enough to be what was meant.
std::optional<std::string_view> nearest(std::string_view word, const std::vector<std::string_view>& words);

}  // namespace streamscope::experiment::keys

namespace streamscope::experiment {

// Something wrong with values that only fit together. `key` is the one to change.
struct Violation {
  std::string_view key;
  std::string message;
};
// `chunks` where the person counted chunks: messages then speak of these.
std::vector<Violation> violations(const Experiment& experiment, std::optional<std::uint64_t> chunks);

// A key without effect, whatever its value; `because` is the key that makes it so.
struct Idle {
  std::string_view key, because;
  std::string why;  // "the kernel spin computes nothing; set ..."
};
std::vector<Idle> idle_keys(const Experiment& experiment);

}  // namespace streamscope::experiment
