// Events: marks in streams that other streams and the host wait for, and that tell the time.
#include "tests/ideas/idea.h"

namespace streamscope::ideas {

using verdict::WaitCause;

namespace {

constexpr const char* kTimed = R"(
stream A nonblocking
A: record start      # start
A: spin 2510us       # kernel
A: record stop       # stop
host: sync stop      # sync
host: elapsed start stop  # elapsed
)";

Verdict tells_elapsed(O o, S s, const conformance::Which& call, const conformance::Which& kernel) {
  const Nanoseconds told = s.span(call).elapsed;
  return all({that(told >= o.took(kernel) && told < o.took(kernel) + 20'000, "it is the kernel's time and a little"),
              s.fact(call, "Elapsed", "ms from operation"), s.drawn(" ms")});
}

}  // namespace

std::vector<Idea> events() {
  return {
      {{"0.11", "1.46", "3.26", "3.30"},
       "an event is a mark in the queue: cudaEventRecord puts it there, in the order of the stream",
       R"(
stream A nonblocking
A: spin 1ms   # before
A: record e   # mark
A: spin 1ms   # behind
host: sync e  # sync
)",
       [](O o, S s) {
         return all({o.in_turn({"before", "mark", "behind"}), o.returns_before_end("mark", "before"),
                     o.held_until_end("sync", "before"), o.returns_before_end("sync", "behind"),
                     s.drawn_at("mark", "cudaEventRecord"), s.fact("mark", "Text", "A: record e"),
                     s.in_cuda("mark", "cudaEventRecord(e, A)")});
       }},

      {{"0.12", "1.43", "1.50", "3.28"},
       "the time between two events, in milliseconds",
       kTimed,
       [](O o, S s) {
         return all({tells_elapsed(o, s, "elapsed", "kernel"), o.in_turn({"start", "kernel", "stop"}), s.drawn("2.51"),
                     s.in_cuda("cudaEventElapsedTime(")});
       }},

      {{"1.57", "1.56", "3.31"},
       "a kernel timed by events, in five steps: create, record, wait, read, destroy",
       R"(
stream A nonblocking
host: create-event start  # create
host: create-event stop
A: record start           # start
A: spin 2510us            # kernel
A: record stop            # stop
host: sync stop           # sync
host: elapsed start stop  # elapsed
host: destroy start       # destroy
host: destroy stop
)",
       [](O o, S s) {
         return all({tells_elapsed(o, s, "elapsed", "kernel"), o.in_turn({"start", "kernel", "stop"}),
                     o.held_until_end("sync", "kernel"), o.issued_after("destroy", "kernel"),
                     s.drawn_at("create", "cudaEventCreate"), s.drawn_at("destroy", "cudaEventDestroy")});
       }},

      {{"0.14", "1.32", "1.44"},
       "cudaStreamWaitEvent: all later work of a stream waits for another's, and the host does not",
       R"(
stream A nonblocking
stream B nonblocking
A: spin 1ms    # produced
A: record e
B: spin 100us  # earlier
B: wait e      # wait
B: spin 100us  # first
B: spin 100us  # second
host: work 1us # goes on
)",
       [](O o, S s) {
         return all({o.overlap("earlier", "produced"), o.after("first", "produced"), o.after("second", "first"),
                     o.ends_before_end("goes on", "produced"), s.waits("first", WaitCause::event, "produced"),
                     s.drawn_at("first", "(event)"), s.drawn_at("wait", "cudaStreamWaitEvent")});
       }},

      {{"0.39"},
       "streams and events together make a pipeline with dependencies",
       R"(
buffer front 16MiB
buffer back 16MiB
stream load nonblocking
stream compute nonblocking
load: h2d front            # load front
load: record front_full
load: h2d back             # load back
load: record back_full
compute: wait front_full
compute: axpb front fma=512 # front
compute: record front_free
compute: wait back_full
compute: axpb back fma=512  # back
load: wait front_free
load: h2d front            # reload
)",
       [](O o, S s) {
         return all({o.after("front", "load front"), o.overlap("load back", "front"), o.after("back", "load back"),
                     o.after("reload", "front"), o.overlap("reload", "back"),
                     s.waits("front", WaitCause::event, "load front")});
       }},

      {{"1.45"},
       "events with flags: no timing, and a host that sleeps",
       R"(
event quick notiming blockingsync
event timed
stream A nonblocking
A: record timed            # timed
A: spin 1ms                # kernel
A: record quick            # quick
host: sync quick           # sync
host: elapsed timed quick  # elapsed
)",
       [](O o, S s) {
         return all({o.held_until_end("sync", "kernel"),
                     that(s.span("elapsed").result == CallResult::invalid_resource_handle, "it has no time"),
                     s.fact("elapsed", "Returned", "cudaErrorInvalidResourceHandle"),
                     s.in_cuda("cudaEventDisableTiming"), s.in_cuda("cudaEventBlockingSync")});
       }},

      {{"1.47"},
       "cudaEventRecordWithFlags: in a graph a record stays one, and others wait for that of the latest launch",
       R"(
stream A nonblocking
stream B nonblocking
graph G on A {
  A: spin 1ms            # first
  A: record e external   # mark
  A: spin 2ms            # second
}
A: launch G              # launch
B: wait e                # wait
B: spin 100us            # waits
)",
       [](O o, S s) {
         return all({o.in_turn({"first", "mark", "waits"}), o.ends_before_end("waits", "second"),
                     s.waits("waits", WaitCause::event, "first"), s.drawn_at("waits", "(event)"),
                     s.in_cuda("mark", "cudaEventRecordWithFlags(e, A, cudaEventRecordExternal)")});
       }},

      {{"1.52"},
       "a record captures the stream as it is: what comes later is not in it",
       R"(
stream A nonblocking
stream B nonblocking
A: spin 1ms    # captured
A: record e
A: spin 3ms    # later
B: wait e
B: spin 100us  # waits
)",
       [](O o, S s) {
         return all({o.after("waits", "captured"), o.ends_before_end("waits", "later"),
                     s.waits("waits", WaitCause::event, "captured")});
       }},

      {{"1.53"},
       "recorded again an event means the new place; a wait keeps the record it was given with",
       R"(
streams S 3 nonblocking
S0: spin 1ms    # first
S0: record e
S1: wait e
S0: spin 2ms    # second
S0: record e
S2: wait e
S1: spin 100us  # by the first
S2: spin 100us  # by the second
)",
       [](O o, S s) {
         return all({o.after("by the first", "first"), o.ends_before_end("by the first", "second"),
                     o.after("by the second", "second"), s.waits("by the second", WaitCause::event, "second")});
       }},

      {{"1.54"},
       "an event that was never recorded is empty: a query of it succeeds, and nothing waits",
       R"(
event never
stream A nonblocking
stream B nonblocking
A: spin 1ms        # other
B: wait never      # wait
B: spin 100us      # waits for nothing
host: query never  # query
)",
       [](O o, S s) {
         return all({o.ends_before_end("waits for nothing", "other"), o.returns_before_end("query", "other"),
                     that(s.span("query").result == CallResult::success, "it succeeds"),
                     s.fact("query", "Returned", "cudaSuccess"), s.warns("wait", "never")});
       }},
  };
}

}  // namespace streamscope::ideas
