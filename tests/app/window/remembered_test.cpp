// What comes back at the next start, and the hint where to begin, which comes once and goes with whatever a person does
// first.
#include "app/window/effects/remembered_file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

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
  EXPECT_FALSE(state.workspace.summary_open);
  EXPECT_TRUE(state.workspace.controls_open);
  EXPECT_EQ(state.workspace.dock, command::Dock::waits);
  EXPECT_EQ(state.workspace.sizes, (PanelSizes{400, 250.5f, 0.55f, 0.4f}));
  EXPECT_TRUE(state.workspace.cuda_open);
  EXPECT_EQ(state.editing.experiment.streams, 9u);
  EXPECT_EQ(state.editing.experiment_name, "mine");
  ASSERT_EQ(state.files.recent.size(), 1u);
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
        std::string("streamscope window 1\ntheme pink\n"), std::string("streamscope window 1\ntext 1e9\n"),
        std::string("streamscope window 1\ntext nan\n"), std::string("streamscope window 1\ntab 99\n"),
        std::string("streamscope window 1\ncontrols ajar\n")}) {
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
