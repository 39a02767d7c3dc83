// Pinned memory of the host that the run allocates and frees, and pageable memory that it registers: `malloc-host`,
// `free-host`, `register`, `unregister`.
#include <fmt/format.h>

#include "engine/base/translate.h"
#include "engine/program/check/operation_builder.h"

namespace streamscope::program {

OperationBuilder::Built OperationBuilder::malloc_host() {
  const auto made = allocated(false, true);
  if (!made) return std::nullopt;
  return op::MallocHost{*made};
}

OperationBuilder::Built OperationBuilder::free_host() {
  const Symbol* const symbol = freed(true);
  if (symbol == nullptr) return std::nullopt;
  return op::FreeHost{BufferId{symbol->id}};
}

OperationBuilder::Built OperationBuilder::pin() {
  Symbol* const symbol = pageable();
  if (symbol == nullptr) return std::nullopt;
  const std::string& text = expansion_.program.buffers[symbol->id].name;
  if (symbol->registered_line != 0)
    return refuse(name(0), tr("'{}' is registered already, by line {}; write `host: unregister {}` before this line",
                              text, symbol->registered_line, text));
  symbol->registered_line = statement_.location.line;
  return op::Register{BufferId{symbol->id}};
}

OperationBuilder::Built OperationBuilder::unpin() {
  Symbol* const symbol = pageable();
  if (symbol == nullptr) return std::nullopt;
  const std::string& text = expansion_.program.buffers[symbol->id].name;
  if (symbol->registered_line == 0)
    return refuse(name(0), tr("'{}' is not registered here; write `host: register {}` before this line", text, text));
  symbol->registered_line = 0;
  return op::Unregister{BufferId{symbol->id}};
}

Symbol* OperationBuilder::pageable() {
  Symbol* const symbol = use(name(0), SymbolKind::buffer);
  if (symbol == nullptr) return nullptr;
  const Buffer& buffer = expansion_.program.buffers[symbol->id];
  const auto wrong = [&](std::string message) {
    refuse(name(0), std::move(message));
    return nullptr;
  };
  if (buffer.made_in_run)
    return wrong(tr("'{}' is allocated in the run (line {}); only the pageable memory of a `buffer` is registered",
                    buffer.name, buffer.line));
  if (buffer.host != HostMemory::pageable)
    return wrong(
        tr("'{}' is {} memory (line {}), which CUDA has allocated; only pageable memory is registered: "
           "declare it with host=pageable",
           buffer.name, tr(program::name(buffer.host)), buffer.line));
  for (const Graph& graph : expansion_.program.graphs) {
    for (const Operation& operation : graph.body) {
      const auto* const copy = std::get_if<op::Copy>(&operation.work);
      if (copy != nullptr && copy->host.buffer == BufferId{symbol->id})
        return wrong(
            tr("'{}' is copied in graph '{}' (line {}), which is captured before the run, where the memory is "
               "pageable; copy another buffer there",
               buffer.name, graph.name, operation.line));
    }
  }
  if (!registered(name(0), *symbol) || used_by_others(name(0), *symbol, tr_later("registered or unregistered")))
    return nullptr;
  symbol->owner = expansion_.thread;
  return symbol;
}

std::optional<bool> OperationBuilder::registered(const syntax::Name& where, const Symbol& symbol) {
  const Buffer& buffer = expansion_.program.buffers[symbol.id];
  if (buffer.made_in_run || buffer.host != HostMemory::pageable) return false;
  if (expansion_.capture) {
    if (symbol.registered_line == 0) return false;
    return refuse(where, tr("'{}' is registered in the run (line {}), and a graph is captured before it, where the "
                            "memory is pageable; move the graph above that line, or copy another buffer",
                            buffer.name, symbol.registered_line));
  }
  if (expansion_.program.threads.size() > 1) {
    if (!expansion_.host_order.before(symbol.owner, expansion_.thread))
      return refuse(where, tr("'{}' is registered or unregistered by {}, and nothing says that this comes before this "
                              "line; write `host: join {}` before it",
                              buffer.name, thread_words(symbol.owner), thread_name(symbol.owner)));
    expansion_.buffer_uses[symbol.id].add(expansion_.host_order, expansion_.thread, next());
  }
  return symbol.registered_line != 0;
}

bool OperationBuilder::used_by_others(const syntax::Name& where, const Symbol& symbol, std::string_view what) {
  if (expansion_.program.threads.size() == 1) return false;
  const auto* const use = expansion_.buffer_uses[symbol.id].unordered(expansion_.host_order, expansion_.thread);
  if (use == nullptr) return false;
  refuse(where,
         tr("'{}' may still be used by {} (line {}) when it is {} here, for nothing orders the two threads; write "
            "`host: join {}` before it, or do it there",
            expansion_.program.buffers[symbol.id].name, thread_words(use->thread),
            expansion_.program.operations[use->what].line, tr(what), thread_name(use->thread)));
  return true;
}

}  // namespace streamscope::program
