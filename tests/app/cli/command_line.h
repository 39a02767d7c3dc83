// The real executable on the model device, in a folder of its own.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/files.h"
#include "tests/app/cli/child.h"

namespace streamscope::cli {

using Arguments = std::vector<std::string>;

inline ChildOptions with_input(const std::string& input) {
  ChildOptions options;
  options.input = input;
  return options;
}

// With every GPU hidden, so that `auto` and `cuda` mean the same on all machines.
inline ChildOptions without_gpu() {
  ChildOptions options;
  options.environment["CUDA_VISIBLE_DEVICES"] = "";
  return options;
}

class CommandLine : public ::testing::Test {
 protected:
  CommandLine() {
    char folder[] = "/tmp/streamscope-cli-XXXXXX";
    folder_ = ::mkdtemp(folder);
  }
  ~CommandLine() override {
    std::error_code error;
    std::filesystem::remove_all(folder_, error);
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    EXPECT_TRUE(write_text(path(name), text).has_value());
    return path(name);
  }
  std::string written(const std::string& name) const {
    const auto text = read_text(path(name));
    EXPECT_TRUE(text.has_value()) << name << " was not written";
    return text ? *text : "";
  }

  std::filesystem::path folder_;
};

}  // namespace streamscope::cli
