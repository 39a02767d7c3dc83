// How programs are run: on which device, watched by what, predicted by which model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <variant>

#include "engine/base/time.h"
#include "engine/device/device.h"
#include "engine/device/device_info.h"

namespace streamscope::window {

// Enough for a median with its quartiles, and for the observer effect; a model gives the same each time.
inline constexpr int kRunsOnGpu = 5, kRunsOnModel = 1;
inline constexpr std::uint32_t kLargestShare = 1024;

// How a GPU is watched.
struct Measuring {
  device::Instrument instrument = device::Instrument::full;  // not bare: then there is nothing to see
  std::uint32_t share = 16;                                  // sampled: one in so many operations in each run
  bool gate = false;
  std::uint32_t stages_of = 0;  // full: one block in so many of tiles and attention records its stages; 0: none
  friend bool operator==(const Measuring&, const Measuring&) = default;
};

struct RunSettings {
  device::DeviceList devices;  // that there are
  std::string device = "auto";
  int repeat = 0;  // timed runs of a pressed Run; 0: by the device
  Measuring measuring;
  bool predict = false;                    // a model predicts each run
  std::map<std::string, double> what_ifs;  // what differs from the profile, by key; see what_if_model()
  Nanoseconds quick_took = kAbsent;        // how long a quick run takes with these, as the person waits
};

namespace command {
struct SetDevice {
  std::string id;
};
struct SetRepeat {
  int times;  // 0: by the device
};
struct SetMeasuring {
  Measuring measuring;
};
// A number of the chosen model; on a GPU, of the model that predicts it.
struct SetWhatIf {
  std::string key;
  double value;  // in the number's unit; the profile's own: no change
};
struct ResetWhatIfs {};
// It concerns the run in view, too: where it has a prediction already, none is made.
struct SetPredict {
  bool on;  // runs are predicted by a model, too, and its ghosts are shown
};
}  // namespace command

using SettingsCommand = std::variant<command::SetDevice, command::SetRepeat, command::SetMeasuring, command::SetWhatIf,
                                     command::ResetWhatIfs>;
[[nodiscard]] bool update(RunSettings& settings, const SettingsCommand& command);  // whether a run is to follow
// Those of an engine that has come up. It may lack the one that was chosen.
void take(RunSettings& settings, device::DeviceList devices);

// The device that a run would go to; null where that is not known (yet).
const device::DeviceInfo* device_of(const RunSettings& settings);
bool on_gpu(const RunSettings& settings);
// The model whose numbers "what if" changes: the chosen one, or the one that predicts the chosen GPU. Null: none known.
const device::DeviceInfo* what_if_model(const RunSettings& settings);
// The model as it is named to the engine for a program of so many devices. One that was not chosen itself, but by
// `auto` or to predict a GPU, has as many: "model:h200x2".
std::string model_named(const RunSettings& settings, const std::string& id, std::size_t devices);
// Of what_if_model() the same, with the changes: "model:h200,copies.engines=1".
std::string changed_model(const RunSettings& settings, const device::DeviceInfo& model, std::size_t devices);
int runs_of_figures(const RunSettings& settings);
// A sampled run sees one in `share` operations: so many runs see each operation once. In fewer runs each run would
// watch more operations (measure.h), and disturb them more.
int runs_to_see_all(const Measuring& measuring);

}  // namespace streamscope::window
