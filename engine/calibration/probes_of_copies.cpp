#include <algorithm>
#include <bit>
#include <utility>

#include "engine/base/quantity.h"
#include "engine/calibration/probe_list.h"

namespace streamscope::calibration {
namespace {

std::string buffer(std::uint64_t bytes, std::string_view host = "pinned", std::string_view name = "x") {
  const std::string size = exact_bytes(std::bit_ceil(std::max(bytes, kMib)));
  return fmt::format("buffer {} {}{}\n", name, size, host == "pinned" ? std::string() : fmt::format(" host={}", host));
}

struct Sizes {
  std::vector<std::uint64_t> quick, thorough;
};

// One copy and the synchronisation behind it: `bytes` alone.
void isolated(ProbeList& list, const std::string& direction, const std::string& host, bool blocking,
              const Sizes& sizes) {
  for (const auto& [use, some] : {std::pair{For::quick, &sizes.quick}, {For::thorough, &sizes.thorough}}) {
    for (const std::uint64_t bytes : *some) {
      const std::string range = fmt::format("x[0:{}]", exact_bytes(bytes));
      list.add(use, fmt::format("{} {} {}", blocking ? "memcpy" : "copy", direction, host), {.bytes = bytes},
               buffer(bytes, host) + (blocking ? fmt::format("host: memcpy {} {}\n", direction, range)
                                               : fmt::format("stream A nonblocking\nA: {} {}\n", direction, range)));
    }
  }
}

void all_isolated(ProbeList& list) {
  for (const std::string direction : {"h2d", "d2h"}) {
    isolated(list, direction, "pinned", false,
             {{4 * kKib, 64 * kKib, 256 * kKib, kMib, 4 * kMib, 16 * kMib, 64 * kMib},
              {64, kKib, 2 * kKib, 8 * kKib, 16 * kKib, 32 * kKib, 48 * kKib, 96 * kKib, 128 * kKib, 512 * kKib,
               2 * kMib, 3 * kMib, 8 * kMib, 32 * kMib, 128 * kMib, 256 * kMib}});
    isolated(list, direction, "pageable", false,
             {{4 * kKib, 64 * kKib, 256 * kKib, kMib, 4 * kMib, 16 * kMib},
              {kKib, 16 * kKib, 32 * kKib, 65 * kKib, 128 * kKib, 512 * kKib, 2 * kMib, 3 * kMib, 8 * kMib, 32 * kMib,
               64 * kMib, 128 * kMib}});
    isolated(list, direction, "write-combined", false,
             {{4 * kKib, kMib, 16 * kMib}, {64 * kKib, 256 * kKib, 4 * kMib, 64 * kMib, 256 * kMib}});
    isolated(list, direction, "pinned", true,
             {{4 * kKib, 64 * kKib, kMib, 16 * kMib}, {kKib, 32 * kKib, 128 * kKib, 256 * kKib, 4 * kMib, 64 * kMib}});
    isolated(list, direction, "pageable", true,
             {{4 * kKib, 64 * kKib, kMib, 16 * kMib},
              {kKib, 16 * kKib, 65 * kKib, 128 * kKib, 256 * kKib, 4 * kMib, 64 * kMib}});
  }
}

// `count` copies of `bytes`, in turn over the streams. Behind a spin the host has queued all before the first begins.
void back_to_back(ProbeList& list, const std::string& direction, const std::string& host) {
  struct Sort {
    std::uint64_t bytes, count;
  };
  const std::string group = fmt::format("copies {} {}", direction, host);
  for (const auto& [bytes, count] :
       {Sort{4 * kKib, 8}, {4 * kKib, 64}, {64 * kKib, 64}, {256 * kKib, 32}, {kMib, 16}, {4 * kMib, 8}}) {
    for (const std::uint32_t streams : {1u, 2u, 4u}) {
      for (const Nanoseconds behind : {Nanoseconds{0}, 300 * kUs}) {
        if (behind != 0 && streams == 4) continue;
        const bool needed = streams == 1 && bytes < 4 * kMib && (bytes != 4 * kKib || count == 64);
        const std::string ahead =
            behind == 0 ? "" : spin_ahead(behind) + "A: record e\n" + repeated(streams, "S{i}: wait e\n");
        list.add(needed ? For::quick : For::thorough, group,
                 {.count = count, .bytes = bytes, .streams = streams, .behind = behind},
                 buffer(bytes * count, host) +
                     fmt::format("stream A nonblocking\nstreams S {} nonblocking\n", streams) + ahead +
                     repeated(count, fmt::format("S{{i%{}}}: {} x[{{i*{}}}KiB:{}]\n", streams, direction, bytes / kKib,
                                                 exact_bytes(bytes))));
      }
    }
  }
}

// Many at once of pageable memory: whether staging of one overlaps the way of another.
void pageable_in_a_row(ProbeList& list) {
  for (const std::string direction : {"h2d", "d2h"}) {
    for (const std::uint64_t bytes : {4 * kKib, 64 * kKib, 256 * kKib, kMib, 4 * kMib}) {
      for (const std::uint32_t streams : {1u, 4u}) {
        const std::uint64_t count = bytes < kMib ? 16 : 8;
        list.add(streams == 1 && bytes != 4 * kMib ? For::quick : For::thorough,
                 fmt::format("copies {} pageable", direction), {.count = count, .bytes = bytes, .streams = streams},
                 buffer(bytes * count, "pageable") + fmt::format("streams S {} nonblocking\n", streams) +
                     repeated(count, fmt::format("S{{i%{}}}: {} x[{{i*{}}}KiB:{}]\n", streams, direction, bytes / kKib,
                                                 exact_bytes(bytes))));
      }
    }
    // In a stream that is busy for `behind`: does the call wait for it?
    for (const std::uint64_t bytes : {4 * kKib, 64 * kKib, 256 * kKib, kMib, 4 * kMib, 16 * kMib}) {
      for (const bool same : {true, false}) {
        list.add(same && (bytes == 64 * kKib || bytes == kMib) ? For::quick : For::thorough,
                 fmt::format("copy {} pageable, {} busy", direction, same ? "its stream" : "another stream"),
                 {.bytes = bytes, .behind = 1000 * kUs},
                 buffer(bytes, "pageable") + "streams A 2 nonblocking\n" +
                     fmt::format("A0: spin 1ms\nA{}: {} x[0:{}]\nA{}: spin 20us\n", same ? 0 : 1, direction,
                                 exact_bytes(bytes), same ? 0 : 1));
      }
    }
  }
  // A blocking copy does wait for blocking streams.
  list.add(For::thorough, "memcpy h2d pinned, a blocking stream busy", {.bytes = 64 * kKib, .behind = 200 * kUs},
           buffer(kMib) + "stream A\nA: spin 200us\nhost: memcpy h2d x[0:64KiB]\n");
  list.add(For::thorough, "memcpy h2d pageable, a blocking stream busy", {.bytes = 64 * kKib, .behind = 200 * kUs},
           buffer(kMib, "pageable") + "stream A\nA: spin 200us\nhost: memcpy h2d x[0:64KiB]\n");
  for (const std::string host : {"pinned", "pageable"}) {
    for (const std::string direction : {"h2d", "d2h"}) {
      list.add(For::thorough, fmt::format("memcpys {} {}", direction, host), {.count = 16, .bytes = 64 * kKib},
               buffer(kMib, host) + repeated(16, fmt::format("host: memcpy {} x[{{i*64}}KiB:64KiB]\n", direction)));
    }
  }
}

void on_the_device(ProbeList& list) {
  struct Sort {
    std::uint64_t bytes;
    For alone, many;
  };
  for (const auto& [bytes, alone, many] : {Sort{4 * kKib, For::quick, For::quick},
                                           {64 * kKib, For::thorough, For::thorough},
                                           {256 * kKib, For::thorough, For::thorough},
                                           {kMib, For::quick, For::quick},
                                           {4 * kMib, For::thorough, For::thorough},
                                           {16 * kMib, For::quick, For::quick},
                                           {64 * kMib, For::thorough, For::thorough},
                                           {256 * kMib, For::quick, For::thorough}}) {
    const std::string size = exact_bytes(bytes);
    for (const std::uint64_t count : {1, 8}) {
      const For use = count == 1 ? alone : many;
      list.add(use, "d2d", {.count = count, .bytes = bytes},
               buffer(bytes) + buffer(bytes, "pinned", "y") + "stream A nonblocking\n" +
                   repeated(count, fmt::format("A: d2d x[0:{}] y[0:{}]\n", size, size)));
      list.add(use, "memset", {.count = count, .bytes = bytes},
               buffer(bytes) + "stream A nonblocking\n" + repeated(count, fmt::format("A: memset x[0:{}] 1\n", size)));
    }
  }
  for (const std::uint64_t bytes : {4 * kKib, kMib, 16 * kMib}) {
    const std::string size = exact_bytes(bytes);
    for (const std::string what : {"d2d x[0:{0}] y[0:{0}]", "memset x[0:{0}] 1"}) {
      const std::string words = fmt::format(fmt::runtime(what), size);
      list.add(For::thorough, what.starts_with("d2d") ? "d2d" : "memset",
               {.count = 32, .bytes = bytes, .streams = 1, .behind = 300 * kUs},
               buffer(bytes) + buffer(bytes, "pinned", "y") + "stream A nonblocking\n" + spin_ahead(300 * kUs) +
                   repeated(32, "A: " + words + "\n"));
      list.add(For::thorough, what.starts_with("d2d") ? "d2d" : "memset", {.count = 32, .bytes = bytes, .streams = 4},
               buffer(bytes) + buffer(bytes, "pinned", "y") + "streams S 4 nonblocking\n" +
                   repeated(32, "S{i%4}: " + words + "\n"));
    }
  }
}

// `count` copies of `bytes` each way, a stream for each direction, and while something else is busy.
void together(ProbeList& list) {
  struct Sort {
    std::uint64_t bytes, count;
  };
  for (const auto& [bytes, count] : {Sort{256 * kKib, 32}, {kMib, 16}, {4 * kMib, 8}, {16 * kMib, 4}}) {
    const std::string size = exact_bytes(bytes), step = fmt::format("[{{i*{}}}KiB:{}]\n", bytes / kKib, size);
    const std::string buffers =
        buffer(bytes * count) + buffer(bytes * count, "pinned", "y") + "streams S 2 nonblocking\n";
    list.add(For::quick, "copies both ways", {.count = count, .bytes = bytes},
             buffers + repeated(count, "S0: h2d x" + step + "S1: d2h y" + step));
    list.add(
        For::thorough, "copies h2d beside d2d", {.count = count, .bytes = bytes},
        buffers + repeated(count, "S0: h2d x" + step + fmt::format("S1: d2d y[0:{}] y[{}:{}]\n", size, size, size)));
    list.add(For::thorough, "copies h2d beside axpb", {.count = count, .bytes = bytes},
             buffers + repeated(count, "S0: h2d x" + step + "S1: axpb y fma=1\n"));
  }
  list.add(For::thorough, "a large copy and small ones", {.count = 8, .bytes = 16 * kMib},
           buffer(64 * kMib) + "streams S 2 nonblocking\nS0: h2d x[0:16MiB]\n" +
               repeated(8, "S1: h2d x[{32*1024+i*64}KiB:64KiB]\n"));
}

}  // namespace

void add_copy_probes(ProbeList& list) {
  all_isolated(list);
  for (const std::string direction : {"h2d", "d2h"}) back_to_back(list, direction, "pinned");
  pageable_in_a_row(list);
  on_the_device(list);
  together(list);
}

}  // namespace streamscope::calibration
