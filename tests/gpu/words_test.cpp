// Shared memory, prefetch, allocation in streams, graphs and host threads really run, run after run, and their data is
// right.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <set>
#include <thread>

#include "engine/base/stop_source.h"
#include "tests/gpu/gpu.h"

namespace streamscope::cuda {
namespace {

bool overlap(const trace::Span& a, const trace::Span& b) { return a.start < b.end && b.start < a.end; }

class Words : public Gpu {
 protected:
  // Some passes of each kind, all sane and the data right; the last one that has spans.
  std::unique_ptr<Measured> whole(std::string_view text, bool determined = true, int passes = 4) {
    auto result = std::make_unique<Measured>();
    result->program = tests::program_of(text);
    auto loaded = load(result->program);
    EXPECT_TRUE(loaded) << loaded.error().message;
    if (!loaded) return result;
    for (int i = 0; i < passes; ++i) {
      for (const device::Instrument instrument : {device::Instrument::bare, device::Instrument::full}) {
        auto pass = (*loaded)->run(instrument, {});
        EXPECT_TRUE(pass) << pass.error().message;
        if (!pass) return result;
        if (instrument == device::Instrument::full) {
          result->pass = std::move(*pass);
          expect_sane(*result);
        }
        const auto verified = (*loaded)->verify();
        EXPECT_TRUE(verified) << verified.error().message;
        if (determined) {
          EXPECT_EQ(*verified, true) << testing::PrintToString(trace::texts((*loaded)->notes()));
        }
      }
    }
    return result;
  }

  static std::vector<const trace::Span*> of_kind(const Measured& run, OperationKind kind) {
    std::vector<const trace::Span*> found;
    for (const trace::Span& span : run.pass.spans) {
      if (span.kind == kind) found.push_back(&span);
    }
    return found;
  }

  static std::size_t free_bytes() {
    std::size_t free = 0, total = 0;
    EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
    return free;
  }
};

TEST_F(Words, KernelsReachMappedMemory) {
  whole(R"(
buffer m 8MiB host=mapped
buffer x 4MiB
stream A nonblocking
host: touch m
A: axpb m[0:4MiB] fma=3
A: memset m[4MiB:1MiB] 9
A: d2d x m[0:4MiB]
A: d2h x
host: sync A
host: touch m
)");
}

TEST_F(Words, ManagedMemoryMovesToWhoeverTouchesIt) {
  whole(R"(
buffer u 8MiB host=managed
stream A nonblocking
A: axpb u fma=3
host: sync A
host: touch u[0:1MiB]
A: axpb u[0:2MiB] fma=2
)");
}

TEST_F(Words, APrefetchIsWorkOfItsStream) {
  const auto run = whole(R"(
buffer u 16MiB host=managed
buffer x 16MiB
stream A nonblocking
A: prefetch u to=device
A: axpb u fma=2
A: d2d x u
A: prefetch u to=host
host: sync A
host: touch u
)");
  const auto moved = of_kind(*run, OperationKind::prefetch);
  ASSERT_EQ(moved.size(), 2u);
  EXPECT_EQ(moved[0]->engine, Engine::h2d);
  EXPECT_EQ(moved[1]->engine, Engine::d2h);
  for (const trace::Span* one : moved) {
    EXPECT_TRUE(trace::is_of_event(one->source));
    std::printf("prefetch %8.2f us, its call %8.2f us\n", static_cast<double>(one->end - one->start) / 1e3,
                static_cast<double>(one->host_end - one->host_begin) / 1e3);
  }
}

TEST_F(Words, MemoryAllocatedInAStreamIsReusedRunAfterRun) {
  const std::size_t before = free_bytes();
  whole(R"(
buffer x 4MiB
stream A nonblocking
A: h2d x
A: malloc t 8MiB
A: memset t 3
A: d2d x[0:2MiB] t[0:2MiB]
A: free t
A: malloc left 4MiB
A: memset left 1
A: d2h x
)");
  for (const MemoryKind kind : {MemoryKind::device, MemoryKind::managed}) context()->pool->trim(kind, 0);
  EXPECT_GE(free_bytes() + (4 << 20), before) << "cudaMallocAsync's pool keeps memory of a program that is gone";
}

constexpr std::string_view kGraph = R"(
buffer x 16MiB
buffer y 4MiB
streams S 2 nonblocking
stream A nonblocking
stream B nonblocking
graph G on S0 {
  S0: h2d x[0:8MiB]
  S0: record fork
  S1: wait fork
  S1: axpb x[0:4MiB] fma=64
  S1: record join
  S0: axpb x[4MiB:4MiB] fma=32 blocks=7
  S0: hostfn 20us
  S0: wait join
  S0: d2h x[0:8MiB]
  S0: memset y 4
}
)";

void expect_whole_launches(const Measured& run, std::size_t launches) {
  std::set<Nanoseconds> starts;
  std::size_t found = 0, nodes = 0;
  for (std::size_t i = 0; i < run.pass.spans.size(); ++i) {
    const trace::Span& span = run.pass.spans[i];
    if (span.kind == OperationKind::launch) ++found;
    if (span.launch == kNoOperation) continue;
    ++nodes;
    const std::string which = program::describe(run.program, static_cast<OperationIndex>(i));
    EXPECT_GE(span.start + span.start_uncertainty, run.pass.spans[span.launch].host_begin) << which;
    EXPECT_LE(span.start, span.end) << which;
    if (span.kind == OperationKind::kernel) {
      EXPECT_EQ(span.source, trace::Source::stamp) << which;
      EXPECT_TRUE(starts.insert(span.start).second) << which << " has the stamp of another launch";
    }
    if (span.kind == OperationKind::hostfn) {
      EXPECT_GE(span.end - span.start, 20'000) << which;
    }
  }
  EXPECT_EQ(found, launches);
  EXPECT_EQ(nodes, launches * run.program.graphs[0].nodes.size());
}

TEST_F(Words, EachLaunchOfAGraphHasItsOwnTimes) {
  const auto run = whole(std::string(kGraph) + "A: launch G\nA: spin 50us\nA: launch G\nA: launch G\n");
  expect_whole_launches(*run, 3);
  for (const trace::Span& span : run->pass.spans) {
    std::printf("%-52s ready %9.2f start %9.2f end %9.2f us, %s +-%.2f\n",
                program::describe(run->program, span.operation).c_str(), static_cast<double>(span.ready) / 1e3,
                static_cast<double>(span.start) / 1e3, static_cast<double>(span.end) / 1e3,
                std::string(trace::name(span.source)).c_str(), static_cast<double>(span.uncertainty) / 1e3);
  }
}

TEST_F(Words, LaunchesOfOneGraphTakeTurnsInWhateverStreams) {
  const auto run = whole(std::string(kGraph) + "A: launch G\nB: launch G\nA: launch G\nB: launch G\n");
  expect_whole_launches(*run, 4);
}

TEST_F(Words, AGateHoldsLaunches) {
  const program::Program program = tests::program_of(std::string(kGraph) + "A: launch G\nA: launch G\nB: spin 20us\n");
  auto loaded = load(program);
  ASSERT_TRUE(loaded) << loaded.error().message;
  device::PassRequest request(device::Instrument::full);
  request.gate = true;
  for (int i = 0; i < 3; ++i) {
    const auto pass = (*loaded)->run(request, {});
    ASSERT_TRUE(pass) << pass.error().message;
    for (const trace::Span& span : pass->spans) {
      if (span.launch == kNoOperation) continue;
      EXPECT_GE(span.start, pass->spans[span.launch].host_end);
    }
    const auto verified = (*loaded)->verify();
    EXPECT_TRUE(verified && *verified == true) << testing::PrintToString(trace::texts((*loaded)->notes()));
  }
}

TEST_F(Words, WhatCannotBeSeenInAGraphOrOfThreadsIsSaid) {
  for (const char* const text : {"stream A\ngraph G on A {\nA: spin 1us\n}\nA: launch G\n",
                                 "thread T {\nper-thread: spin 1us\n}\nhost: join T\n"}) {
    const program::Program program = tests::program_of(text);
    auto loaded = load(program);
    ASSERT_TRUE(loaded) << loaded.error().message;
    const auto pass = (*loaded)->run(device::Instrument::sampled, {});
    ASSERT_FALSE(pass);
    EXPECT_EQ(pass.error().kind, ErrorKind::bad_input);
  }
}

constexpr std::string_view kThreads = R"(
buffer x 4MiB
buffer y 4MiB
thread T {
  per-thread: h2d y
  per-thread: axpb y fma=16
  per-thread: spin 2ms
  host: work 20us
  per-thread: d2h y
  host: sync per-thread
}
per-thread: h2d x
per-thread: axpb x fma=16
per-thread: spin 2ms
per-thread: d2h x
host: sync per-thread
host: join T
)";

TEST_F(Words, HostThreadsIssueSideBySide) {
  const auto run = whole(kThreads);
  std::vector<const trace::Span*> spins;
  for (const trace::Span* kernel : of_kind(*run, OperationKind::kernel)) {
    if (kernel->end - kernel->start > 1'000'000) spins.push_back(kernel);
  }
  ASSERT_EQ(spins.size(), 2u);
  EXPECT_NE(spins[0]->thread, spins[1]->thread);
  EXPECT_NE(spins[0]->stream, spins[1]->stream);
  EXPECT_TRUE(overlap(*spins[0], *spins[1])) << "each thread has a per-thread stream of its own";
}

TEST_F(Words, AStopEndsAllHostThreads) {
  const program::Program program = tests::program_of(R"(
streams S 2 nonblocking
thread T {
  repeat 20 {
    S0: spin 900ms
    host: sync S0
  }
}
repeat 20 {
  S1: spin 900ms
}
host: sync S1
host: join T
)");
  auto loaded = load(program);
  ASSERT_TRUE(loaded) << loaded.error().message;
  StopSource source;
  const Nanoseconds began = host_now();
  std::jthread stopper([&] {
    while (host_now() - began < 50'000'000) std::this_thread::yield();
    source.request_stop();
  });
  const auto pass = (*loaded)->run(device::Instrument::full, {source.flag(), {}});
  ASSERT_FALSE(pass);
  EXPECT_EQ(pass.error().kind, ErrorKind::cancelled);
  EXPECT_LT(host_now() - began, 9'000'000'000);
}

TEST_F(Words, CopiesHaveARangeOnEachSide) {
  whole(R"(
buffer x 8MiB
buffer y 8MiB host=pageable
stream A nonblocking
A: h2d x[0:4MiB] from y[4MiB:4MiB]
A: axpb x[0:4MiB] fma=16
A: d2h x[1MiB:1MiB] to y[0:1MiB]
host: sync A
host: memset y[0:64KiB] 9
host: d2d y[1MiB:1MiB] x[1MiB:1MiB]
host: memcpy d2h y to x
host: memcpy h2d y[0:1MiB] from x[2MiB:1MiB]
)");
}

TEST_F(Words, StreamsTellTheirAttributesAndPollsEachAnswer) {
  const auto run = whole(R"(
stream A nonblocking priority=-100
stream B
A: spin 2ms
host: attributes A
host: attributes B
host: poll A every=100us work=80us
)",
                         false);
  const trace::Answers& answers = run->pass.answers;
  ASSERT_EQ(answers.streams.size(), 2u);
  int lowest = 0, highest = 0;
  ASSERT_EQ(cudaDeviceGetStreamPriorityRange(&lowest, &highest), cudaSuccess);
  EXPECT_EQ(answers.streams[0].priority, highest);
  EXPECT_TRUE(answers.streams[0].nonblocking);
  EXPECT_EQ(answers.streams[1].priority, 0);
  EXPECT_FALSE(answers.streams[1].nonblocking);
  EXPECT_NE(answers.streams[0].id, answers.streams[1].id);
  EXPECT_EQ(answers.polls.size(), run->pass.spans[3].polls);
  for (std::size_t i = 1; i < answers.polls.size(); ++i) {
    EXPECT_GE(answers.polls[i].at - answers.polls[i - 1].at, 100'000);
    EXPECT_GE(answers.polls[i - 1].worked_until - answers.polls[i - 1].at, 80'000);
  }
}

TEST_F(Words, WhereTheDefaultStreamIsPerThreadItWaitsForNoOther) {
  const auto run = whole(R"(
default-stream per-thread
buffer x 1MiB
stream A
A: spin 20ms
host: memcpy h2d x
default: axpb x fma=4
host: memcpy d2h x
host: memset x 3
)",
                         false);
  const auto& spans = run->pass.spans;
  for (const std::size_t own : {1, 2, 3, 4}) EXPECT_LT(spans[own].end, spans[0].end) << own;
}

TEST_F(Words, WorkGoesOnAfterItsStreamIsDestroyed) {
  const auto run = whole(R"(
buffer x 1MiB
host: create-stream A nonblocking
host: create-event e
A: spin 5ms
A: axpb x fma=4
A: record e
host: destroy A
per-thread: wait e
host: destroy e
per-thread: d2h x
host: create-stream left
left: spin 10us
)",
                         false);
  const auto& spans = run->pass.spans;
  EXPECT_LT(spans[5].host_end, spans[2].end) << "cudaStreamDestroy waits for nothing";
  EXPECT_GE(spans[8].start, spans[3].end);
}

// Some of the calls fail, as they should.
struct ProvokedAnswers : Words {};

TEST_F(ProvokedAnswers, OfCallsThatAskAreWhatCudaSays) {
  const auto run = whole(R"(
event quiet notiming
event never blockingsync
stream A nonblocking
A: record a
A: spin 2ms
A: callback 20us
A: record b
A: record quiet
host: query A
host: query b
host: elapsed a b
host: sync device
host: query A
host: elapsed a b
host: elapsed a quiet
host: elapsed a never
host: sync never
)",
                         false);
  const auto queries = of_kind(*run, OperationKind::query), elapsed = of_kind(*run, OperationKind::elapsed);
  ASSERT_EQ(queries.size(), 3u);
  ASSERT_EQ(elapsed.size(), 4u);
  EXPECT_EQ(queries[0]->result, CallResult::not_ready);
  EXPECT_EQ(queries[1]->result, CallResult::not_ready);
  EXPECT_EQ(queries[2]->result, CallResult::success);
  EXPECT_EQ(elapsed[0]->result, CallResult::not_ready);
  EXPECT_EQ(elapsed[1]->result, CallResult::success);
  EXPECT_EQ(elapsed[2]->result, CallResult::invalid_resource_handle);
  EXPECT_EQ(elapsed[3]->result, CallResult::invalid_resource_handle);
  // It spans the kernel and what lies between: no less than that took, and hardly more.
  const auto& spans = run->pass.spans;
  EXPECT_GE(elapsed[1]->elapsed, 2'000'000);
  EXPECT_LE(elapsed[1]->elapsed, spans[3].end - spans[0].start + 100'000);
}

TEST_F(Words, CopiesOfRowsMoveTheRowsAndNothingElse) {
  const auto run = whole(R"(
buffer x 16MiB
buffer y 16MiB
buffer p 16MiB host=pageable
streams S 2 nonblocking
stream A nonblocking
S0: h2d x rows=1024 width=4KiB pitch=8KiB
S1: h2d x[4KiB:16773120] rows=1024 width=4KiB pitch=8KiB
host: sync device
A: d2h x to p rows=777 width=1234 pitch=8KiB host-pitch=1235
A: d2d y[12:16777000] x[4:16777000] rows=4096 width=100 pitch=1000 from-pitch=4KiB
A: d2d y[4096:16773120] y rows=512 width=4KiB pitch=8KiB
A: h2d y from p rows=3 width=5 pitch=5 host-pitch=7
A: d2h y
graph G on A {
  A: h2d x rows=64 width=64 pitch=64KiB
  A: d2h x[64:16777000] rows=64 width=64 pitch=64KiB
}
A: launch G
A: launch G
)");
  ASSERT_FALSE(run->pass.spans.empty());
  EXPECT_EQ(run->pass.spans[0].rows, 1024u);
  EXPECT_LT(run->pass.spans[0].start, run->pass.spans[0].end);
}

// As many bytes in rows of 16 take longer than in rows of 4 KiB; what the model takes for it (bus.cpp) is printed here.
TEST_F(Words, ShortRowsCostMoreThanTheirBytes) {
  const auto run = whole(R"(
buffer x 16MiB
buffer y 16MiB
stream A nonblocking
A: h2d x rows=256 width=4KiB pitch=8KiB
A: h2d x rows=65536 width=16 pitch=128
A: d2h x rows=256 width=4KiB pitch=8KiB
A: d2h x rows=65536 width=16 pitch=128
A: d2d y x rows=256 width=4KiB pitch=8KiB
A: d2d y x rows=65536 width=16 pitch=128
A: h2d x rows=16384 width=64 pitch=128
A: h2d x rows=4096 width=256 pitch=512
A: d2h x rows=16384 width=64 pitch=128
A: d2h x rows=4096 width=256 pitch=512
)");
  const auto took = [&](std::size_t i) { return run->pass.spans[i].end - run->pass.spans[i].start; };
  ASSERT_GE(run->pass.spans.size(), 10u);
  for (std::size_t i = 0; i < 10; ++i)
    std::printf("%s: %.1f us, %.2f ns a row\n", program::describe(run->program, static_cast<OperationIndex>(i)).c_str(),
                static_cast<double>(took(i)) / 1e3, static_cast<double>(took(i)) / run->pass.spans[i].rows);
  EXPECT_GT(took(1), took(0));
  EXPECT_GT(took(3), took(2));
}

TEST_F(Words, AxpbWritesAnotherRangeThanItReads) {
  whole(R"(
buffer x 16MiB
buffer y 16MiB
buffer p 1MiB host=mapped
stream A nonblocking
A: h2d x
A: axpb y from x fma=64
A: axpb y[4:1000] from x[16:1000] fma=3
A: axpb y[8192:10000] from x[8204:10000] fma=3 blocks=2 threads=96
A: axpb p from y[0:1MiB] fma=2
A: axpb y[2MiB:1MiB] from p fma=2
A: d2h y
)");
}

}  // namespace
}  // namespace streamscope::cuda
