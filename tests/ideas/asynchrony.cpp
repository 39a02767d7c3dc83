// The host and the device work side by side: what returns at once, what holds the host, and how the two are drawn.
#include "tests/ideas/idea.h"

namespace streamscope::ideas {

using verdict::Cause;
using verdict::WaitCause;

std::vector<Idea> asynchrony() {
  return {
      {{"0.1", "2.1"},
       "the host stops at each cudaMemcpy until it is done",
       R"(
buffer x 8MiB
host: memcpy h2d x      # in
default: axpb x fma=64  # kernel
host: memcpy d2h x      # out
)",
       [](O o, S s) {
         return all({o.held_until_end("in", "in"), o.issued_after("kernel", "in"), o.held_until_end("out", "out"),
                     s.explained("in", "holds the host until it is done"), s.drawn_as_wait("in"),
                     s.drawn_at("in", "cudaMemcpy")});
       }},

      {{"0.2", "2.2", "3.1"},
       "the host submits, does something else, and waits at the end",
       R"(
buffer x 8MiB
stream A nonblocking
A: h2d x          # copy
A: axpb x fma=64  # kernel
host: work 100us  # other work
host: sync A      # sync
)",
       [](O o, S s) {
         return all({o.overlap("other work", "copy"), o.returns_before_end("kernel", "copy"),
                     o.held_until_end("sync", "kernel"), s.drawn("work")});
       }},

      {{"0.6", "3.21"},
       "the calls whose names end in Async return, and each is called by its name",
       R"(
buffer x 8MiB
buffer y 8MiB
stream A nonblocking
A: spin 1ms     # busy
A: h2d x        # in
A: d2d y x      # within
A: memset x 0   # set
A: d2h y        # out
)",
       [](O o, S s) {
         return all({o.returns_before_end("in", "busy"), o.returns_before_end("within", "busy"),
                     o.returns_before_end("set", "busy"), o.returns_before_end("out", "busy"),
                     s.drawn_at("in", "cudaMemcpyAsync"), s.drawn_at("set", "cudaMemsetAsync"),
                     s.in_cuda("in", "cudaMemcpyAsync(")});
       }},

      {{"0.7", "3.8"},
       "the call of a copy returns before the copy begins",
       R"(
buffer x 64MiB
stream A nonblocking
A: h2d x  # copy
)",
       [](O o, S s) {
         return all({o.returns_before_end("copy", "copy"),
                     that(o.took("copy") > 20 * o.held("copy"), "the call is short"),
                     s.fact("copy", "Host call", "us at")});
       }},

      {{"0.10"},
       "a launch returns while earlier work holds the kernel back",
       R"(
stream A nonblocking
A: spin 1ms    # first
A: spin 100us  # kernel
)",
       [](O o, S s) {
         return all({o.returns_before_end("kernel", "first"), o.after("kernel", "first"),
                     s.drawn_at("kernel", "cudaLaunchKernel")});
       }},

      {{"0.15"},
       "submission is a short call: an entry in a queue that the device comes to later",
       R"(
stream A nonblocking
A: spin 1ms    # first
A: spin 100us  # submitted
host: work 1us # goes on
)",
       [](O o, S s) {
         return all({o.returns_before_end("submitted", "first"), o.ends_before_end("goes on", "first"),
                     s.fact("submitted", "Issue to ready", "us"), s.waits("submitted", WaitCause::stream, "first")});
       }},

      {{"0.32"},
       "synchronous processing: allocate, copy, compute, wait, copy back, free",
       R"(
buffer in 8MiB host=pageable
host: malloc t 8MiB      # malloc
host: memcpy h2d in      # in
default: d2d t in
default: axpb t fma=64   # kernel
host: sync device
default: d2d in t
host: memcpy d2h in      # out
host: free t             # free
)",
       [](O o, S s) {
         return all({o.in_turn({"in", "kernel", "out"}),
                     that(2 * o.held("in") > o.took("in"), "it holds the host while it is staged"),
                     o.held_until_end("out", "out"), o.issued_after("free", "out"), s.drawn_at("malloc", "cudaMalloc"),
                     s.blames(Cause::pageable_copy)});
       }},

      {{"0.34", "0.37", "1.38"},
       "asynchronous processing: copy, kernel and copy in a stream, one wait at the end",
       R"(
buffer x 8MiB
stream A nonblocking
A: h2d x           # in
A: axpb x fma=64   # kernel
A: d2h x           # out
host: work 200us   # other things
host: sync A       # sync
)",
       [](O o, S s) {
         return all({o.in_turn({"in", "kernel", "out"}), o.returns_before_end("out", "in"),
                     o.starts_before_end("other things", "out"), o.held_until_end("sync", "out"),
                     s.in_cuda("sync", "cudaStreamSynchronize(")});
       }},

      {{"1.7"},
       "host and device work at the same time",
       R"(
stream A nonblocking
A: spin 1ms       # device
host: work 500us  # host
)",
       [](O o, S s) {
         return all(
             {o.overlap("host", "device"), o.ends_before_end("host", "device"), s.drawn("HOST"), s.drawn("STREAMS")});
       }},

      {{"1.39", "1.40", "1.41"},
       "a copy of 256 MiB and a kernel behind it: two calls of microseconds, milliseconds of work",
       R"(
buffer x 256MiB
buffer y 1MiB
stream A
A: h2d x                # copy
A: axpb y fma=16        # kernel
host: work 10us         # host
host: sync A            # sync
)",
       [](O o, S s) {
         return all({o.returns_before_end("copy", "copy"), o.returns_before_end("kernel", "copy"),
                     o.after("kernel", "copy"), o.ends_before_end("host", "copy"), o.held_until_end("sync", "kernel"),
                     s.waits("kernel", WaitCause::stream, "copy"),
                     s.explained("kernel", "the one before it in stream A"), s.fact("copy", "Host call", "us at")});
       }},

      {{"3.19"},
       "even for small work a stream hides the time of launches",
       R"(
stream A nonblocking
repeat 4 {
  A: spin 10us  # waited for
  host: sync A  # sync
}
repeat 4 {
  A: spin 10us  # queued
}
)",
       [](O o, S s) {
         const auto whole = [&](const char* of) { return o.end({of, 3}).at - o.start({of, 0}).at; };
         return all({that(whole("queued") < whole("waited for"), "it is faster"),
                     o.issued_after({"waited for", 1}, {"waited for", 0}),
                     o.returns_before_end({"queued", 3}, {"queued", 1}), s.blames(Cause::host_sync)});
       }},

      {{"4.1"},
       "an operation that is asynchronous is not waited for by what comes next on the host",
       R"(
buffer x 8MiB
buffer y 8MiB
stream A nonblocking
stream B nonblocking
A: h2d x  # one
B: d2h y  # other
)",
       [](O o, S s) {
         return all({o.overlap("one", "other"), o.returns_before_end("other", "one"), s.drawn_at("one", "H2D")});
       }},
  };
}

}  // namespace streamscope::ideas
