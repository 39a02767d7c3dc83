// CUPTI's activity records of what happens between start() and stop(): API calls, copies, memsets and kernels.
//
// It can be used around any pass, with or without other instruments. CUPTI exists once per process, so there is one
// recording at a time, of all GPUs. Which record belongs to which operation: engine/reconstruct/activity.h.
//
// Clocks. CUPTI stamps API calls with a host clock of its own (CLOCK_REALTIME on Linux) and maps each device's times
// onto it by a straight line of its own. The first is tied to host_now() by reading both in turn, before and after.
// CUPTI does not report the accuracy of the second, so on each GPU some tiny kernels, copies and memsets (ties) are
// issued and waited for before and after: each lies between two readings of the host's clock, and so must its record.
// What they allow is one device's own: its records are moved by it, and are as uncertain. CUPTI can use a clock given
// by a callback, but libraries before 13.3 keep device times on the old clock if a context existed already, as here.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/device/cuda/runtime/gpus.h"
#include "engine/reconstruct/activity.h"

namespace streamscope::cuda {

struct Recording {
  reconstruct::ActivityRecords records;    // on host_now()'s clock
  bool names_threads = false;              // calls carry the system's thread ids (gettid())
  std::vector<Nanoseconds> uncertainties;  // by DeviceId: of its times on the host's clock, plus or minus
  Nanoseconds uncertainty = 0;             // the largest of them
  Nanoseconds shift = 0;  // added to a device's times so that they do not contradict the host's: likewise
  std::size_t lost = 0;   // records without room
};

class CuptiRecorder {
 public:
  // Attaches CUPTI. Error bad_input: why it cannot be used, and what to do.
  static Result<void> available();
  // Also records the ties once, to see that CUPTI reports all of them on each of these.
  static Result<std::unique_ptr<CuptiRecorder>> open(const Gpus& gpus);
  ~CuptiRecorder();
  CuptiRecorder(const CuptiRecorder&) = delete;
  CuptiRecorder& operator=(const CuptiRecorder&) = delete;

  // While there is one, CUPTI tells what it calls the nodes of graphs that are instantiated.
  class GraphNodes {
   public:
    GraphNodes();
    ~GraphNodes();
    GraphNodes(const GraphNodes&) = delete;
    GraphNodes& operator=(const GraphNodes&) = delete;
    // Of the executable node that this captured one was made into, as long as the captured graph exists: Activity's
    // graph_node. 0: CUPTI did not say.
    std::uint64_t of(cudaGraphNode_t captured) const;
  };

  // Both with the devices idle, on the issuing thread; the first is current afterwards. stop() ends the recording even
  // if it fails.
  Result<void> start();
  Result<Recording> stop();

  // The library's version: "13.0.1".
  std::string version() const;
  // Which API calls it records, for a note.
  std::string_view calls() const;

 private:
  explicit CuptiRecorder(const Gpus& gpus) : gpus_(gpus) {}
  Result<void> launch_ties(std::vector<reconstruct::HostInterval>& into);
  Result<void> launch_ties_on(std::size_t gpu, std::vector<reconstruct::HostInterval>& into);
  Result<void> enable();
  Result<void> tie_clock(std::optional<reconstruct::ClockWindow>& into);
  Result<Recording> read();
  Result<void> tie_devices(Recording& recording, Nanoseconds clock_uncertainty) const;
  void disable() noexcept;
  void end() noexcept;

  Gpus gpus_;
  std::vector<Memory> words_;  // by DeviceId: what the ties write and copy
  Memory host_word_;           // pinned
  bool recording_ = false;
  // Which API calls are recorded: those of the runtime that issue device work; all of the runtime; those of the driver
  // too. The first of these that works with the library is used.
  enum class Calls : std::uint8_t { chosen, runtime, driver };
  Calls calls_ = Calls::chosen;
  std::optional<reconstruct::ClockWindow> clock_before_, clock_after_;
  std::vector<reconstruct::HostInterval> ties_before_, ties_after_;
};

}  // namespace streamscope::cuda
