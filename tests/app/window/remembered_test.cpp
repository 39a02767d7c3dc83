// What comes back at the next start, and the hint where to begin, which comes once and goes with whatever a person does
// first.
#include "app/window/effects/remembered_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "tests/support/counts.h"
#include "tests/support/state_loop.h"

namespace streamscope::window {
namespace {

class RememberedFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "settings-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    setenv("XDG_CONFIG_HOME", folder_.c_str(), 1);
    file_ = folder_ / "streamscope" / "window";
  }
  void TearDown() override {
    unsetenv("XDG_CONFIG_HOME");
    std::filesystem::remove_all(folder_);
  }
  void write(const std::string& text) {
    std::filesystem::create_directories(file_.parent_path());
    std::ofstream(file_) << text;
  }
  std::filesystem::path folder_, file_;
};

Remembered some() {
  testing::StateLoop loop;
  loop.update(command::SetTheme{timeline::ThemeName::projector});
  loop.update(command::SetTextScale{1.5f});
  loop.update(command::TogglePanel{command::Side::summary});
  loop.update(command::ShowCuda{true});
  loop.update(command::ShowDock{command::Dock::waits});
  loop.update(command::SizePanels{{400, 250.5f, 0.55f, 0.4f}});
  loop.update(command::SetLanguage{lesson::Language::zh});
  loop.update(command::SpeakLesson{lesson::Language::ko});
  experiment::Experiment set;
  set.streams = 7;
  loop.update(command::FileOpened{{.name = "mine", .content = set, .path = "/there/mine.toml"}});
  set.streams = 9;
  loop.update(command::SetExperiment{set});
  return remembered(loop.state);
}

TEST_F(RememberedFile, BringsBackLooksAndWhatWasSet) {
  EXPECT_TRUE(first_start());
  EXPECT_FALSE(last_remembered());
  write_remembered(some());
  EXPECT_FALSE(first_start());
  const auto before = last_remembered();
  ASSERT_TRUE(before);
  EXPECT_EQ(*before, some());
  State state;
  OpenedFile file = file_for(before);
  EXPECT_EQ(file.path, "/there/mine.toml");
  static_cast<void>(begin(state, file, {}, *before));
  EXPECT_EQ(state.workspace.theme, timeline::ThemeName::projector);
  EXPECT_EQ(state.workspace.text_scale, 1.5f);
  EXPECT_EQ(state.workspace.language, lesson::Language::zh);
  EXPECT_EQ(chosen_language(), "zh");
  EXPECT_FALSE(state.workspace.summary_open);
  EXPECT_TRUE(state.workspace.controls_open);
  EXPECT_EQ(state.workspace.dock, command::Dock::waits);
  EXPECT_EQ(state.workspace.sizes, (PanelSizes{400, 250.5f, 0.55f, 0.4f}));
  EXPECT_TRUE(state.workspace.cuda_open);
  EXPECT_EQ(state.editing.experiment.streams, 9u);
  EXPECT_EQ(state.editing.experiment_name, "mine");
  ASSERT_EQ(state.files.recent.size(), 1u);
}

TEST_F(RememberedFile, NoLanguageIsChosenUntilAPersonDoes) {
  EXPECT_EQ(chosen_language(), "");
  write_remembered(Remembered());
  EXPECT_EQ(chosen_language(), "");
  testing::StateLoop loop;
  loop.update(command::SpeakLesson{lesson::Language::ko});
  loop.update(command::SetLanguage{lesson::Language::zh});
  EXPECT_EQ(loop.state.lesson.language, lesson::Language::zh) << "the newest choice counts for lessons";
  EXPECT_FALSE(remembered(loop.state).lesson_language);
}

TEST_F(RememberedFile, WhatPresentingPutAsideComesBack) {
  testing::StateLoop loop;
  loop.update(command::SizePanels{{5, 300, 3}});
  EXPECT_EQ(loop.state.workspace.sizes, (PanelSizes{kNarrowest, 300, kHighest}));
  loop.update(command::Present{true});
  EXPECT_FALSE(loop.state.workspace.controls_open);
  EXPECT_TRUE(remembered(loop.state).controls_open);
  EXPECT_TRUE(remembered(loop.state).dock_open);
}

TEST_F(RememberedFile, IsIgnoredWhereItIsBroken) {
  const std::string whole = text_of(some());
  for (const std::string& text :
       {std::string(), std::string("\x01 nonsense"), "theme dark\n" + whole, whole + "streams = [\n",
        std::string("streamscope window 1\ntheme pink\n"), std::string("streamscope window 1\nlanguage xx\n"),
        std::string("streamscope window 1\ntext 1e9\n"), std::string("streamscope window 1\ntext nan\n"),
        std::string("streamscope window 1\ntab 99\n"), std::string("streamscope window 1\ncontrols ajar\n")}) {
    write(text);
    EXPECT_FALSE(last_remembered()) << text;
    EXPECT_FALSE(first_start()) << text;
  }
  EXPECT_EQ(file_for(std::nullopt).name, "four-streams");
  EXPECT_TRUE(read_remembered("streamscope window 1\nlater thing\n")) << "a later version's line is passed over";
}

TEST_F(RememberedFile, SettingsThatBuildNothingLeaveTheRestWhole) {
  testing::StateLoop loop;
  loop.update(command::SetTheme{timeline::ThemeName::light});
  experiment::Experiment set;
  set.chunk = 3;
  loop.update(command::SetExperiment{set});
  ASSERT_NE(loop.state.editing.experiment_error, "");
  write_remembered(remembered(loop.state));
  const auto before = last_remembered();
  ASSERT_TRUE(before);
  EXPECT_EQ(before->theme, timeline::ThemeName::light);
  EXPECT_EQ(file_for(before).name, "four-streams");
}

TEST_F(RememberedFile, AFileThatIsGoneGivesWayToTheDefault) {
  Remembered before;
  before.name = "trap";
  before.file = folder_ / "gone.streams";
  EXPECT_EQ(file_for(before).name, "four-streams");
  std::ofstream(before.file) << "stream A\n";
  EXPECT_EQ(file_for(before).content.program, "stream A\n");
}

TEST_F(RememberedFile, IsEachStartWhereNothingCanBeRemembered) {
  std::ofstream(folder_ / "streamscope") << "a file where the folder should be";
  write_remembered(some());
  EXPECT_TRUE(first_start());
}

// What a full disk, a bad block or an editor leaves: whatever is taken from it is in range, and the window opens.
TEST_F(RememberedFile, IsNeverTakenForMoreThanItIsWhereverItIsDamaged) {
  const std::string whole = text_of(some());
  const auto opens_on = [&](const std::string& text) {
    const auto before = read_remembered(text);
    if (!before) return false;
    EXPECT_TRUE(before->text_scale >= kSmallestText && before->text_scale <= kLargestText) << text;
    EXPECT_TRUE(before->sizes.controls >= kNarrowest && before->sizes.summary <= kWidest) << text;
    EXPECT_TRUE(before->sizes.lower >= kLowest && before->sizes.lower <= kHighest) << text;
    EXPECT_LE(before->recent.size(), kMostRecent);
    EXPECT_FALSE(file_for(before).name.empty()) << text;
    return true;
  };
  ASSERT_TRUE(opens_on(whole));
  for (std::size_t cut = 0; cut < whole.size(); ++cut) opens_on(whole.substr(0, cut));
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char other : {'\0', '\n', '9', '\xFF'}) {
      std::string text = whole;
      text[at] = other;
      opens_on(text);
    }
  }
  std::string long_list = "streamscope window 1\n";
  for (int i = 0; i < 20'000; ++i) long_list += "recent /somewhere\n";
  EXPECT_TRUE(opens_on(long_list));
}

// What is no file at all would keep the window waiting.
TEST_F(RememberedFile, IsNoPipeFolderDeviceOrLoop) {
  std::filesystem::create_directories(file_.parent_path());
  const auto does_without = [&](const char* what) {
    EXPECT_FALSE(last_remembered()) << what;
    write_remembered(some());
    EXPECT_FALSE(last_remembered()) << what;
    std::filesystem::remove_all(file_);
  };
  ASSERT_EQ(mkfifo(file_.c_str(), 0600), 0);
  does_without("a pipe");
  std::filesystem::create_directory(file_);
  does_without("a folder");
  std::filesystem::create_symlink("/dev/zero", file_);
  does_without("a device");
}

// Two windows that write at once, and one that is killed while it does: what is there is what one of them wrote.
TEST_F(RememberedFile, IsWholeWhateverWritesItAtOnceOrIsKilledMeanwhile) {
  Remembered one = some(), other = some();
  one.recent.assign(kMostRecent, std::string(2000, 'a'));
  other.recent.assign(3, "b");
  write_remembered(one);
  const auto writes = [](const Remembered& what) {
    const pid_t child = fork();
    if (child == 0)
      for (;;) write_remembered(what);
    return child;
  };
  const int kills = tests::count_from("STREAMSCOPE_WINDOW_KILLS", 20);
  std::mt19937 random(3);
  for (int i = 0; i < kills; ++i) {
    const pid_t windows[] = {writes(one), writes(other)};
    for (auto reads = random() % 20; reads > 0; --reads) {
      const auto there = last_remembered();
      ASSERT_TRUE(there) << "after " << i << " kills";
      ASSERT_TRUE(*there == one || *there == other);
    }
    for (const pid_t window : windows) kill(window, SIGKILL);
    for (const pid_t window : windows) waitpid(window, nullptr, 0);
    ASSERT_TRUE(last_remembered());
  }
}

TEST(Hint, GoesWithTheFirstChangeAndIsNotThereByItself) {
  testing::StateLoop loop;
  EXPECT_FALSE(loop.state.workspace.hint_open);
  const auto closes = [&](auto command) {
    loop.update(command::ShowHint{true});
    EXPECT_TRUE(loop.state.workspace.hint_open);
    loop.update(command);
    return !loop.state.workspace.hint_open;
  };
  experiment::Experiment other;
  other.streams = 2;
  EXPECT_TRUE(closes(command::SetExperiment{other}));
  EXPECT_TRUE(closes(command::EditProgram{"stream A\n"}));
  EXPECT_TRUE(closes(command::OpenFile{"/anywhere.toml"}));
  EXPECT_TRUE(closes(command::ShowHint{false}));
  EXPECT_FALSE(closes(command::FilesListed{})) << "nobody did that";
  EXPECT_FALSE(closes(command::Select{kNoOperation}));
}

}  // namespace
}  // namespace streamscope::window
