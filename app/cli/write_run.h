// A finished run, to where it was asked for.
#pragma once

#include <string>

#include "app/draw/figure.h"
#include "engine/trace/trace.h"

namespace streamscope::cli {

struct RunOutputs {
  // Files; "-": standard output; empty: not asked for. None: a summary, as text.
  std::string json, csv, trace, png, svg, pdf;
  draw::FigureOptions figure;  // of the picture
  std::string title;           // of the summary and of messages
  bool output_taken = false;   // standard output holds the program, so the summary goes to standard error
};

// Gives the exit code: of the last thing that could not be written, and 5 where the data that came back is wrong, which
// is reported after all is written.
int write_run(const trace::Run& run, const RunOutputs& to);

}  // namespace streamscope::cli
