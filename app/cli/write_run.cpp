#include "app/cli/write_run.h"

#include <fmt/format.h>

#include <utility>

#include "app/cli/open_kernel.h"
#include "app/cli/pictures.h"
#include "app/cli/summary.h"
#include "app/cli/terminal.h"
#include "engine/base/file_writer.h"
#include "engine/base/translate.h"
#include "engine/output/output.h"
#include "engine/remedy/explain_run.h"

namespace streamscope::cli {

int write_run(const trace::Run& run, const RunOptions& to, const draw::FigureOptions& figure,
              const std::string& title) {
  int code = 0;
  const auto keep = [&](const Result<void>& written) {
    if (!written) code = report(written.error());
  };
  bool written = false;
  for (const output::Format& each : output::formats()) {
    const auto to_file = to.texts.find(each.option);
    if (to_file == to.texts.end() || to_file->second.empty()) continue;
    keep(write_file(to_file->second, [&](const TextSink& put) { each.write(run, put); }));
    written = true;
  }
  const bool drawn = draws_pictures(to);
  if (drawn)
    if (const int failed = write_pictures(run, to, figure, nullptr); failed != 0) code = failed;
  if (!written && !drawn) {
    // A sentence or two; `explain` has the rest.
    const auto why = remedy::explain_run(run, {}, {}, kFewSimulated);
    const std::string text = summary(run, title, why ? why->get() : nullptr);
    if (to.program == "-" || to.cuda == "-") {
      print_stderr_text(text);
    } else if (const int said = print_stdout(text); said != 0) {
      code = said;
    }
  }
  // What went wrong shows best in the timeline of it.
  if (run.verified == false) {
    const trace::Note* note = trace::first_of(run.notes, trace::NoteKind::wrong_data);
    const std::string where = note != nullptr ? " " + note->text : "";
    return report({ErrorKind::wrong_data, tr("{}: error: the data that came back is wrong.{}", title, where)});
  }
  return code;
}

int write_outputs(const trace::Run& run, const RunOptions& options, const RunPlan& plan, const std::string& title) {
  draw::FigureOptions figure = plan.figure;
  const auto opening = plan.open ? opening_in(run.trace, *plan.open) : Result<timeline::OpenKernel>();
  if (opening) figure.opening = *opening;
  const int code = write_run(run, options, figure, title);
  return opening ? code : report(opening.error());
}

}  // namespace streamscope::cli
