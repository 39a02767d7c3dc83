#include "engine/analysis/changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "engine/base/translate.h"

namespace streamscope::analysis {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    out.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// Of an experiment as to_toml() writes it: one key a line, in its section. In the order of the file.
std::vector<std::pair<std::string, std::string>> keys_of(std::string_view toml) {
  std::vector<std::pair<std::string, std::string>> out;
  std::string section;
  for (const std::string_view line : lines_of(toml)) {
    const std::string_view words = trimmed(line);
    if (words.starts_with('[') && words.ends_with(']')) {
      section = std::string(words.substr(1, words.size() - 2)) + ".";
      continue;
    }
    const std::size_t equals = words.find('=');
    if (equals == std::string_view::npos || words.starts_with('#')) continue;
    std::string_view value = trimmed(words.substr(equals + 1));
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
    out.emplace_back(section + std::string(trimmed(words.substr(0, equals))), value);
  }
  return out;
}

// These keys do not change what is run.
bool has_no_effect(std::string_view key) { return key == "name" || key == "about" || key == "verify"; }

Change change(std::string_view what, std::string_view from, std::string_view to, std::string text) {
  return {std::move(text), std::string(what), std::string(from), std::string(to)};
}
Change change(std::string text) { return change({}, {}, {}, std::move(text)); }

void experiment_changes(std::vector<Change>& out, const MadeOf& from, const MadeOf& to) {
  const auto before = keys_of(from.experiment);
  std::map<std::string_view, std::string_view> was(before.begin(), before.end());
  for (const auto& [key, value] : keys_of(to.experiment)) {
    if (has_no_effect(key)) continue;
    const auto found = was.find(key);
    if (found == was.end())
      out.push_back(change(fmt::format("{} {}", key, value)));
    else if (found->second != value)
      out.push_back(change(key, found->second, value, fmt::format("{} {} → {}", key, found->second, value)));
  }
}

// Long lines are cut between characters.
std::string shortened(std::string_view line) {
  constexpr std::size_t kMost = 32;
  const std::string_view words = trimmed(line);
  if (words.size() <= kMost) return std::string(words);
  std::size_t cut = kMost;
  while (cut > 0 && (static_cast<unsigned char>(words[cut]) & 0xC0) == 0x80) --cut;
  return std::string(words.substr(0, cut)) + "…";
}

void program_changes(std::vector<Change>& out, const MadeOf& from, const MadeOf& to) {
  if (from.program == to.program) return;
  const auto before = lines_of(from.program), after = lines_of(to.program);
  const std::size_t shorter = std::min(before.size(), after.size());
  std::size_t head = 0, tail = 0;
  while (head < shorter && before[head] == after[head]) ++head;
  while (tail < shorter - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) ++tail;
  const std::size_t gone = before.size() - head - tail, come = after.size() - head - tail;
  if (gone == 0 && come == 0) return;  // but for the last line's end
  const std::string first = tr("program line {}: ", head + 1);
  if (gone == 0)
    out.push_back(change(first + fmt::format("+ {}", shortened(after[head]))));
  else if (come == 0)
    out.push_back(change(first + fmt::format("- {}", shortened(before[head]))));
  else
    out.push_back(change(tr("program line {}", head + 1), shortened(before[head]), shortened(after[head]),
                         first + fmt::format("{} → {}", shortened(before[head]), shortened(after[head]))));
  if (const std::size_t all = std::max(gone, come); all > 1)
    out.push_back(change(all == 2 ? tr("1 further line") : tr("{} lines from there on", all)));
}

std::string device_of(const trace::Provenance& from) {
  return from.kind == trace::Provenance::Kind::measured ? from.device : tr("model of {}", from.device);
}

// "h200, changed: copies.engines 1 (was 3)" comes to the profile and what was changed of it.
std::pair<std::string_view, std::string_view> parts_of(std::string_view profile) {
  constexpr std::string_view kChanged = ", changed: ";
  const std::size_t at = profile.find(kChanged);
  if (at == std::string_view::npos) return {profile, {}};
  return {profile.substr(0, at), profile.substr(at + kChanged.size())};
}

void provenance_changes(std::vector<Change>& out, const trace::Provenance& from, const trace::Provenance& to) {
  if (device_of(from) != device_of(to))
    out.push_back(
        change(tr("device"), device_of(from), device_of(to), tr("device {} → {}", device_of(from), device_of(to))));
  const auto [base, what_if] = parts_of(from.profile);
  const auto [other_base, other_what_if] = parts_of(to.profile);
  if (base != other_base && !base.empty() && !other_base.empty())
    out.push_back(change(tr("profile"), base, other_base, tr("profile {} → {}", base, other_base)));
  if (what_if != other_what_if)
    out.push_back(change(other_what_if.empty() ? tr("what-ifs taken back") : tr("what-if {}", other_what_if)));
  const std::string instrument = trace::instrument_text(from), other = trace::instrument_text(to);
  if (instrument != other && from.kind == to.kind)
    out.push_back(change(tr("instrument"), instrument, other, tr("instrument {} → {}", instrument, other)));
}

std::vector<Change> changes_of_what(const MadeOf& from, const MadeOf& to) {
  std::vector<Change> out;
  if (!from.experiment.empty() && !to.experiment.empty()) experiment_changes(out, from, to);
  if (out.empty()) program_changes(out, from, to);
  return out;
}

std::vector<std::string> texts(std::vector<Change> changes) {
  std::vector<std::string> out;
  for (Change& each : changes) out.push_back(std::move(each.text));
  return out;
}

}  // namespace

std::vector<Change> all_changes(const trace::Run& from, const trace::Run& to) {
  std::vector<Change> out = changes_of_what(MadeOf{from.experiment, from.program}, MadeOf{to.experiment, to.program});
  provenance_changes(out, from.trace.provenance, to.trace.provenance);
  return out;
}

std::vector<std::string> changes(const MadeOf& from, const MadeOf& to) { return texts(changes_of_what(from, to)); }
std::vector<std::string> changes(const trace::Run& from, const trace::Run& to) { return texts(all_changes(from, to)); }

std::string changes_text(const std::vector<std::string>& changes) {
  if (changes.empty()) return tr("the same again");
  std::string out;
  for (const std::string& each : changes) out += (out.empty() ? "" : " · ") + each;
  return out;
}

}  // namespace streamscope::analysis
