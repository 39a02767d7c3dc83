// The run that the one in view is compared with, and how both are shown.
#pragma once

#include <memory>
#include <optional>
#include <variant>

#include "app/timeline/view.h"
#include "app/window/state/run_pair.h"
#include "app/window/state/shown_run.h"

namespace streamscope::window {

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

using ComparisonCommand = std::variant<command::Arrange, command::Align, command::SortDifferences>;
void update(Comparison& comparison, const ComparisonCommand& command);

}  // namespace streamscope::window
