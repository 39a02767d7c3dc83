#include <fmt/format.h>

#include "engine/program/maker.h"

namespace streamscope {

Maker::Made Maker::malloc() {
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
  if (old && old->in_run && old->freed_line != 0) {
    *old = made;
  } else if (old && old->in_run) {
    x_.scope.error(name(0), fmt::format("'{}' is allocated already, in line {}; write `host: free {}` before this line",
                                        owned, old->place.line, owned));
    return std::nullopt;
  } else if (!add_name(x_, name(0), owned, made)) {
    return std::nullopt;
  }
  x_.program.buffers.push_back(
      {owned, static_cast<std::uint64_t>(*bytes), HostMemory::pinned, true, statement_.place.line});
  return op::Malloc{BufferId{id}};
}

Maker::Made Maker::free() {
  Named* named = use(name(0), static_cast<NameKinds>(NameKind::buffer));
  if (!named) return std::nullopt;
  const std::string& text = x_.program.buffers[named->id].name;
  if (!named->in_run) {
    x_.scope.error(name(0),
                   fmt::format("'{}' is declared with `buffer` (line {}) and lives for the whole run; only what "
                               "`host: malloc` made is freed",
                               text, named->place.line));
    return std::nullopt;
  }
  if (named->freed_line != 0) {
    x_.scope.error(name(0), fmt::format("'{}' is freed twice: line {} freed it already", text, named->freed_line));
    return std::nullopt;
  }
  named->freed_line = statement_.place.line;
  return op::Free{BufferId{named->id}};
}

}  // namespace streamscope
