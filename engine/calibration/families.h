// The families of workloads: each writes one program from what it draws. `which` counts the programs of the family, so
// that one with few sorts can take them in turn.
#pragma once

#include "engine/calibration/program_writer.h"

namespace streamscope::calibration {

// families_of_copies.cpp
void pipeline(Sheet& sheet, std::uint64_t which);         // copy in, kernel, copy out, by chunks through streams
void tiny_chunks(Sheet& sheet, std::uint64_t which);      // many copies of 64 KiB or less
void isolated_pinned(Sheet& sheet, std::uint64_t which);  // one copy alone, pinned
void isolated_other(Sheet& sheet, std::uint64_t which);   // one copy or memset alone, of any other sort
void blocking_copies(Sheet& sheet, std::uint64_t which);  // cudaMemcpy between kernels
// families_of_kernels.cpp
void concurrent_kernels(Sheet& sheet, std::uint64_t which);  // that leave room for each other
void oversubscribed(Sheet& sheet, std::uint64_t which);      // that do not
void priorities(Sheet& sheet, std::uint64_t which);
void many_streams(Sheet& sheet, std::uint64_t which);  // more than there are hardware queues
void long_queues(Sheet& sheet, std::uint64_t which);   // hundreds of operations in a stream
// families_of_order.cpp
void event_graph(Sheet& sheet, std::uint64_t which);      // a random graph of records and waits
void legacy_barriers(Sheet& sheet, std::uint64_t which);  // the default stream between others
void host_interplay(Sheet& sheet, std::uint64_t which);   // synchronisation, polls, work, allocation
// Host functions have a family to themselves: waking the driver's thread that runs them takes 5 us at one time and
// 450 us at another, so that a GPU does not agree with itself on any program that holds one.
void host_functions(Sheet& sheet, std::uint64_t which);
void mixed(Sheet& sheet, std::uint64_t which);  // a bit of all the others

// families_of_structure.cpp
void shared_memory(Sheet& sheet, std::uint64_t which);          // managed and mapped buffers
void graphs(Sheet& sheet, std::uint64_t which);                 // captured once, launched some times
void host_threads(Sheet& sheet, std::uint64_t which);           // several threads that issue side by side
void allocation_in_streams(Sheet& sheet, std::uint64_t which);  // cudaMallocAsync, work on it, cudaFreeAsync

}  // namespace streamscope::calibration
