// A search over operations as a person types it, and whether an operation is meant by it.
//
//   axpb S0              each word occurs in the name, the kind, the stream or the thread, whatever the case
//   21                   a number is also the operation of that number; #21 is that alone
//   "copy in"            in quotes: with blanks, and nothing in it is special
//   kind:h2d,d2h         one of these; so do name: stream: thread: engine: reason:
//   dur>10us dur<=1ms    dur wait host start bytes line op, with > >= < <= = or :
//   -kind:sync           not
//
// All of it must hold. A name is found by any part of it; a stream or a thread by its whole name where one is called
// so, else by any part. What is not known is neither more nor less than anything.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "engine/trace/trace.h"

namespace streamscope::reading {

enum class QueryField : std::uint8_t {
  word,
  name,
  kind,
  stream,
  thread,
  engine,
  reason,
  duration,
  waiting,
  host_call,
  start,
  bytes,
  line,
  operation,
};
enum class Relation : std::uint8_t { equal, less, at_most, more, at_least };

struct QueryTerm {
  QueryField field = QueryField::word;
  bool negated = false;
  std::vector<std::string> values;  // lower case; of words and texts: one of them
  Relation relation = Relation::equal;
  std::int64_t number = -1;  // nanoseconds, bytes, or the number itself; of a word the operation it names, -1: none
};

struct Query {
  std::vector<QueryTerm> terms;
};

struct QueryError {
  std::size_t column = 1, length = 1;  // of the text, counted in bytes from 1
  std::size_t readable = 0;            // so many bytes of it, from the left, are whole terms without an error
  std::string message;                 // "kind 'copi' is not one of ..."
};
tl::expected<Query, QueryError> parse_query(std::string_view text);

// A query against one trace: what is said of texts is looked up once for each text, not for each operation.
class Matcher {
 public:
  Matcher(const trace::Trace& trace, const Query& query);
  bool operator()(const trace::Span& span) const;
  bool all() const { return terms_.empty(); }

 private:
  struct Term {
    QueryTerm asked;
    std::vector<bool> names, streams, threads, kinds, engines, reasons;  // those that are meant
  };
  static bool holds(const Term& term, const trace::Span& span);
  std::vector<Term> terms_;
};

}  // namespace streamscope::reading
