// The value or the error: what every function at a room's border returns. It cannot be ignored by accident.
#pragma once

#include <tl/expected.hpp>
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

}  // namespace streamscope
