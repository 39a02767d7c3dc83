#include <fmt/format.h>

#include "engine/output/fields.h"
#include "engine/output/output.h"
#include "engine/remedy/explain.h"
#include "engine/verdict/call_slices.h"
#include "engine/verdict/execution_slices.h"
#include "engine/verdict/slack.h"
#include "engine/verdict/slices.h"

namespace streamscope::output {
namespace {

std::string ns(Nanoseconds time) { return known(time) ? std::to_string(time) : "null"; }
std::string operation(OperationIndex i) { return i == kNoOperation ? "null" : std::to_string(i); }

template <class T>
std::string named(T value) {
  return json_string(kNames<T>[static_cast<std::size_t>(value)]);
}

// `write(each)` for each, with commas between.
template <class All, class Write>
std::string list(const All& all, const Write& write) {
  std::string out = "[";
  for (const auto& each : all) {
    if (out.size() > 1) out += ',';
    out += write(each);
  }
  return out + "]";
}

std::string help_json(const remedy::Help& help) {
  return fmt::format(R"({{"change":{},"diff":{},"predicted_ns":{},"low_ns":{},"high_ns":{},"measured_ns":{},"sure":{}}})",
                     json_string(help.change), json_string(help.difference), ns(help.predicted), ns(help.low),
                     ns(help.high), ns(help.measured), help.sure ? "true" : "false");
}

std::string entry_json(const remedy::Entry& entry) {
  const auto number = [](std::uint32_t each) { return std::to_string(each); };
  return fmt::format(R"({{"cause":{},"cost_ns":{},"share":{},"lines":{},"ops":{},"text":{},"help":{}}})",
                     named(entry.cause), ns(entry.cost), output::number(entry.share), list(entry.lines, number),
                     list(entry.operations, number), json_string(entry.text),
                     entry.help ? help_json(*entry.help) : "null");
}

std::string path_json(const verdict::History& history, const verdict::Path& path) {
  return list(path.pieces, [&](const verdict::Piece& piece) {
    const bool has = piece.operation != kNoOperation;
    return fmt::format(R"({{"kind":{},"op":{},"line":{},"cause":{},"from_ns":{},"to_ns":{}}})", named(piece.kind),
                       operation(piece.operation), has ? std::to_string(history.span(piece.operation).line) : "null",
                       named(piece.cause), ns(piece.from), ns(piece.to));
  });
}

std::string idle_json(const std::vector<verdict::EngineIdle>& all) {
  std::string out = "{";
  for (const verdict::EngineIdle& each : all) {
    const std::string device = each.engine.device == 0 ? "" : fmt::format("{}:", each.engine.device);
    out += fmt::format(R"({}"{}{}":{})", out.size() > 1 ? "," : "", device, streamscope::name(each.engine.engine),
                       list(each.causes, [](const verdict::IdleTime& one) {
                         return fmt::format(R"({{"cause":{},"ns":{}}})", named(one.cause), ns(one.time));
                       }));
  }
  return out + "}";
}

// Of each operation that has slices worth telling. `slices(i)`; `time(slice)`; `tells(slices)`: whether they are
// written.
std::string slices_json(std::size_t count, const auto& slices, const auto& time, const auto& tells) {
  std::string out = "[";
  for (OperationIndex i = 0; i < count; ++i) {
    const auto its = slices(i);
    if (its.empty() || !tells(its)) continue;
    out += fmt::format(R"({}{{"op":{},"slices":{}}})", out.size() > 1 ? "," : "", i, list(its, [&](const auto& slice) {
                         return fmt::format(R"({{"cause":{},"by_op":{},"ns":{},"certain":{}}})", named(slice.cause),
                                            operation(slice.by), ns(time(slice)), slice.certain);
                       }));
  }
  return out + "]";
}

std::string waits_json(const verdict::History& history) {
  return slices_json(
      history.size(), [&](OperationIndex i) { return verdict::slices(history, i); },
      [](const verdict::Slice& slice) { return slice.to - slice.from; }, [](const auto&) { return true; });
}

// Of each call that took longer than such calls do.
std::string calls_json(const verdict::History& history) {
  const verdict::Calls calls(history);
  return slices_json(
      history.size(), [&](OperationIndex i) { return calls.slices(i); },
      [](const verdict::CallSlice& slice) { return slice.to - slice.from; },
      [](const auto& its) { return its.size() > 1 || its[0].cause != verdict::CallCause::usual; });
}

// Of each operation that was slowed.
std::string slowed_json(const verdict::Judgement& judgement) {
  return slices_json(
      judgement.history.size(), [&](OperationIndex i) { return verdict::execution_parts(judgement, i); },
      [](const verdict::ExecutionPart& part) { return part.time; }, [](const auto& its) { return its.size() > 1; });
}

}  // namespace

std::string to_json(const remedy::Verdict& found, const verdict::Judgement& judgement) {
  const double over = verdict::over_bound(judgement);
  return fmt::format(
             R"({{"schema":1,"makespan_ns":{},"wall_ns":{},"verdict":{},"others":{},"bounds":{},"over_bound":{},)",
             ns(judgement.makespan), ns(judgement.wall), list(found.entries, entry_json), list(found.others, help_json),
             list(judgement.bounds,
                  [](const verdict::Bound& bound) {
                    return fmt::format(R"({{"name":{},"ns":{},"uncertainty_ns":{}}})", json_string(name(bound)),
                                       ns(bound.time), ns(bound.uncertainty));
                  }),
             over > 0 ? number(over) : "null") +
         fmt::format(R"("path":{},"wall_path":{},"idle":{},"waits":{},"calls":{},"slowed":{},"slack_ns":{}}})",
                     path_json(judgement.history, judgement.path), path_json(judgement.history, judgement.wall_path),
                     idle_json(judgement.idle), waits_json(judgement.history), calls_json(judgement.history),
                     slowed_json(judgement), list(verdict::slack(judgement.history), ns)) +
         "\n";
}

}  // namespace streamscope::output
