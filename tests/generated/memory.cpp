#include "tests/generated/memory.h"

#include <fmt/format.h>

#include "tests/generated/spelling.h"

namespace streamscope::generated {

std::string range(Random& random, const Memory& memory, std::uint64_t bytes, std::uint64_t unit,
                  const std::vector<Loop>& loops) {
  if (bytes == memory.bytes && !random.once_in(4)) return memory.name;
  if (!loops.empty() && !random.once_in(3)) {
    const Loop& loop = random.one_of(loops);
    const std::uint64_t stride = (bytes + unit - 1) / unit * unit;
    const auto last = static_cast<std::uint64_t>(loop.passes - 1) * stride;
    if (last + bytes <= memory.bytes) {
      const std::string offset = stride % 1024 == 0 ? fmt::format("{{{}*{}}}KiB", loop.variable, stride / 1024)
                                                    : fmt::format("{{{}*{}}}", loop.variable, stride);
      return fmt::format("{}[{}:{}]", memory.name, offset, size(random, bytes));
    }
  }
  const std::uint64_t offset = random.below((memory.bytes - bytes) / unit + 1) * unit;
  return fmt::format("{}[{}:{}]", memory.name, size(random, offset), size(random, bytes));
}

}  // namespace streamscope::generated
