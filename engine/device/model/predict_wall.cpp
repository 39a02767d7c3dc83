#include "engine/device/model/predict_wall.h"

#include "engine/device/model/fits.h"
#include "engine/device/model/simulation.h"

namespace streamscope::model {

Result<Nanoseconds> predict_wall(const Profile& profile, const program::Program& program) {
  TRY(check_fits(profile, program));
  const device::RunControl control;
  auto pass = TRY(Simulation(profile, program, control).run(std::vector<trace::Span>(program.operations.size())));
  return pass.wall;
}

}  // namespace streamscope::model
