// Sizes and durations as text, both ways. The units are those of the stream program: B is implied for a plain number,
// KiB MiB GiB are binary, KB MB GB decimal; ns us ms s, fractions allowed where they come to whole nanoseconds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/base/time.h"

namespace streamscope {

Result<std::uint64_t> parse_bytes(std::string_view text);
Result<Nanoseconds> parse_duration(std::string_view text);

// Exact, in the largest unit that divides: "64MiB", "1500us". What these print, the parsers read back to the same
// value.
std::string exact_bytes(std::uint64_t bytes);
std::string exact_duration(Nanoseconds duration);

// For people, four digits at most and a unit: "64 MiB", "1.5 ms", "–" for an unknown time.
std::string display_bytes(std::uint64_t bytes);
std::string display_duration(Nanoseconds duration);
// "55.4 GB/s" (decimal, as vendors count), "–" where the time is not positive.
std::string display_bandwidth(std::uint64_t bytes, Nanoseconds duration);

}  // namespace streamscope
