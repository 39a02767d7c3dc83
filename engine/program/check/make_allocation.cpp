#include <fmt/format.h>

#include "engine/base/quantity.h"
#include "engine/program/check/maker.h"

namespace streamscope::program {

Maker::Made Maker::malloc(bool stream_ordered) {
  const auto text = x_.scope.text(name(0));
  if (!text) {
    forgive(x_, statement_);
    return std::nullopt;
  }
  const std::string owned(*text);
  const auto bytes = within(x_, number(1), "the size of an allocation in bytes", 1, std::int64_t{1} << 62);
  if (!bytes) {
    x_.names.forgive(owned);
    return std::nullopt;
  }
  const auto id = static_cast<std::uint32_t>(x_.program.buffers.size());
  const Named made{.kind = NameKind::buffer, .id = id, .place = name(0).place, .in_run = true};
  Named* old = x_.names.find(owned);
  if (old && old->in_run && old->ended_line != 0) {
    *old = made;
  } else if (old && old->in_run) {
    x_.scope.error(name(0), fmt::format("'{}' is allocated already, in line {}; write a `free {}` before this line",
                                        owned, old->place.line, owned));
    return std::nullopt;
  } else if (!add_name(x_, name(0), owned, made)) {
    return std::nullopt;
  }
  x_.program.buffers.push_back(
      {owned, static_cast<std::uint64_t>(*bytes), HostMemory::pinned, true, statement_.place.line, stream_ordered});
  x_.made_by[id] = {x_.thread, next()};
  if (stream_ordered) return op::MallocAsync{BufferId{id}};
  return op::Malloc{BufferId{id}};
}

Maker::Made Maker::free(bool stream_ordered) {
  Named* named = use(name(0), static_cast<NameKinds>(NameKind::buffer));
  if (!named) return std::nullopt;
  const std::string& text = x_.program.buffers[named->id].name;
  if (!named->in_run) {
    x_.scope.error(name(0),
                   fmt::format("'{}' is declared with `buffer` (line {}) and lives for the whole run; only what "
                               "`malloc` made is freed",
                               text, named->place.line));
    return std::nullopt;
  }
  if (named->ended_line != 0) {
    x_.scope.error(name(0), fmt::format("'{}' is freed twice: line {} freed it already", text, named->ended_line));
    return std::nullopt;
  }
  const Buffer& buffer = x_.program.buffers[named->id];
  if (buffer.stream_ordered != stream_ordered) {
    x_.scope.error(name(0), fmt::format("'{}' comes from {} (line {}) and is freed the same way; write `{}: free {}`",
                                        text, buffer.stream_ordered ? "cudaMallocAsync" : "cudaMalloc", buffer.line,
                                        buffer.stream_ordered ? "A" : "host", text));
    return std::nullopt;
  }
  if (!usable(name(0), named->id)) return std::nullopt;
  if (x_.program.threads.size() > 1) {
    const auto use = x_.buffer_uses[named->id].unordered(x_.host_order, x_.thread, next());
    if (use.operation != kNoOperation) {
      x_.scope.error(name(0),
                     fmt::format("'{}' may still be used by {} (line {}) when it is freed here, for nothing orders "
                                 "the two threads; write `host: join {}` before it, or free it there",
                                 text, thread_words(use.thread), x_.program.operations[use.operation].line,
                                 thread_name(use.thread)));
      return std::nullopt;
    }
  }
  named->ended_line = statement_.place.line;
  if (stream_ordered) return op::FreeAsync{BufferId{named->id}};
  return op::Free{BufferId{named->id}};
}

// The pointer is there once the call of the host that makes it has returned, also where the memory itself comes in
// stream order; so another thread must be ordered after that call.
bool Maker::usable(const syntax::Name& where, std::uint32_t id) {
  const Buffer& buffer = x_.program.buffers[id];
  if (x_.capture) {
    x_.scope.error(where,
                   fmt::format("'{}' is allocated in the run (line {}), and a graph is captured before it; declare "
                               "it with `buffer {} {}`",
                               buffer.name, buffer.line, buffer.name, exact_bytes(buffer.bytes)));
    return false;
  }
  if (x_.program.threads.size() == 1) return true;
  const LastUses::Use made = x_.made_by[id];
  if (!x_.host_order.before(made.thread, made.operation, x_.thread, next())) {
    x_.scope.error(where, fmt::format("'{}' is allocated by {} (line {}), and nothing says that this comes before this "
                                      "line; {}",
                                      buffer.name, thread_words(made.thread), buffer.line,
                                      made.thread == ThreadId{0}
                                          ? std::string("allocate it before the thread starts")
                                          : fmt::format("write `host: join {}` before it, or allocate it before the "
                                                        "thread starts",
                                                        thread_name(made.thread))));
    return false;
  }
  x_.buffer_uses[id].add(x_.thread, next());
  return true;
}

}  // namespace streamscope::program
