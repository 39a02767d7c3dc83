#include "app/window/state/program_text.h"

#include <utility>

#include "engine/experiment/build.h"
#include "engine/experiment/check.h"

namespace streamscope::window {

void set_text(State& state, Effects& effects, std::string text, bool edited) {
  state.program = std::move(text);
  state.edited = edited;
  ++state.version;
  state.diagnostics.clear();
  effects.check = true;
  state.refused.reset();
}

void build_text(State& state, Effects& effects) {
  if (const auto valid = experiment::check(state.experiment); !valid) {
    state.experiment_error = valid.error().message;
    return;
  }
  state.experiment_error.clear();
  set_text(state, effects, experiment::build(state.experiment), false);
}

void take(State& state, Effects& effects, OpenedFile file) {
  state.experiment_name = file.name;
  state.own_program = file.is_program();
  state.typed_aside.clear();
  if (state.own_program) {
    state.own = std::move(file);
    state.experiment_error.clear();
    set_text(state, effects, state.own.content.program, false);
  } else {
    state.experiment = std::move(file.content.experiment);
    build_text(state, effects);
  }
}

void put_typed_aside(State& state) {
  if (state.edited) state.typed_aside = state.program;
}

}  // namespace streamscope::window
