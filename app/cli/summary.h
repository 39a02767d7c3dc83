// A run in a few lines for a person at a terminal; every number with its unit.
#pragma once

#include <string>

#include "engine/remedy/explain_run.h"
#include "engine/trace/trace.h"

namespace streamscope::cli {

// `why`: the verdict on the run, where there is one.
std::string summary(const trace::Run& run, const std::string& title, const remedy::ExplainedRun* why = nullptr);

}  // namespace streamscope::cli
