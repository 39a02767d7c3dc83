#include "engine/measure/host_pace.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/measure/repeat.h"
#include "engine/program/program.h"
#include "engine/program/read_program.h"

namespace streamscope::measure {

const program::Program& pace_program() {
  constexpr std::string_view kText = "streams S 8 nonblocking\nrepeat 64 as i {\n  S{i%8}: spin 0us\n}\n";
  static const program::Program program = program::read_program(kText, "the host's pace")->program;
  return program;
}

Result<PaceProbe> PaceProbe::load(device::Device& device) {
  auto loaded = TRY(device.load(pace_program(), {}));
  return PaceProbe(std::move(loaded));
}

Result<Nanoseconds> PaceProbe::time(int passes, int warm_ups, const StopFlag& stop) {
  Repetition plan;
  plan.warm_ups = warm_ups;
  plan.least = plan.most = std::max(1, passes);
  auto walls = TRY(bare_walls(*loaded_, plan, stop));
  const auto middle = walls.begin() + static_cast<std::ptrdiff_t>(walls.size() / 2);
  std::nth_element(walls.begin(), middle, walls.end());
  return *middle;
}

}  // namespace streamscope::measure
