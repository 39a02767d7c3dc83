#include "kernels/own/wrap.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <vector>

namespace streamscope::kernels {
namespace {

constexpr std::uint64_t kFencingBlocks = 128, kShortBlock = 2048;  // clocks

bool in_identifier(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The next place of a whole identifier from there on; npos: none.
std::size_t find_identifier(std::string_view text, std::string_view name, std::size_t from) {
  for (std::size_t at = text.find(name, from); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !in_identifier(text[at - 1])) && (end == text.size() || !in_identifier(text[end]))) return at;
  }
  return std::string_view::npos;
}

// "__attribute__((launch_bounds(256, 2))) " as the function's definition has them; empty: it has none.
std::string launch_bounds(std::string_view source, std::string_view function) {
  constexpr std::string_view kBounds = "__launch_bounds__";
  for (std::size_t at = find_identifier(source, function, 0); at != std::string_view::npos;
       at = find_identifier(source, function, at + 1)) {
    const std::size_t before = source.find_last_of(";}", at);
    const std::string_view head = source.substr(before == std::string_view::npos ? 0 : before,
                                                at - (before == std::string_view::npos ? 0 : before));
    const std::size_t bounds = find_identifier(head, kBounds, 0);
    if (bounds == std::string_view::npos) continue;
    const std::size_t close = head.find(')', bounds);
    const std::size_t values = bounds + kBounds.size();
    if (close != std::string_view::npos)
      return fmt::format("__attribute__((launch_bounds{})) ", head.substr(values, close + 1 - values));
  }
  return {};
}

// "mine.cu(3): error: text": what stands before and behind the line's number.
struct Said {
  std::string_view file, line, text;
};
std::optional<Said> said(std::string_view line) {
  const std::size_t close = line.find("): ");
  if (close == std::string_view::npos) return std::nullopt;
  const std::size_t open = line.rfind('(', close);
  if (open == std::string_view::npos || open == 0 || open + 1 == close) return std::nullopt;
  const std::string_view number = line.substr(open + 1, close - open - 1);
  if (!std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; })) return std::nullopt;
  return Said{line.substr(0, open), number, line.substr(close + 3)};
}

// The number behind the last colon, which goes with it; nothing: there is none.
std::optional<std::uint32_t> cut_number(std::string_view& place) {
  const std::size_t colon = place.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::uint32_t number = 0;
  const auto read = std::from_chars(place.data() + colon + 1, place.data() + place.size(), number);
  if (read.ec != std::errc() || read.ptr != place.data() + place.size() || number == 0) return std::nullopt;
  place.remove_suffix(place.size() - colon);
  return number;
}

}  // namespace

std::string wrapped(const OwnKernel& kernel, std::string_view source) {
  constexpr std::string_view kGlobal = "__global__", kDevice = "__device__";
  static_assert(kGlobal.size() == kDevice.size());  // so that columns stay
  const std::string bounds = launch_bounds(source, kernel.name);
  std::string text(source);
  for (std::size_t at = find_identifier(text, kGlobal, 0); at != std::string::npos;
       at = find_identifier(text, kGlobal, at))
    text.replace(at, kGlobal.size(), kDevice);

  std::string parameters, arguments;
  for (const Parameter& one : kernel.parameters) {
    fmt::format_to(std::back_inserter(parameters), "{} streamscope_{}, ", one.type, one.name);
    fmt::format_to(std::back_inserter(arguments), "{}streamscope_{}", arguments.empty() ? "" : ", ", one.name);
  }
  const std::string call = fmt::format("::{}({});", kernel.name, arguments);
  const auto function = [&](const char* name, std::string_view begin, std::string_view end) {
    return fmt::format(
        "extern \"C\" __global__ void {}{}({}unsigned long long* streamscope_stamp,\n"
        "    unsigned long long* streamscope_tickets) {{\n{}  {}\n{}}}\n",
        bounds, name, parameters, begin, call, end);
  };
  return fmt::format(
      "#undef __launch_bounds__\n#define __launch_bounds__(...)\n#line 1 \"{}\"\n{}\n#line 1 \"streamscope.cu\"\n"
      "static __device__ __forceinline__ unsigned long long streamscope_now() {{\n  unsigned long long now;\n"
      "  asm volatile(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(now) : : \"memory\");\n  return now;\n}}\n{}{}{}",
      kernel.file, text, function(kWrapped[0], "", ""),
      function(kWrapped[1],
               fmt::format("  unsigned long long* const stamp =\n"
                           "      streamscope_stamp + (gridDim.x < {0} ? 0 : blockIdx.x % {1} * 2);\n"
                           "  const long long begin = threadIdx.x == 0 ? clock64() : 0;\n"
                           "  if (threadIdx.x == 0 && blockIdx.x < {0}) atomicMin(stamp, streamscope_now());\n",
                           kManyBlocks, kSpreadStamps),
               fmt::format("  if (gridDim.x - blockIdx.x > {0}) {{\n"
                           "    if (threadIdx.x == 0 && clock64() - begin > {2}) atomicMax(stamp + 1, "
                           "streamscope_now());\n    return;\n  }}\n"
                           "  if (gridDim.x - blockIdx.x <= {1}) __threadfence();\n  __syncthreads();\n"
                           "  if (threadIdx.x == 0) atomicMax(stamp + 1, streamscope_now());\n",
                           kManyBlocks, kFencingBlocks, kShortBlock)),
      function(
          kWrapped[2],
          "  unsigned long long begin = 0, ticket = 0;\n  if (threadIdx.x == 0) {\n    begin = streamscope_now();\n"
          "    ticket = atomicAdd(streamscope_tickets, 1ull);\n  }\n",
          fmt::format("  if (gridDim.x - blockIdx.x <= {0}) __threadfence();\n  __syncthreads();\n"
                      "  if (threadIdx.x == 0) {{\n    const unsigned long long now = streamscope_now();\n"
                      "    unsigned long long* const stamp = streamscope_stamp + 2 * (ticket / gridDim.x);\n"
                      "    if (blockIdx.x < {1}) atomicMin(stamp, begin);\n    atomicMax(stamp + 1, now);\n  }}\n",
                      kFencingBlocks, kManyBlocks)));
}

std::string checked(const OwnKernel& kernel, std::string_view source) {
  std::string types;
  for (const Parameter& one : kernel.parameters)
    fmt::format_to(std::back_inserter(types), "{}{}", types.empty() ? "" : ", ", one.type);
  return fmt::format(
      "#line 1 \"{}\"\n{}\n#line 1 \"streamscope.cu\"\n"
      "template <class> struct streamscope_takes {{ static constexpr bool what_is_declared = false; }};\n"
      "template <> struct streamscope_takes<void({})> {{ static constexpr bool what_is_declared = true; }};\n"
      "static_assert(streamscope_takes<decltype(::{})>::what_is_declared, \"other parameters\");\n",
      kernel.file, source, types, kernel.name);
}

std::string errors_of(std::string_view log) {
  std::string all;
  std::string_view rest = log;
  const auto next = [&] {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return line;
  };
  while (!rest.empty()) {
    const auto found = said(next());
    if (!found || found->text.find("error") == std::string_view::npos) continue;
    // Up to the caret; what the line says may take several lines.
    std::size_t column = 0;
    for (std::string_view ahead = rest; !ahead.empty();) {
      const std::size_t end = std::min(ahead.find('\n'), ahead.size());
      const std::string_view line = ahead.substr(0, end);
      if (line.empty() || said(line)) break;
      const std::size_t caret = line.find_first_not_of(" \t");
      if (caret != std::string_view::npos && caret >= 2 && line.substr(caret) == "^") {
        column = caret - 1;  // each line of the source is two columns in
        break;
      }
      ahead.remove_prefix(std::min(end + 1, ahead.size()));
    }
    all += fmt::format("{}{}:{}:{} {}", all.empty() ? "" : "\n", found->file, found->line,
                       column > 0 ? fmt::format("{}:", column) : "", found->text);
  }
  return all.empty() ? std::string(log) : all;
}

std::vector<SourceError> source_errors(std::string_view text) {
  std::vector<SourceError> all;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t colon = line.find(": ");
    if (colon == std::string_view::npos) continue;
    std::string_view place = line.substr(0, colon);
    const std::optional<std::uint32_t> last = cut_number(place), before = last ? cut_number(place) : std::nullopt;
    if (!last || place.empty()) continue;
    all.push_back({.file = std::string(place),
                   .line = before.value_or(*last),
                   .column = before ? *last : 0,
                   .message = std::string(line.substr(colon + 2))});
  }
  return all;
}

}  // namespace streamscope::kernels
