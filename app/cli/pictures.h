// The pictures of a run: the options for them, and the files.
#pragma once

#include <memory>
#include <vector>

#include "app/cli/option.h"
#include "app/cli/run_options.h"
#include "engine/remedy/explain_run.h"

namespace streamscope::cli {

// Which to write, and how they look.
std::vector<Option> picture_options(RunOptions& to);

bool draws_pictures(const RunOptions& options);

// `explained`: null: the run is explained here where the picture shows anything of the verdict. What cannot be is
// reported; gives the exit code.
int write_pictures(const trace::Run& run, const RunOptions& options, draw::FigureOptions figure,
                   std::shared_ptr<const remedy::ExplainedRun> explained);

// Operations that changes are simulated on where the verdict is not what was asked for: so that it comes at once.
inline constexpr std::size_t kFewSimulated = 200'000;

}  // namespace streamscope::cli
