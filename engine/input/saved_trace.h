// The trace of a saved run, or of its prediction: spans, kernels, stages, and the tables they count into.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "engine/input/read_control.h"
#include "engine/input/saved_values.h"
#include "engine/trace/trace.h"

namespace streamscope::input {

// Numbers the texts of a table in the order in which they are first met.
class NameIndex {
 public:
  std::uint32_t number(std::string_view text) {
    const auto found = numbers_.find(std::string(text));
    if (found != numbers_.end()) return found->second;
    const auto number = static_cast<std::uint32_t>(list_.size());
    list_.emplace_back(text);
    numbers_.emplace(list_.back(), number);
    return number;
  }
  // Appends to `table`, which the file has, what it lacks; gives for each of our numbers the index in `table`.
  std::vector<std::uint32_t> merge_into(std::vector<std::string>& table) const {
    std::unordered_map<std::string, std::uint32_t> positions;
    for (std::size_t i = 0; i < table.size(); ++i) positions.emplace(table[i], static_cast<std::uint32_t>(i));
    std::vector<std::uint32_t> numbers;
    for (const std::string& text : list_) {
      const auto [at, missing] = positions.emplace(text, static_cast<std::uint32_t>(table.size()));
      if (missing) table.push_back(text);
      numbers.push_back(at->second);
    }
    return numbers;
  }

 private:
  std::vector<std::string> list_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

class SavedTrace : protected SavedValues {
 protected:
  struct Tables {
    NameIndex names, streams, threads;
  };

  SavedTrace(std::string_view text, const std::string& file, const ReadControl& control)
      : SavedValues(text, file), text_(text), control_(control) {}

  // Reads the value if `key` is a member of a trace; false where it is none.
  bool member_of_trace(std::string_view key, trace::Trace& trace, Tables& tables);
  // The tables come after the spans in the file, so the spans' numbers are corrected at the end.
  void complete(trace::Trace& trace, const Tables& tables);
  bool stopped() const { return stopped_; }

 private:
  void span(std::vector<trace::Span>& spans, Tables& tables);
  trace::StreamInfo stream();
  trace::KernelFacts kernel();
  trace::Stages stages();
  trace::StageBlock block();
  trace::Stage stage();
  void provenance(trace::Provenance& from);

  std::string_view text_;
  const ReadControl& control_;
  bool stopped_ = false;
};

}  // namespace streamscope::input
