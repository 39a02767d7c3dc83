// What C++ calls the things of a program, and what a name is that stands for one thing after another.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/cuda_source/cuda_source.h"
#include "engine/program/read_program.h"

namespace streamscope::cuda_source {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string file_of(const std::string& text) {
  const auto read = program::read_program(text, "p.streams");
  EXPECT_TRUE(read) << read.error().message;
  const auto source = write(text, read->program, "folder/p.cu");
  EXPECT_TRUE(source) << source.error().message;
  return source->text;
}

std::string calls_of(const std::string& text) {
  const std::string all = file_of(text);
  const std::size_t from = all.find("void run() {\n");
  return all.substr(from, all.find("\n}\n", from) - from);
}

TEST(CudaSourceNames, WhatIsMadeAgainBehindAResetHasTheVariableThatItHadBefore) {
  EXPECT_EQ(calls_of("buffer x 1MiB\nstream A\nA: h2d x\nhost: reset\nhost: create-stream A\nhost: malloc x 2MiB\n"
                     "A: memset x 1\n"),
            R"(void run() {
  CHECK(cudaMemcpyAsync(x, x_host, x_bytes, cudaMemcpyHostToDevice, A));
  CHECK(cudaDeviceReset());
  CHECK(cudaStreamCreateWithFlags(&A, cudaStreamDefault));
  x_bytes = 2 * MiB;
  CHECK(cudaMalloc(&x, x_bytes));
  CHECK(cudaMemsetAsync(x, 1, x_bytes, A));
  CHECK(cudaDeviceSynchronize());)");
}

TEST(CudaSourceNames, ANameMayComeBackAsAnotherKind) {
  const std::string text =
      "buffer y 1MiB\nstream B\nhost: malloc-host h 1MiB\nB: d2h y to h\nhost: free-host h\nhost: malloc h 1MiB\n"
      "B: memset h 1\nhost: free h\nhost: create-stream A\nhost: sync A\nhost: destroy A\nhost: create-event A\n"
      "B: record A\nhost: sync A\nhost: destroy A\n";
  EXPECT_THAT(file_of(text), HasSubstr("\nchar *h_host = nullptr, *h = nullptr;\n"));
  EXPECT_EQ(calls_of(text), R"(void run() {
  CHECK(cudaMallocHost(&h_host, h_bytes));
  CHECK(cudaMemcpyAsync(h_host, y, y_bytes, cudaMemcpyDeviceToHost, B));
  CHECK(cudaFreeHost(h_host));
  CHECK(cudaMalloc(&h, h_bytes));
  CHECK(cudaMemsetAsync(h, 1, h_bytes, B));
  CHECK(cudaFree(h));
  CHECK(cudaStreamCreateWithFlags(&A, cudaStreamDefault));
  CHECK(cudaStreamSynchronize(A));
  CHECK(cudaStreamDestroy(A));
  CHECK(cudaEventCreateWithFlags(&A_2, cudaEventDefault));
  CHECK(cudaEventRecord(A_2, B));
  CHECK(cudaEventSynchronize(A_2));
  CHECK(cudaEventDestroy(A_2));
  CHECK(cudaDeviceSynchronize());)");
}

TEST(CudaSourceNames, EachAllocationHasItsOwnSize) {
  const std::string text =
      "repeat 3 as i {\n  host: malloc t {i+1}MiB\n  host: memset t 0\n  host: free t\n}\n"
      "repeat 2 as i {\n  host: malloc u 1MiB\n  host: memset u 0\n  host: free u\n}\n";
  EXPECT_THAT(file_of(text), HasSubstr("\nsize_t t_bytes = MiB;\n"));
  EXPECT_THAT(file_of(text), HasSubstr("\nconstexpr size_t u_bytes = MiB;\n"));
  EXPECT_EQ(calls_of(text), R"(void run() {
  for (int i = 0; i < 3; ++i) {
    t_bytes = (i + 1) * MiB;
    CHECK(cudaMalloc(&t, t_bytes));
    CHECK(cudaMemset(t, 0, t_bytes));
    CHECK(cudaFree(t));
  }
  for (int i = 0; i < 2; ++i) {
    CHECK(cudaMalloc(&u, u_bytes));
    CHECK(cudaMemset(u, 0, u_bytes));
    CHECK(cudaFree(u));
  }
  CHECK(cudaDeviceSynchronize());)");
}

// They would write one variable at the same time.
TEST(CudaSourceNames, WhatThreadsMakeEachForItselfIsNotOneVariable) {
  const std::string run = calls_of(
      "default-stream per-thread\nrepeat 2 as i {\n  thread T{i} {\n    host: malloc t 1MiB\n    host: memset t 0\n"
      "    host: free t\n    host: create-stream A\n    A: spin 1us\n    host: destroy A\n  }\n}\n"
      "host: malloc t 1MiB\nhost: free t\n");
  for (const char* name : {"t", "t_2"}) {
    EXPECT_THAT(run, HasSubstr("    CHECK(cudaMalloc(&" + std::string(name) + ", ")) << run;
    EXPECT_THAT(run, HasSubstr("    CHECK(cudaFree(" + std::string(name) + "));\n")) << run;
  }
  EXPECT_THAT(run, HasSubstr("\n  CHECK(cudaMalloc(&t_3, ")) << run;
  EXPECT_THAT(run, HasSubstr("1, 128, 0, A>>>")) << run;
  EXPECT_THAT(run, HasSubstr("1, 128, 0, A_2>>>")) << run;
}

TEST(CudaSourceNames, OnlyManagedMemoryIsTouchedWhereTheDeviceHasIt) {
  const std::string run =
      calls_of("buffer b0 1MiB host=managed\nbuffer b1 1MiB\nrepeat 2 as i {\n  host: touch b{i}\n}\n");
  EXPECT_THAT(run, HasSubstr("  touch(b[0], b_bytes);\n"));
  EXPECT_THAT(run, HasSubstr("  touch(b_host[1], b_bytes);\n"));
}

TEST(CudaSourceNames, WhatACommentSaysIsNoCode) {
  const std::string text = file_of(
      "stream A\n# 4 KiB, 2 MiB, multiprocessors, attributes(A), elapsed(e, f)\nA: spin 1us  # \\\n"
      "A: spin 2us\n");
  EXPECT_THAT(text, Not(HasSubstr("size_t KiB")));
  EXPECT_THAT(text, Not(HasSubstr("size_t MiB")));
  EXPECT_THAT(text, Not(HasSubstr("int multiprocessors")));
  EXPECT_THAT(text, Not(HasSubstr("last_")));
  EXPECT_THAT(text, Not(HasSubstr("\\\n  CHECK"))) << "the next line would be a part of the comment";
  EXPECT_THAT(file_of("buffer b0 1KiB\nbuffer b1 1MiB\nstream A\nrepeat 2 as i {\n  A: h2d b{i}\n}\n"),
              HasSubstr("constexpr size_t KiB = 1024;"));
}

TEST(CudaSourceNames, ALoopStaysOneWhereAnotherNameComesBackAsAnotherKind) {
  const std::string text =
      "streams S 2\nhost: create-stream A\nA: spin 1us\nhost: destroy A\nhost: create-event A\n"
      "repeat 9 as i {\nS{i%2}: spin 1us\n}\nS0: record A\nhost: destroy A\n";
  EXPECT_THAT(calls_of(text), HasSubstr("for (int i = 0; i < 9; ++i) {"));
}

TEST(CudaSourceNames, ACommentAboveADeclarationIsNoCode) {
  EXPECT_THAT(file_of("# 4 KiB more would not fit\nbuffer x 1MiB\nstream A\nA: h2d x\n"),
              Not(HasSubstr("constexpr size_t KiB")));
}

TEST(CudaSourceNames, APollLeavesNoErrorForTheLaunchBehindIt) {
  const std::string poll = "stream A\nA: spin 9us\nhost: poll A\nA: spin 9us\n";
  EXPECT_THAT(file_of(poll), HasSubstr("  if (answer == cudaErrorNotReady) {\n    cudaGetLastError();\n"));
  EXPECT_THAT(file_of(poll + "host: lasterror\n"), HasSubstr("  if (answer == cudaErrorNotReady) return false;\n"));
}

TEST(CudaSourceNames, AnErrorStaysForTheLineThatAsksForIt) {
  const std::string text =
      file_of("buffer x 1MiB\nstream A\nA: fault launch-config\nA: axpb x fma=2\nhost: query A\nhost: lasterror\n");
  EXPECT_THAT(text, HasSubstr("  CHECK(launch(axpb, 2 * multiprocessors, 256, 0, A, reinterpret_cast<float*>(x), "
                              "x_bytes / 4, 2));\n  answer(cudaStreamQuery(A));\n  last_error(cudaGetLastError());\n"));
  const std::string run = text.substr(text.find("void run() {"));
  EXPECT_EQ(run.find("cudaGetLastError()"), run.rfind("cudaGetLastError()")) << "no other call takes it";
}

}  // namespace
}  // namespace streamscope::cuda_source
