// The value or the error: what every function at a room's border returns. It cannot be ignored by accident.
#pragma once

#include <tl/expected.hpp>
#include <type_traits>
#include <utility>

#include "engine/base/error.h"

namespace streamscope {

template <class T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using tl::expected<T, Error>::expected;
};

inline tl::unexpected<Error> fail(ErrorKind kind, std::string message) {
  return tl::unexpected<Error>(Error{kind, std::move(message)});
}
inline tl::unexpected<Error> fail(Error error) { return tl::unexpected<Error>(std::move(error)); }

template <class T>
T value_of(Result<T>&& result) {
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

}  // namespace streamscope

// The value of a Result; an error is returned from the enclosing function, whose result must be a Result.
//
//   const std::string text = TRY(read_text(file, kMost));
//   TRY(check(text));
//
// Only for a whole initialiser, a whole right side or a statement: where a larger expression is left half-way, GCC may
// not destroy what it has made of it. (A statement in an expression is an extension that GCC and clang share.)
#define TRY(expression)                                            \
  ({                                                               \
    auto tried_result = (expression);                              \
    if (!tried_result) [[unlikely]]                                \
      return ::streamscope::fail(std::move(tried_result).error()); \
    ::streamscope::value_of(std::move(tried_result));              \
  })
