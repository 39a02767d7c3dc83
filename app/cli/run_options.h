// The options of `streamscope run` as they are written, and what they mean.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/open_kernel.h"
#include "app/cli/outputs.h"
#include "app/draw/figure.h"
#include "engine/device/device_spec.h"
#include "engine/measure/measure.h"

namespace streamscope::cli {

struct RunOptions {
  std::string file;
  std::vector<std::string> settings;
  std::string device;   // empty: auto, and a dry run asks none
  std::string predict;  // empty: no prediction; "auto": by the model that fits the device; a model
  std::string repeat;   // empty: as default_runs() says
  std::string instrument = "full";
  std::string referee;  // empty: auto
  bool gate = false;
  std::string share, min_samples, max_noise, timeout;  // empty: not given
  std::string in_kernel;                               // empty: off
  bool long_kernels = false;
  bool own_kernels = false;
  std::string own_limit;
  std::map<std::string, std::string, std::less<>> texts;  // files, by the option of an output::Format
  std::string png, svg, pdf, program;
  std::string cuda;
  bool dry_run = false;
  // Of the picture; empty: not given, and as draw::FigureOptions has it.
  std::string size, scale, theme, colour, interval, tracks, heading, caption;
  bool no_legend = false, no_figures = false;
  std::string path;  // "line" or "pale"; empty: the critical path is not drawn
  bool rulers = false, why = false;
  std::string open;  // a kernel whose inside the picture shows; empty: none
};

struct RunPlan {
  device::DeviceSpec device;
  std::optional<device::DeviceSpec> predict;  // `auto`: by the model that fits the device; nothing: no prediction
  measure::MeasureOptions measure;            // runs: only where `repeat_given`
  bool repeat_given = false;
  bool own_kernels = false;    // the program's own may be read, compiled and run
  bool referee = true;         // where the run is measured and CUPTI can be had
  draw::FigureOptions figure;  // its opening is only known after the run
  std::optional<KernelToOpen> open;
};

// The files to write, with their options: in every format, and the pictures.
std::vector<OutputFile> outputs_of(const RunOptions& options);

// The options as values, or all that is wrong with them, a line each.
Result<RunPlan> plan(const RunOptions& options);

// How many timed runs where nobody says. On a GPU 5, the fewest with a spread; of a sampled run so many that each
// operation is seen four times; with a stop rule kMostRuled, since the rule ends it. Of a model 1: each is the same.
int default_runs(const measure::MeasureOptions& measure, trace::Provenance::Kind kind);
inline constexpr int kMostRuled = 1'000;
inline constexpr std::uint32_t kBlocksForOpen = 100;  // one in so many records its stages where nobody says

}  // namespace streamscope::cli
