// At how many streams' memory the calls of cudaMallocAsync look, and what that costs.
#include "engine/device/model/host/pool_search.h"

#include "tests/engine/model/simulated.h"

namespace streamscope::model {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::uint32_t> of_allocations(std::string_view text) {
  const program::Program program = tests::program_of(text);
  const std::vector<std::uint32_t> all = pool_searches(program);
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (std::holds_alternative<program::op::MallocAsync>(program.operations[i].work))
      out.push_back(all[i]);
    else
      EXPECT_EQ(all[i], 0u) << i;
  }
  return out;
}

TEST(PoolSearch, TakesWhatItsOwnStreamFreedAndElseLooksAtAllFromBefore) {
  EXPECT_THAT(of_allocations("streams S 4 nonblocking\nrepeat 8 as i {\n  S{i%4}: malloc t{i} 10MiB\n"
                             "  S{i%4}: axpb t{i} fma=1\n  S{i%4}: free t{i}\n}\n"),
              ElementsAre(4, 3, 2, 1, 0, 0, 0, 0));
  EXPECT_THAT(of_allocations("stream A\nrepeat 3 as i {\n  A: malloc t{i} 1MiB\n  A: free t{i}\n}\n"),
              ElementsAre(1, 0, 0));
}

TEST(PoolSearch, TakesNoLongerForOtherSizes) {
  EXPECT_THAT(of_allocations("stream A\nrepeat 4 as i {\n  A: malloc t{i} {i+1}MiB\n  A: free t{i}\n}\n"),
              ElementsAre(1, 0, 0, 0));
}

TEST(PoolSearch, IsEachDevicesOwn) {
  EXPECT_THAT(of_allocations("stream A\nstream B device=1\nA: malloc t 1MiB\nA: free t\nB: malloc u 1MiB\nB: free u\n"),
              ElementsAre(1, 1));
}

// More streams were not measured.
TEST(PoolSearch, LooksAt32StreamsAtMost) {
  const auto all = of_allocations("streams S 40\nrepeat 40 as i {\n  S{i}: malloc t{i} 1MiB\n  S{i}: free t{i}\n}\n");
  ASSERT_EQ(all.size(), 40u);
  EXPECT_EQ(all.front(), 32u);
  EXPECT_EQ(all.back(), 1u);
}

TEST(PoolSearch, IsNothingWhereNothingIsAllocated) {
  EXPECT_THAT(pool_searches(tests::program_of("stream A\nA: spin 1ms\n")), IsEmpty());
}

TEST(PoolSearch, MakesTheFirstCallsOfStreamsLonger) {
  const Simulated one =
      simulate("streams S 2\nrepeat 4 as i {\n  S{i%2}: malloc t{i} 1MiB\n  S{i%2}: free t{i}\n}\n", h200());
  const auto took = [&](std::size_t i) { return one[i].host_end - one[i].host_begin; };
  EXPECT_EQ(took(0) - took(4), 2 * kPoolStream);
  EXPECT_EQ(took(2) - took(4), kPoolStream);
  EXPECT_EQ(took(6), took(4));
}

}  // namespace
}  // namespace streamscope::model
