// The verdicts on the runs kept, the changes that were tried, and what of either is lit on the timeline.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/timeline/search_highlight.h"
#include "app/window/state/editing.h"
#include "app/window/state/run_verdict.h"

namespace streamscope::window {

// Operations that a word of the verdict speaks of: bright on the timeline, all else pale.
struct Lit {
  std::vector<OperationIndex> operations;  // rising
  std::shared_ptr<const ShownRun> of;      // the run that `highlight` is of
  std::shared_ptr<const timeline::SearchHighlight> highlight;
};

// A change of the verdict's that was made and run.
struct Trial {
  std::uint64_t before = 0;        // the run it is a change of
  std::uint64_t after = 0;         // the run that came of it; 0: none yet
  Nanoseconds makespan = kAbsent;  // of the run before
  remedy::Help help;               // `measured` once it has run
  std::string program;             // the text that it runs
  bool taken_back = false;
  Editing editing;  // as it was before, to take the change back
};

struct Verdicts {
  std::map<std::uint64_t, std::shared_ptr<const RunVerdict>> found;  // by the run's number
  std::shared_ptr<const trace::Run> asked;                           // of which one is being made
  std::vector<Trial> trials;                                         // the newest last
  std::optional<Lit> lit;
  std::string hazard_shown;  // the program whose missing order was lit by itself: once is enough
};

namespace command {
struct VerdictFound {
  std::shared_ptr<const RunVerdict> verdict;
};
// Changes what is set and typed as the verdict on the run in view offers, and runs it.
struct TryChange {
  remedy::Help help;
};
struct TakeBack {};  // the newest change that was tried, where nothing was changed since
struct LightUp {     // empty: nothing any more
  std::vector<OperationIndex> operations;
};
struct ShowLine {  // of the program, in the editor; where it is the run's own the operations are lit, too
  std::uint32_t line = 0;
};
struct Lighted {
  std::shared_ptr<const ShownRun> of;
  std::vector<OperationIndex> operations;
  std::shared_ptr<const timeline::SearchHighlight> highlight;
};
}  // namespace command

using VerdictCommand = std::variant<command::VerdictFound, command::TryChange, command::TakeBack, command::LightUp,
                                    command::ShowLine, command::Lighted>;

// Verdicts on so many spans are kept in all; of runs shown before they are made anew.
inline constexpr std::size_t kSpansExplained = 2'000'000;

}  // namespace streamscope::window
