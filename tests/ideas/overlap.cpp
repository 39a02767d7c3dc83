// Streams side by side: copies in both directions, kernels, and how much time that saves.
#include <fmt/format.h>

#include <algorithm>

#include "tests/ideas/idea.h"

namespace streamscope::ideas {

using verdict::Cause;
using verdict::WaitCause;

namespace {

constexpr const char* kFourStreams = R"(
buffer x 64MiB
streams S 4 nonblocking
repeat 4 as i {
  S{i}: h2d x[{i*16}MiB:16MiB]            # in
  S{i}: axpb x[{i*16}MiB:16MiB] fma=2000  # kernel
  S{i}: d2h x[{i*16}MiB:16MiB]            # out
}
)";

// Of several chunks' copies all but one (the first in, or the last out) run beside the kernel of another chunk. Of
// which one no rule says: several streams wait for the same engine, and a GPU need not take them in order of issue.
Verdict beside_kernels(O o, const std::string& copies, const std::string& kernels) {
  std::size_t beside = 0;
  for (std::size_t copy = 0; copy < o.count(copies); ++copy) {
    bool found = false;
    for (std::size_t other = 0; other < o.count(kernels); ++other)
      found |= other != copy && o.overlap({copies.c_str(), copy}, {kernels.c_str(), other}).holds();
    beside += found ? 1 : 0;
  }
  return that(beside > 0 && beside + 1 >= o.count(copies),
              fmt::format("'{}' runs beside a kernel of another chunk, but for one; {} do", copies, beside));
}

// From the first start of the one to the last end of the other.
double from_to(O o, const std::string& first, const std::string& last) {
  Nanoseconds begin = o.start({first.c_str()}).at, end = 0;
  for (std::size_t i = 0; i < o.count(first); ++i) begin = std::min(begin, o.start({first.c_str(), i}).at);
  for (std::size_t i = 0; i < o.count(last); ++i) end = std::max(end, o.end({last.c_str(), i}).at);
  return static_cast<double>(end - begin);
}

}  // namespace

std::vector<Idea> overlap() {
  return {
      {{"1.5", "4.4"},
       "operations of different streams may run at the same time",
       R"(
buffer x 16MiB
stream A nonblocking
stream B nonblocking
A: spin 500us  # kernel
B: h2d x       # copy
)",
       [](O o, S s) {
         return all({o.overlap("kernel", "copy"), s.drawn("spin"), s.drawn("H2D")});
       }},

      {{"1.6"},
       "operations of different streams interleave on an engine",
       R"(
buffer x 48MiB
stream A nonblocking
stream B nonblocking
A: h2d x[0:16MiB]            # a1
A: axpb x[0:16MiB] fma=1000  # a's kernel
B: h2d x[16MiB:16MiB]        # b1
A: h2d x[32MiB:16MiB]        # a2
)",
       [](O o, S s) {
         return all({o.in_turn({"a1", "b1", "a2"}), o.overlap("a's kernel", "b1"),
                     s.waits("b1", WaitCause::engine, "a1"), s.drawn_at("b1", "H2D engine busy")});
       }},

      {{"1.10", "1.14", "2.9"},
       "four chunks in four streams take about half of the time that they take in one: the staircase",
       R"(
buffer x 64MiB
stream A nonblocking
streams S 4 nonblocking
repeat 4 as i {
  A: h2d x[{i*16}MiB:16MiB]               # serial in
  A: axpb x[{i*16}MiB:16MiB] fma=2000     # serial kernel
  A: d2h x[{i*16}MiB:16MiB]               # serial out
}
host: sync A
repeat 4 as i {
  S{i}: h2d x[{i*16}MiB:16MiB]            # in
  S{i}: axpb x[{i*16}MiB:16MiB] fma=2000  # kernel
  S{i}: d2h x[{i*16}MiB:16MiB]            # out
}
)",
       [](O o, S s) {
         const double serial = from_to(o, "serial in", "serial out"), concurrent = from_to(o, "in", "out");
         return all({that(concurrent > 0.4 * serial && concurrent < 0.6 * serial, "it takes about half"),
                     o.after({"serial in", 1}, {"serial out", 0}), o.after({"kernel", 0}, {"in", 0}),
                     beside_kernels(o, "in", "kernel"), beside_kernels(o, "out", "kernel"), s.drawn("H2D engine"),
                     s.drawn("D2H engine")});
       }},

      {{"1.11", "2.31", "3.7"},
       "chunks over several streams: copies are hidden behind kernels and other copies",
       kFourStreams,
       [](O o, S s) {
         return all({o.after({"kernel", 0}, {"in", 0}), beside_kernels(o, "in", "kernel"),
                     beside_kernels(o, "out", "kernel"), s.figure("speed_up", 1.5, 3), s.figure("overlap", 0.5, 1)});
       }},

      {{"1.12"},
       "while the first chunk is computed the next is copied",
       kFourStreams,
       [](O o, S s) {
         return all({beside_kernels(o, "in", "kernel"), s.drawn("H2D engine"), s.drawn("Compute")});
       }},

      {{"1.13"},
       "the result of one chunk is copied back while another is computed",
       kFourStreams,
       [](O o, S s) {
         return all({beside_kernels(o, "out", "kernel"), s.drawn("D2H engine")});
       }},

      {{"1.15"},
       "the same addresses in several streams: a race, which the check warns of",
       R"(
buffer x 16MiB
stream A nonblocking
stream B nonblocking
A: axpb x fma=256     # one
B: memset x[0:4KiB] 0 # other
)",
       [](O o, S s) {
         return all({o.starts_before_end("other", "one"), s.warns("other", "x")});
       }},

      {{"2.8"},
       "blocking streams with an offset each, from one buffer into another",
       R"(
buffer data 64MiB
buffer result 64MiB
streams S 4
repeat 4 as i {
  S{i}: h2d data[{i*16}MiB:16MiB]                                         # in
  S{i}: axpb result[{i*16}MiB:16MiB] from data[{i*16}MiB:16MiB] fma=2000  # kernel
  S{i}: d2h result[{i*16}MiB:16MiB]                                       # out
}
)",
       [](O o, S s) {
         return all({beside_kernels(o, "in", "kernel"), beside_kernels(o, "out", "kernel"),
                     s.in_cuda("kernel", "i * 16 * MiB")});
       }},

      {{"3.2", "3.3", "3.4"},
       "computing, copying in and copying out go on at once",
       R"(
buffer x 64MiB
buffer y 64MiB
streams S 3 nonblocking
S0: h2d x     # in
S1: d2h y     # out
S2: spin 1ms  # kernel
)",
       [](O o, S s) {
         return all({o.overlap("in", "out"), o.overlap("in", "kernel"), o.overlap("out", "kernel"),
                     s.drawn("H2D engine"), s.drawn("D2H engine"), s.drawn("Compute")});
       }},

      {{"3.5"},
       "copies within the device go on beside those in and out",
       R"(
buffer x 64MiB
buffer y 512MiB
buffer z 512MiB
streams S 2 nonblocking
S0: h2d x     # in
S1: d2d z y   # within
)",
       [](O o, S s) {
         return all({o.overlap("in", "within"), s.drawn_at("within", "D2D")});
       }},

      {{"3.14"},
       "between streams the resources decide what comes next",
       R"(
buffer x 32MiB
streams S 3 nonblocking
S0: h2d x[0:8MiB]     # first
S1: h2d x[8MiB:8MiB]  # second
S2: d2h x[16MiB:8MiB] # other engine
)",
       [](O o, S s) {
         return all({o.after("second", "first"), o.overlap("other engine", "first"),
                     s.waits("second", WaitCause::engine, "first"), s.explained("second", " #0 (line")});
       }},
  };
}

}  // namespace streamscope::ideas
