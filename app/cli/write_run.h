// A finished run, to where it was asked for.
#pragma once

#include <string>

#include "app/cli/run_options.h"
#include "engine/trace/trace.h"

namespace streamscope::cli {

// To the files of the options, the picture as in `figure`; none: a summary, as text, on standard error where standard
// output holds the program. Gives the exit code: of the last thing that could not be written, and 5 where the data that
// came back is wrong, which is reported after all is written.
int write_run(const trace::Run& run, const RunOptions& options, const draw::FigureOptions& figure,
              const std::string& title);

// Writes what the options ask for as above, with the kernel open in the picture that the plan asks for. Where that
// cannot be opened, all is written without it and the error reported after.
int write_outputs(const trace::Run& run, const RunOptions& options, const RunPlan& plan, const std::string& title);

}  // namespace streamscope::cli
