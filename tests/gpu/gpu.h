// The GPU that tests run on, opened once, and programs run on it from their text.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/device/cuda/cuda_device.h"
#include "engine/device/cuda/loaded_program.h"
#include "engine/program/order/order.h"
#include "engine/reconstruct/event_lag.h"
#include "tests/support/program_of.h"

namespace streamscope::cuda {

class Gpu : public testing::Test {
 protected:
  void SetUp() override {
    if (context() == nullptr) GTEST_SKIP() << "skipped: no GPU: " << why_none();
  }

  static const std::shared_ptr<CudaContext>& context() { return opened().first; }
  static const std::string& why_none() { return opened().second; }

  static Result<std::unique_ptr<CudaProgram>> load(const program::Program& program, device::LoadOptions options = {}) {
    return CudaProgram::load(context(), program, options);
  }

 private:
  static const std::pair<std::shared_ptr<CudaContext>, std::string>& opened() {
    static const auto once = [] {
      auto context = open_context(0);
      if (!context) return std::pair(std::shared_ptr<CudaContext>(), context.error().message);
      return std::pair(*context, std::string());
    }();
    return once;
  }
};

// Tests in which a call of CUDA's has to fail are in suites whose names begin with Provoked, so that a tool that counts
// failed calls can leave them out: those in ProvokedErrors, and others of a kernel's own.
class ProvokedErrors : public Gpu {};

// Every kind of operation that there is, once at least.
inline constexpr std::string_view kEveryKind = R"(
buffer x 4MiB
buffer y 4MiB host=pageable
buffer z 1MiB host=write-combined
stream A nonblocking
stream B priority=-2
event quiet notiming
A: h2d x
A: axpb x fma=8
A: tiles x fma=4 copy=primitives stages=3 tile=4KiB
A: record e
B: wait e
B: d2d y x
B: memset y[0:1MiB] 7
B: record quiet
default: spin 20us blocks=4 threads=64 smem=1024
per-thread: h2d z
per-thread: axpb z fma=3 blocks=2 threads=128
A: wait quiet
A: d2h x
B: d2h y
A: hostfn 30us
host: work 50us
host: sync e
host: sync B
host: poll A every=5us
host: poll quiet
host: memcpy h2d x[0:64KiB]
host: memcpy d2h x[0:64KiB]
host: memcpy h2d y
host: malloc t 1MiB
A: memset t 3
host: sync A
host: free t
host: touch x
)";

// One full run of a text; empty spans, and a failed test, where it did not work.
struct Measured {
  program::Program program;
  device::Pass pass;
  const trace::Span& operator[](std::size_t index) const { return pass.spans.at(index); }
};

inline std::unique_ptr<Measured> measured(const std::shared_ptr<CudaContext>& context, std::string_view text) {
  auto result = std::make_unique<Measured>();
  result->program = tests::program_of(text);
  auto loaded = CudaProgram::load(context, result->program, {});
  EXPECT_TRUE(loaded) << loaded.error().message;
  if (!loaded) return result;
  // The first run of a program may meet first times of the driver's own.
  for (int i = 0; i < 2; ++i) {
    auto pass = (*loaded)->run(device::Instrument::full, {});
    EXPECT_TRUE(pass) << pass.error().message;
    if (!pass) return result;
    result->pass = std::move(*pass);
  }
  EXPECT_EQ(result->pass.spans.size(), result->program.operations.size());
  return result;
}

// Whether the data is right behind so many runs, full and bare in turn; nothing where it is not determined.
inline std::optional<bool> verdict_on(const std::shared_ptr<CudaContext>& context, std::string_view text,
                                      int runs = 2) {
  const program::Program program = tests::program_of(text);
  auto loaded = CudaProgram::load(context, program, {});
  EXPECT_TRUE(loaded) << loaded.error().message;
  if (!loaded) return std::nullopt;
  for (int i = 0; i < runs; ++i) {
    const auto pass = (*loaded)->run(i % 2 == 0 ? device::Instrument::full : device::Instrument::bare, {});
    EXPECT_TRUE(pass) << pass.error().message;
  }
  const auto right = (*loaded)->verify();
  EXPECT_TRUE(right) << right.error().message;
  for (const std::string& note : trace::texts((*loaded)->notes())) std::printf("note: %s\n", note.c_str());
  return right ? *right : std::nullopt;
}

// What any run must show, whatever the program: each span's life in order, and CUDA's rules between the spans.
inline void expect_sane(const Measured& run) {
  const Nanoseconds slack = run.pass.clock_uncertainty + reconstruct::kEventLag;
  std::vector<Nanoseconds> begins;
  for (const trace::Span& span : run.pass.spans) begins.push_back(span.host_begin);
  const program::Dependencies dependencies(run.program, program::issue_order(run.program, begins));
  for (std::size_t i = 0; i < run.pass.spans.size(); ++i) {
    const trace::Span& span = run.pass.spans[i];
    const std::string which = program::describe(run.program, static_cast<OperationIndex>(i));
    ASSERT_TRUE(known(span.host_begin) && known(span.host_end)) << which;
    ASSERT_TRUE(known(span.ready) && known(span.start) && known(span.end)) << which;
    EXPECT_NE(span.source, trace::Source::none) << which;
    EXPECT_GE(span.host_begin, 0) << which;
    EXPECT_LE(span.host_begin, span.host_end) << which;
    EXPECT_LE(span.ready, span.start) << which;
    EXPECT_LE(span.start, span.end) << which;
    EXPECT_GE(span.start + span.start_uncertainty, span.host_begin) << which;
    EXPECT_LE(span.end, run.pass.spans.back().host_end + slack + span.uncertainty) << which;
    for (const program::Dependency& on : dependencies.of(static_cast<OperationIndex>(i))) {
      const trace::Span& before = run.pass.spans[on.on];
      const Nanoseconds doubt = slack + before.uncertainty;
      if (on.kind == program::DependencyKind::host) {
        EXPECT_GE(span.end + doubt, before.end) << which << " waits for " << program::describe(run.program, on.on);
      } else {
        EXPECT_GE(span.start + doubt + span.start_uncertainty, before.end)
            << which << " comes after " << program::describe(run.program, on.on);
      }
    }
  }
}

}  // namespace streamscope::cuda
