#include "engine/device/model/profile/profile_file.h"

#include <fmt/format.h>

#include <gmock/gmock.h>
#include <filesystem>
#include <set>
#include <tuple>

#include "engine/base/files.h"
#include "engine/device/catalog/catalog.h"
#include "engine/device/model/profile/profile_numbers.h"
#include "tests/support/open_device.h"

namespace streamscope::model {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string profile_text() {
  auto text = read_text(STREAMSCOPE_SOURCE "/tests/golden/model-profile.toml");
  EXPECT_TRUE(text);
  return std::move(*text);
}

// The text with one thing replaced.
std::string with(std::string_view what, std::string_view by) {
  std::string text = profile_text();
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

TEST(Profile, IsReadWithTheOriginOfEachNumber) {
  const auto profile = parse_profile(profile_text(), "h200.toml", "h200");
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_EQ(profile->name, "Golden");
  EXPECT_EQ(profile->device.memory, 139ull << 30);
  EXPECT_EQ(profile->host.launch, 2'450);
  EXPECT_EQ(profile->copies.both_directions, 910'000u);
  EXPECT_EQ(profile->copies.h2d.points.size(), 8u);
  EXPECT_EQ(profile->compute.memory_rate, 4'250'000'000'000u);
  EXPECT_EQ(profile->device.highest_priority, -5);
  EXPECT_TRUE(profile->host.free_waits);
  EXPECT_EQ(profile->origins[*find_number("compute.threads")], Origin::datasheet);
  EXPECT_EQ(profile->origins[*find_number("host.prefetch")], Origin::assumed);
  EXPECT_EQ(profile->origins[*find_number("host.launch")], Origin::measured);
}

TEST(Profile, IsWrittenAsItWasRead) {
  for (const auto& file : std::filesystem::directory_iterator(assets_folder() / "devices")) {
    const auto profile = catalog::read_profile(file.path());
    ASSERT_TRUE(profile) << profile.error().message;
    const std::string text = write_profile(*profile, "Where it comes from.\n\nAnd when.");
    EXPECT_THAT(text, StartsWith("# Where it comes from.\n#\n# And when.\nname = "));
    const auto again = parse_profile(text, "again.toml", profile->id);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(write_profile(*again, ""), write_profile(*profile, ""));
    EXPECT_EQ(again->origins, profile->origins);
    for (const ProfileNumber& number : profile_numbers()) {
      if (number.get != nullptr) {
        EXPECT_EQ(number.get(*again), number.get(*profile)) << number.path;
      }
    }
  }
}

TEST(Profile, EveryNumberIsInTheTableOnceAndSaysWhatItMeans) {
  std::set<std::string> seen;
  for (const ProfileNumber& number : profile_numbers()) {
    EXPECT_TRUE(seen.emplace(number.path).second) << number.path;
    EXPECT_FALSE(number.meaning.empty()) << number.path;
    EXPECT_EQ(number.kind == NumberKind::times, number.table != nullptr) << number.path;
  }
  for (const WhatIf& one : what_ifs())
    EXPECT_TRUE(find_link_rate(one.key) != nullptr || find_number(one.key)) << one.key;
}

Profile test_profile() {
  auto profile = parse_profile(profile_text(), "test.toml", "test");
  EXPECT_TRUE(profile);
  return std::move(*profile);
}

TEST(WhatIf, AChangedNumberIsNamed) {
  Profile profile = test_profile();
  EXPECT_EQ(title(profile), "test");
  ASSERT_TRUE(change(profile, "copies.engines", "1"));
  ASSERT_TRUE(change(profile, "host.launch", "5us"));
  EXPECT_EQ(profile.copies.engines, 1);
  EXPECT_EQ(title(profile), "test, changed: copies.engines 1 (was 3), host.launch 5us (was 2450ns)");
  EXPECT_EQ(profile.origins[*find_number("host.launch")], Origin::assumed);
}

TEST(WhatIf, TheValueItHadIsNoChange) {
  Profile profile = test_profile();
  ASSERT_TRUE(change(profile, "copies.engines", "3"));
  EXPECT_EQ(title(profile), "test");
}

TEST(WhatIf, TheLinkIsTheRateOfLargeCopiesAndLeavesWhatACopyCostsBesides) {
  Profile profile = test_profile();
  const Nanoseconds small = profile.copies.h2d.at(1024), large = profile.copies.h2d.at(256 << 20);
  ASSERT_TRUE(change(profile, kLink, fmt::format("{}GB/s", link_rate(profile) / 2e9)));
  EXPECT_EQ(profile.copies.h2d.at(1024), small);
  EXPECT_NEAR(static_cast<double>(profile.copies.h2d.at(256 << 20) - small), 2.0 * static_cast<double>(large - small),
              1e-3 * static_cast<double>(large));
  EXPECT_THAT(title(profile), HasSubstr("copies.link"));
}

TEST(WhatIf, TheLinkBetweenDevicesIsTheRateOfPeerCopiesAlone) {
  Profile profile = test_profile();
  const Profile before = profile;
  ASSERT_TRUE(change(profile, kPeerLink, "10GB/s"));
  EXPECT_NEAR(find_link_rate(kPeerLink)->rate(profile), 10e9, 1e7);
  EXPECT_EQ(profile.links.peer.points.front().time, before.links.peer.points.front().time);
  EXPECT_EQ(profile.links.staged.at(1 << 20), before.links.staged.at(1 << 20));
  EXPECT_EQ(link_rate(profile), link_rate(before));
  EXPECT_THAT(title(profile), HasSubstr("links.rate 10GB/s (was "));
}

TEST(WhatIf, WhatIsBetweenDevicesIsAskedOfSeveral) {
  const auto keys = [](const std::string& device) {
    const auto opened = tests::open_device(device);
    std::set<std::string> all;
    for (const device::WhatIfNumber& each : (*opened)->info().what_ifs) all.insert(each.key);
    return all;
  };
  const std::set<std::string> one = keys("model:h200"), two = keys("model:h200x2");
  EXPECT_FALSE(one.contains("links.rate"));
  for (const char* key : {"links.rate", "links.event", "links.access", "copies.link"}) EXPECT_TRUE(two.contains(key));
}

TEST(WhatIf, WhatCannotBeIsRefusedAndChangesNothing) {
  Profile profile = test_profile();
  const std::string before = write_profile(profile, "");
  for (const auto& [key, value, expected] :
       {std::tuple{"copies.engine", "1", "no number of a profile that can be changed; did you mean 'copies.engines'?"},
        std::tuple{"engines", "1", "did you mean 'copies.engines'?"},
        std::tuple{"wheels", "1", "; there are copies.link"}, std::tuple{"copies.engines", "0", "from 1 to 64"},
        std::tuple{"copies.engines", "1.5", "a whole number"}, std::tuple{"copies.h2d", "1us", "no number"},
        std::tuple{"copies.link", "fast", "a rate such as"}, std::tuple{"host.launch", "3", "a time such as"},
        std::tuple{"compute.threads", "512", "does not fit"}}) {
    const auto changed = change(profile, key, value);
    ASSERT_FALSE(changed) << key;
    EXPECT_THAT(changed.error().message, HasSubstr(expected)) << key;
  }
  EXPECT_EQ(write_profile(profile, ""), before);
  EXPECT_EQ(title(profile), "test");
}

TEST(TimeBySize, IsFlatThenStraightThenOnWithTheLastSlope) {
  const TimeBySize table{{{100, 1'000}, {200, 2'000}, {300, 4'000}}};
  EXPECT_EQ(table.at(0), 1'000);
  EXPECT_EQ(table.at(100), 1'000);
  EXPECT_EQ(table.at(150), 1'500);
  EXPECT_EQ(table.at(200), 2'000);
  EXPECT_EQ(table.at(250), 3'000);
  EXPECT_EQ(table.at(400), 6'000);
  EXPECT_GT(table.at(~0ull), 0);  // saturated, not overflown
}

struct Bad {
  std::string_view what, by, expected;
};
struct BadProfile : ::testing::TestWithParam<Bad> {};

TEST_P(BadProfile, IsRefusedWithItsPlace) {
  const auto profile = parse_profile(with(GetParam().what, GetParam().by), "some.toml", "some");
  ASSERT_FALSE(profile);
  EXPECT_EQ(profile.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(profile.error().message, ::testing::MatchesRegex("some\\.toml:[0-9]+:[0-9]+: .*"));
  EXPECT_THAT(profile.error().message, HasSubstr(GetParam().expected));
}

INSTANTIATE_TEST_SUITE_P(
    Table, BadProfile,
    ::testing::Values(
        Bad{"name = \"Golden\"", "", "\"name\" is missing"},
        Bad{"name = \"Golden\"", "name = 7", "some.toml:2:8: \"name\" must be a text"},
        Bad{"name = \"Golden\"", "name = \"x", "some.toml:2:"},
        Bad{"name = \"Golden\"", "name = \"x\"\ncolour = 1", "some.toml:3:1: unknown key \"colour\""},
        Bad{"[streams]", "[strands]", "there is no section [streams]"},
        Bad{"[streams]", "[strands]", "unknown key \"strands\"; known here: "},
        Bad{"name = \"Golden\"", "name = \"x\"\nhost = 3", "some.toml:"},
        Bad{"\"2450ns\", origin = \"measured\"", "\"2450ns\"", "\"launch\" needs an origin"},
        Bad{"\"2450ns\", origin = \"measured\"", "\"2450ns\", origin = \"guessed\"", "\"launch\" needs an origin"},
        Bad{"\"2450ns\", origin = \"measured\"", "\"2450ns\", orgin = \"measured\"",
            "unknown key \"orgin\" in [launch]; did you mean 'origin'?"},
        Bad{"{ value = \"2450ns\", origin = \"measured\" }", "\"2450ns\"", "\"launch\" must be written as { value"},
        Bad{"\"2450ns\"", "1400", "\"launch\" must be a time"},
        Bad{"\"2450ns\"", "\"1400\"", "\"launch\" must be a time"},
        Bad{"\"2450ns\"", "[]", "\"launch\" has no such value"},
        Bad{"\"2450ns\"", "\"-3ns\"", "\"launch\" must be a time"},
        Bad{"\"2450ns\"", "\"99999999999s\"", "\"launch\" must be a time"},
        Bad{"\"139GiB\"", "\"139 gigs\"", "\"memory\" must be a size"},
        Bad{"value = 132", "value = 0", "\"multiprocessors\" must be a whole number, from 1"},
        Bad{"value = 132", "value = 1.5", "\"multiprocessors\" must be a whole number"},
        Bad{"value = -5", "value = 5", "\"highest_priority\" must be"},
        Bad{"value = 0.91", "value = 0", "\"both_directions\" must be a number such as 0.92, from 0.05 to 1"},
        Bad{"value = 0.91", "value = nan", "\"both_directions\" must be"},
        Bad{"value = 0.91", "value = 1.1", "\"both_directions\" must be"},
        // Larger copies are an engine's for all that reads runs.
        Bad{"inlined = { value = \"1KiB\"", "inlined = { value = \"64KiB\"",
            "\"inlined\" must be a size such as \"64KiB\", from 0 to 32KiB"},
        Bad{"\"eligible\"", "\"random\"", "\"queue\" must be \"eligible\", \"issue\" or \"channel\""},
        Bad{"\"1980MHz\"", "\"1.98GHz\"", "\"clock\" must be a clock such as \"1980MHz\""},
        Bad{"\"1980MHz\"", "\"-1MHz\"", "\"clock\" must be a clock"},
        Bad{"malloc_waits = { value = false", "malloc_waits = { value = \"no\"",
            "\"malloc_waits\" must be true or false"},
        Bad{"size = \"64KiB\", time = \"3660ns\"", "size = \"2KiB\", time = \"3660ns\"", "sizes must rise"},
        Bad{"time = \"21400ns\"", "time = \"1us\"", "times must not fall"},
        Bad{"time = \"21400ns\"", "rate = \"0GB/s\"", "a rate is written"},
        Bad{"time = \"21400ns\"", "rate = \"45.4GB/s\", time = \"1us\"", "either a time or a rate"},
        Bad{"size = \"1MiB\", time = \"21400ns\"", "size = 4, time = \"21400ns\"", "a size is written"},
        Bad{"{ size = \"4KiB\", time = \"30us\", origin = \"measured\" },", "", "two or more points"},
        Bad{"value = 2048", "value = 512", "does not fit on a"}));

TEST(Profile, ReportsAllThatIsWrongInTheOrderOfTheFile) {
  std::string text = with("value = 132", "value = 0");
  text.replace(text.find("\"2450ns\""), 8, "\"soon\"  ");
  const auto profile = parse_profile(text, "some.toml", "some");
  ASSERT_FALSE(profile);
  const std::string& message = profile.error().message;
  EXPECT_LT(message.find("\"launch\""), message.find("\"multiprocessors\""));
  EXPECT_NE(message.find("\"multiprocessors\""), std::string::npos);
}

TEST(Profile, NoTextCrashesTheReader) {
  const std::string text = profile_text();
  const std::size_t last_key = text.find("cache_bytes");
  for (std::size_t length = 0; length < last_key; length += 7) {
    const auto profile = parse_profile(std::string_view(text).substr(0, length), "cut.toml", "cut");
    EXPECT_FALSE(profile) << length;
  }
  EXPECT_FALSE(parse_profile(std::string_view("\0\xff\xfe", 3), "bytes.toml", "bytes"));
}

TEST(Profile, AFileThatIsNotThereIsAnError) {
  const auto profile = catalog::read_profile("/nowhere/none.toml");
  ASSERT_FALSE(profile);
  EXPECT_THAT(profile.error().message, StartsWith("/nowhere/none.toml"));
}

}  // namespace
}  // namespace streamscope::model
