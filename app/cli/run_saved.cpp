#include "app/cli/run_saved.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "app/cli/interrupt.h"
#include "app/cli/outputs.h"
#include "app/cli/status_line.h"
#include "app/cli/write_run.h"
#include "engine/input/open.h"

namespace streamscope::cli {
namespace {

// What was given that has no meaning here.
std::string without_meaning(const RunOptions& options) {
  const RunOptions plain;
  const std::pair<const char*, bool> given[] = {{"--set", !options.settings.empty()},
                                                {"--device", !options.device.empty()},
                                                {"--predict", !options.predict.empty()},
                                                {"--repeat", !options.repeat.empty()},
                                                {"--instrument", options.instrument != plain.instrument},
                                                {"--share", !options.share.empty()},
                                                {"--in-kernel", !options.in_kernel.empty()},
                                                {"--gate", options.gate},
                                                {"--max-noise", !options.max_noise.empty()},
                                                {"--min-samples", !options.min_samples.empty()},
                                                {"--timeout", !options.timeout.empty()},
                                                {"--long-kernels", options.long_kernels},
                                                {"--emit-program", !options.program.empty()},
                                                {"--dry-run", options.dry_run}};
  std::string wrong;
  for (const auto& [option, is] : given) {
    if (is)
      wrong += fmt::format("{}{}: error: {} is a trace: nothing is run, so leave the option out",
                           wrong.empty() ? "" : "\n", option, options.file);
  }
  return wrong;
}

}  // namespace

bool names_trace(const RunOptions& options) { return options.file != "-" && input::looks_like_trace(options.file); }

Result<int> write_saved_trace(const RunOptions& options, const RunPlan& plan) {
  if (std::string wrong = without_meaning(options); !wrong.empty()) return fail(ErrorKind::bad_input, std::move(wrong));
  TRY(check_outputs(outputs_of(options), {{"the input", options.file}}));
  const Interrupt interrupt;
  Result<trace::Run> run;
  {
    StatusLine line;
    run = input::open_trace(options.file, {interrupt.flag(), [&](double share) {
                                             line.show(fmt::format("reading, {:.0f} %", 100 * share));
                                           }});
  }
  if (!run) return fail(run.error());
  return write_outputs(*run, options, plan, std::filesystem::path(options.file).filename().string());
}

}  // namespace streamscope::cli
