#include "app/window/state/state.h"

namespace streamscope::window {

std::string ghost_of(const State& state) {
  if (!state.settings.predict || !state.shown || !state.shown->with_ghosts) return {};
  return state.shown->run->prediction->trace.provenance.profile;
}

const timeline::Tracks& tracks_in_view(const State& state) {
  return ghost_of(state).empty() ? state.shown->tracks : *state.shown->with_ghosts;
}

std::optional<trace::Span> span_of(const State& state, OperationIndex operation) {
  if (!state.shown || operation == kNoOperation) return std::nullopt;
  return trace::find_span(state.shown->run->trace, operation);
}

}  // namespace streamscope::window
