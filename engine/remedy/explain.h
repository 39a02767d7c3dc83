// The verdict on a run: why it took so long, in the order of what it cost, and what would help.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/remedy/edit.h"
#include "engine/verdict/judgement.h"

namespace streamscope::remedy {

// What a change would do to the makespan.
struct Help {
  std::string change;      // in words
  std::string difference;  // see difference()
  Source changed;
  // The run's makespan times what the model makes of the changed program over what it makes of this one.
  Nanoseconds predicted = kAbsent;
  Nanoseconds low = kAbsent, high = kAbsent;  // within which it is expected
  // That it helps, a repair of a hazard always; else the change gains less than twice what the model is off on this
  // run, or what its repetitions differ by, or staging and migrations tell, whose pace is the host's.
  bool likely = true;
  // That `predicted` is worth telling: the change gains eight times as much as those, and as 2 %. Of 37 gains on an
  // H100 that were less, 16 were off by over 30 % (200 generated programs); of the 18 that were not, none.
  bool sure = true;
  Nanoseconds measured = kAbsent;  // of a run of the changed program, where there was one
};

struct Entry {
  verdict::Cause cause = verdict::Cause::unexplained;
  // Of the makespan: what the best change would save, or a device without what the cause rests on; else the cause's
  // time on the critical path, of which it may be that only a part counts.
  Nanoseconds cost = 0;
  double share = 0;                        // of the makespan
  std::vector<std::uint32_t> lines;        // of the program, rising
  std::vector<OperationIndex> operations;  // on the critical path; the first ones
  std::string text;                        // a sentence
  std::optional<Help> help;
};

inline constexpr double kLeastGain = 0.02;  // of the makespan: what gains less is not worth a change

struct Verdict {
  // The first says why, if somebody asks for one sentence: what the data is wrong for, else the dearest, of several
  // within a tenth the one that stands first among the causes. Then the others, the dearest first.
  std::vector<Entry> entries;
  std::vector<Help> others;  // further changes that would help, the most first
};

// The makespan of a program on the model that predicts, or on one without what a cause rests on (without.h); an error
// where it cannot be simulated.
using Simulate = std::function<Result<Nanoseconds>(const program::Program&, std::optional<verdict::Cause> without)>;

struct Circumstances {
  Nanoseconds makespan = kAbsent;          // of the run, its median
  double noise = 0;                        // of it, relative: what differs by less says nothing
  bool model = false;                      // it is a model's itself, so a prediction is what it will be
  std::size_t most_simulated = 4'000'000;  // operations of all changes together; of those behind none is tried
};

// Changes that add a hazard, or gain less than 2 % and less than the noise, are left out. `source` is what was run.
// Without `simulate` no change is looked for: causes by their time on the critical path. Errors: `cancelled`, as
// `simulate` says it.
Result<Verdict> explain(const verdict::Judgement& judgement, const Source& source, const Circumstances& circumstances,
                        const Simulate& simulate);

// "1.09× the bound; the D2H engine binds", or "1.9× the bound, which the D2H engine sets" where it is not what the run
// waits for: empty where no bound is known, or a kernel failed.
std::string headline(const verdict::Judgement& judgement);

// "with pinned host memory: 6.28 ms predicted (6.1 ms to 6.4 ms)"
std::string help_text(const Help& help);

}  // namespace streamscope::remedy
