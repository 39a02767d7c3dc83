#include "engine/base/files.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <thread>

namespace streamscope {
namespace {

namespace fs = std::filesystem;

// A folder of its own for each test, gone at its end.
class Files : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "streamscope-files-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    std::error_code error;
    fs::permissions(folder_, fs::perms::owner_all, error);
    fs::remove_all(folder_, error);
  }
  std::ptrdiff_t entries() const { return std::distance(fs::directory_iterator(folder_), fs::directory_iterator()); }

  fs::path folder_;
};

TEST_F(Files, WhatIsWrittenIsReadBackByteForByte) {
  const std::string text = std::string("a\r\n\0b\xff", 6) + std::string(200'000, 'x');
  ASSERT_TRUE(write_text(folder_ / "f", text));
  EXPECT_EQ(*read_text(folder_ / "f"), text);
  ASSERT_TRUE(write_text(folder_ / "f", ""));
  EXPECT_EQ(*read_text(folder_ / "f"), "");
}

// Nobody writes into the pipe: read as a file it would be waited for without end.
TEST_F(Files, APipeIsNoRegularFile) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  const auto read = read_regular(folder_ / "pipe", 100);
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message.find("it is no plain file"), std::string::npos) << read.error().message;
  ASSERT_TRUE(write_text(folder_ / "f", "text"));
  EXPECT_EQ(*read_regular(folder_ / "f", 100), "text");
  fs::create_symlink(folder_ / "f", folder_ / "link");
  EXPECT_EQ(*read_regular(folder_ / "link", 100), "text");
  EXPECT_FALSE(read_regular(folder_ / "f", 3));
  EXPECT_FALSE(read_regular(folder_, 100));
  EXPECT_FALSE(read_regular(folder_ / "nowhere", 100));
}

TEST_F(Files, WritingLeavesNoTemporaryFile) {
  ASSERT_TRUE(write_text(folder_ / "f", "one"));
  ASSERT_TRUE(write_text(folder_ / "f", "two"));
  EXPECT_EQ(entries(), 1);
  EXPECT_EQ(*read_text(folder_ / "f"), "two");
}

TEST_F(Files, AFailureLeavesTheOldFileAndNothingElse) {
  fs::create_directory(folder_ / "taken");  // cannot be replaced by a file
  std::ofstream(folder_ / "taken" / "inside") << "kept";
  const auto written = write_text(folder_ / "taken", "new");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, ErrorKind::bad_input);
  EXPECT_NE(written.error().message.find("taken"), std::string::npos);
  EXPECT_EQ(entries(), 1);
  EXPECT_EQ(*read_text(folder_ / "taken" / "inside"), "kept");
}

TEST_F(Files, AFolderThatIsNotThereIsNamedInTheError) {
  const auto written = write_text(folder_ / "none" / "f", "text");
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().message.find((folder_ / "none" / "f").string()), std::string::npos);
  EXPECT_NE(written.error().message.find("No such file"), std::string::npos);
  EXPECT_EQ(entries(), 0);
}

// Somebody who reads while it is written sees the old text or the new one, whole.
TEST_F(Files, AReaderNeverSeesHalfAFile) {
  const std::string old_text(300'000, 'o'), new_text(500'000, 'n');
  ASSERT_TRUE(write_text(folder_ / "f", old_text));
  std::thread writer([&] {
    for (int i = 0; i < 50; ++i) ASSERT_TRUE(write_text(folder_ / "f", i % 2 ? old_text : new_text));
  });
  int halves = 0;
  for (int i = 0; i < 50; ++i) {
    const auto seen = read_text(folder_ / "f");
    halves += !seen || (*seen != old_text && *seen != new_text);
  }
  writer.join();
  EXPECT_EQ(halves, 0);
}

TEST_F(Files, APipeIsWrittenIntoAndNotReplaced) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] {
    std::ifstream file(pipe);
    got.assign(std::istreambuf_iterator<char>(file), {});
  });
  const auto written = write_text(pipe, "through");
  reader.join();
  EXPECT_TRUE(written);
  EXPECT_EQ(got, "through");
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST_F(Files, ALinkStaysALinkAndItsTargetIsWritten) {
  ASSERT_TRUE(write_text(folder_ / "target", "old"));
  fs::create_symlink("target", folder_ / "link");
  ASSERT_TRUE(write_text(folder_ / "link", "new"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(*read_text(folder_ / "target"), "new");
}

TEST_F(Files, ALinkToNothingYetMakesItsTarget) {
  fs::create_symlink("target", folder_ / "link");
  ASSERT_TRUE(write_text(folder_ / "link", "new"));
  EXPECT_EQ(*read_text(folder_ / "target"), "new");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
}

TEST_F(Files, TwoWritersAtOnceLeaveOneWholeText) {
  const std::string a(100'000, 'a'), b(100'000, 'b');
  const auto write_often = [this](const std::string& text) {
    for (int i = 0; i < 20; ++i) EXPECT_TRUE(write_text(folder_ / "f", text));
  };
  std::thread other([&] { write_often(a); });
  write_often(b);
  other.join();
  const auto seen = read_text(folder_ / "f");
  ASSERT_TRUE(seen);
  EXPECT_TRUE(*seen == a || *seen == b);
  EXPECT_EQ(entries(), 1);
}

TEST_F(Files, AnExistingFileKeepsItsPermissions) {
  ASSERT_TRUE(write_text(folder_ / "f", "old"));
  fs::permissions(folder_ / "f", fs::perms::owner_read | fs::perms::owner_write);
  ASSERT_TRUE(write_text(folder_ / "f", "new"));
  EXPECT_EQ(fs::status(folder_ / "f").permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(Files, AFileOfTheLimitIsReadAndOneByteMoreIsRefused) {
  ASSERT_TRUE(write_text(folder_ / "f", "12345678"));
  EXPECT_EQ(*read_text(folder_ / "f", 8), "12345678");
  const auto seen = read_text(folder_ / "f", 7);
  ASSERT_FALSE(seen);
  EXPECT_NE(seen.error().message.find("7 bytes"), std::string::npos);
}

TEST_F(Files, AnEndlessFileIsRefusedAtTheLimit) {
  const auto seen = read_text("/dev/zero", 1 << 20);
  ASSERT_FALSE(seen);
  EXPECT_NE(seen.error().message.find("larger than 1048576 bytes"), std::string::npos);
}

TEST_F(Files, AFolderAndAMissingFileHaveDifferentErrors) {
  EXPECT_NE(read_text(folder_).error().message.find("it is a folder"), std::string::npos);
  const auto missing = read_text(folder_ / "none.toml");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("none.toml"), std::string::npos);
  EXPECT_NE(missing.error().message.find("No such file"), std::string::npos);
}

TEST_F(Files, ADeviceThatIsFullIsAnError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const auto written = write_text("/dev/full", "text");
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().message.find("No space left"), std::string::npos);
}

TEST_F(Files, APipeBehindADescriptorIsWrittenInPlace) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const auto written = write_text(fmt::format("/dev/fd/{}", ends[1]), "text");
  EXPECT_TRUE(written) << written.error().message;
  ::close(ends[1]);
  char got[8] = {};
  EXPECT_EQ(::read(ends[0], got, sizeof got), 4);
  EXPECT_STREQ(got, "text");
  ::close(ends[0]);
}

TEST_F(Files, TheAssetsAreWhereTheVariableSaysElseBesideTheProgram) {
  const char* before = std::getenv("STREAMSCOPE_ASSETS");
  const std::string kept = before ? before : "";
  ::setenv("STREAMSCOPE_ASSETS", folder_.c_str(), 1);
  EXPECT_EQ(assets_folder(), folder_);
  ::unsetenv("STREAMSCOPE_ASSETS");
  EXPECT_TRUE(fs::is_directory(assets_folder() / "devices")) << assets_folder();
  ::setenv("STREAMSCOPE_ASSETS", "", 1);
  EXPECT_TRUE(fs::is_directory(assets_folder() / "devices")) << "an empty one is none";
  ::unsetenv("STREAMSCOPE_ASSETS");
  if (before) ::setenv("STREAMSCOPE_ASSETS", kept.c_str(), 1);
}

}  // namespace
}  // namespace streamscope
