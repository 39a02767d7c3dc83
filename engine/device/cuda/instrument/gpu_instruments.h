// What of a program's instrumentation is on one GPU: the memory that kernels write their stamps to, the map of its
// clock, the events by which times of events are tied to that clock, and the thread that watches its events.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/device/cuda/instrument/event_watcher.h"
#include "engine/device/cuda/instrument/kept_stamps.h"
#include "engine/device/cuda/instrument/stage_records.h"
#include "engine/device/cuda/issue/graphs.h"
#include "engine/device/cuda/issue/slots.h"
#include "engine/device/cuda/runtime/context.h"
#include "engine/reconstruct/clock_map.h"

namespace streamscope::cuda {

class GpuInstruments {
 public:
  // Its device must be current, as for all that returns a Result below. `device_of`: by operation; `outlives`: what
  // kernels stamp is to be read when there is no device any more.
  static Result<std::unique_ptr<GpuInstruments>> make(std::shared_ptr<CudaContext> context, DeviceId device,
                                                      std::span<const std::uint8_t> device_of, const Slots& slots,
                                                      bool outlives);

  CudaContext& context() const { return *context_; }
  bool has(std::size_t operation) const { return device_of_[operation] == device_.value; }
  kernels::Stamp* stamps() const { return kept_stamps_ ? kept_stamps_->on_device() : stamps_.as<kernels::Stamp>(); }
  NodeStamps node_stamps() const { return {stamps(), tickets_.as<unsigned long long>()}; }

  // Before a pass, with the device idle: clears the stamps and ties the clocks; that of events too if they carry times.
  Result<void> arm(bool times_of_events);
  // Watches those of the events that are its own until finish(); see EventWatcher. `event_of`: by operation, the device
  // of its event.
  Result<void> watch(const program::Program& program, std::span<const cudaEvent_t> events,
                     std::span<const std::uint8_t> event_of, const IssueProgress& issued);
  void finish() noexcept;

  // In that pass, of this device's operations alone: where stages are recorded, for one block in `every`.
  Result<void> record_stages(const program::Program& program, std::span<const std::uint32_t> slot, std::uint32_t every,
                             std::span<kernels::StagesTo> by_slot);
  Result<trace::Stages> stages(Nanoseconds zero);

  // Fetches what the kernels have written so far; not needed of stamps that outlive the device.
  Result<void> read_stamps();
  kernels::Stamp stamp(std::size_t slot) const {
    return kept_stamps_ ? kept_stamps_->read(slot) : seen_stamps_.as<kernels::Stamp>()[slot];
  }
  Result<Nanoseconds> time_of(cudaEvent_t event) { return event_clock_.time(event); }
  Nanoseconds event_uncertainty() const { return event_clock_.uncertainty(); }
  const EventWatcher& watcher() const { return *watcher_; }

  const reconstruct::ClockMap& map() const { return map_; }
  // After the pass, with the device idle. The bound of the map's times; `sent_ahead`: some were used before, so the map
  // stays what it is.
  Result<Nanoseconds> close_map(bool sent_ahead);

 private:
  GpuInstruments(std::shared_ptr<CudaContext> context, DeviceId device, std::span<const std::uint8_t> device_of,
                 const Slots& slots)
      : context_(std::move(context)),
        device_(device),
        device_of_(device_of),
        kernels_(slots.stamps),
        kernel_nodes_(slots.kernel_nodes) {}
  cudaStream_t control() const { return context_->control.get(); }

  std::shared_ptr<CudaContext> context_;
  DeviceId device_;
  std::span<const std::uint8_t> device_of_;
  std::size_t kernels_ = 0, kernel_nodes_ = 0;
  UniqueEvent base_, before_, after_;
  Memory stamps_, tie_stamp_;                // device
  Memory tickets_;                           // device: of graphs' kernels
  Memory seen_stamps_;                       // pinned: a copy of the stamps
  std::unique_ptr<KeptStamps> kept_stamps_;  // in place of both, where they are to outlive the device
  reconstruct::ClockMap map_;
  EventClock event_clock_;
  std::vector<cudaEvent_t> watched_;  // by operation: those of the events that are this device's
  std::optional<EventWatcher> watcher_;
  std::unique_ptr<StageRecords> stages_;  // for the share of blocks that was asked for last
  bool recording_stages_ = false;         // in this pass
};

}  // namespace streamscope::cuda
