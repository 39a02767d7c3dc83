// A sweep in the window: the experiment over the values of one or two of its keys. Its combinations, results and
// figures are those of engine/sweep; each combination is a run of the session like any other, so that it can be looked
// at, be stopped, and be made by a remote engine.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "app/window/state/setup.h"
#include "engine/sweep/combinations.h"
#include "engine/sweep/sweep.h"
#include "engine/trace/trace.h"

namespace streamscope::window {

// As it is typed; without a key there is no such axis.
struct SweepAxis {
  std::string key, values;  // "streams", "1, 2, 4, 8"
};

// What the combinations are made of.
struct SweepSource {
  experiment::InputText text;
  std::vector<sweep::Axis> axes;
};

inline sweep::Sweep first_sweep() {
  sweep::Sweep none;
  none.figure = "makespan";
  return none;
}

struct Sweeping {
  std::array<SweepAxis, 2> axes{{{"streams", "1, 2, 4, 8"}, {}}};
  bool lines = false;  // two axes as lines, else as a heat map
  std::string wrong;   // why there is no sweep; empty: nothing is wrong
  SweepSource source;  // of the sweep below
  Setup setup;         // that it began with
  sweep::Combinations combinations;
  sweep::Sweep sweep = first_sweep();                   // with no point before the first sweep
  std::vector<std::shared_ptr<const trace::Run>> runs;  // by point; null: it was not run, or is kept no more
  std::size_t spans_kept = 0;
  std::size_t next = 0;  // the point that is run now
  bool combining = false, going = false;
};

namespace command {
struct SetSweepAxis {
  std::size_t which;
  SweepAxis axis;
};
struct SetSweepFigure {
  std::string figure;  // one of sweep::choices()
};
struct ShowSweepLines {
  bool on;
};
// These lead to runs, or to what is shown of one.
struct StartSweep {};
struct StopSweep {};
struct SweepCombined {
  Result<sweep::Combinations> found;
};
struct SweepMeasured {
  std::size_t point;
  sweep::SweepResult result;
};
struct ShowSweepPoint {
  std::size_t point;
};
struct WriteSweep {
  bool picture = false;
};
}  // namespace command

using SweepCommand = std::variant<command::SetSweepAxis, command::SetSweepFigure, command::ShowSweepLines>;
void update(Sweeping& sweeping, const SweepCommand& command);

// The experiment of a point, with its program: what a run of it is made with.
Setup setup_of_point(const Sweeping& sweeping, std::size_t point);
std::string name_of_point(const Sweeping& sweeping, std::size_t point);  // "streams=4 chunk=1MiB"
// How many points have been run or cannot be.
std::size_t points_done(const Sweeping& sweeping);

}  // namespace streamscope::window
