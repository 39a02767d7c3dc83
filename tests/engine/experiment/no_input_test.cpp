// Files that are neither an experiment nor a program, and what is said of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/experiment/read_input.h"

namespace streamscope::experiment {
namespace {

using ::testing::HasSubstr;

std::string refused(const std::filesystem::path& path, std::string_view text) {
  const auto is = check_is_input(path, text);
  return is ? std::string() : is.error().message;
}

TEST(NoInput, IsCalledWhatItIs) {
  using namespace std::string_view_literals;
  EXPECT_THAT(refused("dir/a.png", "\x89PNG\r\n\x1A\n"sv), HasSubstr("dir/a.png: error: this is a PNG picture; write"));
  EXPECT_THAT(refused("a",
                      "\x7F"
                      "ELF\2\1\1\0"sv),
              HasSubstr("an executable file or a library"));
  EXPECT_THAT(refused("a.streams", "stream A\n\0\n"sv),
              HasSubstr("a.streams:2:1: error: this is a file of bytes that are no text"))
      << "whatever it is called";
  EXPECT_THAT(refused("a.txt", "Hello, this is some text.\nIt is no program.\n"),
              HasSubstr("text of which no line is a statement"));
  EXPECT_THAT(refused("README.md", "# A title\n\nSome words, and more of them.\n"),
              HasSubstr("no line is a statement"));
}

TEST(NoInput, IsNoneOfThese) {
  EXPECT_EQ(refused("a.txt", "stream A\nA: h2d nothing\n"), "");
  EXPECT_EQ(refused("a.txt", "Hello\nstream A\n"), "") << "it has mistakes, and can be mended";
  EXPECT_EQ(refused("a.txt", "streams = 4\n"), "") << "an experiment";
  EXPECT_EQ(refused("a.txt", "# to be written\n"), "");
  EXPECT_EQ(refused("a.txt", ""), "");
  EXPECT_EQ(refused("a.streams", "Hello\n"), "") << "it is called a program";
  EXPECT_EQ(refused("", "Hello\n"), "") << "standard input has its errors by line";
}

}  // namespace
}  // namespace streamscope::experiment
