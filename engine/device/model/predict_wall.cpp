#include "engine/device/model/predict_wall.h"

#include "engine/device/model/fits.h"
#include "engine/device/model/simulation.h"

namespace streamscope::model {

Result<Nanoseconds> predict_wall(const Profile& profile, const program::Program& program) {
  if (auto fits = check_fits(profile, program); !fits) return fail(std::move(fits.error()));
  const device::RunControl control;
  auto pass = Simulation(profile, program, control).run(std::vector<trace::Span>(program.operations.size()));
  if (!pass) return fail(std::move(pass.error()));
  return pass->wall;
}

}  // namespace streamscope::model
