#include <fmt/format.h>

#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/program/check/operation_builder.h"
#include "engine/program/limits.h"

namespace streamscope::program {

OperationBuilder::Built OperationBuilder::record() {
  const auto text = expansion_.scope.text(name(0));
  if (!text) {
    suppress(expansion_, statement_);
    return std::nullopt;
  }
  std::optional<EventId> event;
  if (Symbol* symbol = expansion_.symbols.find(*text)) {
    if (symbol->kind != SymbolKind::event) {
      mismatch(name(0), *text, *symbol, SymbolKind::event);
      return std::nullopt;
    }
    if (!alive(name(0), *symbol)) return std::nullopt;
    if (symbol->undeclared) {
      symbol->undeclared = false;
      symbol->location = name(0).location;
      if (device_) expansion_.program.events[symbol->id].device = *device_;
    }
    event = EventId{symbol->id};
  } else {
    event = add_event(expansion_, name(0), *text, false, {});
    if (event && device_) expansion_.program.events[event->value].device = *device_;
  }
  if (event && !records_here(name(0), expansion_.program.events[event->value])) return std::nullopt;
  const bool external = find_option(statement_, "external") != nullptr;
  if (!event || (external && !in_graph())) return std::nullopt;
  if (external && expansion_.capture->waits_externally(*event)) return refuse_both_external(*event);
  return op::Record{*event, external};
}

bool OperationBuilder::in_graph() {
  if (expansion_.capture) return true;
  expansion_.diagnostics.error(find_option(statement_, "external")->location,
                               tr("`external` is for the body of a graph, and CUDA refuses it outside of a capture "
                                  "(cudaErrorIllegalState); leave it out"));
  return false;
}

// An event that is not declared yet may still be declared or recorded further down: waiting for it does nothing.
std::optional<OperationBuilder::Target> OperationBuilder::target(SymbolKinds expected, std::size_t argument) {
  const syntax::Name& where = name(argument);
  const auto text = expansion_.scope.text(where);
  if (!text) return std::nullopt;
  Symbol* symbol = expansion_.find(*text);
  if (symbol && !expected.has(symbol->kind)) {
    mismatch(where, *text, *symbol, expected);
    return std::nullopt;
  }
  if (symbol && !alive(where, *symbol)) return std::nullopt;
  if (symbol && symbol->kind == SymbolKind::stream) return Target{*symbol, kNoOperation};
  if (!symbol) {
    if (expansion_.symbols.is_suppressed(*text)) return std::nullopt;
    const std::string owned(*text);
    if (!add_event(expansion_, where, owned, true, expected)) return std::nullopt;
    symbol = expansion_.symbols.find(owned);
  }
  const OperationIndex record = expansion_.last_record[symbol->id];
  const auto& event = expansion_.program.events[symbol->id].name;
  if (expansion_.capture) return Target{*symbol, captured_record(EventId{symbol->id}, event)};
  if (record == kNoOperation && expansion_.captured_line[symbol->id] != 0)
    return refuse(where, tr("'{}' is recorded in a graph only (line {}), and what is recorded under capture "
                            "can be waited for in the graph only; record another event behind `launch`",
                            event, expansion_.captured_line[symbol->id]));
  if (record == kNoOperation) {
    expansion_.unrecorded.try_emplace(where.location, Expansion::Unrecorded{event, statement_.verb, false});
  } else if (!expansion_.unrecorded.empty()) {
    const auto at = expansion_.unrecorded.find(where.location);
    if (at != expansion_.unrecorded.end()) at->second.found = true;
  }
  return Target{*symbol, record};
}

// A wait under capture is for an event of the same capture (docs/cuda-rules.md 19).
OperationIndex OperationBuilder::captured_record(EventId event, const std::string& text) {
  const OperationIndex record = expansion_.capture->record_of(event);
  if (record != kNoOperation) return record;
  const std::string& graph = expansion_.capture->name();
  if (expansion_.last_record[event.value] != kNoOperation) {
    refuse(name(0),
           tr("'{}' is recorded outside the graph '{}', which cannot wait for it; let the stream wait for it before "
              "`launch {}`, or record an event in the graph",
              text, graph, graph));
  } else {
    refuse(name(0),
           tr("no record of '{}' comes before this line in the graph '{}'; a wait in a graph is for an event that was "
              "recorded in it: put a `record {}` before it",
              text, graph, text));
  }
  return kNoOperation;
}

std::nullopt_t OperationBuilder::refuse_both_external(EventId event) {
  return refuse(name(0), tr("the graph '{}' records '{}' externally and waits for it externally; leave `external` out "
                            "of both lines, so that an edge orders them, or use two events",
                            expansion_.capture->name(), expansion_.program.events[event.value].name));
}

// Of the event each launch of the graph takes the record that is the latest then.
OperationBuilder::Built OperationBuilder::external_wait() {
  const Symbol* const event = use(name(0), SymbolKind::event);
  if (event == nullptr || !in_graph()) return std::nullopt;
  if (expansion_.capture->records_externally(EventId{event->id})) return refuse_both_external(EventId{event->id});
  return op::Wait{EventId{event->id}, kNoOperation, true};
}

OperationBuilder::Built OperationBuilder::wait() {
  if (find_option(statement_, "external") != nullptr) return external_wait();
  const auto target = this->target(SymbolKind::event);
  if (!target || (expansion_.capture && target->record == kNoOperation)) return std::nullopt;
  return op::Wait{EventId{target->symbol.id}, target->record};
}

OperationBuilder::Built OperationBuilder::sync() {
  if (name(0).text == "device") return op::SyncDevice{expansion_.device};
  const auto target = this->target(SymbolKind::stream | SymbolKind::event);
  if (!target) return std::nullopt;
  if (target->symbol.kind == SymbolKind::stream) return op::SyncStream{StreamId{target->symbol.id}};
  return op::SyncEvent{EventId{target->symbol.id}, target->record};
}

OperationBuilder::Built OperationBuilder::poll() {
  Nanoseconds every = kDefaultPoll, work = 0;
  bool good = true;
  for (const syntax::Option& one : statement_.options) {
    const bool is_work = one.key == "work";
    const auto value =
        within(expansion_, std::get<syntax::Number>(*one.value),
               is_work ? tr_later("'work' in nanoseconds (ten minutes at most)")
                       : tr_later("'every' in nanoseconds (a query takes about 1us, ten minutes at most)"),
               is_work ? 0 : kShortestPoll, kLongestDuration);
    if (value) (is_work ? work : every) = *value;
    good = good && value.has_value();
  }
  if (good && work > every)
    return refuse(std::get<syntax::Number>(*find_option(statement_, "work")->value),
                  tr("'work' is a part of 'every', the time from one question to the next, and longer than it ({})",
                     exact_duration(every)));
  if (name(0).text == "device")
    return refuse(name(0),
                  tr("a device cannot be polled, expected a stream or an event; `host: sync device` waits for it"));
  const auto target = this->target(SymbolKind::stream | SymbolKind::event);
  if (!target || !good) return std::nullopt;
  if (target->symbol.kind == SymbolKind::stream) return op::PollStream{StreamId{target->symbol.id}, every, false, work};
  return op::PollEvent{EventId{target->symbol.id}, target->record, every, false, work};
}

OperationBuilder::Built OperationBuilder::attributes() {
  const Symbol* const stream = use(name(0), SymbolKind::stream);
  if (stream == nullptr) return std::nullopt;
  return op::Attributes{StreamId{stream->id}};
}

OperationBuilder::Built OperationBuilder::query() {
  if (name(0).text == "device")
    return refuse(name(0),
                  tr("a device cannot be asked, expected a stream or an event; `host: sync device` waits for it"));
  const auto target = this->target(SymbolKind::stream | SymbolKind::event);
  if (!target) return std::nullopt;
  if (target->symbol.kind == SymbolKind::stream) return op::PollStream{StreamId{target->symbol.id}, 0, true};
  return op::PollEvent{EventId{target->symbol.id}, target->record, 0, true};
}

// Of events that are not recorded, or keep no time, CUDA says so when it is asked.
OperationBuilder::Built OperationBuilder::elapsed() {
  const auto from = target(SymbolKind::event, 0), to = target(SymbolKind::event, 1);
  if (!from || !to) return std::nullopt;
  for (const std::size_t argument : {0u, 1u}) {
    const Event& event = expansion_.program.events[(argument == 0 ? from : to)->symbol.id];
    if (!event.timing)
      expansion_.diagnostics.warning(
          name(argument).location,
          tr("'{}' keeps no time (notiming, line {}), so cudaEventElapsedTime returns cudaErrorInvalidResourceHandle; "
             "leave `notiming` out",
             event.name, event.line));
  }
  return op::Elapsed{EventId{from->symbol.id}, EventId{to->symbol.id}, from->record, to->record};
}

}  // namespace streamscope::program
