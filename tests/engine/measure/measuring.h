// measure() on a device that follows a script, and what it reported on the way.
#pragma once

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/measure/measure.h"
#include "tests/engine/measure/fake_device.h"

namespace streamscope::measure {

using Log = std::vector<std::string>;

struct Measuring : ::testing::Test {
  Measuring() {
    program.streams = {{.name = "default"}, {.name = "per-thread"}};
    program.operations = {{program::op::HostFunction{1'000}, kLegacyStream, ThreadId{0}, 3}};
  }

  Result<trace::Run> measure() {
    FakeDevice device(script);
    auto run = measure::measure(device, program, options, control, [this](const Step& step) {
      progress.emplace_back(step.done, step.total);
      steps.push_back(step);
    });
    long_kernels = device.long_kernels;
    return run;
  }

  Script script;
  program::Program program;
  MeasureOptions options;
  device::RunControl control;
  std::vector<std::pair<int, int>> progress;
  std::vector<Step> steps;
  bool long_kernels = false;
};

}  // namespace streamscope::measure
