#include <fmt/format.h>

#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/program/check/operation_builder.h"

namespace streamscope::program {

OperationBuilder::Built OperationBuilder::malloc(bool stream_ordered) {
  const auto made = allocated(stream_ordered, false);
  if (!made) return std::nullopt;
  if (stream_ordered) return op::MallocAsync{*made};
  return op::Malloc{*made};
}

std::optional<BufferId> OperationBuilder::allocated(bool stream_ordered, bool on_host) {
  const auto text = expansion_.scope.text(name(0));
  if (!text) {
    suppress(expansion_, statement_);
    return std::nullopt;
  }
  const std::string owned(*text);
  const auto bytes =
      within(expansion_, number(1), tr_later("the size of an allocation in bytes"), 1, std::int64_t{1} << 62);
  if (!bytes) {
    expansion_.symbols.suppress(owned);
    return std::nullopt;
  }
  const auto id = static_cast<std::uint32_t>(expansion_.program.buffers.size());
  const Symbol made{.kind = SymbolKind::buffer, .id = id, .location = name(0).location, .made_in_run = true};
  Symbol* old = expansion_.symbols.find(owned);
  if (old && old->made_in_run && old->ended_line != 0) {
    *old = made;
  } else if (old && old->made_in_run && old->kind == SymbolKind::buffer && old->reset_line == 0) {
    return refuse(name(0),
                  tr("'{}' is allocated already, in line {}; write a `{} {}` before this line", owned,
                     old->location.line, expansion_.program.buffers[old->id].on_host ? "free-host" : "free", owned));
  } else if (!add_name(expansion_, name(0), owned, made)) {
    return std::nullopt;
  }
  expansion_.program.buffers.push_back({owned, static_cast<std::uint64_t>(*bytes), HostMemory::pinned, true,
                                        statement_.location.line, stream_ordered, on_host, device_.value_or(DeviceId{})});
  expansion_.made_by[id] = expansion_.thread;
  return BufferId{id};
}

OperationBuilder::Built OperationBuilder::free(bool stream_ordered) {
  const Symbol* const symbol = freed(false);
  if (symbol == nullptr) return std::nullopt;
  if (stream_ordered) return op::FreeAsync{BufferId{symbol->id}};
  return op::Free{BufferId{symbol->id}};
}

Symbol* OperationBuilder::freed(bool on_host) {
  Symbol* symbol = use(name(0), SymbolKind::buffer);
  if (!symbol) return nullptr;
  const Buffer& buffer = expansion_.program.buffers[symbol->id];
  const std::string& text = buffer.name;
  const auto wrong = [&](std::string message) {
    refuse(name(0), std::move(message));
    return nullptr;
  };
  if (!symbol->made_in_run)
    return wrong(on_host ? tr("'{}' is declared with `buffer` (line {}) and lives for the whole run; only what "
                              "`malloc-host` made is freed by `free-host`",
                              text, symbol->location.line)
                         : tr("'{}' is declared with `buffer` (line {}) and lives for the whole run; only what "
                              "`malloc` made is freed",
                              text, symbol->location.line));
  if (buffer.on_host != on_host)
    return wrong(on_host
                     ? tr("'{}' is memory of the device (line {}); write `host: free {}`", text, buffer.line, text)
                     : tr("'{}' is memory of the host (line {}); write `host: free-host {}`", text, buffer.line, text));
  if (symbol->ended_line != 0)
    return wrong(tr("'{}' is freed twice: line {} freed it already", text, symbol->ended_line));
  if (!usable(name(0), symbol->id)) return nullptr;
  if (used_by_others(name(0), *symbol, tr_later("freed"))) return nullptr;
  symbol->ended_line = statement_.location.line;
  return symbol;
}

// The pointer exists once the host call has returned, also where the memory is allocated in stream order; so another
// thread must be ordered after that call.
bool OperationBuilder::usable(const syntax::Name& where, std::uint32_t id) {
  const Buffer& buffer = expansion_.program.buffers[id];
  if (expansion_.capture)
    return deny(where, tr("'{}' is allocated in the run (line {}), and a graph is captured before it; declare it with "
                          "`buffer {} {}`",
                          buffer.name, buffer.line, buffer.name, exact_bytes(buffer.bytes)));
  if (expansion_.program.threads.size() == 1) return true;
  const ThreadId maker = expansion_.made_by[id];
  if (!expansion_.host_order.before(maker, expansion_.thread))
    return deny(where,
                tr("'{}' is allocated by {} (line {}), and nothing says that this comes before this line; {}",
                   buffer.name, thread_words(maker), buffer.line,
                   maker == ThreadId{0} ? tr("allocate it before the thread starts")
                                        : tr("write `host: join {}` before it, or allocate it before the thread starts",
                                             thread_name(maker))));
  expansion_.buffer_uses[id].add(expansion_.host_order, expansion_.thread, next());
  return true;
}

}  // namespace streamscope::program
