// The run that the one in view is compared with, and how both are shown.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/timeline/view.h"
#include "app/window/state/shown_run.h"
#include "engine/analysis/pairs_of_runs.h"

namespace streamscope::window {

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
  std::string differs;               // what the two were made with: "A pageable → B pinned: Host memory"
};
struct PairRequest {
  std::shared_ptr<const ShownRun> first, second;
  std::shared_ptr<const analysis::PairedRuns> paired;  // null: not known yet
  analysis::WorstBy by = analysis::WorstBy::length;
  Nanoseconds offset = 0;
  friend bool operator==(const PairRequest&, const PairRequest&) = default;
};
std::shared_ptr<const ShownPair> make_pair(const PairRequest& request);

// Runs A and B: how what they were made with differs, in the controls' words.
std::string differs_text(const trace::Run& first, const trace::Run& second);

// The differences as a table for spreadsheets, in the order shown: times in ns.
std::string differences_csv(const ShownPair& pair);

namespace command {
// Runs by number (ShownRun::number); kNoRun: none.
struct CompareWith {
  std::uint64_t run;
};
enum class Arrangement : std::uint8_t { stacked, overlaid };
struct Arrange {
  Arrangement arrangement;
};
struct Align {
  Alignment alignment;
};
struct SortDifferences {
  analysis::WorstBy by;
};
struct SelectCompared {  // an operation of the second run, and its partner in the first
  OperationIndex operation;
};
struct CopyDifferences {};  // to the clipboard, as CSV
struct PairPrepared {
  std::shared_ptr<const ShownPair> pair;
};
}  // namespace command

struct Comparison {
  std::shared_ptr<const ShownRun> second;  // null: none; the first is the one in view
  command::Arrangement arrangement = command::Arrangement::stacked;
  Alignment alignment = Alignment::first_call;
  analysis::WorstBy worst_by = analysis::WorstBy::length;
  OperationIndex selected = kNoOperation;  // of the second run
  std::shared_ptr<const ShownPair> pair;   // see compared_runs.h
  std::optional<PairRequest> asked;
  std::optional<std::optional<timeline::View>> view_alone;  // that was there before a second run came
};

}  // namespace streamscope::window
