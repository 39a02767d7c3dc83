// Programs of several devices as CUDA C++.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/cuda_source/cuda_source.h"
#include "engine/program/read_program.h"

namespace streamscope::cuda_source {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

std::string text_of(const std::string& text) {
  const auto read = program::read_program(text, "p.streams");
  EXPECT_TRUE(read) << read.error().message;
  const auto source = write(text, read->program, "p.cu");
  EXPECT_TRUE(source) << source.error().message;
  return source ? source->text : "";
}
std::string body_of(const std::string& function, const std::string& source) {
  const std::size_t from = source.find("void " + function + "() {\n");
  return from == std::string::npos ? "" : source.substr(from, source.find("\n}\n", from) - from);
}

constexpr const char* kTwo =
    "buffer x 1MiB device=0,1\n"
    "stream A nonblocking\n"
    "stream B device=1 nonblocking\n"
    "host: peer 0 1 on\n"
    "A: h2d x\n"
    "A: peer x[0:4KiB]@1 x[4KiB:4KiB]@0\n"
    "A: record e\n"
    "B: wait e\n"
    "B: axpb x fma=1\n"
    "host: device 1\n"
    "host: memcpy d2h x\n";

TEST(CudaSourceOfDevices, EachStatementUsesTheSideOfItsDevice) {
  EXPECT_EQ(body_of("run", text_of(kTwo)), R"(void run() {
  peer_access(0, 1, true);
  CHECK(cudaMemcpyAsync(x, x_host, x_bytes, cudaMemcpyHostToDevice, A));
  CHECK(cudaMemcpyPeerAsync(x_on1, 1, x + 4 * KiB, 0, 4 * KiB, A));
  CHECK(cudaEventRecord(e, A));
  CHECK(cudaStreamWaitEvent(B, e, 0));
  axpb<<<2 * multiprocessors, 256, 0, B>>>(reinterpret_cast<float*>(x_on1), x_bytes / 4, 1);
  CHECK(cudaGetLastError());
  CHECK(cudaSetDevice(1));
  CHECK(cudaMemcpy(x_host, x_on1, x_bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaSetDevice(0));
  CHECK(cudaDeviceSynchronize());)");
}

TEST(CudaSourceOfDevices, EachThingIsMadeOnItsDevice) {
  const std::string made = body_of("set_up", text_of(kTwo));
  EXPECT_THAT(made, HasSubstr("CHECK(cudaSetDevice(1));\n  CHECK(cudaMalloc(&x_on1, x_bytes));"));
  EXPECT_THAT(made,
              HasSubstr("CHECK(cudaSetDevice(1));\n  CHECK(cudaStreamCreateWithFlags(&B, cudaStreamNonBlocking));"));
  EXPECT_THAT(made, HasSubstr("CHECK(cudaSetDevice(0));\n  CHECK(cudaEventCreate(&e));"));
}

// What is a device's own is said to each; where nothing is, nothing is written.
TEST(CudaSourceOfDevices, ALoopOverThemSetsUpWhatEachHasOfItsOwn) {
  EXPECT_THAT(body_of("set_up", text_of(kTwo)), Not(HasSubstr("for (int device")));
  const std::string pool = std::string(kTwo) + "A: malloc t 1MiB\nA: free t\n";
  EXPECT_THAT(body_of("set_up", text_of(pool)), EndsWith(R"(
  for (int device = 1; device >= 0; --device) {
    CHECK(cudaSetDevice(device));
    // cudaMallocAsync's pool keeps what is freed, so that each run finds it there.
    cudaMemPool_t pool;
    CHECK(cudaDeviceGetDefaultMemPool(&pool, device));
    unsigned long long keep = ~0ull;
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  })"));
  // Graphs are captured with the first one current.
  const std::string graph = "stream B device=1\nstream A\ngraph G on A {\n  A: spin 1us\n}\nA: launch G\nB: spin 1us\n";
  EXPECT_THAT(body_of("set_up", text_of(graph)), HasSubstr("(&A));\n  CHECK(cudaSetDevice(0));\n  {\n"));
}

TEST(CudaSourceOfDevices, WhatFailsBeginsWithTheFirst) {
  EXPECT_THAT(text_of("buffer x 1MiB device=0,1\nstream A\nA: h2d x\nA: fault trap\n"),
              HasSubstr("  program::fill_buffers();\n  program::begin_anew();\n  const auto begin"));
}

TEST(CudaSourceOfDevices, EachRunBeginsWithTheFirstAndWithoutAccess) {
  const std::string begin = body_of("begin_anew", text_of(kTwo));
  EXPECT_THAT(begin, HasSubstr("for (int device = 1; device >= 0; --device)"));
  EXPECT_THAT(begin, HasSubstr("device == 1 && cudaDeviceDisablePeerAccess(0)"));
  EXPECT_THAT(text_of(kTwo), HasSubstr("    program::begin_anew();\n    const auto begin"));
}

// Of a loop whose passes are on different devices each says its own.
TEST(CudaSourceOfDevices, ALoopOverDevicesIsWrittenOut) {
  const std::string run = body_of(
      "run", text_of("buffer x 1MiB device=0,1\nstream S0\nstream S1 device=1\nrepeat 2 as i {\n  S{i}: memset x {i}\n"
                     "}\nrepeat 2 {\n  host: device 1\n  host: memset x 3\n  host: device 0\n}\n"));
  EXPECT_THAT(run, Not(HasSubstr("for (")));
  EXPECT_THAT(run, HasSubstr("cudaMemsetAsync(x, 0, x_bytes, S[0])"));
  EXPECT_THAT(run, HasSubstr("cudaMemsetAsync(x_on1, 1, x_bytes, S[1])"));
  EXPECT_THAT(run, HasSubstr("CHECK(cudaSetDevice(1));\n  CHECK(cudaMemset(x_on1, 3, x_bytes));"));
}

TEST(CudaSourceOfDevices, OneIsWrittenAsBefore) {
  const std::string source = text_of("buffer x 1MiB\nstream A\nA: h2d x\n");
  EXPECT_THAT(source, Not(HasSubstr("cudaSetDevice")));
  EXPECT_THAT(source, Not(HasSubstr("begin_anew")));
}

}  // namespace
}  // namespace streamscope::cuda_source
