// What the traces of a GPU say of it.
#include "engine/device/cuda/runtime/device_facts.h"
#include "tests/engine/cuda/contract.h"
#include "tests/support/program_of.h"

namespace streamscope::cuda {
namespace {

using trace::WaitReason;

TEST(CudaFacts, LimitsAreTheDriversAndHandOversTheMeasuredOnes) {
  device::DeviceInfo info;
  info.multiprocessors = 132;
  info.copy_engines = 3;
  info.limits = {2048, 32, 65536, 228 << 10, 1024, 227 << 10, 1 << 10, 1980};
  device::DispatchLatency dispatch;
  dispatch.after_dependency = 4'500;
  dispatch.after_copy = 900;
  const trace::DeviceFacts facts = device_facts(info, dispatch, nullptr);
  EXPECT_EQ(facts.multiprocessors, 132u);
  EXPECT_EQ(facts.threads, 2048u);
  EXPECT_EQ(facts.blocks, 32u);
  EXPECT_EQ(facts.registers, 65536u);
  EXPECT_EQ(facts.shared_bytes, 228u << 10);
  EXPECT_EQ(facts.block_shared_reserved, 1u << 10);
  EXPECT_EQ(facts.copy_engines, 3u);
  EXPECT_EQ(facts.queue_depth, 1022u);
  EXPECT_EQ(usual_hand_over(facts, WaitReason::stream, Engine::compute, Engine::d2h), 4'500);
  EXPECT_EQ(usual_hand_over(facts, WaitReason::stream, Engine::d2h, Engine::d2h), 900);
  EXPECT_EQ(usual_hand_over(facts, WaitReason::none, Engine::none, Engine::compute), 4'500);
  EXPECT_EQ(usual_hand_over(facts, WaitReason::stream, Engine::d2h, Engine::host), kAbsent);
  EXPECT_TRUE(device_facts(info, {}, nullptr).hand_overs.empty()) << "they were not measured";
}

TEST(CudaFacts, ConnectionsAreWhatTheEnvironmentAsksFor) {
  const auto connections = [](const char* text) { return device_facts({}, {}, text).connections; };
  EXPECT_EQ(connections(nullptr), 8u);
  EXPECT_EQ(connections("1"), 1u);
  EXPECT_EQ(connections("32"), 32u);
  EXPECT_EQ(connections("400"), 32u);
  EXPECT_EQ(connections("many"), 8u);
}

TEST(CudaFacts, EachSortOfLaunchIsThereOnce) {
  fake_cuda::reset();
  const program::Program program = tests::program_of(
      "buffer x 1MiB\nstream A nonblocking\nrepeat 3 {\n  A: axpb x[0:64KiB] fma=1 blocks=5 threads=256\n}\n"
      "A: spin 10us blocks=7 threads=64\nA: tiles x fma=1 tile=1KiB blocks=20 stages=3\n");
  const auto context = contract::opened();
  ASSERT_TRUE(context);
  auto loaded = CudaProgram::load(context, program, {});
  ASSERT_TRUE(loaded) << loaded.error().message;
  const trace::Trace& frame = (*loaded)->frame();
  ASSERT_EQ(frame.device_facts.size(), 1u);
  EXPECT_EQ(frame.device_facts[0].multiprocessors, static_cast<std::uint32_t>(context->info.multiprocessors));
  ASSERT_EQ(frame.launches.size(), 3u);
  const trace::LaunchShape& axpb = frame.launches[0];
  EXPECT_EQ(frame.names.at(axpb.name), "axpb");
  EXPECT_EQ(axpb.bytes, 64u << 10);
  EXPECT_EQ(axpb.blocks, 5u);
  EXPECT_EQ(axpb.threads, 256u);
  EXPECT_EQ(axpb.registers, 32u) << "as the fake's code has it";
  EXPECT_EQ(axpb.blocks_at_once, 8u);
  EXPECT_EQ(frame.launches[1].blocks_at_once, 32u);
  EXPECT_EQ(frame.launches[2].shared_bytes, frame.kernels.at(0).shared_bytes);
}

}  // namespace
}  // namespace streamscope::cuda
