#include <fmt/format.h>

#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/program/check/operation_builder.h"

namespace streamscope::program {

OperationBuilder::Built OperationBuilder::malloc(bool stream_ordered) {
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
  } else if (old && old->made_in_run) {
    return refuse(name(0), tr("'{}' is allocated already, in line {}; write a `free {}` before this line", owned,
                              old->location.line, owned));
  } else if (!add_name(expansion_, name(0), owned, made)) {
    return std::nullopt;
  }
  expansion_.program.buffers.push_back({owned, static_cast<std::uint64_t>(*bytes), HostMemory::pinned, true,
                                        statement_.location.line, stream_ordered, device_.value_or(DeviceId{})});
  expansion_.made_by[id] = expansion_.thread;
  if (stream_ordered) return op::MallocAsync{BufferId{id}};
  return op::Malloc{BufferId{id}};
}

OperationBuilder::Built OperationBuilder::free(bool stream_ordered) {
  Symbol* symbol = use(name(0), SymbolKind::buffer);
  if (!symbol) return std::nullopt;
  const std::string& text = expansion_.program.buffers[symbol->id].name;
  if (!symbol->made_in_run)
    return refuse(name(0), tr("'{}' is declared with `buffer` (line {}) and lives for the whole run; only what "
                              "`malloc` made is freed",
                              text, symbol->location.line));
  if (symbol->ended_line != 0)
    return refuse(name(0), tr("'{}' is freed twice: line {} freed it already", text, symbol->ended_line));
  if (!usable(name(0), symbol->id)) return std::nullopt;
  if (expansion_.program.threads.size() > 1) {
    if (const auto* use = expansion_.buffer_uses[symbol->id].unordered(expansion_.host_order, expansion_.thread))
      return refuse(name(0), tr("'{}' may still be used by {} (line {}) when it is freed here, for nothing orders "
                                "the two threads; write `host: join {}` before it, or free it there",
                                text, thread_words(use->thread), expansion_.program.operations[use->what].line,
                                thread_name(use->thread)));
  }
  symbol->ended_line = statement_.location.line;
  if (stream_ordered) return op::FreeAsync{BufferId{symbol->id}};
  return op::Free{BufferId{symbol->id}};
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
