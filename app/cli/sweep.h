// A sweep: one experiment, run once for each combination of the values on its axes, and what it says as text, as files
// and as a plot.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/axes.h"
#include "app/draw/chart.h"
#include "engine/device/device.h"

namespace streamscope::cli {

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
  std::vector<std::string> notes;  // of the device
  double kernel_rate() const;      // bytes a second, by the median; 0: not known
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
  std::vector<std::string> notes;
  SweepFigure figure = SweepFigure::wall;
  trace::Provenance provenance;
};

// In bytes a second, ns, or 0..1, with its spread.
std::optional<draw::ChartValue> value_of(const SweepResult& result, SweepFigure figure);
std::optional<double> copy_rate_of(const Sweep& sweep);  // where the figure is the kernels' rate

// How the values of a figure are written: in one unit for all of them.
struct SweepUnit {
  std::string name;   // "GB/s", "ms", "%"
  double factor = 1;  // from value_of() to this unit
};
SweepUnit unit_of(const Sweep& sweep);

// sweep_measure.cpp

struct SweepPlan {
  int runs = 1;                   // timed, after a warm-up; at most this many where there is a timeout
  Nanoseconds timeout = kAbsent;  // no run begins once this has passed since the first timed one
  bool verify = true;
  bool long_kernels = false;
};
// Each run is followed or preceded, in turn, by a bare one where the device is a GPU. A stop after the first timed run
// ends with the runs made. Errors as measure() has them.
Result<SweepResult> measure_combination(device::Device& device, const program::Program& program, const SweepPlan& plan,
                                        const std::stop_token& stop, const std::function<void(int run)>& progress);

// sweep_text.cpp, sweep_files.cpp, sweep_chart.cpp

// One axis: a row for each value, with every figure. Else the figure alone: the first axis downwards, the second
// across, the third a table each.
std::string sweep_table(const Sweep& sweep);
std::vector<std::string> sweep_remarks(const Sweep& sweep);  // why points are missing or repeated, and the notes
std::string sweep_csv(const Sweep& sweep);                   // a line for each point
std::string sweep_json(const Sweep& sweep);                  // schema 1
// The first axis is x, the second a line for each value, the third a plot for each value.
draw::Chart sweep_chart(const Sweep& sweep);

}  // namespace streamscope::cli
