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

// Where a number comes from.
enum class Origin : std::uint8_t { measured, datasheet, assumed };
std::string_view name(Origin origin);

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
    int highest_priority;  // of streams, such as -5; the lowest is 0
  } device{};

  // Host time of calls and waits.
  struct Host {
    std::uint32_t pace;             // millionths: factor on the calls below that queue work
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
    std::uint32_t calls_take_turns;  // millionths of a call during which calls of other host threads wait
    bool malloc_waits, free_waits;   // for the whole device
  } host{};

  // From the end of one operation of a stream until the next can start.
  struct Streams {
    std::uint32_t queue_depth;  // unfinished operations in one stream that hold the next call
    std::uint32_t connections;  // channels to the multiprocessors, which streams share (channels.h)
    Nanoseconds submit;         // from the call's return until the device has the operation
    Nanoseconds kernel_after_kernel, copy_after_kernel, kernel_after_copy, copy_after_copy, copy_after_other_copy;
    // If the waiting engine has waited for at most `short_wait` it begins after `short_handoff`; up to `long_wait`,
    // after the mean of that and the times above (handoff.h).
    Nanoseconds short_wait, long_wait, short_handoff;
    Nanoseconds inlined;       // between a kernel and a copy whose data travels in the command stream
    Nanoseconds record, wait;  // stream time of a timed cudaEventRecord, of a cudaStreamWaitEvent
    Nanoseconds event;         // from the end of a record until a wait in another stream sees it
    Nanoseconds legacy;        // from the end of work in one stream until the legacy barrier lets another go on
    // Until a host function begins: from its call; from the end of the device work before it. The thread that runs host
    // functions sleeps after `patience` without work; it then takes `asleep`, plus `doze` millionths of the idle time,
    // of which at most 0.4 ms count.
    Nanoseconds host_function, host_function_after_work;
    Nanoseconds host_function_patience, host_function_asleep;
    std::uint32_t host_function_doze;
    Nanoseconds host_function_again;                  // from the end of one until the next begins
    Nanoseconds after_host_function;                  // from its end until the device continues, after a long wait
    Nanoseconds graph_start, graph_node, graph_copy;  // from the launch to the first nodes, from node to node
  } streams{};

  struct Copies {
    int engines;  // 1: both directions share one; 2 or more: one per direction
    CopyQueue queue;
    std::uint64_t inlined;                  // copies to the device up to this size travel in the command stream
    std::uint64_t by_host;                  // likewise up to this size where the stream is idle: written by the host
    Nanoseconds h2d_first, d2h_first;       // until an idle engine has begun
    TimeBySize h2d, d2h;                    // pinned memory: of the engine
    TimeBySize h2d_staged;                  // data in the command stream or the staging buffer: of the engine
    TimeBySize h2d_pageable, d2h_pageable;  // of the host's call
    std::uint32_t pageable_turn;  // millionths: factor on copies to pageable memory that a copy to the device has read,
    std::uint64_t host_cache;     // unless the program copies more pageable data than this
    std::uint32_t channels;       // per direction, which streams share (channels.h)
    std::uint64_t staging;        // pageable copies to the device up to this size do not wait for their stream
    std::uint32_t both_directions;  // rate of each while both are busy, in millionths of its rate alone
    TimeBySize on_device, memset;
  } copies{};

  struct Managed {
    TimeBySize fault_in;   // a kernel touches pages that are on the host
    TimeBySize fault_out;  // the host touches pages that are on the device
    TimeBySize prefetch_in, prefetch_out;
    TimeBySize mapped;  // a kernel reads and writes host memory over the bus
  } managed{};

  struct Compute {
    int multiprocessors;
    std::uint32_t threads, blocks, registers, shared_bytes;  // of one multiprocessor
    std::uint32_t block_threads, block_shared;               // the most one block may take
    std::uint32_t block_shared_reserved;                     // what the system takes of shared memory for each block
    std::uint64_t spread;        // how many of a larger grid's first blocks get a multiprocessor each
    std::uint32_t kernels;       // that run at once
    Nanoseconds first;           // until an idle device has begun its first block
    Nanoseconds launch_gap;      // between the starts of two kernels
    Nanoseconds block_overhead;  // of one wave of blocks, besides their work
    std::uint64_t block_rate;    // blocks handed out in a second
    std::uint32_t clock_mhz;
    std::uint32_t fma_per_clock;                // float32 fused multiply-adds per clock of one multiprocessor
    std::uint32_t fma_latency;                  // millionths of a clock, until a dependent one can start
    Nanoseconds memory_latency, cache_latency;  // of one load and store
    std::uint64_t memory_rate;                  // bytes a second, read plus written
    std::uint64_t cache_rate;                   // the same for data in the L2 cache
    std::uint64_t cache_bytes;
  } compute{};
};

// "h200", or "h200, changed: copies.engines 1 (was 3)": what a changed profile is called wherever it is shown.
std::string title(const Profile& profile);

}  // namespace streamscope::model
