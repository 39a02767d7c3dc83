// A device profile: the numbers the model runs on.
//
// description.h says of each what it means; profile_file.h reads and writes them as TOML (assets/devices/*.toml).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/name_table.h"
#include "engine/base/time.h"

namespace streamscope::model {

// Where a number comes from.
enum class Origin : std::uint8_t { measured, datasheet, assumed };

// A time by size: points joined by straight lines, constant below the first point, and beyond the last with the slope
// of the last two. Sizes increase and times do not decrease.
struct TimeBySize {
  struct Point {
    std::uint64_t bytes;
    Nanoseconds time;
    Origin origin = Origin::assumed;
  };
  std::vector<Point> points;  // at least two
  // Saturates at kLongestModelled, so that no sum of a program's times can overflow.
  Nanoseconds at(std::uint64_t bytes) const;
};

// Which copy a free engine takes next.
enum class CopyQueue : std::uint8_t {
  eligible,  // the one that could start first
  issue,     // the one issued first, even while it waits for its stream: as devices with one engine do
  channel,   // the next of the channel it served last, else of the next channel that has one
};

// description.h says what each number means; only what is not said there stands here.
struct Profile {
  std::string id;    // "h200": the file's name without its ending
  std::string name;  // "NVIDIA H200"
  std::string compute_capability;
  // A number that was changed from what the file says: its new and its old value.
  struct Change {
    std::string key, value, was;
  };
  std::vector<Change> changes;
  std::vector<Origin> origins;  // by profile_numbers(); of a table that of its least certain point

  struct Device {
    std::uint64_t memory;
    int highest_priority;
  } device{};

  struct Host {
    std::uint32_t pace;
    TimeBySize copy_h2d, copy_d2h, memset;
    Nanoseconds copy_on_device, launch, record, wait, host_function, prefetch;
    Nanoseconds graph_launch, graph_node, malloc_async, free_async, blocking_copy, blocking_copy_by_host;
    Nanoseconds sync_device, sync_stream, sync_event, query, wake;
    Nanoseconds work, thread_start, thread_first_call, thread_join;
    TimeBySize malloc, free, touch, touch_write_combined, touch_migrated;
    std::uint32_t calls_take_turns;
    bool malloc_waits, free_waits;
  } host{};

  struct Streams {
    std::uint32_t queue_depth;
    std::uint32_t connections;  // channels to the multiprocessors (channels.h)
    Nanoseconds submit;
    Nanoseconds kernel_after_kernel, copy_after_kernel, kernel_after_copy, copy_after_copy, copy_after_other_copy;
    Nanoseconds short_wait, long_wait, short_handoff;  // handoff.h
    Nanoseconds inlined, record, wait, event, legacy;
    Nanoseconds host_function, host_function_after_work;
    Nanoseconds host_function_patience, host_function_asleep;
    std::uint32_t host_function_doze;
    Nanoseconds host_function_again, after_host_function;
    Nanoseconds graph_start, graph_node, graph_copy;
  } streams{};

  struct Copies {
    int engines;
    CopyQueue queue;
    std::uint64_t inlined, by_host;
    Nanoseconds h2d_first, d2h_first;
    TimeBySize h2d, d2h, h2d_staged, h2d_pageable, d2h_pageable;
    std::uint32_t pageable_turn;
    std::uint64_t host_cache;
    std::uint32_t channels;  // channels.h
    std::uint64_t staging;
    std::uint32_t both_directions;
    TimeBySize on_device, memset;
  } copies{};

  struct Managed {
    TimeBySize fault_in, fault_out, prefetch_in, prefetch_out, mapped;
  } managed{};

  struct Compute {
    int multiprocessors;
    std::uint32_t threads, blocks, registers, shared_bytes;
    std::uint32_t block_threads, block_shared, block_shared_reserved;
    std::uint64_t spread;
    std::uint32_t kernels;
    Nanoseconds first, launch_gap, block_overhead;
    std::uint64_t block_rate;
    std::uint32_t clock_mhz;
    std::uint32_t fma_per_clock, fma_latency;
    Nanoseconds memory_latency, cache_latency;
    std::uint64_t memory_rate, cache_rate, cache_bytes;
  } compute{};

  // Between devices. A file may leave all of it out; then it is this, a guess at devices on one PCIe 3.0.
  struct Links {
    TimeBySize peer{{{4096, 4'000, Origin::assumed}, {256 << 20, 22'369'622, Origin::assumed}}};
    TimeBySize staged{{{4096, 10'000, Origin::assumed}, {256 << 20, 44'739'243, Origin::assumed}}};
    bool over_bus = true;
    std::uint32_t together = 1'000'000, both_ways = 1'000'000;
    Nanoseconds copy_call = 4'000, event = 2'000, set_device = 70, access = 200'000;
  } links{};
  int devices = 1;  // so many of them; not in the file
};

// "h200", or "h200, changed: copies.engines 1 (was 3)": what a changed profile is called wherever it is shown.
std::string title(const Profile& profile);

}  // namespace streamscope::model

template <>
inline constexpr streamscope::NameTable<3> streamscope::kNames<streamscope::model::Origin>{"measured", "datasheet",
                                                                                           "assumed"};
template <>
inline constexpr streamscope::NameTable<3> streamscope::kNames<streamscope::model::CopyQueue>{"eligible", "issue",
                                                                                              "channel"};
