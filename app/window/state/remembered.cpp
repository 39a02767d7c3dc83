#include "app/window/state/remembered.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "app/window/state/state.h"
#include "engine/experiment/experiment_file.h"

namespace streamscope::window {
namespace {

constexpr std::string_view kFirstLine = "streamscope window 1", kExperiment = "experiment";
constexpr std::size_t kMostLessonSteps = 1'000;
constexpr int kTabs = static_cast<int>(command::kLastDock) + 1;

std::string_view next_line(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return line;
}

template <class Number>
bool read_number(std::string_view text, Number least, Number most, Number& out) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= least && value <= most)) return false;
  out = value;
  return true;
}

bool read_flag(std::string_view text, bool& out) {
  out = text == "open";
  return out || text == "closed";
}

template <class Named>
bool read_name(std::string_view text, std::optional<Named>& out) {
  out = by_name<Named>(text);
  return out.has_value();
}

// One line "key value"; a key that is not known is of a later version.
bool read_line(std::string_view key, std::string_view value, Remembered& out) {
  if (key == "theme") {
    const auto theme = by_name<timeline::ThemeName>(value);
    if (theme) out.theme = *theme;
    return theme.has_value();
  }
  if (key == "language") return read_name(value, out.language);
  if (key == "text") return read_number(value, kSmallestText, kLargestText, out.text_scale);
  if (key == "controls") return read_flag(value, out.controls_open);
  if (key == "summary") return read_flag(value, out.summary_open);
  if (key == "lower") return read_flag(value, out.dock_open);
  if (key == "cuda") return read_flag(value, out.cuda_open);
  if (key == "tab") {
    int tab = 0;
    const bool there = read_number(value, 0, kTabs - 1, tab);
    out.dock = static_cast<command::Dock>(tab);
    return there;
  }
  if (key == "left") return read_number(value, kNarrowest, kWidest, out.sizes.controls);
  if (key == "right") return read_number(value, kNarrowest, kWidest, out.sizes.summary);
  if (key == "lower-share") return read_number(value, kLowest, kHighest, out.sizes.lower);
  if (key == "cuda-share") return read_number(value, kLowest, kHighest, out.sizes.cuda);
  if (key == "recent") out.recent.emplace_back(value);
  if (key == "lesson") {
    const std::size_t blank = std::min(value.find(' '), value.size());
    return read_number(value.substr(0, blank), std::size_t{0}, kMostLessonSteps,
                       out.lessons[std::string(value.substr(std::min(blank + 1, value.size())))]);
  }
  if (key == "lesson-language") return read_name(value, out.lesson_language);
  if (key == "name") out.name = value;
  if (key == "file") out.file = value;
  return true;
}

// A path of several lines would end its own.
bool one_line(const std::filesystem::path& path) { return path.native().find('\n') == std::string::npos; }

}  // namespace

Remembered remembered(const State& state) {
  const Workspace& looks = state.workspace;
  const Editing& editing = state.editing;
  // What presenting has put aside comes back.
  const Workspace::OpenPanels open =
      looks.presenting ? looks.before_presenting
                       : Workspace::OpenPanels{looks.controls_open, looks.summary_open, looks.dock_open};
  Remembered out{.theme = looks.theme,
                 .language = looks.language,
                 .text_scale = looks.text_scale,
                 .controls_open = open.controls,
                 .summary_open = open.summary,
                 .dock_open = open.dock,
                 .cuda_open = looks.cuda_open,
                 .dock = looks.dock,
                 .sizes = looks.sizes,
                 .recent = state.files.recent,
                 .lessons = state.lesson.reached,
                 .lesson_language = state.lesson.chosen_language,
                 .name = editing.experiment_name,
                 .file = editing.path,
                 .experiment = editing.own_program ? std::string() : experiment::to_toml(editing.experiment)};
  // A program that is nowhere, or settings that build none, do not come back.
  if (editing.own_program ? editing.path.empty() : !editing.experiment_error.empty()) out.name.clear();
  if (out.name.empty()) out.experiment.clear();
  return out;
}

void bring_back(State& state, const Remembered& before) {
  Workspace& looks = state.workspace;
  looks.theme = before.theme;
  looks.language = before.language;
  looks.text_scale = before.text_scale;
  looks.controls_open = before.controls_open;
  looks.summary_open = before.summary_open;
  looks.dock_open = before.dock_open;
  looks.cuda_open = before.cuda_open;
  looks.dock = before.dock;
  looks.sizes = before.sizes;
  state.files.recent = before.recent;
  state.lesson.reached = before.lessons;
  state.lesson.chosen_language = before.lesson_language;
  if (before.lesson_language) state.lesson.language = *before.lesson_language;
}

std::string text_of(const Remembered& of) {
  const auto flag = [](bool open) { return open ? "open" : "closed"; };
  std::string out = fmt::format(
      "{}\ntheme {}\ntext {}\ncontrols {}\nsummary {}\nlower {}\ncuda {}\ntab {}\n"
      "left {}\nright {}\nlower-share {}\ncuda-share {}\n",
      kFirstLine, name_of(of.theme), of.text_scale, flag(of.controls_open), flag(of.summary_open), flag(of.dock_open),
      flag(of.cuda_open), static_cast<int>(of.dock), of.sizes.controls, of.sizes.summary, of.sizes.lower,
      of.sizes.cuda);
  for (const std::filesystem::path& each : of.recent)
    if (one_line(each)) out += fmt::format("recent {}\n", each.string());
  for (const auto& [lesson, step] : of.lessons)
    if (one_line(lesson)) out += fmt::format("lesson {} {}\n", step, lesson);
  if (of.language) out += fmt::format("language {}\n", name_of(*of.language));
  if (of.lesson_language) out += fmt::format("lesson-language {}\n", name_of(*of.lesson_language));
  if (one_line(of.name)) out += fmt::format("name {}\n", of.name);
  if (!of.file.empty() && one_line(of.file)) out += fmt::format("file {}\n", of.file.string());
  if (!of.experiment.empty()) out += fmt::format("{}\n{}", kExperiment, of.experiment);
  return out;
}

std::optional<Remembered> read_remembered(std::string_view text) {
  Remembered out;
  if (next_line(text) != kFirstLine) return std::nullopt;
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    if (line == kExperiment) {
      out.experiment = text;
      if (!experiment::parse_experiment(out.experiment, "")) return std::nullopt;
      break;
    }
    const std::size_t blank = std::min(line.find(' '), line.size());
    if (!read_line(line.substr(0, blank), line.substr(std::min(blank + 1, line.size())), out)) return std::nullopt;
  }
  if (out.recent.size() > kMostRecent) out.recent.resize(kMostRecent);
  return out;
}

std::optional<OpenedFile> experiment_of(const Remembered& of) {
  if (of.name.empty() || of.experiment.empty()) return std::nullopt;
  auto parsed = experiment::parse_experiment(of.experiment, of.name);
  if (!parsed) return std::nullopt;
  return OpenedFile{.name = of.name, .content = std::move(parsed->experiment), .path = of.file};
}

}  // namespace streamscope::window
