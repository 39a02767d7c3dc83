// The table of operations: which of a run's operations a search and a range leave, in which order, and what each
// column says of one. Operations are known by their place in the trace, as span_at() takes it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/reading/query.h"
#include "engine/trace/interval.h"

namespace streamscope::reading {

// Places in the trace. Where all are meant in the trace's own order there is no list of them: there may be ten million.
class Rows {
 public:
  Rows() = default;
  static Rows all(std::size_t count);
  explicit Rows(std::vector<std::uint32_t> listed) : listed_(std::move(listed)), count_(listed_.size()) {}
  std::size_t size() const { return count_; }
  std::uint32_t operator[](std::size_t row) const {
    return listed_.empty() ? static_cast<std::uint32_t>(row) : listed_[row];
  }
  std::optional<std::size_t> find(std::uint32_t place) const;  // the row it stands in; O(n)

 private:
  std::vector<std::uint32_t> listed_;
  std::size_t count_ = 0;
};

struct Matches {
  Rows rows;  // in the trace's order
  // Of their durations, as far as they are known, without those of waiting for others; kAbsent: none is.
  Nanoseconds total = kAbsent;
  // By place: what the query alone means, wherever the range lies. Null: all.
  std::shared_ptr<const std::vector<bool>> meant;
};
Matches find_operations(const trace::Trace& trace, const Query& query, const std::optional<trace::Interval>& range);

enum class Column : std::uint8_t {
  operation,
  line,
  name,
  kind,
  stream,
  device,  // of a run on several
  engine,
  host_call,
  start,
  duration,
  waiting,
  bytes,
  rate,
  reason,
};
inline constexpr std::size_t kColumns = 14;
std::string_view heading(Column column);  // "Duration"
std::string_view meaning(Column column);  // a sentence
std::string_view usual(Column column);    // as wide as what it usually holds
bool is_number(Column column);            // and stands at the right
// With its unit, for people; empty where there is none.
std::string cell(const trace::Trace& trace, const trace::Span& span, Column column);

struct TableSort {
  Column by = Column::operation;
  bool descending = false;
  friend bool operator==(const TableSort&, const TableSort&) = default;
};
// Rows in the trace's order, sorted: equal ones stay in that order, and what is not known comes last, both ways.
Rows sorted(const trace::Trace& trace, const Rows& rows, TableSort by);

// The first rows as CSV (RFC 4180, but for plain line ends), units in the header, numbers unrounded.
std::string to_csv(const trace::Trace& trace, const Rows& rows, std::size_t most);

}  // namespace streamscope::reading
