#include "engine/sweep/combinations.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/base/place.h"
#include "engine/base/translate.h"
#include "engine/device/kernel_facts.h"
#include "engine/experiment/experiment_file.h"

namespace streamscope::sweep {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!line.empty()) lines.emplace_back(line);
  }
  return lines;
}

template <class Line>
void add_once(std::vector<Line>& lines, Line line) {
  if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
}

std::string after_place(std::string_view line) {
  const auto parts = parts_of_error(line);
  return std::string(parts ? parts->what : line);
}

std::string place_of(const std::string& key) { return "--set " + key; }
// Whether the line is an error or a warning about the setting of that key.
bool is_of(std::string_view line, const std::string& key) {
  const auto error = parts_of_error(line), warning = parts_of_warning(line);
  return (error && error->place == place_of(key)) || (warning && warning->place == place_of(key));
}

// Reads all combinations first: whether a value is wrong shows only with all the others at hand.
class Combiner {
 public:
  Combiner(const experiment::InputText& source, const std::vector<std::string>& settings, const std::vector<Axis>& axes)
      : source_(source), settings_(settings), axes_(axes) {}

  Result<Combinations> combine(const CombineProgress& progress) {
    const std::size_t count = count_of(axes_);
    for (std::size_t i = 0; i < count; ++i) {
      if (progress) progress(i, count);
      read(i);
    }
    std::vector<std::string> wrong = always_wrong();
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) complain_of(axis, wrong);
    const bool none =
        std::all_of(out_.all.begin(), out_.all.end(), [](const Combination& one) { return !one.why_not.empty(); });
    if (wrong.empty() && none) {
      wrong.emplace_back(tr("No combination can be:"));
      for (std::size_t i = 0; i < out_.all.size() && wrong.size() < kMostListed; ++i) {
        wrong.push_back(error_at(fmt::format("{}", fmt::join(settings_of(axes_, i), " ")), out_.all[i].why_not));
      }
      if (out_.all.size() >= kMostListed) wrong.push_back(tr("and {} more", out_.all.size() + 1 - kMostListed));
    }
    if (!wrong.empty()) return fail(ErrorKind::bad_input, fmt::format("{}", fmt::join(wrong, "\n")));
    return std::move(out_);
  }

 private:
  static constexpr std::size_t kMostListed = 10;

  void read(std::size_t combination) {
    std::vector<std::string> settings = settings_;
    for (std::string& setting : settings_of(axes_, combination)) settings.push_back(std::move(setting));
    const auto input = experiment::read_input(source_, settings);
    Combination one;
    if (!input) {
      one.why_not = reason_of(input.error());
      errors_.push_back(lines_of(input.error().message));
    } else {
      out_.title = input->title;
      one.program = input->program;
      one.verify = input->verify;
      one.devices = program::device_count(input->checked);
      one.has_tiles = !device::kernel_facts(input->checked, 1).empty();
      for (std::size_t i = 0; i < out_.all.size() && !one.same_as; ++i) {
        const Combination& earlier = out_.all[i];
        if (earlier.why_not.empty() && !earlier.same_as && earlier.verify == one.verify &&
            earlier.program == one.program) {
          one.same_as = i;
        }
      }
      for (std::string& line : lines_of(input->warnings)) {
        add_once(out_.notes, trace::Note{trace::NoteKind::warning, on_axis(std::move(line))});
      }
      errors_.emplace_back();
    }
    out_.all.push_back(std::move(one));
  }

  // "--set kernel.stages: warning: ..." of a key that --axis sets is no fault of its value.
  std::string on_axis(std::string line) const {
    const auto warning = parts_of_warning(line);
    if (!warning) return line;
    const bool here =
        std::any_of(axes_.begin(), axes_.end(), [&](const Axis& axis) { return warning->place == place_of(axis.key); });
    return here ? tr("In some combinations {}", warning->what) : line;
  }

  bool of_an_axis(const std::string& line) const {
    return std::any_of(axes_.begin(), axes_.end(), [&](const Axis& axis) { return is_of(line, axis.key); });
  }

  // What is said of every combination, and is not of the axes: the file or a --set is wrong.
  std::vector<std::string> always_wrong() const {
    std::vector<std::string> wrong;
    for (const std::string& line : errors_.front()) {
      const bool always = std::all_of(errors_.begin(), errors_.end(), [&](const std::vector<std::string>& lines) {
        return std::find(lines.begin(), lines.end(), line) != lines.end();
      });
      if (always && !of_an_axis(line)) add_once(wrong, line);
    }
    return wrong;
  }

  // What is wrong with a value in every combination that has it, and by itself too.
  std::vector<std::string> wrong_with(std::size_t axis, std::size_t place) const {
    const std::string& key = axes_[axis].key;
    std::vector<std::string> wrong;
    for (std::size_t i = 0; i < errors_.size(); ++i) {
      if (places_of(axes_, i)[axis] != place) continue;
      bool here = false;
      for (const std::string& line : errors_[i]) {
        if (!is_of(line, key)) continue;
        here = true;
        add_once(wrong, after_place(line));
      }
      if (!here) return {};
    }
    const auto setting = experiment::parse_setting(fmt::format("{}={}", key, axes_[axis].values[place]));
    if (setting && experiment::parse_experiment("", "", {*setting})) return {};
    return wrong;
  }

  void complain_of(std::size_t axis, std::vector<std::string>& wrong) const {
    const Axis& of = axes_[axis];
    std::vector<std::vector<std::string>> found;
    for (std::size_t place = 0; place < of.values.size(); ++place) found.push_back(wrong_with(axis, place));
    // An unknown key is wrong once, not once a value.
    const bool alike = found.size() > 1 && std::all_of(found.begin(), found.end(),
                                                       [&](const auto& lines) { return lines == found.front(); });
    for (std::size_t place = 0; place < (alike ? 1 : found.size()); ++place) {
      for (const std::string& line : found[place]) {
        wrong.push_back(alike ? error_at("--axis " + of.key, line)
                              : error_at(fmt::format("--axis {}={}", of.key, of.values[place]), line));
      }
    }
  }

  const experiment::InputText& source_;
  const std::vector<std::string>& settings_;
  const std::vector<Axis>& axes_;
  Combinations out_;
  std::vector<std::vector<std::string>> errors_;  // by combination: lines with their places
};

}  // namespace

Result<Combinations> combine(const experiment::InputText& source, const std::vector<std::string>& settings,
                             const std::vector<Axis>& axes, const CombineProgress& progress) {
  if (!experiment::holds_experiment(source.path, source.text)) {
    return fail(ErrorKind::bad_input,
                error_at("--axis " + axes.front().key,
                         tr("{} is a stream program; only an experiment (.toml) has keys to sweep", source.file)));
  }
  std::vector<std::string> wrong;
  for (const std::string& text : settings) {
    const auto setting = experiment::parse_setting(text);
    for (const Axis& axis : axes) {
      if (setting && subject(setting->key) == subject(axis.key)) {
        wrong.push_back(
            error_at("--set " + text, tr("there is an axis of {} too; leave one of the two out", axis.key)));
      }
    }
  }
  if (!wrong.empty()) return fail(ErrorKind::bad_input, fmt::format("{}", fmt::join(wrong, "\n")));
  return Combiner(source, settings, axes).combine(progress);
}

std::string reason_of(const Error& error) {
  std::vector<std::string> reasons;
  for (const std::string& line : lines_of(error.message)) add_once(reasons, after_place(line));
  return fmt::format("{}", fmt::join(reasons, "; "));
}

}  // namespace streamscope::sweep
