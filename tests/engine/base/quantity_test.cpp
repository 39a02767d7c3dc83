#include "engine/base/quantity.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace streamscope {
namespace {

constexpr std::uint64_t kMostBytes = std::numeric_limits<std::uint64_t>::max();
constexpr Nanoseconds kMostTime = std::numeric_limits<Nanoseconds>::max();

TEST(ParseBytes, UnitsAreBinaryOrDecimalAsWritten) {
  const std::pair<const char*, std::uint64_t> cases[] = {
      {"0", 0},
      {"1", 1},
      {"4096", 4096},
      {"1KiB", 1024},
      {"64MiB", 67108864},
      {"2GiB", 2147483648},
      {"1KB", 1000},
      {"3MB", 3000000},
      {"4GB", 4000000000},
      {"1.5KiB", 1536},
      {"0.5MiB", 524288},
      {"2.25GB", 2250000000},
      {"64 MiB", 67108864},
      {"007", 7},
      {"1.000KiB", 1024},
      {"0.0009765625KiB", 1},
  };
  for (const auto& [text, bytes] : cases) {
    const auto value = parse_bytes(text);
    ASSERT_TRUE(value) << text << ": " << value.error().message;
    EXPECT_EQ(*value, bytes) << text;
  }
}

TEST(ParseBytes, TheLargestFitsAndOneMoreDoesNot) {
  EXPECT_EQ(*parse_bytes("18446744073709551615"), kMostBytes);
  EXPECT_FALSE(parse_bytes("18446744073709551616"));
  EXPECT_EQ(*parse_bytes("17179869183GiB"), 17179869183ull << 30);
  EXPECT_FALSE(parse_bytes("17179869184GiB"));
  EXPECT_FALSE(parse_bytes("99999999999999999999999GiB"));
}

TEST(ParseBytes, WhatIsNoSizeIsRefusedWithWhatWasFound) {
  for (const char* text :
       {"",    "MiB",    "-1",   "+1", "1.", ".5",    "1.5",    "1..5KiB", "1 .5KiB", "1mib", "1 M",     "1Mi", "1B",
        "1e6", "1,5KiB", "0x10", " 1", "1 ", "1KiB ", "1.3KiB", "0.1B",    "1TiB",    "nan",  "1KiBKiB", "\xff"}) {
    const auto value = parse_bytes(text);
    ASSERT_FALSE(value) << "'" << text << "' gave " << *value;
    EXPECT_EQ(value.error().kind, ErrorKind::bad_input);
    EXPECT_NE(value.error().message.find(text), std::string::npos) << value.error().message;
  }
}

TEST(ParseBytes, AMistakeIsAnsweredWithWhatWouldBeRight) {
  EXPECT_NE(parse_bytes("1TiB").error().message.find("GiB"), std::string::npos);
  EXPECT_NE(parse_bytes("many").error().message.find("64MiB"), std::string::npos);
  EXPECT_NE(parse_bytes("1.5").error().message.find("unit"), std::string::npos);
}

TEST(ParseDuration, UnitsAndFractions) {
  const std::pair<const char*, Nanoseconds> cases[] = {
      {"0ns", 0},
      {"1ns", 1},
      {"300us", 300000},
      {"1.5ms", 1500000},
      {"2s", 2000000000},
      {"0.000000001s", 1},
      {"1.000000001s", 1000000001},
      {"10 us", 10000},
      {"0.5us", 500},
      {"1.250ms", 1250000},
  };
  for (const auto& [text, duration] : cases) {
    const auto value = parse_duration(text);
    ASSERT_TRUE(value) << text << ": " << value.error().message;
    EXPECT_EQ(*value, duration) << text;
  }
}

TEST(ParseDuration, TheLargestFitsAndOneMoreDoesNot) {
  EXPECT_EQ(*parse_duration("9223372036854775807ns"), kMostTime);
  EXPECT_FALSE(parse_duration("9223372036854775808ns"));
  EXPECT_EQ(*parse_duration("9223372036.854775807s"), kMostTime);
  EXPECT_FALSE(parse_duration("9223372036.854775808s"));
  EXPECT_FALSE(parse_duration("9223372037s"));
}

TEST(ParseDuration, WhatIsNoDurationIsRefusedWithWhatWasFound) {
  for (const char* text : {"", "300", "us", "-1us", "1.us", ".5us", "0.5ns", "1.2345us", "1 m", "1min", "1US", "1us ",
                           "1us1", "1e3us", "0.1234567890123456789s", "\xc2\xb5s", "1\xc2\xb5s"}) {
    const auto value = parse_duration(text);
    ASSERT_FALSE(value) << "'" << text << "' gave " << *value;
    EXPECT_NE(value.error().message.find(text), std::string::npos) << value.error().message;
  }
}

TEST(ExactText, ReadsBackToTheSameValueInTheLargestUnitThatDivides) {
  EXPECT_EQ(exact_bytes(0), "0");
  EXPECT_EQ(exact_bytes(1023), "1023");
  EXPECT_EQ(exact_bytes(1024), "1KiB");
  EXPECT_EQ(exact_bytes(1536), "1536");
  EXPECT_EQ(exact_bytes(64ull << 20), "64MiB");
  EXPECT_EQ(exact_bytes(3ull << 40), "3072GiB");
  EXPECT_EQ(exact_bytes(1'000'000), "1000000");
  EXPECT_EQ(exact_duration(0), "0ns");
  EXPECT_EQ(exact_duration(999), "999ns");
  EXPECT_EQ(exact_duration(1'500'000), "1500us");
  EXPECT_EQ(exact_duration(2'000'000'000), "2s");
  EXPECT_EQ(exact_duration(kMostTime), "9223372036854775807ns");
  EXPECT_EQ(exact_duration(-1'000), "-1000ns");
}

TEST(ExactText, RoundTripsOverAllMagnitudes) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t bytes = (random() >> (random() % 64)) << (random() % 3 * 10);
    ASSERT_EQ(*parse_bytes(exact_bytes(bytes)), bytes) << exact_bytes(bytes);
    const auto duration = static_cast<Nanoseconds>(random() >> (1 + random() % 63)) / 1000 * (random() % 2 ? 1000 : 1);
    ASSERT_EQ(*parse_duration(exact_duration(duration)), duration) << exact_duration(duration);
  }
  EXPECT_EQ(*parse_bytes(exact_bytes(kMostBytes)), kMostBytes);
}

TEST(DisplayText, FourDigitsAtMostAndAUnit) {
  EXPECT_EQ(display_bytes(0), "0 B");
  EXPECT_EQ(display_bytes(1023), "1023 B");
  EXPECT_EQ(display_bytes(1024), "1 KiB");
  EXPECT_EQ(display_bytes(1536), "1.5 KiB");
  EXPECT_EQ(display_bytes(64ull << 20), "64 MiB");
  EXPECT_EQ(display_bytes(139ull << 30), "139 GiB");
  EXPECT_EQ(display_bytes(5ull << 40), "5120 GiB");
  EXPECT_EQ(display_duration(0), "0 ns");
  EXPECT_EQ(display_duration(999), "999 ns");
  EXPECT_EQ(display_duration(1'000), "1 us");
  EXPECT_EQ(display_duration(1'234'567), "1.235 ms");
  EXPECT_EQ(display_duration(12'345'678), "12.35 ms");
  EXPECT_EQ(display_duration(123'456'789), "123.5 ms");
  EXPECT_EQ(display_duration(90'000'000'000), "90 s");
  EXPECT_EQ(display_duration(-1'500), "-1.5 us");
  EXPECT_EQ(display_duration(kAbsent), "–");
}

TEST(DisplayText, WhatRoundsUpToTheNextUnitIsShownInIt) {
  EXPECT_EQ(display_duration(999'949), "999.9 us");
  EXPECT_EQ(display_duration(999'950), "1 ms");
  EXPECT_EQ(display_duration(999'999'999), "1 s");
  EXPECT_EQ(display_bytes((1u << 20) - 1), "1 MiB");
  EXPECT_EQ(display_bytes(1023u << 10), "1023 KiB");
}

TEST(DisplayText, BandwidthIsDecimalAndNeedsATime) {
  EXPECT_EQ(display_bandwidth(55'400, 1'000), "55.4 GB/s");
  EXPECT_EQ(display_bandwidth(1, 1), "1 GB/s");
  EXPECT_EQ(display_bandwidth(1, 0), "–");
  EXPECT_EQ(display_bandwidth(1, -5), "–");
  EXPECT_EQ(display_bandwidth(1, kAbsent), "–");
}

}  // namespace
}  // namespace streamscope
