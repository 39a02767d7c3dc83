// A program's own kernel up to where a GPU is needed: refused unasked, wrapped, compiled, its errors placed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/device/cuda/instrument/instrument.h"
#include "engine/device/cuda/own/compile.h"
#include "kernels/own/wrap.h"
#include "tests/engine/cuda/contract.h"
#include "tests/support/program_of.h"

namespace streamscope::cuda {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

kernels::OwnKernel own(const char* parameters, bool stamped = true) {
  auto all = kernels::parameters_of(parameters);
  EXPECT_TRUE(all) << all.error().message;
  return {"mine", "mine.cu", std::move(*all), stamped};
}

TEST(OwnKernels, AreRefusedWhereNobodyAskedForThem) {
  fake_cuda::reset();
  const auto context = open_context(0, {.host_clock = fake_cuda::host_clock});
  ASSERT_TRUE(context) << context.error().message;
  const program::Program program = tests::program_of("stream A\nkernel k \"k.cu\" ()\nA: k\n");
  const auto loaded = CudaProgram::load(*context, program, {.own = {{"other.cu", "__global__ void k() {}"}}});
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(loaded.error().message, HasSubstr("line 2: k is code of the program's own, in k.cu"));
  EXPECT_THAT(loaded.error().message, HasSubstr("--own-kernels"));
  EXPECT_TRUE(loaded.error().wants_own_code);
}

TEST(OwnKernels, KeepLinesAndColumnsWhereTheyAreWrapped) {
  constexpr std::string_view kSource =
      "// my __global__x\nextern \"C\" __global__ void __launch_bounds__(64, 2)\nmine(int n) {}\n";
  const std::string text = kernels::wrapped(own("(int n, const float* x)"), kSource);
  EXPECT_THAT(text, HasSubstr("\n#line 1 \"mine.cu\"\n// my __global__x\nextern \"C\" __device__ void "
                              "__launch_bounds__(64, 2)\nmine(int n) {}\n"));
  EXPECT_THAT(text, HasSubstr("__attribute__((launch_bounds(64, 2))) streamscope_once(int streamscope_n, const float* "
                              "streamscope_x, unsigned long long* streamscope_stamp"));
  EXPECT_THAT(text, HasSubstr("::mine(streamscope_n, streamscope_x);"));
  EXPECT_THAT(kernels::wrapped(own("()"), "__global__ void __launch_bounds__(8) other();\n__global__ void mine() {}"),
              Not(HasSubstr("launch_bounds(8)")));
}

TEST(OwnKernels, HaveTheirErrorsAtALineAndAColumn) {
  constexpr std::string_view kLog =
      "mine.cu(1): warning #1: odd\n  #pragma x\n          ^\n\nRemark: text\n\n"
      "mine.cu(3): error: identifier \"foo\" is undefined\n    x[i] = foo;\n           ^\n\n"
      "mine.cu(9): error: expected a \";\"\n\n2 errors detected in the compilation of \"mine.cu\".\n";
  EXPECT_EQ(kernels::errors_of(kLog),
            "mine.cu:3:10: error: identifier \"foo\" is undefined\nmine.cu:9: error: expected a \";\"");
  EXPECT_EQ(kernels::errors_of("no compiler\n"), "no compiler\n");
}

// What stamps add to each block makes many wide blocks longer: an event tells when they have ended.
TEST(OwnKernels, OfManyWideBlocksHaveNoStamps) {
  const auto has_end = [](const char* declared, const char* launch) {
    const program::Program program =
        tests::program_of(std::string("stream A\nkernel k \"k.cu\" ()") + declared + "\nA: k" + launch + "\n");
    return has_end_event(program, program.operations.at(0));
  };
  EXPECT_FALSE(has_end("", ""));
  EXPECT_FALSE(has_end("", " blocks=1023 threads=1024"));
  EXPECT_FALSE(has_end("", " blocks=100000 threads=511"));
  EXPECT_TRUE(has_end("", " blocks=1024 threads=512"));
  EXPECT_TRUE(has_end(" nostamp", ""));
}

TEST(OwnKernels, HaveErrorsThatCanBeReadAgainWithinAMessage) {
  constexpr std::string_view kLog =
      "sub/my file.cu(3): error: identifier \"foo\" is undefined: x\n    x[i] = foo;\n           ^\n\n"
      "sub/my file.cu(9): error: expected a \";\"\n\n2 errors detected.\n";
  const std::string message =
      "line 7: the kernel k does not compile:\n" + kernels::errors_of(kLog) + "\nThe parameters of k: must be those.";
  EXPECT_EQ(kernels::source_errors(message),
            (std::vector<kernels::SourceError>{{"sub/my file.cu", 3, 10, "error: identifier \"foo\" is undefined: x"},
                                               {"sub/my file.cu", 9, 0, "error: expected a \";\""}}));
  for (const char* const other : {"", "line 7: k is code", "line 7:", "k.cu:0: error: x", ":3: error", "k.cu:3:"})
    EXPECT_TRUE(kernels::source_errors(other).empty()) << other;
}

// NVRTC needs no GPU.
TEST(OwnKernels, AreCompiledWhereNvrtcIsFound) {
  const auto compiled =
      compile(own("(float* x, int n)"), "__global__ void mine(float* x, int n) { x[n] = 1; }\n", "9.0");
  if (!compiled && compiled.error().message.find("NVRTC") == 0) GTEST_SKIP() << "skipped: " << compiled.error().message;
  ASSERT_TRUE(compiled) << compiled.error().message;
  EXPECT_GT(compiled->cubin.size(), 1000u);
  EXPECT_EQ(compiled->functions[1], "streamscope_once");
  const auto itself = compile(own("(int n)", false), "__global__ void mine(int n) {}\n", "8.0");
  ASSERT_TRUE(itself) << itself.error().message;
  EXPECT_THAT(itself->functions[0], HasSubstr("mine"));
  EXPECT_EQ(itself->functions[0], itself->functions[2]);
  const auto wrong = compile(own("(int n)"), "__global__ void mine(int n) {\n  int i = foo;\n}\n", "9.0");
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message, HasSubstr("mine.cu:2:11: error: identifier \"foo\" is undefined"));
  const auto other = compile(own("(int n)"), "__global__ void mine(float* x) {}\n", "9.0");
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("`nostamp`"));
}

// Launched as it is, it would read what nobody gave.
TEST(OwnKernels, ThatNobodyCallsHaveTheParametersThatAreDeclared) {
  const auto compiled = [](const char* declared, std::string_view takes) {
    return compile(own(declared, false), fmt::format("__global__ void mine({}) {{}}\n", takes), "9.0");
  };
  const auto right = compiled("(float* x, const float* y, int n, size_t m)",
                              "float* __restrict__ x, const float* __restrict__ y, const int n, size_t m");
  if (!right && right.error().message.find("NVRTC") == 0) GTEST_SKIP() << "skipped: " << right.error().message;
  EXPECT_TRUE(right) << right.error().message;
  for (const std::string_view takes : {"float* x", "double n", "int n, int m", "const int* n"}) {
    const auto other = compiled("(int n)", takes);
    ASSERT_FALSE(other) << takes;
    EXPECT_THAT(other.error().message, HasSubstr("those that are declared"));
  }
  EXPECT_FALSE(compiled("()", "float* x"));
}

}  // namespace
}  // namespace streamscope::cuda
