// A sweep: one experiment, run once for each combination of the values on its axes, on one device or on those of
// several engines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/analysis/figures.h"
#include "engine/base/time.h"
#include "engine/sweep/axes.h"
#include "engine/trace/trace.h"

namespace streamscope::sweep {

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
  std::string engine;          // by name, which of several ran it; empty: there was one
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
  std::string figure = "wall";  // what the table and the plot show, one of choices()
  trace::Provenance provenance;
};

// A figure of a result, for the table, the plot and the files. Higher is better of all but times. A new one is an entry
// in sweep.cpp.
struct SweepFigure {
  analysis::Figure figure = {};   // its key is that of JSON, its meaning the title of the plot's axis
  std::string_view choice = {};   // of --figure: "kernel-rate"; empty: it cannot be chosen
  std::string_view column = {};   // of CSV; of a time "wall", for wall_ns and wall_spread_ns; empty: none
  std::string_view heading = {};  // in the table; empty: it is in files only
  bool of_kernels = false;        // of tiles and attention alone: what people read has it before the others
  double reference = 0;           // what the device's own copy has; 0: not known, or nothing to compare with
  std::optional<trace::Statistic> runs = {};  // of a time
  double low = 0, high = 0;                   // how far the value spreads; both the value where that is not known
};
// In the order of the files. Of a result without runs, no value is known.
std::vector<SweepFigure> figures(const SweepResult& result);
SweepFigure figure_of(const SweepResult& result, std::string_view choice);  // one of choices()
// What --figure may be, in the order of preference.
std::vector<std::string_view> choices(bool of_kernels = true);
std::optional<double> copy_rate_of(const Sweep& sweep);  // where the figure is compared with it

// The point whose figure is best: the least of a time, else the largest. Nothing where none is known.
std::optional<std::size_t> best_of(const Sweep& sweep);

// How the values of a figure are written: in one unit for all of them.
struct SweepUnit {
  std::string name;   // "GB/s", "ms", "%"
  double factor = 1;  // from the figure's value to this unit
};
SweepUnit unit_of(const Sweep& sweep);

// By their names, in the order of their first points; none where there was one.
std::vector<std::string> engines_of(const Sweep& sweep);

// Why points are missing or repeated, which engine ran how many, and the notes.
std::vector<std::string> sweep_remarks(const Sweep& sweep);

}  // namespace streamscope::sweep
