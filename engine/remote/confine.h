// What an engine process gives up at its start, and for good: it runs what somebody else may have written.
#pragma once

#include <cstdint>

namespace streamscope::remote {

inline constexpr std::uint64_t kLargestFile = std::uint64_t{4} << 30;  // bytes
inline constexpr std::uint64_t kMostDescriptors = 4096;

// For the engine's main thread, before any other. No core dump, no file larger than kLargestFile (the engine itself
// writes none; CUDA keeps a cache of compiled kernels, of 4 GiB at most), no more than kMostDescriptors open. And it
// ends with the thread that started it, even where it hangs and does not see its input end.
//
// Left alone are the address space, of which CUDA reserves far more than there is memory; the number of processes,
// which is counted for all of a person's; and privileges gained by starting a program, since CUDA starts
// nvidia-modprobe, which needs them.
void confine();

// For who starts an engine: what is open here, but for the standard streams, is not passed on to any child. The
// descriptors that libraries and callers left open are none of an engine's business, and one that kept a copy of
// another's pipe would keep that one alive.
void keep_descriptors();

}  // namespace streamscope::remote
