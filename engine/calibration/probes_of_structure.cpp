// Graphs, host threads, memory that both sides share, and allocation in a stream.
#include "engine/base/quantity.h"
#include "engine/calibration/probe_list.h"

namespace streamscope::calibration {
namespace {

std::string graph(const std::string& lines) { return "graph G on A {\n" + lines + "}\n"; }

// A graph of `count` nodes in a row, or side by side in `streams`, launched once or eight times.
void probe_graphs(ProbeList& list) {
  for (const std::uint64_t count : {1, 8, 64}) {
    for (const std::uint64_t launches : {1, 8}) {
      list.add(quick_if(count != 8 || launches == 1),
               launches == 1 ? "a graph of spins" : "eight launches of a graph of spins",
               {.count = count, .duration = 5 * kUs},
               kStream + graph(repeated(count, "A: spin 5us\n")) + repeated(launches, "A: launch G\n"));
    }
    list.add(
        For::thorough, "a graph of copies", {.count = count, .bytes = 64 * kKib},
        std::string("buffer x 1MiB\n") + kStream + graph(repeated(count, "A: h2d x[0:64KiB]\n")) + "A: launch G\n");
  }
  for (const std::uint32_t streams : {2u, 8u}) {
    list.add(quick_if(streams == 8), "a graph of spins side by side", {.streams = streams, .duration = 20 * kUs},
             kStream + fmt::format("streams S {} nonblocking\n", streams) +
                 graph("A: spin 5us\nA: record f\n" +
                       repeated(streams, "S{i}: wait f\nS{i}: spin 20us\nS{i}: record j{i}\nA: wait j{i}\n") +
                       "A: spin 5us\n") +
                 "A: launch G\n");
  }
  list.add(For::quick, "a graph of h2d, spin, d2h", {.count = 8, .bytes = 64 * kKib, .duration = 5 * kUs},
           std::string("buffer x 1MiB\n") + kStream +
               graph(repeated(8, "A: h2d x[0:64KiB]\nA: spin 5us\nA: d2h x[0:64KiB]\n")) + "A: launch G\n");
  list.add(For::thorough, "a graph behind a spin", {.count = 8, .duration = 5 * kUs, .behind = 200 * kUs},
           kStream + graph(repeated(8, "A: spin 5us\n")) + spin_ahead(200 * kUs) + "A: launch G\n");
}

// Second host threads: their start and end, and whether their calls hold each other up.
void probe_host_threads(ProbeList& list) {
  for (const std::uint64_t count : {1, 4}) {
    list.add(quick_if(count == 1), "threads one after the other", {.count = count},
             repeated(count, "thread T{i} {\nhost: work 10us\n}\nhost: join T{i}\n"));
    list.add(For::thorough, "threads side by side", {.count = count},
             repeated(count, "thread T{i} {\nhost: work 100us\n}\n") + repeated(count, "host: join T{i}\n"));
  }
  for (const std::uint64_t count : {64, 512}) {
    const std::string launches = repeated(count, "A1: spin 0us\n");
    list.add(quick_if(count == 512), "launches by two threads", {.count = count},
             "streams A 2 nonblocking\nthread T {\n" + launches + "}\n" + repeated(count, "A0: spin 0us\n") +
                 "host: join T\n");
  }
  list.add(For::thorough, "copies by two threads", {.count = 256, .bytes = 4 * kKib},
           "buffer x 1MiB\nbuffer y 1MiB\nstreams A 2 nonblocking\nthread T {\n" +
               repeated(256, "A1: h2d y[0:4KiB]\n") + "}\n" + repeated(256, "A0: h2d x[0:4KiB]\n") + "host: join T\n");
  list.add(For::quick, "a thread that waits while another launches", {.count = 64, .duration = 500 * kUs},
           "streams A 2 nonblocking\nthread T {\nA1: spin 500us\nhost: sync A1\n}\n" + repeated(64, "A0: spin 0us\n") +
               "host: join T\n");
}

// Kernels that reach the host's memory over the bus, and memory that moves to who uses it.
void probe_shared_memory(ProbeList& list) {
  for (const std::uint64_t bytes : {kMib, 16 * kMib, 64 * kMib}) {
    const std::string size = exact_bytes(bytes);
    const bool needed = bytes != 64 * kMib;
    const std::string managed = fmt::format("buffer m {} host=managed\n{}", size, kStream);
    list.add(quick_if(needed), "axpb on mapped memory", {.bytes = bytes, .fma = 1},
             fmt::format("buffer m {} host=mapped\n{}A: axpb m fma=1\n", size, kStream));
    list.add(quick_if(bytes == kMib), "touch mapped", {.bytes = bytes},
             fmt::format("buffer m {} host=mapped\nhost: touch m\n", size));
    list.add(quick_if(needed), "prefetch to the device", {.bytes = bytes}, managed + "A: prefetch m to=device\n");
    list.add(quick_if(needed), "prefetch there and back", {.bytes = bytes},
             managed + "A: prefetch m to=device\nA: prefetch m to=host\n");
    list.add(quick_if(needed), "touch, then axpb on managed memory", {.bytes = bytes, .fma = 1},
             managed + "host: touch m\nA: axpb m fma=1\n");
    list.add(quick_if(needed), "prefetch, then axpb on managed memory", {.bytes = bytes, .fma = 1},
             managed + "A: prefetch m to=device\nA: axpb m fma=1\n");
    list.add(quick_if(needed), "axpb twice on managed memory", {.bytes = bytes, .fma = 1},
             managed + "A: axpb m fma=1\nA: axpb m fma=1\n");
    list.add(quick_if(needed), "axpb, then touch of managed memory", {.bytes = bytes, .fma = 1},
             managed + "A: axpb m fma=1\nhost: sync A\nhost: touch m\n");
  }
}

// cudaMallocAsync and cudaFreeAsync, `count` of `bytes`.
void probe_allocation_in_streams(ProbeList& list) {
  for (const std::uint64_t bytes : {64 * kKib, kMib, 16 * kMib}) {
    const std::string size = exact_bytes(bytes);
    for (const std::uint64_t count : {1, 8}) {
      const bool needed = bytes == kMib;
      list.add(quick_if(needed), "malloc and free in a stream", {.count = count, .bytes = bytes},
               kStream + repeated(count, fmt::format("A: malloc t{{i}} {}\nA: free t{{i}}\n", size)));
      list.add(
          quick_if(needed && count == 8), "mallocs and then frees in a stream", {.count = count, .bytes = bytes},
          kStream + repeated(count, fmt::format("A: malloc t{{i}} {}\n", size)) + repeated(count, "A: free t{i}\n"));
    }
  }
  list.add(For::quick, "malloc, spin, free in a stream", {.count = 8, .bytes = kMib, .duration = 20 * kUs},
           kStream + repeated(8, "A: malloc t{i} 1MiB\nA: spin 20us\nA: free t{i}\n"));
}

}  // namespace

void add_structure_probes(ProbeList& list) {
  probe_graphs(list);
  probe_host_threads(list);
  probe_shared_memory(list);
  probe_allocation_in_streams(list);
}

}  // namespace streamscope::calibration
