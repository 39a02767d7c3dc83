// The changes made one after the other against the best of all subsets of up to three, on programs with planted faults.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "engine/program/order/order.h"
#include "engine/remedy/fix.h"
#include "tests/engine/remedy/planted.h"
#include "tests/engine/remedy/simulated_run.h"

namespace streamscope::remedy {
namespace {

std::size_t hazards_of(const Source& source) {
  const auto read = program::read_program(source.program, "test");
  return read ? program::hazards(read->program).size() : SIZE_MAX;
}

// The shortest makespan with up to `depth` changes.
Nanoseconds best_of(const Source& source, std::string_view device, int depth, std::size_t hazards,
                    std::set<std::string>& seen) {
  const auto now = simulated_run(source, device);
  Nanoseconds best = now->judgement->makespan;
  if (depth == 0) return best;
  for (const Edit& edit : edits(source, verdict::evidence(*now->judgement))) {
    if (!seen.insert(std::to_string(depth) + edit.changed.program).second) continue;
    if (hazards_of(edit.changed) > hazards) continue;
    best = std::min(best, best_of(edit.changed, device, depth - 1, hazards, seen));
  }
  return best;
}

TEST(Fix, ComesWithinATenthOfTheBestOfAllSubsets) {
  std::vector<Planted> all = planted_faults();
  using verdict::Cause;
  all.push_back({"many faults",
                 Cause::pageable_copy,
                 {},
                 "name = \"w\"\nbytes = \"256MiB\"\nchunk = \"64MiB\"\nhost = \"pageable\"\nstreams = 1\n"});
  all.push_back({"synchronous, pageable",
                 Cause::host_sync,
                 {},
                 "name = \"w\"\nbytes = \"64MiB\"\nchunk = \"8MiB\"\nhost = \"pageable\"\nmode = \"sync\"\n"});
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  all.resize(all.size() / 5);  // each step of memory is checked, which takes ten times as long
#endif
  std::size_t good = 0;
  std::string below;
  for (const Planted& each : all) {
    const Source source = source_from(each.text);
    const auto run = simulated_run(source, each.device);
    const auto steps =
        fix(source, {run->judgement->makespan, verdict_on(*run)}, [&](const Source& changed) -> Result<Tried> {
          const auto then = simulated_run(changed, each.device);
          return Tried{then->judgement->makespan, verdict_on(*then)};
        });
    ASSERT_TRUE(steps) << steps.error().message;
    EXPECT_LE(steps->size(), static_cast<std::size_t>(kMostFixRuns)) << each.name;
    Nanoseconds fixed = run->judgement->makespan;
    for (const FixStep& step : *steps) {
      if (step.kept) fixed = step.help.measured;
    }
    std::set<std::string> seen;
    const Nanoseconds best = best_of(source, each.device, 3, hazards_of(source), seen);
    if (9 * fixed <= 10 * best) {
      ++good;
    } else {
      below += fmt::format("\n{}: {} ns in {} runs, where the best is {} ns", each.name, fixed, steps->size(), best);
    }
  }
  EXPECT_GE(10 * good, 9 * all.size()) << good << " of " << all.size() << below;
}

}  // namespace
}  // namespace streamscope::remedy
