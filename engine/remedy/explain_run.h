// The verdict on a run, with the model that fits its device to simulate changes.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "engine/base/stop_flag.h"
#include "engine/device/device.h"
#include "engine/device/device_spec.h"
#include "engine/remedy/explain.h"

namespace streamscope::remedy {

// All that a verdict rests on. On the heap, since the judgement refers to the program and to the run.
struct ExplainedRun {
  Source source;
  program::Program program;
  bool has_program =
      false;  // else the trace of another tool: its order is that of its streams, and nothing is simulated
  Nanoseconds makespan = kAbsent;
  std::unique_ptr<const verdict::Judgement> judgement;
  Verdict verdict;
};

// The run must outlive it. `model` simulates; nothing: the one that a run was made on, or the one that fits the GPU.
// `most_simulated` as Circumstances has it; `simulated` is told how many simulations are done, after each. Errors: that
// model cannot be opened, or `cancelled`.
Result<std::unique_ptr<ExplainedRun>> explain_run(const trace::Run& run, const StopFlag& stop,
                                                  const std::optional<device::DeviceSpec>& model = {},
                                                  std::size_t most_simulated = Circumstances{}.most_simulated,
                                                  const std::function<void(int)>& simulated = {});

}  // namespace streamscope::remedy
