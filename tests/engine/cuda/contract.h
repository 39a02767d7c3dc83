// The programs and the kinds of pass that the contract is tested with, and the way through all of it: open a device,
// load a program, run it, verify it.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/device/cuda/loaded_program.h"
#include "engine/program/program.h"
#include "tests/support/fake_cuda/fake_cuda.h"

namespace streamscope::contract {

struct Subject {
  const char* name;
  const char* text;
};

// Between them every kind of operation, and every kind of stream. Determined, where they move data, so that verify()
// has something to say.
inline constexpr Subject kSubjects[] = {
    {"Pipeline", R"(
buffer x 64KiB
streams S 4 nonblocking
repeat 4 as i {
  S{i}: h2d x[{i*16}KiB:16KiB]
  S{i}: axpb x[{i*16}KiB:16KiB] fma=2
  S{i}: d2h x[{i*16}KiB:16KiB]
}
)"},
    {"EventsAndPriorities", R"(
buffer x 32KiB
buffer y 32KiB
stream A priority=-2
stream B nonblocking
event quiet notiming
event never
A: h2d x
A: axpb x[0:16KiB] fma=3
A: tiles x[16KiB:8KiB] fma=2 tile=1KiB
A: record e
B: wait e
B: d2d y[0:8KiB] x[16KiB:8KiB]
B: memset y[8KiB:4KiB] 7
B: record quiet
A: wait quiet
A: d2h x
B: d2h y
B: wait never
host: sync e
host: poll B every=20us
host: poll quiet
host: sync A
)"},
    {"LegacyAndPerThread", R"(
buffer x 16KiB
buffer y 16KiB host=pageable
buffer z 16KiB host=write-combined
stream A
stream N nonblocking
A: spin 20us
default: h2d x
N: spin 30us blocks=2 threads=64 smem=1024
per-thread: h2d z
per-thread: axpb z fma=1 blocks=2 threads=128
default: spin 10us
A: h2d y
A: d2h y
host: memcpy d2h x
host: memcpy h2d y
host: memcpy h2d z
)"},
    {"HostMemory", R"(
buffer x 16KiB
buffer y 16KiB host=pageable
stream A nonblocking
host: malloc-host h 32KiB
A: h2d x
A: d2h x to h[8KiB:16KiB]
A: h2d x[0:4KiB] from h[8KiB:4KiB]
A: d2h x
host: free-host h
host: register y
A: h2d y
A: axpb y fma=2
A: d2h y
host: sync A
host: unregister y
host: memcpy d2h y
)"},
    {"HostFunctions", R"(
buffer x 4KiB
stream A nonblocking
stream B
A: spin 15us
A: hostfn 25us
A: h2d x
B: hostfn 5us
host: work 10us
host: sync A
host: touch x
host: poll B
)"},
    {"MadeInTheRun", R"(
buffer x 4KiB
stream A
A: h2d x
host: malloc t 8KiB
A: memset t 3
host: malloc left 4KiB
A: memset left 1
A: d2h x
host: free t
)"},
    {"Shared", R"(
buffer m 16KiB host=mapped
buffer u 16KiB host=managed
buffer x 16KiB
stream A
host: touch u
A: prefetch u to=device
A: axpb u fma=2
A: axpb m[0:8KiB] fma=1
A: memset m[8KiB:8KiB] 5
A: d2d x u
A: prefetch u to=host
A: d2h x
host: sync A
host: touch m
host: touch u[4KiB:4KiB]
)"},
    {"AllocatedInStreams", R"(
buffer x 4KiB
stream A nonblocking
A: h2d x
A: malloc t 8KiB
A: memset t 3
A: d2d x[0:2KiB] t[0:2KiB]
A: free t
A: malloc left 4KiB
A: memset left 1
A: d2h x
)"},
    {"Graphs", R"(
buffer x 16KiB
buffer y 4KiB
stream A nonblocking
stream B
graph G on A {
  A: h2d x[0:8KiB]
  A: record fork
  B: wait fork
  B: axpb x[0:4KiB] fma=2 blocks=3
  B: record join
  A: hostfn 5us
  A: wait join
  A: d2h x[0:8KiB]
}
graph H on B {
  B: memset y 4
  B: spin 7us
}
A: launch G
B: launch H
host: sync A
B: launch G
)"},
    {"CapturedInTheRun", R"(
buffer x 16KiB
buffer y 4KiB
stream A nonblocking
stream B nonblocking
event e
graph G on A mode=global {
  A: h2d x[0:8KiB]
  A: record e external
  A: record fork
  B: wait fork
  B: axpb x[0:4KiB] fma=2 blocks=3
  host: capture-info B
  B: record join
  A: hostfn 5us
  A: wait join
  A: d2h x[0:8KiB]
}
graph H on B mode=relaxed {
  B: wait e external
  B: memset y 4
}
host: capture G
host: capture-info A
A: launch G
host: capture H
B: launch H
B: wait e
host: sync e
A: launch G
)"},
    {"TwoGpus", R"(
buffer x 32KiB device=0,1
buffer y 8KiB device=1
stream A nonblocking
stream B device=1
stream C device=1 nonblocking priority=-1
event e
event f device=1
A: h2d x
A: axpb x fma=2
A: record e
B: wait e
B: peer x[0:16KiB]@1 x[0:16KiB]@0
B: axpb x[0:16KiB] fma=3
C: h2d y
C: memset y[0:4KiB] 5
C: record f
B: wait f
B: d2d x[16KiB:8KiB] y
C: hostfn 5us
host: device 1
default: spin 5us
host: malloc t 4KiB
C: memset t 1
C: d2h y
host: device 0
default: spin 5us
B: record done
A: wait done
A: d2h x
)"},
    {"PeerAccess", R"(
buffer x 16KiB device=0,1
stream A
stream B device=1
graph G on B {
  B: axpb x fma=1
  B: memset x[0:4KiB] 2
}
host: peer 0 1 on
A: h2d x
A: peer x@1 x@0
A: record e
B: wait e
B: launch G
B: peer x@0 x@1
B: record f
host: sync f
host: peer 0 1 off
A: d2h x
A: record g
B: wait g
host: device 1
B: launch G
B: d2h x
)"},
    // One thread issues at a time, so that every way on makes the same calls in the same order.
    {"Threads", R"(
buffer x 16KiB
buffer y 16KiB
stream A
event e
A: h2d x
A: record e
thread T {
  A: wait e
  A: axpb x fma=1
  per-thread: h2d y
  host: work 1us
  per-thread: hostfn 1us
  per-thread: d2h y
  host: sync per-thread
}
host: join T
A: d2h x
)"},
};

struct Kind {
  std::string name;
  device::PassRequest request;
};
// Every kind of pass there is; a test leaves out what can() refuses.
std::vector<Kind> kinds();

program::Program program_of(const Subject& subject);

// On the fake's clock, and with small copies: the fake's take the time they say, whatever their size, and move real
// bytes.
cuda::OpenOptions on_fake(unsigned cores = 2);
// An open device with nothing idle in its memory pool, so that every way on it makes the same calls.
std::shared_ptr<cuda::CudaContext> opened(unsigned cores = 2, int index = 0);
// As many as the program names, which the fake must have.
cuda::Gpus opened_for(const program::Program& program, unsigned cores = 2);
void give_back_idle(const cuda::Gpus& gpus);

// How far a way through it all has come.
enum class Stage { load, run, verify, done };
struct Way {
  Stage stage = Stage::load;  // where it ended
  std::unique_ptr<cuda::CudaProgram> loaded;
  std::vector<device::Pass> passes;
  std::optional<bool> verified;
  std::optional<Error> error;
};
// `passes` runs of the program. Marks the fake's calls by stage: "load", "run", "verify", and "after" from the end on,
// where the way is destroyed.
Way go(const cuda::Gpus& gpus, const program::Program& program, const device::PassRequest& request, int passes,
       const device::RunControl& control = {});

// A fresh way on the device, and the data right at its end.
void expect_works(const cuda::Gpus& gpus, const program::Program& program, const device::PassRequest& request);
// After everything is destroyed.
void expect_nothing_left();
// While things still live: no stream waits for the host, nothing was used that is gone.
void expect_nothing_held();

// One test for each subject and kind of pass.
class Contract : public testing::TestWithParam<std::tuple<std::size_t, std::size_t>> {
 protected:
  void SetUp() override;

  const Subject& subject() const { return kSubjects[std::get<0>(GetParam())]; }
  device::PassRequest request() const { return kinds()[std::get<1>(GetParam())].request; }
  // Resets the fake, which then also counts the calls of the program's other threads.
  void fresh() const {
    fake_cuda::reset();
    fake_cuda::gpus(std::vector<fake_cuda::Gpu>(program::device_count(program_)));
    fake_cuda::threads_issue(program_.threads.size() > 1);
  }
  program::Program program_;
};
std::string name_of(const testing::TestParamInfo<std::tuple<std::size_t, std::size_t>>& info);

#define STREAMSCOPE_CONTRACT(suite)                                                                         \
  INSTANTIATE_TEST_SUITE_P(, suite,                                                                         \
                           testing::Combine(testing::Range<std::size_t>(0, std::size(contract::kSubjects)), \
                                            testing::Range<std::size_t>(0, contract::kinds().size())),      \
                           contract::name_of)

}  // namespace streamscope::contract
