// How many declarations and operations the blocks of a program come to, found without expanding them.
#pragma once

#include <unordered_map>

#include "engine/program/check/scope.h"
#include "engine/program/syntax/tree.h"

namespace streamscope::program {

class StatementCounts {
 public:
  explicit StatementCounts(const Syntax& syntax) { count_bodies(syntax.lines); }

  struct Count {
    std::uint64_t least = 0;  // a repeat whose count depends on a variable is taken as one pass
    bool exact = true;        // there is no such repeat
  };
  // Of one pass of the block that the statement opens.
  Count body(const syntax::Statement& statement) const { return bodies_.at(&statement); }

  // Of `passes` passes of the block, with the variables that are in scope. It is not counted further than `enough`, and
  // where it would take long to count the least there can be is given.
  std::uint64_t in_passes(const syntax::Statement& statement, std::uint64_t passes, std::uint64_t enough,
                          Scope& scope) const;

 private:
  Count count_bodies(const std::vector<syntax::Line>& lines);
  std::uint64_t count_passes(const syntax::Statement& statement, std::uint64_t passes, std::uint64_t enough,
                             Scope& scope, std::uint64_t& steps) const;

  std::unordered_map<const syntax::Statement*, Count> bodies_;
};

}  // namespace streamscope::program
