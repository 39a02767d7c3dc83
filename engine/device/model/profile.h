// A device profile: the numbers the model runs on, read from TOML (assets/devices/*.toml).
//
// Each number in the file is a table { value = ..., origin = "measured" | "datasheet" | "assumed" }, so that nobody
// takes a guess for a measurement. Units are in the value ("1500ns", "64KiB", "55.5GB/s", "1980MHz"); counts are plain
// numbers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/time.h"

namespace streamscope {

// How long something takes by its size: points joined by straight lines; flat below the first, and beyond the last with
// the slope of the last two. Sizes rise and times do not fall.
struct TimeBySize {
  struct Point {
    std::uint64_t bytes;
    Nanoseconds time;
  };
  std::vector<Point> points;  // two at least
  // Saturates at one year, so that no sum of a program's times can overflow.
  Nanoseconds at(std::uint64_t bytes) const;
};

// Which copy a free engine takes next.
enum class CopyQueue : std::uint8_t {
  eligible,  // the one that could start first
  issue,     // the one issued first, even while it waits for its stream: what devices with one engine are known for
};

struct Profile {
  std::string id;  // "h200": the file's name without its ending
  std::string name;
  std::string compute_capability;
  std::uint64_t memory = 0;
  int highest_priority = 0;  // of streams, such as -5; the lowest is 0
  int assumed = 0;           // how many of its numbers are assumed
  int numbers = 0;           // of how many

  // Host time of one call, and what the host's waits cost.
  struct Host {
    Nanoseconds copy, memset, launch, record, wait, host_function, blocking_copy, synchronise, query;
    Nanoseconds wake;  // from the end of what a wait waits for to its return
    TimeBySize malloc;
    Nanoseconds free;
    TimeBySize touch, touch_write_combined;
  } host{};
  bool malloc_waits = false, free_waits = true;  // for the whole device

  struct Streams {
    std::uint32_t queue_depth;   // unfinished operations in one stream that hold the next call
    Nanoseconds record, wait;    // stream time of cudaEventRecord and cudaStreamWaitEvent
    Nanoseconds kernel_handoff;  // from the end of the work before a kernel until it can start
    Nanoseconds host_function;   // besides the function's own work
  } streams{};

  struct Copies {
    int engines;  // 1: both directions share one; 2 or more: one a direction
    CopyQueue queue;
    TimeBySize h2d, d2h;                    // pinned host memory
    TimeBySize h2d_pageable, d2h_pageable;  // the host is held that long; larger than the staging room: the engine too
    std::uint64_t staging;                  // bytes of pageable copies that may wait for their engine
    std::uint32_t both_directions;          // rate of each while both are busy, in millionths of its rate alone
    TimeBySize on_device, memset;
  } copies{};

  struct Compute {
    int multiprocessors;
    std::uint32_t threads, blocks, shared_bytes;  // of one multiprocessor
    std::uint32_t block_threads, block_shared;    // the most one block may take
    std::uint32_t block_shared_reserved;          // what the system takes of shared memory for each block
    Nanoseconds block_overhead;                   // of one wave of blocks, besides their work
    std::uint32_t clock_mhz;
    std::uint32_t fma_a_clock;   // float32 fused multiply-adds one multiprocessor ends a clock
    std::uint32_t fma_latency;   // clocks until the next one that depends on it
    Nanoseconds memory_latency;  // of one load
    std::uint64_t memory_rate;   // bytes a second, read plus written
  } compute{};
};

// Error bad_input: all that is wrong at once, "file:line:column: ..." each.
Result<Profile> parse_profile(std::string_view toml, std::string_view file, std::string_view id);
Result<Profile> read_profile(const std::filesystem::path& file);

}  // namespace streamscope
