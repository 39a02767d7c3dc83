// The gate on a GPU: everything is queued before anything runs, and nothing stays held.
#include <algorithm>

#include "engine/base/stop_source.h"
#include "tests/gpu/gpu.h"

namespace streamscope::cuda {
namespace {

constexpr std::string_view kGatedPipeline = R"(
buffer x 16MiB
streams S 4 nonblocking
repeat 16 as i {
  S{i%4}: h2d x[{i}MiB:1MiB]
  S{i%4}: axpb x[{i}MiB:1MiB] fma=64
  S{i%4}: d2h x[{i}MiB:1MiB]
}
)";

device::PassRequest gated(device::Instrument instrument) {
  device::PassRequest request(instrument);
  request.gate = true;
  return request;
}

TEST_F(Gpu, BehindTheGateNothingStartsBeforeAllIsQueued) {
  const program::Program program = tests::program_of(kGatedPipeline);
  auto loaded = load(program);
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto pass = (*loaded)->run(gated(device::Instrument::full), {});
  ASSERT_TRUE(pass) << pass.error().message;
  const Nanoseconds slack = pass->clock_uncertainty + reconstruct::kEventLag;
  Nanoseconds last_call = 0;
  for (const trace::Span& span : pass->spans) {
    if (trace::device_work(span)) last_call = std::max(last_call, span.host_end);
  }
  for (const trace::Span& span : pass->spans) {
    if (trace::device_work(span)) {
      EXPECT_GE(span.start, last_call - slack) << "operation " << span.operation;
    }
  }
  // Of the first in each stream one finds its engine free, and only the gate held it.
  EXPECT_TRUE(std::any_of(pass->spans.begin(), pass->spans.end(),
                          [](const trace::Span& span) { return span.reason == trace::WaitReason::gate; }));
  const auto right = (*loaded)->verify();
  ASSERT_TRUE(right);
  EXPECT_EQ(*right, std::optional(true));
}

TEST_F(Gpu, AGateHoldsEveryKindOfStream) {
  const program::Program program = tests::program_of(R"(
stream A
stream B nonblocking
default: spin 20us
per-thread: spin 20us
A: spin 20us
B: spin 20us
)");
  auto loaded = load(program);
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto pass = (*loaded)->run(gated(device::Instrument::full), {});
  ASSERT_TRUE(pass) << pass.error().message;
  for (const trace::Span& span : pass->spans) {
    if (span.kind == OperationKind::kernel) {
      EXPECT_GE(span.start, pass->spans[3].host_end - pass->clock_uncertainty);
    }
  }
}

TEST_F(Gpu, BareAndSampledPassesCanBeGatedToo) {
  const program::Program program = tests::program_of(kGatedPipeline);
  auto loaded = load(program);
  ASSERT_TRUE(loaded) << loaded.error().message;
  for (const device::Instrument instrument :
       {device::Instrument::bare, device::Instrument::sampled, device::Instrument::full, device::Instrument::bare}) {
    const auto pass = (*loaded)->run(gated(instrument), {});
    ASSERT_TRUE(pass) << pass.error().message;
    EXPECT_GT(pass->wall, 0);
  }
}

TEST_F(Gpu, AFailureBehindTheGateLeavesNothingHeld) {
  const program::Program program = tests::program_of(kGatedPipeline);
  auto loaded = load(program);
  ASSERT_TRUE(loaded) << loaded.error().message;
  StopSource source;
  source.request_stop();
  EXPECT_FALSE((*loaded)->run(gated(device::Instrument::full), {source.flag(), {}}));
  EXPECT_TRUE((*loaded)->run(gated(device::Instrument::full), {}));
  EXPECT_TRUE((*loaded)->run(device::Instrument::bare, {}));
}

TEST_F(Gpu, WhatNeedsTheHostIsNotGated) {
  const program::Program program = tests::program_of("stream A\nA: spin 10us\nhost: sync A\nA: spin 10us\n");
  auto loaded = load(program);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_FALSE((*loaded)->can(gated(device::Instrument::full)));
  EXPECT_FALSE((*loaded)->run(gated(device::Instrument::full), {}));
  EXPECT_TRUE((*loaded)->run(device::Instrument::full, {}));
}

// In each pass the end of one in four copies is observed, and after four passes that of each.
TEST_F(Gpu, SampledPassesTellTheirShareEach) {
  const program::Program program = tests::program_of(kGatedPipeline);
  auto loaded = load(program);
  ASSERT_TRUE(loaded) << loaded.error().message;
  std::vector<int> seen(program.operations.size(), 0);
  for (std::uint32_t phase = 0; phase < 4; ++phase) {
    device::PassRequest request(device::Instrument::sampled);
    request.share = {phase, 4};
    const auto pass = (*loaded)->run(request, {});
    ASSERT_TRUE(pass) << pass.error().message;
    EXPECT_TRUE(pass->spans.empty());
    ASSERT_EQ(pass->observed.size(), program.operations.size());
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (program::engine_of(program.operations[i].work) == Engine::compute) {
        EXPECT_TRUE(known(pass->observed[i].end)) << "a kernel has its times in every pass";
      } else if (known(pass->observed[i].end)) {
        ++seen[i];
      }
    }
  }
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (std::holds_alternative<program::op::Copy>(program.operations[i].work)) {
      EXPECT_EQ(seen[i], 1) << "operation " << i;
    }
  }
}

}  // namespace
}  // namespace streamscope::cuda
