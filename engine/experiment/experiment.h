// What a person sets: the pipeline experiment. TOML in and out; build() turns it into the text of a stream program.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
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
  sync,   // cudaMemcpy, and cudaDeviceSynchronize after each kernel: everything in turn
};
enum class FinalSync : std::uint8_t { device, stream, event, poll };
enum class KernelName : std::uint8_t { axpb, spin, tiles, attention };

// As files spell them: "depth-first", "per-thread", "sync", "poll", "axpb".
std::string_view name(IssueOrder order);
std::string_view name(StreamFlags flags);
std::string_view name(Mode mode);
std::string_view name(FinalSync sync);
std::string_view name(KernelName kernel);

// Defaults are the default experiment, four-streams. Valid wherever it comes from parse_experiment(), set() or check().
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
  std::uint32_t kernel_bytes = 16;  // of one thread's copy; no more than kernel_align counts
  bool kernel_l1 = false;
  std::uint32_t kernel_align = 16;
  std::uint32_t kernel_diverge = 1;
  std::uint32_t kernel_producers = 0;  // warps that copy; 0: a quarter of them
  std::uint32_t kernel_per_sm = 1;     // blocks of each multiprocessor, where kernel_blocks is 0
  std::uint32_t kernel_heads = 8;      // attention
  std::uint32_t kernel_head = 64;
  bool kernel_bf16 = false;
  std::uint32_t kernel_buffers = 2;
  std::uint32_t kernel_blocks = 0;  // 0: two a multiprocessor for axpb, one a multiprocessor for tiles, one for spin
  std::uint32_t kernel_threads = 256;
  bool verify = true;
  friend bool operator==(const Experiment&, const Experiment&) = default;
};

// An experiment file holds either the pipeline's keys above, or `program = "..."`, a stream program of its own
// (default-stream-trap, event-dependency), beside `name`, `about` and `verify`.
struct ExperimentFile {
  Experiment experiment;
  std::string program;  // empty: build(experiment)
  // The program's line 1 is the file's line program_line + 1. 0: it is not written line by line in the file.
  std::uint32_t program_line = 0;
  std::map<std::string, std::string, std::less<>> places;  // of each key that was given: "file:3:9", "--set streams"
  // Keys that were given and do nothing; lines "place: warning: ...". A file may spell out the defaults of such keys,
  // as to_toml() does, and what it says for them may be put out of effect by a --set: neither is told.
  std::string warnings;
};

// A key=value of --set, applied after the file. "streams=8", "kernel.fma=128", "chunk=4MiB".
struct Setting {
  std::string key, value;
};
Result<Setting> parse_setting(std::string_view text);

// All that is wrong at once, each line "file:line:column: ..." (settings: "--set key: ..."), with a suggestion.
Result<ExperimentFile> parse_experiment(std::string_view toml, std::string_view file,
                                        const std::vector<Setting>& settings = {});
// All that a file could not say: chunks that do not divide, 0 streams. For callers that filled the struct by hand.
Result<void> check(const Experiment& experiment);

// parse_experiment() reads it back to an equal value; only which kernel a `kernel.name = "none"` put away is lost.
std::string to_toml(const Experiment& experiment);
std::string to_toml(const ExperimentFile& file);  // with its own program, where it has one

// The canonical text of its stream program: print(parse(build(e)).syntax) is the same text.
std::string build(const Experiment& experiment);
// The key that decides what line `line` of a program from build() asks of a device, such as "kernel.duration"; empty:
// no single one.
std::string_view key_behind(const program::Program& built, std::uint32_t line);

// For the window's controls: every key with its meaning, in order.
struct KeyHelp {
  std::string_view key, meaning, values;
};
std::vector<KeyHelp> experiment_keys();

}  // namespace streamscope::experiment
