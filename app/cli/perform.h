// A run as the commands that run something ask for it: their options, and the run itself.
#pragma once

#include <vector>

#include "app/cli/interrupt.h"
#include "app/cli/option.h"
#include "app/cli/run_options.h"
#include "engine/experiment/read_input.h"
#include "engine/trace/trace.h"

namespace streamscope::cli {

// What to run, on what, and how it is measured; the options that `run` has and others share.
std::vector<Option> measuring_options(RunOptions& to);

// The run of the input that the plan asks for, with a prediction and a second opinion where it asks for them.
Result<trace::Run> perform(const RunPlan& plan, const experiment::Input& input, const Interrupt& interrupt);

// What the device named has against the program, such as more bytes than it has.
Result<void> try_on_device(const RunPlan& plan, const experiment::Input& input);

// A trace that was saved or comes from another tool. What was given that has no meaning for one is an error.
Result<trace::Run> open_saved(const RunOptions& options, const Interrupt& interrupt);

// With the place in the input that an error of it is about.
template <class T>
Result<T> placed(Result<T> result, const experiment::Input& input) {
  if (result || result.error().kind != ErrorKind::bad_input) return result;
  return fail(experiment::placed(result.error(), input));
}

}  // namespace streamscope::cli
