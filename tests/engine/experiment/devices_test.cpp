// The stream program of an experiment for several devices: its text, and that every way across gives a sound one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/experiment/build.h"
#include "engine/experiment/check.h"
#include "engine/experiment/experiment_file.h"
#include "engine/program/check/check.h"
#include "engine/program/diagnostic.h"
#include "engine/program/order/order.h"
#include "engine/program/program.h"
#include "engine/program/syntax/parse.h"
#include "engine/program/syntax/print.h"
#include "tests/support/kernel_options.h"

namespace streamscope::experiment {
namespace {

using test_support::set_kernel;
using ::testing::HasSubstr;
using ::testing::Not;

Experiment across(Across way, std::uint32_t devices = 2) {
  Experiment e;
  e.devices = devices;
  e.across = way;
  test_support::set_option(e.kernel, "fma", 64);
  return e;
}

TEST(BuildForDevices, OneDeviceIsAsWithoutTheKeys) {
  for (const Across way : {Across::split, Across::pipeline, Across::halo, Across::all_gather}) {
    Experiment e = across(way, 1);
    e.peer_access = false;
    e.steps = 9;
    EXPECT_EQ(build(e), build(across(Across::split, 1)));
  }
  EXPECT_THAT(to_toml(Experiment{}), Not(testing::AnyOf(HasSubstr("devices"), HasSubstr("across"), HasSubstr("steps"),
                                                        HasSubstr("peer_access"))));
}

TEST(BuildForDevices, SplitDealsChunksOutToTheDevicesInTurn) {
  Experiment e = across(Across::split);
  EXPECT_EQ(build(e),
            "# 256MiB in 16 chunks of 16MiB, split over 2 devices of 4 streams, depth-first\n"
            "buffer x 256MiB host=pinned device=0,1\n"
            "streams D0S 4 nonblocking\n"
            "streams D1S 4 device=1 nonblocking\n"
            "\n"
            "repeat 16 as i {\n"
            "  D{i%2}S{i/2%4}: h2d x[{i*16}MiB:16MiB]\n"
            "  D{i%2}S{i/2%4}: axpb x[{i*16}MiB:16MiB] fma=64 threads=256\n"
            "  D{i%2}S{i/2%4}: d2h x[{i*16}MiB:16MiB]\n"
            "}\n");
  e.devices = 3;
  e.streams = 1;
  e.stream_flags = StreamFlags::blocking;
  e.order = IssueOrder::breadth_first;
  e.sync = FinalSync::event;
  set_kernel(e, "reduce");
  EXPECT_EQ(build(e),
            "# 256MiB in 16 chunks of 16MiB, split over 3 devices of one stream, breadth-first\n"
            "buffer x 256MiB host=pinned device=0,1,2\n"
            "buffer y 16896 host=pinned device=0,1,2\n"
            "stream D0\n"
            "stream D1 device=1\n"
            "stream D2 device=2\n"
            "\n"
            "repeat 16 as i {\n"
            "  D{i%3}: h2d x[{i*16}MiB:16MiB]\n"
            "}\n"
            "repeat 16 as i {\n"
            "  D{i%3}: reduce y[{i*1056}:1056] from x[{i*16}MiB:16MiB] threads=256\n"
            "}\n"
            "repeat 16 as i {\n"
            "  D{i%3}: d2h y[{i*1056}:1056]\n"
            "}\n"
            "D0: record done0\n"
            "D1: record done1\n"
            "D2: record done2\n"
            "host: sync done0\n"
            "host: sync done1\n"
            "host: sync done2\n");
}

TEST(BuildForDevices, APipelinePassesEachChunkOnWithAnEvent) {
  Experiment e = across(Across::pipeline);
  e.sync = FinalSync::stream;
  EXPECT_EQ(build(e),
            "# 256MiB in 16 chunks of 16MiB, through 2 devices of 4 streams, depth-first\n"
            "buffer x 256MiB host=pinned device=0,1\n"
            "streams D0S 4 nonblocking\n"
            "streams D1S 4 device=1 nonblocking\n"
            "\n"
            "host: peer 0 1 on\n"
            "repeat 16 as i {\n"
            "  D0S{i%4}: h2d x[{i*16}MiB:16MiB]\n"
            "  D0S{i%4}: axpb x[{i*16}MiB:16MiB] fma=64 threads=256\n"
            "  D0S{i%4}: peer x[{i*16}MiB:16MiB]@1 x[{i*16}MiB:16MiB]@0\n"
            "  D0S{i%4}: record sent1_{i%4}\n"
            "  D1S{i%4}: wait sent1_{i%4}\n"
            "  D1S{i%4}: axpb x[{i*16}MiB:16MiB] fma=64 threads=256\n"
            "  D1S{i%4}: d2h x[{i*16}MiB:16MiB]\n"
            "}\n"
            "repeat 4 as i {\n"
            "  host: sync D0S{i}\n"
            "}\n"
            "repeat 4 as i {\n"
            "  host: sync D1S{i}\n"
            "}\n");
  e.peer_access = false;
  EXPECT_THAT(build(e), Not(HasSubstr("host: peer")));
}

TEST(BuildForDevices, HaloSendsTheChunksAtTheEdgesToTheNeighbours) {
  Experiment e = across(Across::halo, 3);
  e.bytes = 48 << 20;
  e.chunk = 4 << 20;
  EXPECT_EQ(build(e),
            "# 48MiB in 3 parts, a device each, 4 steps: edges of 4MiB go to neighbours\n"
            "buffer x 48MiB host=pinned device=0,1,2\n"
            "stream D0 nonblocking\n"
            "stream D1 device=1 nonblocking\n"
            "stream D2 device=2 nonblocking\n"
            "\n"
            "host: peer 0 1 on\n"
            "host: peer 1 2 on\n"
            "D0: h2d x[0:16MiB]\n"
            "D1: h2d x[16MiB:16MiB]\n"
            "D2: h2d x[32MiB:16MiB]\n"
            "repeat 4 as i {\n"
            "  D0: record ready0\n"
            "  D1: record ready1\n"
            "  D2: record ready2\n"
            "  D0: wait ready1\n"
            "  D1: wait ready0\n"
            "  D1: wait ready2\n"
            "  D2: wait ready1\n"
            "  D0: peer x[12MiB:4MiB]@1 x[12MiB:4MiB]@0\n"
            "  D1: peer x[16MiB:4MiB]@0 x[16MiB:4MiB]@1\n"
            "  D1: peer x[28MiB:4MiB]@2 x[28MiB:4MiB]@1\n"
            "  D2: peer x[32MiB:4MiB]@1 x[32MiB:4MiB]@2\n"
            "  D0: record sent0\n"
            "  D1: record sent1\n"
            "  D2: record sent2\n"
            "  D0: wait sent1\n"
            "  D1: wait sent0\n"
            "  D1: wait sent2\n"
            "  D2: wait sent1\n"
            "  D0: axpb x[0:20MiB] fma=64 threads=256\n"
            "  D1: axpb x[12MiB:24MiB] fma=64 threads=256\n"
            "  D2: axpb x[28MiB:20MiB] fma=64 threads=256\n"
            "}\n"
            "D0: d2h x[0:16MiB]\n"
            "D1: d2h x[16MiB:16MiB]\n"
            "D2: d2h x[32MiB:16MiB]\n");
}

TEST(BuildForDevices, AllGatherSendsEachPartToAllOthers) {
  Experiment e = across(Across::all_gather);
  e.bytes = 16 << 20;
  e.chunk = 4 << 20;
  e.steps = 1;
  set_kernel(e, "reduce", {{"blocks", 2}});
  EXPECT_EQ(build(e),
            "# 16MiB in 2 parts, a device each, one step: each part goes to all devices\n"
            "buffer x 16MiB host=pinned device=0,1\n"
            "buffer y 16 host=pinned device=0,1\n"
            "stream D0 nonblocking\n"
            "stream D1 device=1 nonblocking\n"
            "\n"
            "host: peer 0 1 on\n"
            "D0: h2d x[0:8MiB]\n"
            "D1: h2d x[8MiB:8MiB]\n"
            "D0: record ready0\n"
            "D1: record ready1\n"
            "D0: wait ready1\n"
            "D1: wait ready0\n"
            "repeat 2 as j {\n"
            "  D0: peer x[{j*4}MiB:4MiB]@1 x[{j*4}MiB:4MiB]@0\n"
            "  D1: peer x[{j*4+8}MiB:4MiB]@0 x[{j*4+8}MiB:4MiB]@1\n"
            "}\n"
            "D0: record sent0\n"
            "D1: record sent1\n"
            "D0: wait sent1\n"
            "D1: wait sent0\n"
            "D0: reduce y[0:8] from x blocks=2 threads=256\n"
            "D1: reduce y[8:8] from x blocks=2 threads=256\n"
            "D0: d2h y[0:8]\n"
            "D1: d2h y[8:8]\n");
}

// Without an event that is left out: the copies and kernels of all devices are in order.
TEST(BuildForDevices, EveryCombinationIsCanonicalAndFreeOfErrorsAndHazards) {
  int programs = 0;
  for (const std::uint32_t devices : {2u, 3u, 4u}) {
    for (const std::uint64_t chunks : {1u, 12u, 24u}) {
      for (const Across way : {Across::split, Across::pipeline, Across::halo, Across::all_gather}) {
        for (const std::uint32_t streams : {1u, 3u}) {
          for (const FinalSync sync : {FinalSync::device, FinalSync::stream, FinalSync::event, FinalSync::poll}) {
            for (int work = 1; work < 16; ++work) {
              Experiment e = across(way, devices);
              e.chunk = 48'000;
              e.bytes = chunks * e.chunk;
              e.streams = streams;
              e.sync = sync;
              e.order = programs % 2 == 0 ? IssueOrder::depth_first : IssueOrder::breadth_first;
              e.stream_flags = programs % 3 == 0 ? StreamFlags::blocking : StreamFlags::nonblocking;
              e.host = programs % 5 == 0 ? program::HostMemory::pageable : program::HostMemory::pinned;
              e.peer_access = programs % 7 != 0;
              e.steps = 1 + static_cast<std::uint32_t>(programs) % 3;
              e.h2d = work & 1;
              e.d2h = work & 2;
              constexpr const char* kWords[] = {"none", "axpb", "spin", "reduce"};
              work < 4 ? void(e.kernel = {}) : set_kernel(e, kWords[work / 4]);
              ++programs;
              if (chunks == 1 && way != Across::pipeline) {
                EXPECT_FALSE(check(e).has_value());
                continue;
              }
              ASSERT_TRUE(check(e).has_value()) << check(e).error().message;
              const std::string text = build(e);
              const program::Parsed parsed = program::parse(text);
              ASSERT_TRUE(parsed.diagnostics.empty()) << program::format(parsed.diagnostics, "built") << text;
              ASSERT_EQ(program::print(parsed.syntax), text);
              const program::Checked checked = program::check(parsed.syntax);
              ASSERT_TRUE(checked.diagnostics.empty()) << program::format(checked.diagnostics, "built") << text;
              ASSERT_EQ(program::device_count(checked.program), devices) << text;
              ASSERT_TRUE(program::hazards(checked.program).empty()) << text;
            }
          }
        }
      }
    }
  }
  EXPECT_EQ(programs, 3 * 3 * 4 * 2 * 4 * 15);
}

// Each event of a step is needed: without its wait the data is not in order.
TEST(BuildForDevices, EveryWaitOfAStepIsNeeded) {
  for (const Across way : {Across::halo, Across::all_gather, Across::pipeline}) {
    Experiment e = across(way, 2);
    e.bytes = 16 << 20;
    e.chunk = way == Across::halo ? 4 << 20 : 8 << 20;
    e.steps = 3;
    const std::string text = build(e);
    for (std::size_t at = text.find(": wait "); at != std::string::npos; at = text.find(": wait ", at + 1)) {
      const std::size_t begin = text.rfind('\n', at) + 1, end = text.find('\n', at) + 1;
      const std::string without = text.substr(0, begin) + text.substr(end);
      const program::Checked checked = program::check(program::parse(without).syntax);
      EXPECT_FALSE(program::hazards(checked.program).empty()) << text.substr(begin, end - begin) << without;
    }
  }
}

// As many as is said, so that the most that a file may ask for is what a program can have.
TEST(CheckForDevices, CountsTheOperationsThatAreBuilt) {
  for (const Across way : {Across::pipeline, Across::halo, Across::all_gather}) {
    for (const std::uint32_t devices : {2u, 4u}) {
      const auto operations = [&](std::uint32_t steps, std::uint64_t chunks) {
        Experiment e = across(way, devices);
        e.chunk = 4096;
        e.bytes = chunks * e.chunk;
        e.steps = steps;
        return program::check(program::parse(build(e)).syntax).program.operations.size();
      };
      const bool parts = way != Across::pipeline;
      const std::uint64_t each =
          parts ? operations(2, 8) - operations(1, 8) : (operations(1, 16) - operations(1, 8)) / 8;
      Experiment e = across(way, devices);
      e.chunk = 4096;
      e.bytes = 8 * e.chunk;
      e.steps = 9'999'999;
      if (!parts) {
        e.bytes = 9'999'999 * e.chunk;
        e.steps = 1;
      }
      ASSERT_FALSE(check(e).has_value());
      EXPECT_THAT(check(e).error().message, HasSubstr(" make " + std::to_string(each) + " operations each"));
    }
  }
}

// What would help is told, and a key that does nothing there is not to blame.
TEST(CheckForDevices, BlamesWhatCanBeChanged) {
  Experiment gather = across(Across::all_gather, 16);
  gather.bytes = 16ull << 30;
  gather.chunk = 16 << 10;
  gather.steps = 6;
  ASSERT_FALSE(check(gather).has_value());
  EXPECT_THAT(check(gather).error().message, HasSubstr("use larger chunks or fewer devices"));
  Experiment halo = across(Across::halo, 64);
  halo.bytes = 64 << 20;
  halo.chunk = 256 << 10;
  halo.streams = 1024;
  EXPECT_TRUE(check(halo).has_value()) << check(halo).error().message;
}

}  // namespace
}  // namespace streamscope::experiment
