#include "engine/program/syntax/words.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/translate.h"
#include "engine/program/program.h"

namespace streamscope::program {
namespace {

using grammar::ArgumentKind;
using grammar::Form;
using grammar::Side;
using syntax::Verb;

struct HelpOfVerb {
  Verb verb;
  WordHelp help;
};

constexpr HelpOfVerb kWords[] = {
    {Verb::buffer,
     {.word = "buffer",
      .name = "BUFFER",
      .calls = "cudaMalloc, cudaHostAlloc, cudaMallocManaged",
      .sentence = tr_later("Makes a buffer: an allocation on the host and one of the same size on the device."),
      .text = tr_later(
          "Both are made and filled before the time runs. Pinned memory is cudaHostAlloc's, pageable memory is the "
          "operating system's; mapped and managed memory are one allocation that both sides work on, so there "
          "is nothing to copy."),
      .example = "buffer x 8MiB\n"
                 "buffer slow 8MiB host=pageable\n"
                 "buffer both 8MiB device=0,1\n"
                 "stream A nonblocking\n"
                 "A: h2d x\n"
                 "A: h2d slow\n",
      .see = "h2d, malloc, range, size"}},
    {Verb::stream,
     {.word = "stream",
      .name = "STREAM",
      .calls = "cudaStreamCreateWithPriority",
      .sentence = tr_later("Makes a stream: a queue whose operations run in the order in which they were given to it."),
      .text = tr_later(
          "Between two streams there is no order but what events, the host or the legacy default stream make. "
          "Without `nonblocking` it is a blocking stream, as cudaStreamCreate makes it: it and the legacy default "
          "stream wait for each other."),
      .example = "stream urgent nonblocking priority=-1\n"
                 "stream other nonblocking\n"
                 "other: spin 200us blocks=2000\n"
                 "urgent: spin 50us\n"
                 "stream there device=1\n"
                 "there: spin 50us\n",
      .see = "streams, default, per-thread, wait"}},
    {Verb::streams,
     {.word = "streams",
      .name = "STREAM",
      .calls = "cudaStreamCreateWithPriority",
      .sentence = tr_later("Makes several streams at once: `streams S 4` makes S0, S1, S2 and S3."),
      .example = "buffer x 16MiB\n"
                 "streams S 4 nonblocking priority=-1\n"
                 "repeat 4 as i {\n"
                 "  S{i}: h2d x[{i*4}MiB:4MiB]\n"
                 "  S{i}: axpb x[{i*4}MiB:4MiB] fma=256\n"
                 "  S{i}: d2h x[{i*4}MiB:4MiB]\n"
                 "}\n"
                 "streams T 2 device=1\n"
                 "T1: spin 50us\n",
      .see = "stream, repeat",
      .also = "several streams"}},
    {Verb::event,
     {.word = "event",
      .name = "EVENT",
      .calls = "cudaEventCreateWithFlags",
      .sentence = tr_later("Makes an event: a mark in a stream that others can wait for."),
      .text = tr_later(
          "It need not be declared: `record` makes an event that is not there. Only its flags need the declaration."),
      .example = "event ready notiming blockingsync\n"
                 "stream A nonblocking\n"
                 "stream B nonblocking\n"
                 "A: spin 100us\n"
                 "A: record ready\n"
                 "B: wait ready\n"
                 "B: spin 50us\n"
                 "event there device=1\n"
                 "stream C device=1\n"
                 "C: record there\n",
      .see = "record, wait, sync"}},
    {Verb::own_kernel,
     {.word = "kernel",
      .name = "KERNEL",
      .calls = "nvrtcCompileProgram, cuLibraryLoadData",
      .sentence = tr_later("Declares a kernel of your own: a __global__ function of that name in a file of CUDA C++."),
      .text = tr_later(
          "The file's place is told from the program's own. The parameters are written as CUDA C++ has them, and say "
          "what a launch reads (`const float* x`) and writes (`float* y`, which may be read, too); numbers are int, "
          "unsigned, long long, unsigned long long, size_t, float or double. On a GPU the file is compiled when the "
          "program is loaded, and only with `--own-kernels`; a model runs none of it."),
      .example = "kernel scale \"scale.cu\" (float* y, const float* x, float a, int n)\n"
                 "kernel sum \"sum.cu\" (float* total, const float* y, int n) nostamp\n"
                 "buffer x 4MiB\n"
                 "buffer y 4MiB\n"
                 "stream A nonblocking\n"
                 "A: h2d x\n"
                 "A: scale y x 2.5 1048576 blocks=4096 threads=256 time=9us\n"
                 "A: sum x[0:4] y 1048576 time=7us\n"
                 "A: d2h y\n",
      .see = "KERNEL",
      .also = "NVRTC, custom kernel"}},
    {Verb::own,
     {.word = "KERNEL",
      .calls = "cudaLaunchKernelExC",
      .sentence = tr_later("Launches a kernel of your own, by the name that `kernel` gave it."),
      .text = tr_later(
          "Behind the name stand a range or a number for each of its parameters, in their order. `check` and the "
          "timeline know of it what is declared, so the ranges should be all that it reads and writes. What it "
          "computes is not verified. A model does not run it: a launch takes there what `time` says."),
      .example = "kernel KERNEL \"fill.cu\" (int* x, int value, int n)\n"
                 "buffer x 4MiB\n"
                 "stream A nonblocking\n"
                 "A: KERNEL x[0:1MiB] 7 262144 blocks=1024 threads=256 smem=4KiB time=5us registers=16\n",
      .see = "kernel, spin",
      .also = "NVRTC, custom kernel"}},
    {Verb::default_stream,
     {.word = "default-stream",
      .calls = "cudaStreamLegacy, cudaStreamPerThread",
      .sentence = tr_later("Says which stream `default` is, as nvcc's option of that name does."),
      .text = tr_later(
          "With `per-thread` it is the default stream of the host thread that uses it, and what is given to no stream "
          "(`host: memcpy`, `memset`, `d2d`) goes there, too: it waits for no other stream, and none waits for it. "
          "It is the first statement of a program; without it `default` is the legacy default stream."),
      .example = "default-stream per-thread\n"
                 "stream A\n"
                 "A: spin 200us\n"
                 "default: spin 200us\n",
      .see = "default, per-thread, thread",
      .also = "CUDA_API_PER_THREAD_DEFAULT_STREAM"}},
    {Verb::repeat,
     {.word = "repeat",
      .name = "NAME",
      .sentence = tr_later("Writes its body out as many times as it says, with a variable that counts from 0."),
      .text = tr_later(
          "It is a matter of the text and not of the run: the program is what the body says, that many times one "
          "after the other. `as NAME` may be left out; bodies nest."),
      .example = "buffer x 8MiB\n"
                 "streams S 2 nonblocking\n"
                 "repeat 4 as i {\n"
                 "  S{i%2}: h2d x[{i*2}MiB:2MiB]\n"
                 "}\n",
      .see = "arithmetic, streams",
      .also = "loop"}},
    {Verb::graph,
     {.word = "graph",
      .name = "GRAPH",
      .calls = "cudaStreamBeginCapture, cudaStreamEndCapture, cudaGraphInstantiate, cudaGraphUpload",
      .sentence =
          tr_later("Captures its body from a stream into a graph, before the run; nothing of it runs where it stands."),
      .text = tr_later(
          "Another stream joins the capture by waiting for an event that was recorded in the body, and the stream "
          "that the capture began in must wait for it before the end. Events become edges between the nodes, but for "
          "external ones. The legacy default stream, allocations and calls that wait cannot be captured. With `host: "
          "capture` the run captures it; then `mode` says what other threads may do meanwhile."),
      .example = "buffer x 8MiB\n"
                 "stream A nonblocking\n"
                 "stream B nonblocking\n"
                 "graph G on A {\n"
                 "  A: h2d x[0:4MiB]\n"
                 "  A: record fork\n"
                 "  B: wait fork\n"
                 "  B: h2d x[4MiB:4MiB]\n"
                 "  A: axpb x[0:4MiB] fma=64\n"
                 "  B: record joined\n"
                 "  A: wait joined\n"
                 "}\n"
                 "graph H on A mode=relaxed {\n"
                 "  A: axpb x fma=64\n"
                 "}\n"
                 "A: launch G\n"
                 "A: launch G\n"
                 "A: launch H\n",
      .see = "launch, capture, record, wait",
      .also = "CUDA graph, stream capture"}},
    {Verb::thread,
     {.word = "thread",
      .name = "THREAD",
      .sentence = tr_later("Starts a second host thread, which makes the calls of the body while the first goes on."),
      .text = tr_later(
          "In its body `host` and `per-thread` are that thread and its own stream. Only the start and `join` order "
          "two threads. Streams and buffers are made before the run, outside of it."),
      .example = "thread T {\n"
                 "  per-thread: spin 200us\n"
                 "  host: sync per-thread\n"
                 "}\n"
                 "per-thread: spin 200us\n"
                 "host: join T\n",
      .see = "join, per-thread, host",
      .also = "host thread"}},
    {Verb::h2d,
     {.word = "h2d",
      .calls = "cudaMemcpyAsync, cudaMemcpy2DAsync",
      .sentence = tr_later("Copies a range from the host to the device, in stream order."),
      .text = tr_later(
          "From pinned memory the call returns at once and the copy engine carries it out beside kernels and copies "
          "in the other direction. From pageable memory the driver stages it, and the call holds the host. The range "
          "on the host is the same one, or stands behind `from`: of any buffer, at any offset.\n\n"
          "With `rows` and `width` it copies a part of a matrix (cudaMemcpy2DAsync): so many rows from the beginning "
          "of the range on, each a pitch behind the one before. What lies between the rows is not touched, and "
          "`check` takes it for free: two streams may copy columns beside each other (of up to 65,536 rows). Short "
          "rows cost more than "
          "their bytes."),
      .example = "buffer x 16MiB\n"
                 "buffer all 64MiB\n"
                 "stream A nonblocking\n"
                 "A: h2d x\n"
                 "A: h2d x[0:1MiB] from all[4MiB:1MiB]\n"
                 "A: h2d x rows=1024 width=4KiB pitch=8KiB # the left half of a matrix\n"
                 "A: h2d x rows=1024 width=4KiB host-pitch=8KiB # and packed on the device\n",
      .see = "d2h, memcpy, buffer, prefetch",
      .also = "host to device, copy in, upload, cudaMemcpyHostToDevice"}},
    {Verb::d2h,
     {.word = "d2h",
      .calls = "cudaMemcpyAsync, cudaMemcpy2DAsync",
      .sentence = tr_later("Copies a range from the device to the host, in stream order."),
      .text = tr_later(
          "The range on the host is the same one, or stands behind `to`: of any buffer, at any offset. With `rows` and "
          "`width` it copies a part of a matrix, as `h2d` does."),
      .example = "buffer x 16MiB\n"
                 "stream A nonblocking\n"
                 "A: h2d x\n"
                 "A: axpb x fma=64\n"
                 "A: d2h x\n"
                 "A: d2h x rows=1024 width=4KiB pitch=8KiB host-pitch=4KiB # packed on the host\n"
                 "host: sync A\n",
      .see = "h2d, memcpy",
      .also = "device to host, copy out, download, cudaMemcpyDeviceToHost"}},
    {Verb::d2d,
     {.word = "d2d",
      .calls = "cudaMemcpyAsync, cudaMemcpy2DAsync",
      .sentence = tr_later("Copies within the device's memory: first where to, then where from."),
      .text = tr_later(
          "Both ranges have the same length and do not overlap. With `rows` and `width` it copies a part of a matrix, "
          "as `h2d` does; rows may lie between each other where both pitches are the same."),
      .example = "buffer x 8MiB\n"
                 "buffer y 8MiB\n"
                 "stream A nonblocking\n"
                 "A: h2d x\n"
                 "A: d2d y x\n"
                 "A: d2d y x rows=512 width=4KiB pitch=16KiB from-pitch=8KiB\n"
                 "A: d2h y\n",
      .see = "h2d, d2h",
      .also = "device to device, cudaMemcpyDeviceToDevice"}},
    {Verb::peer,
     {.word = "peer",
      .calls = "cudaMemcpyPeerAsync",
      .sentence = tr_later("Copies from one device's memory to another's, in stream order: first where to, then where "
                           "from."),
      .text = tr_later(
          "Behind '@' stands the device whose side of the buffer is meant; the stream is of one of the two. Where "
          "`host: peer` has let them reach each other's memory it goes straight over the link, else it is staged "
          "through the host. Copies the same way share the link."),
      .example = "buffer x 16MiB device=0,1\n"
                 "stream A nonblocking\n"
                 "stream B device=1 nonblocking\n"
                 "host: peer 0 1 on\n"
                 "A: h2d x\n"
                 "A: peer x@1 x@0\n"
                 "A: record there\n"
                 "B: wait there\n"
                 "B: axpb x fma=64\n",
      .see = "d2d, device",
      .also = "peer to peer, P2P, NVLink, between devices"}},
    {Verb::memset,
     {.word = "memset",
      .calls = "cudaMemsetAsync",
      .sentence = tr_later("Sets each byte of a range in the device's memory to a value from 0 to 255."),
      .example = "buffer x 8MiB\n"
                 "stream A nonblocking\n"
                 "A: memset x 0\n"
                 "A: memset x[0:1MiB] 255\n"
                 "A: d2h x\n",
      .see = "h2d"}},
    {Verb::record,
     {.word = "record",
      .name = "EVENT",
      .calls = "cudaEventRecord, cudaEventRecordWithFlags",
      .sentence =
          tr_later("Marks this place of the stream: the event is complete once all before it in the stream is done."),
      .text = tr_later(
          "An event that is not declared is made here. Recorded again, it means the new place; waits that were given "
          "before keep the old one. In a graph it becomes an edge; with `external` it stays a record, a node of the "
          "graph, and what is outside can wait for that of the latest launch."),
      .example = "stream A nonblocking\n"
                 "A: spin 100us\n"
                 "A: record done\n"
                 "host: sync done\n"
                 "graph G on A {\n"
                 "  A: spin 100us\n"
                 "  A: record half external\n"
                 "  A: spin 100us\n"
                 "}\n"
                 "A: launch G\n"
                 "host: sync half\n",
      .see = "wait, event, sync"}},
    {Verb::wait,
     {.word = "wait",
      .name = "EVENT",
      .calls = "cudaStreamWaitEvent",
      .sentence = tr_later("Makes the stream wait for an event of another stream; the host goes on."),
      .text = tr_later(
          "This is how an order between two streams is made. It is bound to the record of the event that was given "
          "last before it; where there is none, it does nothing. In a graph it is for an event of the graph; with "
          "`external` it is for one of outside, a node of the graph, and each launch waits for the latest record."),
      .example = "buffer x 8MiB\n"
                 "stream load nonblocking\n"
                 "stream compute nonblocking\n"
                 "load: h2d x\n"
                 "load: record loaded\n"
                 "compute: wait loaded\n"
                 "compute: axpb x fma=64\n"
                 "buffer y 8MiB\n"
                 "event more\n"
                 "graph G on compute {\n"
                 "  compute: wait more external\n"
                 "  compute: axpb y fma=64\n"
                 "}\n"
                 "load: h2d y\n"
                 "load: record more\n"
                 "compute: launch G\n",
      .see = "record, event, sync, waiting",
      .also = "cross-stream wait, dependency"}},
    {Verb::hostfn,
     {.word = "hostfn",
      .calls = "cudaLaunchHostFunc",
      .sentence = tr_later(
          "Has a thread of the driver call a function on the host, in stream order, which works for a given time."),
      .text = tr_later(
          "What comes behind it in the stream waits until it returns. One thread may carry out the host functions of "
          "all streams, so that two of them take turns."),
      .example = "stream A nonblocking\n"
                 "A: spin 100us\n"
                 "A: hostfn 50us\n"
                 "A: spin 100us\n",
      .see = "work, duration",
      .also = "host function"}},
    {Verb::callback,
     {.word = "callback",
      .calls = "cudaStreamAddCallback",
      .sentence = tr_later("Has a thread of the driver call a function on the host, in stream order, and tells it the "
                           "stream's status."),
      .text = tr_later("It is the older way to do what `hostfn` does, and cannot be captured into a graph."),
      .example = "stream A nonblocking\n"
                 "A: spin 100us\n"
                 "A: callback 50us\n"
                 "A: spin 100us\n",
      .see = "hostfn, duration"}},
    {Verb::prefetch,
     {.word = "prefetch",
      .calls = "cudaMemPrefetchAsync",
      .sentence = tr_later("Moves managed memory to the device or to the host ahead of its use, in stream order."),
      .example = "buffer m 8MiB host=managed\n"
                 "stream A nonblocking\n"
                 "host: touch m\n"
                 "A: prefetch m to=device\n"
                 "A: axpb m fma=64\n"
                 "A: prefetch m to=host\n"
                 "host: sync A\n",
      .see = "buffer, touch"}},
    {Verb::malloc_async,
     {.word = "malloc",
      .name = "BUFFER",
      .calls = "cudaMallocAsync",
      .sentence =
          tr_later("Allocates device memory in stream order, from the device's pool; neither host nor device waits."),
      .text = tr_later("Another stream may use it behind an event of this one. It has no host side."),
      .example = "stream A nonblocking\n"
                 "A: malloc t 8MiB\n"
                 "A: memset t 0\n"
                 "A: axpb t fma=64\n"
                 "A: free t\n",
      .see = "free, buffer"}},
    {Verb::free_async,
     {.word = "free",
      .name = "BUFFER",
      .calls = "cudaFreeAsync",
      .sentence = tr_later("Gives memory back in stream order, once the stream comes to it."),
      .text = tr_later("Memory of `host: malloc` may be given back so, too."),
      .example = "stream A nonblocking\n"
                 "A: malloc t 8MiB\n"
                 "A: memset t 0\n"
                 "A: free t\n",
      .see = "malloc"}},
    {Verb::launch,
     {.word = "launch",
      .name = "GRAPH",
      .calls = "cudaGraphLaunch",
      .sentence = tr_later("Launches a graph in the stream: all of its nodes, for one call of the host."),
      .text = tr_later(
          "What comes behind it in the stream waits for all nodes. Launches of one graph run one after the other, "
          "whatever streams they are in."),
      .example = "stream A nonblocking\n"
                 "graph G on A {\n"
                 "  A: spin 20us\n"
                 "  A: spin 20us\n"
                 "}\n"
                 "repeat 3 {\n"
                 "  A: launch G\n"
                 "}\n",
      .see = "graph, capture"}},
    {Verb::fault,
     {.word = "fault",
      .sentence = tr_later("Launches a kernel that fails."),
      .text = tr_later(
          "`illegal-address`, `assert` and `trap` fail on the device, long after the launch has returned: what is "
          "queued never starts, no wait ends, and after some milliseconds, up to half a second, the error is told. It "
          "sticks: each later call of CUDA's returns it, for other devices too (cudaErrorIllegalAddress, "
          "cudaErrorAssert, cudaErrorLaunchFailure). `launch-config` asks for a block larger than there is: the launch "
          "itself returns cudaErrorInvalidValue, nothing runs, and it does not stick. On a GPU what sticks "
          "ends the use of the process, so the program runs once, in a process of its own."),
      .example = "streams S 2 nonblocking\n"
                 "S0: spin 500us\n"
                 "S1: spin 100us\n"
                 "S1: fault illegal-address\n"
                 "S1: spin 100us           # never starts\n"
                 "host: sync S0            # cudaErrorIllegalAddress\n"
                 "S0: spin 100us           # refused, too\n",
      .see = "lasterror, reset"}},
    {Verb::work,
     {.word = "work",
      .sentence = tr_later("Keeps the host thread busy for a given time, before it makes its next call."),
      .example = "stream A nonblocking\n"
                 "A: spin 100us\n"
                 "host: work 200us\n"
                 "A: spin 100us\n",
      .see = "hostfn, duration"}},
    {Verb::sync,
     {.word = "sync",
      .name = "device|STREAM|EVENT",
      .calls = "cudaDeviceSynchronize, cudaStreamSynchronize, cudaEventSynchronize",
      .sentence = tr_later("Holds the host until the device, a stream or an event is done."),
      .text = tr_later("A program that does not end with `host: sync device` gets one."),
      .example = "stream A nonblocking\n"
                 "stream B nonblocking\n"
                 "A: spin 100us\n"
                 "B: spin 300us\n"
                 "host: sync A\n"
                 "A: spin 100us\n"
                 "host: sync device\n",
      .see = "poll, wait",
      .also = "synchronize, synchronise, synchronisation"}},
    {Verb::poll,
     {.word = "poll",
      .name = "STREAM|EVENT",
      .calls = "cudaStreamQuery, cudaEventQuery",
      .sentence = tr_later(
          "Has the host ask again and again whether a stream or an event is done, until it is; the questions are "
          "counted."),
      .text = tr_later("Each answer is a mark on the host's row. With `work` the host does other work between two "
                       "questions, so that only the rest of the time is waited."),
      .example = "stream A nonblocking\n"
                 "A: spin 100us\n"
                 "host: poll A every=20us work=15us\n",
      .see = "sync, query"}},
    {Verb::query,
     {.word = "query",
      .name = "STREAM|EVENT",
      .calls = "cudaStreamQuery, cudaEventQuery",
      .sentence =
          tr_later("Has the host ask once whether a stream or an event is done, and go on whatever the answer is."),
      .text = tr_later(
          "The answer, cudaSuccess or cudaErrorNotReady, stands in the call's bar and in its facts. It orders nothing, "
          "not even where it is cudaSuccess: another run may be slower."),
      .example = "stream A nonblocking\n"
                 "A: spin 100us\n"
                 "host: query A\n"
                 "host: work 200us\n"
                 "host: query A\n",
      .see = "poll, sync",
      .also = "cudaErrorNotReady"}},
    {Verb::attributes,
     {.word = "attributes",
      .name = "STREAM",
      .calls = "cudaStreamGetPriority, cudaStreamGetFlags, cudaStreamGetId, cudaStreamIsCapturing",
      .sentence = tr_later("Asks a stream for its device, priority, flags and number, and whether it is captured."),
      .text = tr_later("What it says stands beside the selected call. The priority is as the device has clamped it."),
      .example = "stream A nonblocking priority=-100\n"
                 "host: attributes A\n"
                 "A: spin 100us\n",
      .see = "stream, query"}},
    {Verb::capture,
     {.word = "capture",
      .name = "GRAPH",
      .calls = "cudaStreamBeginCapture, cudaStreamEndCapture, cudaGraphInstantiate",
      .sentence = tr_later("Captures a graph here, inside the run, and not before it: the host makes the calls of its "
                           "body under capture, and instantiates it."),
      .text = tr_later(
          "Each call is a bar on the host's row; nothing of the body runs before `launch`, which must come later. The "
          "`mode` of the graph says what breaks the capture: with `global` a potentially unsafe call of any thread, "
          "such as cudaMalloc, which then returns cudaErrorStreamCaptureUnsupported; the graph cannot be launched. On a "
          "GPU a program in which that may happen has a process of its own, as CUDA's driver crashes in it now and "
          "then."),
      .example = "stream A nonblocking\n"
                 "graph G on A {\n"
                 "  A: spin 20us\n"
                 "  A: spin 20us\n"
                 "}\n"
                 "host: capture G\n"
                 "A: launch G\n"
                 "A: launch G\n",
      .see = "graph, launch, capture-info",
      .also = "stream capture, cudaErrorStreamCaptureInvalidated"}},
    {Verb::capture_info,
     {.word = "capture-info",
      .name = "STREAM",
      .calls = "cudaStreamGetCaptureInfo",
      .sentence = tr_later("Asks whether a stream is being captured: none, active or invalidated."),
      .text = tr_later(
          "What it was told stands in the call's bar and in its facts, with the capture's number. It may stand in a "
          "graph's body, where `host: capture` asks it among the calls of the capture."),
      .example = "stream A nonblocking\n"
                 "graph G on A {\n"
                 "  A: spin 20us\n"
                 "  host: capture-info A\n"
                 "}\n"
                 "host: capture G\n"
                 "host: capture-info A\n"
                 "A: launch G\n",
      .see = "capture, attributes",
      .also = "cudaStreamIsCapturing, cudaStreamCaptureStatus"}},
    {Verb::elapsed,
     {.word = "elapsed",
      .name = "EVENT",
      .calls = "cudaEventElapsedTime",
      .sentence = tr_later("Reads the time between two events: the first, then the second."),
      .text = tr_later(
          "Both must be done, or the call returns cudaErrorNotReady; both must have been recorded and keep the time, "
          "or "
          "it returns cudaErrorInvalidResourceHandle. The program goes on in any case. What lies between two events of "
          "a stream may be other streams' work, too."),
      .example = "stream A nonblocking\n"
                 "A: record a\n"
                 "A: spin 100us\n"
                 "A: record b\n"
                 "host: sync b\n"
                 "host: elapsed a b\n",
      .see = "record, event, sync",
      .also = "timing, milliseconds"}},
    {Verb::memcpy,
     {.word = "memcpy",
      .calls = "cudaMemcpy",
      .sentence = tr_later("Copies in the legacy default stream, and holds the host until the copy is done."),
      .text = tr_later("Blocking streams wait for it and it for them."),
      .example = "buffer x 8MiB\n"
                 "host: memcpy h2d x\n"
                 "default: axpb x fma=64\n"
                 "host: memcpy d2h x\n",
      .see = "h2d, d2h, default"}},
    {Verb::memset_now,
     {.word = "memset",
      .calls = "cudaMemset",
      .sentence = tr_later("Sets each byte of a range in the device's memory, in the legacy default stream."),
      .text = tr_later("It has no stream of its own, and yet the host does not wait for it. Blocking streams do."),
      .example = "buffer x 8MiB\n"
                 "host: memset x 0\n"
                 "host: memcpy d2h x\n",
      .see = "memcpy, default"}},
    {Verb::d2d_now,
     {.word = "d2d",
      .calls = "cudaMemcpy",
      .sentence =
          tr_later("Copies within the device's memory in the legacy default stream: where to, then where from."),
      .text = tr_later("Unlike other copies without a stream it does not hold the host. Blocking streams wait for it."),
      .example = "buffer x 8MiB\n"
                 "buffer y 8MiB\n"
                 "host: memcpy h2d x\n"
                 "host: d2d y x\n"
                 "host: memcpy d2h y\n",
      .see = "memcpy, default"}},
    {Verb::malloc,
     {.word = "malloc",
      .name = "BUFFER",
      .calls = "cudaMalloc",
      .sentence = tr_later("Allocates device memory inside the run, by a call of the host."),
      .text = tr_later("It has no host side and lives until it is freed."),
      .example = "stream A nonblocking\n"
                 "host: malloc t 8MiB\n"
                 "A: memset t 0\n"
                 "A: axpb t fma=64\n"
                 "host: free t\n",
      .see = "free, buffer"}},
    {Verb::free,
     {.word = "free",
      .name = "BUFFER",
      .calls = "cudaFree",
      .sentence = tr_later("Gives memory back that `host: malloc` allocated; it waits for all work on the device."),
      .text = tr_later(
          "That wait is easily overlooked: work of other streams, which has nothing to do with the memory, holds the "
          "host too. Memory of `STREAM: malloc` may be given back so, too: CUDA then waits for nothing, and all uses "
          "must be over."),
      .example = "stream A nonblocking\n"
                 "stream B nonblocking\n"
                 "host: malloc t 1MiB\n"
                 "A: spin 300us\n"
                 "host: free t\n"
                 "B: spin 100us\n",
      .see = "malloc"}},
    {Verb::malloc_host,
     {.word = "malloc-host",
      .name = "BUFFER",
      .calls = "cudaMallocHost",
      .sentence = tr_later("Allocates pinned host memory inside the run, by a call of the host."),
      .text =
          tr_later("It has no device side and lives until `free-host`; a copy names it behind `from` or `to`. The call "
                   "takes long, for the system has to find and fix every page: 256 MiB took 100 ms beside an H200. "
                   "Pinned memory is best allocated once, before the run, as `buffer` does it."),
      .example = "buffer x 4MiB\n"
                 "stream A nonblocking\n"
                 "host: malloc-host h 4MiB\n"
                 "A: d2h x to h\n"
                 "A: h2d x from h\n"
                 "host: free-host h\n",
      .see = "free-host, register, buffer, malloc",
      .also = "cudaHostAlloc"}},
    {Verb::free_host,
     {.word = "free-host",
      .name = "BUFFER",
      .calls = "cudaFreeHost",
      .sentence = tr_later("Gives back what `host: malloc-host` allocated; it waits for all work on the device."),
      .text = tr_later("Work of other streams, which has nothing to do with the memory, holds the host too."),
      .example = "stream A nonblocking\n"
                 "stream B nonblocking\n"
                 "host: malloc-host h 1MiB\n"
                 "A: spin 300us\n"
                 "host: free-host h\n"
                 "B: spin 100us\n",
      .see = "malloc-host, free"}},
    {Verb::pin,
     {.word = "register",
      .name = "BUFFER",
      .calls = "cudaHostRegister",
      .sentence = tr_later("Pins the pageable host memory of a buffer inside the run, which waits for no work."),
      .text =
          tr_later("From here on copies of that memory are as those of pinned memory: their calls return at once. It "
                   "takes time by size, so it pays where many copies follow. What is "
                   "still registered when the run is over is pageable again in the next one."),
      .example = "buffer x 8MiB host=pageable\n"
                 "stream A nonblocking\n"
                 "A: h2d x          # the host stages it\n"
                 "host: register x\n"
                 "A: h2d x          # returns at once\n"
                 "host: sync A\n"
                 "host: unregister x\n",
      .see = "unregister, malloc-host, buffer"}},
    {Verb::unpin,
     {.word = "unregister",
      .name = "BUFFER",
      .calls = "cudaHostUnregister",
      .sentence = tr_later("Makes registered host memory pageable again; it waits for all work on the device."),
      .text = tr_later("All copies of it must be over: wait for them before, for CUDA does not promise that it does."),
      .example = "buffer x 8MiB host=pageable\n"
                 "stream A nonblocking\n"
                 "host: register x\n"
                 "A: h2d x\n"
                 "host: sync A\n"
                 "host: unregister x\n",
      .see = "register"}},
    {Verb::create_stream,
     {.word = "create-stream",
      .name = "STREAM",
      .calls = "cudaStreamCreateWithPriority",
      .sentence = tr_later("Makes a stream inside the run, by a call of the host, which waits for nothing."),
      .text =
          tr_later("It is as `stream` declares it, lives until it is destroyed, and belongs to the host thread that "
                   "made it. Streams are best made once, before the run: the call takes about as long as several "
                   "launches."),
      .example = "host: create-stream A nonblocking priority=-1\n"
                 "A: spin 100us\n"
                 "host: destroy A\n",
      .see = "destroy, stream",
      .also = "create"}},
    {Verb::create_event,
     {.word = "create-event",
      .name = "EVENT",
      .calls = "cudaEventCreateWithFlags",
      .sentence = tr_later("Makes an event inside the run, by a call of the host, which waits for nothing."),
      .text = tr_later("It is as `event` declares it, lives until it is destroyed, and belongs to the host thread that "
                       "made it."),
      .example = "stream A nonblocking\n"
                 "stream B nonblocking\n"
                 "host: create-event e notiming blockingsync\n"
                 "A: spin 100us\n"
                 "A: record e\n"
                 "B: wait e\n"
                 "host: destroy e\n"
                 "B: spin 50us\n",
      .see = "destroy, event",
      .also = "create"}},
    {Verb::destroy,
     {.word = "destroy",
      .name = "STREAM|EVENT",
      .calls = "cudaStreamDestroy, cudaEventDestroy",
      .sentence = tr_later("Destroys a stream or an event that the run has made; the host does not wait."),
      .text =
          tr_later("Work that the stream still has is carried out, and what waits for the event goes on waiting for "
                   "its record. What is not destroyed is when the run is over."),
      .example = "host: create-stream A nonblocking\n"
                 "A: spin 300us\n"
                 "host: destroy A\n"
                 "host: work 20us\n",
      .see = "create-stream, create-event"}},
    {Verb::last_error,
     {.word = "lasterror",
      .calls = "cudaGetLastError, cudaPeekAtLastError",
      .sentence = tr_later("Asks for the last error that a call of this host thread returned, and forgets it."),
      .text = tr_later("With `peek` it stays. An error that sticks is forgotten, too, until the next call returns it "
                       "again. That work is not ready is no error."),
      .example = "stream A nonblocking\n"
                 "A: fault launch-config\n"
                 "host: lasterror peek # cudaErrorInvalidValue\n"
                 "host: lasterror      # the same, and forgets it\n"
                 "host: lasterror      # cudaSuccess\n",
      .see = "fault, reset"}},
    {Verb::reset,
     {.word = "reset",
      .calls = "cudaDeviceReset",
      .sentence = tr_later("Destroys all that the process has on the device; it waits for all work there."),
      .text =
          tr_later("Buffers, streams, events and graphs made before it are gone; what the run makes behind it is new. "
                   "After an error that sticks it succeeds, and the process has no device all the same: each later "
                   "call returns cudaErrorDevicesUnavailable. It forgets no last error. On a GPU the program runs "
                   "once, in a process of its own, and of what is issued behind it only the host's calls are "
                   "observed. A program that names another device may not have it."),
      .example = "stream A nonblocking\n"
                 "A: spin 300us\n"
                 "host: reset\n"
                 "host: create-stream B\n"
                 "B: spin 100us\n",
      .see = "fault, lasterror, create-stream"}},
    {Verb::touch,
     {.word = "touch",
      .sentence = tr_later("Has the CPU read and write the host's side of a range."),
      .text = tr_later("Of managed memory that moves the pages to the host."),
      .example = "buffer m 8MiB host=managed\n"
                 "stream A nonblocking\n"
                 "host: touch m\n"
                 "A: axpb m fma=64\n"
                 "host: sync A\n"
                 "host: touch m[0:1MiB]\n",
      .see = "prefetch, buffer"}},
    {Verb::join,
     {.word = "join",
      .name = "THREAD",
      .sentence = tr_later("Holds the host thread until another one has ended."),
      .text = tr_later(
          "It waits for the thread's calls, not for the work that they gave to the device: that the thread has to "
          "wait for itself."),
      .example = "thread T {\n"
                 "  per-thread: spin 100us\n"
                 "  host: sync per-thread\n"
                 "}\n"
                 "host: work 50us\n"
                 "host: join T\n",
      .see = "thread, sync"}},
    {Verb::device,
     {.word = "device",
      .calls = "cudaSetDevice",
      .sentence = tr_later("Makes a device the host thread's current one; it waits for nothing."),
      .text = tr_later(
          "`default`, `per-thread`, `sync device`, `malloc` and what `create-stream` and `create-event` make are of "
          "the current device. A declared stream, event or buffer is of the device that it names, whichever is "
          "current; each host thread begins with the first, device 0."),
      .example = "buffer x 16MiB device=1\n"
                 "stream A\n"
                 "A: spin 100us\n"
                 "host: device 1\n"
                 "host: memcpy h2d x\n"
                 "default: axpb x fma=64\n"
                 "host: sync device\n",
      .see = "stream, peer, sync",
      .also = "several GPUs, multi-GPU"}},
    {Verb::peer_access,
     {.word = "peer",
      .calls = "cudaDeviceEnablePeerAccess, cudaDeviceDisablePeerAccess",
      .sentence = tr_later("Lets two devices reach each other's memory, both ways, or no longer."),
      .text = tr_later("Copies between the two that are issued from then on go straight from one to the other; until "
                       "then they are staged through the host. Before the first such line it is off."),
      .example = "buffer x 16MiB device=0,1\n"
                 "stream A nonblocking\n"
                 "A: peer x@1 x@0\n"
                 "host: sync A\n"
                 "host: peer 0 1 on\n"
                 "A: peer x@1 x@0\n",
      .see = "peer, device",
      .also = "peer access, cudaDeviceCanAccessPeer"}},
};

std::string argument(ArgumentKind kind, std::string_view name) {
  switch (kind) {
    case ArgumentKind::new_name:
    case ArgumentKind::name: return std::string(name.empty() ? "NAME" : name);
    case ArgumentKind::range: return "RANGE";
    case ArgumentKind::direction: return "h2d|d2h";
    case ArgumentKind::bytes: return "SIZE";
    case ArgumentKind::duration: return "DURATION";
    case ArgumentKind::integer: return "NUMBER";
    case ArgumentKind::from: return "from";
    case ArgumentKind::to: return "to";
    case ArgumentKind::on: return "on";
    case ArgumentKind::times: return "COUNT";
    case ArgumentKind::file: return "\"FILE\"";
    case ArgumentKind::parameters: return "(PARAMETERS)";
    case ArgumentKind::given: return "[RANGE|NUMBER]...";
    case ArgumentKind::side: return "RANGE@DEVICE";
    case ArgumentKind::on_off: return fmt::format("{}", fmt::join(grammar::kOnOff, "|"));
    case ArgumentKind::which_default: return fmt::format("{}", fmt::join(grammar::kDefaultStreams, "|"));
    case ArgumentKind::how_it_fails: return fmt::format("{}", fmt::join(kNames<FaultKind>, "|"));
  }
  return {};
}

std::string option(const kernels::Option& option) {
  if (option.kind == kernels::OptionKind::flag) return std::string(option.key);
  if (option.kind == kernels::OptionKind::choice) return fmt::format("{}={}", option.key, fmt::join(option.words, "|"));
  const std::string value = argument(grammar::argument_kind(option.kind), {});
  if (option.kind == kernels::OptionKind::counts) return fmt::format("{}={}[,{}]...", option.key, value, value);
  return fmt::format("{}={}", option.key, value);
}

}  // namespace

const WordHelp* help(const Form& form) {
  const auto at =
      std::find_if(std::begin(kWords), std::end(kWords), [&](const HelpOfVerb& one) { return one.verb == form.verb; });
  return at == std::end(kWords) ? nullptr : &at->help;
}

std::string syntax_of(const Form& form) {
  const WordHelp* const word = help(form);
  std::string text;
  if (form.side == Side::stream) text = "STREAM: ";
  if (form.side == Side::host) text = "host: ";
  text += form.word;
  bool behind_on = false;
  for (std::size_t i = form.verb == Verb::own ? 1 : 0; i < form.arguments.size(); ++i) {
    const ArgumentKind kind = form.arguments[i];
    const bool leading = word == nullptr && kind != ArgumentKind::range && kind != ArgumentKind::from;
    text += i > 0 && i == form.arguments.size() - form.optional ? " [" : " ";
    if (form.verb == Verb::memcpy && kind == ArgumentKind::from) {
      text += "from|to";
      continue;
    }
    text += leading ? argument(kind, {}) : argument(kind, behind_on ? "STREAM" : word != nullptr ? word->name : "");
    behind_on = kind == ArgumentKind::on;
  }
  if (form.optional > 0) text += ']';
  for (const kernels::Option& one : form.options)
    text += one.required ? " " + option(one) : fmt::format(" [{}]", option(one));
  if (form.verb == Verb::repeat) text += " [as NAME]";
  if (form.side == Side::block) text += " {";
  return text;
}

}  // namespace streamscope::program
