// A lesson's folder made for a test, and runs of programs on a model.
#pragma once

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "engine/base/files.h"
#include "engine/device/catalog/catalog.h"
#include "engine/lesson/trial.h"
#include "engine/measure/measure.h"

namespace streamscope::lesson {

// A folder that is removed again.
class Folder {
 public:
  explicit Folder(const std::map<std::string, std::string>& files) {
    char name[] = "/tmp/lesson-XXXXXX";
    path_ = ::mkdtemp(name);
    for (const auto& [file, text] : files) write(file, text);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  void write(const std::string& file, const std::string& text) const { std::ofstream(path_ / file) << text; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Makes runs on a model that comes with the program.
inline MakeRun on_model(const std::string& profile = "h200") {
  auto device = catalog::open_device(device::model_of(profile));
  EXPECT_TRUE(device) << device.error().message;
  return [model = std::shared_ptr<device::Device>(std::move(*device))](const experiment::Input& input, bool stages) {
    measure::MeasureOptions options;
    if (stages) options.stages_of = 100;
    auto run = measure::measure(*model, input.checked, options, {});
    if (run) run->program = input.program;
    return run;
  };
}

// tests/support/small_lesson: a copy before a kernel, then the kernel beside the copy; a step of each kind of question.
using Files = std::map<std::string, std::string>;
inline Files small_lesson() {
  Files files;
  for (const char* name : {"lesson.toml", "one.streams", "two.streams", "en.md"})
    files[name] = *read_text(std::filesystem::path(STREAMSCOPE_SOURCE "/tests/support/small_lesson") / name);
  return files;
}

}  // namespace streamscope::lesson
