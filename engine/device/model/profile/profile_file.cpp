#include "engine/device/model/profile/profile_file.h"

#include <fmt/format.h>

#include <toml++/toml.h>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "engine/base/quantity.h"
#include "engine/base/suggest.h"
#include "engine/base/toml_string.h"
#include "engine/base/translate.h"
#include "engine/base/unfit_toml.h"
#include "engine/device/model/profile/profile_numbers.h"

namespace streamscope::model {
namespace {

struct Problem {
  toml::source_position at;
  std::string message;
};

// A value as text: what a person wrote, whatever its type in TOML.
std::optional<std::string> written(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return text;
  if (const auto whole = node.value_exact<std::int64_t>()) return fmt::format("{}", *whole);
  if (const auto real = node.value_exact<double>()) return fmt::format("{}", *real);
  if (const auto yes = node.value_exact<bool>()) return *yes ? "true" : "false";
  return std::nullopt;
}

// What is no number.
constexpr std::pair<std::string_view, std::string Profile::*> kTexts[]{
    {"name", &Profile::name}, {"compute_capability", &Profile::compute_capability}};

// As in the file.
std::string value_in_file(const ProfileNumber& number, const Profile& profile) {
  const std::string value = text(number, profile);
  const bool bare =
      number.kind == NumberKind::count || number.kind == NumberKind::share || number.kind == NumberKind::yes;
  return bare ? value : toml_string(value);
}

class Reader {
 public:
  Reader(const toml::table& whole, Profile& profile) : whole_(whole), profile_(profile) {}

  std::vector<Problem> read() {
    std::vector<std::string_view> top;
    for (const auto& [key, member] : kTexts) top.push_back(key);
    for (const ProfileNumber& each : profile_numbers()) {
      if (top.back() != each.section) top.push_back(each.section);
    }
    only("", whole_, top);
    for (const auto& [key, member] : kTexts) profile_.*member = text(key);
    profile_.origins.assign(profile_numbers().size(), Origin::assumed);
    const toml::table* section = nullptr;
    for (std::size_t i = 0; i < profile_numbers().size(); ++i) {
      const std::string_view name = profile_numbers()[i].section;
      if (i == 0 || profile_numbers()[i - 1].section != name) {
        section = may_be_left_out(name) && whole_.get(name) == nullptr ? nullptr : section_table(name);
        if (section != nullptr) only(name, *section, keys_of(name));
      }
      if (section != nullptr) number(i, *section);
    }
    if (problems_.empty()) {
      if (const auto wrong = check_profile(profile_)) {
        problem(whole_.get("compute") != nullptr ? whole_.get("compute")->source().begin : toml::source_position{1, 1},
                *wrong);
      }
    }
    return std::move(problems_);
  }

 private:
  // Of a machine with one GPU there is nothing to measure.
  static bool may_be_left_out(std::string_view section) { return section == "links"; }

  static std::vector<std::string_view> keys_of(std::string_view section) {
    std::vector<std::string_view> all;
    for (const ProfileNumber& each : profile_numbers()) {
      if (each.section == section) all.push_back(each.key);
    }
    return all;
  }

  // A text with so many unknown keys is no profile; the others are not looked at.
  static constexpr std::size_t kMostProblems = 1000;
  void problem(toml::source_position at, std::string message) { problems_.push_back({at, std::move(message)}); }

  // Reports unknown keys.
  void only(std::string_view where, const toml::table& table, const std::vector<std::string_view>& known) {
    for (const auto& [key, node] : table) {
      if (problems_.size() >= kMostProblems) return;
      if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
      const std::string meant = did_you_mean(key.str(), known);
      problem(key.source().begin, tr("unknown key \"{}\"{}", key.str(), where.empty() ? "" : tr(" in [{}]", where)) +
                                      (meant.empty() ? tr("; known here: {}", fmt::join(known, ", ")) : meant));
    }
  }

  std::string text(std::string_view key) {
    const toml::node* node = whole_.get(key);
    if (node == nullptr) {
      problem({1, 1}, tr("\"{}\" is missing", key));
      return {};
    }
    if (const auto value = node->value_exact<std::string>(); value && !value->empty()) return *value;
    problem(node->source().begin, tr("\"{}\" must be a text in quotes", key));
    return {};
  }

  const toml::table* section_table(std::string_view section) {
    const toml::node* node = whole_.get(section);
    const toml::table* table = node != nullptr ? node->as_table() : nullptr;
    if (node == nullptr) {
      problem({1, 1}, tr("there is no section [{}]", section));
    } else if (table == nullptr) {
      problem(node->source().begin, tr("\"{}\" must be a section, [{}]", section, section));
    }
    return table;
  }

  void number(std::size_t index, const toml::table& section) {
    const ProfileNumber& each = profile_numbers()[index];
    const toml::node* node = section.get(each.key);
    if (node == nullptr) {
      return problem(section.source().begin, tr("\"{}\" is missing in [{}]", each.key, each.section));
    }
    if (each.kind == NumberKind::times) return table(index, *node);
    const toml::table* with_origin = node->as_table();
    const toml::node* value = with_origin != nullptr ? with_origin->get("value") : nullptr;
    if (value == nullptr) {
      return problem(node->source().begin, tr("\"{}\" must be written as {{ value = {}, origin = \"measured\" }}",
                                              each.key, value_in_file(each, profile_)));
    }
    only(each.key, *with_origin, {"value", "origin"});
    profile_.origins[index] = origin(each.key, *with_origin);
    const auto as_text = written(*value);
    const auto parsed = as_text ? parse_number(each, *as_text) : Result<double>(fail(ErrorKind::bad_input, ""));
    if (parsed) return each.set(profile_, *parsed);
    problem(value->source().begin, as_text ? parsed.error().message : tr("\"{}\" has no such value", each.key));
  }

  Origin origin(std::string_view key, const toml::table& table) {
    const toml::node* node = table.get("origin");
    const auto given = node != nullptr ? node->value_exact<std::string>() : std::nullopt;
    if (const auto origin = by_name<Origin>(given.value_or(""))) return *origin;
    problem(node != nullptr ? node->source().begin : table.source().begin,
            tr("\"{}\" needs an origin: \"measured\", \"datasheet\" or \"assumed\"", key));
    return Origin::assumed;
  }

  void table(std::size_t index, const toml::node& node) {
    const ProfileNumber& each = profile_numbers()[index];
    const toml::array* points = node.as_array();
    if (points == nullptr || points->size() < 2) {
      return problem(node.source().begin, tr("\"{}\" must be a list of two or more points, such as "
                                             "{{ size = \"64KiB\", time = \"5us\", origin = \"measured\" }}",
                                             each.key));
    }
    TimeBySize& to = each.mutable_table(profile_);
    to.points.clear();
    Origin worst = Origin::measured;
    for (const toml::node& one : *points) {
      const auto point = this->point(each.key, one);
      if (!point) continue;
      if (!to.points.empty() && (point->bytes <= to.points.back().bytes || point->time < to.points.back().time)) {
        problem(one.source().begin,
                tr("\"{}\": sizes must rise from point to point and times must not fall", each.key));
        continue;
      }
      worst = std::max(worst, point->origin);
      to.points.push_back(*point);
    }
    profile_.origins[index] = worst;
  }

  std::optional<TimeBySize::Point> point(std::string_view key, const toml::node& node) {
    const toml::table* table = node.as_table();
    const toml::node* size = table != nullptr ? table->get("size") : nullptr;
    const toml::node* time = table != nullptr ? table->get("time") : nullptr;
    const toml::node* rate = table != nullptr ? table->get("rate") : nullptr;
    if (size == nullptr || (time == nullptr) == (rate == nullptr)) {
      problem(node.source().begin, tr("a point of \"{}\" has a size, and either a time or a rate", key));
      return std::nullopt;
    }
    only(key, *table, {"size", "time", "rate", "origin"});
    TimeBySize::Point point{0, 0, origin(key, *table)};
    const auto refuse = [&](const toml::node& at, std::string_view how) {
      problem(at.source().begin, fmt::format("\"{}\": a {}", key, how));
      return std::nullopt;
    };
    const auto bytes = parse_bytes(size->value_exact<std::string>().value_or(""));
    if (!bytes || *bytes > (1ull << 50)) return refuse(*size, tr("size is written such as \"64KiB\""));
    point.bytes = *bytes;
    if (time != nullptr) {
      const auto parsed = parse_duration(time->value_exact<std::string>().value_or(""));
      if (!parsed || *parsed > kLongestModelled) return refuse(*time, tr("time is written such as \"4.5us\""));
      point.time = *parsed;
      return point;
    }
    const ProfileNumber as_rate{{}, {}, "rate", NumberKind::rate, 1e3, 1e18, {}};
    const auto parsed = parse_number(as_rate, rate->value_exact<std::string>().value_or(""));
    if (!parsed) return refuse(*rate, tr("rate is written such as \"55.5GB/s\""));
    point.time = static_cast<Nanoseconds>(std::llround(
        std::min(static_cast<double>(point.bytes) * 1e9 / *parsed, static_cast<double>(kLongestModelled))));
    return point;
  }

  const toml::table& whole_;
  Profile& profile_;
  std::vector<Problem> problems_;
};

void write_table(const ProfileNumber& number, const TimeBySize& table, std::string& out) {
  out += fmt::format("{} = [  # {}\n", number.key, number.meaning);
  for (const TimeBySize::Point& point : table.points) {
    out += fmt::format("  {{ size = \"{}\", time = \"{}\", origin = \"{}\" }},\n", exact_bytes(point.bytes),
                       exact_duration(point.time), name_of(point.origin));
  }
  out += "]\n";
}

}  // namespace

Result<Profile> parse_profile(std::string_view toml, std::string_view file, std::string_view id) {
  Profile profile;
  profile.id = id;
  if (const auto unfit = unfit_toml(toml))
    return fail(ErrorKind::bad_input, fmt::format("{}:{}:{}: {}", file, unfit->line, unfit->column, unfit->why));
  toml::table whole;
  try {
    whole = toml::parse(toml, file);
  } catch (const toml::parse_error& error) {
    return fail(ErrorKind::bad_input, fmt::format("{}:{}:{}: {}", file, error.source().begin.line,
                                                  error.source().begin.column, error.description()));
  }
  std::vector<Problem> problems = Reader(whole, profile).read();
  if (problems.empty()) return profile;
  std::stable_sort(problems.begin(), problems.end(), [](const Problem& a, const Problem& b) {
    return std::pair(a.at.line, a.at.column) < std::pair(b.at.line, b.at.column);
  });
  std::string message;
  for (const Problem& problem : problems) {
    message += fmt::format("{}{}:{}:{}: {}.", message.empty() ? "" : "\n", file, std::max(1u, problem.at.line),
                           std::max(1u, problem.at.column), problem.message);
  }
  return fail(ErrorKind::bad_input, std::move(message));
}

std::string write_profile(const Profile& profile, std::string_view head) {
  std::string out;
  for (std::size_t at = 0; at < head.size();) {
    const std::size_t end = std::min(head.find('\n', at), head.size());
    const std::string_view line = head.substr(at, end - at);
    out += line.empty() ? "#\n" : fmt::format("# {}\n", line);
    at = end + 1;
  }
  for (const auto& [key, member] : kTexts) out += fmt::format("{} = {}\n", key, toml_string(profile.*member));
  std::string_view section;
  for (std::size_t i = 0; i < profile_numbers().size(); ++i) {
    const ProfileNumber& number = profile_numbers()[i];
    if (number.section != section) {
      section = number.section;
      out += fmt::format("\n[{}]\n", section);
    }
    if (number.kind == NumberKind::times) {
      write_table(number, number.table(profile), out);
      continue;
    }
    const Origin origin = i < profile.origins.size() ? profile.origins[i] : Origin::assumed;
    out += fmt::format("{} = {{ value = {}, origin = \"{}\" }}  # {}\n", number.key, value_in_file(number, profile),
                       name_of(origin), number.meaning);
  }
  return out;
}

}  // namespace streamscope::model
