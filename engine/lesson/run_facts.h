// A run of a lesson with all that its expressions may ask: made once, then only read.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/analysis/analysis.h"
#include "engine/base/result.h"
#include "engine/base/stop_flag.h"
#include "engine/lesson/operation_name.h"
#include "engine/trace/trace.h"
#include "engine/verdict/causes.h"
#include "engine/verdict/judgement.h"

namespace streamscope::lesson {

struct RunFacts {
  trace::Run run;
  program::Program program;
  Tags tags;
  analysis::Analysis analysis;
  std::size_t hazards = 0;
  std::size_t errors = 0;                               // calls that did not return cudaSuccess
  std::unique_ptr<const verdict::Judgement> judgement;  // refers to the run and the program
  std::vector<verdict::Cause> causes;                   // of the verdict, the first one first; see `with_causes`
};
using SharedFacts = std::shared_ptr<const RunFacts>;
// By the name that the lesson gives the run.
using Runs = std::map<std::string, SharedFacts, std::less<>>;

// `with_causes`: also those of the verdict, for which changes are simulated (remedy::explain_run). Errors: the run is
// no run of its program, or `cancelled`.
Result<SharedFacts> facts_of(trace::Run run, bool with_causes, const StopFlag& stop = {});

}  // namespace streamscope::lesson
