#include "engine/experiment/toml_reader.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>

#include "engine/base/place.h"
#include "engine/base/toml_string.h"
#include "engine/base/translate.h"
#include "engine/base/unfit_toml.h"
#include "engine/experiment/keys.h"

namespace streamscope::experiment {
namespace {

keys::Value value_of(const toml::node& node) {
  if (const auto* value = node.as_boolean()) return value->get();
  if (const auto* value = node.as_integer()) return value->get();
  if (const auto* value = node.as_floating_point()) return value->get();
  if (const auto* value = node.as_string()) return value->get();
  if (const auto* array = node.as_array()) {
    keys::Texts texts;
    for (const toml::node& each : *array) {
      const auto* text = each.as_string();
      if (text == nullptr) return keys::NoValue{tr("an array")};
      texts.push_back(text->get());
    }
    return texts;
  }
  if (node.is_table()) return keys::NoValue{tr("a table")};
  return keys::NoValue{tr("a date or time")};
}

struct Reader {
  std::string_view file;
  std::vector<std::pair<toml::source_position, keys::Given>> values;
  std::vector<LocatedProblem> problems;

  std::string location(toml::source_position at) const { return fmt::format("{}:{}:{}", file, at.line, at.column); }

  void add_problem(toml::source_position at, std::string message) {
    problems.push_back({location(at), std::move(message)});
  }
  // A text with so many of them is no experiment; the rest is not looked at.
  static constexpr std::size_t kMostProblems = 1000;

  void read(const toml::table& table, const std::string& prefix) {
    for (const auto& [key, node] : table) {
      if (problems.size() >= kMostProblems) return;
      const std::string name = prefix + std::string(key.str());
      const toml::source_position at = node.source().begin;
      if (name == "kernel" || name == "keywords") {
        if (const toml::table* inner = node.as_table()) {
          read(*inner, name + ".");
        } else {
          add_problem(key.source().begin, tr("{0} is a table; write [{0}] and below it {1}", name,
                                             name == "kernel" ? "name = \"axpb\"" : "en = [\"overlap\"]"));
        }
      } else if (keys::find(name) == nullptr) {
        add_problem(key.source().begin, keys::unknown(name));
      } else {
        values.push_back({at, keys::Given{name, value_of(node), {}, location(at)}});
      }
    }
  }
};

// Where line `line` of the text begins.
std::string_view from_line(std::string_view text, std::uint32_t line) {
  for (; line > 1; --line) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text;
}

// Takes a line with its end off the text; gives it without.
std::string_view take_line(std::string_view& text) {
  std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// The line on which a program in triple quotes starts, which is the one before the program's first. 0: the file does
// not hold the program line by line, since it is written in another way or with escapes for its line ends.
std::uint32_t program_line(std::string_view text, toml::source_position at, std::string_view program) {
  std::string_view rest = from_line(text, at.line);
  const std::string_view opening = take_line(rest);
  if (!opening.ends_with("'''") && !opening.ends_with("\"\"\"")) return 0;
  while (!program.empty()) {
    const bool last = program.find('\n') == std::string_view::npos;
    const std::string_view wanted = take_line(program), found = take_line(rest);
    if (last ? !found.starts_with(wanted) : found != wanted) return 0;
  }
  return at.line;
}

}  // namespace

Result<FileValues> read_toml(std::string_view text, std::string_view file) {
  if (const auto unfit = unfit_toml(text))
    return fail(ErrorKind::bad_input, error_at(fmt::format("{}:{}:{}", file, unfit->line, unfit->column), unfit->why));
  toml::table table;
  try {
    table = toml::parse(text, std::string(file));
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    return fail(ErrorKind::bad_input, error_at(fmt::format("{}:{}:{}", file, at.line, at.column), error.description()));
  }
  Reader reader{file, {}, {}};
  reader.read(table, {});
  std::stable_sort(reader.values.begin(), reader.values.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  FileValues values{{}, std::move(reader.problems), 0};
  for (auto& [at, given] : reader.values) {
    if (const auto* program = std::get_if<std::string>(&given.value); given.key == "program" && program != nullptr)
      values.program_line = program_line(text, at, *program);
    values.values.push_back(std::move(given));
  }
  return values;
}

Result<keys::Given> read_setting(const Setting& setting) {
  keys::Given given{setting.key, setting.value, setting.value, fmt::format("--set {}", setting.key)};
  if (const auto unfit = unfit_toml(setting.value))
    return fail(ErrorKind::bad_input, error_at(given.location, unfit->why));
  try {
    const toml::table table = toml::parse("v = " + setting.value);
    // More than one key: the value holds a line break and is no scalar.
    if (table.size() == 1 && table.contains("v")) given.value = value_of(*table.get("v"));
    return given;
  } catch (const toml::parse_error&) {
  }
  try {
    (void)toml::parse("v = " + toml_string(setting.value));
  } catch (const toml::parse_error&) {
    return fail(ErrorKind::bad_input, error_at(given.location, tr("the value is not valid UTF-8")));
  }
  return given;
}

}  // namespace streamscope::experiment
