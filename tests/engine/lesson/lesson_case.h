// A lesson's folder made for a test, and runs of programs on a model.
#pragma once

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

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

// Two copies and a kernel; then the kernel beside the copy.
inline const std::map<std::string, std::string> kSmall = {
    {"lesson.toml", R"~(covers = ["0.1"]
[runs.one]
file = "one.streams"
[runs.two]
file = "two.streams"
[[steps]]
name = "read"
kind = "say"
[[steps]]
name = "guess"
kind = "predict"
run = "two"
ask = "choice"
choices = [ { name = "shorter", when = "makespan(two) < 0.8 * makespan(one)" },
            { name = "same", when = "else" } ]
[[steps]]
name = "time"
kind = "predict"
run = "one"
ask = "number"
unit = "us"
value = "start(@kernel)"
tolerance = "20%"
wrong = [ { name = "at-once", when = "answer < 0.1 * duration(@copy)" } ]
[[steps]]
name = "turns"
kind = "predict"
run = "one"
ask = "order"
items = ["kernel", "copy"]
key = ["start(@kernel)", "start(@copy)"]
[[steps]]
name = "drag"
kind = "predict"
run = "one"
ask = "bar"
operation = "@kernel"
tolerance = "10%"
[[steps]]
name = "sum"
kind = "check"
run = "one"
holds = ["end(@copy) <= start(@kernel)"]
[[steps]]
name = "repair"
kind = "change"
run = "one"
goal = ["makespan < 0.8 * makespan(one)", "hazards == 0"]
solution = "two.streams"
)~"},
    {"one.streams",
     "buffer x 16MiB\nstream A nonblocking\nstream B nonblocking\nA: h2d x  # @copy\n"
     "A: spin 300us  # @kernel\nhost: sync device\n"},
    {"two.streams",
     "buffer x 16MiB\nstream A nonblocking\nstream B nonblocking\nA: h2d x  # @copy\n"
     "B: spin 300us  # @kernel\nhost: sync device\n"},
    {"en.md", R"~(# A small lesson

What it is about.

## read
A copy of **16 MiB** by `A: h2d x`,
then {duration(one, @kernel)} of a kernel.

- one
- two

## guess
How long?
- shorter: Shorter.
- same: As long
  as before.

### shorter
No: {makespan}.
### same
No.
### right
Yes.

## time
When?
### at-once
No.
### too-low
Later.
### too-high
Earlier.
### right
Yes.

## turns
Which first?
- kernel: The kernel.
- copy: The copy.
### wrong
No.
### right
Yes.

## drag
Where?
### wrong
No.
### right
Yes.

## sum
So it is.
### fails
Not here.

## repair
Make it shorter.
### hint
Stream B.
### done
Done.
)~"}};

}  // namespace streamscope::lesson
