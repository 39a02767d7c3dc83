// Copies in two dimensions, and axpb from one range to another, through the CUDA device: verified to the bit.
#include "tests/engine/cuda/contract.h"
#include "tests/support/program_of.h"

namespace streamscope::cuda {
namespace {

struct Seen {
  std::vector<trace::Span> spans;
  std::vector<std::string> calls;  // of copies in two dimensions: "1024 x 4096"
  std::optional<bool> right;
};
// `wrong_row`: of the second run the nth row, or copy, carries a wrong bit; 0: none does.
Seen run(const std::string& text, std::size_t wrong_row = 0) {
  fake_cuda::reset();
  Seen found;
  const program::Program program = tests::program_of(text);
  {
    const auto context = contract::opened();
    auto loaded = CudaProgram::load(context, program, {});
    EXPECT_TRUE(loaded) << loaded.error().message;
    auto pass = (*loaded)->run(device::Instrument::full, {});
    EXPECT_TRUE(pass) << pass.error().message;
    if (pass) found.spans = std::move(pass->spans);
    if (wrong_row != 0) fake_cuda::corrupt_copy(wrong_row);
    EXPECT_TRUE((*loaded)->run(device::Instrument::bare, {}));
    const auto right = (*loaded)->verify();
    EXPECT_TRUE(right) << right.error().message;
    found.right = *right;
  }
  for (std::size_t nth = 1; nth <= fake_cuda::calls(); ++nth) {
    const fake_cuda::Call call = fake_cuda::call(nth);
    if (call.name == "cudaMemcpy2DAsync") found.calls.push_back(call.detail);
  }
  contract::expect_nothing_left();
  return found;
}

TEST(Rows, AreCopiedByOneCallAndVerified) {
  const Seen found =
      run("buffer x 64KiB\nbuffer y 64KiB host=pageable\nstream A\nA: h2d x rows=16 width=1000 pitch=4096\n"
          "A: h2d x[2048:30000] from y rows=7 width=300 pitch=4096 host-pitch=304\nA: axpb x fma=3\n"
          "A: d2d x[512:60000] x rows=8 width=512 pitch=1024\nA: d2h x to y[8:50000] rows=9 width=333 host-pitch=500\n"
          "A: d2h x\n");
  EXPECT_EQ(found.right, true);
  EXPECT_EQ(found.calls.size(), 8u) << "four in each of two runs";
  EXPECT_EQ(found.calls[0], "16 x 1000");
  EXPECT_EQ(found.calls[1], "7 x 300");
  EXPECT_EQ(found.spans[0].rows, 16u);
  EXPECT_EQ(found.spans[0].bytes, 16'000u);
  EXPECT_EQ(found.spans[5].rows, 0u);
}

TEST(Rows, RepeatInAGraph) {
  EXPECT_EQ(run("buffer x 64KiB\nstream A\ngraph G on A {\n  A: h2d x rows=16 width=64 pitch=4096\n  A: axpb x fma=2\n"
                "  A: d2h x[64:60000] rows=14 width=64 pitch=4096\n}\nA: launch G\nA: launch G\n")
                .right,
            true);
}

// The copies before are those of the patterns, which the second run starts from.
TEST(Rows, AWrongByteOfARowIsSeen) {
  const std::string text =
      "buffer x 4KiB\nstream A\nA: h2d x rows=4 width=64 pitch=128\nA: d2h x rows=4 width=64 pitch=128\n";
  ASSERT_EQ(run(text).right, true);
  for (std::size_t nth = 2; nth <= 8; ++nth) EXPECT_EQ(run(text, nth).right, false) << nth;
}

TEST(Axpb, FromOneRangeToAnotherIsVerified) {
  EXPECT_EQ(
      run("buffer x 64KiB\nbuffer y 64KiB\nbuffer m 64KiB host=managed\nbuffer p 4KiB host=mapped\nstream A\n"
          "A: h2d x\nA: axpb y[4:4096] from x[8:4096] fma=3\nA: axpb y[8192:4096] from x[4096:4096] fma=2 blocks=3\n"
          "A: axpb m from x fma=1\nA: axpb p from m[0:4KiB] fma=1\nA: d2h y\n")
          .right,
      true);
}

}  // namespace
}  // namespace streamscope::cuda
