// Which stream `default` is, and what is given to none.
#include "engine/program/order/in_one_stream.h"
#include "engine/program/order/order.h"
#include "tests/engine/program/bad_input.h"
#include "tests/support/program_of.h"

namespace streamscope::program {
namespace {

constexpr const char* kPerThread =
    "default-stream per-thread\nbuffer x 1MiB\nbuffer y 1MiB\nstream A\nA: spin 1ms\ndefault: spin 1us\nhost: memcpy "
    "h2d x\nhost: memset x 0\nhost: d2d y x\nthread T {\n  default: spin 1us\n  host: memset y[0:1] 1\n  host: sync "
    "default\n}\n";

TEST(DefaultStream, PerThreadIsThatOfTheThreadThatUsesIt) {
  const Program program = tests::program_of(kPerThread);
  for (const std::size_t of_main : {1, 2, 3, 4}) {
    EXPECT_EQ(ordered_in(program.operations[of_main]), kPerThreadStream) << of_main;
  }
  const StreamId own = *program.operations[6].stream;
  EXPECT_EQ(program.streams[own.value].name, "T.per-thread");
  EXPECT_EQ(ordered_in(program.operations[7]), own);
  EXPECT_EQ(std::get<op::SyncStream>(program.operations[8].work).stream, own);
}

TEST(DefaultStream, PerThreadWaitsForNoOtherStream) {
  const Program program = tests::program_of(kPerThread);
  const Dependencies all(program);
  EXPECT_TRUE(all.of(1).empty());
  const Program legacy = tests::program_of(std::string_view(kPerThread).substr(26));
  EXPECT_FALSE(Dependencies(legacy).of(1).empty());
}

TEST(DefaultStream, LegacyIsWhatItIsWithoutTheLine) {
  const Program program =
      tests::program_of("default-stream legacy\nbuffer x 1MiB\ndefault: spin 1us\nhost: memcpy h2d x\n");
  EXPECT_FALSE(program.default_per_thread);
  EXPECT_EQ(ordered_in(program.operations[1]), kLegacyStream);
}

TEST(DefaultStream, IsOneStreamWithTheOthersInASerialRun) {
  const auto serial = in_one_stream(tests::program_of(kPerThread));
  ASSERT_TRUE(serial);
  EXPECT_FALSE(serial->default_per_thread);
  EXPECT_EQ(ordered_in(serial->operations[2]), kLegacyStream);
}

TEST(DefaultStream, IsSaidFirst) {
  expect_one_error(
      {"buffer x 1MiB\ndefault-stream per-thread\ndefault: spin 1us\n", 2, 1, {"make it the first statement"}});
  expect_one_error({"repeat 2 {\n  default-stream per-thread\n}\n", 2, 3, {"make it the first statement"}});
  expect_one_error({"default-stream mine\n", 1, 16, {"legacy or per-thread"}});
}

}  // namespace
}  // namespace streamscope::program
