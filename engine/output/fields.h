// What the formats share: text that is safe to write, and the names that spans count into.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/trace/trace.h"

namespace streamscope::output {

// A JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD, as in clean().
std::string json_string(std::string_view text);
std::string clean(std::string_view text);
// RFC 4180: quotes where there is a comma, a quote or a line break, quotes within doubled. Cleaned.
std::string csv_field(std::string_view text);

// A finite number as JSON writes it, shortest form that reads back to the same value; "null" for anything else.
std::string number(std::optional<double> value);

// A trace's names as text of the format, made once by `make` (json_string() for JSON, a field for CSV), since many
// spans share them. An index beyond the table, as of no stream, gives `absent`.
class Table {
 public:
  template <class Make>
  Table(const std::vector<std::string>& names, Make make, std::string absent) : absent_(std::move(absent)) {
    texts_.reserve(names.size());
    for (const std::string& name : names) texts_.push_back(make(name));
  }
  const std::string& operator[](std::size_t index) const { return index < texts_.size() ? texts_[index] : absent_; }

 private:
  std::vector<std::string> texts_;
  std::string absent_;
};

std::vector<std::string> stream_names(const trace::Trace& trace);

// The same operation in the run's prediction; null where there is none. `index` is that of one of the run's spans.
const trace::Span* predicted_span(const trace::Run& run, std::size_t index);

// An experiment's TOML as an object, keys in the order of the text. Null for an empty text. Text that is not TOML is
// kept under the one key "text", so that nothing is lost.
nlohmann::ordered_json experiment_object(const std::string& toml);

}  // namespace streamscope::output
