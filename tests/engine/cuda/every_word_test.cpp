// What the CPU says of a program of every word, on which a GPU's runs are verified.
#include <gtest/gtest.h>

#include "engine/device/cuda/verify/reference.h"
#include "engine/program/order/order.h"
#include "tests/support/every_word.h"
#include "tests/support/program_of.h"

namespace streamscope::cuda {
namespace {

TEST(EveryWord, LeavesDataThatTheCpuForesees) {
  const program::Program program = tests::program_of(std::string(tests::kEveryWord));
  EXPECT_TRUE(program::hazards(program, 1).empty());
  Reference reference(program);
  EXPECT_EQ(reference.run().value_or(""), "");
}

}  // namespace
}  // namespace streamscope::cuda
