#include "engine/program/check/symbol_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/program/syntax/characters.h"
#include "engine/program/syntax/suggest.h"

namespace streamscope::program {
namespace {

// Suggestions are for people: a text with more names or more unknown names is generated.
constexpr std::size_t kNamesCompared = 4000;
constexpr std::size_t kNamesSuggested = 200;
constexpr std::size_t kPrefixes = 1000;

struct KindWords {
  SymbolKinds kinds;
  std::string_view article_and_name, how_to_declare;
};
constexpr KindWords kWords[] = {
    {SymbolKind::buffer, "a buffer", "`buffer {0} 64MiB`"},
    {SymbolKind::stream, "a stream", "`stream {0}`"},
    {SymbolKind::event, "an event", "`A: record {0}` or `event {0}`"},
    {SymbolKind::graph, "a graph", "`graph {0} on A {{`"},
    {SymbolKind::thread, "a thread", "`thread {0} {{`"},
    {SymbolKind::stream | SymbolKind::event, "a stream or an event", "`stream {0}` or `event {0}`"},
};
const KindWords& words_of(SymbolKinds kinds) {
  return *std::find_if(std::begin(kWords), std::prev(std::end(kWords)),
                       [&](const KindWords& one) { return one.kinds == kinds; });
}

}  // namespace

std::string_view words(SymbolKinds kinds) { return words_of(kinds).article_and_name; }

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
  const std::string_view what = words(unknown.expected);  // "a buffer", "an event", "a stream or an event"
  const bool two = what.find(" or ") != std::string_view::npos;
  std::string text = fmt::format("unknown {} '{}'", two ? "stream or event" : what.substr(what.find(' ') + 1),
                                 printable(unknown.name));
  std::vector<std::string_view> candidates;
  if (unknown_.size() <= kNamesSuggested) {
    for (const auto& [name, symbol] : symbols_) {
      if (!symbol.undeclared && unknown.expected.has(symbol.kind)) candidates.push_back(name);
      if (candidates.size() >= kNamesCompared) break;
    }
    std::sort(candidates.begin(), candidates.end());
  }
  const std::string meant = did_you_mean(unknown.name, candidates);
  if (!meant.empty()) return text + meant;
  return text + "; declare it before this line with " +
         fmt::format(fmt::runtime(words_of(unknown.expected).how_to_declare), printable(unknown.name));
}

void SymbolTable::finish(Diagnostics& diagnostics) {
  for (const auto& [name, symbol] : symbols_) {
    if (symbol.undeclared) unknown_.push_back({symbol.location, name, symbol.expected, {}});
  }
  for (const Unknown& unknown : unknown_) {
    if (is_suppressed(unknown.name)) continue;
    const Symbol* later = find(unknown.name);
    const bool fits = later && !later->undeclared && unknown.expected.has(later->kind);
    const std::string text =
        fits && later->location > unknown.location
            ? fmt::format("'{}' is used before line {} {}; move that line above this one", printable(unknown.name),
                          later->location.line, later->made_in_run ? "allocates it" : "declares it")
            : message(unknown);
    diagnostics.error(unknown.location, text + unknown.values);
  }
}

}  // namespace streamscope::program
