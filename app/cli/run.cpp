// `streamscope run`: one experiment or program on one device, and what it left behind.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/interrupt.h"
#include "app/cli/outputs.h"
#include "app/cli/perform.h"
#include "app/cli/pictures.h"
#include "app/cli/run_options.h"
#include "app/cli/terminal.h"
#include "app/cli/write_run.h"
#include "engine/base/files.h"
#include "engine/base/translate.h"
#include "engine/cuda_source/cuda_source.h"
#include "engine/input/open.h"
#include "engine/output/output.h"

namespace streamscope::cli {
namespace {

// What is in the file is drawn and written; nothing is run.
Result<int> write_saved_trace(const RunOptions& options, const RunPlan& plan) {
  TRY(check_outputs(outputs_of(options), {{tr("the input"), options.file}}));
  Interrupt interrupt;
  const trace::Run run = TRY(open_saved(options, interrupt));
  interrupt.end();
  return write_outputs(run, options, plan, std::filesystem::path(options.file).filename().string());
}

Result<int> execute(const RunOptions& options) {
  const RunPlan planned = TRY(plan(options));
  if (options.file != "-" && input::looks_like_trace(options.file)) return write_saved_trace(options, planned);
  if (options.file.empty()) print_stderr_text(tr("no FILE given: the default experiment, four-streams\n"));
  const experiment::Input input =
      TRY(read_input(options.file.empty() ? "four-streams" : options.file, options.settings));
  print_stderr_text(experiment::with_line_end(input.warnings));
  std::vector<OutputFile> outputs = outputs_of(options);
  outputs.push_back({"--emit-program", options.program});
  outputs.push_back({"--emit-cuda", options.cuda});
  TRY(check_outputs(outputs, {{tr("the input"), options.file == "-" ? "-" : input.file},
                              {tr("the device's profile"), device::profile_file(planned.device)}}));
  if (!options.program.empty()) TRY(write_text(options.program, input.program));
  if (!options.cuda.empty()) {
    const std::string_view file = options.cuda == "-" ? std::string_view("program.cu") : options.cuda;
    const auto source = TRY(placed(cuda_source::write(input.program, input.checked, file), input));
    TRY(write_text(options.cuda, source.text));
  }
  if (options.dry_run) {
    if (!options.device.empty()) TRY(placed(try_on_device(planned, input), input));
    if (options.program == "-" || options.cuda == "-") return 0;
    return print_stdout(tr("{}: {}; nothing was run\n", printable_line(input.title), size_of(input.checked)));
  }
  Interrupt interrupt;
  const trace::Run run = TRY(placed(perform(planned, input, interrupt), input));
  interrupt.end();
  return write_outputs(run, options, planned, input.title);
}

}  // namespace

Command run_command() {
  const auto o = std::make_shared<RunOptions>();
  Command command{.name = "run",
                  .about = tr("Run an experiment or a stream program"),
                  .options = measuring_options(*o),
                  .footer = tr("Without a file to write, a summary goes to standard output."),
                  .run = [o] { return execute(*o); }};
  const std::vector<Option> others{
      {"--emit-program", &o->program, tr("Write the stream program that is run"), "F"},
      {"--emit-cuda", &o->cuda,
       tr("Write the program as CUDA C++: one file that nvcc compiles, its kernels as they are taught; its first line "
          "says how"),
       "F"},
      {"--dry-run", &o->dry_run,
       tr("Check, write the program or its CUDA C++, but run nothing; with --device, ask that device too")}};
  for (const output::Format& each : output::formats()) {
    std::string& path = o->texts[std::string(each.option)];
    command.options.push_back({each.option, &path, std::string(tr(each.meaning)), "F"});
  }
  for (const std::vector<Option>& more : {picture_options(*o), others})
    command.options.insert(command.options.end(), more.begin(), more.end());
  return command;
}

}  // namespace streamscope::cli
