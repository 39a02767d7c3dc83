// measure() on a device that follows a script, and what it told on the way.
#pragma once

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/measure/measure.h"
#include "tests/engine/measure/fake_device.h"

namespace streamscope {

using Log = std::vector<std::string>;

struct Measuring : ::testing::Test {
  Result<streamscope::Run> measure() {
    FakeDevice device(script);
    auto run = streamscope::measure(device, program, options, control, [this](const Step& step) {
      progress.emplace_back(step.done, step.total);
      steps.push_back(step);
    });
    long_kernels = device.long_kernels;
    return run;
  }

  Script script;
  Program program;
  MeasureOptions options;
  RunControl control;
  std::vector<std::pair<int, int>> progress;
  std::vector<Step> steps;
  bool long_kernels = false;
};

}  // namespace streamscope
