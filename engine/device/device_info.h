// What a device says of itself, and a list of those there are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/trace/trace.h"

namespace streamscope::device {

// A number of a model that people change to ask "what if": the device "ID,KEY=VALUE" is the model so changed.
struct WhatIfNumber {
  std::string key, name, meaning;  // "copies.engines", "Copy engines"
  std::string unit;                // what follows the number in VALUE: "", "GB/s", "MHz", "ns"
  double least = 0, most = 0;      // of a slider, in that unit
  double value = 0;                // the profile's own
  friend bool operator==(const WhatIfNumber&, const WhatIfNumber&) = default;
};
std::string value_text(const WhatIfNumber& number, double value);  // "3", "55.5GB/s"

// What the driver tells of a multiprocessor and a block; 0 where it does not.
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
  std::string compute_capability;  // "9.0"; empty where the profile does not say
  std::uint64_t memory_bytes = 0;
  int multiprocessors = 0;
  int copy_engines = 0;         // asyncEngineCount
  int lowest_priority = 0;      // of streams: 0
  int highest_priority = 0;     // -5, say; lower is more urgent
  bool drives_display = false;  // a kernel that runs long there is killed by the driver
  // Of a model that is listed.
  std::vector<WhatIfNumber> what_ifs{};
  std::string predicted_by{};  // the model that predicts its runs, where none is named: "model:h200"; in a list only
  MultiprocessorLimits limits{};
};

struct DeviceList {
  std::vector<DeviceInfo> devices;  // GPUs first, then models, the one that auto takes first
  std::string why_no_gpu;           // one line, where there is none
};

}  // namespace streamscope::device
