// The CUDA runtime calls that a program made, counted by name. Nothing is measured for it: every operation that the
// host issues is one call, and a poll knows how often it asked. So a model has the same counts as a GPU.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/trace/trace.h"

namespace streamscope::analysis {

// The call behind an operation that goes into a stream; empty where the operation is named after its call already.
std::string_view call_name(const trace::Span& span);

// Whether it came back only when something was done: it waits for that, or it is a copy that holds the host as long, as
// far as its end is known.
bool call_waited(const trace::Span& span);

struct ApiCalls {
  struct Count {
    std::string name;  // "cudaMemcpyAsync"
    std::uint64_t calls = 0;
    Nanoseconds time = 0;  // that the calls took, added up; of those whose times are known
    friend bool operator==(const Count&, const Count&) = default;
  };
  std::uint64_t total = 0;
  Nanoseconds time = 0;        // of all; calls of several host threads may have been made at once
  std::vector<Count> by_name;  // most calls first, then by name
};

// Of one run of the program, by all its host threads: not what an instrument called besides. A graph's launch is a
// call, its nodes are none; a kernel's launch is cudaLaunchKernel, by whichever of its variants it was made. None of a
// trace of another tool, whose calls may have been others.
ApiCalls api_calls(const trace::Trace& trace);

std::string api_calls_text(const ApiCalls& calls);  // "49 in 210 us (cudaMemcpyAsync 32 in 160 us, …)"; "none"

// "2 calls failed, the first on line 6 with cudaErrorIllegalAddress; 1 operation never ran"; empty where none failed.
// That work is not ready yet, as a query may answer, is no failure.
std::string failed_calls_text(const trace::Trace& trace);
// Of a run without a makespan: "Nothing ran on the device, so there is nothing to explain.", or that calls failed.
std::string nothing_ran_text(const trace::Trace& trace);
// "cudaErrorIllegalAddress, by 9 calls from 120 ms on, 119 ms after the kernel of line 6 began"; empty where none does.
std::string sticky_error_text(const trace::Trace& trace);

}  // namespace streamscope::analysis
