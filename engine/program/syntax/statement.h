// One statement of the language, read by the table of grammar.h.
#pragma once

#include "engine/program/syntax/cursor.h"
#include "engine/program/syntax/tree.h"

namespace streamscope::program {

// Errors are reported through the cursor; the statement is then `broken` and holds what came before the error. What
// follows a whole statement is left to the caller.
syntax::Statement parse_statement(Cursor& cursor);

}  // namespace streamscope::program
