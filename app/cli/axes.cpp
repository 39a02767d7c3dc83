#include "app/cli/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace streamscope::cli {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

std::string_view unquoted(std::string_view text) {
  const bool quoted = text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  return quoted ? text.substr(1, text.size() - 2) : text;
}

// What is wrong with one axis as typed; empty where nothing is.
std::string read_axis(std::string_view text, Axis& out) {
  constexpr std::string_view kForm = "write KEY=[VALUE,VALUE,...], such as streams=[1,2,4,8]";
  const std::size_t sign = text.find('=');
  if (sign == std::string_view::npos) return std::string(kForm);
  out.key = trimmed(text.substr(0, sign));
  std::string_view rest = trimmed(text.substr(sign + 1));
  if (out.key.empty() || rest.empty()) return std::string(kForm);
  if (rest.starts_with('[') != rest.ends_with(']')) return "a bracket is missing; " + std::string(kForm);
  if (rest.starts_with('[')) rest = rest.substr(1, rest.size() - 2);
  for (;;) {
    const std::size_t comma = rest.find(',');
    const std::string_view value = unquoted(trimmed(rest.substr(0, comma)));
    if (value.empty()) return "a value is empty; " + std::string(kForm);
    if (std::find(out.values.begin(), out.values.end(), value) != out.values.end()) {
      return fmt::format("the value {} stands there twice", value);
    }
    out.values.emplace_back(value);
    if (comma == std::string_view::npos) return {};
    rest.remove_prefix(comma + 1);
  }
}

// What two axes, or an axis and a --set, cannot both say.
std::string_view subject(std::string_view key) { return key == "chunks" ? "chunk" : key; }

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!line.empty()) lines.emplace_back(line);
  }
  return lines;
}

void add_once(std::vector<std::string>& lines, std::string line) {
  if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
}

std::string after_place(std::string_view line) {
  constexpr std::string_view kMark = ": error: ";
  const std::size_t at = line.find(kMark);
  return std::string(at == std::string_view::npos ? line : line.substr(at + kMark.size()));
}

std::string place_of(const std::string& key) { return fmt::format("--set {}: ", key); }

// Reads all combinations first: whether a value is wrong shows only beside all the others.
class Combiner {
 public:
  Combiner(const InputText& source, const std::vector<std::string>& settings, const std::vector<Axis>& axes)
      : source_(source), settings_(settings), axes_(axes) {}

  Result<Combinations> combine() {
    for (std::size_t i = 0; i < count_of(axes_); ++i) read(i);
    std::vector<std::string> wrong = always_wrong();
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) complain_of(axis, wrong);
    const bool none =
        std::all_of(out_.all.begin(), out_.all.end(), [](const Combination& one) { return !one.why_not.empty(); });
    if (wrong.empty() && none) {
      wrong.emplace_back("No combination can be:");
      for (std::size_t i = 0; i < out_.all.size() && wrong.size() < kMostTold; ++i) {
        wrong.push_back(fmt::format("{}: error: {}", fmt::join(settings_of(axes_, i), " "), out_.all[i].why_not));
      }
      if (out_.all.size() >= kMostTold) wrong.push_back(fmt::format("and {} more", out_.all.size() + 1 - kMostTold));
    }
    if (!wrong.empty()) return fail(ErrorKind::bad_input, fmt::format("{}", fmt::join(wrong, "\n")));
    return std::move(out_);
  }

 private:
  static constexpr std::size_t kMostTold = 10;

  void read(std::size_t combination) {
    std::vector<std::string> settings = settings_;
    for (std::string& setting : settings_of(axes_, combination)) settings.push_back(std::move(setting));
    const auto input = read_input(source_, settings);
    Combination one;
    if (!input) {
      one.why_not = reason_of(input.error());
      errors_.push_back(lines_of(input.error().message));
    } else {
      out_.title = input->title;
      one.program = input->program;
      one.verify = input->verify;
      one.has_tiles = std::any_of(input->checked.operations.begin(), input->checked.operations.end(),
                                  [](const program::Operation& operation) {
                                    return std::holds_alternative<program::op::Tiles>(operation.work) ||
                                           std::holds_alternative<program::op::Attention>(operation.work);
                                  });
      for (std::size_t i = 0; i < out_.all.size() && !one.same_as; ++i) {
        const Combination& earlier = out_.all[i];
        if (earlier.why_not.empty() && !earlier.same_as && earlier.verify == one.verify &&
            earlier.program == one.program) {
          one.same_as = i;
        }
      }
      for (std::string& line : lines_of(input->warnings)) add_once(out_.notes, on_axis(std::move(line)));
      errors_.emplace_back();
    }
    out_.all.push_back(std::move(one));
  }

  // "--set kernel.stages: warning: ..." of a key that --axis sets is no fault of its value.
  std::string on_axis(std::string line) const {
    for (const Axis& axis : axes_) {
      const std::string place = place_of(axis.key) + "warning: ";
      if (line.starts_with(place)) return "In some combinations " + line.substr(place.size());
    }
    return line;
  }

  bool of_an_axis(const std::string& line) const {
    return std::any_of(axes_.begin(), axes_.end(),
                       [&](const Axis& axis) { return line.starts_with(place_of(axis.key)); });
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
        if (!line.starts_with(place_of(key))) continue;
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
        wrong.push_back(alike ? fmt::format("--axis {}: error: {}", of.key, line)
                              : fmt::format("--axis {}={}: error: {}", of.key, of.values[place], line));
      }
    }
  }

  const InputText& source_;
  const std::vector<std::string>& settings_;
  const std::vector<Axis>& axes_;
  Combinations out_;
  std::vector<std::vector<std::string>> errors_;  // by combination: lines with their places
};

}  // namespace

Result<std::vector<Axis>> parse_axes(const std::vector<std::string>& texts) {
  std::vector<Axis> axes;
  std::vector<std::string> wrong;
  if (texts.empty()) {
    wrong.emplace_back("--axis: error: name 1 to 3 keys and their values, such as --axis \"streams=[1,2,4,8]\"");
  } else if (texts.size() > kMostAxes) {
    wrong.push_back(fmt::format("--axis: error: {} axes are too many; 3 are the most", texts.size()));
  }
  for (const std::string& text : texts) {
    Axis axis;
    std::string why = read_axis(text, axis);
    if (why.empty() && (axis.key == "program" || axis.key == "name" || axis.key == "about")) {
      why = fmt::format("{} is no key to sweep", axis.key);
    }
    if (why.empty() && std::any_of(axes.begin(), axes.end(),
                                   [&](const Axis& other) { return subject(other.key) == subject(axis.key); })) {
      why = fmt::format("there is an axis of {} already", subject(axis.key));
    }
    if (!why.empty()) wrong.push_back(fmt::format("--axis {}: error: {}", text, why));
    axes.push_back(std::move(axis));
  }
  if (wrong.empty() && count_of(axes) > kMostCombinations) {
    wrong.push_back(fmt::format("--axis: error: these are {} combinations, and {} are the most; leave values out",
                                count_of(axes), kMostCombinations));
  }
  if (!wrong.empty()) return fail(ErrorKind::bad_input, fmt::format("{}", fmt::join(wrong, "\n")));
  return axes;
}

std::size_t count_of(const std::vector<Axis>& axes) {
  std::size_t count = 1;
  for (const Axis& axis : axes) count *= axis.values.size();
  return count;
}

std::vector<std::size_t> places_of(const std::vector<Axis>& axes, std::size_t combination) {
  std::vector<std::size_t> places(axes.size());
  for (std::size_t i = axes.size(); i-- > 0;) {
    places[i] = combination % axes[i].values.size();
    combination /= axes[i].values.size();
  }
  return places;
}

std::vector<std::string> settings_of(const std::vector<Axis>& axes, std::size_t combination) {
  const std::vector<std::size_t> places = places_of(axes, combination);
  std::vector<std::string> settings;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    settings.push_back(fmt::format("{}={}", axes[i].key, axes[i].values[places[i]]));
  }
  return settings;
}

Result<Combinations> combine(const InputText& source, const std::vector<std::string>& settings,
                             const std::vector<Axis>& axes) {
  if (!holds_experiment(source.path, source.text)) {
    return fail(ErrorKind::bad_input,
                fmt::format("--axis {}: error: {} is a stream program; only an experiment (.toml) has keys to sweep",
                            axes.front().key, source.file));
  }
  std::vector<std::string> wrong;
  for (const std::string& text : settings) {
    const auto setting = experiment::parse_setting(text);
    for (const Axis& axis : axes) {
      if (setting && subject(setting->key) == subject(axis.key)) {
        wrong.push_back(
            fmt::format("--set {}: error: there is an axis of {} too; leave one of the two out", text, axis.key));
      }
    }
  }
  if (!wrong.empty()) return fail(ErrorKind::bad_input, fmt::format("{}", fmt::join(wrong, "\n")));
  return Combiner(source, settings, axes).combine();
}

std::string reason_of(const Error& error) {
  std::vector<std::string> reasons;
  for (const std::string& line : lines_of(error.message)) add_once(reasons, after_place(line));
  return fmt::format("{}", fmt::join(reasons, "; "));
}

}  // namespace streamscope::cli
