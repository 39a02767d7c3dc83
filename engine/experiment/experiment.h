// What a person sets: the pipeline experiment.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/time.h"
#include "engine/program/program.h"

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
enum class KernelName : std::uint8_t { axpb, spin, tiles, attention };

// As files spell them: "depth-first", "per-thread", "sync", "poll", "axpb".
std::string_view name(IssueOrder order);
std::string_view name(StreamFlags flags);
std::string_view name(Mode mode);
std::string_view name(FinalSync sync);
std::string_view name(KernelName kernel);

// Defaults are the default experiment, four-streams. Valid wherever it comes from parse_experiment() or check().
struct Experiment {
  std::string name;   // "Four streams"
  std::string about;  // one or two sentences for the reader
  std::uint64_t bytes = 256ull << 20;
  std::uint64_t chunk = 16ull << 20;  // key `chunk`, or `chunks` = bytes / chunk
  std::uint32_t streams = 4;
  IssueOrder order = IssueOrder::depth_first;
  program::HostMemory host = program::HostMemory::pinned;
  StreamFlags stream_flags = StreamFlags::nonblocking;
  Mode mode = Mode::async;
  FinalSync sync = FinalSync::device;
  bool h2d = true;
  bool d2h = true;
  bool kernel = true;  // `kernel.name = "none"` switches it off
  KernelName kernel_name = KernelName::axpb;
  std::uint32_t kernel_fma = 2100;        // axpb, tiles; on an H200 16 MiB then take about as long as their copy
  Nanoseconds kernel_duration = 300'000;  // spin
  program::TileCopy kernel_copy = program::TileCopy::cp_async;  // tiles
  std::uint32_t kernel_stages = 2;
  std::uint64_t kernel_tile = 16 << 10;
  std::uint32_t kernel_bytes = 16;  // of one thread's copy; at most kernel_align is used
  bool kernel_l1 = false;
  std::uint32_t kernel_align = 16;
  std::uint32_t kernel_diverge = 1;
  std::uint32_t kernel_producers = 0;  // warps that copy; 0: a quarter of them
  std::uint32_t kernel_per_sm = 1;     // blocks per SM, where kernel_blocks is 0
  std::uint32_t kernel_heads = 8;      // attention
  std::uint32_t kernel_head = 64;
  bool kernel_bf16 = false;
  std::uint32_t kernel_buffers = 2;
  std::uint32_t kernel_blocks = 0;  // 0: two per SM for axpb, kernel_per_sm for tiles, one for spin
  std::uint32_t kernel_threads = 256;
  bool verify = true;
  friend bool operator==(const Experiment&, const Experiment&) = default;
};

}  // namespace streamscope::experiment
