// Graphs, host threads, memory that both sides share, and allocation in a stream.
#include "engine/calibration/probe_list.h"

namespace streamscope::calibration {
namespace {

// Graphs of nodes in a row, or side by side in `streams`, launched once or eight times.
void probe_graphs(ProbeList& list) {
  const std::string spins = "stream A nonblocking; graph G on A { repeat $n as i { A: spin $for } }; ";
  list.add({"n=1,8,64"},
           {{"a graph of spins", spins + "repeat 1 as i { A: launch G }", "for=5us"},
            {"eight launches of a graph of spins", spins + "repeat 8 as i { A: launch G }", "for=5us", "n=1,64"},
            {"a graph of copies",
             "buffer x 1MiB; stream A nonblocking; graph G on A { repeat $n as i { A: h2d x[0:$bytes] } }; A: launch G",
             "bytes=64KiB", "none"}});
  list.add({"streams=2,8!"},
           {{"a graph of spins side by side",
             "stream A nonblocking; streams S $streams nonblocking; graph G on A { A: spin 5us; A: record f; "
             "repeat $streams as i { S{i}: wait f; S{i}: spin $for; S{i}: record j{i}; A: wait j{i} }; "
             "A: spin 5us }; A: launch G",
             "for=20us"}});
  list.add({"n=8"},
           {{"a graph of h2d, spin, d2h",
             "buffer x 1MiB; stream A nonblocking; "
             "graph G on A { repeat $n as i { A: h2d x[0:$bytes]; A: spin $for; A: d2h x[0:$bytes] } }; A: launch G",
             "bytes=64KiB for=5us"},
            {"a graph behind a spin", spins + "$ahead; A: launch G", "for=5us behind=200us", "none"}});
}

// Second host threads: their start and end, and whether their calls hold each other up.
void probe_host_threads(ProbeList& list) {
  list.add({"n=1!,4"},
           {{"threads one after the other", "repeat $n as i { thread T{i} { host: work 10us }; host: join T{i} }"},
            {"threads side by side",
             "repeat $n as i { thread T{i} { host: work 100us } }; repeat $n as i { host: join T{i} }", "", "none"}});
  const std::string second = "streams A 2 nonblocking; thread T { ";
  list.add({"n=64,512!"},
           {{"launches by two threads",
             second + "repeat $n as i { A1: spin 0us } }; repeat $n as i { A0: spin 0us }; host: join T"}});
  list.add({}, {{"copies by two threads",
                 "buffer x 1MiB; buffer y 1MiB; " + second +
                     "repeat $n as i { A1: h2d y[0:$bytes] } }; repeat $n as i { A0: h2d x[0:$bytes] }; host: join T",
                 "n=256 bytes=4KiB", "none"},
                {"a thread that waits while another launches",
                 second + "A1: spin $for; host: sync A1 }; repeat $n as i { A0: spin 0us }; host: join T",
                 "n=64 for=500us"}});
}

// Kernels that reach the host's memory over the bus, and memory that moves to who uses it.
void probe_shared_memory(ProbeList& list) {
  const std::string managed = "buffer m $bytes host=managed; stream A nonblocking; ";
  list.add(
      {"bytes=1MiB!,16MiB!,64MiB"},
      {{"axpb on mapped memory", "buffer m $bytes host=mapped; stream A nonblocking; A: axpb m fma=$fma", "fma=1"},
       {"touch mapped", "buffer m $bytes host=mapped; host: touch m", "", "bytes=1MiB"},
       {"prefetch to the device", managed + "A: prefetch m to=device"},
       {"prefetch there and back", managed + "A: prefetch m to=device; A: prefetch m to=host"},
       {"touch, then axpb on managed memory", managed + "host: touch m; A: axpb m fma=$fma", "fma=1"},
       {"prefetch, then axpb on managed memory", managed + "A: prefetch m to=device; A: axpb m fma=$fma", "fma=1"},
       {"axpb twice on managed memory", managed + "A: axpb m fma=$fma; A: axpb m fma=$fma", "fma=1"},
       {"axpb, then touch of managed memory", managed + "A: axpb m fma=$fma; host: sync A; host: touch m", "fma=1"}});
}

// cudaMallocAsync and cudaFreeAsync.
void probe_allocation_in_streams(ProbeList& list) {
  const std::string malloc = "stream A nonblocking; repeat $n as i { A: malloc t{i} $bytes";
  list.add({"bytes=64KiB,1MiB!,16MiB", "n=1,8"},
           {{"malloc and free in a stream", malloc + "; A: free t{i} }"},
            {"mallocs and then frees in a stream", malloc + " }; repeat $n as i { A: free t{i} }", "", "n=8"}});
  list.add({},
           {{"malloc, spin, free in a stream", malloc + "; A: spin $for; A: free t{i} }", "n=8 bytes=1MiB for=20us"}});
}

}  // namespace

void add_structure_probes(ProbeList& list) {
  probe_graphs(list);
  probe_host_threads(list);
  probe_shared_memory(list);
  probe_allocation_in_streams(list);
}

}  // namespace streamscope::calibration
