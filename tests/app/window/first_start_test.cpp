// The hint where to begin comes once, and goes with whatever a person does first.
#include "app/window/effects/first_start.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/state_loop.h"

namespace streamscope::window {
namespace {

class FirstStart : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "settings-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    setenv("XDG_CONFIG_HOME", folder_.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("XDG_CONFIG_HOME");
    std::filesystem::remove_all(folder_);
  }
  std::filesystem::path folder_;
};

TEST_F(FirstStart, IsRememberedInTheFolderOfSettings) {
  EXPECT_TRUE(first_start());
  EXPECT_TRUE(first_start()) << "a window that could not be opened does not count";
  remember_start();
  EXPECT_TRUE(std::filesystem::exists(folder_ / "streamscope" / "started"));
  EXPECT_FALSE(first_start());
}

TEST_F(FirstStart, WhateverStandsInTheFileOrInItsPlaceCounts) {
  std::filesystem::create_directories(folder_ / "streamscope");
  std::ofstream(folder_ / "streamscope" / "started") << "\x01 nonsense";
  EXPECT_FALSE(first_start());
}

TEST_F(FirstStart, IsEachStartWhereNothingCanBeRemembered) {
  std::ofstream(folder_ / "streamscope") << "a file where the folder should be";
  remember_start();
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
