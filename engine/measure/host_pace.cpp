#include "engine/measure/host_pace.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/program/text.h"

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
  auto loaded = device.load(pace_program(), {});
  if (!loaded) return fail(std::move(loaded.error()));
  return PaceProbe(std::move(*loaded));
}

Result<Nanoseconds> PaceProbe::time(int passes, const std::stop_token& stop) {
  std::vector<Nanoseconds> walls;
  for (int i = 0; i < std::max(1, passes); ++i) {
    auto pass = loaded_->run(device::Instrument::bare, device::RunControl{stop, {}});
    if (!pass) return fail(std::move(pass.error()));
    walls.push_back(pass->wall);
  }
  const auto middle = walls.begin() + static_cast<std::ptrdiff_t>(walls.size() / 2);
  std::nth_element(walls.begin(), middle, walls.end());
  return *middle;
}

}  // namespace streamscope::measure
