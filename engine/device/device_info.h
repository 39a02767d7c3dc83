// The description of a device, and the list of those present.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/trace/trace.h"

namespace streamscope::device {

// A number of a model that users change to ask "what if": the device "ID,KEY=VALUE" is the model with that change.
struct WhatIfNumber {
  std::string key, name, meaning;  // "copies.engines", "Copy engines"
  std::string unit;                // what follows the number in VALUE: "", "GB/s", "MHz", "ns"
  double least = 0, most = 0;      // of a slider, in that unit
  double value = 0;                // the profile's own
  friend bool operator==(const WhatIfNumber&, const WhatIfNumber&) = default;
};
std::string value_text(const WhatIfNumber& number, double value);  // "3", "55.5GB/s"

// Limits of a multiprocessor and a block, as reported by the driver; 0 where it reports none.
struct MultiprocessorLimits {
  int threads = 0, blocks = 0, registers = 0;
  std::uint64_t shared_bytes = 0;
  int block_threads = 0;
  std::uint64_t block_shared = 0, block_shared_reserved = 0;
  int clock_mhz = 0;
};

struct DeviceInfo {
  std::string id;    // "cuda:0", "model:h200": what --device takes
  std::string name;  // "NVIDIA H200"
  trace::Provenance::Kind kind = trace::Provenance::Kind::model;
  std::string driver;              // empty for a model
  std::string profile;             // empty for a GPU
  std::string compute_capability;  // "9.0"; empty if the profile does not have it
  std::uint64_t memory_bytes = 0;
  int devices = 1;   // that a program may name: the models of it, or this GPU and the others that can be used
  bool peer = true;  // where a program may name two, its first two reach each other's memory (cudaDeviceCanAccessPeer)
  int multiprocessors = 0;
  int copy_engines = 0;         // asyncEngineCount
  int lowest_priority = 0;      // of streams: 0
  int highest_priority = 0;     // -5, say; lower is more urgent
  bool drives_display = false;  // the driver then kills long kernels
  // Set in a list of devices only.
  std::vector<WhatIfNumber> what_ifs{};
  std::string predicted_by{};  // the model that predicts its runs by default: "model:h200"
  MultiprocessorLimits limits{};
};

// "2 × NVIDIA H200" of a model of two, else the name.
std::string title(const DeviceInfo& device);

// A GPU that is there and cannot be used.
struct SkippedGpu {
  std::string id, name;  // the name may be empty: not even that could be asked for
  std::string why;       // one line
  friend bool operator==(const SkippedGpu&, const SkippedGpu&) = default;
};

struct DeviceList {
  std::vector<DeviceInfo> devices;  // GPUs first, then models; the default model is the first of these
  std::string why_no_gpu;           // one line, if there is none that can be used
  std::vector<SkippedGpu> skipped{};
};

}  // namespace streamscope::device
