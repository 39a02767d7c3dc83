// Wrong data is detected, and lack of memory is reported with what to do about it.
#include <cuda_runtime_api.h>

#include <memory>

#include "tests/engine/cuda/contract.h"
#include "tests/support/program_of.h"

namespace streamscope::cuda {
namespace {

// Each copy of a pipeline's second run carries one wrong bit in turn, and before it the one that puts the pattern back
// on the host side: verify() says no, and where.
TEST(WrongData, OfAnyCopyIsSeen) {
  const program::Program program = contract::program_of(contract::kSubjects[0]);
  constexpr std::size_t kCopies = 1 + 8;
  for (std::size_t nth = 1; nth <= kCopies; ++nth) {
    fake_cuda::reset();
    SCOPED_TRACE("copy " + std::to_string(nth));
    const auto context = contract::opened();
    ASSERT_TRUE(context);
    auto loaded = CudaProgram::load(context, program, {});
    ASSERT_TRUE(loaded) << loaded.error().message;
    ASSERT_TRUE((*loaded)->run(device::Instrument::bare, {}));
    fake_cuda::corrupt_copy(nth);
    const auto second = (*loaded)->run(device::Instrument::bare, {});
    ASSERT_TRUE(second) << second.error().message;
    const auto verified = (*loaded)->verify();
    ASSERT_TRUE(verified) << verified.error().message;
    EXPECT_EQ(*verified, false);
    ASSERT_FALSE((*loaded)->notes().empty());
    EXPECT_NE((*loaded)->notes().back().text.find("buffer x (line 2)"), std::string::npos)
        << (*loaded)->notes().back().text;
    // And the next run's data is right again.
    ASSERT_TRUE((*loaded)->run(device::Instrument::bare, {}));
    EXPECT_EQ(*(*loaded)->verify(), true);
  }
}

// Of the other buffer, at another offset: what is issued is what verify() expects.
TEST(CopyBetweenTwoBuffers, MovesWhatItSays) {
  program::Program program = tests::program_of(
      "buffer x 1MiB\nbuffer h 1MiB\nstream A\nA: h2d x[0:4096]\nA: axpb x[0:4096] fma=4 blocks=1 threads=64\nA: d2h "
      "x[0:4096]\n"
      "host: memcpy h2d x[8192:4096]\nhost: memcpy d2h x[8192:4096]\n");
  for (const std::size_t i : {0u, 2u, 3u, 4u}) {
    auto& copy = std::get<program::op::Copy>(program.operations[i].work);
    copy.host = {BufferId{1}, copy.direction == program::Direction::h2d ? 4096u + 64u * i : 65536u * i, 4096};
  }
  fake_cuda::reset();
  const auto context = contract::opened();
  ASSERT_TRUE(context);
  auto loaded = CudaProgram::load(context, program, {});
  ASSERT_TRUE(loaded) << loaded.error().message;
  for (int run = 0; run < 2; ++run) {
    ASSERT_TRUE((*loaded)->run(device::Instrument::bare, {}));
    const auto verified = (*loaded)->verify();
    ASSERT_TRUE(verified) << verified.error().message;
    EXPECT_EQ(*verified, true) << ((*loaded)->notes().empty() ? "" : (*loaded)->notes().back().text);
  }
  fake_cuda::corrupt_copy(4);  // before them, those that put the pattern back on the host side
  ASSERT_TRUE((*loaded)->run(device::Instrument::bare, {}));
  EXPECT_EQ(*(*loaded)->verify(), false);
}

// Memory of the run's own has no host side, but a copy may fill it from another buffer's.
TEST(CopyBetweenTwoBuffers, KnowsWhatWasWrittenToMemoryOfTheRun) {
  program::Program program = tests::program_of(
      "buffer x 1MiB\nstream A\nhost: malloc m 4KiB\nA: h2d x[0:4096]\nA: d2h x[8192:4096]\nhost: sync A\n"
      "host: free m\n");
  const BufferId made = std::get<program::op::Malloc>(program.operations[0].work).buffer;
  std::get<program::op::Copy>(program.operations[1].work).device = {made, 0, 4096};
  std::get<program::op::Copy>(program.operations[2].work).device = {made, 0, 4096};
  fake_cuda::reset();
  const auto context = contract::opened();
  ASSERT_TRUE(context);
  const auto verdict = [&]() -> std::optional<bool> {
    auto loaded = CudaProgram::load(context, program, {});
    EXPECT_TRUE(loaded && (*loaded)->run(device::Instrument::bare, {}));
    const auto verified = (*loaded)->verify();
    EXPECT_TRUE(verified) << verified.error().message;
    return verified.value_or(std::nullopt);
  };
  EXPECT_EQ(verdict(), true);
  std::get<program::op::Copy>(program.operations[1].work).device.bytes = 2048;
  std::get<program::op::Copy>(program.operations[1].work).host.bytes = 2048;
  EXPECT_EQ(verdict(), std::nullopt);  // the other half is whatever was there
}

TEST(OutOfMemory, OneAllocationThatFailsIsTriedAgain) {
  fake_cuda::reset();
  {
    const program::Program program = contract::program_of(contract::kSubjects[0]);
    const auto context = contract::opened();
    ASSERT_TRUE(context);
    for (const char* const call : {"cudaMalloc", "cudaHostAlloc"}) {
      // What lies idle from the first time is given back to make room.
      ASSERT_NO_FATAL_FAILURE(contract::expect_works(context, program, device::Instrument::full));
      const program::Program larger = tests::program_of("buffer y 1MiB\nstream A\nA: h2d y\nA: d2h y\n");
      fake_cuda::fail_call(call, 1, cudaErrorMemoryAllocation);
      ASSERT_NO_FATAL_FAILURE(contract::expect_works(context, larger, device::Instrument::full));
    }
    contract::expect_nothing_held();
  }
  contract::expect_nothing_left();
}

TEST(OutOfMemory, WhereThereIsNoneTheBufferAndTheCallAreNamed) {
  const program::Program program = tests::program_of("buffer x 4KiB\nbuffer big 1MiB\nstream A\nA: h2d big\n");
  for (const char* const call : {"cudaMalloc", "cudaHostAlloc"}) {
    fake_cuda::reset();
    {
      const auto context = contract::opened();
      ASSERT_TRUE(context);
      fake_cuda::fail_call(call, 2, cudaErrorMemoryAllocation, 2);
      const auto loaded = CudaProgram::load(context, program, {});
      ASSERT_FALSE(loaded);
      EXPECT_EQ(loaded.error().kind, ErrorKind::bad_input) << "another program fits: the device is well";
      EXPECT_NE(loaded.error().message.find("line 2: buffer big"), std::string::npos) << loaded.error().message;
      ASSERT_TRUE(loaded.error().fault);
      EXPECT_EQ(loaded.error().fault->call, call);
      contract::expect_nothing_held();
      ASSERT_NO_FATAL_FAILURE(contract::expect_works(context, program, device::Instrument::full));
    }
    contract::expect_nothing_left();
  }
}

}  // namespace
}  // namespace streamscope::cuda
