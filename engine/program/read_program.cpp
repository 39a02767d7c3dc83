#include "engine/program/read_program.h"

#include <algorithm>
#include <utility>

#include "engine/program/check/check.h"
#include "engine/program/read_changed.h"
#include "engine/program/syntax/parse.h"

namespace streamscope::program {

namespace {

Result<ReadProgram> read(std::string_view text, std::string_view file, Warnings warnings) {
  const auto is_error = [](const Diagnostic& one) { return one.severity == Diagnostic::Severity::error; };
  Parsed parsed = parse(text);
  Checked checked = check(parsed.syntax, warnings);
  std::vector<Diagnostic> all = std::move(parsed.diagnostics);
  all.insert(all.end(), checked.diagnostics.begin(), checked.diagnostics.end());
  if (std::any_of(all.begin(), all.end(), is_error)) {
    std::erase_if(all, [&](const Diagnostic& one) { return !is_error(one); });
    return fail(ErrorKind::bad_input, format(all, file));
  }
  return ReadProgram{std::move(checked.program), std::move(all)};
}

}  // namespace

Result<ReadProgram> read_program(std::string_view text, std::string_view file) {
  return read(text, file, Warnings::all);
}

Result<Program> read_changed(std::string_view text, std::string_view file) {
  return TRY(read(text, file, Warnings::none)).program;
}

}  // namespace streamscope::program
