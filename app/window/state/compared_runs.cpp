#include "app/window/state/compared_runs.h"

#include <fmt/format.h>

#include "engine/base/translate.h"
#include "engine/trace/packed_spans.h"

namespace streamscope::window {
namespace {

bool wanted(const State& state) {
  return state.comparison.second && state.runs.shown && state.runs.shown->number != 0 &&
         state.comparison.second != state.runs.shown;
}

// `partners` by index, from the first run to the second or the other way round.
OperationIndex partner(const trace::Trace& from, const trace::Trace& to, const std::vector<std::uint32_t>& partners,
                       OperationIndex operation) {
  const auto index = trace::find_index(from, operation);
  if (!index || *index >= partners.size() || partners[*index] == analysis::kAlone) return kNoOperation;
  return trace::span_at(to, partners[*index]).operation;
}

}  // namespace

std::optional<PairRequest> pair_due(State& state) {
  Comparison& comparison = state.comparison;
  if (!wanted(state)) {
    comparison.pair.reset();
    comparison.asked.reset();
    return std::nullopt;
  }
  const ShownPair* now = pair_in_view(state);
  if (now == nullptr) comparison.pair.reset();
  const bool offset_matters =
      comparison.worst_by == analysis::WorstBy::start || comparison.worst_by == analysis::WorstBy::end;
  const Nanoseconds offset = offset_matters ? offset_of(state) : 0;
  if (now != nullptr && now->by == comparison.worst_by && now->offset == offset) {
    comparison.asked.reset();
    return std::nullopt;
  }
  PairRequest request{state.runs.shown, comparison.second, now != nullptr ? now->paired : nullptr, comparison.worst_by,
                      offset};
  if (comparison.asked == request) return std::nullopt;
  return comparison.asked = std::move(request);
}

const ShownPair* pair_in_view(const State& state) {
  const bool is = state.comparison.pair && state.comparison.pair->first == state.runs.shown &&
                  state.comparison.pair->second == state.comparison.second;
  return is ? state.comparison.pair.get() : nullptr;
}

OperationIndex partner_in_second(const State& state, OperationIndex operation) {
  const ShownPair* pair = pair_in_view(state);
  if (pair == nullptr) return kNoOperation;
  return partner(pair->first->run->trace, pair->second->run->trace, pair->paired->of_first, operation);
}

OperationIndex partner_in_first(const State& state, OperationIndex operation) {
  const ShownPair* pair = pair_in_view(state);
  if (pair == nullptr) return kNoOperation;
  return partner(pair->second->run->trace, pair->first->run->trace, pair->paired->of_second, operation);
}

Nanoseconds offset_of(const State& state) {
  const ShownPair* pair = pair_in_view(state);
  if (pair == nullptr) return 0;
  if (state.comparison.alignment == Alignment::selection) {
    const auto a = trace::find_span(pair->first->run->trace, state.timeline.selected);
    const auto b = trace::find_span(pair->second->run->trace, state.comparison.selected);
    if (a && b) {
      if (known(a->start) && known(b->start)) return elapsed(b->start, a->start);
      if (known(a->host_begin) && known(b->host_begin)) return elapsed(b->host_begin, a->host_begin);
    }
  }
  if (state.comparison.alignment == Alignment::first_work && pair->paired->first_work) return *pair->paired->first_work;
  return pair->paired->first_call.value_or(0);
}

timeline::ComparedRun compared_run(const State& state) {
  const Comparison& comparison = state.comparison;
  timeline::ComparedRun out;
  if (!comparison.second || !state.runs.shown || comparison.second == state.runs.shown) return out;
  out.trace = &comparison.second->run->trace;
  out.tracks = &comparison.second->tracks;
  out.waiters = &comparison.second->waiters;
  out.offset = offset_of(state);
  out.overlaid = comparison.arrangement == command::Arrangement::overlaid;
  const auto heading = [](const ShownRun& run) {
    return run.number == 0 ? std::string(tr("NOW")) : tr("RUN {}", run.number);
  };
  const auto title = [&](const ShownRun& run) {
    return fmt::format("{}: {}", heading(run), run_name(state.runs, run));
  };
  out.first_name = heading(*state.runs.shown);
  out.name = heading(*comparison.second);
  out.first_title = title(*state.runs.shown);
  out.title = title(*comparison.second);
  out.selected = comparison.selected;
  return out;
}

std::optional<draw::SecondRun> second_of(const State& state) {
  timeline::ComparedRun seen = compared_run(state);
  if (!seen.there()) return std::nullopt;
  return draw::SecondRun{state.comparison.second->run, std::move(seen)};
}

}  // namespace streamscope::window
