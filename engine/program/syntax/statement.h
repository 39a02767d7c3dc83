// One statement of the language, read by the table of grammar.h.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "engine/program/syntax/cursor.h"
#include "engine/program/syntax/tree.h"

namespace streamscope::program {

// Errors are reported through the cursor; the statement is then `broken` and holds what came before the error. What
// follows a whole statement is left to the caller. `own`: the program's own kernels so far, to which a declaration
// adds.
using OwnNames = std::set<std::string, std::less<>>;
syntax::Statement parse_statement(Cursor& cursor, OwnNames& own);

}  // namespace streamscope::program
