// Waits that nobody asked for.
#include "tests/ideas/idea.h"

namespace streamscope::ideas {

using verdict::Cause;
using verdict::WaitCause;

std::vector<Idea> hidden_waits() {
  return {
      {{"0.23"},
       "implicit synchronisation: asynchronous calls, and still one after the other",
       R"(
buffer x 64MiB host=pageable
stream A
stream B
host: malloc t 1MiB
A: spin 1ms          # a
default: spin 10us   # trap
B: spin 1ms          # b
host: free t         # free
A: h2d x             # staged
)",
       [](O o, S s) {
         return all({o.in_turn({"a", "trap", "b"}), o.held_until_end("free", "b"), s.blames(Cause::legacy_barrier),
                     s.blames(Cause::implicit_sync), s.blames(Cause::pageable_copy)});
       }},

      {{"0.33"},
       "cudaFree on the way of the work holds the host for the whole device",
       R"(
stream A nonblocking
stream B nonblocking
host: malloc t 1MiB  # malloc
A: spin 1ms          # a
host: free t         # free
B: spin 1ms          # late
)",
       [](O o, S s) {
         return all({o.held_until_end("free", "a"), o.issued_after("late", "a"), o.returns_before_end("malloc", "a"),
                     s.drawn_at("free", "cudaFree"), s.drawn_as_wait("free"), s.explained("free", "the host waited"),
                     s.blames(Cause::implicit_sync)});
       }},

      {{"1.42"},
       "cudaMallocHost takes long, and cudaFreeHost and cudaHostUnregister wait for the whole device",
       R"(
buffer x 4MiB
buffer slow 4MiB host=pageable
stream A nonblocking
stream B nonblocking
host: malloc-host h 4MiB  # malloc
A: spin 2ms               # busy
B: d2h x to h             # from the run's memory
host: free-host h         # free
A: spin 20ms              # busy again
host: register slow       # register
B: h2d slow               # pinned now
host: sync B
host: unregister slow     # unregister
)",
       [](O o, S s) {
         return all({that(o.held("malloc") > 1'000'000, "4 MiB of pages take more than 1 ms"),
                     o.returns_before_end("from the run's memory", "busy"), o.held_until_end("free", "busy"),
                     o.returns_before_end("register", "busy again"), o.returns_before_end("pinned now", "pinned now"),
                     o.held_until_end("unregister", "busy again"), s.drawn_at("malloc", "cudaMallocHost"),
                     s.drawn_as_wait("free"), s.explained("free", "the host waited"),
                     s.explained("unregister", "the host waited"), s.blames(Cause::implicit_sync),
                     s.in_cuda("malloc", "cudaMallocHost(&h_host, "), s.in_cuda("free", "cudaFreeHost(h_host)"),
                     s.in_cuda("register", "cudaHostRegister(slow_host, "),
                     s.in_cuda("unregister", "cudaHostUnregister(slow_host)")});
       }},

      {{"0.35"},
       "cudaFreeAsync gives memory back behind the stream's work, and holds nobody",
       R"(
stream A nonblocking
A: malloc t 8MiB   # malloc
A: axpb t fma=512  # use
A: free t          # free
host: work 1us     # goes on
)",
       [](O o, S s) {
         return all({o.after("free", "use"), o.returns_before_end("free", "use"), o.ends_before_end("goes on", "use"),
                     s.drawn_at("free", "cudaFreeAsync"), s.in_cuda("free", "cudaFreeAsync(")});
       }},

      {{"0.36"},
       "memory of cudaMalloc may be given back by cudaFreeAsync, and the other way round",
       R"(
stream A nonblocking
host: malloc one 1MiB
A: malloc other 1MiB
A: memset other 0
A: spin 1ms          # busy
A: free one          # in the stream
host: sync A
A: spin 1ms          # busy again
host: free other     # by the host
)",
       [](O o, S s) {
         return all({o.returns_before_end("in the stream", "busy"), o.returns_before_end("by the host", "busy again"),
                     s.in_cuda("in the stream", "cudaFreeAsync("), s.in_cuda("by the host", "cudaFree(")});
       }},

      {{"3.40"},
       "which calls synchronise by themselves, and which do not",
       R"(
buffer x 8MiB
stream A
stream B nonblocking
host: malloc t 1MiB  # malloc
B: spin 1ms          # work
host: memset x 0     # memset
B: malloc u 1MiB     # in the stream
host: free t         # free
)",
       [](O o, S s) {
         return all({o.returns_before_end("memset", "work"), o.returns_before_end("in the stream", "work"),
                     o.held_until_end("free", "work"), s.explained("free", "the host waited")});
       }},
  };
}

}  // namespace streamscope::ideas
