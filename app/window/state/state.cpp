#include "app/window/state/state.h"

namespace streamscope::window {

std::string ghost_of(const State& state) {
  if (!state.settings.predict || !state.runs.shown || !state.runs.shown->with_ghosts) return {};
  return state.runs.shown->run->prediction->trace.provenance.profile;
}

const timeline::Tracks& tracks_in_view(const State& state) {
  return ghost_of(state).empty() ? state.runs.shown->tracks : *state.runs.shown->with_ghosts;
}

std::optional<trace::Span> span_of(const State& state, OperationIndex operation) {
  if (!state.runs.shown || operation == kNoOperation) return std::nullopt;
  return trace::find_span(state.runs.shown->run->trace, operation);
}

}  // namespace streamscope::window
