// Kernels that a program brings along: declared, launched, ordered, written again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/program/order/in_one_stream.h"
#include "engine/program/order/order.h"
#include "engine/program/read_program.h"
#include "engine/program/syntax/parse.h"
#include "engine/program/syntax/print.h"

namespace streamscope::program {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kOwnDeclarations =
    "kernel scale \"sub/scale.cu\" (float* y, const float* x, float a, int n)\n"
    "kernel tick \"tick.cu\" () nostamp\n"
    "kernel wide \"wide.cu\" (unsigned long long count, double d, size_t s, const float4* v)\n"
    "buffer x 4MiB\nbuffer y 4MiB\nstream A nonblocking\nstream B nonblocking\n";

Program own_program(const std::string& statements) {
  auto read = read_program(std::string(kOwnDeclarations) + statements, "test");
  EXPECT_TRUE(read) << read.error().message;
  return read ? std::move(read->program) : Program{};
}

std::string own_error(const std::string& text) {
  const auto read = read_program(text, "test");
  return read ? std::string("no error") : read.error().message;
}

TEST(OwnKernel, ADeclarationSaysWhatIsReadAndWritten) {
  const Program program = own_program("");
  ASSERT_EQ(program.own_kernels.size(), 3u);
  EXPECT_THAT(program.own_lines, ElementsAre(1u, 2u, 3u));
  const kernels::OwnKernel& scale = *program.own_kernels[0];
  EXPECT_EQ(scale.name, "scale");
  EXPECT_EQ(scale.file, "sub/scale.cu");
  EXPECT_TRUE(scale.stamped);
  EXPECT_FALSE(program.own_kernels[1]->stamped);
  ASSERT_EQ(scale.parameters.size(), 4u);
  using Kind = kernels::Parameter::Kind;
  EXPECT_EQ(scale.parameters[0].kind, Kind::writes);
  EXPECT_EQ(scale.parameters[1].kind, Kind::reads);
  EXPECT_EQ(scale.parameters[1].type, "const float*");
  EXPECT_EQ(scale.parameters[2].kind, Kind::real_number);
  EXPECT_EQ(scale.parameters[3].kind, Kind::whole_number);
  EXPECT_EQ(program.own_kernels[2]->parameters[3].bytes, 16u);
}

TEST(OwnKernel, ALaunchIsDescribedWithAllThatItIsGiven) {
  const Program program = own_program(
      "A: scale y[0:1MiB] x[1MiB:1MiB] 2.5 262144 blocks=1024 threads=128 smem=1KiB time=50us registers=40\n"
      "A: scale y x -1 {3*4}\nA: tick\nA: wide 5000000000 0.25 7 x\n");
  EXPECT_THAT(describe(program, 0),
              HasSubstr("A: scale y[0:1048576] x[1048576:1048576] 2.5 262144 blocks=1024 threads=128"
                        " smem=1024 time=50000ns registers=40"));
  EXPECT_THAT(describe(program, 1), HasSubstr("scale y[0:4194304] x[0:4194304] -1 12 blocks=1 threads=256"));
  EXPECT_THAT(describe(program, 2), HasSubstr("A: tick blocks=1"));
  EXPECT_THAT(describe(program, 3), HasSubstr("wide 5000000000 0.25 7 x[0:4194304]"));
  EXPECT_EQ(kind(program.operations[0].work), OperationKind::kernel);
  EXPECT_EQ(label(program, program.operations[0].work), "scale");
  EXPECT_EQ(bytes(program.operations[0].work), 1u << 20);
  EXPECT_EQ(bytes(program.operations[2].work), 0u);
}

TEST(OwnKernel, ItIsWrittenAsItWasRead) {
  const std::string text =
      std::string(kOwnDeclarations) + "A: scale y x[0:4MiB] 2.5 {3*4} blocks=7 time=50us\nA: tick\n";
  const Parsed parsed = parse(text);
  ASSERT_TRUE(parsed.diagnostics.empty()) << parsed.diagnostics[0].message;
  EXPECT_EQ(print(parsed.syntax), text);
}

TEST(OwnKernel, ItsRangesTakePartInHazards) {
  const auto found = [](const char* statements) { return hazards(own_program(statements)).size(); };
  EXPECT_EQ(found("A: scale y x 2 4\nB: h2d y\n"), 1u) << "written";
  EXPECT_EQ(found("A: scale y x 2 4\nB: d2h y\n"), 1u) << "written";
  EXPECT_EQ(found("A: scale y x 2 4\nB: h2d x\n"), 1u) << "read";
  EXPECT_EQ(found("A: scale y x 2 4\nB: d2h x\n"), 0u) << "both read";
  EXPECT_EQ(found("A: scale y[0:4] x 2 4\nB: d2h y[4:4]\n"), 0u);
  EXPECT_EQ(found("A: scale y x 2 4\nA: record e\nB: wait e\nB: d2h y\n"), 0u);
}

TEST(OwnKernel, RepeatsGraphsAndOneStreamKeepItsArguments) {
  const Program program = own_program(
      "graph G on A {\n  A: scale y[0:1MiB] x[0:1MiB] 2 9\n}\n"
      "repeat 2 as i {\n  B: scale y[{i*64}KiB:64KiB] x 2 {i+5}\n}\nA: launch G\n");
  const auto serial = in_one_stream(program);
  ASSERT_TRUE(serial);
  for (const Program* const one : {&program, &*serial}) {
    std::string all;
    for (OperationIndex i = 0; i < one->operations.size(); ++i) all += describe(*one, i) + "\n";
    EXPECT_THAT(all, HasSubstr("scale y[0:65536] x[0:4194304] 2 5 "));
    EXPECT_THAT(all, HasSubstr("scale y[65536:65536] x[0:4194304] 2 6 "));
    EXPECT_THAT(all, HasSubstr("scale y[0:1048576] x[0:1048576] 2 9 "));
  }
}

TEST(OwnKernel, WhatIsWrongHasItsPlaceAndSaysWhatToWrite) {
  const std::string with(kOwnDeclarations);
  const struct {
    std::string text, wanted;
  } cases[] = {
      {"kernel k k.cu (int n)\n", "test:1:10: error: expected the file of its source in quotes"},
      {"kernel k \"k.cu\" int n\n", "test:1:17: error: expected its parameters in brackets"},
      {"kernel k \"/etc/k.cu\" (int n)\n", "test:1:10: error: \"/etc/k.cu\" is no place for the source"},
      {"kernel k \"../../.ssh/id_rsa\" ()\n", "test:1:10: error: \"../../.ssh/id_rsa\" is no place for the source"},
      {"kernel k \"sub/../../k.cu\" ()\n", "\"sub/../../k.cu\" is no place for the source"},
      {"kernel k \"sub/..\" ()\n", "\"sub/..\" is no place for the source"},
      {"kernel k \"k.cu\" (n)\n", "test:1:17: error: 'n': a parameter is a type and a name"},
      {"kernel k \"k.cu\" (bool n)\n", "'bool n': a number is int, unsigned"},
      {"kernel k \"k.cu\" (float** p)\n", "'float** p': a pointer is to one type"},
      {"kernel k \"k.cu\" (int n, int n)\n", "two parameters are named 'n'"},
      {"kernel h2d \"k.cu\" (int n)\n", "'h2d' is no name for a kernel"},
      {"kernel x \"k.cu\" (int n)\nbuffer x 1MiB\n", "'x' is declared twice: it is a kernel of line 1"},
      {with + "A: scale y x 2\n",
       "test:8:4: error: 'scale' of line 1 has 4 parameters (float* y, const float* x, float a, "
       "int n), found 3 for them"},
      {with + "A: scale 3 x 2 4\n", "test:8:10: error: 'float* y' takes a range"},
      {with + "A: scale y x x 4\n", "test:8:14: error: 'float a' takes a number, found a range"},
      {with + "A: scale y x 2 4.5\n", "test:8:16: error: 'int n' takes a whole number, found '4.5'"},
      {with + "A: scale y x 2 3000000000\n", "'int n' must be from -2147483648 to 2147483647"},
      {with + "A: scale y[2:8] x 2 4\n", "'float* y': the offset must be a multiple of 4 bytes, found 2; write 0"},
      {with + "A: scale y[0:8MiB] x 2 4\n", "test:8:"},
      {with + "A: scale z x 2 4\n", "unknown buffer 'z'"},
      {with + "A: scale y x 2 4 blocks=0\n", "'blocks'"},
      {with + "A: scale y x 2 4 grid=0\n", "or an option (blocks, threads, smem, time, registers), found 'grid'"},
      {with + "A: scal y x 2 4\n", "unknown operation 'scal'"},
      {"stream A\nA: late\nkernel late \"k.cu\" ()\n", "unknown operation 'late'"},
      {with + "host: scale y x 2 4\n", "unknown operation 'scale'"},
  };
  for (const auto& one : cases) EXPECT_THAT(own_error(one.text), HasSubstr(one.wanted)) << one.text;
}

}  // namespace
}  // namespace streamscope::program
