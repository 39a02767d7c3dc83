#include "engine/experiment/read_input.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/place.h"
#include "engine/base/translate.h"
#include "engine/experiment/build.h"
#include "engine/program/diagnostic.h"
#include "engine/program/read_program.h"
#include "engine/program/syntax/parse.h"

namespace streamscope::experiment {
namespace {

Result<void> check_program(Input& input) {
  auto read = program::read_program(input.program, input.file);
  if (!read || !read->warnings.empty()) {
    // Warnings count the lines of the file, the run those of the program.
    const std::string file = input.lines_before ? input.file : input.file + tr(", its program");
    const auto counted =
        TRY(program::read_program(std::string(input.lines_before.value_or(0), '\n') + input.program, file));
    input.warnings = with_line_end(std::move(input.warnings)) + program::format(counted.warnings, file);
  }
  if (!read) return fail(read.error());
  input.checked = std::move(read->program);
  return {};
}

// "a PNG picture"; empty: text, as far as can be told.
std::string sort_of_bytes(std::string_view text) {
  struct Sort {
    std::string_view begins;
    const char* name;
  };
  static constexpr Sort kSorts[] = {{"\x89PNG", tr_later("a PNG picture")},
                                    {"\xFF\xD8\xFF", tr_later("a JPEG picture")},
                                    {"%PDF-", tr_later("a PDF document")},
                                    {"\x7F"
                                     "ELF",
                                     tr_later("an executable file or a library")},
                                    {"\x1F\x8B", tr_later("a file packed with gzip")},
                                    {"PK\x03\x04", tr_later("a ZIP archive")}};
  for (const Sort& each : kSorts)
    if (text.starts_with(each.begins)) return tr(each.name);
  return text.find('\0') == text.npos ? std::string() : std::string(tr("a file of bytes that are no text"));
}

// Of what is neither blank nor a comment a line begins as a statement does.
bool may_be_program(std::string_view text) {
  bool any = false;
  for (const program::syntax::Line& line : program::parse(text).syntax.lines) {
    if (!line.statement) continue;
    if (line.statement->verb != program::syntax::Verb::none) return true;
    any = true;
  }
  return !any;
}

}  // namespace

Result<void> check_is_input(const std::filesystem::path& path, std::string_view text, std::string_view file) {
  std::string is = sort_of_bytes(text);
  const bool named = path.extension() == ".streams" || path.extension() == ".toml";
  constexpr std::size_t kLooked = 20'000;  // bytes: who has no statement in them has none
  if (is.empty() && !named && !path.empty() && !holds_experiment(path, text) &&
      !may_be_program(text.substr(0, kLooked)))
    is = tr("text of which no line is a statement");
  if (is.empty()) return {};
  std::string place = !file.empty() ? std::string(file) : path.empty() ? "<stdin>" : path.string();
  // A text that was damaged is mended there.
  if (const std::size_t zero = text.find('\0'); named && zero != text.npos) {
    const std::string_view before = text.substr(0, zero);
    const std::size_t line = before.rfind('\n') + 1;  // npos + 1 is 0
    place += fmt::format(":{}:{}", std::ranges::count(before, '\n') + 1, zero - line + 1);
  }
  return fail(
      ErrorKind::bad_input,
      error_at(place, tr("this is {}; write an experiment (.toml), a stream program (.streams) or a trace (.json, "
                         ".sqlite)",
                         is)));
}

bool holds_experiment(const std::filesystem::path& path, std::string_view text) {
  if (path.extension() == ".toml") return true;
  if (path.extension() == ".streams") return false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    std::string_view line = text.substr(0, end + 1);
    text.remove_prefix(end + 1);
    const std::size_t begin = line.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos || line[begin] == '#') continue;
    line.remove_prefix(begin);
    if (line.front() == '[') return true;
    // A key, which may be dotted or quoted, then an equals sign. No statement begins like that.
    const std::size_t after = line.find_first_of(" \t=:");
    const std::size_t sign = line.find_first_not_of(" \t", std::min(after, line.size() - 1));
    return sign != std::string_view::npos && line[sign] == '=';
  }
  return false;
}

Result<std::vector<Setting>> parse_settings(const std::vector<std::string>& texts) {
  std::vector<Setting> settings;
  std::string wrong;
  for (const std::string& text : texts) {
    if (auto setting = parse_setting(text)) {
      settings.push_back(std::move(*setting));
    } else {
      wrong += (wrong.empty() ? "" : "\n") + setting.error().message;
    }
  }
  if (!wrong.empty()) return fail(ErrorKind::bad_input, std::move(wrong));
  return settings;
}

Result<Input> read_input(const InputText& source, const std::vector<std::string>& setting_texts) {
  const auto settings = TRY(parse_settings(setting_texts));
  Input input;
  const std::string& text = source.text;
  input.file = source.file;
  input.title = input.file;
  if (text.starts_with('{')) {
    return fail(ErrorKind::bad_input,
                error_at(input.file + ":1:1", tr("this looks like JSON, perhaps a saved run; write an "
                                                 "experiment (.toml) or a stream program (.streams)")));
  }
  TRY(check_is_input(source.path, text, source.file));
  if (holds_experiment(source.path, text)) {
    const auto file = TRY(parse_experiment(text, input.file, settings));
    const Experiment& experiment = file.experiment;
    if (!experiment.name.empty()) input.title = tr(experiment.name.c_str());
    input.experiment = toml_for_run(experiment);
    input.verify = experiment.verify;
    input.warnings = file.warnings;
    input.built = experiment.program.empty();
    input.locations = file.locations;
    input.program = build(experiment);
    if (file.program_line != 0) input.lines_before = file.program_line;
  } else {
    if (!settings.empty()) {
      return fail(ErrorKind::bad_input,
                  error_at("--set " + settings.front().key, tr("{} is a stream program; only an experiment has keys to "
                                                               "set, so change the program's text",
                                                               input.file)));
    }
    input.program = text;
    input.lines_before = 0;
  }
  TRY(check_program(input));
  return input;
}

Error placed(Error error, const Input& input) {
  std::vector<std::string> lines;
  for (std::string_view rest = error.message; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const auto found = program::behind_line(line);
    if (!found) {
      lines.emplace_back(line);
      continue;
    }
    const auto [number, what] = *found;
    if (const std::string_view key = input.built ? key_behind(input.checked, number) : ""; !key.empty()) {
      const auto location = input.locations.find(key);
      lines.push_back(error_at(location == input.locations.end() ? input.file : location->second,
                               fmt::format("{}: {}", key, what)));
      continue;
    }
    lines.push_back(
        input.lines_before
            ? error_at(fmt::format("{}:{}:1", input.file, number + *input.lines_before), what)
            : error_at(input.file, tr("{} (line {} of its program, which --emit-program writes)", what, number)));
  }
  error.message = fmt::format("{}", fmt::join(lines, "\n"));
  return error;
}

std::string with_line_end(std::string text) {
  if (!text.empty() && text.back() != '\n') text += '\n';
  return text;
}

}  // namespace streamscope::experiment
