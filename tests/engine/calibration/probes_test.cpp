// A probe is what its numbers say.
#include "engine/calibration/probes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engine/program/program.h"
#include "engine/program/read_program.h"
#include "tests/support/kernel_options.h"

namespace streamscope::calibration {
namespace {

TEST(Probes, AreLegalEachWithANameOfItsOwn) {
  std::set<std::string> names;
  int quick = 0;
  for (const Probe& probe : probes()) {
    EXPECT_TRUE(names.insert(probe.name).second) << probe.name;
    EXPECT_TRUE(probe.name.starts_with(probe.group)) << probe.name;
    const auto read = program::read_program(probe.text, probe.name);
    ASSERT_TRUE(read) << read.error().message << probe.text;
    quick += probe.thorough ? 0 : 1;
  }
  EXPECT_GE(quick, 150);
  EXPECT_LE(quick, 300);
}

TEST(Probes, OfLinksAreOfTwoDevicesEach) {
  std::set<std::string> names;
  for (const Probe& probe : link_probes()) {
    EXPECT_TRUE(names.insert(probe.name).second) << probe.name;
    const auto read = program::read_program(probe.text, probe.name);
    ASSERT_TRUE(read) << read.error().message << probe.text;
    EXPECT_EQ(program::device_count(read->program), 2u) << probe.text;
    EXPECT_FALSE(probe.thorough) << probe.name;
  }
  EXPECT_GE(names.size(), 20u);
}

TEST(Probes, HaveTheNumbersOfTheirText) {
  for (const Probe& probe : probes()) {
    SCOPED_TRACE(probe.name);
    const auto read = program::read_program(probe.text, probe.name);
    ASSERT_TRUE(read);
    std::uint64_t copies = 0, functions = 0;
    for (const program::Operation& operation : read->program.operations) {
      if (const auto* copy = std::get_if<program::op::Copy>(&operation.work)) {
        ++copies;
        if (probe.group.starts_with("copy ") || probe.group.starts_with("copies h2d ") ||
            probe.group.starts_with("copies d2h ")) {
          EXPECT_EQ(copy->host.bytes, probe.number("bytes"));
        }
      }
      const auto number = [&](std::string_view key) { return static_cast<std::int64_t>(probe.number(key)); };
      const auto option = [&](std::string_view kernel, std::string_view key) {
        return test_support::option_of(read->program, operation.work, kernel, key);
      };
      if (option("axpb", "fma") >= 0 && probe.group == "axpb") {
        EXPECT_EQ(program::bytes(operation.work), probe.number("bytes"));
        EXPECT_EQ(option("axpb", "fma"), number("fma"));
        EXPECT_EQ(option("axpb", "blocks"), number("blocks"));
      }
      if (option("spin", "duration") >= 0 && probe.group == "spin of many blocks") {
        EXPECT_EQ(option("spin", "duration"), number("for"));
        EXPECT_EQ(option("spin", "blocks"), number("blocks"));
        EXPECT_EQ(option("spin", "threads"), number("threads"));
        EXPECT_EQ(option("spin", "smem"), number("smem"));
      }
      if (const auto* function = std::get_if<program::op::HostFunction>(&operation.work)) {
        ++functions;
        if (probe.group == "host functions") {
          EXPECT_EQ(function->duration, number("for"));
        }
      }
    }
    const auto expect_copies = [&](std::uint64_t wanted) { EXPECT_EQ(copies, wanted); };
    if (probe.group == "copy h2d pinned") expect_copies(1);
    if (probe.group == "copies d2h pinned") expect_copies(probe.number("n"));
    if (probe.group == "host functions") {
      EXPECT_EQ(functions, probe.number("n"));
    }
  }
}

TEST(Probes, QuickOnesAloneTellEveryNumberOfAProfile) {
  std::set<std::string> groups;
  for (const Probe& probe : probes()) {
    if (!probe.thorough) groups.insert(probe.group);
  }
  for (const char* wanted : {"empty",
                             "records",
                             "waits for an ended event",
                             "launches",
                             "host functions",
                             "malloc",
                             "malloc and free",
                             "copy h2d pinned",
                             "copy d2h pinned",
                             "copy h2d pageable",
                             "copy d2h pageable",
                             "copies h2d pinned",
                             "copies both ways",
                             "d2d",
                             "memset",
                             "axpb",
                             "axpb at once",
                             "spin",
                             "chain of spins",
                             "spin of many blocks",
                             "spins at once",
                             "launches behind a long spin",
                             "ping-pong of spins",
                             "h2d, spin, d2h in turn"}) {
    EXPECT_TRUE(groups.contains(wanted)) << wanted;
  }
}

}  // namespace
}  // namespace streamscope::calibration
