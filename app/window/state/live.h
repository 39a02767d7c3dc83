// Live mode as an oscilloscope has it: a trigger, which holds the picture, single shots, and the last runs as a cloud.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/timeline/tracks.h"
#include "app/window/state/shown_run.h"

namespace streamscope::window {

inline constexpr std::size_t kRunsInCloud = 50, kMostEnds = 20'000;  // of a run: larger ones leave none

enum class TriggerOn : std::uint8_t { nothing, makespan, wait, contradiction };

struct Trigger {
  TriggerOn on = TriggerOn::nothing;
  Nanoseconds level =
      1'000'000;  // of the makespan, or of the longest wait of an operation: over it the picture is held
  friend bool operator==(const Trigger&, const Trigger&) = default;
};

// Where the bars of a run end.
using RunEnds = std::vector<std::pair<timeline::TrackKey, Nanoseconds>>;

struct Live {
  Trigger trigger;
  bool single = false;        // ends with the first run that the trigger holds; without a trigger, with the first
  bool persistence = false;   // the cloud is shown
  std::deque<RunEnds> cloud;  // of live mode's last runs, the newest last
  std::string program;        // that they are of
};

namespace command {
struct SetTrigger {
  Trigger trigger;
};
struct SetPersistence {
  bool on;
};
struct SingleShot {};  // it begins live mode
}  // namespace command

using LiveCommand = std::variant<command::SetTrigger, command::SetPersistence>;
void update(Live& live, const LiveCommand& command);

// Why the trigger holds that run: "makespan 6.4 ms"; empty: it does not.
std::string held_by(const Trigger& trigger, const ShownRun& run);
// What a trigger compares with its level, of that run; kAbsent: it has none.
Nanoseconds measured_by(TriggerOn on, const ShownRun& run);
void add_to_cloud(Live& live, const trace::Run& run);

}  // namespace streamscope::window
