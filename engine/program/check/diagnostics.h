// Collects diagnostics: one of each severity at a location, so that a repeat reports a thing once and not in every
// pass.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "engine/program/diagnostic.h"
#include "engine/program/source_location.h"

namespace streamscope::program {

class Diagnostics {
 public:
  explicit Diagnostics(std::vector<Diagnostic>& diagnostics) : diagnostics_(diagnostics) {}

  void error(SourceLocation location, std::string message) {
    if (fresh(errors_, location)) add(Diagnostic::Severity::error, location, std::move(message));
  }
  void warning(SourceLocation location, std::string message) {
    if (fresh(warnings_, location)) add(Diagnostic::Severity::warning, location, std::move(message));
  }
  // Also where there is a warning at that location already.
  void further_warning(SourceLocation location, std::string message) {
    add(Diagnostic::Severity::warning, location, std::move(message));
  }
  bool failed() const { return !errors_.empty(); }

 private:
  using Locations = std::unordered_set<std::uint64_t>;
  static bool fresh(Locations& locations, SourceLocation location) {
    return locations.insert(static_cast<std::uint64_t>(location.line) << 32 | location.column).second;
  }
  void add(Diagnostic::Severity severity, SourceLocation location, std::string message) {
    diagnostics_.push_back({severity, location.line, location.column, std::move(message)});
  }

  std::vector<Diagnostic>& diagnostics_;
  Locations errors_, warnings_;
};

}  // namespace streamscope::program
