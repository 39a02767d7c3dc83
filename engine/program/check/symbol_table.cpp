#include "engine/program/check/symbol_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/base/suggest.h"
#include "engine/base/translate.h"
#include "engine/program/syntax/characters.h"

namespace streamscope::program {
namespace {

// Suggestions are for people: a text with more names or more unknown names is generated.
constexpr std::size_t kNamesCompared = 4000;
constexpr std::size_t kNamesSuggested = 200;
constexpr std::size_t kPrefixes = 1000;

struct KindWords {
  SymbolKinds kinds;
  std::string_view article_and_name;
};
constexpr KindWords kWords[] = {
    {SymbolKind::buffer, tr_later("a buffer")},
    {SymbolKind::stream, tr_later("a stream")},
    {SymbolKind::event, tr_later("an event")},
    {SymbolKind::graph, tr_later("a graph")},
    {SymbolKind::thread, tr_later("a thread")},
    {SymbolKind::kernel, tr_later("a kernel")},
    {SymbolKind::stream | SymbolKind::event, tr_later("a stream or an event")},
};

std::string unknown_text(SymbolKinds expected, const std::string& name) {
  if (expected == SymbolKind::buffer) return tr("unknown buffer '{}'", name);
  if (expected == SymbolKind::stream) return tr("unknown stream '{}'", name);
  if (expected == SymbolKind::event) return tr("unknown event '{}'", name);
  if (expected == SymbolKind::graph) return tr("unknown graph '{}'", name);
  if (expected == SymbolKind::thread) return tr("unknown thread '{}'", name);
  return tr("unknown stream or event '{}'", name);
}

std::string before_text(const Symbol& later, const std::string& name) {
  return later.made_in_run
             ? tr("'{}' is used before line {} allocates it; move that line above this one", name, later.location.line)
             : tr("'{}' is used before line {} declares it; move that line above this one", name, later.location.line);
}

std::string how_to_declare(SymbolKinds expected, const std::string& name) {
  if (expected == SymbolKind::buffer) return tr("; declare it before this line with `buffer {} 64MiB`", name);
  if (expected == SymbolKind::stream) return tr("; declare it before this line with `stream {}`", name);
  if (expected == SymbolKind::event)
    return tr("; declare it before this line with `A: record {0}` or `event {0}`", name);
  if (expected == SymbolKind::graph) return tr("; declare it before this line with `graph {} on A {{`", name);
  if (expected == SymbolKind::thread) return tr("; declare it before this line with `thread {} {{`", name);
  return tr("; declare it before this line with `stream {0}` or `event {0}`", name);
}

}  // namespace

void SymbolTable::end_all(std::uint32_t line) {
  for (auto& [name, symbol] : symbols_) {
    if (symbol.location.line != 0 && symbol.reset_line == 0) symbol.reset_line = line;
  }
}

std::string_view words(SymbolKinds kinds) {
  const auto* const found = std::find_if(std::begin(kWords), std::prev(std::end(kWords)),
                                         [&](const KindWords& one) { return one.kinds == kinds; });
  return tr(found->article_and_name);
}

Symbol* SymbolTable::find(std::string_view name) {
  const auto at = symbols_.find(name);
  return at == symbols_.end() ? nullptr : &at->second;
}

Symbol& SymbolTable::add(std::string_view name, Symbol symbol) {
  return symbols_.insert_or_assign(std::string(name), symbol).first->second;
}

void SymbolTable::suppress_prefix(std::string_view prefix) {
  if (suppressed_prefixes_.size() >= kPrefixes ||
      std::find(suppressed_prefixes_.begin(), suppressed_prefixes_.end(), prefix) != suppressed_prefixes_.end())
    return;
  suppressed_prefixes_.emplace_back(prefix);
}

bool SymbolTable::is_suppressed(std::string_view name) const {
  if (suppressed_.find(name) != suppressed_.end()) return true;
  return std::any_of(suppressed_prefixes_.begin(), suppressed_prefixes_.end(),
                     [&](const std::string& one) { return name.starts_with(one); });
}

void SymbolTable::unknown(const syntax::Name& where, std::string_view name, SymbolKinds expected, const Scope& scope) {
  if (is_suppressed(name)) return;
  if (!unknown_locations_.insert(static_cast<std::uint64_t>(where.location.line) << 32 | where.location.column).second)
    return;
  unknown_.push_back(
      {where.location, std::string(name), expected, where.pieces.empty() ? std::string() : scope.values()});
}

std::string SymbolTable::message(const Unknown& unknown) const {
  std::string text = unknown_text(unknown.expected, printable(unknown.name));
  std::vector<std::string_view> candidates;
  if (unknown_.size() <= kNamesSuggested) {
    for (const auto& [name, symbol] : symbols_) {
      if (!symbol.undeclared && unknown.expected.has(symbol.kind)) candidates.push_back(name);
      if (candidates.size() >= kNamesCompared) break;
    }
    std::sort(candidates.begin(), candidates.end());
  }
  const std::string meant = did_you_mean(unknown.name, candidates);
  return text + (meant.empty() ? how_to_declare(unknown.expected, printable(unknown.name)) : meant);
}

void SymbolTable::finish(Diagnostics& diagnostics) {
  for (const auto& [name, symbol] : symbols_) {
    if (symbol.undeclared) unknown_.push_back({symbol.location, name, symbol.expected, {}});
  }
  for (const Unknown& unknown : unknown_) {
    if (is_suppressed(unknown.name)) continue;
    const Symbol* later = find(unknown.name);
    const bool fits = later && !later->undeclared && unknown.expected.has(later->kind);
    const std::string text = !fits ? message(unknown)
                             : later->location > unknown.location
                                 ? before_text(*later, printable(unknown.name))
                                 : tr("'{}' is used here before line {} declares it, in a later pass of its repeat; "
                                      "declare it before the repeat",
                                      printable(unknown.name), later->location.line);
    diagnostics.error(unknown.location, text + unknown.values);
  }
}

}  // namespace streamscope::program
