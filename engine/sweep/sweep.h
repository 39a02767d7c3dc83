// A sweep: one experiment, run once for each combination of the values on its axes, on one device.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/time.h"
#include "engine/sweep/axes.h"
#include "engine/trace/trace.h"

namespace streamscope::sweep {

// What is compared; higher is better for the first and the last.
enum class SweepFigure : std::uint8_t {
  kernel_rate,  // bytes a second of tiles and attention: what they move at the least over the time they run
  wall,
  makespan,
  overlap,  // share of the makespan in which two or more engines are busy
};
std::string_view name(SweepFigure figure);  // "kernel-rate", "wall", "makespan", "overlap"
std::optional<SweepFigure> sweep_figure(std::string_view name);

// Of one combination. Statistics are over its runs.
struct SweepResult {
  int runs = 0;
  std::optional<trace::Statistic> wall, makespan;
  std::optional<trace::Statistic> kernel;  // the time in which at least one tiles or attention kernel runs
  std::uint64_t kernel_bytes = 0;          // that these read and write in a run, at the least
  double copy_rate = 0;           // of the device, a copy within it, read and written: bytes a second; 0: not known
  std::optional<double> overlap;  // the median
  std::optional<trace::ObserverEffect> observer_effect;
  std::optional<bool> verified;
  trace::Provenance provenance;
  trace::Notes notes;          // of the device
  double kernel_rate() const;  // bytes a second, by the median; 0: not known
};

struct SweepPoint {
  std::optional<SweepResult> result;
  std::string why_not;                 // where there is no result
  std::optional<std::size_t> same_as;  // the same program as that earlier point, whose result stands here too
};

struct Sweep {
  std::string title;                  // the experiment's name
  std::vector<std::string> settings;  // of --set
  std::vector<Axis> axes;             // 1 to 3
  std::vector<SweepPoint> points;     // count_of(axes), the last axis turning fastest
  trace::Notes notes;
  SweepFigure figure = SweepFigure::wall;
  trace::Provenance provenance;
};

struct FigureValue {
  double value = 0;
  double low = 0, high = 0;  // how far it spreads; both the value where that is not known
};

// In bytes a second, ns, or 0..1, with its spread.
std::optional<FigureValue> value_of(const SweepResult& result, SweepFigure figure);
std::optional<double> copy_rate_of(const Sweep& sweep);  // where the figure is the kernels' rate

// How the values of a figure are written: in one unit for all of them.
struct SweepUnit {
  std::string name;   // "GB/s", "ms", "%"
  double factor = 1;  // from value_of() to this unit
};
SweepUnit unit_of(const Sweep& sweep);

// Why points are missing or repeated, and the notes.
std::vector<std::string> sweep_remarks(const Sweep& sweep);

}  // namespace streamscope::sweep
