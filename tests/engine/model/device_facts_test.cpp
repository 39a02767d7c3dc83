// What the model's traces say of the modelled device.
#include <gtest/gtest.h>

#include "engine/device/model/hardware/kernel_time.h"
#include "tests/engine/model/simulated.h"

namespace streamscope::model {
namespace {

using trace::WaitReason;

trace::Trace frame_of(std::string_view text, Profile profile = h200()) {
  const program::Program program = tests::program_of(text);
  auto loaded = make_model(std::move(profile))->load(program, {});
  EXPECT_TRUE(loaded) << loaded.error().message;
  return loaded ? (*loaded)->frame() : trace::Trace{};
}

TEST(ModelFacts, LimitsAreTheProfiles) {
  const Profile profile = h200();
  const trace::Trace trace = frame_of("buffer x 1MiB\nstream A\nA: h2d x\n", profile);
  ASSERT_EQ(trace.device_facts.size(), 1u);
  const trace::DeviceFacts& facts = trace.device_facts[0];
  EXPECT_EQ(facts.multiprocessors, 132u);
  EXPECT_EQ(facts.threads, 2048u);
  EXPECT_EQ(facts.blocks, 32u);
  EXPECT_EQ(facts.registers, 65536u);
  EXPECT_EQ(facts.shared_bytes, profile.compute.shared_bytes);
  EXPECT_EQ(facts.block_shared_reserved, 1024u);
  EXPECT_EQ(facts.kernels, profile.compute.kernels);
  EXPECT_EQ(facts.queue_depth, profile.streams.queue_depth);
  EXPECT_EQ(facts.connections, profile.streams.connections);
  EXPECT_EQ(facts.inlined_bytes, profile.copies.inlined);
  EXPECT_EQ(facts.inlined_idle_bytes, profile.copies.by_host);
  EXPECT_FALSE(facts.copies_in_issue_order);
  EXPECT_EQ(facts.copy_connections, 0u) << "nothing is shared there";
  Profile shared = profile;
  shared.copies.queue = CopyQueue::channel;
  EXPECT_EQ(frame_of("host: work 1us\n", shared).device_facts[0].copy_connections, profile.copies.channels);
}

TEST(ModelFacts, HandOversAreTheLongestThatAreUsual) {
  const Profile profile = h200();
  const Profile::Streams& streams = profile.streams;
  const trace::Trace trace = frame_of("host: work 1us\n", profile);
  const auto usual = [&](WaitReason after, Engine from, Engine to) {
    return trace::usual_hand_over(trace.device_facts.at(0), after, from, to);
  };
  const Nanoseconds gap = profile.compute.launch_gap;
  EXPECT_EQ(usual(WaitReason::none, Engine::none, Engine::compute), streams.submit + profile.compute.first + gap);
  EXPECT_EQ(usual(WaitReason::none, Engine::none, Engine::d2h), streams.submit + profile.copies.d2h_first);
  EXPECT_EQ(usual(WaitReason::stream, Engine::compute, Engine::compute), streams.kernel_after_kernel + gap);
  EXPECT_EQ(usual(WaitReason::stream, Engine::compute, Engine::d2h), streams.copy_after_kernel);
  EXPECT_EQ(usual(WaitReason::stream, Engine::d2h, Engine::host),
            streams.host_function_asleep + 400 * us * streams.host_function_doze / 1'000'000)
      << "the thread that runs host functions may have slept for long";
  EXPECT_EQ(usual(WaitReason::stream, Engine::host, Engine::host), streams.host_function_again);
  EXPECT_EQ(usual(WaitReason::legacy, Engine::d2h, Engine::compute), streams.legacy + streams.kernel_after_copy + gap);
  EXPECT_EQ(usual(WaitReason::event, Engine::none, Engine::none), streams.event);
  EXPECT_EQ(usual(WaitReason::graph, Engine::compute, Engine::compute), streams.graph_node + gap);
  EXPECT_EQ(usual(WaitReason::graph, Engine::d2h, Engine::compute), streams.graph_copy + gap);
  EXPECT_EQ(usual(WaitReason::engine, Engine::d2h, Engine::d2h), 0);
  EXPECT_EQ(usual(WaitReason::gate, Engine::none, Engine::none), kAbsent) << "the model has none";
}

TEST(ModelFacts, EachSortOfLaunchIsThereOnce) {
  const Profile profile = h200();
  const program::Program program = tests::program_of(
      "buffer x 64MiB\nstream A\ngraph G on A {\n  A: spin 10us blocks=7 threads=64\n}\n"
      "repeat 3 as i {\n  A: axpb x[{i*8}MiB:8MiB] fma=1 threads=128\n}\nA: axpb x fma=1\nA: h2d x\nA: launch G\n"
      "A: attention x heads=8 head=64 buffers=2\n");
  auto loaded = make_model(profile)->load(program, {});
  ASSERT_TRUE(loaded) << loaded.error().message;
  auto pass = (*loaded)->run(device::Instrument::full, {});
  ASSERT_TRUE(pass) << pass.error().message;
  const trace::Trace& trace = (*loaded)->frame();
  ASSERT_EQ(trace.launches.size(), 4u);
  std::size_t kernels = 0;
  for (const trace::Span& span : pass->spans) {
    const trace::LaunchShape* launch = trace::launch_of(trace, span);
    ASSERT_EQ(launch != nullptr, span.kind == OperationKind::kernel);
    if (launch == nullptr) continue;
    ++kernels;
    const program::Work& work = program.operations[span.operation].work;
    const Grid grid = grid_of(profile, program, work);
    EXPECT_EQ(launch->blocks, grid.blocks);
    EXPECT_EQ(launch->registers * grid.threads, grid.registers);
    EXPECT_EQ(launch->shared_bytes + profile.compute.block_shared_reserved, grid.shared_bytes);
    EXPECT_EQ(launch->blocks_at_once, blocks_that_fit(profile, grid));
    if (trace.names[span.name] == "spin") {
      EXPECT_EQ(launch->blocks, 7u);
      EXPECT_EQ(launch->threads, 64u);
    }
  }
  EXPECT_EQ(kernels, 6u) << "the node of the graph, too";
}

}  // namespace
}  // namespace streamscope::model
