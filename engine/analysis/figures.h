// The figures of a run as values: the terminal, the window, pictures, the comparison of runs and the files show them
// all. A new one is an entry in figures.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/analysis/analysis.h"
#include "engine/analysis/noise.h"

namespace streamscope::analysis {

enum class FigureUnit : std::uint8_t {
  time,   // ns
  share,  // of the makespan: 1 is 100 %
  ratio,  // 1 is as much as without
  bytes,
  rate,  // bytes a second
};

enum class FigureWeight : std::uint8_t {
  headline,  // in every view
  detail,    // where there is room: the window, the comparison of runs, files
  file,      // in files only
};

struct Figure {
  std::string_view key = {};      // in files
  std::string_view name = {};     // "Speed-up"
  std::string_view meaning = {};  // a sentence
  FigureUnit unit = FigureUnit::time;
  FigureWeight weight = FigureWeight::detail;
  std::optional<double> value = {};  // nothing: not known
  double noise = 0;                  // plus or minus, as far as is known
  std::string detail = {};           // in a few words, behind the value: "serial sum 5.3 ms"
  std::string doubt = {};            // more to say of a value within its noise: "so it may be none"
  std::string estimate = {};         // a sentence: why the value is no more than that; empty: it is none
  std::string why = {};              // a sentence: why it is not what one might expect; empty: it is, or nobody knows
};

// A sum of times or bytes in whole ones. Read from a file of another's it may be too large for that: the largest then.
Nanoseconds whole_nanoseconds(double value);
std::uint64_t whole_bytes(double value);

// The figures of a whole trace or of a range, in the order in which they are shown. `noise` is that of the same range.
std::vector<Figure> figures(const Analysis& analysis, const FigureNoise& noise = {});

// "2.41×", "12 %", "1.2 ms"; decimals of a share. The value must be known.
std::string display(const Figure& figure, int decimals = 0);
// "±0.21", "±1.3 %", "±2.9 us"
std::string display_noise(const Figure& figure);

// Why the value is not to be trusted as it stands: "Within its own noise: …", or that it is an estimate. Empty: it is,
// or it is not known.
std::string warning(const Figure& figure);

}  // namespace streamscope::analysis
