#include "engine/device/model/predict.h"

#include <algorithm>

#include "engine/device/model/fits.h"
#include "engine/device/model/profile_numbers.h"
#include "engine/device/model/simulation.h"
#include "engine/device/pace.h"

namespace streamscope {

Result<Nanoseconds> predict_wall(const Profile& profile, const Program& program) {
  if (auto fits = check_fits(profile, program); !fits) return fail(std::move(fits.error()));
  const RunControl control;
  auto pass = Simulation(profile, program, control).run(std::vector<Span>(program.operations.size()));
  if (!pass) return fail(std::move(pass.error()));
  return pass->wall;
}

Result<double> pace_of(const Profile& profile, Nanoseconds pace_wall) {
  if (!known(pace_wall)) return 1;
  const auto own = predict_wall(profile, pace_program());
  if (!own) return fail(own.error());
  return static_cast<double>(pace_wall) / static_cast<double>(std::max<Nanoseconds>(1, *own));
}

Profile at_pace(const Profile& profile, double slower) {
  const ProfileNumber& pace = profile_numbers()[*find_number(kHostPace)];
  Profile paced = profile;
  pace.set(paced, std::clamp(pace.get(profile) * slower, pace.least, pace.most));
  return paced;
}

}  // namespace streamscope
