// The value of a Result; an error is returned from the enclosing function, whose result must be a Result.
//
//   const std::string text = TRY(read_text(file, kMost));
//   TRY(check(text));
//
// Only for a whole initialiser, a whole right side or a statement: where a larger expression is left half-way, GCC may
// not destroy what it has made of it. (A statement in an expression is an extension that GCC and clang share.)
#pragma once

#include <type_traits>
#include <utility>

#include "engine/base/result.h"

namespace streamscope {

template <class T>
T value_of(Result<T>&& result) {
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

}  // namespace streamscope

#define TRY(expression)                                            \
  ({                                                               \
    auto tried_result = (expression);                              \
    if (!tried_result) [[unlikely]]                                \
      return ::streamscope::fail(std::move(tried_result).error()); \
    ::streamscope::value_of(std::move(tried_result));              \
  })
