#include "app/cli/open_kernel.h"

#include <gmock/gmock.h>

#include "tests/support/stages_run.h"

namespace streamscope::cli {
namespace {

using ::testing::HasSubstr;

TEST(OpenKernel, IsReadFromItsLineOrTheFirst) {
  EXPECT_EQ(kernel_to_open("4"), (KernelToOpen{4, {}}));
  EXPECT_EQ(kernel_to_open("4:17"), (KernelToOpen{4, 17}));
  EXPECT_EQ(kernel_to_open("first"), (KernelToOpen{0, {}}));
  EXPECT_EQ(kernel_to_open("first:0"), (KernelToOpen{0, 0}));
  for (const char* wrong : {"", "0", "x", "4:", ":3", "4:x", "-1", "4:17:2", "last"})
    EXPECT_FALSE(kernel_to_open(wrong)) << wrong;
}

TEST(OpenKernel, IsFoundInTheRun) {
  const trace::Trace trace = testing::stages_run().trace;  // operation 1 is of line 2
  EXPECT_EQ(opening_in(trace, {0, {}}).value(), (timeline::OpenKernel{1, {3}}));
  EXPECT_EQ(opening_in(trace, {2, 17}).value(), (timeline::OpenKernel{1, {17}}));
  EXPECT_THAT(opening_in(trace, {2, 5}).error().message, HasSubstr("the first that did is 3"));
  EXPECT_THAT(opening_in(trace, {5, {}}).error().message, HasSubstr("the first that did is of line 2"));
  EXPECT_THAT(opening_in(testing::pipeline_run({}).trace, {0, {}}).error().message, HasSubstr("no block recorded"));
}

}  // namespace
}  // namespace streamscope::cli
