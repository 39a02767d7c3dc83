// What a run says of a GPU, or of a process, on which not all is as the program says.
#include <cuda_runtime_api.h>
#include <gmock/gmock.h>

#include "engine/device/cuda/cupti/attached.h"
#include "tests/engine/cuda/contract.h"

namespace streamscope::cuda {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

// What the code does otherwise than the program says is said in the run.
class Labels : public testing::Test {
 protected:
  void SetUp() override { fake_cuda::reset(); }
  void TearDown() override { contract::expect_nothing_left(); }
  static std::vector<std::string> of(fake_cuda::Gpu gpu, const std::string& tiles) {
    fake_cuda::gpus({gpu});
    const program::Program program =
        contract::program_of({"Tiles", ("buffer x 64KiB\nstream A\nA: tiles x fma=1 " + tiles + "\n").c_str()});
    const auto context = contract::opened();
    if (!context) return {};
    const auto loaded = CudaProgram::load(context, program, {});
    if (!loaded) return {"refused: " + loaded.error().message};
    return trace::texts((*loaded)->notes());
  }
};

TEST_F(Labels, AsynchronousCopiesThatAreSynchronous) {
  for (const char* const copy : {"primitives", "cg", "barrier", "pipeline", "warp-specialised"}) {
    const std::string tiles = std::string("copy=") + copy + " stages=2 tile=1KiB";
    EXPECT_THAT(of({7, 5}, tiles),
                Contains(HasSubstr("synchronous on this GPU (7.5): with copy=" + std::string(copy))));
    EXPECT_THAT(of({8, 9}, tiles), Not(Contains(HasSubstr("synchronous")))) << copy;
  }
  EXPECT_THAT(of({7, 5}, "copy=sync tile=1KiB"), Not(Contains(HasSubstr("synchronous"))));
  EXPECT_THAT(of({7, 5}, "copy=cp.async stages=2 tile=1KiB"),
              Contains(HasSubstr("copy=cp.async needs compute capability 8.0")));
}

TEST_F(Labels, BarriersThatAreBulkCopies) {
  const auto bulk = Contains(HasSubstr("copy=barrier becomes bulk copies"));
  EXPECT_THAT(of({9, 0}, "copy=barrier stages=2 tile=1KiB align=16"), bulk);
  EXPECT_THAT(of({9, 0}, "copy=barrier stages=2 tile=1KiB align=4"), Not(bulk));
  EXPECT_THAT(of({9, 0}, "copy=pipeline stages=2 tile=1KiB"), Not(bulk));
  EXPECT_THAT(of({8, 0}, "copy=barrier stages=2 tile=1KiB align=16"), Not(bulk));
}

// CUPTI stays in the process once it was asked for.
TEST_F(Labels, CuptiThatIsStillAttached) {
  const program::Program program = contract::program_of({"Copy", "buffer x 4KiB\nstream A\nA: h2d x\n"});
  const auto context = contract::opened();
  ASSERT_TRUE(context);
  auto loaded = CudaProgram::load(context, program, {});
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto attached = Contains(HasSubstr("CUPTI is attached to this process"));
  ASSERT_TRUE((*loaded)->run(device::Instrument::bare, {}));
  EXPECT_THAT(trace::texts((*loaded)->notes()), Not(attached));
  cupti_is_attached = true;
  EXPECT_TRUE((*loaded)->run(device::Instrument::bare, {}));
  EXPECT_TRUE((*loaded)->run(device::Instrument::full, {}));
  cupti_is_attached = false;
  EXPECT_THAT(trace::texts((*loaded)->notes()), attached);
}

}  // namespace
}  // namespace streamscope::cuda
