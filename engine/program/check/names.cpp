#include "engine/program/check/names.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/program/syntax/cursor.h"
#include "engine/program/syntax/suggest.h"

namespace streamscope::program {
namespace {

// Suggestions are for people: a text with more names or more unknown names than this is a machine's.
constexpr std::size_t kNamesCompared = 4000;
constexpr std::size_t kNamesSuggested = 200;
constexpr std::size_t kPrefixes = 1000;

std::string_view how_to_declare(NameKinds kinds) {
  switch (kinds) {
    case static_cast<NameKinds>(NameKind::buffer): return "`buffer {0} 64MiB`";
    case static_cast<NameKinds>(NameKind::stream): return "`stream {0}`";
    case static_cast<NameKinds>(NameKind::event): return "`A: record {0}` or `event {0}`";
    case static_cast<NameKinds>(NameKind::graph): return "`graph {0} on A {{`";
    case static_cast<NameKinds>(NameKind::thread): return "`thread {0} {{`";
    default: return "`stream {0}` or `event {0}`";
  }
}

}  // namespace

std::string_view words(NameKinds kinds) {
  switch (kinds) {
    case static_cast<NameKinds>(NameKind::buffer): return "a buffer";
    case static_cast<NameKinds>(NameKind::stream): return "a stream";
    case static_cast<NameKinds>(NameKind::event): return "an event";
    case static_cast<NameKinds>(NameKind::graph): return "a graph";
    case static_cast<NameKinds>(NameKind::thread): return "a thread";
    default: return "a stream or an event";
  }
}

Named* Names::find(std::string_view name) {
  const auto at = named_.find(name);
  return at == named_.end() ? nullptr : &at->second;
}

Named& Names::add(std::string_view name, Named named) {
  return named_.insert_or_assign(std::string(name), named).first->second;
}

void Names::forgive_prefix(std::string_view prefix) {
  if (prefixes_.size() >= kPrefixes || std::find(prefixes_.begin(), prefixes_.end(), prefix) != prefixes_.end()) return;
  prefixes_.emplace_back(prefix);
}

bool Names::forgiven(std::string_view name) const {
  if (forgiven_.find(name) != forgiven_.end()) return true;
  return std::any_of(prefixes_.begin(), prefixes_.end(), [&](const std::string& one) { return name.starts_with(one); });
}

void Names::unknown(const syntax::Name& where, std::string_view name, NameKinds expected, const Scope& scope) {
  if (!unknown_places_.insert(static_cast<std::uint64_t>(where.place.line) << 32 | where.place.column).second) return;
  unknown_.push_back({where.place, std::string(name), expected, where.pieces.empty() ? std::string() : scope.values()});
}

std::string Names::message(const Unknown& unknown) const {
  const std::string_view what = words(unknown.expected);  // "a buffer", "an event", "a stream or an event"
  const bool two = what.find(" or ") != std::string_view::npos;
  std::string text =
      fmt::format("unknown {} '{}'", two ? "stream or event" : what.substr(what.find(' ') + 1), shown(unknown.name));
  std::vector<std::string_view> candidates;
  if (unknown_.size() <= kNamesSuggested) {
    for (const auto& [name, named] : named_) {
      if (!named.unseen && (static_cast<NameKinds>(named.kind) & unknown.expected) != 0) candidates.push_back(name);
      if (candidates.size() >= kNamesCompared) break;
    }
    std::sort(candidates.begin(), candidates.end());
  }
  const std::string meant = did_you_mean(unknown.name, candidates);
  if (!meant.empty()) return text + meant;
  return text + "; declare it before this line with " +
         fmt::format(fmt::runtime(how_to_declare(unknown.expected)), shown(unknown.name));
}

void Names::finish(Report& report) {
  for (const auto& [name, named] : named_) {
    if (named.unseen) unknown_.push_back({named.place, name, named.expected, {}});
  }
  for (const Unknown& unknown : unknown_) {
    if (forgiven(unknown.name)) continue;
    const Named* later = find(unknown.name);
    const bool fits = later && !later->unseen && (static_cast<NameKinds>(later->kind) & unknown.expected) != 0;
    const std::string text =
        fits && later->place > unknown.place
            ? fmt::format("'{}' is used before line {} {}; move that line above this one", shown(unknown.name),
                          later->place.line, later->in_run ? "allocates it" : "declares it")
            : message(unknown);
    report.error(unknown.place, text + unknown.values);
  }
}

}  // namespace streamscope::program
