// The model at 10^3 to 10^6 operations of several shapes: time, and how much memory it takes at its peak.
//
// Each pass is made in a process of its own, since a process keeps the peak of all it ever did. Counters: `ns/op` of
// processor time of the simulation (loading and one full pass), `program MiB` that the checked program takes, `model
// MiB` that loading and running add to it at their peak.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <iterator>
#include <string>
#include <string_view>

#include "engine/device/catalog/catalog.h"
#include "engine/program/read_program.h"
#include "tests/support/open_device.h"

namespace streamscope::bench {
namespace {

// Copy in, kernel, copy out through eight streams: three operations a chunk.
std::string pipeline_text(std::int64_t operations) {
  return fmt::format(
      "buffer x {}KiB\nstreams S 8 nonblocking\nrepeat {} as i {{\n  S{{i%8}}: h2d x[{{i*4}}KiB:4KiB]\n"
      "  S{{i%8}}: axpb x[{{i*4}}KiB:4KiB] fma=64\n  S{{i%8}}: d2h x[{{i*4}}KiB:4KiB]\n}}\n",
      operations / 3 * 4, operations / 3);
}

// One after the other, from when the stream's queue is full at the device's pace.
std::string long_stream(std::int64_t operations) {
  return fmt::format("stream A nonblocking\nrepeat {} {{\n  A: spin 5us\n}}\n", operations);
}

// 1000 streams, each waiting for the event of the one before. Records first, so that every wait has one.
std::string events(std::int64_t operations) {
  return fmt::format(
      "streams S 1000 nonblocking\nrepeat 100 as i {{\n  S{{i}}: record e{{i}}\n}}\nrepeat {} as i {{\n  S{{i%1000}}: "
      "wait e{{(i+99)%100}}\n"
      "  S{{i%1000}}: spin 1us\n  S{{i%1000}}: record e{{i%100}}\n}}\n",
      (operations - 100) / 3);
}

// 1000 blocking streams, the default stream between them after every ten.
std::string barriers(std::int64_t operations) {
  return fmt::format(
      "streams S 1000\nrepeat {} as i {{\n  repeat 10 as k {{\n    S{{(i*10+k)%1000}}: spin 1us\n  }}\n"
      "  default: spin 1us\n}}\n",
      operations / 11);
}

// As many at once as the device takes.
std::string concurrent(std::int64_t operations) {
  return fmt::format("streams S 256 nonblocking\nrepeat {} as i {{\n  S{{i%256}}: spin 200us threads=32\n}}\n",
                     operations);
}

// Kernels larger than the device, wave by wave.
std::string waves(std::int64_t operations) {
  return fmt::format("streams S 8 nonblocking\nrepeat {} as i {{\n  S{{i%8}}: spin 2us blocks=1500 threads=256\n}}\n",
                     operations);
}

// Kernels of unlike sizes, threads, shared memory and times, which leave each other odd room.
std::string mixed(std::int64_t operations, int streams) {
  constexpr std::string_view kKernels[] = {"spin 2us blocks=1500 threads=256",
                                           "spin 5us blocks=700 threads=96 smem=12KiB",
                                           "spin 3us blocks=3000 threads=32",
                                           "spin 7us blocks=400 threads=1024",
                                           "spin 4us blocks=900 threads=512 smem=40KiB",
                                           "spin 2us blocks=2000 threads=160 smem=4KiB",
                                           "spin 11us blocks=50 threads=640 smem=100KiB",
                                           "spin 50us blocks=1 threads=32"};
  constexpr int kMany = std::size(kKernels);
  std::string text = fmt::format("streams S {} nonblocking\nrepeat {} as i {{\n", streams, operations / kMany);
  for (int k = 0; k < kMany; ++k) text += fmt::format("  S{{(i*{}+{})%{}}}: {}\n", kMany, k, streams, kKernels[k]);
  return text + "}\n";
}
std::string mixed_8(std::int64_t operations) { return mixed(operations, 8); }
std::string mixed_100(std::int64_t operations) { return mixed(operations, 100); }

// Kernels larger than the device that share its rates, some of their blocks with nothing to do.
std::string sharing(std::int64_t operations) {
  return fmt::format(
      "buffer x 64MiB\nstreams S 8 nonblocking\nrepeat {} as i {{\n"
      "  S{{i%8}}: axpb x[{{i%8*8}}MiB:8MiB] fma=64 blocks=3000 threads=256\n}}\n",
      operations);
}

// A grid of thousands of waves each time.
std::string huge(std::int64_t operations) {
  return fmt::format("stream A nonblocking\nrepeat {} {{\n  A: spin 1us blocks=2000000\n}}\n", operations);
}

// A graph of 100 nodes in four lanes, launched again and again.
std::string graphs(std::int64_t operations) {
  std::string body = "  A: record f\n";
  for (const char lane : {'B', 'C', 'D'}) body += fmt::format("  {}: wait f\n", lane);
  body += "  repeat 25 {\n    A: spin 1us\n    B: spin 1us\n    C: spin 1us\n    D: spin 1us\n  }\n";
  for (const char lane : {'B', 'C', 'D'})
    body += fmt::format("  {0}: record {1}\n  A: wait {1}\n", lane, char(lane + 32));
  return fmt::format(
      "stream A nonblocking\nstream B nonblocking\nstream C nonblocking\nstream D nonblocking\ngraph G on A {{\n{}}}\n"
      "repeat {} {{\n  A: launch G\n}}\n",
      body, operations / 101);
}

// Eight host threads, each with a stream of its own.
std::string threads(std::int64_t operations) {
  std::string text = "buffer x 1MiB\nstreams S 8 nonblocking\n";
  for (int t = 0; t < 8; ++t) {
    text += fmt::format("thread T{0} {{\n  repeat {1} {{\n    S{0}: h2d x[0:4KiB]\n    S{0}: spin 1us\n  }}\n}}\n", t,
                        operations / 16);
  }
  for (int t = 0; t < 8; ++t) text += fmt::format("host: join T{}\n", t);
  return text;
}

// The host waits after each step.
std::string synchronised(std::int64_t operations) {
  return fmt::format("streams S 64 nonblocking\nrepeat {} as i {{\n  S{{i%64}}: spin 1us\n  host: sync device\n}}\n",
                     operations / 2);
}

struct Figures {
  double seconds = 0;
  double operations = 0;
  double program = 0, model = 0;  // bytes
  char error[256] = {};
};

// Of the processor, so that a busy machine does not count.
double busy() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

double resident() {
  double pages = 0, whole = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%lf %lf", &whole, &pages) != 2) pages = 0;
    std::fclose(file);
  }
  return pages * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

double peak() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

Figures one_pass(const std::string& text) {
  Figures figures;
  const auto failed = [&](const Error& error) {
    fmt::format_to_n(figures.error, sizeof figures.error - 1, "{}", error.message);
    return figures;
  };
  auto device = tests::open_device("model:h200");
  if (!device) return failed(device.error());
  const double before = resident();
  auto program = program::read_program(text, "bench");
  if (!program) return failed(program.error());
  figures.operations = static_cast<double>(program->program.operations.size());
  const double with_program = resident();
  figures.program = with_program - before;
  const double begin = busy();
  auto loaded = (*device)->load(program->program, {});
  if (!loaded) return failed(loaded.error());
  auto pass = (*loaded)->run(device::Instrument::full, {});
  if (!pass) return failed(pass.error());
  figures.seconds = busy() - begin;
  figures.model = std::max(resident(), peak()) - with_program;
  return figures;
}

Figures in_a_process_of_its_own(const std::string& text) {
  Figures figures;
  int ends[2];
  if (::pipe(ends) != 0) return figures;
  const pid_t child = ::fork();
  if (child == 0) {
    figures = one_pass(text);
    const ssize_t written = ::write(ends[1], &figures, sizeof figures);
    ::_exit(written == sizeof figures ? 0 : 1);
  }
  ::close(ends[1]);
  if (::read(ends[0], &figures, sizeof figures) != sizeof figures) {
    fmt::format_to_n(figures.error, sizeof figures.error - 1, "the process ended early");
  }
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return figures;
}

void model(benchmark::State& state, std::string (*shape)(std::int64_t)) {
  const std::string text = shape(state.range(0));
  Figures figures;
  double seconds = 0;
  for (auto _ : state) {
    figures = in_a_process_of_its_own(text);
    if (figures.error[0] != 0) return state.SkipWithError(figures.error);
    state.SetIterationTime(figures.seconds);
    seconds += figures.seconds;
  }
  constexpr double kMiB = 1 << 20;
  state.counters["operations"] = figures.operations;
  state.counters["ns/op"] = seconds * 1e9 / static_cast<double>(state.iterations()) / figures.operations;
  state.counters["program MiB"] = figures.program / kMiB;
  state.counters["model MiB"] = figures.model / kMiB;
}

#define STREAMSCOPE_SHAPE(name)        \
  BENCHMARK_CAPTURE(model, name, name) \
      ->RangeMultiplier(10)            \
      ->Range(1'000, 1'000'000)        \
      ->UseManualTime()                \
      ->Unit(benchmark::kMillisecond)
STREAMSCOPE_SHAPE(pipeline_text);
STREAMSCOPE_SHAPE(long_stream);
STREAMSCOPE_SHAPE(events);
STREAMSCOPE_SHAPE(barriers);
STREAMSCOPE_SHAPE(concurrent);
STREAMSCOPE_SHAPE(waves);
STREAMSCOPE_SHAPE(mixed_8);
STREAMSCOPE_SHAPE(mixed_100);
STREAMSCOPE_SHAPE(sharing);
STREAMSCOPE_SHAPE(huge);
STREAMSCOPE_SHAPE(graphs);
STREAMSCOPE_SHAPE(threads);
STREAMSCOPE_SHAPE(synchronised);

}  // namespace
}  // namespace streamscope::bench
