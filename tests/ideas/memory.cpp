// What memory on the host does to copies: pinned, pageable, managed.
#include "tests/ideas/idea.h"

namespace streamscope::ideas {

using verdict::Cause;

std::vector<Idea> memory() {
  return {
      {{"0.8", "2.10", "2.30", "3.22"},
       "only from pinned memory is a copy asynchronous",
       R"(
buffer fast 64MiB
buffer slow 64MiB host=pageable
stream A nonblocking
A: h2d fast  # pinned
host: sync A
A: h2d slow  # pageable
)",
       [](O o, S s) {
         return all({o.returns_before_end("pinned", "pinned"),
                     that(o.held("pageable") > 100 * o.held("pinned"), "the pageable one holds the host"),
                     o.takes_times("pageable", 1.5, "pinned"), s.blames(Cause::pageable_copy),
                     s.in_cuda("cudaHostAlloc(")});
       }},

      {{"0.27", "3.23"},
       "cudaMemcpyAsync of pageable memory holds the host nearly as cudaMemcpy does",
       R"(
buffer x 64MiB host=pageable
buffer y 1MiB
stream A nonblocking
stream B nonblocking
A: h2d x  # staged
B: h2d y  # behind
)",
       [](O o, S s) {
         return all({that(2 * o.held("staged") > o.took("staged"), "its call is held for most of the copy"),
                     o.not_before(o.start("behind"), {s.span("staged").host_end, 0}, "what comes next waits"),
                     s.blames(Cause::pageable_copy), s.fact("staged", "Host call", "ms at")});
       }},

      {{"0.28"},
       "managed memory that both sides touch moves, and holds up whoever touches it",
       R"(
buffer m 32MiB host=managed
stream A nonblocking
host: touch m     # filled
A: axpb m fma=16  # moves
host: sync A
A: axpb m fma=16  # is there
host: sync A
host: touch m     # moves back
)",
       [](O o, S s) {
         return all({o.takes_times("moves", 3, "is there"),
                     that(o.held("moves back") > o.took("is there"), "the host waits for its pages"),
                     s.blames(Cause::page_migration), s.in_cuda("cudaMallocManaged(")});
       }},
  };
}

}  // namespace streamscope::ideas
