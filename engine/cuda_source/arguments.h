// A statement's arguments, which the syntax has checked, by their kind.
#pragma once

#include <cstddef>
#include <variant>

#include "engine/program/syntax/tree.h"

namespace streamscope::cuda_source {

inline const program::syntax::Name& name_at(const program::syntax::Statement& statement, std::size_t argument) {
  return std::get<program::syntax::Name>(statement.arguments[argument]);
}
inline const program::syntax::Range& range_at(const program::syntax::Statement& statement, std::size_t argument) {
  return std::get<program::syntax::Range>(statement.arguments[argument]);
}

}  // namespace streamscope::cuda_source
