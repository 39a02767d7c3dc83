#include "app/reading/query.h"

#include <algorithm>
#include <ranges>

#include "app/reading/figures.h"

namespace streamscope::reading {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same(char a, char b) { return lower(a) == b; }

bool contains(std::string_view text, const std::string& part) {
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

bool is(std::string_view text, const std::string& whole) {
  return std::equal(text.begin(), text.end(), whole.begin(), whole.end(), same);
}

// Which of the texts are meant by one of the values.
template <class Texts, class Meant>
std::vector<bool> those(const Texts& texts, const std::vector<std::string>& values, Meant meant) {
  std::vector<bool> out;
  for (const std::string_view text : texts)
    out.push_back(
        std::any_of(values.begin(), values.end(), [&](const std::string& each) { return meant(text, each); }));
  return out;
}

// By its whole name where one is called so, else by any part.
template <class Texts>
std::vector<bool> called(const Texts& texts, const std::vector<std::string>& values) {
  std::vector<bool> out(texts.size());
  for (const std::string& each : values) {
    std::vector<bool> found = those(texts, {each}, is);
    if (std::find(found.begin(), found.end(), true) == found.end()) found = those(texts, {each}, contains);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = out[i] || found[i];
  }
  return out;
}

bool has(const std::vector<bool>& meant, std::size_t index) { return index < meant.size() && meant[index]; }

bool stands(std::int64_t value, Relation relation, std::int64_t to) {
  switch (relation) {
    case Relation::equal: return value == to;
    case Relation::less: return value < to;
    case Relation::at_most: return value <= to;
    case Relation::more: return value > to;
    case Relation::at_least: return value >= to;
  }
  return false;
}

bool stands_time(Nanoseconds value, const QueryTerm& term) {
  return known(value) && stands(value, term.relation, term.number);
}

}  // namespace

Matcher::Matcher(const trace::Trace& trace, const Query& query) {
  const auto streams = std::views::transform(trace.streams, &trace::StreamInfo::name);
  for (const QueryTerm& asked : query.terms) {
    Term term{.asked = asked, .names = {}, .streams = {}, .threads = {}, .kinds = {}, .engines = {}, .reasons = {}};
    const std::vector<std::string>& values = asked.values;
    switch (asked.field) {
      case QueryField::word:
        term.names = those(trace.names, values, contains);
        term.streams = those(streams, values, contains);
        term.threads = those(trace.threads, values, contains);
        term.kinds = those(kNames<OperationKind>, values, contains);
        break;
      case QueryField::name: term.names = those(trace.names, values, contains); break;
      case QueryField::stream: term.streams = called(streams, values); break;
      case QueryField::thread: term.threads = called(trace.threads, values); break;
      case QueryField::kind: term.kinds = those(kNames<OperationKind>, values, is); break;
      case QueryField::engine: term.engines = those(kNames<Engine>, values, is); break;
      case QueryField::reason: term.reasons = those(kNames<trace::WaitReason>, values, is); break;
      default: break;
    }
    terms_.push_back(std::move(term));
  }
}

bool Matcher::holds(const Term& term, const trace::Span& span) {
  const QueryTerm& asked = term.asked;
  switch (asked.field) {
    case QueryField::duration: return stands_time(duration_of(span), asked);
    case QueryField::waiting: return stands_time(waiting_of(span), asked);
    case QueryField::host_call: return stands_time(host_call_of(span), asked);
    case QueryField::start: return stands_time(start_of(span), asked);
    case QueryField::bytes: return stands(static_cast<std::int64_t>(span.bytes), asked.relation, asked.number);
    case QueryField::line: return stands(span.line, asked.relation, asked.number);
    case QueryField::operation: return stands(span.operation, asked.relation, asked.number);
    default: break;
  }
  // What a text is not asked of has none that are meant.
  return (asked.field == QueryField::word && asked.number == span.operation) || has(term.names, span.name) ||
         has(term.kinds, static_cast<std::size_t>(span.kind)) || has(term.streams, span.stream) ||
         has(term.threads, span.thread) || has(term.engines, static_cast<std::size_t>(span.engine)) ||
         has(term.reasons, static_cast<std::size_t>(span.reason));
}

bool Matcher::operator()(const trace::Span& span) const {
  return std::all_of(terms_.begin(), terms_.end(),
                     [&](const Term& term) { return holds(term, span) != term.asked.negated; });
}

}  // namespace streamscope::reading
