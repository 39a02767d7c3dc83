#include "engine/device/model/profile_file.h"

#include <gmock/gmock.h>

#include "engine/base/files.h"

namespace streamscope {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string h200_text() {
  auto text = read_text(assets_folder() / "devices" / "h200.toml");
  EXPECT_TRUE(text);
  return std::move(*text);
}

// The text with one thing replaced.
std::string with(std::string_view what, std::string_view by) {
  std::string text = h200_text();
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

TEST(Profile, TheH200IsRead) {
  const auto profile = parse_profile(h200_text(), "h200.toml", "h200");
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_EQ(profile->name, "NVIDIA H200");
  EXPECT_EQ(profile->memory, 139ull << 30);
  EXPECT_EQ(profile->host.launch, 2'000);
  EXPECT_EQ(profile->copies.both_directions, 916'000u);
  EXPECT_EQ(profile->copies.h2d.points.size(), 5u);
  EXPECT_EQ(profile->compute.memory_rate, 4'250'000'000'000u);
  EXPECT_EQ(profile->highest_priority, -5);
  EXPECT_TRUE(profile->free_waits);
  EXPECT_GT(profile->assumed, 0);
  EXPECT_LT(profile->assumed, profile->numbers);
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
        Bad{"name = \"NVIDIA H200\"", "", "\"name\" is missing"},
        Bad{"name = \"NVIDIA H200\"", "name = 7", "some.toml:5:8: \"name\" must be a text"},
        Bad{"name = \"NVIDIA H200\"", "name = \"x", "some.toml:5:"},
        Bad{"name = \"NVIDIA H200\"", "name = \"x\"\ncolour = 1", "some.toml:6:1: unknown key \"colour\""},
        Bad{"[streams]", "[strands]", "there is no section [streams]"},
        Bad{"[streams]", "[strands]", "unknown key \"strands\""},
        Bad{"[host]", "host = 3\n[hosts]", "must be a section"},
        Bad{"\"1500ns\", origin = \"measured\"", "\"1500ns\"", "\"copy\" needs origin"},
        Bad{"\"1500ns\", origin = \"measured\"", "\"1500ns\", origin = \"guessed\"", "\"copy\" needs origin"},
        Bad{"\"1500ns\", origin = \"measured\"", "\"1500ns\", orgin = \"measured\"", "unknown key \"orgin\""},
        Bad{"{ value = \"1500ns\", origin = \"measured\" }", "\"1500ns\"", "\"copy\" must be { value"},
        Bad{"\"1500ns\"", "1500", "\"copy\" must be a time"}, Bad{"\"1500ns\"", "\"1500\"", "\"copy\" must be a time"},
        Bad{"\"1500ns\"", "\"-3ns\"", "\"copy\" must be a time"},
        Bad{"\"1500ns\"", "\"99999999999s\"", "\"copy\" must be a time"},
        Bad{"\"139GiB\"", "\"139 gigs\"", "\"memory\" must be a size"},
        Bad{"value = 132", "value = 0", "\"multiprocessors\" must be a whole number from 1"},
        Bad{"value = 132", "value = 1.5", "\"multiprocessors\" must be a whole number"},
        Bad{"value = -5", "value = 5", "\"highest_priority\" must be"},
        Bad{"value = 0.916", "value = 0", "\"both_directions\" must be a share"},
        Bad{"value = 0.916", "value = nan", "\"both_directions\" must be a share"},
        Bad{"value = 0.916", "value = 1.1", "\"both_directions\" must be a share"},
        Bad{"\"eligible\"", "\"random\"", "\"queue\" must be \"eligible\" or \"issue\""},
        Bad{"\"1980MHz\"", "\"1.98GHz\"", "\"clock\" must be a rate such as \"100MHz\""},
        Bad{"\"1980MHz\"", "\"-1MHz\"", "\"clock\" must be a rate"},
        Bad{"value = false", "value = \"no\"", "\"malloc_waits\" must be true or false"},
        Bad{"size = \"64KiB\", rate = \"12.9GB/s\"", "size = \"2KiB\", rate = \"12.9GB/s\"", "sizes must rise"},
        Bad{"rate = \"45.4GB/s\"", "time = \"1us\"", "times must not fall"},
        Bad{"rate = \"45.4GB/s\"", "rate = \"0GB/s\"", "a rate is written"},
        Bad{"rate = \"45.4GB/s\"", "rate = \"45.4GB/s\", time = \"1us\"", "either a time or a rate"},
        Bad{"size = \"1MiB\", rate", "size = 4, rate", "a size is written"},
        Bad{"{ size = \"1MiB\", time = \"3us\", origin = \"measured\" },", "", "two or more points"},
        Bad{"value = 2048", "value = 512", "does not fit on a"}));

TEST(Profile, TellsAllThatIsWrongInTheOrderOfTheFile) {
  std::string text = with("value = 132", "value = 0");
  text.replace(text.find("\"1500ns\""), 8, "\"soon\"  ");
  const auto profile = parse_profile(text, "some.toml", "some");
  ASSERT_FALSE(profile);
  const std::string& message = profile.error().message;
  EXPECT_LT(message.find("\"copy\""), message.find("\"multiprocessors\""));
  EXPECT_NE(message.find("\"multiprocessors\""), std::string::npos);
}

TEST(Profile, NoTextCrashesTheReader) {
  const std::string text = h200_text();
  const std::size_t last_key = text.find("memory_rate");
  for (std::size_t length = 0; length < last_key; length += 7) {
    const auto profile = parse_profile(std::string_view(text).substr(0, length), "cut.toml", "cut");
    EXPECT_FALSE(profile) << length;
  }
  EXPECT_FALSE(parse_profile(std::string_view("\0\xff\xfe", 3), "bytes.toml", "bytes"));
}

TEST(Profile, AFileThatIsNotThereIsAnError) {
  const auto profile = read_profile("/nowhere/none.toml");
  ASSERT_FALSE(profile);
  EXPECT_THAT(profile.error().message, StartsWith("/nowhere/none.toml"));
}

}  // namespace
}  // namespace streamscope
