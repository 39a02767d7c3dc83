// Programs that are too large are refused, and quickly: no test here expands what it need not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/program/read_program.h"

namespace streamscope::program {
namespace {

using ::testing::HasSubstr;

Result<ReadProgram> read_limited(std::string_view text) { return read_program(text, "t"); }

TEST(Limits, ProductsOfRepeatsAreRefusedUnexpanded) {
  const auto program = read_limited("repeat 1000000 {\nrepeat 1000000 {\ndefault: spin 1us\n}\n}\n");
  ASSERT_FALSE(program);
  EXPECT_THAT(program.error().message, HasSubstr("t:1:8: error: '1000000' passes"));
  EXPECT_THAT(program.error().message, HasSubstr("10000000"));
}

TEST(Limits, NestedFarBeyondAnyInteger) {
  std::string text;
  for (int i = 0; i < 32; ++i) text += "repeat 9000000000000000000 {\n";
  text += "default: spin 1us\n";
  for (int i = 0; i < 32; ++i) text += "}\n";
  const auto program = read_limited(text);
  ASSERT_FALSE(program);
  EXPECT_THAT(program.error().message, HasSubstr("t:1:8: error: '9000000000000000000' passes"));
}

TEST(Limits, CountsThatDependOnAVariableAreAddedUp) {
  const auto program =
      read_limited("repeat 3000 as i {\nrepeat {i*i+1} {\ndefault: spin 0us\n}\n}\ndefault: spin 601s\n");
  ASSERT_FALSE(program);
  EXPECT_THAT(program.error().message, HasSubstr("t:1:8: error: '3000' passes of this block are more than"));
  EXPECT_THAT(program.error().message, HasSubstr("t:6:15: error:")) << "what follows is read for its errors";
}

// The sum takes too many steps to work out, so the program is expanded until it is too large.
TEST(Limits, WhatCannotBeAddedUpIsStoppedOnTheWay) {
  const auto program =
      read_limited("repeat 7000000 as i {\nrepeat {i%2+1} {\ndefault: spin 0us\n}\n}\ndefault: spin 601s\n");
  ASSERT_FALSE(program);
  EXPECT_THAT(program.error().message, HasSubstr("t:2:8: error: '{i%2+1}' passes"));
  EXPECT_THAT(program.error().message, HasSubstr("at most 10000000: repeat less often (with i="));
  EXPECT_THAT(program.error().message, HasSubstr("t:6:15: error:"));
}

TEST(Limits, CountsThatDependOnAVariableMayBeLarge) {
  const auto program = read_limited("repeat 200 as i {\nrepeat {i+1} {\ndefault: spin 0us\n}\n}\n");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(program->program.operations.size(), 20'101u);
}

TEST(Limits, EmptyRepeatsCostNothing) {
  const auto program =
      read_limited("repeat 9000000000000000000 as i {\nrepeat 1000000000 {\n# nothing\n}\n}\ndefault: spin 1us\n");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(program->program.operations.size(), 2u);
}

TEST(Limits, DeclarationsCountToo) {
  EXPECT_FALSE(read_limited("repeat 1000000000 as i {\nbuffer x{i} 1\n}\n"));
  EXPECT_FALSE(read_limited("repeat 70000 as i {\nstream s{i}\n}\n"));
}

std::string nested(int depth) {
  std::string text;
  for (int i = 0; i < depth; ++i) text += "repeat 1 {\n";
  text += "default: spin 1us\n";
  for (int i = 0; i < depth; ++i) text += "}\n";
  return text;
}

TEST(Limits, ThirtyTwoBlocksDeepAndNoMore) {
  EXPECT_TRUE(read_limited(nested(32)));
  const auto deeper = read_limited(nested(33));
  ASSERT_FALSE(deeper);
  EXPECT_THAT(deeper.error().message, HasSubstr("t:33:1: error: blocks nest 33 deep here; at most 32"));
}

TEST(Limits, AbsurdDepthIsOneErrorAndNoCrash) {
  const auto program = read_limited(nested(200'000));
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().message.find('\n'), std::string::npos);
  const std::string open(2'000'000, '(');
  EXPECT_FALSE(read_limited("buffer x {" + open + "1}\n"));
  EXPECT_FALSE(read_limited("buffer x {" + std::string(2'000'000, '-') + "1}\n"));
  std::string sum = "buffer x {1";
  for (int i = 0; i < 500'000; ++i) sum += "+1";
  EXPECT_FALSE(read_limited(sum + "}\n"));
}

TEST(Limits, ParenthesesNestThirtyTwoDeep) {
  const auto size = [](int depth) {
    return "buffer x {" + std::string(static_cast<std::size_t>(depth), '(') + "4" +
           std::string(static_cast<std::size_t>(depth), ')') + "}\n";
  };
  EXPECT_TRUE(read_limited(size(32)));
  const auto deeper = read_limited(size(33));
  ASSERT_FALSE(deeper);
  EXPECT_THAT(deeper.error().message, HasSubstr("t:1:43: error: the arithmetic nests more than 32 deep"));
}

TEST(Limits, EdgesOfTheRangesAreAllowed) {
  const auto program = read_limited(
      "buffer x 1KiB\n"
      "stream A priority=-2147483648\n"
      "A: spin 0ns blocks=2147483647 threads=1024 smem=227KiB\n"
      "A: spin 600s\n"
      "A: memset x[1023:1] 255\n"
      "A: axpb x[1020:4] fma=1 blocks=1 threads=1\n"
      "A: d2d x[0:512] x[512:512]\n"
      "host: poll A every=1us\n");
  EXPECT_TRUE(program) << program.error().message;
}

TEST(Limits, OneErrorInARepeatIsReportedOnce) {
  const auto program = read_limited("buffer x 4\nrepeat 100000 as i {\ndefault: h2d x[{i+1}:4]\n}\n");
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().message.find('\n'), std::string::npos) << program.error().message;
  EXPECT_THAT(program.error().message, HasSubstr("(with i=0)"));
}

// It is refused anyway: found by a fuzz target, where repeats within repeats of a wrong line took seconds.
TEST(Limits, AfterAnErrorFewFurtherPassesAreLookedAt) {
  const auto errors = [](int at) {
    const auto program =
        read_limited("buffer x 4\nrepeat 4500000 as i {\ndefault: axpb x[0:8] fma=1\ndefault: memset x[{i/" +
                     std::to_string(at) + "*4}:4] 0\n}\ndefault: spin 601s\n");
    return program ? std::string() : program.error().message;
  };
  EXPECT_THAT(errors(1'000), HasSubstr("t:4:"));
  const std::string later = errors(4'000'000);
  EXPECT_THAT(later, HasSubstr("t:3:"));
  EXPECT_EQ(later.find("t:4:"), std::string::npos) << later;
  EXPECT_THAT(later, HasSubstr("t:6:"));
}

}  // namespace
}  // namespace streamscope::program
