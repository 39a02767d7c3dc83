// The command of a kind that a Command holds.
#pragma once

#include "app/window/state/command.h"

namespace streamscope::testing {

template <class K, class Of>
const K* find_kind(const Of& what) {
  if constexpr (std::same_as<K, Of>)
    return &what;
  else if constexpr (requires { what.index(); })  // a variant
    return std::visit([](const auto& each) { return find_kind<K>(each); }, what);
  else
    return nullptr;
}

template <class K>
const K* as(const window::Command& command) {  // null where it is another kind
  return find_kind<K>(command.kind());
}

}  // namespace streamscope::testing
