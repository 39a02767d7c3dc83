// Kernels of the device's own, behind plain C++: no CUDA header is needed to call them.
//
// Every function returns a cudaError_t as an int, 0 for success, and is asynchronous to the host. Pointers are device
// pointers unless it says otherwise. Every kernel here is bounded: it ends whatever the host does.
#pragma once

#include <cstdint>

#include "kernels/stages.h"

struct CUstream_st;

namespace streamscope::kernels {

using Stream = CUstream_st*;

// Loads all that are below. cudaErrorNoKernelImageForDevice: they were not compiled for such a GPU.
int prepare();

// Compute capabilities times 100, no error codes: the lowest that the kernels were compiled for, and that of the code
// which a GPU of `capability` runs, as it is or compiled anew by the driver from PTX; 0: it runs none.
int lowest_architecture();
int architecture_for(int capability);

// Initialises stamps: start to the largest, end to the smallest value.
int reset_stamps(Stamp* stamps, std::uint64_t count, Stream stream);

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

// A kernel of one thread that fails; it writes its start to `stamp` before, if there is one. The last of them is
// refused by its launch. An error stays the thread's last error, as after any call.
enum class Fault { illegal_address, assertion, trap, launch_config };
int fault(Fault how, Stamp* stamp, Stream stream);
// Before the first of them: loads them, and launches one that does not fail.
int prepare_faults(Stream stream);

}  // namespace streamscope::kernels
