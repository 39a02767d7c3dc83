// The kernel with two ranges: what it is told to be, and what the CPU computes for it.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "engine/program/program.h"
#include "kernels/reduce/reduce.h"
#include "kernels/registry.h"
#include "tests/support/program_of.h"

namespace streamscope::program {
namespace {

TEST(Reduce, NamesBothOfItsRanges) {
  const Program program = tests::program_of(
      "buffer x 1MiB\nbuffer y 1056\nstream A\nA: reduce y from x[4:1024]\n"
      "A: reduce y[4:8] from x threads=64 blocks=2\n");
  EXPECT_EQ(tests::described(program)[0],
            "operation 0, line 4: A: reduce y[0:1056] from x[4:1024] blocks=264 threads=256");
  EXPECT_EQ(tests::described(program)[1],
            "operation 1, line 5: A: reduce y[4:8] from x[0:1048576] blocks=2 threads=64");
  EXPECT_EQ(bytes(program.operations[0].work), 1024u) << "what it works on";
  EXPECT_EQ(engine_of(program.operations[0].work), Engine::compute);
}

// The sums as kernels/reduce/reduce.h has them; `begin`: the first element, of a vector that is aligned.
struct Asked {
  std::uint64_t begin, count;
  std::uint32_t blocks;
};
void check(const Asked& asked) {
  SCOPED_TRACE(testing::Message() << asked.count << " from " << asked.begin << ", blocks " << asked.blocks);
  std::vector<std::uint32_t> data(asked.begin + asked.count);
  std::mt19937 random(7);
  for (std::uint32_t& one : data) one = random();
  std::vector<std::uint32_t> sums(asked.blocks + 2, 0xDEADBEEF), expected(asked.blocks + 2, 0);
  expected.front() = expected.back() = 0xDEADBEEF;
  // By lines of 32 elements, as many to each block as the one with the most has.
  std::uint64_t lines = 0;
  while (lines * 32 * asked.blocks < asked.count) ++lines;
  for (std::uint64_t i = 0; i < asked.count; ++i) expected[1 + i / (lines * 32)] += data[asked.begin + i];

  kernels::Values values = kernels::language_values(kernels::reduce_kernel());
  values[kernels::reduce_kernel().find("blocks")] = asked.blocks;
  const auto reference = kernels::reduce_kernel().reference();
  EXPECT_FALSE(reference->compute(values, 4 * asked.count, reinterpret_cast<char*>(sums.data() + 1),
                                  reinterpret_cast<const char*>(data.data() + asked.begin)));
  EXPECT_EQ(sums, expected);
}

TEST(Reduce, IsComputedToTheBitWhereverSharesBegin) {
  for (const std::uint64_t begin : {0, 1, 2, 3}) {
    for (const std::uint64_t count : {1, 31, 32, 33, 1000, 65'537, 500'003}) {
      for (const std::uint32_t blocks : {1u, 2u, 3u, 7u, 264u, 5000u}) check({begin, count, blocks});
    }
  }
}

TEST(Reduce, LeavesAnExperimentsBlocksToTheKernel) {
  const kernels::Kernel& kernel = kernels::reduce_kernel();
  kernels::Values values = kernels::experiment_values(kernel);
  values[kernel.find("blocks")] = 0;  // as of another kernel before
  EXPECT_EQ(kernel.result_bytes(values, 1 << 20), 1056u);
  EXPECT_EQ(kernel.shape(values, 1 << 20, 1).blocks, 264u) << "on any GPU";
  EXPECT_EQ(kernel.shape(values, 1 << 20, 1).bytes, (1u << 20) + 1056);
}

}  // namespace
}  // namespace streamscope::program
