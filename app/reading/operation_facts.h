// Everything known about one operation, as rows of a label and a value with its unit. For the tooltip and the summary.
#pragma once

#include <string>
#include <vector>

#include "engine/analysis/compare.h"
#include "engine/analysis/noise.h"
#include "engine/trace/trace.h"

namespace streamscope::reading {

struct Fact {
  std::string label, value;
  bool explanation = false;   // long, and to be wrapped
  bool within_noise = false;  // within its own noise: a figure to be looked at twice
  bool is_program = false;    // a line of the program
};

std::string operation_title(const trace::Trace& trace, const trace::Span& span);  // "H2D  16 MiB  on S0"
std::vector<Fact> facts(const trace::Run& run, const trace::Span& span);

// What the model had expected of it, and what the operation itself adds to the difference. Nothing where there is no
// prediction.
std::vector<Fact> predicted_facts(const trace::Run& run, const analysis::Comparison& comparison,
                                  const trace::Span& span);
// "+12 us", "-3 us"
std::string signed_duration(Nanoseconds time);

// Why these are not to be trusted as they stand: they scatter, or lie within their own noise. Empty: they are.
std::string makespan_warning(const trace::Run& run, const analysis::Analysis& analysis,
                             const analysis::FigureNoise& noise);
std::string observer_warning(const trace::Run& run);

// "NVIDIA H200, driver 580, full instrument": one line under the badge.
std::string provenance_line(const trace::Provenance& provenance);

}  // namespace streamscope::reading
