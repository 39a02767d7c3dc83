// Streams and events that the run makes and destroys. Each belongs to the thread that made it: in another it might be
// used before it is there, or after it is gone.
#include <fmt/format.h>

#include "engine/base/translate.h"
#include "engine/program/check/operation_builder.h"

namespace streamscope::program {

Symbol* OperationBuilder::made() {
  const auto text = expansion_.scope.text(name(0));
  if (!text) {
    suppress(expansion_, statement_);
    return nullptr;
  }
  const std::string owned(*text);
  if (Symbol* const old = expansion_.symbols.find(owned); old != nullptr && old->kind != SymbolKind::buffer) {
    if (old->undeclared) {
      old->undeclared = false;  // said here
      refuse(name(0), tr("'{}' is used in line {}, before it is made here; move this line above that one", owned,
                         old->location.line));
      return nullptr;
    }
    // It may be made again.
    if (old->made_in_run && old->ended_line != 0) expansion_.symbols.forget(owned);
  }
  expansion_.making_in_run = true;
  declare(expansion_, statement_);
  expansion_.making_in_run = false;
  Symbol* const symbol = expansion_.symbols.find(owned);
  if (symbol == nullptr || symbol->made_in_run || symbol->location != name(0).location) return nullptr;
  symbol->made_in_run = true;
  symbol->owner = expansion_.thread;
  return symbol;
}

OperationBuilder::Built OperationBuilder::create_stream() {
  const Symbol* const symbol = made();
  if (symbol == nullptr) return std::nullopt;
  expansion_.program.streams[symbol->id].made_in_run = true;
  return op::CreateStream{StreamId{symbol->id}};
}

OperationBuilder::Built OperationBuilder::create_event() {
  const Symbol* const symbol = made();
  if (symbol == nullptr) return std::nullopt;
  expansion_.program.events[symbol->id].made_in_run = true;
  return op::CreateEvent{EventId{symbol->id}};
}

OperationBuilder::Built OperationBuilder::destroy() {
  Symbol* const symbol = use(name(0), SymbolKind::stream | SymbolKind::event);
  if (symbol == nullptr) return std::nullopt;
  if (!symbol->made_in_run)
    return refuse(name(0), tr("'{}' is there before the run and after it; only what `create-stream` and `create-event` "
                              "make is destroyed",
                              *expansion_.scope.text(name(0))));
  symbol->ended_line = statement_.location.line;
  if (symbol->kind == SymbolKind::stream) return op::DestroyStream{StreamId{symbol->id}};
  return op::DestroyEvent{EventId{symbol->id}};
}

bool OperationBuilder::alive(const syntax::Name& where, const Symbol& symbol) {
  if (symbol.reset_line != 0)
    return deny(where,
                tr("'{}' is gone: line {} resets the device; move this line above it, or make another one in the "
                   "run, behind it",
                   where.text, symbol.reset_line));
  if (!symbol.made_in_run || symbol.kind == SymbolKind::buffer) return true;
  const bool stream = symbol.kind == SymbolKind::stream;
  const std::string& text =
      stream ? expansion_.program.streams[symbol.id].name : expansion_.program.events[symbol.id].name;
  if (expansion_.capture)
    return deny(where, tr("'{}' is made in the run (line {}), and a graph is captured before it; declare it with "
                          "`{} {}`",
                          text, symbol.location.line, stream ? "stream" : "event", text));
  if (symbol.ended_line != 0)
    return deny(where, tr("'{}' is used after line {} destroyed it; move that `destroy {}` behind this line", text,
                          symbol.ended_line, text));
  if (symbol.owner != expansion_.thread)
    return deny(where, tr("'{}' is made by {} (line {}), and only that one may use it; declare it with `{} {}`", text,
                          thread_words(symbol.owner), symbol.location.line, stream ? "stream" : "event", text));
  return true;
}

}  // namespace streamscope::program
