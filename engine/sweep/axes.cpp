#include "engine/sweep/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/base/place.h"
#include "engine/base/translate.h"
#include "engine/experiment/experiment_file.h"

namespace streamscope::sweep {
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
  const std::string form = tr("write KEY=[VALUE,VALUE,...], such as streams=[1,2,4,8]");
  const auto given = experiment::parse_setting(text);
  if (given) out.key = given->key;
  if (!given || given->value.empty()) return form;
  std::string_view rest = given->value;
  if (rest.starts_with('[') != rest.ends_with(']')) return tr("a bracket is missing; {}", form);
  if (rest.starts_with('[')) rest = rest.substr(1, rest.size() - 2);
  for (;;) {
    const std::size_t comma = rest.find(',');
    const std::string_view value = unquoted(trimmed(rest.substr(0, comma)));
    if (value.empty()) return tr("a value is empty; {}", form);
    if (std::find(out.values.begin(), out.values.end(), value) != out.values.end()) {
      return tr("the value {} stands there twice", value);
    }
    out.values.emplace_back(value);
    if (comma == std::string_view::npos) return {};
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace

std::string_view subject(std::string_view key) { return key == "chunks" ? "chunk" : key; }

Result<std::vector<Axis>> parse_axes(const std::vector<std::string>& texts) {
  std::vector<Axis> axes;
  std::vector<std::string> wrong;
  if (texts.empty()) {
    wrong.push_back(error_at("--axis", tr("name 1 to 3 keys and their values, such as --axis \"streams=[1,2,4,8]\"")));
  } else if (texts.size() > kMostAxes) {
    wrong.push_back(error_at("--axis", tr("{} axes are too many; 3 are the most", texts.size())));
  }
  for (const std::string& text : texts) {
    Axis axis;
    std::string why = read_axis(text, axis);
    if (why.empty() && (axis.key == "program" || axis.key == "name" || axis.key == "about")) {
      why = tr("{} is no key to sweep", axis.key);
    }
    if (why.empty() && std::any_of(axes.begin(), axes.end(),
                                   [&](const Axis& other) { return subject(other.key) == subject(axis.key); })) {
      why = tr("there is an axis of {} already", subject(axis.key));
    }
    if (!why.empty()) wrong.push_back(error_at("--axis " + text, why));
    axes.push_back(std::move(axis));
  }
  if (wrong.empty() && count_of(axes) > kMostCombinations) {
    wrong.push_back(error_at("--axis", tr("these are {} combinations, and {} are the most; leave values out",
                                          count_of(axes), kMostCombinations)));
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

}  // namespace streamscope::sweep
