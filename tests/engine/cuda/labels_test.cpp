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

// While the machine sleeps no clock is of use: the pass is made again, and where that does not help it is refused.
Nanoseconds slept_so_far = 0, sleeps_at_each_look = 0;
int sleeps_left = 0;
Nanoseconds scripted_sleep() {
  if (sleeps_left > 0 && --sleeps_left >= 0) slept_so_far += sleeps_at_each_look;
  return slept_so_far;
}

class Suspended : public Labels {
 protected:
  void SetUp() override {
    Labels::SetUp();
    slept_so_far = 3'600'000'000'000;
    sleeps_at_each_look = 5'000'000'000;
    sleeps_left = 0;
    program_ = contract::program_of({"Copy", "buffer x 4KiB\nstream A\nA: h2d x\n"});
    OpenOptions options = contract::on_fake();
    options.slept = scripted_sleep;
    auto context = open_context(0, options);
    ASSERT_TRUE(context) << context.error().message;
    auto loaded = CudaProgram::load(*context, program_, {});
    ASSERT_TRUE(loaded) << loaded.error().message;
    loaded_ = std::move(*loaded);
  }
  void TearDown() override {
    loaded_.reset();
    Labels::TearDown();
  }
  program::Program program_;
  std::unique_ptr<CudaProgram> loaded_;
};

TEST_F(Suspended, APassIsMadeAgainAndTheRunSaysSo) {
  ASSERT_TRUE(loaded_->run(device::Instrument::full, {}));
  EXPECT_THAT(trace::texts(loaded_->notes()), Not(Contains(HasSubstr("suspended"))));
  sleeps_left = 2;  // before the pass, and within it
  ASSERT_TRUE(loaded_->run(device::Instrument::full, {}));
  EXPECT_THAT(trace::texts(loaded_->notes()), Contains(HasSubstr("suspended while a pass went on")));
}

TEST_F(Suspended, AtEveryAttemptItIsRefused) {
  sleeps_left = 1000;
  const auto pass = loaded_->run(device::Instrument::bare, {});
  ASSERT_FALSE(pass);
  EXPECT_THAT(pass.error().message, HasSubstr("suspended"));
}

}  // namespace
}  // namespace streamscope::cuda
