// Kinds, times, errors: the small words that all rooms share.
#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "engine/base/error.h"
#include "engine/base/id.h"
#include "engine/base/kind.h"
#include "engine/base/result.h"
#include "engine/base/suggest.h"
#include "engine/base/time.h"

namespace streamscope {
namespace {

constexpr Nanoseconds kMost = std::numeric_limits<Nanoseconds>::max();

TEST(Kinds, NamesComeBackAndAreDistinct) {
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < kOperationKinds; ++i) {
    const auto kind = static_cast<OperationKind>(i);
    EXPECT_EQ(by_name<OperationKind>(name(kind)), kind) << name(kind);
    EXPECT_TRUE(seen.insert(name(kind)).second) << name(kind);
  }
  EXPECT_EQ(name(OperationKind::h2d), "h2d");
  EXPECT_EQ(name(OperationKind::hostfn), "hostfn");
  EXPECT_EQ(name(OperationKind::touch), "touch");
  EXPECT_FALSE(by_name<OperationKind>("H2D"));
  EXPECT_FALSE(by_name<OperationKind>(""));
}

TEST(Kinds, EnginesToo) {
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < kEngines; ++i) {
    const auto which = static_cast<Engine>(i);
    EXPECT_EQ(by_name<Engine>(name(which)), which);
    EXPECT_TRUE(seen.insert(name(which)).second);
  }
  EXPECT_EQ(name(Engine::compute), "compute");
  EXPECT_EQ(name(Engine::host), "host");
  EXPECT_FALSE(by_name<Engine>("gpu"));
}

TEST(Time, ElapsedIsTheDifferenceAbsentOrTheMostThatFits) {
  EXPECT_EQ(elapsed(100, 250), 150);
  EXPECT_EQ(elapsed(250, 100), -150);
  EXPECT_EQ(elapsed(kAbsent, 5), kAbsent);
  EXPECT_EQ(elapsed(5, kAbsent), kAbsent);
  EXPECT_EQ(elapsed(-kMost, kMost), kMost);
  EXPECT_TRUE(known(elapsed(kMost, -kMost)));
  EXPECT_TRUE(known(elapsed(1, -kMost))) << "the difference would be the value that stands for absent";
}

TEST(Time, TheHostClockDoesNotGoBack) {
  const Nanoseconds first = host_now();
  EXPECT_LE(first, host_now());
}

TEST(Time, TheDateIsIso8601InUtc) {
  const std::string date = utc_date();
  ASSERT_EQ(date.size(), 20u) << date;
  const std::string shape = "0000-00-00T00:00:00Z";
  for (std::size_t i = 0; i < date.size(); ++i) {
    if (shape[i] == '0') {
      EXPECT_TRUE(date[i] >= '0' && date[i] <= '9') << date;
    } else {
      EXPECT_EQ(date[i], shape[i]) << date;
    }
  }
  EXPECT_GE(date.substr(0, 4), "2024");
}

TEST(Errors, EachKindHasTheExitCodeThatIsAgreed) {
  EXPECT_EQ(exit_code(ErrorKind::bad_input), 2);
  EXPECT_EQ(exit_code(ErrorKind::no_device), 3);
  EXPECT_EQ(exit_code(ErrorKind::device_failed), 4);
  EXPECT_EQ(exit_code(ErrorKind::wrong_data), 5);
  EXPECT_EQ(exit_code(ErrorKind::cancelled), 4);
}

TEST(Errors, AResultHoldsTheValueOrTheError) {
  const Result<int> good = 7;
  ASSERT_TRUE(good);
  EXPECT_EQ(*good, 7);
  Error error;
  error.kind = ErrorKind::device_failed;
  error.fault = DeviceFault{"cudaMemcpyAsync", 700, "cudaErrorIllegalAddress", "operation 12"};
  const Result<int> bad = fail(error);
  ASSERT_FALSE(bad);
  ASSERT_TRUE(bad.error().fault);
  EXPECT_EQ(bad.error().fault->code, 700);
}

TEST(Ids, AreOrderedByTheirValue) {
  EXPECT_LT(StreamId{1}, StreamId{2});
  EXPECT_EQ(kLegacyStream, StreamId{0});
  static_assert(!std::is_convertible_v<StreamId, EventId>);
  static_assert(!std::is_convertible_v<std::uint32_t, StreamId>);
}

TEST(Suggest, TheNearestWord) {
  EXPECT_EQ(edit_distance("repaet", "repeat"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("H2D", "h2d"), 0u);
  const std::string_view words[] = {"stream", "streams", "buffer"};
  EXPECT_EQ(nearest("strem", words), "stream");
  EXPECT_EQ(nearest("zzz", words), "");
  const std::string_view keys[] = {"chunk", "chunks", "depth-first", "copies.engines"};
  EXPECT_EQ(nearest("depth", keys), "depth-first");
  EXPECT_EQ(nearest("copies.engine", keys), "copies.engines");
  EXPECT_EQ(nearest("chunk_size", keys), "chunk");
  EXPECT_EQ(nearest("chunks_size", keys), "chunks");
  EXPECT_EQ(nearest("chunkiest", keys), "") << "no part that stands by itself";
  EXPECT_EQ(nearest("de", keys), "") << "two letters begin too much";
  EXPECT_EQ(nearest(std::string(100'000, 'a'), words), "");
}

}  // namespace
}  // namespace streamscope
