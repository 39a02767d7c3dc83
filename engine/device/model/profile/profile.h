// A device profile: the numbers the model runs on.
//
// profile_numbers.h lists them all with their meaning; profile_file.h reads and writes them as TOML
// (assets/devices/*.toml).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/time.h"

namespace streamscope::model {

// Where a number comes from, so that nobody takes a guess for a measurement.
enum class Origin : std::uint8_t { measured, datasheet, assumed };
std::string_view name(Origin origin);

// How long something takes by its size: points joined by straight lines; flat below the first, and beyond the last with
// the slope of the last two. Sizes rise and times do not fall.
struct TimeBySize {
  struct Point {
    std::uint64_t bytes;
    Nanoseconds time;
    Origin origin = Origin::assumed;
  };
  std::vector<Point> points;  // two at least
  // Saturates at kLongestTime, so that no sum of a program's times can overflow.
  Nanoseconds at(std::uint64_t bytes) const;
};
inline constexpr Nanoseconds kLongestTime = 100ll * 86'400 * 1'000'000'000;  // exact as a double, too

// Which copy a free engine takes next.
enum class CopyQueue : std::uint8_t {
  eligible,  // the one that could start first
  issue,     // the one issued first, even while it waits for its stream: what devices with one engine are known for
  channel,   // the next of the channel it served last, as long as that has one, else of the next channel in turn
};

struct Profile {
  std::string id;    // "h200": the file's name without its ending
  std::string name;  // "NVIDIA H200"
  std::string compute_capability;
  // What differs from the file: a number, its value and what that was.
  struct Change {
    std::string key, value, was;
  };
  std::vector<Change> changes;
  std::vector<Origin> origins;  // of profile_numbers(), in that order; of a table that of its worst point

  struct Device {
    std::uint64_t memory;
    int highest_priority;  // of streams, such as -5; the lowest is 0
  } device{};

  // Host time of a call, and what the host's waits cost.
  struct Host {
    std::uint32_t pace;             // millionths: what a call that queues work takes, of its number below
    TimeBySize copy_h2d, copy_d2h;  // of pinned memory
    TimeBySize memset;
    Nanoseconds copy_on_device, launch, record, wait, host_function, prefetch;
    Nanoseconds graph_launch, graph_node;  // of a graph, and for each of its nodes
    Nanoseconds malloc_async, free_async;
    Nanoseconds blocking_copy, blocking_copy_by_host;         // besides that of an asynchronous copy
    Nanoseconds sync_device, sync_stream, sync_event, query;  // where there is nothing to wait for
    Nanoseconds wake;  // from the end of what a synchronisation waits for to its return
    Nanoseconds work, thread_start, thread_first_call, thread_join;  // besides the work itself
    TimeBySize malloc, free;
    TimeBySize touch, touch_write_combined, touch_migrated;
    std::uint32_t calls_take_turns;  // millionths of a call, in which those of other host threads wait
    bool malloc_waits, free_waits;   // for the whole device
  } host{};

  // From the end of one operation of a stream until the next can start.
  struct Streams {
    std::uint32_t queue_depth;  // unfinished operations in one stream that hold the next call
    std::uint32_t connections;  // channels to the multiprocessors, which streams share (channels.h)
    Nanoseconds submit;         // from the call's return until the device has the operation
    Nanoseconds kernel_after_kernel, copy_after_kernel, kernel_after_copy, copy_after_copy, copy_after_other_copy;
    // An engine that has waited for another's work no longer than `short_wait` begins `short_handoff` after its end; up
    // to `long_wait` in the middle between that and the times above (handoff.h).
    Nanoseconds short_wait, long_wait, short_handoff;
    Nanoseconds inlined;       // between a kernel and a copy that travels with the commands
    Nanoseconds record, wait;  // stream time of a timed cudaEventRecord, of a cudaStreamWaitEvent
    Nanoseconds event;         // from the end of a record until a wait in another stream sees it
    Nanoseconds legacy;        // from the end of work in one stream until the legacy barrier lets another go on
    // From the call until a host function begins, and from the end of device work. A callback thread that has had
    // nothing to do for `patience` sleeps then; waking it takes longer the longer it slept: by millionths of that, of
    // 0.4 ms at most.
    Nanoseconds host_function, host_function_after_work;
    Nanoseconds host_function_patience, host_function_asleep;
    std::uint32_t host_function_doze;
    Nanoseconds host_function_again;                  // from the end of one until the next begins
    Nanoseconds after_host_function;                  // from its end until the device goes on, after a long wait
    Nanoseconds graph_start, graph_node, graph_copy;  // from the launch to the first nodes, from node to node
  } streams{};

  struct Copies {
    int engines;  // 1: both directions share one; 2 or more: one a direction
    CopyQueue queue;
    std::uint64_t inlined;                  // copies to the device up to this size travel with the commands
    std::uint64_t by_host;                  // and up to this size where the stream is idle: written by the host
    Nanoseconds h2d_first, d2h_first;       // until an idle engine has begun
    TimeBySize h2d, d2h;                    // pinned memory: of the engine
    TimeBySize h2d_staged;                  // what the host has written into commands or staging room: of the engine
    TimeBySize h2d_pageable, d2h_pageable;  // the host is held that long
    std::uint32_t pageable_turn;    // millionths: a copy to pageable memory that one to the device has read takes more,
    std::uint64_t host_cache;       // unless the program copies more pageable data than the host's caches hold
    std::uint32_t channels;         // of each direction, which streams share likewise
    std::uint64_t staging;          // pageable copies to the device up to this size do not wait for their stream
    std::uint32_t both_directions;  // rate of each while both are busy, in millionths of its rate alone
    TimeBySize on_device, memset;
  } copies{};

  struct Managed {
    TimeBySize fault_in;   // a kernel touches pages that are on the host
    TimeBySize fault_out;  // the host touches pages that are on the device
    TimeBySize prefetch_in, prefetch_out;
    TimeBySize mapped;  // a kernel reads and writes so much host memory over the bus
  } managed{};

  struct Compute {
    int multiprocessors;
    std::uint32_t threads, blocks, registers, shared_bytes;  // of one multiprocessor
    std::uint32_t block_threads, block_shared;               // the most one block may take
    std::uint32_t block_shared_reserved;                     // what the system takes of shared memory for each block
    std::uint64_t spread;        // of a larger grid's first blocks, so many go to a multiprocessor of their own
    std::uint32_t kernels;       // that run at once
    Nanoseconds first;           // until an idle device has begun its first block
    Nanoseconds launch_gap;      // between the starts of two kernels
    Nanoseconds block_overhead;  // of one wave of blocks, besides their work
    std::uint64_t block_rate;    // blocks handed out in a second
    std::uint32_t clock_mhz;
    std::uint32_t fma_a_clock;                  // float32 fused multiply-adds one multiprocessor ends a clock
    std::uint32_t fma_latency;                  // millionths of a clock, until the next one that depends on it
    Nanoseconds memory_latency, cache_latency;  // of one load and store
    std::uint64_t memory_rate;                  // bytes a second, read plus written
    std::uint64_t cache_rate;                   // the same of data that the second-level cache holds
    std::uint64_t cache_bytes;
  } compute{};
};

// "h200", or "h200, changed: copies.engines 1 (was 3)": a changed profile is named as changed wherever it is shown.
std::string title(const Profile& profile);

}  // namespace streamscope::model
