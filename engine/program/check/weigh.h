// How many declarations and operations lines come to, told from the counts of their repeats without expanding them.
#pragma once

#include <unordered_map>

#include "engine/program/check/scope.h"
#include "engine/program/syntax/syntax.h"

namespace streamscope::program {

class Weights {
 public:
  explicit Weights(const Syntax& syntax) { weigh(syntax.lines); }

  struct Weight {
    std::uint64_t least = 0;  // where `exact` is not set a count that depends on a variable is taken as one pass
    bool exact = true;
  };
  // Of one pass of the block that the statement opens.
  Weight body(const syntax::Statement& statement) const { return bodies_.at(&statement); }

  // The statements of `passes` passes of the block, with the variables that are in scope; more than `enough` is as good
  // as infinite. Where that would take long the least there can be.
  std::uint64_t passes(const syntax::Statement& statement, std::uint64_t passes, std::uint64_t enough,
                       Scope& scope) const;

 private:
  Weight weigh(const std::vector<syntax::Line>& lines);
  std::uint64_t count(const syntax::Statement& statement, std::uint64_t passes, std::uint64_t enough, Scope& scope,
                      std::uint64_t& steps) const;

  std::unordered_map<const syntax::Statement*, Weight> bodies_;
};

}  // namespace streamscope::program
