#include "app/cli/run_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "app/draw/choose_tracks.h"
#include "app/draw/picture_file.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/device/catalog/catalog.h"
#include "engine/output/output.h"

namespace streamscope::cli {
namespace {

constexpr int kMostRuns = 1'000'000;
constexpr int kSmallestShare = 4'096;
constexpr int kFewestBlocks = 65'536;  // one in so many records its stages
constexpr int kRunsOnGpu = 5;
constexpr int kTimesSeen = 4;  // each operation of a sampled run, where nobody says how often

template <class Number>
bool parse_number(std::string_view digits, Number& out) {
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  return error == std::errc{} && end == digits.data() + digits.size();
}

std::optional<std::pair<int, int>> parse_size(std::string_view text) {
  const std::size_t cross = text.find('x');
  if (cross == std::string_view::npos) return {};
  int width = 0, height = 0;
  if (!parse_number(text.substr(0, cross), width) || !parse_number(text.substr(cross + 1), height)) return {};
  return std::pair{width, height};
}

// "1%" or "0.01".
std::optional<double> parse_ratio(std::string_view text) {
  const bool per_cent = text.ends_with('%');
  if (per_cent) text.remove_suffix(1);
  double value = 0;
  if (!parse_number(text, value)) return {};
  return per_cent ? value / 100 : value;
}

bool of_spans(std::string_view option) {
  const std::span<const output::Format> all = output::formats();
  const auto at =
      std::find_if(all.begin(), all.end(), [&](const output::Format& each) { return each.option == option; });
  return at == all.end() || at->of_spans;  // pictures are
}

class Planner {
 public:
  explicit Planner(const RunOptions& options) : options_(options) {}

  Result<RunPlan> plan() {
    runs();
    instrument();
    stop_rule();
    prediction();
    referee();
    outputs();
    figure();
    if (!wrong_.empty()) return fail(ErrorKind::bad_input, std::move(wrong_));
    plan_.device = TRY(catalog::device_named(options_.device.empty() ? "auto" : options_.device));
    return plan_;
  }

 private:
  void complain(std::string_view option, std::string_view value, std::string_view why) {
    const std::string about = fmt::format("{}{}{}", option, value.empty() ? "" : " ", value);
    wrong_ += fmt::format("{}{}", wrong_.empty() ? "" : "\n", tr("{}: error: {}", about, why));
  }

  void runs() {
    measure::MeasureOptions& measure = plan_.measure;
    measure.long_kernels = options_.long_kernels;
    plan_.own_kernels = options_.own_kernels;
    if (!options_.own_limit.empty()) {
      const auto limit = parse_duration(options_.own_limit);
      if (!limit || *limit <= 0)
        complain("--own-limit", options_.own_limit, tr("write a time with a unit, such as 30s"));
      else
        measure.own_limit = *limit;
    }
    plan_.repeat_given = !options_.repeat.empty();
    if (plan_.repeat_given &&
        (!parse_number(options_.repeat, measure.runs) || measure.runs < 1 || measure.runs > kMostRuns)) {
      complain("--repeat", options_.repeat, tr("write a number of runs from 1 to 1000000"));
    }
  }

  void instrument() {
    measure::MeasureOptions& measure = plan_.measure;
    const auto chosen = by_name<device::Instrument>(options_.instrument);
    if (!chosen) {
      complain("--instrument", options_.instrument, tr("write one of {}", fmt::join(kNames<device::Instrument>, ", ")));
    } else {
      measure.instrument = *chosen;
    }
    measure.gate = options_.gate;
    if (!device::about(measure.instrument).spans) {
      measure.observer_effect = false;
      for (const OutputFile& file : outputs_of(options_)) {
        if (!file.path.empty() && of_spans(file.option))
          complain(file.option, file.path,
                   tr("a bare run has wall times only and no spans to write; use --instrument full, or --json"));
      }
    }
    in_kernel();
    if (options_.share.empty()) return;
    const std::string_view written = options_.share;
    const std::string_view digits = written.starts_with("1/") ? written.substr(2) : written;
    int share = 0;
    if (!parse_number(digits, share) || share < 1 || share > kSmallestShare) {
      complain("--share", written, tr("write N from 1 to 4096 for one operation in N, such as 16 or 1/16"));
    } else if (chosen && *chosen != device::Instrument::sampled) {
      complain("--share", written,
               tr("only --instrument sampled sees a share of the operations in each run, not {}", options_.instrument));
    } else {
      measure.share = static_cast<std::uint32_t>(share);
    }
  }

  // "all", "1/N" and "P%": the share of blocks that record their stages.
  void in_kernel() {
    const std::string_view written = options_.in_kernel;
    if (written.empty() || written == "off") return;
    std::optional<double> share;
    int of = 0;
    if (written == "all") {
      share = 1;
    } else if (written.starts_with("1/") && parse_number(written.substr(2), of) && of > 0) {
      share = 1.0 / of;
    } else {
      share = parse_ratio(written);
    }
    if (!share || !(*share >= 1.0 / kFewestBlocks && *share <= 1)) {
      return complain("--in-kernel", written,
                      tr("write which share of the blocks records: all, 10%, 1% or 1/N, N up to {}", kFewestBlocks));
    }
    if (plan_.measure.instrument != device::Instrument::full) {
      return complain("--in-kernel", written,
                      tr("only --instrument full lets blocks record their stages, not {}", options_.instrument));
    }
    // One block in so many, as near as a per cent can be written: 33% is one in 3.
    const double of_blocks = std::round(1 / *share);
    if (std::abs(of_blocks * *share - 1) > 0.02) {
      return complain("--in-kernel", written,
                      tr("one block in so many records: write all, 50%, 33%, 25%, 20%, 10%, 1% or 1/N, such as 1/{}",
                         std::max(2.0, of_blocks)));
    }
    plan_.measure.stages_of = static_cast<std::uint32_t>(of_blocks);
  }

  void stop_rule() {
    measure::MeasureOptions& measure = plan_.measure;
    if (!options_.max_noise.empty()) {
      const auto noise = parse_ratio(options_.max_noise);
      if (!noise || !(*noise > 0 && *noise < 1)) {
        complain("--max-noise", options_.max_noise, tr("write a part of the median under 1, such as 1% or 0.01"));
      } else {
        measure.max_noise = *noise;
        if (plan_.repeat_given && measure.runs >= 1 && measure.runs < static_cast<int>(trace::kFewestForSpread)) {
          complain("--max-noise", options_.max_noise,
                   tr("{} runs of --repeat have no spread to judge; {} are the fewest", measure.runs,
                      trace::kFewestForSpread));
        }
      }
    }
    if (!options_.min_samples.empty()) {
      if (!parse_number(options_.min_samples, measure.min_samples) ||
          measure.min_samples < static_cast<int>(trace::kFewestForSpread) || measure.min_samples > kMostRuns) {
        complain(
            "--min-samples", options_.min_samples,
            tr("write a number of runs from {} to 1000000; fewer have no spread to judge", trace::kFewestForSpread));
      } else if (options_.max_noise.empty()) {
        complain("--min-samples", options_.min_samples, tr("it is for --max-noise, which says when to stop; add that"));
      } else if (plan_.repeat_given && measure.runs >= 1 && measure.min_samples > measure.runs) {
        complain("--min-samples", options_.min_samples,
                 tr("more than the {} runs of --repeat, so the rule could never hold", measure.runs));
      }
    }
    if (!options_.timeout.empty()) {
      const auto timeout = parse_duration(options_.timeout);
      if (!timeout || *timeout <= 0) {
        complain("--timeout", options_.timeout, tr("write a duration with its unit, such as 30s or 500ms"));
      } else {
        measure.timeout = *timeout;
      }
    }
  }

  void referee() {
    if (options_.referee.empty() || options_.referee == "auto") return;
    plan_.referee = false;
    if (options_.referee != "off") complain("--referee", options_.referee, tr("write auto or off"));
  }

  void prediction() {
    if (options_.predict.empty()) return;
    auto by = device::parse_device(options_.predict);
    if (by ? by->kind == device::DeviceSpec::Kind::cuda : by.error().kind == ErrorKind::no_device)
      complain("--predict", options_.predict, tr("only a model predicts; write --predict, or --predict=model:PROFILE"));
    else if (!by)
      complain("--predict", "", by.error().message);
    else
      plan_.predict = std::move(*by);
  }

  void outputs() {
    if (!options_.dry_run) return;
    for (const OutputFile& file : outputs_of(options_)) {
      if (!file.path.empty())
        complain(file.option, file.path, tr("--dry-run runs nothing, so there is nothing to write; leave one out"));
    }
  }

  void figure() {
    looks();
    pixels();
    chosen();
    open();
    without_picture();
  }

  void looks() {
    draw::FigureOptions& figure = plan_.figure;
    if (const auto chosen = by_name<timeline::ThemeName>(options_.theme)) {
      figure.theme = *chosen;
    } else if (!options_.theme.empty()) {
      complain("--theme", options_.theme, tr("write dark, light, projector or print"));
    }
    if (options_.colour == "stream") {
      figure.colour_by = timeline::ColourBy::stream;
    } else if (!options_.colour.empty() && options_.colour != "kind") {
      complain("--colour", options_.colour, tr("write kind or stream"));
    }
    figure.legend = !options_.no_legend;
    figure.key_figures = !options_.no_figures;
    figure.path = !options_.path.empty();
    figure.pale_off_path = options_.path == "pale";
    if (figure.path && !figure.pale_off_path && options_.path != "line")
      complain("--path", options_.path, tr("write line or pale"));
    figure.rulers = options_.rulers;
  }

  void pixels() {
    draw::FigureOptions& figure = plan_.figure;
    Result<void> size_fits, scale_fits;
    if (!options_.size.empty()) {
      const auto [width, height] = parse_size(options_.size).value_or(std::pair{0, 0});
      size_fits = draw::check_size(width, height);
      figure.width = width;
      figure.height = height;
    }
    if (!options_.scale.empty()) {
      if (!parse_number(options_.scale, figure.scale)) figure.scale = 0;
      scale_fits = draw::check_scale(figure.scale);
    }
    if (!size_fits) complain("--size", options_.size, size_fits.error().message);
    if (!scale_fits) complain("--scale", options_.scale, scale_fits.error().message);
    if (!size_fits || !scale_fits) return;
    for (const auto& [format, path] :
         {std::pair{draw::PictureFormat::png, &options_.png}, {draw::PictureFormat::pdf, &options_.pdf}}) {
      const auto fits = draw::check_pixels(format, figure.width, figure.height, figure.scale);
      if (!fits && !path->empty()) complain("--size", options_.size, fits.error().message);
    }
  }

  // What is about the picture does nothing where none is drawn.
  void without_picture() {
    if (!options_.png.empty() || !options_.svg.empty() || !options_.pdf.empty()) return;
    for (const auto& [option, value] : {std::pair<const char*, std::string_view>{"--size", options_.size},
                                        {"--scale", options_.scale},
                                        {"--theme", options_.theme},
                                        {"--colour", options_.colour},
                                        {"--interval", options_.interval},
                                        {"--tracks", options_.tracks},
                                        {"--title", options_.heading},
                                        {"--caption", options_.caption},
                                        {"--path", options_.path},
                                        {"--open", options_.open}})
      if (!value.empty()) complain(option, value, no_picture());
    for (const auto& [option, is] : {std::pair{"--no-legend", options_.no_legend},
                                     {"--no-figures", options_.no_figures},
                                     {"--rulers", options_.rulers},
                                     {"--why", options_.why}})
      if (is) complain(option, "", no_picture());
  }
  static const char* no_picture() { return tr("it is for a picture, and none is asked for; add one, such as --png F"); }

  // The part of the run that the picture shows, and the words about it.
  void chosen() {
    draw::FigureOptions& figure = plan_.figure;
    figure.tracks = draw::track_words(options_.tracks);
    figure.title = options_.heading;
    figure.caption = options_.caption;
    if (options_.interval.empty()) return;
    const std::string_view written = options_.interval;
    const std::size_t dots = written.find("..");
    if (dots == std::string_view::npos)
      return complain("--interval", written, tr("write begin..end with units, such as 1.2ms..3ms"));
    const auto begin = parse_duration(written.substr(0, dots)), end = parse_duration(written.substr(dots + 2));
    if (!begin) return complain("--interval", written, begin.error().message);
    if (!end) return complain("--interval", written, end.error().message);
    if (*begin >= *end) return complain("--interval", written, tr("it is empty: the end must come after the begin"));
    figure.interval = trace::Interval{*begin, *end};
  }

  void open() {
    if (options_.open.empty()) return;
    plan_.open = kernel_to_open(options_.open);
    if (!plan_.open)
      complain(
          "--open", options_.open,
          tr("write the line of a kernel, or first, and for another multiprocessor than the first that recorded its "
             "number, such as 4:17"));
    else if (options_.in_kernel == "off" || plan_.measure.instrument != device::Instrument::full)
      complain("--open", options_.open,
               tr("blocks record what happened inside only with --instrument full and --in-kernel"));
    else if (options_.in_kernel.empty())
      plan_.measure.stages_of = kBlocksForOpen;
  }

  const RunOptions& options_;
  RunPlan plan_;
  std::string wrong_;
};

}  // namespace

std::vector<OutputFile> outputs_of(const RunOptions& options) {
  std::vector<OutputFile> all;
  for (const output::Format& each : output::formats()) {
    const auto at = options.texts.find(each.option);
    all.push_back({std::string(each.option), at != options.texts.end() ? at->second : ""});
  }
  all.insert(all.end(), {{"--png", options.png}, {"--svg", options.svg}, {"--pdf", options.pdf}});
  return all;
}

Result<RunPlan> plan(const RunOptions& options) { return Planner(options).plan(); }

int default_runs(const measure::MeasureOptions& measure, trace::Provenance::Kind kind) {
  if (measure.max_noise > 0 || known(measure.timeout)) return kMostRuled;
  if (kind == trace::Provenance::Kind::model) return 1;
  if (measure.instrument == device::Instrument::sampled) return static_cast<int>(measure.share) * kTimesSeen;
  return kRunsOnGpu;
}

}  // namespace streamscope::cli
