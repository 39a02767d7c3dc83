#include <fmt/format.h>

#include "engine/program/check/maker.h"

namespace streamscope::program {

Maker::Made Maker::record() {
  const auto text = x_.scope.text(name(0));
  if (!text) {
    forgive(x_, statement_);
    return std::nullopt;
  }
  std::optional<EventId> event;
  if (Named* named = x_.names.find(*text)) {
    if (named->kind != NameKind::event) {
      mismatch(name(0), *text, *named, static_cast<NameKinds>(NameKind::event));
      return std::nullopt;
    }
    if (named->unseen) {
      named->unseen = false;
      named->place = name(0).place;
    }
    event = EventId{named->id};
  } else {
    event = add_event(x_, name(0), *text, false, 0);
  }
  if (!event) return std::nullopt;
  return op::Record{*event};
}

// An event that is not there yet may still be declared or recorded further down: waiting for it does nothing.
std::optional<Maker::Target> Maker::target(NameKinds expected) {
  const auto text = x_.scope.text(name(0));
  if (!text) return std::nullopt;
  Named* named = x_.find(*text);
  if (named && (static_cast<NameKinds>(named->kind) & expected) == 0) {
    mismatch(name(0), *text, *named, expected);
    return std::nullopt;
  }
  if (named && named->kind == NameKind::stream) return Target{*named, kNoOperation};
  if (!named) {
    if (x_.names.forgiven(*text)) return std::nullopt;
    const std::string owned(*text);
    if (!add_event(x_, name(0), owned, true, expected)) return std::nullopt;
    named = x_.names.find(owned);
  }
  const OperationIndex record = x_.last_record[named->id];
  const auto& event = x_.program.events[named->id].name;
  if (x_.capture) return Target{*named, captured_record(EventId{named->id}, event)};
  if (record == kNoOperation && x_.captured_line[named->id] != 0) {
    x_.scope.error(name(0),
                   fmt::format("'{}' is recorded in a graph only (line {}), and what is recorded under capture "
                               "can be waited for in the graph only; record another event behind `launch`",
                               event, x_.captured_line[named->id]));
    return std::nullopt;
  }
  if (record == kNoOperation) {
    x_.unrecorded.try_emplace(name(0).place, Expansion::Unrecorded{event, false});
  } else if (!x_.unrecorded.empty()) {
    const auto at = x_.unrecorded.find(name(0).place);
    if (at != x_.unrecorded.end()) at->second.found = true;
  }
  return Target{*named, record};
}

// A wait under capture is for an event of the same capture (cuda-rules 19).
OperationIndex Maker::captured_record(EventId event, const std::string& text) {
  const OperationIndex record = x_.capture->record_of(event);
  if (record != kNoOperation) return record;
  const std::string& graph = x_.capture->name();
  x_.scope.error(
      name(0),
      x_.last_record[event.value] != kNoOperation
          ? fmt::format("'{}' is recorded outside the graph '{}', which cannot wait for it; let the stream wait "
                        "for it before `launch {}`, or record an event in the graph",
                        text, graph, graph)
          : fmt::format("no record of '{}' comes before this line in the graph '{}'; a wait in a graph is for "
                        "an event that was recorded in it: put a `record {}` before it",
                        text, graph, text));
  return kNoOperation;
}

Maker::Made Maker::wait() {
  const auto target = this->target(static_cast<NameKinds>(NameKind::event));
  if (!target || (x_.capture && target->record == kNoOperation)) return std::nullopt;
  return op::Wait{EventId{target->named.id}, target->record};
}

Maker::Made Maker::sync() {
  if (name(0).text == "device") return op::SyncDevice{};
  const auto target = this->target(NameKind::stream | NameKind::event);
  if (!target) return std::nullopt;
  if (target->named.kind == NameKind::stream) return op::SyncStream{StreamId{target->named.id}};
  return op::SyncEvent{EventId{target->named.id}, target->record};
}

Maker::Made Maker::poll() {
  Nanoseconds every = kDefaultPoll;
  bool good = true;
  for (const syntax::Option& one : statement_.options) {
    const auto value = within(x_, std::get<syntax::Number>(*one.value),
                              "'every' in nanoseconds (a query takes about 1us, ten minutes at most)", kShortestPoll,
                              kLongestDuration);
    if (value) every = *value;
    good = value.has_value();
  }
  if (name(0).text == "device") {
    x_.scope.error(name(0),
                   "a device cannot be polled, expected a stream or an event; `host: sync device` waits for it");
    return std::nullopt;
  }
  const auto target = this->target(NameKind::stream | NameKind::event);
  if (!target || !good) return std::nullopt;
  if (target->named.kind == NameKind::stream) return op::PollStream{StreamId{target->named.id}, every};
  return op::PollEvent{EventId{target->named.id}, target->record, every};
}

}  // namespace streamscope::program
