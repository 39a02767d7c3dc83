#include "engine/cuda_source/cuda_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <sstream>
#include <tuple>

#include "engine/program/read_program.h"

namespace streamscope::cuda_source {
namespace {

using testing::HasSubstr;
using testing::Not;

CudaSource source_of(const std::string& text) {
  const auto read = program::read_program(text, "p.streams");
  EXPECT_TRUE(read) << read.error().message;
  const auto source = write(text, read->program, "folder/p.cu");
  EXPECT_TRUE(source) << source.error().message;
  return *source;
}

std::string run_of(const std::string& text) {
  const std::string all = source_of(text).text;
  const std::size_t from = all.find("void run() {\n");
  return all.substr(from, all.find("\n}\n", from) - from);
}

constexpr const char* kPipeline =
    "buffer x 64MiB\n"
    "streams S 4 nonblocking\n"
    "repeat 16 as i {\n"
    "  S{i%4}: h2d x[{i*4}MiB:4MiB]  # in\n"
    "  S{i%4}: axpb x[{i*4}MiB:4MiB] fma=64\n"
    "}\n";

TEST(CudaSource, LoopsStayLoopsAndNumberedNamesAreArrays) {
  EXPECT_EQ(run_of(kPipeline),
            R"(void run() {
  for (int i = 0; i < 16; ++i) {
    CHECK(cudaMemcpyAsync(x + i * 4 * MiB, x_host + i * 4 * MiB, 4 * MiB, cudaMemcpyHostToDevice, S[i % 4]));  // in
    axpb<<<2 * multiprocessors, 256, 0, S[i % 4]>>>(reinterpret_cast<float*>(x + i * 4 * MiB), 4 * MiB / 4, 64);
    CHECK(cudaGetLastError());
  }
  CHECK(cudaDeviceSynchronize());)");
}

// Of several threads that ask each keeps its own answers, and main() reads only its own.
TEST(CudaSource, EachThreadKeepsWhatItAskedFor) {
  const std::string begin = "stream A\nA: record a\nA: record b\nhost: sync b\n",
                    asks = "host: elapsed a b\nhost: attributes A\nhost: capture-info A\n";
  const auto in_thread = [&](const std::string& name) { return "thread " + name + " {\n" + asks + "}\n"; };
  const std::array kept{"float last_elapsed = -1;", "struct Attributes {",
                        "cudaStreamCaptureStatus last_capture = cudaStreamCaptureStatusNone;"};
  const std::array printed{"program::last_elapsed", "program::last_attributes", "program::last_capture"};
  for (const auto& [text, several, by_main] :
       {std::tuple{begin + asks, false, true}, std::tuple{begin + in_thread("T"), false, true},
        std::tuple{begin + in_thread("T") + asks, true, true},
        std::tuple{begin + in_thread("T") + in_thread("U"), true, false}}) {
    const std::string all = source_of(text).text;
    for (const char* one : kept) EXPECT_THAT(all, HasSubstr((several ? "\nthread_local " : "\n") + std::string(one)));
    for (const char* one : printed) EXPECT_EQ(all.find(one) != std::string::npos, by_main) << text;
  }
}

TEST(CudaSource, AKernelOfTheProgramsOwnIsIncludedAndLaunched) {
  const std::string text =
      "kernel mine \"sub/mine.cu\" (float* y, const float* x, float a, int n)\nbuffer x 4MiB\nbuffer y 4MiB\nstream A\n"
      "repeat 4 as i {\n  A: mine y[{i}MiB:1MiB] x 2.5 {i*4} blocks=1024 threads=128 smem=64KiB time=5us\n}\n";
  EXPECT_THAT(source_of(text).text, HasSubstr("\n#include \"sub/mine.cu\"  // the program's own\n\n#undef CHECK\n"));
  EXPECT_THAT(run_of(text), HasSubstr("CHECK(cudaFuncSetAttribute(::mine, "
                                      "cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));"));
  EXPECT_THAT(run_of(text), HasSubstr("::mine<<<1024, 128, 65536, A>>>(reinterpret_cast<float*>(y + i * MiB), "
                                      "reinterpret_cast<const float*>(x),"));
  EXPECT_THAT(run_of(text), HasSubstr("static_cast<float>(2.5), i * 4);"));
}

// Dynamic memory of exactly 48 KiB was refused with cudaErrorInvalidValue, for the barriers beside it.
TEST(CudaSource, SharedMemoryIsAskedForWithWhatTheKernelDeclaresItself) {
  const std::string text =
      "buffer x 4MiB\nstream A\nA: tiles x fma=1 copy=barrier tile=16KiB stages=3\nhost: sync device\n";
  EXPECT_THAT(source_of(text).text,
              HasSubstr("CHECK(cudaFuncSetAttribute(tiles, cudaFuncAttributeMaxDynamicSharedMemorySize, 49152));"));
}

TEST(CudaSource, TheFirstLineSaysHowItIsCompiled) {
  EXPECT_THAT(source_of(kPipeline).text, testing::StartsWith("// nvcc -std=c++17 -O3 p.cu -o p\n"));
  EXPECT_THAT(source_of("buffer x 1MiB\nstream A\nA: tiles x fma=1\n").text,
              testing::StartsWith("// nvcc -std=c++17 -O3 -arch=sm_80 p.cu -o p\n"));
  EXPECT_THAT(source_of("buffer x 1MiB\nstream A\nA: tiles x fma=1 copy=bulk\n").text,
              testing::StartsWith("// nvcc -std=c++17 -O3 -arch=sm_90 p.cu -o p\n"));
}

TEST(CudaSource, HostMemoryIsAllocatedAndRegisteredWhereTheProgramSaysSo) {
  const std::string all = source_of(
                              "buffer x 1MiB host=pageable\nstream A\nhost: malloc-host h 4KiB\nhost: register x\nA: "
                              "d2h x[0:4KiB] to h\nhost: free-host h\nhost: malloc-host left 8KiB\n")
                              .text;
  EXPECT_THAT(all, HasSubstr("char* h_host = nullptr;\n"));
  EXPECT_THAT(all, HasSubstr("  CHECK(cudaMallocHost(&h_host, h_bytes));\n"));
  EXPECT_THAT(all, HasSubstr("  CHECK(cudaHostRegister(x_host, x_bytes, cudaHostRegisterDefault));\n"));
  EXPECT_THAT(all, HasSubstr("  CHECK(cudaMemcpyAsync(h_host, x, 4 * KiB, cudaMemcpyDeviceToHost, A));\n"));
  EXPECT_THAT(all, HasSubstr("  CHECK(cudaFreeHost(h_host));\n"));
  EXPECT_THAT(all, HasSubstr("    CHECK(cudaFreeHost(program::left_host));  // the program leaves it behind\n"));
  EXPECT_THAT(all, HasSubstr("    CHECK(cudaHostUnregister(program::x_host));  // the program leaves it registered\n"));
}

// It runs once, and tells of each call that fails.
TEST(CudaSource, AProgramThatFailsOnPurposeGoesOn) {
  const std::string all =
      source_of("buffer x 1MiB\nstream A\nA: fault trap\nhost: lasterror peek\nhost: lasterror\nhost: reset\n").text;
  EXPECT_THAT(all, Not(HasSubstr("std::exit")));
  EXPECT_THAT(all, HasSubstr("  CHECK(fault_trap(A));\n"));
  EXPECT_THAT(all, HasSubstr("  last_error(cudaPeekAtLastError());\n  last_error(cudaGetLastError());\n"));
  EXPECT_THAT(all, HasSubstr("  CHECK(cudaDeviceReset());\n"));
  EXPECT_THAT(all, HasSubstr("int main() {\n"));
  EXPECT_THAT(all, Not(HasSubstr("program::clean_up()")));
}

TEST(CudaSource, EachLineKnowsTheProgramsLine) {
  const CudaSource source = source_of(kPipeline);
  std::istringstream lines(source.text);
  std::string line;
  std::vector<std::uint32_t> of_calls;
  std::size_t count = 0;
  for (; std::getline(lines, line); ++count) {
    ASSERT_LT(count, source.lines.size());
    if (line.find("S[i % 4]") != std::string::npos) of_calls.push_back(source.lines[count]);
    if (line.starts_with("constexpr size_t x_bytes")) {
      EXPECT_EQ(source.lines[count], 1u);
    }
    if (line.starts_with("cudaStream_t S")) {
      EXPECT_EQ(source.lines[count], 2u);
    }
  }
  EXPECT_EQ(count, source.lines.size());
  EXPECT_EQ(of_calls, (std::vector<std::uint32_t>{4, 5}));
}

// The written lines that come from a line of the program.
std::vector<std::string> lines_from(const CudaSource& source, std::uint32_t program_line) {
  std::vector<std::string> out;
  std::istringstream lines(source.text);
  std::string line;
  for (std::size_t i = 0; std::getline(lines, line); ++i)
    if (source.lines[i] == program_line) out.push_back(line);
  return out;
}

TEST(CudaSource, WhatALineBecomesBeginsWithItsCall) {
  const CudaSource source = source_of("stream A\nA: malloc t 1MiB\nA: memset t 0\nA: record done\nA: free t\n");
  const auto shown = [&](const std::set<std::uint32_t>& lines) {
    std::istringstream text(source.text);
    std::string line;
    for (std::size_t i = 0; i <= first_line(source, lines); ++i) std::getline(text, line);
    return line;
  };
  EXPECT_THAT(shown({2, 3}), HasSubstr("cudaMallocAsync(")) << "and not with the pointer that it declares";
  EXPECT_THAT(shown({4}), HasSubstr("cudaEventRecord("));
  EXPECT_THAT(shown({1}), HasSubstr("cudaStream_t A")) << "of what calls nothing where it is declared";
  EXPECT_EQ(first_line(source, {9}), source.lines.size());
}

TEST(CudaSource, AllThatADeclarationMakesComesFromItsLine) {
  using testing::Contains;
  using testing::ElementsAre;
  const CudaSource source = source_of(
      "buffer x 1MiB\nstream A\nevent e\nA: h2d x\nA: record e\nthread T {\n  host: work 1us\n}\nA: record f\n");
  EXPECT_THAT(lines_from(source, 3),
              ElementsAre("cudaEvent_t e;", "  CHECK(cudaEventCreate(&e));", "  CHECK(cudaEventDestroy(e));"));
  EXPECT_THAT(lines_from(source, 9), Contains("cudaEvent_t f;")) << "it is declared where it is recorded first";
  EXPECT_THAT(lines_from(source, 6), Contains("std::thread T;"));
  for (const char* made : {"  CHECK(cudaMalloc(&x, x_bytes));", "  fill(x, x_bytes, 1);", "  CHECK(cudaFree(x));"})
    EXPECT_THAT(lines_from(source, 1), Contains(made));
}

TEST(CudaSource, LoopsOverOtherNamesAreWrittenOut) {
  EXPECT_EQ(run_of("buffer in0x 1MiB\nbuffer in1x 1MiB\nstream A\nrepeat 2 as i {\n  A: h2d in{i}x\n}\n"),
            R"(void run() {
  // i = 0
  CHECK(cudaMemcpyAsync(in0x, in0x_host, in0x_bytes, cudaMemcpyHostToDevice, A));
  // i = 1
  CHECK(cudaMemcpyAsync(in1x, in1x_host, in1x_bytes, cudaMemcpyHostToDevice, A));
  CHECK(cudaDeviceSynchronize());)");
}

// What decides the text of a kernel is no argument of it.
TEST(CudaSource, SoAreLoopsOverWhatDecidesAKernelsText) {
  const std::string text = source_of(
                               "buffer x 1MiB\nstream A\nrepeat 3 as i {\n  A: tiles x fma={i+1} stages={i+2}\n}\n"
                               "repeat 3 as i {\n  A: axpb x fma={i+1}\n}\n")
                               .text;
  for (const char* function : {" tiles(", " tiles_2(", " tiles_3("}) EXPECT_THAT(text, HasSubstr(function));
  EXPECT_THAT(text, Not(HasSubstr(" axpb_2(")));
  EXPECT_THAT(text, HasSubstr("x_bytes / 4, i + 1);"));
}

TEST(CudaSource, CopiesOfRowsNameBothPitches) {
  EXPECT_EQ(run_of("buffer x 8MiB\nbuffer y 8MiB\nstream A\nrepeat 2 as i {\n"
                   "  A: h2d x[{i*4}KiB:7MiB] rows=512 width=4KiB pitch=8KiB\n}\n"
                   "A: d2h x to y rows=9 width=100 host-pitch=200\nA: d2d y x rows=9 width=100 from-pitch=1KiB\n"),
            R"(void run() {
  for (int i = 0; i < 2; ++i) {
    CHECK(cudaMemcpy2DAsync(x + i * 4 * KiB, 8 * KiB, x_host + i * 4 * KiB, 8 * KiB, 4 * KiB, 512,
        cudaMemcpyHostToDevice, A));
  }
  CHECK(cudaMemcpy2DAsync(y_host, 200, x, 100, 100, 9, cudaMemcpyDeviceToHost, A));
  CHECK(cudaMemcpy2DAsync(y, 100, x, KiB, 100, 9, cudaMemcpyDeviceToDevice, A));
  CHECK(cudaDeviceSynchronize());)");
}

TEST(CudaSource, AxpbFromOneRangeToAnotherHasTwoPointers) {
  const std::string text = source_of("buffer x 1MiB\nbuffer y 1MiB\nstream A\nA: axpb y from x fma=2\n").text;
  EXPECT_THAT(text, HasSubstr("axpb(float* to, const float* from, size_t count, int fma)"));
  EXPECT_THAT(text, HasSubstr("(reinterpret_cast<float*>(y), reinterpret_cast<const float*>(x),\n"));
}

// Each asks for as much as the one that needs the most, so that is known before the first is told.
TEST(CudaSource, KernelsWhoseBlocksAreAloneGetAsMuchMemory) {
  const std::string all =
      source_of("buffer x 8MiB\nstream A\nA: attention x heads=1\nA: attention x heads=1 head=128\n").text;
  const std::size_t known = all.find("memory_of_block = std::max"), told = all.find("cudaFuncSetAttribute(");
  ASSERT_NE(known, std::string::npos);
  EXPECT_LT(known, told);
  EXPECT_EQ(all.find("memory_of_block = std::max", known + 1), std::string::npos);
  EXPECT_NE(all.find("cudaFuncSetAttribute(", told + 1), std::string::npos);
}

TEST(CudaSource, WhatIsLeftOutOnPurposeIsSaid) {
  const auto source = [](const std::string& options) {
    return source_of("buffer x 1MiB\nstream A\nA: tiles x fma=1 stages=3 " + options + "\n").text;
  };
  EXPECT_THAT(source("wait=0"), HasSubstr(R"(asm volatile("cp.async.wait_group %0;" : : "n"(0) : "memory");)"));
  EXPECT_THAT(source("wait=5"), HasSubstr("// Too many on purpose"));
  EXPECT_THAT(source("leave-out=wait"), HasSubstr("// Left out on purpose: asm volatile(\"cp.async.wait_group"));
  EXPECT_THAT(source("leave-out=barrier"), HasSubstr("// Left out on purpose: __syncthreads()."));
  EXPECT_THAT(source("smem-align=4 bytes=4"), HasSubstr("(shared_memory + 4)"));
}

TEST(CudaSource, OfTooManyLinesAnErrorSaysWhatToDo) {
  const std::string text = "stream A0B\nstream A1B\nrepeat 200000 as i {\n  A{i%2}B: spin 1us\n}\n";
  const auto read = program::read_program(text, "p");
  ASSERT_TRUE(read);
  const auto source = write(text, read->program, "p.cu");
  ASSERT_FALSE(source);
  EXPECT_THAT(source.error().message, HasSubstr("no plain array"));
}

TEST(CudaSource, LargeNumbersMakeLoopsWide) {
  EXPECT_THAT(run_of("buffer x 1MiB\nstream A\nrepeat 2 as i {\n  A: memset x[0:{i*3000000000/6000000000+1}] 0\n}\n"),
              HasSubstr("for (long long i = 0; i < 2; ++i) {"));
}

TEST(CudaSource, GraphsAreCapturedBeforeAndLaunched) {
  const std::string program =
      "stream A nonblocking\nstream B nonblocking\ngraph G on A {\n  A: spin 5us\n  A: record e\n  B: wait e\n"
      "  B: spin 5us\n  B: record f\n  A: wait f\n}\nA: launch G\nA: record e\nB: wait e\n";
  const std::string text = source_of(program).text;
  EXPECT_LT(text.find("cudaStreamBeginCapture(A, cudaStreamCaptureModeThreadLocal)"), text.find("void run()"));
  EXPECT_THAT(run_of(program), HasSubstr("CHECK(cudaGraphLaunch(G, A));\n  CHECK(cudaEventRecord(e, A));"));
  // An event that was recorded under capture has no meaning outside.
  EXPECT_THAT(text,
              HasSubstr("CHECK(cudaEventRecord(e_captured, A));\n    CHECK(cudaStreamWaitEvent(B, e_captured, 0));"));
  EXPECT_THAT(text, HasSubstr("cudaEventRecord(f, B)"));
}

TEST(CudaSource, AGraphThatTheRunCapturesIsCapturedThereAndAnewInEachRun) {
  const std::string program =
      "stream A nonblocking\nstream B nonblocking\nevent e\ngraph G on A mode=global {\n  A: wait e external\n"
      "  A: spin 5us\n  host: capture-info A\n  A: record half external  # mark\n}\nB: record e\nhost: capture G\n"
      "A: launch G\nB: wait half\n";
  EXPECT_EQ(run_of(program), R"(void run() {
  CHECK(cudaEventRecord(e, B));
  {
    CHECK(cudaStreamBeginCapture(A, cudaStreamCaptureModeGlobal));
    CHECK(cudaStreamWaitEvent(A, e, cudaEventWaitExternal));
    spin<<<1, 128, 0, A>>>(5000);
    CHECK(cudaGetLastError());
    capture_info(A);
    CHECK(cudaEventRecordWithFlags(half, A, cudaEventRecordExternal));  // mark
    cudaGraph_t captured;
    CHECK(cudaStreamEndCapture(A, &captured));
    CHECK(cudaGraphInstantiate(&G, captured, 0));
    CHECK(cudaGraphDestroy(captured));
  }
  CHECK(cudaGraphLaunch(G, A));
  CHECK(cudaStreamWaitEvent(B, half, 0));
  CHECK(cudaDeviceSynchronize());)");
  const std::string text = source_of(program).text;
  const std::string destroys = "CHECK(cudaGraphExecDestroy(";
  EXPECT_GT(text.find(destroys + "program::G));  // each run captures it anew"), text.find("int main("));
  EXPECT_EQ(text.find(destroys + "G"), text.npos) << "not once more at the end";
  EXPECT_EQ(text.find("half_captured"), text.npos) << "the event itself is in the graph";
}

// Each has a body of its own.
TEST(CudaSource, GraphsOfALoopAreCapturedEachWithItsNumbers) {
  const std::string run = run_of(
      "streams S 2 nonblocking\nrepeat 2 as i {\n  graph G{i} on S{i} {\n    S{i}: spin {i+5}us\n  }\n}\n"
      "repeat 2 as k {\n  host: capture G{1-k}\n}\nrepeat 2 as k {\n  S{k}: launch G{k}\n}\n");
  EXPECT_LT(run.find("spin<<<1, 128, 0, S[1]>>>(6000)"), run.find("cudaGraphInstantiate(&G[1], captured, 0)"));
  EXPECT_LT(run.find("cudaGraphInstantiate(&G[1]"), run.find("cudaGraphInstantiate(&G[0]"));
  EXPECT_THAT(run, HasSubstr("for (int k = 0; k < 2; ++k) {\n    CHECK(cudaGraphLaunch(G[k], S[k]));"));
}

TEST(CudaSource, ThreadsAreThreads) {
  EXPECT_THAT(run_of("thread T {\n  per-thread: spin 9us\n  host: sync per-thread\n}\nhost: work 5us\n"),
              HasSubstr(R"(  T = std::thread([] {
    spin<<<1, 128, 0, cudaStreamPerThread>>>(9000);
    CHECK(cudaGetLastError());
    CHECK(cudaStreamSynchronize(cudaStreamPerThread));
  });
  busy(5000);
  T.join();
  CHECK(cudaDeviceSynchronize());)"));
}

TEST(CudaSource, WhatTheProgramLeavesBehindIsFreedAfterTheRun) {
  const std::string text = source_of("stream A\nhost: malloc t 1MiB\nA: memset t 0\n").text;
  EXPECT_GT(text.find("CHECK(cudaFree(program::t));"), text.find("int main("));
}

}  // namespace
}  // namespace streamscope::cuda_source
