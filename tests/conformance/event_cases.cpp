// Events: rules 5 and 6. Records and waits take no time that an instrument could see, so kernels behind them bear
// witness.
#include "tests/conformance/conformance.h"

namespace streamscope::conformance {

using O = const Observation&;

std::vector<Case> event_cases() {
  return {
      {5,
       "a wait holds back for the work that its record captured",
       R"(
streams S 2 nonblocking
S0: spin 2ms    # captured
S0: record e
S1: wait e
S1: spin 100us  # waits
)",
       [](O o) { return o.after("waits", "captured"); },
       {early("waits")}},

      {5,
       "a record captures the work before it and none after it",
       R"(
streams S 2 nonblocking
S0: spin 1ms    # captured
S0: record e
S0: spin 5ms    # later
S1: wait e
S1: spin 100us  # waits
)",
       [](O o) {
         return all({o.after("waits", "captured"), o.ends_before_end("waits", "later")});
       },
       {early("waits"), late("waits")}},

      {5,
       "a wait keeps its record when the event is recorded again",
       R"(
streams S 2 nonblocking
S0: spin 1ms    # first
S0: record e
S1: wait e
S0: spin 5ms    # second
S0: record e
S1: spin 100us  # waits
)",
       [](O o) {
         return all({o.after("waits", "first"), o.ends_before_end("waits", "second")});
       },
       {early("waits"), late("waits")}},

      {5,
       "a record replaces the one before it for waits that come later",
       R"(
streams S 2 nonblocking
S0: spin 1ms    # first
S0: record e
S0: spin 2ms    # second
S0: record e
S1: wait e
S1: spin 100us  # waits
)",
       [](O o) { return o.after("waits", "second"); },
       {early("waits")}},

      {5,
       "also when another stream records it again",
       R"(
streams S 3 nonblocking
S0: spin 4ms    # first
S0: record e
S2: spin 1ms    # second
S2: record e
S1: wait e
S1: spin 100us  # waits
)",
       [](O o) {
         return all({o.after("waits", "second"), o.ends_before_end("waits", "first")});
       },
       {early("waits"), late("waits")}},

      {5,
       "waits pass the order on from stream to stream",
       R"(
streams S 4 nonblocking
S0: spin 1ms    # one
S0: record e
S1: wait e
S1: spin 1ms    # two
S1: record f
S2: wait f
S2: spin 1ms    # three
S3: wait f
S3: wait e
S3: spin 100us  # joined
)",
       [](O o) {
         return all({o.in_turn({"one", "two", "three"}), o.after("joined", "two")});
       },
       {early("two"), early("three"), early("joined")}},

      {5,
       "a wait on an event never recorded does nothing, and a query of one succeeds",
       R"(
streams S 2 nonblocking
event never
S0: spin 4ms      # other
S1: wait never
S1: spin 100us    # waits
host: poll never  # query
host: sync never  # sync
)",
       [](O o) {
         return all({o.ends_before_end("waits", "other"), o.asked("query", 1, 1),
                     o.returns_before_end("query", "other"), o.returns_before_end("sync", "other")});
       },
       {late("waits"), asked_again("query"), held("query"), held("sync")}},

      {5,
       "the host waits for what the event captured, and no longer",
       R"(
stream A nonblocking
A: spin 1ms   # captured
A: record e
A: spin 5ms   # later
host: sync e  # sync
)",
       [](O o) {
         return all({o.held_until_end("sync", "captured"), o.returns_before_end("sync", "later")});
       },
       {returned("sync"), held("sync")}},

      {5,
       "a query is not answered before what the event captured is done",
       R"(
stream A nonblocking
A: spin 2ms               # captured
A: record e
A: spin 5ms               # later
host: poll e every=50us   # query
)",
       [](O o) {
         return all({o.asked("query", 2, 1'000'000), o.held_until_end("query", "captured"),
                     o.returns_before_end("query", "later")});
       },
       {asked_once("query"), returned("query"), held("query")}},

      {5,
       "an event waited for by the host orders what it issues then",
       R"(
streams S 2 nonblocking
S0: spin 2ms    # captured
S0: record e
host: sync e
S1: spin 100us  # issued
)",
       [](O o) {
         return all({o.issued_after("issued", "captured"), o.after("issued", "captured")});
       },
       {late("captured")}},

      // Both times of an interval between events are those at which the stream got there.
      {6,
       "work of other streams lies between two events of one stream",
       R"(
buffer x 96MiB
streams S 3 nonblocking
S0: h2d x[0:32MiB]       # first
S1: h2d x[32MiB:32MiB]   # second
S2: record e
S2: h2d x[64MiB:32MiB]  # third
S2: record f
host: sync e             # begin
host: sync f             # finish
)",
       [](O o) {
         // An H200 carries out the first record of an idle stream only behind copies of other streams that are under
         // way (1222 us here, where nothing stands before it in its own): not at once, as one might think.
         return all(
             {o.returns_before_end("begin", "third"), o.held_until_end("finish", "third"), o.after("third", "first")});
       },
       {held("begin"), returned("finish")}},

      {6,
       "the time between two events that the program reads is that of the work between them",
       R"(
stream A nonblocking
A: record a
A: spin 2ms           # between
A: record b
host: sync A
host: elapsed a b     # read
)",
       [](O o) {
         const Nanoseconds read = o.span("read").elapsed, between = o.took("between");
         return known(read) && read > between * 9 / 10 && read < between * 2
                    ? Verdict{}
                    : Verdict{"what was read is not the time of the work", ""};
       },
       {brief("between")}},

      {6,
       "to read it before they are done waits for nothing, and gives none",
       R"(
stream A nonblocking
A: record a
A: spin 2ms           # between
A: record b
host: elapsed a b     # read
)",
       [](O o) {
         const bool none = o.span("read").result == CallResult::not_ready && !known(o.span("read").elapsed);
         return all({none ? Verdict{} : Verdict{"it gives a time", ""}, o.returns_before_end("read", "between")});
       },
       {held("read")}},

      {5,
       "an event orders the work of two devices",
       R"(
stream A nonblocking
stream B device=1 nonblocking
stream C device=1 nonblocking
A: spin 3ms    # captured
A: record e
B: wait e
B: spin 100us  # waits
C: spin 100us  # other
)",
       [](O o) {
         return all({o.after("waits", "captured"), o.ends_before_end("other", "captured")});
       },
       {early("waits"), late("other")},
       {.devices = 2}},
  };
}

}  // namespace streamscope::conformance
