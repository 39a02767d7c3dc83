// Several GPUs: which one is current, what waits for what across them, and copies from one to another.
#include "tests/ideas/idea.h"

namespace streamscope::ideas {

using verdict::WaitCause;

std::vector<Idea> devices() {
  return {
      {{"0.29"},
       "cudaSetDevice only changes which device is current: it waits for nothing, and a synchronisation is that "
       "device's",
       R"(
buffer x 256MiB device=1
stream A nonblocking
A: spin 2ms            # busy
host: device 1         # set
default: memset x 1    # other
host: sync device      # sync
)",
       [](O o, S s) {
         return all({o.returns_before_end("set", "busy"), o.overlap("other", "busy"), o.held_until_end("sync", "other"),
                     o.returns_before_end("sync", "busy"), s.drawn_at("set", "cudaSetDevice"), s.drawn("default@1")});
       }},

      {{"1.33"},
       "a stream waits for an event of another device",
       R"(
stream A nonblocking
stream B device=1 nonblocking
A: spin 1ms   # first
A: record e
B: spin 200us # beside
B: wait e     # wait
B: spin 1ms   # second
)",
       [](O o, S s) {
         return all({o.in_turn({"first", "second"}), o.overlap("first", "beside"),
                     s.waits("second", WaitCause::event, "first"), s.drawn("GPU 1 · NVIDIA H200")});
       }},

      {{"1.55"},
       "event and stream must be of one device",
       R"(
stream A device=1
event e
A: record e  # here
)",
       [](O, S s) { return s.refuses("cudaErrorInvalidResourceHandle"); }},

      {{"3.6"},
       "copies between devices: straight over the link with peer access, else staged through the host",
       R"(
buffer x 64MiB device=0,1
buffer y 64MiB device=0,1
stream A nonblocking
stream B device=1 nonblocking
A: peer x@1 x@0     # staged
host: sync A
host: peer 0 1 on
A: peer x@1 x@0     # direct
host: sync A
A: peer x@1 x@0     # there
B: peer y@0 y@1     # back
B: spin 100us       # behind
)",
       [](O o, S s) {
         return all({o.takes_times("staged", 5, "direct"), o.overlap("there", "back"), o.in_turn({"back", "behind"}),
                     s.drawn("GPU 0 · NVIDIA H200"), s.drawn("GPU 1 · NVIDIA H200"), s.drawn("Link out"),
                     s.fact("direct", "Text", "A: peer x@1 x@0")});
       }},
  };
}

}  // namespace streamscope::ideas
