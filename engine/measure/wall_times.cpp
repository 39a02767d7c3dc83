#include "engine/measure/wall_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "engine/base/translate.h"
#include "engine/measure/host_pace.h"
#include "engine/measure/repeat.h"
#include "engine/program/read_program.h"

namespace streamscope::measure {
namespace {

constexpr int kPacePasses = 5;  // before a program, and as many after it

Result<WallTimes> time_one(device::Device& device, PaceProbe* pace, const ProgramText& text,
                           const TimingOptions& options, const StopFlag& stop) {
  auto read = TRY(program::read_program(text.text, text.name));
  auto loaded = TRY(device.load(read.program, {}));

  const bool model = device.info().kind == trace::Provenance::Kind::model;
  Repetition plan;
  plan.warm_ups = model ? 0 : options.warm_ups;
  plan.least = model ? 1 : std::max(1, options.least);
  plan.most = model ? 1 : std::max(plan.least, options.most);
  plan.timeout = options.each;
  if (pace == nullptr) {
    auto walls = TRY(bare_walls(*loaded, plan, stop));
    return summary(std::move(walls));
  }
  const auto pace_before = TRY(pace->time(kPacePasses, 0, stop));
  const auto walls = TRY(bare_walls(*loaded, plan, stop));
  WallTimes times = summary(walls);
  const auto pace_after = TRY(pace->time(kPacePasses, 0, stop));
  times.pace = (pace_before + pace_after) / 2;
  return times;
}

}  // namespace

WallTimes summary(std::vector<Nanoseconds> walls) {
  std::sort(walls.begin(), walls.end());
  const std::size_t last = walls.size() - 1;
  return {walls[last / 2], walls[last / 4], walls[(3 * last + 3) / 4], walls.front(), static_cast<int>(walls.size()),
          kAbsent};
}

Result<std::vector<WallTimes>> time_programs(device::Device& device, std::span<const ProgramText> programs,
                                             const TimingOptions& options, StopFlag stop, const OnTimed& on_timed,
                                             const OnRefused& on_refused) {
  std::vector<WallTimes> all;
  all.reserve(programs.size());
  const Nanoseconds began = host_now();
  std::optional<PaceProbe> pace;
  if (options.pace && device.info().kind == trace::Provenance::Kind::measured) {
    pace = TRY(PaceProbe::load(device));
  }
  for (std::size_t i = 0; i < programs.size(); ++i) {
    if (known(options.limit) && host_now() - began >= options.limit) break;
    if (stop.stop_requested()) return fail(ErrorKind::cancelled, tr("The timing of programs was stopped on request."));
    auto times = time_one(device, pace ? &*pace : nullptr, programs[i], options, stop);
    if (!times && times.error().kind == ErrorKind::bad_input && on_refused) {
      on_refused(i, times.error());
      all.push_back({});
      continue;
    }
    if (!times) {
      times.error().message = tr("program \"{}\": {}", programs[i].name, times.error().message);
      return fail(std::move(times.error()));
    }
    all.push_back(*times);
    if (on_timed) on_timed(i, *times);
  }
  return all;
}

}  // namespace streamscope::measure
