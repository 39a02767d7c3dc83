// The stream program of an experiment: its text, and that every combination of keys gives a sound one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/experiment/build.h"
#include "engine/experiment/check.h"
#include "engine/experiment/experiment.h"
#include "engine/experiment/experiment_file.h"
#include "engine/program/check/check.h"
#include "engine/program/diagnostic.h"
#include "engine/program/order/order.h"
#include "engine/program/program.h"
#include "engine/program/read_program.h"
#include "engine/program/syntax/parse.h"
#include "engine/program/syntax/print.h"
#include "tests/support/kernel_options.h"

namespace streamscope::experiment {
namespace {

using test_support::set_kernel;
using test_support::set_option;
constexpr int kBulk = 7;  // of the words of `copy=`

TEST(Build, TheDefaultExperimentReadsAsAPersonWouldWriteIt) {
  Experiment e;
  set_option(e.kernel, "fma", 64);
  EXPECT_EQ(build(e),
            "# 256MiB in 16 chunks of 16MiB, 4 streams, depth-first\n"
            "buffer x 256MiB host=pinned\n"
            "streams S 4 nonblocking\n"
            "\n"
            "repeat 16 as i {\n"
            "  S{i%4}: h2d x[{i*16}MiB:16MiB]\n"
            "  S{i%4}: axpb x[{i*16}MiB:16MiB] fma=64 threads=256\n"
            "  S{i%4}: d2h x[{i*16}MiB:16MiB]\n"
            "}\n"
            "host: sync device\n");
}

TEST(Build, BreadthFirstIsThreeRounds) {
  Experiment e;
  e.order = IssueOrder::breadth_first;
  e.streams = 1;
  set_kernel(e, "spin", {{"blocks", 2}});
  e.bytes = 4096;
  e.chunk = 1024;
  e.sync = FinalSync::event;
  EXPECT_EQ(build(e),
            "# 4KiB in 4 chunks of 1KiB, one stream, breadth-first\n"
            "buffer x 4KiB host=pinned\n"
            "stream S0 nonblocking\n"
            "\n"
            "repeat 4 as i {\n"
            "  S0: h2d x[{i}KiB:1KiB]\n"
            "}\n"
            "repeat 4 as i {\n"
            "  S0: spin 300us blocks=2 threads=256\n"
            "}\n"
            "repeat 4 as i {\n"
            "  S0: d2h x[{i}KiB:1KiB]\n"
            "}\n"
            "S0: record done\n"
            "host: sync done\n");
}

TEST(Build, SynchronousWaitsAfterEachKernel) {
  Experiment e;
  e.mode = Mode::sync;
  set_option(e.kernel, "fma", 1);
  e.host = program::HostMemory::pageable;
  EXPECT_EQ(build(e),
            "# 256MiB in 16 chunks of 16MiB, blocking copies, a synchronisation after each kernel, depth-first\n"
            "buffer x 256MiB host=pageable\n"
            "\n"
            "repeat 16 as i {\n"
            "  host: memcpy h2d x[{i*16}MiB:16MiB]\n"
            "  default: axpb x[{i*16}MiB:16MiB] fma=1 threads=256\n"
            "  host: sync device\n"
            "  host: memcpy d2h x[{i*16}MiB:16MiB]\n"
            "}\n"
            "host: sync device\n");
}

TEST(Build, ManagedMemoryIsPrefetchedAndMappedMemoryStays) {
  Experiment e;
  set_option(e.kernel, "fma", 64);
  e.host = program::HostMemory::managed;
  EXPECT_EQ(build(e),
            "# 256MiB in 16 chunks of 16MiB, 4 streams, depth-first\n"
            "buffer x 256MiB host=managed\n"
            "streams S 4 nonblocking\n"
            "\n"
            "repeat 16 as i {\n"
            "  S{i%4}: prefetch x[{i*16}MiB:16MiB] to=device\n"
            "  S{i%4}: axpb x[{i*16}MiB:16MiB] fma=64 threads=256\n"
            "  S{i%4}: prefetch x[{i*16}MiB:16MiB] to=host\n"
            "}\n"
            "host: sync device\n");
  e.host = program::HostMemory::mapped;
  e.order = IssueOrder::breadth_first;
  e.mode = Mode::sync;
  EXPECT_EQ(build(e),
            "# 256MiB in 16 chunks of 16MiB, all in the stream default, a synchronisation after each kernel, "
            "breadth-first\n"
            "buffer x 256MiB host=mapped\n"
            "\n"
            "repeat 16 as i {\n"
            "  default: axpb x[{i*16}MiB:16MiB] fma=64 threads=256\n"
            "  host: sync device\n"
            "}\n"
            "host: sync device\n");
}

TEST(Build, WhatAKernelWritesElsewhereHasAPlaceForEachChunk) {
  Experiment e;
  set_kernel(e, "reduce");
  EXPECT_EQ(build(e),
            "# 256MiB in 16 chunks of 16MiB, 4 streams, depth-first\n"
            "buffer x 256MiB host=pinned\n"
            "buffer y 16896 host=pinned\n"
            "streams S 4 nonblocking\n"
            "\n"
            "repeat 16 as i {\n"
            "  S{i%4}: h2d x[{i*16}MiB:16MiB]\n"
            "  S{i%4}: reduce y[{i*1056}:1056] from x[{i*16}MiB:16MiB] threads=256\n"
            "  S{i%4}: d2h y[{i*1056}:1056]\n"
            "}\n"
            "host: sync device\n");
  set_kernel(e, "reduce", {{"blocks", 2}, {"threads", 64}});
  e.chunk = e.bytes;
  e.streams = 1;
  e.host = program::HostMemory::managed;
  EXPECT_EQ(build(e),
            "# 256MiB in one piece, one stream, depth-first\n"
            "buffer x 256MiB host=managed\n"
            "buffer y 8 host=managed\n"
            "stream S0 nonblocking\n"
            "\n"
            "S0: prefetch x to=device\n"
            "S0: reduce y from x blocks=2 threads=64\n"
            "S0: prefetch y to=host\n"
            "host: sync device\n");
  set_option(e.kernel, "threads", 48);
  ASSERT_FALSE(check(e).has_value());
  EXPECT_THAT(check(e).error().message, ::testing::HasSubstr("kernel.threads: error: 'threads'"));
}

TEST(Build, EventsAndStreamsAtTheEndOneByOne) {
  Experiment e;
  e.sync = FinalSync::event;
  EXPECT_THAT(build(e), ::testing::EndsWith("repeat 4 as i {\n  S{i}: record done{i}\n}\n"
                                            "repeat 4 as i {\n  host: sync done{i}\n}\n"));
  e.sync = FinalSync::poll;
  e.stream_flags = StreamFlags::per_thread;
  EXPECT_THAT(build(e), ::testing::EndsWith("  per-thread: d2h x[{i*16}MiB:16MiB]\n}\nhost: poll per-thread\n"));
}

// How many operations of a kind, and in how many streams.
std::size_t count(const program::Program& program, OperationKind wanted) {
  std::size_t n = 0;
  for (const program::Operation& operation : program.operations) n += program::kind(operation.work) == wanted;
  return n;
}

TEST(Build, EveryCombinationIsCanonicalAndFreeOfErrorsAndHazards) {
  struct Sizes {
    std::uint64_t bytes, chunk;
  };
  int programs = 0;
  for (const Sizes sizes : {Sizes{64u << 20, 64u << 20}, Sizes{8u << 20, 1u << 20}, Sizes{48'000, 16'000}}) {
    for (const std::uint32_t streams : {1u, 3u, 9u}) {
      for (const auto order : {IssueOrder::depth_first, IssueOrder::breadth_first}) {
        for (const auto flags :
             {StreamFlags::blocking, StreamFlags::nonblocking, StreamFlags::legacy_default, StreamFlags::per_thread}) {
          for (const auto mode : {Mode::async, Mode::sync}) {
            for (const auto sync : {FinalSync::device, FinalSync::stream, FinalSync::event, FinalSync::poll}) {
              for (int work = 1; work < 24; ++work) {
                Experiment e;
                e.bytes = sizes.bytes;
                e.chunk = sizes.chunk;
                e.streams = streams;
                e.order = order;
                e.host = static_cast<program::HostMemory>(programs % 5);  // one word of the text: taken in turn
                e.stream_flags = flags;
                e.mode = mode;
                e.sync = sync;
                e.h2d = work & 1;
                e.d2h = work & 2;
                const bool has_kernel = work >= 4;
                const bool attends = work >= 16;
                if (!has_kernel) {
                  e.kernel = {};
                } else if (work >= 20) {
                  set_kernel(e, "reduce", {{"blocks", programs % 3 * 100}, {"threads", 32 << programs % 6}});
                } else if (attends) {
                  const int heads = 1 + programs % 2, head = programs % 2 == 0 ? 64 : 128;
                  if (sizes.chunk % static_cast<std::uint64_t>(4 * heads * head * 4) != 0) continue;  // no whole rows
                  set_kernel(e, "attention",
                             {{"heads", heads},
                              {"head", head},
                              {"type", programs % 3 == 0 ? 1 : 0},
                              {"buffers", 1 + programs % 2}});
                } else if (work >= 12) {
                  // Settings of tiles, in all that go together.
                  const int copy = programs % 8;
                  int align = programs % 3 == 0 && copy != kBulk ? 4 : programs % 3 == 1 ? 16 : 128;
                  if (sizes.chunk % static_cast<std::uint64_t>(align) != 0) align = 16;
                  set_kernel(e, "tiles",
                             {{"copy", copy},
                              {"align", align},
                              {"bytes", 4 << programs % 3},
                              {"l1", programs % 2 == 0 ? 1 : 0},
                              {"diverge", 1 + programs % 32},
                              {"producers", programs % 8},
                              {"per-sm", 1 + programs % 4}});
                } else {
                  set_kernel(e, work >= 8 ? "spin" : "axpb");
                }
                if (e.host == program::HostMemory::mapped && !has_kernel)
                  e.host = program::HostMemory::pinned;  // nothing to do
                ASSERT_TRUE(check(e).has_value()) << check(e).error().message;
                const std::string text = build(e);
                ++programs;
                const program::Parsed parsed = program::parse(text);
                ASSERT_TRUE(parsed.diagnostics.empty()) << program::format(parsed.diagnostics, "built") << text;
                ASSERT_EQ(program::print(parsed.syntax), text);
                const program::Checked checked = program::check(parsed.syntax);
                ASSERT_TRUE(checked.diagnostics.empty()) << program::format(checked.diagnostics, "built") << text;
                const std::size_t chunks = e.bytes / e.chunk;
                const bool shared = program::is_shared(e.host);
                ASSERT_EQ(count(checked.program, OperationKind::h2d), e.h2d && !shared ? chunks : 0) << text;
                ASSERT_EQ(count(checked.program, OperationKind::d2h), e.d2h && !shared ? chunks : 0) << text;
                ASSERT_EQ(count(checked.program, OperationKind::prefetch),
                          e.host == program::HostMemory::managed ? (e.h2d + e.d2h) * chunks : 0)
                    << text;
                ASSERT_EQ(count(checked.program, OperationKind::kernel), has_kernel ? chunks : 0) << text;
              }
            }
          }
        }
      }
    }
  }
  EXPECT_EQ(programs, 3 * 3 * 2 * 4 * 2 * 4 * 19 + 2 * 3 * 2 * 4 * 2 * 4 * 4);
}

TEST(Shipped, ExperimentsAreSoundAndSayWhatTheyShow) {
  const std::filesystem::path folder = std::filesystem::path(STREAMSCOPE_SOURCE) / "assets/experiments";
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".toml") continue;
    ++files;
    const auto file = parse_experiment(read_text(entry.path()).value(), entry.path().filename().string());
    ASSERT_TRUE(file.has_value()) << file.error().message;
    EXPECT_FALSE(file->experiment.name.empty()) << entry.path();
    EXPECT_GT(file->experiment.about.size(), 40u) << entry.path();
    const std::string text = build(file->experiment);
    EXPECT_EQ(program::print(program::parse(text).syntax), text) << entry.path();
    const auto program = program::read_program(text, entry.path().filename().string());
    ASSERT_TRUE(program.has_value()) << program.error().message;
    EXPECT_TRUE(program->warnings.empty()) << program::format(program->warnings, entry.path().string());
  }
  EXPECT_GE(files, 7);
}

TEST(Shipped, FourStreamsIsTheDefaultExperiment) {
  const auto path = std::filesystem::path(STREAMSCOPE_SOURCE) / "assets/experiments/four-streams.toml";
  auto file = parse_experiment(read_text(path).value(), "four-streams.toml");
  ASSERT_TRUE(file.has_value()) << file.error().message;
  file->experiment.name.clear();
  file->experiment.about.clear();
  file->experiment.keywords = {};
  EXPECT_EQ(file->experiment, Experiment{}) << "the defaults in experiment.h and the file must say the same";
}

}  // namespace
}  // namespace streamscope::experiment
