// A finished run, to where it was asked for.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "app/cli/outputs.h"
#include "app/cli/run_options.h"
#include "app/draw/figure.h"
#include "engine/trace/trace.h"

namespace streamscope::cli {

struct RunOutputs {
  // Files; "-": standard output; empty: not asked for. None: a summary, as text.
  std::map<std::string, std::string, std::less<>> texts;  // by the option of an output::Format
  std::string png, svg, pdf;
  draw::FigureOptions figure;  // of the picture
  std::string title;           // of the summary and of messages
  bool output_taken = false;   // standard output holds the program, so the summary goes to standard error
};

// Gives the exit code: of the last thing that could not be written, and 5 where the data that came back is wrong, which
// is reported after all is written.
int write_run(const trace::Run& run, const RunOutputs& to);

// Writes what the options ask for as above, with the kernel open in the picture that the plan asks for. Where that
// cannot be opened, all is written without it and the error reported after.
int write_outputs(const trace::Run& run, const RunOptions& options, const RunPlan& plan, const std::string& title);

}  // namespace streamscope::cli
