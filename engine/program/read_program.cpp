#include "engine/program/read_program.h"

#include <algorithm>
#include <utility>

#include "engine/program/check/check.h"
#include "engine/program/syntax/parse.h"

namespace streamscope::program {

Result<ReadProgram> read_program(std::string_view text, std::string_view file) {
  const auto is_error = [](const Diagnostic& one) { return one.severity == Diagnostic::Severity::error; };
  Parsed parsed = parse(text);
  Checked checked = check(parsed.syntax);
  std::vector<Diagnostic> all = std::move(parsed.diagnostics);
  all.insert(all.end(), checked.diagnostics.begin(), checked.diagnostics.end());
  if (std::any_of(all.begin(), all.end(), is_error)) {
    std::erase_if(all, [&](const Diagnostic& one) { return !is_error(one); });
    return fail(ErrorKind::bad_input, format(all, file));
  }
  return ReadProgram{std::move(checked.program), std::move(all)};
}

}  // namespace streamscope::program
