// What a person sets: the pipeline experiment.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/name_table.h"
#include "engine/program/program.h"
#include "kernels/kernel.h"

namespace streamscope::experiment {

enum class IssueOrder : std::uint8_t {
  depth_first,    // for each chunk: copy in, kernel, copy out
  breadth_first,  // all copies in, then all kernels, then all copies out, chunk by chunk
};
enum class StreamFlags : std::uint8_t { blocking, nonblocking, legacy_default, per_thread };
enum class Mode : std::uint8_t {
  async,  // cudaMemcpyAsync, one synchronisation at the end
  sync,   // cudaMemcpy, and cudaDeviceSynchronize after each kernel: one operation at a time
};
enum class FinalSync : std::uint8_t { device, stream, event, poll };
// How the data goes across several devices.
enum class Across : std::uint8_t {
  split,       // chunks are dealt out to the devices in turn
  pipeline,    // each chunk is worked on by one device after the other, with a copy between them
  halo,        // each device has a part; in each step the chunks at its edges go to its neighbours
  all_gather,  // each device has a part; in each step it goes to all others, and each device works on the whole
};

// The first kernel of the registry, with the values of an experiment that says nothing else.
kernels::Choice standard_kernel();

// What people may type when they look for it, in their language: names of CUDA, of the field, of what goes wrong.
struct Keywords {
  std::vector<std::string> en, zh, ko;  // zh: simplified Chinese
  friend bool operator==(const Keywords&, const Keywords&) = default;
};

// Its members are described in description.h. Defaults are the default experiment, four-streams. Valid wherever it
// comes from parse_experiment() or check().
struct Experiment {
  std::string name, about;
  Keywords keywords;
  std::string
      program;  // a stream program of its own, in place of all but name, about, keywords and verify; empty: none
  std::uint64_t bytes = 256ull << 20;
  std::uint64_t chunk = 16ull << 20;
  std::uint64_t chunks = 0;  // in place of `chunk`, while a file is read; 0 behind parse_experiment()
  std::uint32_t streams = 4;
  IssueOrder order = IssueOrder::depth_first;
  program::HostMemory host = program::HostMemory::pinned;
  StreamFlags stream_flags = StreamFlags::nonblocking;
  Mode mode = Mode::async;
  FinalSync sync = FinalSync::device;
  bool h2d = true;
  bool d2h = true;
  kernels::Choice kernel = standard_kernel();  // with values as they were set: Kernel::settle() says what is launched
  bool verify = true;
  std::uint32_t devices = 1;  // of one device the other three mean nothing
  Across across = Across::split;
  bool peer_access = true;  // where data goes from device to device
  std::uint32_t steps = 4;  // of halo and all_gather
  friend bool operator==(const Experiment&, const Experiment&) = default;
};

// The way across the devices on which each has a part of the data for all of the run, and one stream.
inline bool in_parts(const Experiment& experiment) {
  return experiment.devices > 1 && (experiment.across == Across::halo || experiment.across == Across::all_gather);
}

}  // namespace streamscope::experiment

template <>
inline constexpr streamscope::NameTable<2> streamscope::kNames<streamscope::experiment::IssueOrder>{"depth-first",
                                                                                                    "breadth-first"};
template <>
inline constexpr streamscope::NameTable<4> streamscope::kNames<streamscope::experiment::StreamFlags>{
    "blocking", "nonblocking", "default", "per-thread"};
template <>
inline constexpr streamscope::NameTable<2> streamscope::kNames<streamscope::experiment::Mode>{"async", "sync"};
template <>
inline constexpr streamscope::NameTable<4> streamscope::kNames<streamscope::experiment::FinalSync>{"device", "stream",
                                                                                                   "event", "poll"};
template <>
inline constexpr streamscope::NameTable<4> streamscope::kNames<streamscope::experiment::Across>{"split", "pipeline",
                                                                                                "halo", "all-gather"};
