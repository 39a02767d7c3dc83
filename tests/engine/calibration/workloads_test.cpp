// The programs that a model is judged on: legal, of every sort, and the same ones everywhere.
#include "engine/calibration/workloads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "engine/program/program.h"
#include "engine/program/read_program.h"

namespace streamscope::calibration {
namespace {

TEST(Workloads, AreLegalAndTheirBuffersFit) {
  for (const std::uint64_t seed : {1, 2, 77}) {
    for (const RecordedProgram& one : workloads(seed, 380, Families::all)) {
      const auto read = program::read_program(one.text, one.name);
      ASSERT_TRUE(read) << read.error().message << one.text;
      std::uint64_t bytes = 0;
      for (const program::Buffer& buffer : read->program.buffers) bytes += buffer.bytes;
      EXPECT_LE(bytes, 1ull << 30) << one.name;
      EXPECT_LE(read->program.operations.size(), 20'000u) << one.name;
      EXPECT_GE(read->program.operations.size(), 2u) << one.name;
    }
  }
}

TEST(Workloads, AreSpreadEvenlyOverTheFamilies) {
  std::map<std::string, int> count;
  std::set<std::string> names;
  for (const RecordedProgram& one : workloads(1, 200)) {
    ++count[one.family];
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
  }
  EXPECT_EQ(count.size(), 15u);
  for (const auto& [family, programs] : count) {
    EXPECT_GE(programs, 200 / 15) << family;
    EXPECT_LE(programs, 200 / 15 + 1) << family;
  }
}

TEST(Workloads, MoreFamiliesChangeNoProgramOfTheOthers) {
  std::map<std::string, std::string> all;
  for (const RecordedProgram& one : workloads(5, 190, Families::all)) all.emplace(one.name, one.text);
  EXPECT_TRUE(all.contains("graphs 10"));
  for (const RecordedProgram& one : workloads(5, 150)) {
    ASSERT_TRUE(all.contains(one.name)) << one.name;
    EXPECT_EQ(all[one.name], one.text);
  }
}

TEST(Workloads, ALongerListBeginsWithTheShorterAndSeedsHaveNothingInCommon) {
  const auto texts = [](std::uint64_t seed, std::size_t count) {
    std::vector<std::string> all;
    for (RecordedProgram& one : workloads(seed, count)) all.push_back(std::move(one.text));
    return all;
  };
  const auto few = texts(1, 30), many = texts(1, 60), other = texts(2, 60);
  EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
  const std::set<std::string> ours(many.begin(), many.end());
  EXPECT_EQ(std::count_if(other.begin(), other.end(), [&](const std::string& text) { return ours.contains(text); }), 0);
}

// What a seed means is part of every figure that was ever published with it.
TEST(Workloads, ASeedMeansTheseProgramsOnEveryPlatform) {
  std::map<std::string, std::string> first;
  for (const RecordedProgram& one : workloads(1, 30)) first.emplace(one.name, one.text);
  EXPECT_EQ(first["isolated pinned copy 1"], "buffer x 128MiB\nstream A nonblocking\nA: h2d x[0:108832KiB]\n");
  EXPECT_TRUE(first["pipeline 1"].starts_with("buffer x 8MiB\nstreams S 1 nonblocking\nrepeat 2 as i {\n"));
  std::uint64_t hash = 0xCBF29CE484222325u;  // FNV-1a of all 30
  for (const auto& [name, text] : first) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  }
  EXPECT_EQ(hash, 14428938963745545498u);
}

TEST(Workloads, HaveAllThatIsToBePredicted) {
  std::set<OperationKind> kinds;
  std::set<program::HostMemory> memories;
  std::set<int> priorities;
  std::uint64_t smallest = ~0ull, largest = 0;
  std::size_t most_streams = 0;
  bool legacy = false, blocking = false, nonblocking = false;
  for (const RecordedProgram& one : workloads(1, 150)) {
    const auto read = program::read_program(one.text, one.name);
    ASSERT_TRUE(read) << read.error().message;
    const program::Program& program = read->program;
    most_streams = std::max(most_streams, program.streams.size() - 2);
    for (const program::Buffer& buffer : program.buffers) memories.insert(buffer.host);
    for (std::size_t s = 2; s < program.streams.size(); ++s) {
      priorities.insert(program.streams[s].priority);
      (program.streams[s].nonblocking ? nonblocking : blocking) = true;
    }
    for (const program::Operation& operation : program.operations) {
      kinds.insert(program::kind(operation.work));
      legacy = legacy || operation.stream == kLegacyStream;
      const auto* copy = std::get_if<program::op::Copy>(&operation.work);
      if (copy == nullptr || one.family != "isolated pinned copy") continue;
      smallest = std::min(smallest, copy->host.bytes);
      largest = std::max(largest, copy->host.bytes);
    }
  }
  for (const OperationKind wanted :
       {OperationKind::h2d, OperationKind::d2h, OperationKind::d2d, OperationKind::memset, OperationKind::kernel,
        OperationKind::record, OperationKind::wait, OperationKind::hostfn, OperationKind::sync, OperationKind::poll,
        OperationKind::work, OperationKind::malloc, OperationKind::free, OperationKind::touch}) {
    EXPECT_TRUE(kinds.contains(wanted)) << name(wanted);
  }
  for (const program::HostMemory wanted :
       {program::HostMemory::pinned, program::HostMemory::pageable, program::HostMemory::write_combined}) {
    EXPECT_TRUE(memories.contains(wanted));
  }
  EXPECT_GE(priorities.size(), 4u);
  EXPECT_GT(most_streams, 32u);
  EXPECT_LT(smallest, 64u << 10);
  EXPECT_GT(largest, 64u << 20);
  EXPECT_TRUE(legacy && blocking && nonblocking);
}

}  // namespace
}  // namespace streamscope::calibration
