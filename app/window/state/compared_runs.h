// Two runs held against each other: what is made of them, and how it stays in step with what is in view.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/second_run.h"
#include "engine/analysis/pairs_of_runs.h"

namespace streamscope::timeline {
struct Beside;
}

namespace streamscope::window {

struct ShownRun;
struct State;

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

// After each command: asks for what is missing of the two runs in view, in the order that is wanted.
void keep_pair(State& state);
// The pair of the two runs in view; null: there is none (yet).
const ShownPair* pair_in_view(const State& state);
// Of an operation of the first run, or of the second; kNoOperation: it has no partner, or none is known yet.
OperationIndex partner_in_second(const State& state, OperationIndex operation);
OperationIndex partner_in_first(const State& state, OperationIndex operation);

Nanoseconds offset_of(const State& state);
// How the timeline is to show the second run; without one it shows none.
timeline::Beside beside_of(const State& state);
std::optional<draw::SecondRun> second_of(const State& state);  // the same for a picture
// What a person calls it, else what it was made with: "baseline", "4 streams · 16 MiB · 5.3 ms".
std::string run_name(const State& state, const ShownRun& run);
const ShownRun* find_run(const State& state, std::uint64_t number);

// The differences as a table for spreadsheets, in the order shown: times in ns.
std::string differences_csv(const ShownPair& pair);

}  // namespace streamscope::window
