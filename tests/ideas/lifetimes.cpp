// Streams and events come and go inside the run; what calls return.
#include "tests/ideas/idea.h"

namespace streamscope::ideas {

std::vector<Idea> lifetimes() {
  return {
      {{"0.38", "1.22", "2.4", "3.17"},
       "a stream is created, used, waited for and destroyed",
       R"(
host: create-stream A  # create
A: spin 1ms            # use
host: sync A           # sync
host: destroy A        # destroy
)",
       [](O o, S s) {
         return all({o.not_before(o.start("use"), {s.span("create").host_end, 0}, "used behind its birth"),
                     o.held_until_end("sync", "use"), o.issued_after("destroy", "use"),
                     s.drawn_at("create", "cudaStreamCreate"), s.drawn_at("destroy", "cudaStreamDestroy"),
                     s.in_cuda("create", "cudaStreamCreate"), s.in_cuda("destroy", "cudaStreamDestroy(")});
       }},

      {{"1.25", "3.18"},
       "cudaStreamDestroy with work pending: it returns, and the work is carried out",
       R"(
host: create-stream A nonblocking
A: spin 1ms      # pending
host: destroy A  # destroy
host: work 1us   # goes on
)",
       [](O o, S s) {
         return all({o.returns_before_end("destroy", "pending"), o.ends_before_end("goes on", "pending"),
                     that(o.took("pending") > 900'000, "the work is carried out"),
                     s.drawn_at("destroy", "cudaStreamDestroy"), s.drawn_at("pending", "spin")});
       }},

      {{"1.51", "3.29"},
       "events are created and destroyed; what waits for one that is gone goes on waiting",
       R"(
stream A nonblocking
stream B nonblocking
host: create-event e  # create
A: spin 1ms           # work
A: record e
B: wait e
host: destroy e       # destroy
B: spin 100us         # waits
)",
       [](O o, S s) {
         return all({o.returns_before_end("destroy", "work"), o.after("waits", "work"),
                     s.drawn_at("create", "cudaEventCreate"), s.drawn_at("destroy", "cudaEventDestroy"),
                     s.in_cuda("destroy", "cudaEventDestroy(")});
       }},

      {{"1.34"},
       "calls return codes: not ready, invalid handle, success",
       R"(
event never
event never_too
stream A nonblocking
A: record a                    # start
A: spin 1ms                    # kernel
A: record b
host: elapsed a b              # not ready
host: elapsed never never_too  # invalid
host: sync b                   # sync
host: elapsed a b              # success
)",
       [](O o, S s) {
         return all({o.returns_before_end("not ready", "kernel"), o.held_until_end("sync", "kernel"),
                     s.fact("not ready", "Returned", "cudaErrorNotReady"),
                     s.fact("invalid", "Returned", "cudaErrorInvalidResourceHandle"),
                     s.fact("success", "Returned", "cudaSuccess"), s.drawn_at("invalid", "cudaErrorInvalid")});
       }},
  };
}

}  // namespace streamscope::ideas
