#include "app/window/state/run_verdict.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <limits>
#include <map>
#include <utility>

#include "app/timeline/path_shares.h"
#include "app/timeline/span_text.h"
#include "app/window/state/verdict_words.h"
#include "engine/analysis/api_calls.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/trace/packed_spans.h"
#include "engine/verdict/slack.h"
#include "engine/verdict/slices.h"

namespace streamscope::window {
namespace {

using verdict::Judgement;

constexpr std::size_t kMostSimulated = 1'000'000;  // operations of all changes together
constexpr std::size_t kMostHazards = 17;

// As the trace names it; the verdict counts its places.
OperationIndex named(const Judgement& judgement, OperationIndex place) {
  return place == kNoOperation ? kNoOperation : judgement.history.span(place).operation;
}

std::vector<OperationIndex> named(const Judgement& judgement, const std::vector<OperationIndex>& places) {
  std::vector<OperationIndex> out;
  out.reserve(places.size());
  for (const OperationIndex each : places) out.push_back(named(judgement, each));
  return out;
}

void put_longest_first(std::vector<PathPart>& shares) {
  std::ranges::stable_sort(shares, std::greater{}, &PathPart::time);
}

// "12: kernel axpb S0 ...": the line as it is written.
std::string text_of_line(const std::string& program, std::uint32_t line) {
  std::size_t from = 0;
  for (std::uint32_t i = 1; i < line && from != std::string::npos; ++i) {
    from = program.find('\n', from);
    if (from != std::string::npos) ++from;
  }
  if (from == std::string::npos) return {};
  std::string words = program.substr(from, program.find('\n', from) - from);
  words.erase(0, std::min(words.find_first_not_of(" \t"), words.size()));
  return words;
}

void share_out_path(RunVerdict& out) {
  const Judgement& judgement = *out.explained->judgement;
  std::array<PathPart, kNames<verdict::PieceKind>.size()> kinds;
  std::map<std::uint32_t, PathPart> lines;
  const auto add = [&](PathPart& to, const verdict::Piece& piece) {
    to.time += piece.to - piece.from;
    if (piece.operation == kNoOperation) return;
    const OperationIndex operation = named(judgement, piece.operation);
    if (to.operations.empty() || to.operations.back() != operation) to.operations.push_back(operation);
  };
  for (const verdict::Piece& piece : judgement.path.pieces) {
    add(kinds[static_cast<std::size_t>(piece.kind)], piece);
    add(lines[piece.operation == kNoOperation ? 0 : judgement.history.span(piece.operation).line], piece);
  }
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    if (kinds[kind].time <= 0) continue;
    kinds[kind].what = timeline::words_of(static_cast<verdict::PieceKind>(kind));
    out.by_kind.push_back(std::move(kinds[kind]));
  }
  for (auto& [line, share] : lines) {
    if (share.time <= 0) continue;
    share.line = line;
    share.what = line == 0 ? tr("what has no line") : text_of_line(out.run->program, line);
    out.by_line.push_back(std::move(share));
  }
  if (out.by_line.size() == 1 && out.by_line.front().line == 0) out.by_line.clear();  // a trace of another tool
  for (const verdict::Evidence& each : verdict::evidence(judgement))
    out.by_cause.push_back({in_words(each.cause), 0, each.time, named(judgement, each.operations)});
  for (auto* each : {&out.by_kind, &out.by_cause, &out.by_line}) put_longest_first(*each);
}

std::vector<OperationIndex> carried_out_by(const Judgement& judgement, std::initializer_list<Engine> engines) {
  std::vector<OperationIndex> out;
  for (OperationIndex i = 0; i < judgement.history.size(); ++i)
    if (judgement.history.executes(i) && std::ranges::find(engines, judgement.history.span(i).engine) != engines.end())
      out.push_back(named(judgement, i));
  return out;
}

void name_bound(RunVerdict& out) {
  const Judgement& judgement = *out.explained->judgement;
  out.bound = remedy::headline(judgement);
  const verdict::Bound* const bound = verdict::binding(judgement);
  if (bound == nullptr || out.bound.empty()) return;
  // Then it is of the host that the line speaks.
  for (const verdict::Bound& each : judgement.bounds)
    if (each.kind == verdict::BoundKind::host && each.time > bound->time) return;
  if (bound->kind == verdict::BoundKind::order) {
    out.binding = out.bound;
    for (const verdict::Piece& each : judgement.path.pieces)
      if (each.kind == verdict::PieceKind::execution) out.of_binding.push_back(named(judgement, each.operation));
    return;
  }
  const bool is_bus = bound->kind == verdict::BoundKind::bus;
  out.binding = is_bus ? tr("the bus") : tr(words_of(bound->engine.engine).the_text);
  out.of_binding = is_bus ? carried_out_by(judgement, {Engine::h2d, Engine::d2h})
                          : carried_out_by(judgement, {bound->engine.engine});
}

std::string access_text(const trace::Trace& trace, const trace::Span& span) {
  return tr("{}, line {},", timeline::placed_text(trace, span), span.line);
}

void find_missing_order(RunVerdict& out) {
  const remedy::ExplainedRun& explained = *out.explained;
  if (!explained.has_program) return;
  const std::vector<program::Hazard> hazards = program::hazards(explained.program, kMostHazards);
  if (hazards.empty() || hazards.front().first == hazards.front().second) return;
  const program::Hazard& worst = hazards.front();
  const verdict::History& history = explained.judgement->history;
  const trace::Span &first = history.span(worst.first), &second = history.span(worst.second);
  const std::string buffer = explained.program.buffers[worst.buffer.value].name;
  MissingOrder missing{first.operation, second.operation, first.line, second.line, {}, hazards.size() - 1};
  const std::string side = worst.on_host ? tr("on the host") : tr("on the device");
  const trace::Trace& trace = out.run->trace;
  missing.text =
      first.line == second.line
          ? tr("Line {}, carried out as {} and again as {}, touches the same bytes of {} {} both times, and at least "
               "once it writes them. Nothing makes the second time wait for the first.",
               first.line, timeline::placed_text(trace, first), timeline::placed_text(trace, second), buffer, side)
          : tr("{} and {} touch the same bytes of {} {}, and at least one writes them. Nothing makes line {} wait for "
               "line {}.",
               access_text(trace, first), access_text(trace, second), buffer, side, second.line, first.line);
  out.missing_order = std::move(missing);
}

void find_operations(RunVerdict& out) {
  const Judgement& judgement = *out.explained->judgement;
  const std::vector<verdict::Evidence> evidence = verdict::evidence(judgement);
  const auto busiest = std::ranges::max_element(judgement.idle, {}, &verdict::EngineIdle::busy);
  if (busiest != judgement.idle.end()) out.busiest = tr(words_of(busiest->engine.engine).the_text);
  for (const remedy::Entry& entry : out.explained->verdict.entries) {
    const auto found = std::ranges::find(evidence, entry.cause, &verdict::Evidence::cause);
    if (entry.cause == verdict::Cause::at_the_bound && !out.of_binding.empty())
      out.operations.push_back(out.of_binding);
    else if (entry.cause == verdict::Cause::engine_busy && busiest != judgement.idle.end())
      out.operations.push_back(carried_out_by(judgement, {busiest->engine.engine}));
    else if (entry.cause == verdict::Cause::hazard || found == evidence.end())
      out.operations.push_back(named(judgement, entry.operations));
    else
      out.operations.push_back(named(judgement, found->operations));
  }
  // An operation may lie on the path twice.
  for (std::vector<OperationIndex>& each : out.operations) {
    std::ranges::sort(each);
    each.erase(std::unique(each.begin(), each.end()), each.end());
  }
}

std::shared_ptr<const ShownRun> with_waits(const ShownRun& of, const verdict::History& history) {
  auto out = std::make_shared<ShownRun>(of);
  timeline::add_waits(out->tracks, of.run->trace, &history);
  if (out->with_ghosts) timeline::add_waits(*out->with_ghosts, of.run->trace, &history);
  return out;
}

}  // namespace

std::shared_ptr<const RunVerdict> make_verdict(const std::shared_ptr<const ShownRun>& of, const StopFlag& stop) {
  auto out = std::make_shared<RunVerdict>();
  out->number = of->number;
  out->run = of->run;
  if (trace::span_count(of->run->trace) > kMostExplained) {
    out->why_not = tr("It has more operations than the window explains: streamscope explain does it.");
    return out;
  }
  auto explained = remedy::explain_run(*of->run, stop, {}, kMostSimulated);
  if (stop.stop_requested()) return nullptr;
  if (!explained) {
    out->why_not = explained.error().message;
    return out;
  }
  const Judgement& judgement = *(*explained)->judgement;
  out->explained = std::move(*explained);
  if (!known(judgement.makespan)) {
    out->why_not = analysis::nothing_ran_text(of->run->trace);
    return out;
  }
  share_out_path(*out);
  name_bound(*out);
  find_missing_order(*out);
  find_operations(*out);
  out->calls = std::make_unique<const verdict::Calls>(judgement.history);
  out->slack = verdict::slack(judgement.history);
  out->waits = wait_totals(*out, {std::numeric_limits<Nanoseconds>::min(), std::numeric_limits<Nanoseconds>::max()});
  out->shown = with_waits(*of, judgement.history);
  out->marks = std::make_shared<const timeline::VerdictMarks>(
      timeline::verdict_marks(of->run->trace, out->shown->tracks, judgement));
  return stop.stop_requested() ? nullptr : out;
}

std::vector<WaitTotal> wait_totals(const RunVerdict& verdict, const trace::Interval& within) {
  constexpr std::size_t kCauses = kNames<verdict::WaitCause>.size();
  const verdict::History& history = verdict.explained->judgement->history;
  std::array<WaitTotal, kCauses> totals;
  for (OperationIndex i = 0; i < history.size(); ++i) {
    if (!history.executes(i)) continue;
    std::array<Nanoseconds, kCauses> its{};
    for (const verdict::Slice& slice : verdict::slices(history, i)) {
      const Nanoseconds time = std::min(slice.to, within.end) - std::max(slice.from, within.start);
      if (time <= 0) continue;
      const auto cause = static_cast<std::size_t>(slice.cause);
      its[cause] += time;
      if (!slice.certain) totals[cause].inferred += time;
    }
    for (std::size_t cause = 0; cause < kCauses; ++cause) {
      if (its[cause] <= 0) continue;
      WaitTotal& total = totals[cause];
      total.time += its[cause];
      ++total.operations;
      if (its[cause] <= total.longest_time) continue;
      total.longest_time = its[cause];
      total.longest = history.span(i).operation;
    }
  }
  std::vector<WaitTotal> out;
  for (std::size_t cause = 0; cause < kCauses; ++cause) {
    if (totals[cause].operations == 0) continue;
    totals[cause].cause = static_cast<verdict::WaitCause>(cause);
    out.push_back(totals[cause]);
  }
  std::ranges::stable_sort(out, std::greater{}, &WaitTotal::time);
  return out;
}

bool has_entries(const RunVerdict* verdict) {
  return verdict != nullptr && verdict->explained != nullptr && !verdict->explained->verdict.entries.empty();
}

std::vector<verdict::Slice> slices_of(const RunVerdict& verdict, OperationIndex operation) {
  if (verdict.explained == nullptr || operation == kNoOperation) return {};
  const std::optional<std::size_t> place = trace::find_index(verdict.run->trace, operation);
  const Judgement& judgement = *verdict.explained->judgement;
  if (!place || *place >= judgement.history.size()) return {};
  const auto index = static_cast<OperationIndex>(*place);
  if (!judgement.history.executes(index)) return {};
  std::vector<verdict::Slice> slices = verdict::slices(judgement.history, index);
  for (verdict::Slice& each : slices) each.by = named(judgement, each.by);
  return slices;
}

}  // namespace streamscope::window
