// Collects diagnostics; one of each severity at a place, so that a repeat tells a thing once and not in every pass.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "engine/program/text.h"

namespace streamscope::program {

class Report {
 public:
  explicit Report(std::vector<Diagnostic>& diagnostics) : diagnostics_(diagnostics) {}

  void error(syntax::Place place, std::string message) {
    if (fresh(errors_, place)) add(Diagnostic::Severity::error, place, std::move(message));
  }
  void warning(syntax::Place place, std::string message) {
    if (fresh(warnings_, place)) add(Diagnostic::Severity::warning, place, std::move(message));
  }
  // For callers that know it to be new: there may be several at a place.
  void further_warning(syntax::Place place, std::string message) {
    add(Diagnostic::Severity::warning, place, std::move(message));
  }
  bool failed() const { return !errors_.empty(); }

 private:
  using Places = std::unordered_set<std::uint64_t>;
  static bool fresh(Places& places, syntax::Place place) {
    return places.insert(static_cast<std::uint64_t>(place.line) << 32 | place.column).second;
  }
  void add(Diagnostic::Severity severity, syntax::Place place, std::string message) {
    diagnostics_.push_back({severity, place.line, place.column, std::move(message)});
  }

  std::vector<Diagnostic>& diagnostics_;
  Places errors_, warnings_;
};

}  // namespace streamscope::program
