// A kernel that writes one range from another, through the CUDA device: verified to the bit, both ranges.
#include "tests/engine/cuda/contract.h"
#include "tests/support/program_of.h"

namespace streamscope::cuda {
namespace {

struct Verified {
  std::optional<bool> right;
  std::string note;
};
// Of a second run, whose nth copy carries a wrong bit; 0: none does.
Verified verified(const std::string& text, std::size_t wrong_copy = 0) {
  fake_cuda::reset();
  Verified found;
  const program::Program program = tests::program_of(text);
  {
    const auto context = contract::opened();
    auto loaded = CudaProgram::load(context, program, {});
    EXPECT_TRUE(loaded) << loaded.error().message;
    EXPECT_TRUE((*loaded)->run(device::Instrument::full, {}));
    if (wrong_copy != 0) fake_cuda::corrupt_copy(wrong_copy);
    EXPECT_TRUE((*loaded)->run(device::Instrument::bare, {}));
    const auto right = (*loaded)->verify();
    EXPECT_TRUE(right) << right.error().message;
    found.right = *right;
    for (const std::string& note : trace::texts((*loaded)->notes())) found.note = note;
  }
  contract::expect_nothing_left();
  return found;
}

TEST(Reduce, IsVerifiedWhateverReadsAndWritesItsRanges) {
  EXPECT_EQ(verified("buffer x 100004\nbuffer y 2112\nstreams S 2\nS0: h2d x\nS0: reduce y[0:1056] from x\n"
                     "S0: reduce y[1056:28] from x[4:99996] blocks=7 threads=1024\nS0: reduce x[0:4] from y[0:1060] "
                     "blocks=1\nS0: d2h y\nS0: d2h x\n")
                .right,
            true);
  EXPECT_EQ(verified("buffer x 8KiB host=mapped\nbuffer y 1056 host=managed\nstream A\nA: reduce y from x\n").right,
            true);
  EXPECT_EQ(verified("buffer x 8KiB\nbuffer y 1056\nstream A\nA: h2d x\nA: axpb x fma=3\nA: reduce y from x\nA: malloc "
                     "t 1056\nA: d2d t y\nA: reduce y[0:8] from t blocks=2\nA: free t\nA: d2h y\n")
                .right,
            true);
}

TEST(Reduce, RepeatsInAGraph) {
  EXPECT_EQ(
      verified("buffer x 64KiB\nbuffer y 1056\nstream A\ngraph G on A {\n  A: h2d x\n  A: reduce y from x\n  A: d2h "
               "y\n}\nA: launch G\nA: launch G\n")
          .right,
      true);
}

// Copies of the second run: the patterns back to the host sides of both buffers, then x and y.
TEST(Reduce, WrongSumsAndWrongDataAreSeen) {
  const std::string text =
      "buffer x 64KiB\nbuffer y 64\nstream A\nA: h2d x\nA: reduce y[0:8] from x blocks=2\nA: d2h y[0:8]\n";
  ASSERT_EQ(verified(text).right, true);
  std::size_t of_x = 0, of_y = 0;
  for (std::size_t nth = 1; nth <= 4; ++nth) {
    const Verified found = verified(text, nth);
    EXPECT_EQ(found.right, false) << nth;
    of_x += found.note.find("buffer x (line 1)") != std::string::npos ? 1 : 0;
    of_y += found.note.find("buffer y (line 2)") != std::string::npos ? 1 : 0;
  }
  EXPECT_GT(of_x, 0u);
  EXPECT_GT(of_y, 0u);
}

TEST(Reduce, TheBitsOfANanAreNotVerified) {
  const Verified found = verified(
      "buffer x 4KiB\nbuffer y 8\nstream A\nA: h2d x\nA: memset x[0:64] 255\n"
      "A: axpb x fma=1\nA: reduce y from x blocks=2\nA: d2h y\n");
  EXPECT_EQ(found.right, std::nullopt);
  EXPECT_NE(found.note.find("takes for integers what holds a NaN"), std::string::npos) << found.note;
  EXPECT_EQ(verified("buffer x 4KiB\nbuffer y 4\nbuffer z 4\nstream A\nA: h2d x\nA: reduce y from x blocks=1\n"
                     "A: axpb y fma=1\nA: reduce z from x blocks=1\nA: d2h y\n")
                .right,
            true)
      << "floats again once axpb has worked on them";
}

}  // namespace
}  // namespace streamscope::cuda
