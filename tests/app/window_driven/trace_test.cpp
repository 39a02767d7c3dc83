// The real window on a trace of another tool: it is read and shown, nothing is run, and Run still works.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>

#include "tests/app/window_driven/window_fixture.h"

namespace streamscope::tests {
namespace {

class TraceWindow : public AnyWindow {
 protected:
  void SetUp() override {
    AnyWindow::SetUp();
    path = std::filesystem::temp_directory_path() / ("their-" + std::to_string(::getpid()) + ".json");
  }
  void TearDown() override {
    AnyWindow::TearDown();
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }
  void open(const std::string& text) {
    std::ofstream(path) << text;
    window.emplace(std::vector<std::string>{path.string()});
  }
  std::filesystem::path path;
};

TEST_F(TraceWindow, ShowsItAndRunsNothingByItself) {
  open(R"({"traceEvents":[{"ph":"X","cat":"kernel","name":"their kernel","ts":1,"dur":5,"args":{"device":0,"stream":7}},
    {"ph":"X","name":"host range","pid":1,"tid":1,"ts":0,"dur":9}]})");
  const auto shown = window->wait_for("run 1 done: 2 spans, " + path.filename().string());
  ASSERT_TRUE(shown);
  // The engine may have come up before or after.
  ASSERT_TRUE(poll_until([&] { return window->all_lines().find("engine up") != std::string::npos; }));
  const std::string title = "Streamscope – " + path.filename().string() + " – CHROME TRACE (device not named)";
  EXPECT_TRUE(poll_until([&] { return window->title().find(title) != std::string::npos; })) << window->title();
  // Nothing that is set made it.
  EXPECT_EQ(window->all_lines().find("Experiment/controls/streams"), std::string::npos);
  EXPECT_EQ(window->all_lines().find("Program/editor"), std::string::npos);
  ASSERT_TRUE(window->click("Experiment/controls/Run *"));
  const auto second = window->wait_for("run 2 done");
  ASSERT_TRUE(second) << "Run runs the default experiment";
  EXPECT_TRUE(window->place("Experiment/controls/streams"));
}

TEST_F(TraceWindow, SaysWhereABrokenOneIsBroken) {
  open("{\"traceEvents\":[\n{\"ph\":\"X\",");
  EXPECT_TRUE(window->wait_for("said error: " + path.string() + ":2:11: error: "));
}

}  // namespace
}  // namespace streamscope::tests
