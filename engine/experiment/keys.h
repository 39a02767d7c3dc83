// The keys of an experiment file and how each is read. Internal to this room.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/experiment/experiment.h"
#include "engine/experiment/read_value.h"

namespace streamscope::experiment::keys {

inline constexpr std::uint64_t kMostStreams = 1024;          // far more than there are hardware queues
inline constexpr std::uint64_t kMostFma = 1'000'000'000;     // seconds for one element
inline constexpr std::uint64_t kMostBlocks = 2'147'483'647;  // gridDim.x (CUDA programming guide, compute capabilities)
inline constexpr std::uint64_t kWarp = 32, kMostPerMultiprocessor = 32, kMostHeads = 65'535;
inline constexpr std::uint64_t kMostThreads = 1024;  // a block (as above)

// What has been read so far. `chunk` and `chunks` set the same value, so the one given last counts.
struct Draft {
  Experiment experiment;
  std::string program;
  std::optional<std::uint64_t> chunks;
  std::map<std::string, std::string, std::less<>> locations;  // of each key given
};

struct Key {
  std::string_view name, meaning, values;
  bool with_program;  // may be given together with `program`
  Problem (*read)(Draft&, const Given&);
};
std::span<const Key> all();
const Key* find(std::string_view name);

// "unknown key 'strems'; did you mean 'streams'?"
std::string unknown(std::string_view name);

}  // namespace streamscope::experiment::keys
