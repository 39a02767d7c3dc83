#include "engine/measure/host_pace.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/measure/repeat.h"
#include "engine/program/program.h"
#include "engine/program/read_program.h"

namespace streamscope::measure {

std::string_view pace_program_text() {
  return "streams S 8 nonblocking\n"
         "repeat 64 as i {\n"
         "  S{i%8}: spin 0us\n"
         "}\n";
}

const program::Program& pace_program() {
  static const program::Program program = program::read_program(pace_program_text(), "the host's pace")->program;
  return program;
}

Result<PaceProbe> PaceProbe::load(device::Device& device) {
  auto loaded = TRY(device.load(pace_program(), {}));
  return PaceProbe(std::move(loaded));
}

Result<Nanoseconds> PaceProbe::time(int passes, int warm_ups, const StopFlag& stop) {
  Repetition plan;
  plan.turn = {device::Instrument::bare};
  plan.warm_ups = warm_ups;
  plan.least = plan.most = std::max(1, passes);
  std::vector<Nanoseconds> walls;
  TRY(repeat(*loaded_, plan, device::RunControl{stop, {}},
             {[&](int turn, std::size_t, const device::Pass& pass) {
                if (turn >= 0) walls.push_back(pass.wall);
              },
              {}}));
  const auto middle = walls.begin() + static_cast<std::ptrdiff_t>(walls.size() / 2);
  std::nth_element(walls.begin(), middle, walls.end());
  return *middle;
}

}  // namespace streamscope::measure
