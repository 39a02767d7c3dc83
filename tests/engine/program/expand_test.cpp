// From text to the operations it stands for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/program/read_program.h"
#include "tests/support/kernel_options.h"
#include "tests/support/program_of.h"

namespace streamscope::program {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ReadProgram read(std::string_view text) {
  auto result = read_program(text, "test");
  EXPECT_TRUE(result) << result.error().message;
  return result ? std::move(*result) : ReadProgram{};
}

TEST(Expand, TablesStartWithTheTwoDefaultStreams) {
  const Program program =
      read("stream A nonblocking priority=-3\nstreams S 2\nbuffer x 3KiB host=pageable\nevent e notiming\n").program;
  ASSERT_EQ(program.streams.size(), 5u);
  EXPECT_EQ(program.streams[kLegacyStream.value].name, "default");
  EXPECT_EQ(program.streams[kPerThreadStream.value].name, "per-thread");
  EXPECT_EQ(program.streams[2].name, "A");
  EXPECT_TRUE(program.streams[2].nonblocking);
  EXPECT_EQ(program.streams[2].priority, -3);
  EXPECT_EQ(program.streams[4].name, "S1");
  EXPECT_FALSE(program.streams[4].nonblocking);
  EXPECT_EQ(program.streams[4].line, 2u);
  ASSERT_EQ(program.buffers.size(), 1u);
  EXPECT_EQ(program.buffers[0].bytes, 3072u);
  EXPECT_EQ(program.buffers[0].host, HostMemory::pageable);
  EXPECT_FALSE(program.buffers[0].made_in_run);
  ASSERT_EQ(program.events.size(), 1u);
  EXPECT_FALSE(program.events[0].timing);
}

TEST(Expand, RepeatsNestAndCountFromZero) {
  const Program program = read(
                              "buffer x 8KiB\nstreams S 2\n"
                              "repeat 2 as i {\n"
                              "  repeat {i+1} as j {\n"
                              "    S{(i+j)%2}: h2d x[{i*4+j}KiB:1KiB]\n"
                              "  }\n"
                              "}\n")
                              .program;
  EXPECT_THAT(
      tests::described(program),
      ElementsAre("operation 0, line 5: S0: h2d x[0:1024]", "operation 1, line 5: S1: h2d x[4096:1024]",
                  "operation 2, line 5: S0: h2d x[5120:1024]", "operation 3, implied at the end: host: sync device"));
}

TEST(Expand, ArithmeticIsThatOfC) {
  const Program program =
      read("default: spin {2+3*4-10/3%2}us\ndefault: spin {-(2-7)*2}us\ndefault: spin {(0-7)/2+8}us\n").program;
  const auto duration = [&](OperationIndex i) {
    return test_support::option_of(program, program.operations[i].work, "spin", "duration");
  };
  EXPECT_EQ(duration(0), 13'000);
  EXPECT_EQ(duration(1), 10'000);
  EXPECT_EQ(duration(2), 5'000);
}

TEST(Expand, EveryOperationWithItsNumbersAndDefaults) {
  const Program program =
      read(
          "buffer x 1KiB\nbuffer y 1KiB\nstream A\nevent e\n"
          "A: h2d x\nA: d2h x[4:8]\nA: d2d y[0:16] x[16:16]\nA: memset x[0:4] 255\n"
          "A: spin 1.5us\nA: spin 1us blocks=2 threads=3 smem=4\n"
          "A: axpb x fma=64\nA: axpb x fma=1 blocks=5 threads=6\n"
          "A: record e\nA: wait e\nA: hostfn 50us\n"
          "host: work 2us\nhost: sync device\nhost: sync A\nhost: sync e\nhost: poll A\n"
          "host: poll e every=20us\nhost: memcpy d2h x\nhost: malloc t 1MiB\nhost: free t\nhost: touch x\n")
          .program;
  EXPECT_THAT(
      tests::described(program),
      ElementsAre("operation 0, line 5: A: h2d x[0:1024]", "operation 1, line 6: A: d2h x[4:8]",
                  "operation 2, line 7: A: d2d y[0:16] x[16:16]", "operation 3, line 8: A: memset x[0:4] 255",
                  "operation 4, line 9: A: spin 1500ns blocks=1 threads=128 smem=0",
                  "operation 5, line 10: A: spin 1000ns blocks=2 threads=3 smem=4",
                  "operation 6, line 11: A: axpb x[0:1024] fma=64 threads=256",
                  "operation 7, line 12: A: axpb x[0:1024] fma=1 blocks=5 threads=6",
                  "operation 8, line 13: A: record e", "operation 9, line 14: A: wait e",
                  "operation 10, line 15: A: hostfn 50000ns", "operation 11, line 16: host: work 2000ns",
                  "operation 12, line 17: host: sync device", "operation 13, line 18: host: sync A",
                  "operation 14, line 19: host: sync e", "operation 15, line 20: host: poll A every=10000ns",
                  "operation 16, line 21: host: poll e every=20000ns",
                  "operation 17, line 22: host: memcpy d2h x[0:1024]", "operation 18, line 23: host: malloc t 1048576",
                  "operation 19, line 24: host: free t", "operation 20, line 25: host: touch x[0:1024]",
                  "operation 21, implied at the end: host: sync device"));
  EXPECT_EQ(kind(program.operations[17].work), OperationKind::d2h);
  EXPECT_EQ(ordered_in(program.operations[17]), kLegacyStream);
  EXPECT_FALSE(program.operations[17].stream);
  EXPECT_EQ(engine_of(program.operations[0].work), Engine::h2d);
  EXPECT_EQ(engine_of(program.operations[6].work), Engine::compute);
  EXPECT_EQ(engine_of(program.operations[8].work), Engine::none);
  EXPECT_EQ(engine_of(program.operations[12].work), Engine::host);
  EXPECT_EQ(bytes(program.operations[2].work), 16u);
  EXPECT_EQ(bytes(program.operations[4].work), 0u);
  EXPECT_EQ(label(program, program.operations[0].work), "H2D");
  EXPECT_EQ(label(program, program.operations[8].work), "record");
  EXPECT_EQ(label(program, program.operations[18].work), "cudaMalloc");
}

TEST(Expand, AnAllocationInTheRunIsANewBufferEachTime) {
  const Program program = read("repeat 2 {\nhost: malloc t 1MiB\ndefault: memset t 0\nhost: free t\n}\n").program;
  ASSERT_EQ(program.buffers.size(), 2u);
  EXPECT_TRUE(program.buffers[0].made_in_run);
  EXPECT_EQ(std::get<op::Memset>(program.operations[1].work).range.buffer.value, 0u);
  EXPECT_EQ(std::get<op::Memset>(program.operations[4].work).range.buffer.value, 1u);
  EXPECT_EQ(std::get<op::Free>(program.operations[5].work).buffer.value, 1u);
}

TEST(Expand, TheLastSynchronisationIsImpliedOnce) {
  EXPECT_EQ(read("default: spin 1us\nhost: sync device\n").program.operations.size(), 2u);
  const Program implied = read("default: spin 1us\nhost: sync default\n").program;
  ASSERT_EQ(implied.operations.size(), 3u);
  EXPECT_TRUE(std::holds_alternative<op::SyncDevice>(implied.operations[2].work));
  EXPECT_EQ(implied.operations[2].line, 0u);
}

TEST(Expand, AnEmptyProgramIsAllowedWithAWarning) {
  for (const std::string_view text : {"", "# nothing\n", "stream A\n"}) {
    const ReadProgram empty = read(text);
    EXPECT_EQ(empty.program.operations.size(), 1u);
    ASSERT_EQ(empty.warnings.size(), 1u);
    EXPECT_THAT(empty.warnings[0].message, HasSubstr("does nothing"));
  }
}

TEST(Expand, AWaitForNothingIsAWarningUnlessALaterPassFindsARecord) {
  const ReadProgram never = read("event e\nstream A\nA: wait e\n");
  ASSERT_EQ(never.warnings.size(), 1u);
  EXPECT_EQ(never.warnings[0].line, 3u);
  EXPECT_EQ(never.warnings[0].column, 9u);
  EXPECT_THAT(never.warnings[0].message, HasSubstr("waits for nothing"));
  EXPECT_TRUE(read("stream A\nrepeat 2 {\nA: wait e\nA: record e\n}\n").warnings.empty());
  EXPECT_TRUE(read("stream A\nrepeat 4 as i {\nA: wait e{i%2}\nA: record e{i%2}\n}\n").warnings.empty());
}

TEST(Expand, AQuestionAboutAnEventThatHasNoAnswerIsAWarning) {
  const auto only = [](const std::string& text) {
    const ReadProgram program = read(text);
    EXPECT_EQ(program.warnings.size(), 1u) << text;
    return program.warnings.empty() ? std::string() : program.warnings[0].message;
  };
  for (const char* asks : {"query", "poll"})
    EXPECT_THAT(only(fmt::format("event e\nhost: {} e\n", asks)), HasSubstr("the answer is at once that it is done"));
  EXPECT_THAT(only("event e\nstream A\nA: record f\nhost: elapsed e f\n"),
              HasSubstr("no record of 'e' comes before this line, so cudaEventElapsedTime returns"));
  EXPECT_THAT(only("event e notiming\nstream A\nA: record e\nA: record f\nhost: elapsed e f\n"),
              HasSubstr("'e' keeps no time (notiming, line 1)"));
}

TEST(Expand, AnEventMayBeDeclaredBehindItsWait) {
  const ReadProgram program = read("stream A\nA: wait e\nevent e notiming\nA: record e\n");
  ASSERT_EQ(program.program.events.size(), 1u);
  EXPECT_FALSE(program.program.events[0].timing);
}

}  // namespace
}  // namespace streamscope::program
