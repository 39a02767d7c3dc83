#include "engine/base/quantity.h"
#include "engine/calibration/probe_list.h"

namespace streamscope::calibration {
namespace {

// `count` calls of one kind and the last synchronisation.
void calls(ProbeList& list) {
  list.add(For::quick, "empty", {}, "host: sync device\n");
  for (const std::uint64_t count : {1, 8, 64, 512}) {
    const bool many = count >= 64, ends = count == 1 || count == 512;
    list.add(quick_if(ends), "records", {.count = count}, kStream + repeated(count, "A: record e\n"));
    list.add(quick_if(ends), "waits for an ended event", {.count = count},
             "streams A 2 nonblocking\nA0: record e\nhost: sync A0\n" + repeated(count, "A1: wait e\n"));
    list.add(For::quick, "launches", {.count = count, .streams = 1}, kStream + repeated(count, "A: spin 0us\n"));
    list.add(quick_if(count == 64), "launches", {.count = count, .streams = 4},
             "streams A 4 nonblocking\n" + repeated(count, "A{i%4}: spin 0us\n"));
    list.add(quick_if(count == 64), "launches in the default stream", {.count = count},
             repeated(count, "default: spin 0us\n"));
    list.add(quick_if(many), "synchronisations of an idle device", {.count = count},
             repeated(count, "host: sync device\n"));
    list.add(quick_if(count == 64), "synchronisations of an idle stream", {.count = count},
             kStream + repeated(count, "host: sync A\n"));
    list.add(quick_if(count == 64), "synchronisations with an ended event", {.count = count},
             std::string(kStream) + "A: record e\nhost: sync A\n" + repeated(count, "host: sync e\n"));
    list.add(quick_if(count == 64), "queries of an idle stream", {.count = count},
             kStream + repeated(count, "host: poll A every=1us\n"));
    list.add(quick_if(count == 64), "queries of an ended event", {.count = count},
             std::string(kStream) + "A: record e\nhost: sync A\n" + repeated(count, "host: poll e every=1us\n"));
  }
  for (const Nanoseconds us : {5, 50, 500}) {
    list.add(quick_if(us == 50), "work", {.duration = us * kUs}, fmt::format("host: work {}us\n", us));
  }
  for (const std::uint64_t count : {2, 4, 16, 32, 128, 1000}) {
    list.add(For::thorough, "launches", {.count = count, .streams = 1}, kStream + repeated(count, "A: spin 0us\n"));
  }
}

// A spin of `duration` and a wait of the host for it.
void waits(ProbeList& list) {
  for (const Nanoseconds us : {5, 50, 1000}) {
    const std::string spin = fmt::format("{}A: spin {}us\n", kStream, us);
    const bool needed = us == 50;
    list.add(quick_if(needed), "spin, sync stream", {.duration = us * kUs}, spin + "host: sync A\n");
    list.add(quick_if(needed), "spin, record, sync event", {.duration = us * kUs},
             spin + "A: record e\nhost: sync e\n");
    list.add(quick_if(needed), "spin, record", {.duration = us * kUs}, spin + "A: record e\n");
    for (const Nanoseconds every : {1, 10}) {
      list.add(quick_if(needed), "spin, poll stream", {.duration = us * kUs, .every = every * kUs},
               spin + fmt::format("host: poll A every={}us\n", every));
      list.add(quick_if(needed), "spin, record, poll event", {.duration = us * kUs, .every = every * kUs},
               spin + fmt::format("A: record e\nhost: poll e every={}us\n", every));
    }
  }
  list.add(For::quick, "spin ends before the host asks", {.duration = 20 * kUs},
           std::string(kStream) + "A: spin 20us\nhost: work 100us\n");
  list.add(For::quick, "rounds of spin and sync", {.count = 16, .duration = 5 * kUs},
           kStream + repeated(16, "A: spin 5us\nhost: sync A\n"));
  list.add(For::quick, "rounds of spin and sync device", {.count = 16, .duration = 5 * kUs},
           kStream + repeated(16, "A: spin 5us\nhost: sync device\n"));
  list.add(For::thorough, "rounds of spin and sync event", {.count = 16, .duration = 5 * kUs},
           kStream + repeated(16, "A: spin 5us\nA: record e\nhost: sync e\n"));
  list.add(For::thorough, "rounds of spin and sync", {.count = 16, .duration = 100 * kUs},
           kStream + repeated(16, "A: spin 100us\nhost: sync A\n"));
  list.add(For::thorough, "rounds of copy and sync", {.count = 16, .bytes = 4 * kKib},
           "buffer x 1MiB\n" + std::string(kStream) + repeated(16, "A: h2d x[0:4KiB]\nhost: sync A\n"));
  list.add(For::thorough, "rounds of copy out and sync", {.count = 16, .bytes = 4 * kKib},
           "buffer x 1MiB\n" + std::string(kStream) + repeated(16, "A: d2h x[0:4KiB]\nhost: sync A\n"));
  for (const std::uint32_t streams : {8u, 64u}) {
    list.add(For::thorough, "sync device with many streams", {.streams = streams},
             fmt::format("streams A {} nonblocking\nhost: sync device\n", streams));
  }
}

// `count` host functions of `duration` in one stream or in several.
void probe_host_functions(ProbeList& list) {
  for (const std::uint64_t count : {1, 4, 16}) {
    for (const Nanoseconds us : {0, 20}) {
      list.add(For::quick, "host functions", {.count = count, .duration = us * kUs},
               kStream + repeated(count, fmt::format("A: hostfn {}us\n", us)));
    }
  }
  list.add(For::quick, "host functions", {.count = 8, .streams = 4, .duration = 20 * kUs},
           "streams A 4 nonblocking\n" + repeated(8, "A{i%4}: hostfn 20us\n"));
  list.add(For::quick, "spins and host functions of equal length", {.count = 8, .duration = 10 * kUs},
           kStream + repeated(8, "A: spin 10us\nA: hostfn 10us\n"));
  list.add(For::thorough, "host functions between copies", {.count = 8, .bytes = 64 * kKib, .duration = 10 * kUs},
           "buffer x 1MiB\n" + std::string(kStream) + repeated(8, "A: h2d x[0:64KiB]\nA: hostfn 10us\n"));
  // The longer the thread that runs them has slept, the longer it takes to wake.
  for (const Nanoseconds us : {5, 20, 50, 100, 200, 500, 1000, 3000}) {
    list.add(quick_if(us == 5 || us == 50 || us == 200 || us == 1000), "host functions",
             {.count = 1, .behind = us * kUs}, kStream + spin_ahead(us * kUs) + "A: hostfn 0us\n");
    list.add(For::thorough, "host functions between spins", {.count = 8, .duration = us * kUs},
             kStream + repeated(8, fmt::format("A: spin {}us\nA: hostfn 0us\n", us)));
  }
}

// Device memory of `bytes` allocated and freed inside the run.
void allocation(ProbeList& list) {
  for (const std::uint64_t bytes : {4 * kKib, 64 * kKib, kMib, 2 * kMib, 4 * kMib, 16 * kMib, 64 * kMib, 256 * kMib}) {
    const bool needed = bytes == 4 * kKib || bytes == kMib || bytes == 16 * kMib || bytes == 256 * kMib;
    const std::string malloc = fmt::format("host: malloc t {}\n", exact_bytes(bytes));
    list.add(quick_if(needed), "malloc", {.count = 1, .bytes = bytes}, malloc);
    list.add(quick_if(needed), "malloc and free", {.count = 1, .bytes = bytes}, malloc + "host: free t\n");
  }
  for (const std::uint64_t bytes : {64 * kKib, kMib, 16 * kMib}) {
    const std::string size = exact_bytes(bytes);
    list.add(quick_if(bytes == kMib), "malloc", {.count = 8, .bytes = bytes},
             repeated(8, fmt::format("host: malloc t{{i}} {}\n", size)));
    list.add(For::thorough, "malloc and free", {.count = 8, .bytes = bytes},
             repeated(8, fmt::format("host: malloc t{{i}} {}\n", size)) + repeated(8, "host: free t{i}\n"));
  }
  list.add(For::quick, "malloc beside a spin", {.bytes = kMib, .behind = 500 * kUs},
           std::string(kStream) + spin_ahead(500 * kUs) + "host: malloc t 1MiB\nA: spin 500us\n");
  list.add(For::quick, "free beside a spin", {.bytes = kMib, .behind = 500 * kUs},
           std::string(kStream) + "host: malloc t 1MiB\n" + spin_ahead(500 * kUs) + "host: free t\nA: spin 500us\n");
}

void touches(ProbeList& list) {
  for (const std::string host : {"pinned", "pageable", "write-combined"}) {
    for (const std::uint64_t bytes : {4 * kKib, 64 * kKib, kMib, 16 * kMib}) {
      const bool slow = host == "write-combined" && bytes >= kMib;
      list.add(quick_if(!slow && bytes != 64 * kKib), "touch " + host, {.bytes = bytes},
               fmt::format("buffer x 16MiB host={}\nhost: touch x[0:{}]\n", host, exact_bytes(bytes)));
    }
  }
  list.add(For::quick, "touch write-combined", {.count = 2, .bytes = 64 * kKib},
           "buffer x 16MiB host=write-combined\n" + repeated(2, "host: touch x[{i*64}KiB:64KiB]\n"));
  // What the device has just written is not in a cache.
  for (const std::uint64_t bytes : {64 * kKib, kMib}) {
    list.add(For::thorough, "touch after d2h", {.bytes = bytes},
             fmt::format("buffer x 16MiB\n{0}A: d2h x[0:{1}]\nhost: sync A\nhost: touch x[0:{1}]\n", kStream,
                         exact_bytes(bytes)));
  }
}

}  // namespace

void add_host_probes(ProbeList& list) {
  calls(list);
  waits(list);
  probe_host_functions(list);
  allocation(list);
  touches(list);
}

}  // namespace streamscope::calibration
