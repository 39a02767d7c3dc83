#include "engine/predict/host_pace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/translate.h"
#include "engine/device/catalog/catalog.h"
#include "engine/device/model/model.h"
#include "engine/device/model/profile/profile_numbers.h"
#include "engine/measure/host_pace.h"

namespace streamscope::predict {

Result<double> pace_of(const model::Profile& profile, Nanoseconds pace_wall) {
  if (!known(pace_wall)) return 1;
  const auto own = TRY(model::predict_wall(profile, measure::pace_program()));
  return static_cast<double>(pace_wall) / static_cast<double>(std::max<Nanoseconds>(1, own));
}

model::Profile at_pace(const model::Profile& profile, double slower) {
  const model::ProfileNumber& pace = model::profile_numbers()[*model::find_number(model::kHostPace)];
  model::Profile paced = profile;
  pace.set(paced, std::clamp(pace.get(profile) * slower, pace.least, pace.most));
  return paced;
}

PacedModel at_host_pace(const device::DeviceSpec& model, device::Device& ran_on, const StopFlag& stop) {
  constexpr int kWarmUps = 20, kPasses = 21;  // some 10 ms
  constexpr double kSame = 0.02;
  const bool set = std::any_of(model.changes.begin(), model.changes.end(),
                               [](const device::DeviceSpec::Change& each) { return each.key == model::kHostPace; });
  if (set || ran_on.info().kind == trace::Provenance::Kind::model) return {model, {}};
  // Against the profile as it is: what else is changed must not hide in the pace.
  const auto profile = catalog::open_profile(device::unchanged(model));
  if (!profile || profile->name != ran_on.info().name) return {model, {}};
  const auto not_measured = [&](const Error& why) {
    return PacedModel{model, tr("The host's pace was not measured, so it is the profile's: {}", why.message)};
  };
  if (stop.stop_requested()) return {model, {}};
  auto probe = measure::PaceProbe::load(ran_on);
  if (!probe) return not_measured(probe.error());
  const auto wall = probe->time(kPasses, kWarmUps, stop);
  if (!wall) return not_measured(wall.error());
  const auto slower = pace_of(*profile, *wall);
  if (!slower) return not_measured(slower.error());
  if (std::abs(*slower - 1) < kSame) return {model, {}};
  const double pace = at_pace(*profile, *slower).host.pace * 1e-6;
  device::DeviceSpec paced = model;
  paced.changes.push_back({std::string(model::kHostPace), fmt::format("{:.3f}", pace)});
  return {std::move(paced), {}};
}

}  // namespace streamscope::predict
