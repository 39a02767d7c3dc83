// What every panel gets. A panel draws the state into its place and emits commands; it owns no data of the engine. What
// it must remember between frames (an open drag, a cached picture) lies in its own struct.
#pragma once

#include <utility>

#include "app/window/state/command.h"
#include "app/window/state/state.h"
#include "app/window/widgets/box.h"
#include "app/window/widgets/style.h"

namespace streamscope::window {

struct Panel {
  const State& state;
  const Look& look;
  Commands& commands;

  template <class C>
  void emit(C command) const {
    commands.emplace_back(std::move(command));
  }
};

}  // namespace streamscope::window
