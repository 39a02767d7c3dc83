// The kernels, behind plain C++: no CUDA header is needed to call them.
//
// Every function returns a cudaError_t as an int, 0 for success, and is asynchronous to the host. Pointers are device
// pointers unless it says otherwise. Every kernel here is bounded: it ends whatever the host does.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/axpb/options.h"

struct CUstream_st;

namespace streamscope::kernels {

using Stream = CUstream_st*;

// %globaltimer, nanoseconds: the earliest begin and the latest end over all blocks of a launch. A launch without a
// stamp uses another instance of the kernel, which has no code for it.
struct Stamp {
  std::uint64_t start, end;
};

// Where a launch writes its stamp; nowhere by default. With `tickets` the launch is one that a graph repeats, and its
// nth execution (from 0) writes stamps[n]: each block increments that word, which is 0 at first, and the old value
// divided by the number of blocks is n. This requires that one execution ends before the next begins, as those of one
// executable graph do (cuda-rules 20). Neither the host nor the graph has to do anything between launches.
struct StampTo {
  StampTo(Stamp* to = nullptr, unsigned long long* drawn_from = nullptr)  // NOLINT: most are just a stamp
      : stamps(to), tickets(drawn_from) {}
  Stamp* stamps;
  unsigned long long* tickets;
};

// Loads every kernel and lets spin take as much dynamic shared memory as a block can have on this device.
int prepare(std::size_t shared_bytes_limit);

// Initialises stamps: start to the largest, end to the smallest value.
int reset_stamps(Stamp* stamps, std::uint64_t count, Stream stream);

struct Spin {
  std::uint64_t nanoseconds;
  std::uint32_t blocks, threads;
  std::size_t shared_bytes;
  const std::uint32_t* abandon;  // the kernel ends early once this is not 0
};
int spin(const Spin& launch, const StampTo& stamp, Stream stream);

struct Axpb {
  float* data;  // 4-byte aligned
  std::uint64_t count;
  std::uint32_t fma;
  std::uint32_t blocks, threads;
};
int axpb(const Axpb& launch, const StampTo& stamp, Stream stream);

// Fills with the pattern of kernels/pattern.h; a last partial word is cut.
int fill(void* data, std::uint64_t bytes, std::uint32_t seed, Stream stream);

// One thread writes %globaltimer.
int stamp(std::uint64_t* to, Stream stream);

// Ping-pong with the host through mapped pinned memory (device addresses here). For i = 1..count the kernel waits until
// *ask >= i and then writes %globaltimer to answers[i-1], which the host has set to 0 before. It gives up if *ask does
// not change for `patience` nanoseconds.
int handshake(const std::uint32_t* ask, std::uint64_t* answers, std::uint32_t count, std::uint64_t patience,
              Stream stream);

// One thread that runs until *open is not 0 (mapped memory as well), but no longer than `nanoseconds`: then it writes 1
// to *expired and ends.
int gate(const std::uint32_t* open, std::uint32_t* expired, std::uint64_t nanoseconds, Stream stream);

}  // namespace streamscope::kernels
