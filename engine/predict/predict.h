// What a model makes of a program that was run, on a GPU or on another model: Run::prediction.
#pragma once

#include <string>

#include "engine/base/stop_flag.h"
#include "engine/device/catalog/catalog.h"
#include "engine/device/catalog/open_devices.h"
#include "engine/device/device.h"
#include "engine/predict/host_pace.h"

namespace streamscope::predict {

// One pass. Errors: the model cannot run it, or `cancelled`.
Result<trace::Prediction> predict(device::Device& model, const program::Program& program, const StopFlag& stop);

// The same of a model that is opened for it; its errors too.
Result<trace::Prediction> predict(const device::DeviceSpec& model, const program::Program& program,
                                  const StopFlag& stop);

// Puts the prediction into the run. A failure leaves the run as it is but for a note, its first, that says why there is
// none: what was measured is worth more. A run with the gate gets none, since a model has no gate to hold back with.
// `fits`: whether the model was made for that device; if not, the prediction's notes say so. `note`: one more of these,
// where it is not empty.
void add_prediction(trace::Run& run, const Result<device::Device*>& model, bool fits, const program::Program& program,
                    const StopFlag& stop, const std::string& note = {});

// The model asked for: `auto` is the one that fits the device that the run is on, of so many as the program names.
catalog::Predictor model_for(const device::DeviceSpec& asked, const device::DeviceInfo& ran_on,
                             const program::Program& program);

// The predictions of one run after another, each by the model asked for at the pace of the host at hand, which is
// measured anew where that was some seconds ago: a host keeps its pace for that long, and live mode asks again and
// again.
class Predictions {
 public:
  // The devices must outlive it.
  explicit Predictions(catalog::OpenDevices& devices) : devices_(devices) {}
  // As add_prediction(); `asked` may be the reason why its name names nothing. Opens the model, which may close
  // `ran_on` where that is a model with changed numbers.
  void add_to(trace::Run& run, device::Device& ran_on, const Result<device::DeviceSpec>& asked,
              const program::Program& program, const StopFlag& stop);

 private:
  PacedModel at_pace(const device::DeviceSpec& model, device::Device& ran_on, const StopFlag& stop);

  catalog::OpenDevices& devices_;
  struct {
    device::DeviceSpec model;
    std::string device;
    Nanoseconds at = 0;  // host_now()
    PacedModel paced;
  } known_;
};

}  // namespace streamscope::predict
