#include "engine/program/check/expansion.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "engine/base/translate.h"
#include "engine/program/limits.h"
#include "engine/program/syntax/characters.h"
#include "engine/program/syntax/grammar.h"
#include "kernels/registry.h"

namespace streamscope::program {
namespace {

bool is_name(std::string_view text) {
  if (text.empty() || text.size() > kLongestName) return false;
  for (const char c : text) {
    if (!is_letter(c) && (!is_digit(c) || &c == text.data())) return false;
  }
  return true;
}

std::string own_pass_hint(const Symbol& old, const syntax::Name& name) {
  if (old.location != name.location) return tr("; choose another name");
  return tr(
      "; an earlier pass of the repeat declared it: move it out of the repeat, or put the variable into the "
      "name, as in {}{{i}}",
      name.pieces.empty() ? name.text : name.pieces[0].letters);
}

}  // namespace

Expansion::Expansion(std::vector<Diagnostic>& all) : diagnostics(all), scope(diagnostics) {
  program.streams.push_back({"default", false, 0, 0});
  program.streams.push_back({"per-thread", false, 0, 0, ThreadId{0}});
  symbols.add("default", {.kind = SymbolKind::stream, .id = kLegacyStream.value, .location = {}});
  symbols.add("per-thread", {.kind = SymbolKind::stream, .id = kPerThreadStream.value, .location = {}});
}

Symbol* Expansion::find(std::string_view name) {
  if (program.default_per_thread && name == "default") name = "per-thread";
  const bool legacy = name == "default" && device != DeviceId{};
  const bool own = name == "per-thread" && (thread != ThreadId{0} || device != DeviceId{});
  if (!legacy && !own) return symbols.find(name);
  const auto add = [&](Symbol& symbol, Stream stream) {
    symbol = {.kind = SymbolKind::stream, .id = static_cast<std::uint32_t>(program.streams.size()), .location = {}};
    stream.device = device;
    if (device != DeviceId{}) stream.name += fmt::format("@{}", device.value);
    program.streams.push_back(std::move(stream));
  };
  if (legacy) {
    const auto [at, fresh] = legacy_streams.try_emplace(device);
    if (fresh) add(at->second, {.name = "default", .legacy = true});
    return &at->second;
  }
  const auto [at, fresh] = per_thread_streams.try_emplace({device, thread});
  if (fresh) {
    const Thread& whose = program.threads[thread.value];
    const std::string of = thread == ThreadId{0} ? "" : whose.name + ".";
    add(at->second, {.name = of + "per-thread", .line = whose.line, .per_thread = thread});
  }
  return &at->second;
}

Symbol* Expansion::find_declared(const syntax::Name& name, SymbolKinds expected) {
  const auto text = scope.text(name);
  if (!text) return nullptr;
  Symbol* symbol = find(*text);
  if (!symbol) symbols.unknown(name, *text, expected, scope);
  return symbol;
}

KernelIndex Expansion::kernel(const kernels::Choice& choice) {
  if (last_kernel < program.kernels.size() && program.kernels[last_kernel] == choice) return last_kernel;
  const auto next = static_cast<KernelIndex>(program.kernels.size());
  const kernels::OwnKernel* const own = choice.kernel->own();
  const auto of_own = [&](const auto& one) { return one.get() == own; };
  const std::size_t which =
      own == nullptr
          ? kernels::index(*choice.kernel)
          : kernels::all().size() + static_cast<std::size_t>(std::ranges::find_if(program.own_kernels, of_own) -
                                                             program.own_kernels.begin());
  const auto [at, fresh] = kernel_indices.try_emplace({which, choice.values}, next);
  if (fresh) program.kernels.push_back(choice);
  return last_kernel = at->second;
}

const syntax::Option* find_option(const syntax::Statement& statement, std::string_view key) {
  const auto at = std::find_if(statement.options.begin(), statement.options.end(),
                               [&](const syntax::Option& one) { return one.key == key; });
  return at == statement.options.end() ? nullptr : &*at;
}

void suppress(Expansion& expansion, const syntax::Statement& statement) {
  if (statement.arguments.empty()) return;
  const auto first = grammar::form(statement).arguments.front();
  if (first != grammar::ArgumentKind::new_name && statement.verb != syntax::Verb::record) return;
  const auto& name = std::get<syntax::Name>(statement.arguments[0]);
  if (!name.pieces.empty()) {
    expansion.symbols.suppress_prefix(name.pieces[0].letters);
  } else if (statement.verb == syntax::Verb::streams) {
    expansion.symbols.suppress_prefix(name.text);
  } else {
    expansion.symbols.suppress(name.text);
  }
}

Symbol* add_name(Expansion& expansion, const syntax::Name& name, std::string_view text, Symbol symbol) {
  if (!is_name(text) || grammar::reserved(text)) {
    expansion.scope.error(name, tr("'{}' comes to '{}', which is no name: names are letters, digits and '_', begin "
                                   "with a letter and have at most {} of them",
                                   printable(name.text), printable(text), kLongestName));
    expansion.symbols.suppress(text);
    return nullptr;
  }
  Symbol* const old = expansion.symbols.find(text);
  if (old != nullptr && old->reset_line != 0) return &(*old = symbol);
  if (old != nullptr) {
    const auto kind = words(old->kind);
    expansion.scope.error(name, old->undeclared ? tr("'{}' is waited for as an event in line {}; choose another name",
                                                     text, old->location.line)
                                                : tr("'{}' is declared twice: it is {} of line {}{}", text, kind,
                                                     old->location.line, own_pass_hint(*old, name)));
    return nullptr;
  }
  return &expansion.symbols.add(text, symbol);
}

std::optional<EventId> add_event(Expansion& expansion, const syntax::Name& name, std::string_view text, bool undeclared,
                                 SymbolKinds expected) {
  if (expansion.program.events.size() >= kMaximumNames) {
    expansion.scope.error(name, tr("more than {} events; record some again", kMaximumNames));
    return std::nullopt;
  }
  if (expansion.reset_line != 0 && !expansion.making_in_run) {
    expansion.scope.error(name, tr("'{}' is made before the run, and line {} resets the device; write `host: "
                                   "create-event {}` before this line",
                                   text, expansion.reset_line, text));
    expansion.symbols.suppress(text);
    return std::nullopt;
  }
  const auto id = static_cast<std::uint32_t>(expansion.program.events.size());
  const std::string owned(text);
  const Symbol symbol{
      .kind = SymbolKind::event, .id = id, .location = name.location, .undeclared = undeclared, .expected = expected};
  if (!add_name(expansion, name, owned, symbol)) return std::nullopt;
  expansion.program.events.push_back({.name = owned, .line = name.location.line});
  expansion.last_record.push_back(kNoOperation);
  expansion.captured_line.push_back(0);
  return EventId{id};
}

std::optional<std::int64_t> within(Expansion& expansion, const syntax::Number& number, std::string_view what,
                                   std::int64_t least, std::int64_t most) {
  const auto value = expansion.scope.value(number);
  if (!value || (*value >= least && *value <= most)) return value;
  const std::string comes_to = number.expression.nodes.empty() ? std::string() : tr(" comes to {}", *value);
  expansion.scope.error(number,
                        tr("'{}'{}: {} must be {}", printable(number.text), comes_to, tr(what),
                           most == std::numeric_limits<std::int64_t>::max() ? tr("at least {}", least)
                                                                            : tr("from {} to {}", least, most)));
  return std::nullopt;
}

std::optional<DeviceId> device_named(Expansion& expansion, const syntax::Number& number) {
  const auto value = within(expansion, number, tr_later("the number of a device"), 0, kLastDevice);
  return value ? std::optional(DeviceId{static_cast<std::uint32_t>(*value)}) : std::nullopt;
}

}  // namespace streamscope::program
