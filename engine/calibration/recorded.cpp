#include "engine/calibration/recorded.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <unordered_map>
#include <utility>

#include "engine/base/translate.h"

namespace streamscope::calibration {
namespace {

constexpr std::string_view kHeader =
    "name,family,thorough,median_ns,low_quartile_ns,high_quartile_ns,minimum_ns,samples,pace_ns,program";
constexpr std::size_t kFields = 10;
constexpr std::array<std::pair<std::string_view, std::string Recording::*>, 4> kKeys{{{"kind", &Recording::kind},
                                                                                      {"device", &Recording::device},
                                                                                      {"driver", &Recording::driver},
                                                                                      {"date", &Recording::date}}};

std::string csv_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"': out += "\"\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      default: out += c; break;
    }
  }
  return out + '"';
}

// The fields of a line; nothing where a quotation is not closed, or where something stands behind it.
std::optional<std::vector<std::string>> fields(std::string_view line) {
  std::vector<std::string> all(1);
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == ',') {
      all.emplace_back();
    } else if (line[i] != '"') {
      all.back() += line[i];
    } else if (!all.back().empty()) {
      return std::nullopt;
    } else {
      for (++i;; ++i) {
        if (i >= line.size()) return std::nullopt;
        if (line[i] == '"') {
          if (i + 1 >= line.size() || line[i + 1] != '"') break;
          ++i;
        }
        if (line[i] == '\\' && i + 1 < line.size()) {
          ++i;
          all.back() += line[i] == 'n' ? '\n' : line[i];
        } else {
          all.back() += line[i];
        }
      }
      if (i + 1 < line.size() && line[i + 1] != ',') return std::nullopt;
    }
  }
  return all;
}

template <class Number>
bool read(const std::string& text, Number& to) {
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, to);
  return error == std::errc{} && at == end;
}

std::vector<Nanoseconds> steady_paces(std::span<const RecordedProgram> round) {
  std::vector<Nanoseconds> paces;
  for (std::size_t i = 0; i < round.size(); ++i) {
    const std::size_t first = i - std::min(i, kPacesBeside);
    const auto beside = round.subspan(first, std::min(round.size(), i + kPacesBeside + 1) - first);
    paces.push_back(known(round[i].wall.pace) ? middle_pace(beside) : kAbsent);
  }
  return paces;
}

}  // namespace

void keep_quietest(Recording& recording, Recording round) {
  const std::vector<Nanoseconds> paces = steady_paces(round.programs);
  for (std::size_t i = 0; i < paces.size(); ++i) round.programs[i].wall.pace = paces[i];
  std::unordered_map<std::string_view, RecordedProgram*> before;
  for (RecordedProgram& one : recording.programs) before.emplace(one.name, &one);
  std::vector<RecordedProgram> added;
  for (RecordedProgram& one : round.programs) {
    const auto found = before.find(one.name);
    if (found == before.end()) {
      added.push_back(std::move(one));
    } else if (one.wall.median < found->second->wall.median) {
      found->second->wall = one.wall;
    }
  }
  for (RecordedProgram& one : added) recording.programs.push_back(std::move(one));
}

Nanoseconds middle_pace(std::span<const RecordedProgram> programs) {
  std::vector<Nanoseconds> all;
  for (const RecordedProgram& one : programs) {
    if (known(one.wall.pace)) all.push_back(one.wall.pace);
  }
  if (all.empty()) return kAbsent;
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}

std::string to_csv(const Recording& recording) {
  std::string out;
  for (const auto& [key, member] : kKeys) out += fmt::format("# {}: {}\n", key, recording.*member);
  out += kHeader;
  out += '\n';
  for (const RecordedProgram& one : recording.programs) {
    out +=
        fmt::format("{},{},{},{},{},{},{},{},{},{}\n", csv_text(one.name), csv_text(one.family), one.thorough ? 1 : 0,
                    one.wall.median, one.wall.low, one.wall.high, one.wall.minimum, one.wall.samples,
                    known(one.wall.pace) ? fmt::format("{}", one.wall.pace) : "", csv_text(one.text));
  }
  return out;
}

Result<Recording> recording_from_csv(std::string_view csv, std::string_view file) {
  Recording all;
  bool header = false;
  int number = 0;
  const auto wrong = [&](std::string_view what) {
    return fail(ErrorKind::bad_input, fmt::format("{}:{}: {}", file, number, what));
  };
  while (!csv.empty()) {
    ++number;
    const std::size_t end = csv.find('\n');
    std::string_view line = csv.substr(0, end);
    csv.remove_prefix(end == std::string_view::npos ? csv.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    if (line.front() == '#') {
      for (const auto& [key, member] : kKeys) {
        const std::string head = fmt::format("# {}: ", key);
        if (line.starts_with(head)) all.*member = line.substr(head.size());
      }
      continue;
    }
    if (!header) {
      if (line != kHeader) return wrong(tr("expected the header \"{}\"", kHeader));
      header = true;
      continue;
    }
    auto parts = fields(line);
    if (!parts) return wrong(tr("a quotation is not closed, or not right behind a comma"));
    if (parts->size() != kFields) return wrong(tr("expected {} fields, found {}", kFields, parts->size()));
    std::vector<std::string>& f = *parts;
    RecordedProgram one;
    int thorough = 0;
    if (!read(f[2], thorough) || !read(f[3], one.wall.median) || !read(f[4], one.wall.low) ||
        !read(f[5], one.wall.high) || !read(f[6], one.wall.minimum) || !read(f[7], one.wall.samples) ||
        (!f[8].empty() && !read(f[8], one.wall.pace))) {
      return wrong(tr("expected whole numbers in fields 3 to 9"));
    }
    if (one.wall.median <= 0 || (known(one.wall.pace) && one.wall.pace <= 0))
      return wrong(tr("a wall time is more than 0"));
    one.name = std::move(f[0]);
    one.family = std::move(f[1]);
    one.thorough = thorough != 0;
    one.text = std::move(f[9]);
    all.programs.push_back(std::move(one));
  }
  if (!header) return wrong(tr("expected a header and one program a line; the file has none"));
  return all;
}

}  // namespace streamscope::calibration
