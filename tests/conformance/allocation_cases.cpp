// Memory allocated in a stream's order: rules 4 and 18. That a stream destroyed with work pending returns at once and
// the work completes cannot be shown in a program: streams live longer than its run.
#include "tests/conformance/conformance.h"

namespace streamscope::conformance {

using O = const Observation&;

std::vector<Case> allocation_cases() {
  return {
      {4,
       "cudaMallocAsync and cudaFreeAsync do not wait for the device",
       R"(
streams S 2 nonblocking
S0: spin 5ms        # kernel
S1: malloc t 1MiB   # malloc
S1: memset t 0      # use
S1: free t          # free
)",
       [](O o) {
         return all({o.returns_before_end("malloc", "kernel"), o.returns_before_end("free", "kernel"),
                     o.ends_before_end("use", "kernel")});
       },
       {held("malloc"), held("free"), late("use")}},

      {4,
       "cudaFreeHost and cudaHostUnregister wait for the whole device, non-blocking streams too",
       R"(
buffer x 64KiB host=pageable
streams S 2 nonblocking
host: malloc-host h 64KiB
host: register x
S0: spin 4ms         # kernel
host: free-host h    # free
S1: spin 4ms         # second
host: unregister x   # unregister
S0: spin 100us       # behind
)",
       [](O o) {
         return all({o.held_until_end("free", "kernel"), o.held_until_end("unregister", "second"),
                     o.issued_after("behind", "second")});
       },
       {returned("free"), returned("unregister")}},

      {4,
       "cudaMallocHost and cudaHostRegister do not wait for the device",
       R"(
buffer x 64KiB host=pageable
stream A nonblocking
A: spin 8ms                  # kernel
host: malloc-host h 64KiB    # malloc
host: register x             # register
host: sync A
host: unregister x
host: free-host h
)",
       [](O o) {
         return all({o.returns_before_end("malloc", "kernel"), o.returns_before_end("register", "kernel")});
       },
       {held("malloc"), held("register")}},

      {18,
       "a stream with work is destroyed at once, and its work is done",
       R"(
host: create-stream A nonblocking
host: create-event e
A: spin 4ms             # kernel
A: record e
host: destroy A         # gone
per-thread: wait e
host: destroy e
per-thread: spin 100us  # behind
)",
       [](O o) {
         return all({o.returns_before_end("gone", "kernel"), o.after("behind", "kernel")});
       },
       {held("gone"), early("behind")}},

      {18,
       "memory allocated in a stream may be used there at once, in the stream's order",
       R"(
stream A nonblocking
A: spin 3ms         # kernel
A: malloc t 16MiB   # malloc
A: memset t 0       # set
A: axpb t fma=4           # use
A: free t           # free
A: spin 100us       # behind
)",
       [](O o) {
         return all({o.returns_before_end("malloc", "kernel"), o.returns_before_end("free", "kernel"),
                     o.in_turn({"kernel", "set", "use", "behind"})});
       },
       {held("malloc"), held("free"), early("set"), early("use"), early("behind")}},

      {18,
       "another stream's use is ordered by an event",
       R"(
streams S 2 nonblocking
S0: spin 2ms         # kernel
S0: malloc t 1MiB
S0: memset t 0       # set
S0: record e
S1: wait e
S1: axpb t fma=4           # use
S1: record f
S0: wait f
S0: free t
S0: spin 100us       # behind
)",
       [](O o) {
         return o.in_turn({"kernel", "set", "use", "behind"});
       },
       {early("set"), early("use"), early("behind")}},

      {18,
       "or by a synchronisation",
       R"(
streams S 2 nonblocking
S0: spin 2ms         # kernel
S0: malloc t 1MiB    # malloc
S0: memset t 0       # set
host: sync S0        # sync
S1: axpb t fma=4           # use
host: sync S1
S0: free t
)",
       [](O o) {
         return all({o.held_until_end("sync", "set"), o.in_turn({"kernel", "set", "use"})});
       },
       {returned("sync"), late("set")}},

      {18,
       "what cudaMalloc made may be freed in a stream's order",
       R"(
streams S 2 nonblocking
host: malloc t 16MiB
S1: spin 9ms         # other
S0: spin 3ms         # kernel
S0: memset t 0       # set
S0: axpb t fma=4     # use
S0: free t           # free
S0: spin 100us       # behind
)",
       [](O o) {
         return all({o.in_turn({"kernel", "set", "use", "behind"}),
                     one_of({{"freed in the stream's order", o.returns_before_end("free", "other")},
                             {"held until the device is idle", o.held_until_end("free", "other")}})});
       },
       {early("set"), early("use"), early("behind")}},

      {18,
       "cudaFree takes what cudaMallocAsync made",
       R"(
streams S 2 nonblocking
S0: malloc t 16MiB
S0: spin 3ms         # kernel
S0: memset t 0       # set
S0: axpb t fma=4     # use
host: sync S0        # sync
S1: spin 8ms         # other
host: free t         # free
S1: spin 100us       # behind
)",
       [](O o) {
         return all({o.in_turn({"kernel", "set", "use"}), o.held_until_end("sync", "use"),
                     o.in_turn({"other", "behind"}),
                     one_of({{"waits for nothing", o.returns_before_end("free", "other")},
                             {"waits for the device", o.held_until_end("free", "other")}})});
       },
       {early("use"), returned("sync"), early("behind")}},

      // Reuse may insert a hidden dependency, so the second allocation's use may wait for the first's free.
      {18,
       "memory freed in a stream may be had by another, whose work may then wait for it",
       R"(
streams S 2 nonblocking
S0: malloc t 64MiB
S0: memset t 0      # first
S0: spin 3ms        # kernel
S0: free t
S1: malloc u 64MiB
S1: memset u 0      # second
S1: spin 100us      # behind
S1: free u
)",
       [](O o) {
         return all({o.in_turn({"first", "kernel"}), o.after("behind", "second"),
                     one_of({{"other memory, no wait", o.ends_before_end("second", "kernel")},
                             {"the same memory, after it was freed", o.after("second", "kernel")}})});
       },
       {late("first"), early("behind"), late("second")}},
  };
}

}  // namespace streamscope::conformance
