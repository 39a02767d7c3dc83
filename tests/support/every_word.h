// A program of every word of the language for one device, none of which fails; its data is determined.
// (tests/engine/generated/words_test.cpp fails where a word is left out.)
#pragma once

#include <string_view>

namespace streamscope::tests {

inline constexpr std::string_view kEveryWord = R"(
buffer x 1MiB
buffer v 1MiB
buffer y 1MiB host=pageable
buffer z 1MiB host=write-combined
buffer m 1MiB host=mapped
buffer u 1MiB host=managed
stream A nonblocking priority=-1
streams S 2
event from blockingsync
event to
event mark notiming
event outside
graph G on A {
  A: h2d x
  A: axpb x fma=4
  A: record f
  S0: wait f
  S0: hostfn 5us
  S0: record g
  A: wait g
  A: d2h x
}
graph H on S1 mode=relaxed {
  S1: wait outside external
  S1: spin 2us blocks=2
  S1: record mark external
}
host: device 0
A: record outside
host: capture H
host: capture-info S1
S1: launch H
A: launch G
A: launch G
thread T {
  per-thread: h2d z
  per-thread: axpb z fma=4
  per-thread: d2h z
  host: sync per-thread
}
A: record from
A: tiles x fma=2 copy=primitives stages=3 tile=4KiB
A: attention v heads=1
A: reduce x[0:64] from x[512KiB:512KiB] blocks=16
A: record to
A: wait mark
A: callback 5us
host: poll A every=5us work=2us
host: query to
host: elapsed from to
host: attributes A
A: prefetch u to=device
A: axpb u fma=2
A: prefetch u to=host
host: sync A
host: touch u
A: malloc pooled 1MiB
A: memset pooled 7
A: d2d x[0:64KiB] pooled[0:64KiB]
A: free pooled
A: axpb m fma=2
host: sync A
host: malloc apart 1MiB
host: memset apart 3
host: d2d x[0:64KiB] apart[0:64KiB]
host: free apart
host: memcpy h2d y
repeat 2 as i {
  S{i}: memset y[{i*512}KiB:512KiB] {i}
}
host: sync device
host: memcpy d2h y
host: malloc-host pinned 1MiB
A: d2h x to pinned
A: h2d x rows=16 width=4KiB pitch=8KiB
host: sync A
host: free-host pinned
host: register y
A: h2d y
host: sync A
host: unregister y
host: create-stream C nonblocking
host: create-event made
C: spin 5us
C: record made
host: destroy made
host: destroy C
default: spin 5us
host: work 5us
host: join T
)";

}  // namespace streamscope::tests
