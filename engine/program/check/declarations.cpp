#include "engine/base/translate.h"
#include "engine/program/check/expansion.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "engine/program/limits.h"
#include "engine/program/syntax/characters.h"

namespace streamscope::program {
namespace {

using syntax::Statement;
using syntax::Verb;

// The sum of all declared buffers must fit the sums that devices and views make.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 62;

// In their order, each once; nothing after an error.
std::optional<std::vector<DeviceId>> devices_of(Expansion& expansion, const syntax::Numbers& numbers) {
  std::vector<DeviceId> all;
  for (const syntax::Number& number : numbers.each) {
    const auto device = device_named(expansion, number);
    if (!device) return std::nullopt;
    if (std::find(all.begin(), all.end(), *device) != all.end()) {
      expansion.scope.error(number, tr("device {} is named twice; a buffer has one side on each", device->value));
      return std::nullopt;
    }
    all.push_back(*device);
  }
  return all;
}

// What `device=` says; else the first, or of what the run makes the current one. Nothing after an error.
std::optional<DeviceId> device_of(Expansion& expansion, const Statement& statement) {
  const bool made_in_run = statement.verb == Verb::create_stream || statement.verb == Verb::create_event;
  const syntax::Option* const device = find_option(statement, "device");
  return device != nullptr ? device_named(expansion, std::get<syntax::Number>(*device->value))
         : made_in_run     ? expansion.device
                           : DeviceId{};
}

void declare_buffer(Expansion& expansion, const Statement& statement, const syntax::Name& name, std::string_view text) {
  const auto& size = std::get<syntax::Number>(statement.arguments[1]);
  const auto bytes =
      within(expansion, size, tr_later("the size of a buffer in bytes"), 1, std::numeric_limits<std::int64_t>::max());
  if (!bytes) return expansion.symbols.suppress(text);
  if (expansion.program.buffers.size() >= kMaximumNames) {
    return expansion.scope.error(name, tr("more than {} buffers; use ranges of fewer", kMaximumNames));
  }
  if (static_cast<std::uint64_t>(*bytes) > kMostBytes - expansion.buffer_bytes) {
    expansion.symbols.suppress(text);
    return expansion.scope.error(size, tr("integer overflow: the buffers together have more than 2^62 bytes"));
  }
  const auto id = static_cast<std::uint32_t>(expansion.program.buffers.size());
  Buffer buffer{std::string(text), static_cast<std::uint64_t>(*bytes), HostMemory::pinned, false,
                statement.location.line};
  if (const syntax::Option* devices = find_option(statement, "device")) {
    const auto all = devices_of(expansion, std::get<syntax::Numbers>(*devices->value));
    if (!all) return expansion.symbols.suppress(text);
    buffer.device = all->front();
    buffer.more_devices.assign(all->begin() + 1, all->end());
  }
  if (const syntax::Option* host = find_option(statement, "host")) {
    // The parser lets no other word through.
    buffer.host = by_name<HostMemory>(std::get<syntax::Word>(*host->value).text).value_or(HostMemory::pinned);
  }
  if (is_shared(buffer.host) && !buffer.more_devices.empty()) {
    expansion.symbols.suppress(text);
    return expansion.scope.error(name, tr("'{}' is {}: there is one allocation, which both sides work on, so it is of "
                                          "one device here; declare it with host=pinned, or name one device",
                                          text, program::name(buffer.host)));
  }
  if (!add_name(expansion, name, text, {.kind = SymbolKind::buffer, .id = id, .location = name.location})) return;
  expansion.buffer_bytes += buffer.bytes;
  expansion.program.buffers.push_back(std::move(buffer));
}

bool add_stream(Expansion& expansion, const syntax::Name& name, Stream stream) {
  if (expansion.program.streams.size() >= kMaximumStreams) {
    expansion.scope.error(name, tr("more than {} streams", kMaximumStreams));
    return false;
  }
  const auto id = static_cast<std::uint32_t>(expansion.program.streams.size());
  if (!add_name(expansion, name, stream.name, {.kind = SymbolKind::stream, .id = id, .location = name.location}))
    return false;
  expansion.program.streams.push_back(std::move(stream));
  return true;
}

// Nothing after an error.
std::optional<int> priority_of(Expansion& expansion, const Statement& statement) {
  const syntax::Option* const priority = find_option(statement, "priority");
  if (priority == nullptr) return 0;
  const auto value = within(expansion, std::get<syntax::Number>(*priority->value), "'priority'",
                            std::numeric_limits<int>::min(), std::numeric_limits<int>::max());
  return value ? std::optional(static_cast<int>(*value)) : std::nullopt;
}

void declare_stream(Expansion& expansion, const Statement& statement, const syntax::Name& name, std::string_view text) {
  const auto priority = priority_of(expansion, statement);
  const auto device = device_of(expansion, statement);
  if (!priority || !device) return expansion.symbols.suppress(text);
  add_stream(expansion, name,
             {.name = std::string(text),
              .nonblocking = find_option(statement, "nonblocking") != nullptr,
              .priority = *priority,
              .line = statement.location.line,
              .device = *device});
}

void declare_streams(Expansion& expansion, const Statement& statement, const syntax::Name& name,
                     std::string_view text) {
  const std::string prefix(text);
  const auto count = within(expansion, std::get<syntax::Number>(statement.arguments[1]),
                            tr_later("the number of streams"), 1, kMaximumStreams);
  const auto priority = priority_of(expansion, statement);
  const auto device = device_of(expansion, statement);
  if (!count || !priority || !device) return expansion.symbols.suppress_prefix(prefix);
  for (std::int64_t i = 0; i < *count; ++i) {
    Stream stream{.name = fmt::format("{}{}", prefix, i),
                  .nonblocking = find_option(statement, "nonblocking") != nullptr,
                  .priority = *priority,
                  .line = statement.location.line,
                  .device = *device};
    if (!add_stream(expansion, name, std::move(stream))) return;
  }
}

void declare_event(Expansion& expansion, const Statement& statement, const syntax::Name& name, std::string_view text) {
  const auto device = device_of(expansion, statement);
  if (!device) return expansion.symbols.suppress(text);
  const auto flags = [&](Event& event) {
    event.timing = find_option(statement, "notiming") == nullptr;
    event.blocking_sync = find_option(statement, "blockingsync") != nullptr;
    event.device = *device;
    event.line = statement.location.line;
  };
  if (Symbol* old = expansion.symbols.find(text); old && old->undeclared) {
    old->undeclared = false;
    old->location = name.location;
    flags(expansion.program.events[old->id]);
    return;
  }
  if (const auto event = add_event(expansion, name, text, false, {})) flags(expansion.program.events[event->value]);
}

// From the program's folder and those within it.
bool leads_away(std::string_view file) {
  return file.starts_with('/') || ("/" + std::string(file) + "/").find("/../") != std::string::npos;
}

void declare_kernel(Expansion& expansion, const Statement& statement, const syntax::Name& name, std::string_view text) {
  const auto& file = std::get<syntax::Word>(statement.arguments[1]);
  const auto& written = std::get<syntax::Word>(statement.arguments[2]);
  const auto wrong = [&](SourceLocation at, std::string message) {
    expansion.symbols.suppress(text);
    expansion.diagnostics.error(at, std::move(message));
  };
  const std::string path = file.text.substr(1, file.text.size() - 2);
  if (path.empty() || leads_away(path) || printable(path) != path)
    return wrong(file.location, tr("{} is no place for the source; name a file beside the program, such as \"mine.cu\"",
                                   printable(file.text)));
  auto parameters = kernels::parameters_of(written.text);
  if (!parameters) return wrong(written.location, std::move(parameters.error().message));
  if (expansion.program.own_kernels.size() >= kMaximumNames)
    return wrong(name.location, tr("more than {} kernels", kMaximumNames));
  const auto id = static_cast<std::uint32_t>(expansion.program.own_kernels.size());
  if (!add_name(expansion, name, text, {.kind = SymbolKind::kernel, .id = id, .location = name.location})) return;
  expansion.program.own_kernels.push_back(std::make_shared<const kernels::OwnKernel>(
      std::string(text), path, std::move(*parameters), find_option(statement, "nostamp") == nullptr));
  expansion.program.own_lines.push_back(statement.location.line);
}

}  // namespace

void declare(Expansion& expansion, const Statement& statement) {
  const auto& name = std::get<syntax::Name>(statement.arguments[0]);
  const auto text = expansion.scope.text(name);
  if (!text) return suppress(expansion, statement);
  const std::string owned(*text);
  switch (statement.verb) {
    case Verb::buffer: return declare_buffer(expansion, statement, name, owned);
    case Verb::stream:
    case Verb::create_stream: return declare_stream(expansion, statement, name, owned);
    case Verb::own_kernel: return declare_kernel(expansion, statement, name, owned);
    case Verb::streams: return declare_streams(expansion, statement, name, owned);
    default: return declare_event(expansion, statement, name, owned);
  }
}

}  // namespace streamscope::program
