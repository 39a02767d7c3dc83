#include "app/reading/query.h"

#include <algorithm>

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

// Which of so many texts are meant by one of the values.
template <class Text, class Meant>
std::vector<bool> those(std::size_t count, const std::vector<std::string>& values, Text text, Meant meant) {
  std::vector<bool> out(count);
  for (std::size_t i = 0; i < count; ++i)
    out[i] = std::any_of(values.begin(), values.end(), [&](const std::string& each) { return meant(text(i), each); });
  return out;
}

// By its whole name where one is called so, else by any part.
template <class Text>
std::vector<bool> called(std::size_t count, const std::vector<std::string>& values, Text text) {
  std::vector<bool> out(count);
  for (const std::string& each : values) {
    std::vector<bool> found = those(count, {each}, text, is);
    if (std::find(found.begin(), found.end(), true) == found.end()) found = those(count, {each}, text, contains);
    for (std::size_t i = 0; i < count; ++i) out[i] = out[i] || found[i];
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
  const auto name_at = [&](std::size_t i) { return std::string_view(trace.names[i]); };
  const auto stream_at = [&](std::size_t i) { return std::string_view(trace.streams[i].name); };
  const auto thread_at = [&](std::size_t i) { return std::string_view(trace.threads[i]); };
  const auto kind_at = [](std::size_t i) { return name(static_cast<OperationKind>(i)); };
  const auto engine_at = [](std::size_t i) { return name(static_cast<Engine>(i)); };
  const auto reason_at = [](std::size_t i) { return trace::name(static_cast<trace::WaitReason>(i)); };
  for (const QueryTerm& asked : query.terms) {
    Term term{.asked = asked, .names = {}, .streams = {}, .threads = {}, .kinds = {}, .engines = {}, .reasons = {}};
    const std::vector<std::string>& values = asked.values;
    switch (asked.field) {
      case QueryField::word:
        term.names = those(trace.names.size(), values, name_at, contains);
        term.streams = those(trace.streams.size(), values, stream_at, contains);
        term.threads = those(trace.threads.size(), values, thread_at, contains);
        term.kinds = those(kOperationKinds, values, kind_at, contains);
        break;
      case QueryField::name: term.names = those(trace.names.size(), values, name_at, contains); break;
      case QueryField::stream: term.streams = called(trace.streams.size(), values, stream_at); break;
      case QueryField::thread: term.threads = called(trace.threads.size(), values, thread_at); break;
      case QueryField::kind: term.kinds = those(kOperationKinds, values, kind_at, is); break;
      case QueryField::engine: term.engines = those(kEngines, values, engine_at, is); break;
      case QueryField::reason: term.reasons = those(kNames<trace::WaitReason>.size(), values, reason_at, is); break;
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
  return has(term.names, span.name) || has(term.kinds, static_cast<std::size_t>(span.kind)) ||
         has(term.streams, span.stream) || has(term.threads, span.thread) ||
         has(term.engines, static_cast<std::size_t>(span.engine)) ||
         has(term.reasons, static_cast<std::size_t>(span.reason));
}

bool Matcher::operator()(const trace::Span& span) const {
  return std::all_of(terms_.begin(), terms_.end(),
                     [&](const Term& term) { return holds(term, span) != term.asked.negated; });
}

}  // namespace streamscope::reading
