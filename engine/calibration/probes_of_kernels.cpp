#include <algorithm>
#include <bit>

#include "engine/base/quantity.h"
#include "engine/calibration/probe_list.h"

namespace streamscope::calibration {
namespace {

// One spin of `duration`, and chains of `count` in one stream, also queued behind another.
void chains(ProbeList& list) {
  for (const Nanoseconds us : {0, 1, 2, 3, 5, 10, 20, 50, 100, 1000}) {
    list.add(quick_if(us == 0 || us == 5 || us == 50 || us == 1000), "spin", {.duration = us * kUs},
             fmt::format("{}A: spin {}us\n", kStream, us));
  }
  struct Sort {
    std::uint64_t count;
    Nanoseconds us, behind;
    bool needed;
  };
  for (const auto& [count, us, behind, needed] : {Sort{8, 20, 0, true},
                                                  {32, 20, 0, true},
                                                  {64, 5, 0, true},
                                                  {64, 2, 0, false},
                                                  {64, 3, 0, false},
                                                  {64, 4, 0, false},
                                                  {64, 0, 500, true},
                                                  {64, 2, 500, true},
                                                  {64, 5, 500, false},
                                                  {256, 0, 1500, false}}) {
    list.add(quick_if(needed), "chain of spins", {.count = count, .duration = us * kUs, .behind = behind * kUs},
             kStream + spin_ahead(behind * kUs) + repeated(count, fmt::format("A: spin {}us\n", us)));
  }
}

std::string axpb(std::uint64_t bytes, std::uint32_t fma, std::uint32_t blocks, std::uint32_t threads) {
  return fmt::format("axpb x[0:{}] fma={}{}{}", exact_bytes(bytes), fma,
                     blocks == 0 ? "" : fmt::format(" blocks={}", blocks),
                     threads == 0 ? "" : fmt::format(" threads={}", threads));
}

std::string kernel_buffer(std::uint64_t bytes) {
  return fmt::format("buffer x {}\n", exact_bytes(std::bit_ceil(std::max(bytes, kMib))));
}

// axpb over `bytes` alone.
void axpb_alone(ProbeList& list) {
  struct Sort {
    std::uint64_t bytes;
    std::uint32_t fma, blocks, threads;
    bool needed;
  };
  const Sort kSorts[] = {
      {64 * kKib, 1, 0, 0, true},
      {64 * kKib, 64, 0, 0, false},
      {64 * kKib, 1024, 0, 0, false},
      {256 * kKib, 1, 0, 0, false},
      {kMib, 1, 0, 0, true},
      {kMib, 16, 0, 0, false},
      {kMib, 64, 0, 0, false},
      {kMib, 256, 0, 0, true},
      {kMib, 1024, 0, 0, false},
      {4 * kMib, 1, 0, 0, false},
      {4 * kMib, 256, 0, 0, false},
      {16 * kMib, 1, 0, 0, true},
      {16 * kMib, 16, 0, 0, false},
      {16 * kMib, 32, 0, 0, false},
      {16 * kMib, 64, 0, 0, true},
      {16 * kMib, 128, 0, 0, false},
      {16 * kMib, 256, 0, 0, true},
      {16 * kMib, 1024, 0, 0, true},
      {64 * kMib, 1, 0, 0, true},
      {64 * kMib, 64, 0, 0, false},
      {64 * kMib, 256, 0, 0, false},
      {256 * kMib, 1, 0, 0, true},
      {256 * kMib, 16, 0, 0, false},
      {256 * kMib, 64, 0, 0, false},
      {256 * kMib, 256, 0, 0, true},
      {16 * kMib, 1, 132, 256, false},
      {16 * kMib, 1, 264, 1024, true},
      {16 * kMib, 1, 528, 256, false},
      {16 * kMib, 1, 1056, 256, true},
      {16 * kMib, 1, 4096, 256, false},
      {16 * kMib, 1, 16384, 256, true},
      {16 * kMib, 64, 1056, 256, false},
      {16 * kMib, 256, 132, 128, false},
      {16 * kMib, 256, 132, 64, true},
      {16 * kMib, 256, 132, 32, false},
      {16 * kMib, 256, 264, 64, false},
      {16 * kMib, 256, 133, 256, true},
      {16 * kMib, 256, 200, 256, false},
      {16 * kMib, 256, 66, 256, true},
      {kMib, 1, 1, 32, true},
      {kMib, 1, 1, 256, true},
      {kMib, 1, 1, 1024, true},
      {kMib, 1, 8, 256, true},
      {kMib, 1, 8, 1024, false},
      {kMib, 1, 32, 256, false},
      {kMib, 64, 1, 256, false},
      {kMib, 256, 1, 32, true},
      {kMib, 256, 1, 64, false},
      {kMib, 256, 1, 128, true},
      {kMib, 256, 1, 256, true},
      {kMib, 256, 1, 1024, true},
      {kMib, 256, 8, 256, true},
      {kMib, 1024, 8, 64, false},
      {kMib, 16, 8, 256, false},
      {kMib, 64, 132, 1024, false},
      {kMib, 16, 64, 64, false},
      {4 * kMib, 16, 16, 512, false},
      {4 * kMib, 1, 16, 512, false},
      {4 * kMib, 1, 64, 128, false},
      {4 * kMib, 64, 64, 64, false},
      {64 * kMib, 1, 66, 1024, false},
      {64 * kMib, 1, 132, 1024, false},
      {64 * kMib, 4, 0, 1024, false},
      {4 * kKib, 1, 20000, 256, false},
      {4 * kKib, 1, 1, 256, false},
      {16 * kKib, 4096, 1, 128, false},
  };
  for (const Sort& s : kSorts) {
    list.add(quick_if(s.needed), "axpb", {.bytes = s.bytes, .fma = s.fma, .blocks = s.blocks, .threads = s.threads},
             kernel_buffer(s.bytes) + kStream + "A: " + axpb(s.bytes, s.fma, s.blocks, s.threads) + "\n");
  }
  // The same memory again and again: whether what the last kernel read is still near.
  for (const std::uint64_t bytes : {kMib, 16 * kMib, 64 * kMib}) {
    list.add(quick_if(bytes == 16 * kMib), "chain of axpb", {.count = 16, .bytes = bytes, .fma = 1},
             kernel_buffer(bytes) + kStream + repeated(16, "A: " + axpb(bytes, 1, 0, 0) + "\n"));
  }
  // Memory that a copy has just brought.
  for (const std::uint64_t bytes : {kMib, 16 * kMib}) {
    list.add(For::thorough, "h2d then axpb", {.bytes = bytes, .fma = 1},
             kernel_buffer(bytes) + kStream +
                 fmt::format("A: h2d x[0:{}]\nA: {}\n", exact_bytes(bytes), axpb(bytes, 1, 0, 0)));
  }
}

// `streams` kernels at once, `bytes` each.
void axpb_together(ProbeList& list) {
  struct Sort {
    std::uint64_t bytes;
    std::uint32_t fma, blocks;
    bool needed;
  };
  for (const Sort& s : {Sort{16 * kMib, 1, 0, true},
                        {16 * kMib, 1024, 0, true},
                        {16 * kMib, 64, 0, false},
                        {64 * kMib, 1, 0, false},
                        {4 * kMib, 256, 16, true},
                        {4 * kMib, 1, 16, true},
                        {16 * kMib, 256, 132, false},
                        {16 * kMib, 256, 1056, false}}) {
    for (const std::uint32_t streams : {1u, 2u, 4u, 8u}) {
      list.add(quick_if(s.needed && (streams == 2 || streams == 8)), "axpb at once",
               {.bytes = s.bytes, .streams = streams, .fma = s.fma, .blocks = s.blocks},
               kernel_buffer(s.bytes * streams) + fmt::format("streams S {} nonblocking\n", streams) +
                   repeated(streams, fmt::format("S{{i}}: axpb x[{{i*{}}}KiB:{}] fma={}{}\n", s.bytes / kKib,
                                                 exact_bytes(s.bytes), s.fma,
                                                 s.blocks == 0 ? "" : fmt::format(" blocks={}", s.blocks))));
    }
  }
}

// Spins of many blocks: how many fit at once, and how fast blocks are handed out.
void waves(ProbeList& list) {
  struct Sort {
    std::uint32_t blocks, threads;
    std::uint32_t smem_kib;
    Nanoseconds us;
    bool needed;
  };
  for (const Sort& s : {Sort{132, 1024, 0, 20, false}, {264, 1024, 0, 20, true},   {265, 1024, 0, 20, true},
                        {1056, 1024, 0, 20, true},     {1320, 1024, 0, 20, false}, {2112, 128, 0, 20, true},
                        {2113, 128, 0, 20, true},      {4224, 64, 0, 20, false},   {4225, 64, 0, 20, true},
                        {8448, 32, 0, 20, false},      {528, 128, 48, 20, true},   {529, 128, 48, 20, true},
                        {264, 128, 100, 20, false},    {265, 128, 100, 20, false}, {132, 128, 200, 20, false},
                        {133, 128, 200, 20, false},    {1056, 256, 16, 20, false}, {396, 768, 0, 20, false},
                        {2640, 256, 0, 5, false},      {5280, 256, 0, 5, false},   {5000, 512, 0, 10, false},
                        {10560, 128, 0, 2, true},      {1584, 128, 48, 5, false},  {1320, 1024, 0, 2, false}}) {
    list.add(quick_if(s.needed), "spin of many blocks",
             {.blocks = s.blocks, .threads = s.threads, .shared_bytes = s.smem_kib * 1024, .duration = s.us * kUs},
             fmt::format("{}A: spin {}us blocks={} threads={}{}\n", kStream, s.us, s.blocks, s.threads,
                         s.smem_kib == 0 ? "" : fmt::format(" smem={}KiB", s.smem_kib)));
  }
  for (const std::uint32_t threads : {32u, 128u, 256u, 1024u}) {
    for (const std::uint32_t blocks : {132u, 1'000u, 10'000u, 100'000u, 1'000'000u}) {
      if (threads == 1024 && blocks == 1'000'000) continue;
      list.add(quick_if((threads == 128 || threads == 1024) && blocks >= 10'000 && blocks < 1'000'000),
               "spin of no time", {.blocks = blocks, .threads = threads},
               fmt::format("{}A: spin 0us blocks={} threads={}\n", kStream, blocks, threads));
    }
  }
  // With shared memory fewer fit, and a multiprocessor may have to be set up anew.
  for (const std::uint32_t smem_kib : {16u, 48u, 100u, 200u}) {
    list.add(For::thorough, "spin of no time", {.blocks = 10'000, .threads = 128, .shared_bytes = smem_kib * 1024},
             fmt::format("{}A: spin 0us blocks=10000 threads=128 smem={}KiB\n", kStream, smem_kib));
    list.add(For::thorough, "chain of spins with and without shared memory",
             {.count = 8, .shared_bytes = smem_kib * 1024, .duration = 5 * kUs},
             kStream + repeated(8, fmt::format("A: spin 5us\nA: spin 5us smem={}KiB\n", smem_kib)));
  }
  // Two large ones at once, and a small one behind a large one: the leftover policy.
  for (const std::uint32_t streams : {2u, 4u}) {
    list.add(quick_if(streams == 2), "spins of many blocks at once",
             {.streams = streams, .blocks = 660, .threads = 1024, .duration = 20 * kUs},
             fmt::format("streams S {} nonblocking\n", streams) +
                 repeated(streams, "S{i}: spin 20us blocks=660 threads=1024\n"));
  }
  list.add(For::thorough, "a small spin behind a large one", {.blocks = 1056, .threads = 1024, .duration = 20 * kUs},
           "streams S 2 nonblocking\nS0: spin 20us blocks=1056 threads=1024\nS1: spin 100us\n");
  list.add(For::thorough, "an urgent spin behind a large one", {.blocks = 1056, .threads = 1024, .duration = 20 * kUs},
           "stream S0 nonblocking\nstream S1 nonblocking priority=-5\nS0: spin 20us blocks=1056 threads=1024\n"
           "S1: spin 100us\n");
}

// One spin in each stream, and launches that find the queue full.
void queues(ProbeList& list) {
  for (const std::uint32_t streams : {2u, 4u, 8u, 9u, 16u, 32u, 33u, 64u, 128u, 129u, 160u}) {
    for (const bool nonblocking : {true, false}) {
      if (!nonblocking && streams != 8 && streams != 32 && streams != 128) continue;
      list.add(quick_if(nonblocking && (streams == 4 || streams == 8 || streams == 32 || streams == 128)),
               nonblocking ? "spins at once" : "spins at once, blocking streams",
               {.streams = streams, .duration = 500 * kUs},
               fmt::format("streams S {}{}\n", streams, nonblocking ? " nonblocking" : "") +
                   repeated(streams, "S{i}: spin 500us\n"));
    }
  }
  for (const std::uint32_t streams : {8u, 32u}) {
    list.add(
        For::thorough, "spins at once, two in each stream", {.streams = streams, .duration = 100 * kUs},
        fmt::format("streams S {} nonblocking\n", streams) + repeated(streams, "S{i}: spin 100us\nS{i}: spin 100us\n"));
  }
  for (const std::uint64_t count : {500, 1000, 1030, 1100, 2000}) {
    list.add(quick_if(count == 2000), "launches behind a long spin", {.count = count, .behind = 5000 * kUs},
             kStream + spin_ahead(5000 * kUs) + repeated(count, "A: spin 0us\n"));
  }
  for (const std::string what : {"record e", "h2d x[0:4KiB]", "memset x[0:4KiB] 1"}) {
    list.add(For::thorough, fmt::format("many behind a long spin: {}", what), {.count = 2000, .behind = 8000 * kUs},
             "buffer x 1MiB\n" + std::string(kStream) + spin_ahead(8000 * kUs) + repeated(2000, "A: " + what + "\n"));
  }
  list.add(For::thorough, "launches behind a long spin", {.count = 3000, .streams = 4, .behind = 8000 * kUs},
           "streams S 4 nonblocking\n" + repeated(4, "S{i}: spin 8ms\n") + repeated(3000, "S{i%4}: spin 0us\n"));
}

}  // namespace

void add_kernel_probes(ProbeList& list) {
  chains(list);
  axpb_alone(list);
  axpb_together(list);
  waves(list);
  queues(list);
}

}  // namespace streamscope::calibration
