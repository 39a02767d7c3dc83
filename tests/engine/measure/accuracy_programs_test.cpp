// The programs that the instrument is measured with are legal, many of a kind, and the same every time.
#include "tests/bench/accuracy_programs.h"

#include <gtest/gtest.h>

#include <set>

#include "engine/program/program.h"
#include "engine/program/read_program.h"

namespace streamscope::measure {
namespace {

TEST(AccuracyPrograms, AreLegalAndCoverWhatIsToBeMeasured) {
  std::set<int> streams;
  std::set<OperationKind> kinds;
  bool legacy = false;
  for (std::uint32_t i = 0; i < 56; ++i) {
    const bench::GeneratedProgram one = bench::ProgramGenerator::make(i);
    SCOPED_TRACE(one.family);
    EXPECT_EQ(one.text, bench::ProgramGenerator::make(i).text);
    const auto read = program::read_program(one.text, "generated");
    ASSERT_TRUE(read) << read.error().message;
    streams.insert(one.streams);
    for (const program::Operation& operation : read->program.operations) {
      if (i < 32) kinds.insert(program::kind(operation.work));
      legacy = legacy || operation.stream == kLegacyStream;
    }
  }
  EXPECT_EQ(*streams.begin(), 1);
  EXPECT_EQ(*streams.rbegin(), 16);
  for (const OperationKind wanted : {OperationKind::h2d, OperationKind::d2h, OperationKind::d2d, OperationKind::memset,
                                     OperationKind::kernel, OperationKind::wait}) {
    EXPECT_TRUE(kinds.contains(wanted)) << name(wanted);
  }
  EXPECT_TRUE(legacy);
}

}  // namespace
}  // namespace streamscope::measure
