// `run` on a trace that was saved or comes from another tool: nothing is run, what is in the file is drawn and written.
#pragma once

#include <string>

#include "app/cli/run_options.h"

namespace streamscope::cli {

// Whether the FILE of the options is a trace (open_trace() reads it).
bool names_trace(const RunOptions& options);
// The exit code. Options that only a run has are bad usage, each reported in a line.
Result<int> write_saved_trace(const RunOptions& options, const RunPlan& plan);

}  // namespace streamscope::cli
