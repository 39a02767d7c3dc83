// Programs with one fault each, what is wrong with them, and which other answers are right too. Written down before the
// verdict on them was looked at; those that turned out to have no fault, five, were replaced then. Whoever wrote the
// verdict wrote these, so they show that it works and not how often it is right.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/verdict/causes.h"

namespace streamscope::remedy {

struct Planted {
  std::string_view name;
  verdict::Cause cause;
  std::vector<verdict::Cause> also;  // acceptable
  std::string text;                  // an experiment's TOML where it begins with "name", else a program
  std::string_view device = "model:h200";
};

inline std::vector<Planted> planted_faults() {
  using enum verdict::Cause;
  return {
      // Copies of pageable memory
      {"pageable pipeline",
       pageable_copy,
       {},
       "name = \"p\"\nbytes = \"128MiB\"\nchunk = \"16MiB\"\nhost = \"pageable\"\n"},
      {"pageable loop",
       pageable_copy,
       {},
       "buffer x 64MiB host=pageable\nstreams S 4 nonblocking\nrepeat 8 as i {\n  S{i%4}: h2d x[{i*8}MiB:8MiB]\n"
       "  S{i%4}: axpb x[{i*8}MiB:8MiB] fma=500\n  S{i%4}: d2h x[{i*8}MiB:8MiB]\n}\nhost: sync device\n"},
      {"one pageable input",
       pageable_copy,
       {},
       "buffer x 64MiB host=pageable\nbuffer y 64MiB\nstream A nonblocking\nstream B nonblocking\nA: h2d x\n"
       "A: axpb x fma=100\nB: h2d y\nB: axpb y fma=100\nhost: sync device\n"},
      {"pageable results",
       pageable_copy,
       {},
       "buffer x 64MiB host=pageable\nstream A nonblocking\nstream B nonblocking\nA: memset x[0:32MiB] 1\n"
       "B: memset x[32MiB:32MiB] 1\nA: d2h x[0:32MiB]\nB: d2h x[32MiB:32MiB]\nhost: sync device\n"},
      // Two waits for one event, of which the first needs only the first half
      {"event behind what only the end needs",
       event_late,
       {},
       "buffer a 16MiB\nbuffer b 128MiB\nstream up nonblocking\nstream work nonblocking\nup: h2d a\nup: h2d b\n"
       "up: record all\nwork: wait all\nrepeat 6 {\n  work: axpb a fma=3000\n}\nwork: axpb b fma=20\nwork: d2h a\n"
       "host: sync device\n"},
      // A call that frees waits for the device
      {"free between two streams",
       implicit_sync,
       {},
       "buffer x 64MiB\nbuffer y 64MiB\nstream A nonblocking\nstream B nonblocking\nhost: malloc t 1MiB\n"
       "A: h2d x\nA: axpb x fma=2000\nhost: free t\nB: h2d y\nB: axpb y fma=2000\nB: d2h y\nhost: sync device\n"},
      {"free behind each chunk",
       implicit_sync,
       {},
       "buffer x 64MiB\nstreams S 4 nonblocking\nhost: malloc a 1MiB\nhost: malloc b 1MiB\nhost: malloc c 1MiB\n"
       "S0: h2d x[0:16MiB]\nS0: axpb x[0:16MiB] fma=2000\nS0: d2h x[0:16MiB]\nhost: free a\n"
       "S1: h2d x[16MiB:16MiB]\nS1: axpb x[16MiB:16MiB] fma=2000\nS1: d2h x[16MiB:16MiB]\nhost: free b\n"
       "S2: h2d x[32MiB:16MiB]\nS2: axpb x[32MiB:16MiB] fma=2000\nS2: d2h x[32MiB:16MiB]\nhost: free c\n"
       "S3: h2d x[48MiB:16MiB]\nS3: axpb x[48MiB:16MiB] fma=2000\nS3: d2h x[48MiB:16MiB]\nhost: sync device\n"},
      {"scratch memory of a kernel",
       implicit_sync,
       {},
       "buffer x 64MiB\nstream A nonblocking\nstream B nonblocking\nhost: malloc s 64MiB\nA: memset s 0\n"
       "A: spin 800us\nhost: free s\nB: h2d x\nB: axpb x fma=1000\nhost: sync device\n"},
      {"free while copies go on",
       implicit_sync,
       {},
       "buffer x 256MiB\nbuffer y 256MiB\nstream A nonblocking\nstream B nonblocking\nhost: malloc t 16MiB\n"
       "A: h2d x\nhost: free t\nB: memset y 1\nB: d2h y\nhost: sync device\n"},
      // The legacy default stream
      {"a kernel in the default stream",
       legacy_barrier,
       {},
       "stream A\nstream B\nA: spin 300us\ndefault: spin 300us\nB: spin 300us\nhost: sync device\n"},
      {"a default stream in a pipeline",
       legacy_barrier,
       {},
       "buffer x 64MiB\nbuffer y 1MiB\nstreams S 4\nrepeat 4 as i {\n  S{i}: h2d x[{i*16}MiB:16MiB]\n"
       "  S{i}: axpb x[{i*16}MiB:16MiB] fma=1000\n  S{i}: d2h x[{i*16}MiB:16MiB]\n  default: memset y 0\n}\n"
       "host: sync device\n"},
      {"a logging copy in the default stream",
       legacy_barrier,
       {},
       "buffer x 128MiB\nbuffer log 64KiB\nstream A\nstream B\nA: h2d x[0:64MiB]\nA: axpb x[0:64MiB] fma=1000\n"
       "default: d2h log\nB: h2d x[64MiB:64MiB]\nB: axpb x[64MiB:64MiB] fma=1000\nhost: sync device\n"},
      {"an event in the default stream",
       legacy_barrier,
       {},
       "stream A\nstream B\nevent e\nA: spin 400us\ndefault: record e\nB: spin 400us\ndefault: record e\n"
       "A: spin 400us\nhost: sync device\n"},
      // The host waits in between
      {"a wait behind each chunk",
       host_sync,
       {},
       "buffer x 64MiB\nstreams S 4 nonblocking\nrepeat 4 as i {\n  S{i}: h2d x[{i*16}MiB:16MiB]\n"
       "  S{i}: axpb x[{i*16}MiB:16MiB] fma=1000\n  S{i}: d2h x[{i*16}MiB:16MiB]\n  host: sync S{i}\n}\n"},
      {"a device synchronisation",
       host_sync,
       {},
       "buffer x 64MiB\nbuffer y 64MiB\nstream A nonblocking\nstream B nonblocking\nA: h2d x\nA: axpb x fma=1000\n"
       "host: sync device\nB: h2d y\nB: axpb y fma=1000\nhost: sync device\n"},
      {"blocking copies",
       host_sync,
       {legacy_barrier},
       "name = \"b\"\nbytes = \"128MiB\"\nchunk = \"16MiB\"\nmode = \"sync\"\n"},
      {"a poll",
       host_sync,
       {},
       "buffer x 128MiB\nstream A nonblocking\nstream B nonblocking\nA: h2d x[0:64MiB]\nA: axpb x[0:64MiB] fma=1000\n"
       "host: poll A every=10us\nB: h2d x[64MiB:64MiB]\nB: axpb x[64MiB:64MiB] fma=1000\nhost: sync device\n"},
      // The host comes late
      {"tiny kernels",
       host_late,
       {chunks_too_small, one_stream},
       "stream A nonblocking\nrepeat 200 as i {\n  A: spin 1us\n}\nhost: sync device\n"},
      {"the host computes",
       host_late,
       {},
       "buffer x 64MiB\nstream A nonblocking\nA: h2d x[0:32MiB]\nhost: work 3ms\nA: h2d x[32MiB:32MiB]\nhost: sync "
       "device\n"},
      {"tiny copies",
       host_late,
       {chunks_too_small, one_stream},
       "buffer x 4MiB\nstreams S 4 nonblocking\nrepeat 256 as i {\n  S{i%4}: memset x[{i*16}KiB:16KiB] 0\n}\nhost: "
       "sync device\n"},
      {"work before each launch",
       host_late,
       {},
       "stream A nonblocking\nrepeat 10 as i {\n  host: work 200us\n  A: spin 50us\n}\nhost: sync device\n"},
      // A wait for an event that nothing needs
      {"streams wait in turn",
       event_needless,
       {event_late},
       "buffer x 128MiB\nstream A nonblocking\nstream B nonblocking\nevent e\nA: h2d x[0:64MiB]\nA: axpb x[0:64MiB] "
       "fma=2000\n"
       "A: record e\nB: wait e\nB: h2d x[64MiB:64MiB]\nB: axpb x[64MiB:64MiB] fma=2000\nhost: sync device\n"},
      {"kernels wait for each other",
       event_needless,
       {event_late},
       "stream A nonblocking\nstream B nonblocking\nevent e\nA: spin 500us\nA: record e\nB: wait e\nB: spin "
       "500us\nhost: sync device\n"},
      {"a join in the middle",
       event_needless,
       {event_late},
       "buffer x 96MiB\nstreams S 3 nonblocking\nevent e\nS0: h2d x[0:32MiB]\nS0: spin 600us\nS0: record e\nS1: wait "
       "e\nS2: wait e\n"
       "S1: h2d x[32MiB:32MiB]\nS1: spin 600us\nS2: h2d x[64MiB:32MiB]\nS2: spin 600us\nhost: sync device\n"},
      {"copies out wait for the next copy in",
       event_needless,
       {event_late},
       "buffer x 128MiB\nbuffer y 128MiB\nstream In nonblocking\nstream Out nonblocking\nevent e\nIn: h2d x\nIn: "
       "record e\n"
       "Out: memset y 1\nOut: wait e\nOut: d2h y\nhost: sync device\n"},
      // A wait for more than is needed
      {"the event behind the second kernel",
       event_late,
       {},
       "buffer x 64MiB\nbuffer y 64MiB\nstream A nonblocking\nstream B nonblocking\nevent e\nA: axpb x fma=1000\nA: "
       "spin 800us\n"
       "A: record e\nB: wait e\nB: d2h x\nB: spin 800us\nhost: sync device\n"},
      {"the event behind another copy",
       event_late,
       {},
       "buffer x 64MiB\nbuffer y 256MiB\nstream A nonblocking\nstream B nonblocking\nevent e\nA: h2d x\nA: h2d y\nA: "
       "record e\n"
       "B: wait e\nB: axpb x fma=8000\nhost: sync device\n"},
      {"the event behind a result",
       event_late,
       {},
       "buffer x 128MiB\nbuffer y 128MiB\nbuffer z 128MiB\nstream A nonblocking\nstream B nonblocking\nevent e\n"
       "A: memset y 1\nA: d2h x\nA: record e\nB: wait e\nB: axpb y fma=100\nB: h2d z\nhost: sync device\n"},
      {"the event behind a host function",
       event_late,
       {},
       "buffer x 64MiB\nstream A nonblocking\nstream B nonblocking\nevent e\nA: h2d x\nA: hostfn 900us\nA: record "
       "e\nB: wait e\n"
       "B: axpb x fma=3000\nB: d2h x\nhost: sync device\n"},
      // Launches of one graph
      {"two launches",
       graph_serial,
       {},
       "stream A nonblocking\nstream B nonblocking\ngraph G on A {\n  A: spin 500us\n}\nA: launch G\nB: launch "
       "G\nhost: sync device\n"},
      {"four launches",
       graph_serial,
       {},
       "streams S 4 nonblocking\ngraph G on S0 {\n  S0: spin 200us blocks=8\n  S0: spin 100us\n}\nS0: launch G\nS1: "
       "launch G\n"
       "S2: launch G\nS3: launch G\nhost: sync device\n"},
      // Managed memory
      {"a kernel on managed memory",
       page_migration,
       {},
       "buffer x 64MiB host=managed\nstream A nonblocking\nhost: touch x\nA: axpb x fma=10\nhost: sync device\n"},
      {"two kernels on managed memory",
       page_migration,
       {},
       "buffer x 64MiB host=managed\nbuffer y 64MiB host=managed\nstream A nonblocking\nstream B nonblocking\nhost: "
       "touch x\n"
       "host: touch y\nA: axpb x fma=10\nB: axpb y fma=10\nhost: sync device\n"},
      {"a managed pipeline",
       page_migration,
       {},
       "name = \"m\"\nbytes = \"64MiB\"\nchunk = \"16MiB\"\nhost = \"managed\"\n"},
      {"memset of managed memory",
       page_migration,
       {},
       "buffer x 128MiB host=managed\nstream A nonblocking\nhost: touch x\nA: memset x 1\nA: axpb x fma=2\nhost: sync "
       "device\n"},
      // Memory behind the bus
      {"a mapped pipeline",
       mapped_access,
       {},
       "buffer x 128MiB host=mapped\nstreams S 4 nonblocking\nrepeat 8 as i {\n  S{i%4}: axpb x[{i*16}MiB:16MiB] "
       "fma=8\n"
       "  S{i%4}: axpb x[{i*16}MiB:16MiB] fma=8\n  S{i%4}: axpb x[{i*16}MiB:16MiB] fma=8\n}\nhost: sync device\n"},
      {"a kernel over mapped memory",
       mapped_access,
       {},
       "buffer x 64MiB host=mapped\nstream A nonblocking\nA: axpb x fma=4\nA: axpb x fma=4\nhost: sync device\n"},
      // Copies between devices through the host
      {"a pipeline through two devices",
       peer_staged,
       {},
       "buffer x 64MiB device=0,1\nstream A\nstream B device=1\nA: h2d x\nA: peer x@1 x@0\nA: record done\nB: wait "
       "done\nB: axpb x fma=64\nB: d2h x\n",
       "model:h200x2"},
      {"an exchange that is turned off",
       peer_staged,
       {},
       "buffer x 64MiB device=0,1\nbuffer y 64MiB device=0,1\nstream A nonblocking\nstream B device=1 nonblocking\n"
       "host: peer 0 1 on\nhost: peer 0 1 off\nrepeat 4 as i {\n  A: peer x[{i*16}MiB:16MiB]@1 x[{i*16}MiB:16MiB]@0\n"
       "  B: peer y[{i*16}MiB:16MiB]@0 y[{i*16}MiB:16MiB]@1\n}\n",
       "model:h200x2"},
      // One copy engine
      {"depth-first on one engine",
       copy_engine_shared,
       {issue_order},
       "name = \"o\"\nbytes = \"128MiB\"\nchunk = \"16MiB\"\n",
       "model:h200,copies.engines=1"},
      {"a result behind copies in",
       copy_engine_shared,
       {issue_order},
       "buffer x 64MiB\nbuffer y 256MiB\nstream A nonblocking\nstream B nonblocking\nA: h2d y\nB: memset x 1\nB: d2h "
       "x\n"
       "B: hostfn 2ms\nhost: sync device\n",
       "model:h200,copies.engines=1"},
      // Small chunks
      {"chunks of 16 KiB", chunks_too_small, {host_late}, "name = \"s\"\nbytes = \"8MiB\"\nchunk = \"16KiB\"\n"},
      {"chunks of 64 KiB",
       chunks_too_small,
       {host_late},
       "name = \"s\"\nbytes = \"32MiB\"\nchunk = \"64KiB\"\nstreams = 8\n"},
      {"small chunks in one stream",
       chunks_too_small,
       {one_stream, host_late},
       "name = \"s\"\nbytes = \"16MiB\"\nchunk = \"32KiB\"\nstreams = 1\n"},
      {"small copies alone",
       chunks_too_small,
       {host_late},
       "name = \"s\"\nbytes = \"16MiB\"\nchunk = \"16KiB\"\nd2h = false\n[kernel]\nname = \"none\"\n"},
      // One stream
      {"one stream", one_stream, {}, "name = \"o\"\nbytes = \"256MiB\"\nchunk = \"16MiB\"\nstreams = 1\n"},
      {"a loop in one stream",
       one_stream,
       {},
       "buffer x 128MiB\nstream A nonblocking\nrepeat 8 as i {\n  A: h2d x[{i*16}MiB:16MiB]\n  A: axpb "
       "x[{i*16}MiB:16MiB] fma=2000\n"
       "  A: d2h x[{i*16}MiB:16MiB]\n}\nhost: sync device\n"},
      {"two streams where four would do",
       one_stream,
       {},
       "name = \"o\"\nbytes = \"256MiB\"\nchunk = \"16MiB\"\nstreams = 2\n"},
      {"kernels in one stream",
       one_stream,
       {},
       "stream A nonblocking\nrepeat 8 as i {\n  A: spin 200us blocks=16\n}\nhost: sync device\n"},
      // Priorities: the long kernel on few multiprocessors comes last, and has the device for itself
      {"three urgent streams of wide kernels",
       priority,
       {sm_full},
       "stream L nonblocking\nstream U nonblocking priority=-5\nstream V nonblocking priority=-5\n"
       "stream W nonblocking priority=-5\nU: spin 100us blocks=1056 threads=1024\nL: spin 900us blocks=64 "
       "threads=1024\n"
       "V: spin 100us blocks=1056 threads=1024\nW: spin 100us blocks=1056 threads=1024\nhost: sync device\n"},
      {"two urgent streams",
       priority,
       {sm_full},
       "stream L nonblocking\nstream U nonblocking priority=-2\nstream V nonblocking priority=-2\n"
       "U: spin 200us blocks=528 threads=1024\nL: spin 1500us blocks=32 threads=1024\n"
       "V: spin 200us blocks=528 threads=1024\nU: spin 200us blocks=528 threads=1024\n"
       "V: spin 200us blocks=528 threads=1024\nhost: sync device\n"},
      // A long kernel on few multiprocessors behind a wide one
      {"a large grid before a long kernel",
       sm_full,
       {issue_order, priority},
       "stream A nonblocking\nstream B nonblocking\nA: spin 100us blocks=1056 threads=1024\n"
       "B: spin 900us blocks=64 threads=1024\nhost: sync device\n"},
      {"two large grids before a long kernel",
       sm_full,
       {issue_order, priority},
       "stream A nonblocking\nstream B nonblocking\nstream C nonblocking\nA: spin 50us blocks=2112 threads=1024\n"
       "B: spin 50us blocks=2112 threads=1024\nC: spin 1500us blocks=32 threads=1024\nhost: sync device\n"},
      // Large chunks
      {"two chunks", chunks_too_large, {}, "name = \"l\"\nbytes = \"256MiB\"\nchunk = \"128MiB\"\n"},
      {"four chunks", chunks_too_large, {}, "name = \"l\"\nbytes = \"256MiB\"\nchunk = \"64MiB\"\n"},
      {"two chunks in two streams",
       chunks_too_large,
       {one_stream},
       "name = \"l\"\nbytes = \"512MiB\"\nchunk = \"256MiB\"\nstreams = 2\n"},
      {"copies in and kernels",
       chunks_too_large,
       {},
       "name = \"l\"\nbytes = \"256MiB\"\nchunk = \"128MiB\"\nd2h = false\n"},
      // Nothing is wrong
      {"large copies in", at_the_bound, {}, "buffer x 1GiB\nstream A nonblocking\nA: h2d x\nhost: sync device\n"},
      {"copies both ways",
       at_the_bound,
       {},
       "buffer x 512MiB\nbuffer y 512MiB\nstream A nonblocking\nstream B nonblocking\nA: h2d x\nB: d2h y\nhost: sync "
       "device\n"},
      {"a pipeline of many chunks", at_the_bound, {}, "name = \"a\"\nbytes = \"2GiB\"\nchunk = \"16MiB\"\n"},
      {"copies in, many chunks",
       at_the_bound,
       {},
       "name = \"a\"\nbytes = \"1GiB\"\nchunk = \"32MiB\"\nd2h = false\n[kernel]\nname = \"none\"\n"},
  };
}

}  // namespace streamscope::remedy
