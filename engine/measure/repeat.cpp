#include "engine/measure/repeat.h"

#include <utility>

#include "engine/base/translate.h"
#include "engine/measure/sampling.h"

namespace streamscope::measure {

Result<Ended> repeat(device::LoadedProgram& loaded, const Repetition& repetition, const device::RunControl& control,
                     const RepetitionCalls& calls) {
  const device::RunControl silent{control.stop, {}};
  const auto make = [&](int turn, std::size_t place, bool shown = false) -> Result<void> {
    if (control.stop.stop_requested()) return fail(ErrorKind::cancelled, tr("The run was stopped on request."));
    device::PassRequest request = repetition.turn[place];
    if (request.instrument == device::Instrument::sampled) {
      request.share = share_of_pass(static_cast<std::size_t>(turn < 0 ? 0 : turn), request.share.of);
    }
    auto pass = TRY(loaded.run(request, shown ? control : silent));
    calls.on_pass(turn, place, std::move(pass));
    return {};
  };

  for (int i = 0; i < repetition.warm_ups; ++i) {
    TRY(make(-1, 0, i == 0));
  }
  const Nanoseconds began = host_now();
  for (int turn = 0; turn < repetition.most; ++turn) {
    if (calls.enough && calls.enough(turn)) return Ended::enough;
    if (turn >= repetition.least && known(repetition.timeout) && host_now() - began >= repetition.timeout) {
      return Ended::timed_out;
    }
    const std::size_t passes = repetition.turn.size();
    for (std::size_t i = 0; i < passes; ++i) {
      TRY(make(turn, turn % 2 == 0 ? i : passes - 1 - i));
    }
  }
  return Ended::all_made;
}

Result<std::vector<Nanoseconds>> bare_walls(device::LoadedProgram& loaded, Repetition repetition,
                                            const StopFlag& stop) {
  repetition.turn = {device::Instrument::bare};
  std::vector<Nanoseconds> walls;
  const auto keep = [&](int turn, std::size_t, const device::Pass& pass) {
    if (turn >= 0) walls.push_back(pass.wall);
  };
  TRY(repeat(loaded, repetition, device::RunControl{stop, {}}, {keep, {}}));
  return walls;
}

}  // namespace streamscope::measure
