// Several GPUs, some of which cannot be used: each has its reason, and the others are there.
#include <cuda_runtime_api.h>
#include <gmock/gmock.h>

#include "engine/device/cuda/cuda_device.h"
#include "engine/device/cuda/runtime/gpu_list.h"
#include "engine/experiment/build.h"
#include "engine/experiment/check.h"
#include "tests/engine/cuda/contract.h"
#include "tests/support/program_of.h"

namespace streamscope::cuda {
namespace {

using testing::HasSubstr;

class SeveralGpus : public testing::Test {
 protected:
  void SetUp() override { fake_cuda::reset(); }
  void TearDown() override { contract::expect_nothing_left(); }
  static Result<std::shared_ptr<CudaContext>> open(int index) { return open_context(index, contract::on_fake()); }
};

TEST_F(SeveralGpus, OneThatFailsToSayWhatItIsHidesNoOther) {
  fake_cuda::gpus({{}, {}, {}});
  fake_cuda::fail_call("cudaGetDeviceProperties", 2, cudaErrorUnknown);
  const device::DeviceList found = cuda_devices();
  ASSERT_EQ(found.devices.size(), 2u);
  EXPECT_EQ(found.devices[0].id, "cuda:0");
  EXPECT_EQ(found.devices[1].id, "cuda:2");
  for (const device::DeviceInfo& gpu : found.devices) EXPECT_EQ(gpu.devices, 2) << "itself and the other";
  ASSERT_EQ(found.skipped.size(), 1u);
  EXPECT_EQ(found.skipped[0].id, "cuda:1");
  EXPECT_THAT(found.skipped[0].why, HasSubstr("cudaErrorUnknown"));
  EXPECT_EQ(found.why_no_gpu, "");
}

TEST_F(SeveralGpus, OneWithoutKernelsForItIsSkippedAndKeepsItsNumber) {
  fake_cuda::gpus({{7, 0}, {9, 0}, {.prohibited = true}, {7, 5}, {12, 1}});
  const device::DeviceList found = cuda_devices();
  ASSERT_EQ(found.devices.size(), 3u);
  EXPECT_EQ(found.devices[0].id, "cuda:1");
  EXPECT_EQ(found.devices[1].id, "cuda:3");
  EXPECT_EQ(found.devices[2].id, "cuda:4");
  for (const device::DeviceInfo& each : found.devices) EXPECT_EQ(each.devices, 3) << "those that a program may name";
  ASSERT_EQ(found.skipped.size(), 2u);
  EXPECT_EQ(found.skipped[0].id, "cuda:0");
  EXPECT_EQ(found.skipped[0].name, "Scripted fake");
  EXPECT_THAT(found.skipped[0].why, HasSubstr("7.0, but for 7.5 and later"));
  EXPECT_THAT(found.skipped[1].why, HasSubstr("prohibited"));

  const auto old = open(0);
  ASSERT_FALSE(old);
  EXPECT_EQ(old.error().kind, ErrorKind::no_device);
  EXPECT_THAT(old.error().message, HasSubstr("7.0, but for 7.5 and later"));
  for (const int index : {1, 3, 4}) {
    const auto opened = open(index);
    ASSERT_TRUE(opened) << opened.error().message;
    EXPECT_EQ((*opened)->info.id, "cuda:" + std::to_string(index));
  }
  const auto beyond = open(5);
  ASSERT_FALSE(beyond);
  EXPECT_THAT(beyond.error().message, HasSubstr("the last one is cuda:4"));
}

TEST_F(SeveralGpus, SayWhetherTheFirstTwoOfAProgramReachEachOther) {
  fake_cuda::gpus({{}, {7, 0}, {.unreachable = true}, {}});
  const device::DeviceList found = cuda_devices();
  ASSERT_EQ(found.devices.size(), 3u);
  EXPECT_FALSE(found.devices[0].peer) << "and cuda:2";
  EXPECT_TRUE(found.devices[1].peer) << "and cuda:0";
  EXPECT_TRUE(found.devices[2].peer) << "and cuda:0";
}

TEST_F(SeveralGpus, NoneThatCanBeUsedIsNoGpuWithTheFirstsReason) {
  fake_cuda::gpus({{7, 0}, {6, 1}});
  const device::DeviceList found = cuda_devices();
  EXPECT_TRUE(found.devices.empty());
  EXPECT_THAT(found.why_no_gpu, testing::AllOf(HasSubstr("2 GPUs"), HasSubstr("cuda:0"), HasSubstr("7.0")));
}

// A build for other GPUs than the driver can take: seen only when kernels are loaded.
TEST_F(SeveralGpus, AnImageThatIsMissingIsSaidWhenItIsOpened) {
  fake_cuda::fail_call("kernels::prepare", 1, cudaErrorNoKernelImageForDevice);
  const auto opened = open(0);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, ErrorKind::no_device);
  EXPECT_THAT(opened.error().message, HasSubstr("no kernels for its compute capability, 9.0"));
}

// A program of several, before anything is made.
TEST_F(SeveralGpus, OneRunsAProgramOfItsOwnOnly) {
  fake_cuda::gpus({{}, {}});
  auto context = open(0);
  ASSERT_TRUE(context) << context.error().message;
  const program::Program two = tests::program_of("stream A\nstream B device=1\nA: spin 1us\nB: spin 1us\n");
  const auto refused = CudaProgram::load(*context, two, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::no_device);
  EXPECT_EQ(refused.error().message,
            "line 2: the program is for 2 devices, counted from 0, and there is one GPU here that can be used; a "
            "model takes any number, such as model:h200x2.");
  const program::Program one = tests::program_of("buffer x 64KiB\nstream A\nhost: device 0\nA: h2d x\nA: d2h x\n");
  ASSERT_NO_FATAL_FAILURE(contract::expect_works(*context, one, device::Instrument::full));
}

// What the program calls device 1 is the next GPU that can be used, whichever was opened.
TEST_F(SeveralGpus, AProgramOfTwoTakesTheNextThatCanBeUsed) {
  fake_cuda::gpus({{7, 0}, {}, {.prohibited = true}, {}});
  const program::Program two = tests::program_of(
      "buffer x 64KiB device=0,1\nstream A\nstream B device=1\nA: h2d x\nA: record e\nB: wait e\nB: peer x@1 x@0\n"
      "B: axpb x fma=1\nB: d2h x\n");
  for (const int first : {1, 3}) {
    const auto device = open_cuda_device(first, contract::on_fake());
    ASSERT_TRUE(device) << device.error().message;
    const auto loaded = (*device)->load(two, {});
    ASSERT_TRUE(loaded) << loaded.error().message;
    ASSERT_EQ((*loaded)->frame().other_devices.size(), 1u);
    EXPECT_EQ((*loaded)->frame().device_facts.size(), 2u);
    const auto pass = (*loaded)->run(device::Instrument::full, {});
    ASSERT_TRUE(pass) << pass.error().message;
    EXPECT_EQ(pass->spans[3].kind, OperationKind::peer);
    EXPECT_EQ(pass->spans[3].device, 0u);
    EXPECT_EQ(pass->spans[3].to_device, 1u);
    EXPECT_EQ(pass->spans[4].device, 1u);
    // Each device's clock is told as it was in that pass.
    const trace::Provenance& second = (*loaded)->frame().other_devices[0];
    EXPECT_GT(second.uncertainty, 0);
    EXPECT_LE(second.uncertainty, pass->clock_uncertainty);
    EXPECT_NE(second.clock.find("; events "), std::string::npos) << second.clock;
    EXPECT_EQ((*loaded)->verify().value_or(false), true);
  }
  const auto device = open_cuda_device(1, contract::on_fake());
  ASSERT_TRUE(device);
  const program::Program three = tests::program_of("stream A device=2\nA: spin 1us\n");
  const auto refused = (*device)->load(three, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::no_device);
  EXPECT_EQ(refused.error().message,
            "line 1: the program is for 3 devices, counted from 0, and there are 2 GPUs here that can be used; a model "
            "takes any number, such as model:h200x3.");
}

TEST_F(SeveralGpus, WithoutPeerAccessTheLineThatAsksForItIsRefused) {
  fake_cuda::gpus({{}, {.unreachable = true}});
  const auto device = open_cuda_device(0, contract::on_fake());
  ASSERT_TRUE(device);
  const auto load = [&](const char* text) { return (*device)->load(tests::program_of(text), {}).has_value(); };
  EXPECT_TRUE(load("buffer x 4KiB device=0,1\nstream A\nA: peer x@1 x@0\n"));
  const program::Program reaching = tests::program_of("stream A device=1\nhost: peer 0 1 on\nA: spin 1us\n");
  const auto refused = (*device)->load(reaching, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(refused.error().message, testing::AllOf(HasSubstr("line 2"), HasSubstr("cannot reach each other")));
}

// A kernel of one device may not touch what only the other reaches, and data that a copy spoils is found on each.
TEST_F(SeveralGpus, WrongDataOnTheSecondIsFoundAndNamed) {
  fake_cuda::gpus({{}, {}});
  const program::Program two = tests::program_of(
      "buffer x 64KiB device=0,1\nstream A\nstream B device=1\nA: h2d x\nA: record e\nB: wait e\nB: peer x@1 x@0\n");
  const auto device = open_cuda_device(0, contract::on_fake());
  ASSERT_TRUE(device);
  const auto loaded = (*device)->load(two, {});
  ASSERT_TRUE(loaded) << loaded.error().message;
  fake_cuda::corrupt_copy(2);
  ASSERT_TRUE((*loaded)->run(device::Instrument::bare, {}));
  EXPECT_EQ((*loaded)->verify().value_or(true), false);
  EXPECT_THAT(trace::texts((*loaded)->notes()), testing::Contains(HasSubstr("device 1 side of buffer x")));
}

// Each way across gives the CPU's data, on two and three; and a copy that is spoilt is seen.
TEST_F(SeveralGpus, ExperimentsOfSeveralLeaveTheCpusData) {
  using experiment::Across;
  for (const std::size_t devices : {2u, 3u}) {
    fake_cuda::gpus(std::vector<fake_cuda::Gpu>(devices));
    for (const Across way : {Across::split, Across::pipeline, Across::halo, Across::all_gather}) {
      for (const bool peer_access : {true, false}) {
        SCOPED_TRACE(testing::Message() << name_of(way) << " over " << devices << ", peer access " << peer_access);
        experiment::Experiment e;
        e.devices = static_cast<std::uint32_t>(devices);
        e.across = way;
        e.peer_access = peer_access;
        e.bytes = 192 << 10;
        e.chunk = 16 << 10;
        e.steps = 3;
        e.kernel.values[0] = 2;
        ASSERT_TRUE(experiment::check(e)) << experiment::check(e).error().message;
        const program::Program program = tests::program_of(experiment::build(e));
        const auto device = open_cuda_device(0, contract::on_fake());
        ASSERT_TRUE(device);
        const auto loaded = (*device)->load(program, {});
        ASSERT_TRUE(loaded) << loaded.error().message;
        ASSERT_TRUE((*loaded)->run(device::Instrument::full, {}));
        EXPECT_EQ((*loaded)->verify().value_or(false), true);
        fake_cuda::corrupt_copy(1);
        ASSERT_TRUE((*loaded)->run(device::Instrument::bare, {}));
        EXPECT_EQ((*loaded)->verify().value_or(true), false);
      }
    }
  }
}

}  // namespace
}  // namespace streamscope::cuda
