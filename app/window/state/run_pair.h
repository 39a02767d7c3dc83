// What is made of two runs that are compared.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/analysis/pairs_of_runs.h"

namespace streamscope::window {

struct ShownRun;

// What the second run's times are moved by: both first host calls at one place, or the first device work, or the
// selected operation and its partner.
enum class Alignment : std::uint8_t { first_call, first_work, selection };

// Made on the background thread; immutable.
struct ShownPair {
  std::shared_ptr<const ShownRun> first, second;
  std::shared_ptr<const analysis::PairedRuns> paired;
  std::vector<analysis::TotalChange> totals;
  analysis::WorstBy by = analysis::WorstBy::length;  // what `order` is by, and with which offset
  Nanoseconds offset = 0;
  std::vector<std::uint32_t> order;  // worst_first()
};
struct PairRequest {
  std::shared_ptr<const ShownRun> first, second;
  std::shared_ptr<const analysis::PairedRuns> paired;  // null: not known yet
  analysis::WorstBy by = analysis::WorstBy::length;
  Nanoseconds offset = 0;
  friend bool operator==(const PairRequest&, const PairRequest&) = default;
};
std::shared_ptr<const ShownPair> make_pair(const PairRequest& request);

// The differences as a table for spreadsheets, in the order shown: times in ns.
std::string differences_csv(const ShownPair& pair);

}  // namespace streamscope::window
