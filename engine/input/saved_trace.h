// The trace of a saved run, or of its prediction: spans, kernels, stages, and the tables they count into.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "engine/input/readers.h"
#include "engine/input/saved_values.h"

namespace streamscope::input {

// Texts of a table by number, in the order in which they are first met.
class Names {
 public:
  std::uint32_t number(std::string_view text) {
    const auto found = numbers_.find(std::string(text));
    if (found != numbers_.end()) return found->second;
    const auto number = static_cast<std::uint32_t>(list_.size());
    list_.emplace_back(text);
    numbers_.emplace(list_.back(), number);
    return number;
  }
  // The table as it was told, with what it lacks behind; and for each number of ours the one of that table.
  std::vector<std::uint32_t> fit(std::vector<std::string>& told) const {
    std::unordered_map<std::string, std::uint32_t> places;
    for (std::size_t i = 0; i < told.size(); ++i) places.emplace(told[i], static_cast<std::uint32_t>(i));
    std::vector<std::uint32_t> numbers;
    for (const std::string& text : list_) {
      const auto [place, missing] = places.emplace(text, static_cast<std::uint32_t>(told.size()));
      if (missing) told.push_back(text);
      numbers.push_back(place->second);
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
    Names names, streams, threads;
  };

  SavedTrace(std::string_view text, const std::string& file, const Control& control)
      : SavedValues(text, file), text_(text), control_(control) {}

  // Whether it was a member of a trace; then it is read.
  bool member_of_trace(std::string_view key, trace::Trace& trace, Tables& tables);
  // The tables stand behind the spans in the file, so that the spans' numbers are put right at the end.
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
  const Control& control_;
  bool stopped_ = false;
};

}  // namespace streamscope::input
