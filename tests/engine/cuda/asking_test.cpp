// Copies between two ranges, what is given to no stream, callbacks, and calls that only ask: through the CUDA device.
#include "tests/engine/cuda/contract.h"
#include "tests/support/program_of.h"

namespace streamscope::cuda {
namespace {

struct Asked {
  std::vector<trace::Span> spans;
  std::optional<bool> right;
};
Asked run(const std::string& text) {
  fake_cuda::reset();
  Asked found;
  const program::Program program = tests::program_of(text);
  {
    const auto context = contract::opened();
    auto loaded = CudaProgram::load(context, program, {});
    EXPECT_TRUE(loaded) << loaded.error().message;
    for (const device::Instrument instrument : {device::Instrument::bare, device::Instrument::full}) {
      auto pass = (*loaded)->run(instrument, {});
      EXPECT_TRUE(pass) << pass.error().message;
      if (pass) found.spans = std::move(pass->spans);
    }
    const auto right = (*loaded)->verify();
    EXPECT_TRUE(right) << right.error().message;
    found.right = *right;
  }
  contract::expect_nothing_left();
  return found;
}

TEST(Copies, BetweenTwoRangesAreVerified) {
  EXPECT_EQ(run("buffer x 64KiB\nbuffer y 64KiB host=pageable\nstream A\nA: h2d x[0:4KiB] from y[8KiB:4KiB]\n"
                "A: axpb x[0:4KiB] fma=3\nA: d2h x[0:4KiB] to y[60KiB:4KiB]\nhost: sync A\n"
                "host: memcpy h2d y[0:4KiB] from x[4KiB:4KiB]\nhost: memcpy d2h x[0:4KiB] to x[32KiB:4KiB]\n"
                "host: memset y[0:16] 3\nhost: d2d y[4KiB:1KiB] x[0:1KiB]\nhost: memcpy d2h y\n")
                .right,
            true);
}

TEST(DefaultStream, PerThreadIsWhatCallsWithoutAStreamUse) {
  const Asked found =
      run("default-stream per-thread\nbuffer x 64KiB\nbuffer y 64KiB\nstream A\nA: spin 50ms\nhost: memcpy h2d x\n"
          "default: axpb x fma=2\nhost: memset y 5\nhost: d2d y[0:1KiB] x[0:1KiB]\nhost: memcpy d2h y\n");
  EXPECT_EQ(found.right, true);
  for (const std::size_t own : {1, 2, 3, 4, 5}) EXPECT_LT(found.spans[own].end, found.spans[0].end) << own;
}

TEST(Callbacks, RunInStreamOrder) {
  const Asked found = run("stream A\nA: spin 10us\nA: callback 5us\nA: spin 10us\n");
  EXPECT_GE(found.spans[1].start, found.spans[0].end);
  EXPECT_GE(found.spans[2].start, found.spans[1].end);
}

TEST(Asking, TellsWhatCudaAnswered) {
  const Asked found = run(
      "event silent notiming\nevent never blockingsync\nstream A nonblocking\nA: record a\nA: spin 1ms\nA: record b\n"
      "A: record silent\nhost: query A\nhost: query b\nhost: elapsed a b\nhost: sync device\nhost: query A\nhost: "
      "query b\n"
      "host: elapsed a b\nhost: elapsed a silent\nhost: elapsed a never\nhost: sync never\n");
  const auto result = [&](std::size_t i) { return found.spans[i].result; };
  EXPECT_EQ(result(4), CallResult::not_ready);
  EXPECT_EQ(result(5), CallResult::not_ready);
  EXPECT_EQ(result(6), CallResult::not_ready);
  EXPECT_EQ(result(8), CallResult::success);
  EXPECT_EQ(result(9), CallResult::success);
  EXPECT_EQ(result(10), CallResult::success);
  EXPECT_GE(found.spans[10].elapsed, 1'000'000);
  EXPECT_EQ(result(11), CallResult::invalid_resource_handle);
  EXPECT_EQ(result(12), CallResult::invalid_resource_handle);
  EXPECT_FALSE(known(found.spans[12].elapsed));
}

}  // namespace
}  // namespace streamscope::cuda
