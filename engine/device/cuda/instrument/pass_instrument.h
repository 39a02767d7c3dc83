// What observes the passes of a loaded program: one for each way to observe (device::Instrument). A bare pass has none.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "engine/device/cuda/issue/issue_targets.h"
#include "engine/device/cuda/issue/slots.h"
#include "engine/device/cuda/runtime/gpus.h"
#include "engine/device/device.h"

namespace streamscope::cuda {

// The program that is observed. What this refers to must outlive the instrument.
struct Observable {
  Gpus gpus;
  const program::Program& program;
  const trace::Trace& frame;
  IssueTargets targets;
  const Slots& slots;
  std::span<RepeatedHostFunction> repeated;  // host functions of graphs' nodes
};

// Goes on beside a pass until it is destroyed.
class LiveView {
 public:
  virtual ~LiveView() = default;
};

class PassInstrument {
 public:
  virtual ~PassInstrument() = default;
  // Before the timed interval, with the device idle.
  virtual Result<void> arm(const device::PassRequest& request) = 0;
  // What the issuing threads carry along in the pass that was armed.
  virtual const IssueInstruments& carried() const = 0;
  // Sends spans while that pass goes on; null where the instrument cannot. The sink must outlive the result.
  virtual std::unique_ptr<LiveView> watch(const device::SpanSink&) { return nullptr; }
  // Once the run is over, however it went.
  virtual void disarm() noexcept {}
  // With the device idle again: the spans or observations of the pass, their zero and their uncertainty. `opened`: when
  // the gate opened, host clock; kAbsent without one.
  virtual Result<void> finish(device::Pass& pass, Nanoseconds opened) = 0;
  // For the provenance; `device`: the device's clock and how it is tied to the host's.
  virtual std::string clock(std::string_view device) const = 0;
  // By DeviceId, of the last pass: how far a device's times can be off on the host's clock. Empty: nothing new is
  // known.
  virtual std::span<const Nanoseconds> clock_uncertainties() const { return {}; }
  // On all passes so far.
  virtual trace::Notes notes() const { return {}; }
};

}  // namespace streamscope::cuda
