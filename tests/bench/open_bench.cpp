// How long a trace of another tool takes to open, and what memory: a file as PyTorch's profiler or Nsight Systems
// writes them is made with so many spans, then opened in a process of its own, with the tracks the window draws.
//
//   bench_open                        10^3 to 10^6 spans, JSON and SQLite
//   bench_open SPANS [json|sqlite]    one of them
//   bench_open SPANS json|sqlite FILE only writes the file
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <string_view>

#include "app/timeline/tracks.h"
#include "engine/input/open.h"
#include "engine/trace/packed_spans.h"

namespace {

using Clock = std::chrono::steady_clock;
using streamscope::Nanoseconds;

double seconds(Clock::time_point from) { return std::chrono::duration<double>(Clock::now() - from).count(); }

// A third each: operators of the host, calls with the kernel they launch, calls with the copy.
struct Step {
  Nanoseconds begin, length, start, duration;
  unsigned sort, thread, stream, name;
};
template <class Take>
void steps(std::size_t spans, Take take) {
  std::mt19937_64 random(1);
  Nanoseconds now = 1'700'000'000'000'000'000;
  for (std::size_t i = 0; i < spans; ++i) {
    now += static_cast<Nanoseconds>(random() % 6'000);
    Step step;
    step.begin = now;
    step.length = 1'500 + static_cast<Nanoseconds>(random() % 9'000);
    step.start = now + step.length + static_cast<Nanoseconds>(random() % 40'000);
    step.duration = 2'000 + static_cast<Nanoseconds>(random() % 60'000);
    step.sort = static_cast<unsigned>(i % 3);
    step.thread = 4001 + static_cast<unsigned>(random() % 8);
    step.stream = 7 + static_cast<unsigned>(random() % 4);
    step.name = static_cast<unsigned>(random() % 300);
    take(i, step);
  }
}

std::string micros(Nanoseconds time) { return fmt::format("{}.{:03}", time / 1000, time % 1000); }

void write_json(const std::string& path, std::size_t spans) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) {
    fmt::print(stderr, "bench_open: cannot write {}\n", path);
    std::exit(1);
  }
  fmt::print(
      file,
      "{{\"schemaVersion\": 1, \"deviceProperties\": [{{\"id\": 0, \"name\": \"Made up\"}}],\n\"traceEvents\": [\n");
  steps(spans, [&](std::size_t i, const Step& s) {
    if (i > 0) fmt::print(file, ",\n");
    if (s.sort == 0) {
      fmt::print(file,
                 "{{\n    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::operator_{}\", \"pid\": 4000, \"tid\": "
                 "{},\n    "
                 "\"ts\": {}, \"dur\": {},\n    \"args\": {{\n      \"External id\": {},\"Record function id\": 0, "
                 "\"Ev Idx\": {}\n    }}\n  }}",
                 s.name, s.thread, micros(s.begin), micros(s.length), i, i);
      return;
    }
    const bool copy = s.sort == 2;
    fmt::print(file,
               "{{\n    \"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"{}\", \"pid\": 4000, \"tid\": {},\n    "
               "\"ts\": {}, "
               "\"dur\": {},\n    \"args\": {{\n      \"cbid\": 211, \"correlation\": {}\n    }}\n  }},\n",
               copy ? "cudaMemcpyAsync" : "cudaLaunchKernel", s.thread, micros(s.begin), micros(s.length), i + 1);
    fmt::print(file,
               "{{\n    \"ph\": \"X\", \"cat\": \"{}\", \"name\": \"{}\", \"pid\": 0, \"tid\": {},\n    \"ts\": {}, "
               "\"dur\": {},\n"
               "    \"args\": {{\n      \"External id\": {},\"device\": 0, \"context\": 1,\n      \"stream\": {}, "
               "\"correlation\": {}{}\n    }}\n  }}",
               copy ? "gpu_memcpy" : "kernel",
               copy ? std::string("Memcpy HtoD (Pinned -> Device)")
                    : fmt::format("void vectorized_elementwise_kernel<4, Functor{}<float>>(int, Functor{}<float>)",
                                  s.name, s.name),
               s.stream, micros(s.start), micros(s.duration), i, s.stream, i + 1,
               copy ? ",\n      \"bytes\": 1048576, \"memory bandwidth (GB/s)\": 25.1"
                    : ",\n      \"grid\": [128, 1, 1], \"block\": [256, 1, 1], \"registers per thread\": 32");
  });
  fmt::print(file, "\n],\n\"traceName\": \"made up\"}}\n");
  std::fclose(file);
}

void write_sqlite(const std::string& path, std::size_t spans) {
  sqlite3* to = nullptr;
  sqlite3_open(path.c_str(), &to);
  const auto run = [&](const std::string& sql) { sqlite3_exec(to, sql.c_str(), nullptr, nullptr, nullptr); };
  run("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN;"
      "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);"
      "CREATE TABLE NVTX_EVENTS (start INT, end INT, eventType INT, globalTid INT, textId INT);"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INT, end INT, globalTid INT, correlationId INT, nameId INT);"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, end INT, deviceId INT, contextId INT, streamId INT, "
      "correlationId INT, globalPid INT, demangledName INT);"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INT, end INT, deviceId INT, contextId INT, streamId INT, "
      "correlationId INT, globalPid INT, copyKind INT, bytes INT);"
      "INSERT INTO StringIds VALUES (1000, 'cudaLaunchKernel'), (1001, 'cudaMemcpyAsync');");
  for (int i = 0; i < 300; ++i) run(fmt::format("INSERT INTO StringIds VALUES ({}, 'kernel or range {}')", i, i));
  sqlite3_stmt *range = nullptr, *call = nullptr, *kernel = nullptr, *copy = nullptr;
  sqlite3_prepare_v2(to, "INSERT INTO NVTX_EVENTS VALUES (?,?,59,?,?)", -1, &range, nullptr);
  sqlite3_prepare_v2(to, "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?,?,?,?,?)", -1, &call, nullptr);
  sqlite3_prepare_v2(to, "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?,?,0,1,?,?,67108864000,?)", -1, &kernel,
                     nullptr);
  sqlite3_prepare_v2(to, "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (?,?,0,1,?,?,67108864000,1,1048576)", -1, &copy,
                     nullptr);
  const auto put = [](sqlite3_stmt* into, std::initializer_list<std::int64_t> values) {
    int at = 0;
    for (const std::int64_t value : values) sqlite3_bind_int64(into, ++at, value);
    sqlite3_step(into);
    sqlite3_reset(into);
  };
  steps(spans, [&](std::size_t i, const Step& s) {
    const auto id = static_cast<std::int64_t>(i + 1), thread = std::int64_t{67108864000} + s.thread;
    if (s.sort == 0) return put(range, {s.begin, s.begin + s.length, thread, s.name});
    put(call, {s.begin, s.begin + s.length, thread, id, s.sort == 2 ? 1001 : 1000});
    if (s.sort == 1) put(kernel, {s.start, s.start + s.duration, s.stream, id, s.name});
    if (s.sort == 2) put(copy, {s.start, s.start + s.duration, s.stream, id});
  });
  for (sqlite3_stmt* each : {range, call, kernel, copy}) sqlite3_finalize(each);
  run("COMMIT");
  sqlite3_close(to);
}

// Kibibytes that the process has in memory now, without what it only has mapped from files.
std::size_t own_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("RssAnon:")) return std::strtoull(line.c_str() + 8, nullptr, 10);
  return 0;
}

// Seconds this process has computed: what a loaded machine takes longer for does not count.
double computed() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto sum = [](const timeval& a, const timeval& b) {
    return static_cast<double>(a.tv_sec + b.tv_sec) + static_cast<double>(a.tv_usec + b.tv_usec) * 1e-6;
  };
  return sum(usage.ru_utime, usage.ru_stime);
}

int open_one(const std::string& path) {
  const double size = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
  const Clock::time_point begin = Clock::now();
  const auto run = streamscope::input::open_trace(path);
  if (!run) {
    fmt::print("{}\n", run.error().message);
    return 1;
  }
  const double reading = seconds(begin), reading_computed = computed();
  const std::size_t after_reading = own_memory();
  const streamscope::timeline::Tracks tracks = streamscope::timeline::tracks(run->trace);
  const double all = seconds(begin), all_computed = computed();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const std::size_t count = streamscope::trace::span_count(run->trace);
  fmt::print("{:>9} spans {:>7.1f} MB  read {:>6.3f} s (CPU {:>6.3f})  with tracks {:>6.3f} s (CPU {:>6.3f})\n", count,
             size, reading, reading_computed, all, all_computed);
  fmt::print(
      "        memory: peak {} MB, of it the file's pages; own after reading {} MB, with tracks {} MB; packed {:.1f} B "
      "a span\n",
      usage.ru_maxrss / 1024, after_reading / 1024, own_memory() / 1024,
      static_cast<double>(run->trace.packed->bytes()) / static_cast<double>(count));
  return tracks.tracks.empty() ? 1 : 0;
}

void write(const std::string& path, const std::string& format, std::size_t spans) {
  std::filesystem::remove(path);
  if (format == "json")
    write_json(path, spans);
  else
    write_sqlite(path, spans);
}

int bench(std::size_t spans, const std::string& format) {
  const std::string path =
      (std::filesystem::temp_directory_path() / fmt::format("bench-open-{}.{}", ::getpid(), format)).string();
  write(path, format, spans);
  fmt::print("{:<7}", format);
  std::fflush(stdout);
  // A process of its own, so that its peak is of this file alone.
  const pid_t child = ::fork();
  if (child == 0) {
    const int code = open_one(path);
    std::fflush(stdout);
    ::_exit(code);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  std::filesystem::remove(path);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace

int main(int argc, char** argv) {
  int code = 0;
  if (argc > 3) {
    write(argv[3], argv[2], std::strtoull(argv[1], nullptr, 10));
    return 0;
  }
  if (argc > 1) return bench(std::strtoull(argv[1], nullptr, 10), argc > 2 ? argv[2] : "json");
  for (const std::size_t spans : {1'000u, 10'000u, 100'000u, 1'000'000u})
    for (const char* format : {"json", "sqlite"}) code |= bench(spans, format);
  return code;
}
