// That a file is written whole or not at all, whatever comes in between.
#include "engine/base/file_writer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>

#include "engine/base/files.h"

namespace streamscope {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Writing : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "streamscope-writer-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    fs::permissions(folder_, fs::perms::all);  // for those that give up their rights
  }
  void TearDown() override {
    std::error_code error;
    fs::permissions(folder_, fs::perms::owner_all, error);
    fs::remove_all(folder_, error);
  }
  fs::path put(const char* name, std::string_view text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  std::string got(const fs::path& path) const {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::ptrdiff_t entries() const { return std::distance(fs::directory_iterator(folder_), fs::directory_iterator()); }

  fs::path folder_;
};

// In a process of its own; how it ended: its exit code, or minus the signal.
int in_child(const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    ::_exit(work());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

// As somebody whom permissions bind.
void give_up_rights() {
  if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(99);
}

TEST_F(Writing, NothingIsThereBeforeItIsFinished) {
  const fs::path file = put("f", "old");
  {
    auto writer = FileWriter::open(file);
    ASSERT_TRUE(writer) << writer.error().message;
    writer->write("new");
    EXPECT_EQ(got(file), "old");
    ASSERT_TRUE(writer->finish());
    EXPECT_EQ(got(file), "new");
  }
  EXPECT_EQ(entries(), 1);
  ASSERT_TRUE(FileWriter::open(file));  // and given up
  EXPECT_EQ(got(file), "new");
  EXPECT_EQ(entries(), 1);
}

// SIGINT, SIGTERM and SIGHUP in each phase: the old file stays, the process ends by the signal, nothing else is left.
TEST_F(Writing, ASignalInAnyPhaseLeavesTheOldFileOrTheNewOne) {
  const fs::path file = put("f", "old");
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    for (const int phase : {0, 1, 2}) {
      const int ended = in_child([&] {
        auto writer = FileWriter::open(file);
        if (!writer) return 1;
        if (phase == 0) ::raise(signal);
        writer->write(std::string(300'000, 'n'));
        if (phase == 1) ::raise(signal);
        if (!writer->finish()) return 2;
        ::raise(signal);
        return 3;
      });
      EXPECT_EQ(ended, -signal) << phase;
      EXPECT_EQ(got(file), phase < 2 ? "old" : std::string(300'000, 'n')) << phase;
      EXPECT_EQ(entries(), 1) << "phase " << phase << " of " << strsignal(signal);
      put("f", "old");
    }
  }
}

TEST_F(Writing, ASignalThatIsIgnoredIsIgnored) {
  const fs::path file = put("f", "old");
  EXPECT_EQ(in_child([&] {
              ::signal(SIGHUP, SIG_IGN);
              auto writer = FileWriter::open(file);
              ::raise(SIGHUP);
              writer->write("new");
              return writer->finish() ? 0 : 1;
            }),
            0);
  EXPECT_EQ(got(file), "new");
}

// The names that temporary files had were the process's number and a count.
TEST_F(Writing, ALinkThatSomebodyPlantedIsNotWrittenThrough) {
  const fs::path victim = put("victim", "kept");
  for (int count = 0; count < 100; ++count)
    fs::create_symlink(victim, folder_ / fmt::format("f.{}-{}.tmp", ::getpid(), count));
  ASSERT_TRUE(write_text(folder_ / "f", "new"));
  EXPECT_EQ(got(victim), "kept");
  EXPECT_FALSE(fs::is_symlink(folder_ / "f"));
  EXPECT_EQ(got(folder_ / "f"), "new");
}

TEST_F(Writing, NobodyMayReadMoreOfAFileWhileItIsReplaced) {
  const fs::path file = put("f", "old");
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  auto writer = FileWriter::open(file);
  ASSERT_TRUE(writer);
  writer->write("secret");
  for (const fs::directory_entry& each : fs::directory_iterator(folder_))
    EXPECT_EQ(each.status().permissions(), fs::perms::owner_read | fs::perms::owner_write) << each.path();
  ASSERT_TRUE(writer->finish());
}

TEST_F(Writing, ANewFileHasWhatTheUmaskLeaves) {
  const mode_t before = ::umask(027);
  EXPECT_TRUE(write_text(folder_ / "f", "new"));
  ::umask(before);
  EXPECT_EQ(static_cast<unsigned>(fs::status(folder_ / "f").permissions()), 0640u);
}

TEST_F(Writing, AFileThatMayNotBeWrittenStaysAsItIs) {
  const fs::path file = put("f", "old");
  fs::permissions(file, fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read);
  EXPECT_EQ(in_child([&] {
              give_up_rights();
              const auto written = write_text(file, "new");
              return !written && written.error().message.find("Permission denied") != std::string::npos ? 0 : 1;
            }),
            0);
  EXPECT_EQ(got(file), "old");
  EXPECT_EQ(entries(), 1);
}

TEST_F(Writing, AFolderThatMayNotBeWrittenIsAnError) {
  const fs::path file = put("f", "old");
  fs::permissions(file, fs::perms::all);
  fs::permissions(folder_,
                  fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read | fs::perms::others_exec);
  EXPECT_EQ(in_child([&] {
              give_up_rights();
              const auto written = write_text(file, "new");
              return !written && written.error().message.find(file.string()) != std::string::npos ? 0 : 1;
            }),
            0);
  EXPECT_EQ(got(file), "old");
}

TEST_F(Writing, LinksInACircleAreAnErrorAndStay) {
  fs::create_symlink("b", folder_ / "a");
  fs::create_symlink("a", folder_ / "b");
  const auto written = write_text(folder_ / "a", "new");
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, HasSubstr("Too many levels of symbolic links"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "a"));
  EXPECT_EQ(entries(), 2);
}

TEST_F(Writing, TheLongestNameThatAFolderTakesIsWritten) {
  const fs::path file = folder_ / std::string(255, 'n');
  const auto written = write_text(file, "new");
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(got(file), "new");
  EXPECT_FALSE(write_text(folder_ / std::string(256, 'n'), "new"));
  EXPECT_EQ(entries(), 1);
}

// As a disk that becomes full on the way: what is written is cut off at some byte.
TEST_F(Writing, NoRoomForAllOfItLeavesTheOldFile) {
  const fs::path file = put("f", "old");
  EXPECT_EQ(in_child([&] {
              const rlimit small{100'000, 100'000};
              ::setrlimit(RLIMIT_FSIZE, &small);
              const auto written = write_text(file, std::string(300'000, 'n'));
              return !written && written.error().message.find("File too large") != std::string::npos ? 0 : 1;
            }),
            0);
  EXPECT_EQ(got(file), "old");
  EXPECT_EQ(entries(), 1);
}

TEST_F(Writing, WhatIsMadePieceByPieceIsOneFile) {
  ASSERT_TRUE(write_file(folder_ / "f", [](const TextSink& put) {
    for (int i = 0; i < 1000; ++i) put("0123456789");
  }));
  EXPECT_EQ(got(folder_ / "f").size(), 10'000u);
}

}  // namespace
}  // namespace streamscope
