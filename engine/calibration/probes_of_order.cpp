#include "engine/base/quantity.h"
#include "engine/calibration/probe_list.h"

namespace streamscope::calibration {
namespace {

// `count` times there and back between two streams, each waiting for the other's event.
void ping_pong(ProbeList& list) {
  struct Sort {
    const char* group;
    const char* there;
    const char* back;
    bool needed;
  };
  for (const Sort& s : {Sort{"ping-pong of spins", "spin 5us", "spin 5us", true},
                        {"ping-pong of copies h2d", "h2d x[0:4KiB]", "h2d x[4KiB:4KiB]", false},
                        {"ping-pong of copies", "h2d x[0:4KiB]", "d2h x[4KiB:4KiB]", false},
                        {"ping-pong of spin and copy h2d", "spin 5us", "h2d x[0:64KiB]", true},
                        {"ping-pong of spin and copy d2h", "spin 5us", "d2h x[0:64KiB]", false},
                        {"ping-pong of spin and memset", "spin 5us", "memset x[0:64KiB] 1", false},
                        {"ping-pong of spin and d2d", "spin 5us", "d2d x[0:64KiB] x[64KiB:64KiB]", false}}) {
    for (const std::uint64_t count : {1, 8, 32}) {
      for (const Nanoseconds behind : {Nanoseconds{0}, 500 * kUs}) {
        if (behind != 0 && count != 32) continue;
        list.add(quick_if(s.needed && count == 32), s.group, {.count = count, .behind = behind},
                 "buffer x 1MiB\nstream A nonblocking\nstream B nonblocking\n" + spin_ahead(behind) +
                     repeated(count, fmt::format("A: {}\nA: record a{{i}}\nB: wait a{{i}}\nB: {}\nB: record b{{i}}\n"
                                                 "A: wait b{{i}}\n",
                                                 s.there, s.back)));
      }
    }
  }
}

// `count` steps in one stream, each of another engine than the last.
void engines_in_turn(ProbeList& list) {
  struct Sort {
    const char* group;
    std::string step;
    std::uint64_t bytes;
    bool needed;
  };
  for (const std::uint64_t bytes : {4 * kKib, 64 * kKib, kMib}) {
    const std::string range = fmt::format("x[0:{}]", exact_bytes(bytes)),
                      other = fmt::format("y[0:{}]", exact_bytes(bytes));
    for (const Sort& s :
         {Sort{"h2d, spin, d2h in turn", fmt::format("A: h2d {0}\nA: spin 5us\nA: d2h {0}\n", range), bytes, true},
          {"h2d, d2h in turn", fmt::format("A: h2d {0}\nA: d2h {0}\n", range), bytes, true},
          {"spin, h2d in turn", fmt::format("A: spin 5us\nA: h2d {0}\n", range), bytes, false},
          {"spin, d2h in turn", fmt::format("A: spin 5us\nA: d2h {0}\n", range), bytes, false},
          {"spin, memset in turn", fmt::format("A: spin 5us\nA: memset {0} 1\n", range), bytes, false},
          {"spin, d2d in turn", fmt::format("A: spin 5us\nA: d2d {} {}\n", range, other), bytes, false},
          {"h2d, memset in turn", fmt::format("A: h2d {0}\nA: memset {0} 1\n", range), bytes, false}}) {
      for (const std::uint64_t count : {1, 16}) {
        for (const Nanoseconds behind : {Nanoseconds{0}, 400 * kUs}) {
          if (behind != 0 && count == 1) continue;
          list.add(
              quick_if(s.needed && count == 16 && bytes != 64 * kKib), s.group,
              {.count = count, .bytes = bytes, .behind = behind},
              "buffer x 1MiB\nbuffer y 1MiB\nstream A nonblocking\n" + spin_ahead(behind) + repeated(count, s.step));
        }
      }
    }
  }
}

void records_between(ProbeList& list) {
  for (const Nanoseconds behind : {Nanoseconds{0}, 500 * kUs}) {
    const std::string ahead = "buffer x 1MiB\nstream A nonblocking\n" + spin_ahead(behind);
    list.add(For::quick, "spins with records between", {.count = 64, .duration = 5 * kUs, .behind = behind},
             ahead + repeated(64, "A: spin 5us\nA: record e\n"));
    list.add(For::thorough, "spins with untimed records between", {.count = 64, .duration = 5 * kUs, .behind = behind},
             "event e notiming\n" + ahead + repeated(64, "A: spin 5us\nA: record e\n"));
    list.add(For::thorough, "copies with records between", {.count = 32, .bytes = 64 * kKib, .behind = behind},
             ahead + repeated(32, "A: h2d x[0:64KiB]\nA: record e\n"));
    list.add(For::thorough, "copies out with records between", {.count = 32, .bytes = 64 * kKib, .behind = behind},
             ahead + repeated(32, "A: d2h x[0:64KiB]\nA: record e\n"));
    list.add(For::thorough, "spins with waits for an ended event between",
             {.count = 64, .duration = 5 * kUs, .behind = behind},
             "stream B nonblocking\nB: record e\nhost: sync B\n" + ahead + repeated(64, "A: wait e\nA: spin 5us\n"));
  }
  // One stream lets others go, and waits for all of them.
  for (const std::uint32_t streams : {2u, 4u, 8u, 16u}) {
    list.add(quick_if(streams == 4), "fork and join", {.count = 8, .streams = streams, .duration = 10 * kUs},
             fmt::format("stream A nonblocking\nstreams S {} nonblocking\n", streams) +
                 repeated(8, fmt::format("A: spin 10us\nA: record f\nrepeat {0} as k {{\nS{{k}}: wait f\n"
                                         "S{{k}}: spin 10us\nS{{k}}: record j{{k}}\nA: wait j{{k}}\n}}\n",
                                         streams)));
  }
}

// `count` times a spin in a blocking stream, in the default stream, in another blocking stream.
void barriers(ProbeList& list) {
  for (const std::uint64_t count : {1, 8, 32}) {
    for (const std::uint32_t streams : {1u, 2u, 8u}) {
      list.add(
          quick_if(streams == 2 && count != 1), "barriers of the default stream",
          {.count = count, .streams = streams, .duration = 5 * kUs},
          fmt::format("streams B {}\n", streams) +
              repeated(count, fmt::format("repeat {} as k {{\nB{{k}}: spin 5us\n}}\ndefault: spin 5us\n", streams)));
    }
  }
  list.add(For::thorough, "barriers of copies in the default stream", {.count = 16, .bytes = 64 * kKib},
           "buffer x 1MiB\nstreams B 2\n" + repeated(16, "B0: spin 5us\ndefault: h2d x[0:64KiB]\nB1: spin 5us\n"));
  list.add(For::thorough, "spins in the default stream beside nonblocking ones", {.count = 16, .duration = 10 * kUs},
           "streams N 2 nonblocking\n" + repeated(16, "N0: spin 10us\ndefault: spin 10us\nN1: spin 10us\n"));
  list.add(For::thorough, "spins in the per-thread stream and the default one", {.count = 16, .duration = 10 * kUs},
           repeated(16, "per-thread: spin 10us\ndefault: spin 10us\n"));
}

// Small versions of what people do, to check a profile as a whole.
void wholes(ProbeList& list) {
  for (const std::uint32_t streams : {1u, 2u, 4u, 8u}) {
    for (const std::uint64_t bytes : {256 * kKib, kMib, 4 * kMib}) {
      for (const bool depth : {true, false}) {
        const std::uint64_t count = 16;
        const std::string part = fmt::format("x[{{i*{}}}KiB:{}]", bytes / kKib, exact_bytes(bytes));
        std::string body;
        for (const std::string& step : {"h2d " + part, "axpb " + part + " fma=64", "d2h " + part}) {
          const std::string line = fmt::format("S{{i%{}}}: {}\n", streams, step);
          body += depth ? line : repeated(count, line);
        }
        list.add(quick_if(streams == 4 && bytes != 4 * kMib && depth), depth ? "pipeline" : "pipeline, breadth first",
                 {.count = count, .bytes = bytes, .streams = streams, .fma = 64},
                 fmt::format("buffer x {}\nstreams S {} nonblocking\n", exact_bytes(bytes * count), streams) +
                     (depth ? repeated(count, body) : body));
      }
    }
  }
}

}  // namespace

void add_order_probes(ProbeList& list) {
  ping_pong(list);
  engines_in_turn(list);
  records_between(list);
  barriers(list);
  wholes(list);
}

}  // namespace streamscope::calibration
