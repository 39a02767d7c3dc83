// The source of a program's own kernel as it is compiled, and what a compiler says of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/own/own.h"

namespace streamscope::kernels {

// A launch with very many blocks has so many stamps, of which each block writes one: at a single address their atomics
// would take longer than a short kernel. Its begin is the earliest of them, its end the latest. A power of two.
inline constexpr std::uint64_t kManyBlocks = 1024;
inline constexpr std::uint32_t kSpreadStamps = 64;
constexpr std::uint32_t stamps_of_launch(std::uint64_t blocks) { return blocks < kManyBlocks ? 1 : kSpreadStamps; }

// Three functions around the kernel: without a stamp, with those of stamps_of_launch(), and with one that a graph's
// launches draw. Behind the kernel's own parameters come `unsigned long long* stamp` and `unsigned long long* tickets`
// (StampTo). Blocks begin in their order, so that the first 1024 stamp the begin, and the last 1024 the end; of the
// others those whose first thread took more than 2048 clocks, which may go on beside the last. In blocks that take no
// longer it would add up. The last 128 first wait for what they have written, as the end of the kernel does.
inline constexpr const char* kWrapped[] = {"streamscope_plain", "streamscope_once", "streamscope_repeatedly"};
// The kernel becomes a __device__ function, and its launch bounds theirs; lines and columns stay.
std::string wrapped(const OwnKernel& kernel, std::string_view source);
// The kernel as it is, and behind it what does not compile where its parameters are not those that are declared: a
// launch takes them as they are given.
std::string checked(const OwnKernel& kernel, std::string_view source);

// "mine.cu:3:5: error: ..." for each error of a log of NVRTC's, whose carets tell columns. As it is where there is
// none.
std::string errors_of(std::string_view log);

// Such an error, read again from a line of its own; `column` is 0 where it is not told.
struct SourceError {
  std::string file;
  std::uint32_t line = 0, column = 0;
  std::string message;
  friend bool operator==(const SourceError&, const SourceError&) = default;
};
// All that are in a text.
std::vector<SourceError> source_errors(std::string_view text);

}  // namespace streamscope::kernels
