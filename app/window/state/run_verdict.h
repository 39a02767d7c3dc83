// Why a run took so long: the verdict on it, with what the panels show of it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/timeline/verdict_marks.h"
#include "app/window/state/shown_run.h"
#include "engine/base/stop_flag.h"
#include "engine/program/order/order.h"
#include "engine/remedy/explain_run.h"
#include "engine/trace/interval.h"
#include "engine/verdict/call_slices.h"

namespace streamscope::window {

// A run of more spans gets none: its history would take more memory than the run itself.
inline constexpr std::size_t kMostExplained = 1'500'000;

// A part of the critical path: one kind of piece, what one cause is charged with, or one line of the program.
struct PathPart {
  std::string what;
  std::uint32_t line = 0;  // of the program; 0: of no line
  Nanoseconds time = 0;
  std::vector<OperationIndex> operations;  // each once, in the order of the path
};

// Two accesses without an order between them.
struct MissingOrder {
  OperationIndex first = kNoOperation, second = kNoOperation;
  std::uint32_t first_line = 0, second_line = 0;
  std::string text;      // which two, and of what
  std::size_t more = 0;  // such pairs besides; as many as were looked for at most
};

// What held operations for one reason, in all.
struct WaitTotal {
  verdict::WaitCause cause = verdict::WaitCause::hand_over;
  Nanoseconds time = 0, inferred = 0;  // and how much of it is not certain
  std::uint32_t operations = 0;
  OperationIndex longest = kNoOperation;  // the operation that it held longest; of several the first
  Nanoseconds longest_time = 0;
};

// Made on a background thread; immutable. Operations are named as the trace names them, not by their place in it.
struct RunVerdict {
  std::uint64_t number = 0;               // of the run
  std::shared_ptr<const trace::Run> run;  // which the judgement refers to
  std::unique_ptr<const remedy::ExplainedRun> explained;
  std::string why_not;                                  // where there is none, a sentence
  std::string bound;                                    // "1.09× the bound; the D2H engine binds"
  std::string binding;                                  // the words of that which name what binds: "the D2H engine"
  std::vector<OperationIndex> of_binding;               // what it carries out
  std::string busiest;                                  // the words of the engine that works longest
  std::vector<std::vector<OperationIndex>> operations;  // by entry: all that speaks for it
  std::vector<PathPart> by_kind, by_cause, by_line;     // the longest first
  std::optional<MissingOrder> missing_order;
  std::unique_ptr<const verdict::Calls> calls;  // of the judgement
  std::vector<Nanoseconds> slack;               // by place in the trace
  std::vector<WaitTotal> waits;                 // of the whole run
  // The run as the views have it, with the waits that were found in place of the trace's own, and what to draw on its
  // timeline: on no other.
  std::shared_ptr<const ShownRun> shown;
  std::shared_ptr<const timeline::VerdictMarks> marks;
};

// Null: stopped.
std::shared_ptr<const RunVerdict> make_verdict(const std::shared_ptr<const ShownRun>& of, const StopFlag& stop);

// Whether there is something to show, and not only a reason why not.
bool has_entries(const RunVerdict* verdict);
// Of the parts of the waits that lie in the interval, the most time first. There must be a judgement.
std::vector<WaitTotal> wait_totals(const RunVerdict& verdict, const trace::Interval& within);
// What held the operation from its issue to its start; `by` is named as the trace names it.
std::vector<verdict::Slice> slices_of(const RunVerdict& verdict, OperationIndex operation);

}  // namespace streamscope::window
