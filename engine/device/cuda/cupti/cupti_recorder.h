// CUPTI's activity records of what happens between start() and stop(): API calls, copies, memsets and kernels.
//
// It can be switched on around any pass, whatever else that pass carries. CUPTI is one a process, so there is one
// recording at a time. Which record belongs to which operation: engine/reconstruct/activity.h.
//
// Clocks. CUPTI stamps API calls with a host clock of its own (CLOCK_REALTIME on Linux) and maps the device's times
// onto it by a straight line it draws itself. The first is tied to host_now() by reading both in turn, before and
// after. What the second is worth CUPTI does not say, so some tiny kernels, copies and memsets are issued and waited
// for before and after: each lies between two readings of the host's clock, and so must its record. A callback that
// makes CUPTI use our clock exists, but libraries before 13.3 leave device times on the old one where a context was
// there first, as here.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/device/cuda/runtime/context.h"
#include "engine/reconstruct/activity.h"

namespace streamscope::cuda {

struct Recording {
  reconstruct::ActivityRecords records;  // on host_now()'s clock, of the thread that called start()
  Nanoseconds uncertainty = 0;           // of the device's times against the host's clock, plus or minus
  Nanoseconds shift = 0;          // what was added to the device's times so that they do not contradict the host's
  Nanoseconds low = 0, high = 0;  // the shifts that the host's clock allows, before and after
  std::size_t lost = 0;           // records that there was no room for
};

class CuptiRecorder {
 public:
  // Whether there is a CUPTI that lets itself be used. Error bad_input: why not, and what to do. Attaches it.
  static Result<void> available();
  // Also records some tiny pieces of work, to see that CUPTI tells of all of them on this device.
  static Result<std::unique_ptr<CuptiRecorder>> open(std::shared_ptr<CudaContext> context);
  ~CuptiRecorder();
  CuptiRecorder(const CuptiRecorder&) = delete;
  CuptiRecorder& operator=(const CuptiRecorder&) = delete;

  // Both with the device idle, on the thread that issues. However a stop() ends, it has stopped the recording.
  Result<void> start();
  Result<Recording> stop();

  // The library's version, for people: "13.0.1".
  std::string version() const;
  // Which API calls it records, in words.
  std::string_view calls() const;

 private:
  explicit CuptiRecorder(std::shared_ptr<CudaContext> context) : context_(std::move(context)) {}
  Result<void> launch_ties(std::vector<reconstruct::HostInterval>& into);
  Result<void> enable();
  Result<void> tie_clock(std::optional<reconstruct::ClockWindow>& into);
  Result<Recording> read();
  void disable() noexcept;
  void end() noexcept;

  std::shared_ptr<CudaContext> context_;
  Memory word_, host_word_;  // device, pinned: what the tiny pieces of work write and copy
  bool recording_ = false;
  // Which API calls are recorded: those of the runtime that device work comes from; all of the runtime's; the driver's
  // too. The fewest that the library can be brought to tell of.
  enum class Calls : std::uint8_t { chosen, runtime, driver };
  Calls calls_ = Calls::chosen;
  std::optional<reconstruct::ClockWindow> clock_before_, clock_after_;
  std::vector<reconstruct::HostInterval> ties_before_, ties_after_;
};

}  // namespace streamscope::cuda
