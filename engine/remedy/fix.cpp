#include "engine/remedy/fix.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace streamscope::remedy {
namespace {

// All changes of a verdict, the one that promises most first.
std::vector<Help> helps_of(const Verdict& verdict) {
  std::vector<Help> all;
  for (const Entry& each : verdict.entries) {
    if (each.help) all.push_back(*each.help);
  }
  all.insert(all.end(), verdict.others.begin(), verdict.others.end());
  std::ranges::stable_sort(all, {}, &Help::predicted);
  return all;
}

}  // namespace

Result<std::vector<FixStep>> fix(const Source& source, Tried now, const TryIt& try_it) {
  std::vector<FixStep> steps;
  std::set<std::string> seen{source.program};  // what was run already
  bool again = true;
  while (again) {
    again = false;
    for (Help& help : helps_of(now.verdict)) {
      if (static_cast<int>(steps.size()) == kMostFixRuns) return steps;
      if (!seen.insert(help.changed.program).second) continue;
      Tried then = TRY(try_it(help.changed));
      help.measured = then.makespan;
      const bool faster = known(then.makespan) &&
                          static_cast<double>(then.makespan) < (1 - kLeastGain) * static_cast<double>(now.makespan);
      steps.push_back({std::move(help), faster});
      if (!faster) continue;
      now = std::move(then);
      again = true;
      break;
    }
  }
  return steps;
}

}  // namespace streamscope::remedy
