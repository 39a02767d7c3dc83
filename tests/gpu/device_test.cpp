#include "engine/device/cuda/cuda_device.h"
#include "engine/device/cuda/runtime/gpu_list.h"

#include "tests/gpu/gpu.h"

namespace streamscope::cuda {
namespace {

// Runs with and without a GPU: the list and its reason never stand beside each other.
TEST(CudaDevices, ListsGpusOrSaysInOneLineWhyThereAreNone) {
  const device::DeviceList found = cuda_devices();
  if (found.devices.empty()) {
    EXPECT_FALSE(found.why_no_gpu.empty());
    EXPECT_EQ(found.why_no_gpu.find('\n'), std::string::npos);
    EXPECT_NE(found.why_no_gpu.find("cudaError"), std::string::npos) << found.why_no_gpu;
    return;
  }
  EXPECT_EQ(found.why_no_gpu, "");
  for (const device::DeviceInfo& info : found.devices) {
    EXPECT_EQ(info.kind, trace::Provenance::Kind::measured);
    EXPECT_FALSE(info.name.empty());
    EXPECT_NE(info.driver.find("CUDA "), std::string::npos) << info.driver;
    EXPECT_GT(info.memory_bytes, 0u);
    EXPECT_GT(info.multiprocessors, 0);
    EXPECT_GT(info.copy_engines, 0);
  }
  EXPECT_EQ(found.devices[0].id, "cuda:0");
}

TEST(CudaDevices, AGpuThatIsNotThereIsAnError) {
  for (const int index : {-1, 4096}) {
    const auto device = open_cuda_device(index);
    ASSERT_FALSE(device);
    EXPECT_EQ(device.error().kind, ErrorKind::no_device);
    EXPECT_FALSE(device.error().message.empty());
  }
}

TEST_F(Gpu, OpensAndKnowsItsPriorities) {
  auto device = open_cuda_device(0);
  ASSERT_TRUE(device) << device.error().message;
  const device::DeviceInfo& info = (*device)->info();
  EXPECT_LE(info.highest_priority, info.lowest_priority);
  EXPECT_EQ(info.lowest_priority, 0);
}

TEST_F(Gpu, FrameSaysWhatItWasMeasuredWith) {
  const program::Program program = tests::program_of("stream A nonblocking priority=-1\nA: spin 1us\n");
  auto loaded = load(program);
  ASSERT_TRUE(loaded) << loaded.error().message;
  const trace::Trace& frame = (*loaded)->frame();
  EXPECT_EQ(frame.provenance.kind, trace::Provenance::Kind::measured);
  EXPECT_FALSE(frame.provenance.device.empty());
  EXPECT_NE(frame.provenance.clock.find("globaltimer"), std::string::npos);
  EXPECT_FALSE(frame.provenance.date.empty());
  ASSERT_EQ(frame.streams.size(), 3u);
  EXPECT_TRUE(frame.streams[2].nonblocking);
  EXPECT_TRUE(frame.spans.empty());
}

// What is loaded may outlive the device it was loaded on.
TEST_F(Gpu, AProgramOutlivesItsDevice) {
  const program::Program program = tests::program_of("buffer x 1MiB\nstream A\nA: h2d x\nA: spin 10us\n");
  std::unique_ptr<device::LoadedProgram> loaded;
  {
    auto device = open_cuda_device(0);
    ASSERT_TRUE(device) << device.error().message;
    auto made = (*device)->load(program, {});
    ASSERT_TRUE(made) << made.error().message;
    loaded = std::move(*made);
  }
  const auto pass = loaded->run(device::Instrument::full, {});
  EXPECT_TRUE(pass) << pass.error().message;
}

TEST_F(Gpu, ClocksAreTiedWithinMicroseconds) {
  auto window = context()->clock.ask();
  ASSERT_TRUE(window) << window.error().message;
  EXPECT_LE(window->low, window->high);
  EXPECT_GT(context()->clock.step(), 0);
  std::printf("handshake: narrowest exchange %ld ns, all together +-%ld ns, %%globaltimer step %ld ns\n",
              context()->clock.narrowest_exchange(), window->uncertainty(), context()->clock.step());
  // Both clocks run on: a later window, mapped through the earlier, agrees.
  const reconstruct::ClockMap map(*window);
  auto later = context()->clock.ask();
  ASSERT_TRUE(later) << later.error().message;
  EXPECT_LT(map.uncertainty_until(*later), 1'000'000);
}

}  // namespace
}  // namespace streamscope::cuda
