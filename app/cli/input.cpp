#include "app/cli/input.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "engine/base/files.h"
#include "engine/base/quantity.h"
#include "engine/program/syntax/suggest.h"
#include "engine/program/text.h"

namespace streamscope::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestInput = 256u << 20;

Result<std::string> read_standard_input() {
  std::string text;
  char block[1 << 16];
  for (;;) {
    const ssize_t got = ::read(STDIN_FILENO, block, sizeof block);
    if (got == 0) return text;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      return fail(ErrorKind::bad_input, fmt::format("<stdin>: error: cannot read: {}", std::strerror(errno)));
    text.append(block, static_cast<std::size_t>(got));
    if (text.size() > kLargestInput) return fail(ErrorKind::bad_input, "<stdin>: error: more than 256 MiB of input");
  }
}

std::vector<std::string> shipped() {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& [folder, ending] : {std::pair{"experiments", ".toml"}, std::pair{"programs", ".streams"}}) {
    for (fs::directory_iterator at(assets_folder() / folder, error), end; !error && at != end; at.increment(error)) {
      if (at->path().extension() == ending) names.push_back(at->path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

// A file that is there and is no folder.
bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error) && !fs::is_directory(path, error);
}

Result<std::vector<experiment::Setting>> parse_settings(const std::vector<std::string>& texts) {
  std::vector<experiment::Setting> settings;
  std::string wrong;
  for (const std::string& text : texts) {
    if (auto setting = experiment::parse_setting(text)) {
      settings.push_back(std::move(*setting));
    } else {
      wrong += (wrong.empty() ? "" : "\n") + setting.error().message;
    }
  }
  if (!wrong.empty()) return fail(ErrorKind::bad_input, std::move(wrong));
  return settings;
}

Result<void> check_program(Input& input) {
  auto read = program::read_program(input.program, input.file);
  if (!read || !read->warnings.empty()) {
    // Told by the lines of the file, whereas the run counts the lines of the program.
    const std::string file = input.lines_before ? input.file : input.file + ", its program";
    const auto told = program::read_program(std::string(input.lines_before.value_or(0), '\n') + input.program, file);
    if (!told) return fail(told.error());
    input.warnings = with_line_end(std::move(input.warnings)) + program::format(told->warnings, file);
  }
  if (!read) return fail(read.error());
  input.checked = std::move(read->program);
  return {};
}

}  // namespace

Result<fs::path> find_input(const std::string& file) {
  std::error_code error;
  if (is_file(file)) return fs::path(file);
  if (file.find('/') == std::string::npos) {
    for (const char* place : {"experiments", "programs"}) {
      for (const char* ending : {"", ".toml", ".streams"}) {
        const fs::path path = assets_folder() / place / (file + ending);
        if (is_file(path)) return path;
      }
    }
  }
  if (fs::is_directory(file, error)) {
    return fail(ErrorKind::bad_input,
                fmt::format("{}: error: this is a folder; name an experiment or a program", file));
  }
  const std::vector<std::string> names = shipped();
  std::vector<std::string_view> words(names.begin(), names.end());
  for (const char* command : {"run", "sweep", "check", "devices", "engine"}) words.push_back(command);
  std::string message = fmt::format("{}: error: no such file", file);
  if (const std::string_view meant = program::nearest(fs::path(file).stem().string(), words); !meant.empty()) {
    message += fmt::format("; did you mean {}?", meant);
  } else if (!names.empty()) {
    message += fmt::format("; shipped experiments and programs: {}", fmt::join(names, ", "));
  }
  return fail(ErrorKind::bad_input, std::move(message));
}

bool holds_experiment(const fs::path& path, std::string_view text) {
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

Result<InputText> read_source(const std::string& file) {
  InputText source;
  if (file == "-") {
    source.file = "<stdin>";
    auto read = read_standard_input();
    if (!read) return fail(read.error());
    source.text = std::move(*read);
    return source;
  }
  const auto found = find_input(file);
  if (!found) return fail(found.error());
  source.path = *found;
  source.file = source.path.string();
  auto read = read_text(source.path, kLargestInput);
  if (!read) return fail(read.error());
  source.text = std::move(*read);
  return source;
}

Result<Input> read_input(const std::string& file, const std::vector<std::string>& settings) {
  if (const auto parsed = parse_settings(settings); !parsed) return fail(parsed.error());
  const auto source = read_source(file);
  if (!source) return fail(source.error());
  return read_input(*source, settings);
}

Result<Input> read_input(const InputText& source, const std::vector<std::string>& setting_texts) {
  const auto settings = parse_settings(setting_texts);
  if (!settings) return fail(settings.error());
  Input input;
  const std::string& text = source.text;
  input.file = source.file;
  input.title = input.file;
  if (text.starts_with('{')) {
    return fail(ErrorKind::bad_input, fmt::format("{}:1:1: error: this looks like JSON, perhaps a saved run; write an "
                                                  "experiment (.toml) or a stream program (.streams)",
                                                  input.file));
  }
  if (holds_experiment(source.path, text)) {
    auto experiment = experiment::parse_experiment(text, input.file, *settings);
    if (!experiment) return fail(experiment.error());
    if (!experiment->experiment.name.empty()) input.title = experiment->experiment.name;
    input.experiment = experiment::to_toml(*experiment);
    input.verify = experiment->experiment.verify;
    input.warnings = experiment->warnings;
    input.built = experiment->program.empty();
    input.places = experiment->places;
    input.program = input.built ? experiment::build(experiment->experiment) : experiment->program;
    if (experiment->program_line != 0) input.lines_before = experiment->program_line;
  } else {
    if (!settings->empty()) {
      return fail(ErrorKind::bad_input,
                  fmt::format("--set {}: error: {} is a stream program; only an experiment has keys to "
                              "set, so change the program's text",
                              settings->front().key, input.file));
    }
    input.program = text;
    input.lines_before = 0;
  }
  const auto checked = check_program(input);
  if (!checked) return fail(checked.error());
  return input;
}

Error placed(Error error, const Input& input) {
  std::vector<std::string> lines;
  for (std::string_view rest = error.message; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    std::uint32_t number = 0;
    const std::size_t colon = line.find(": ");
    if (!line.starts_with("line ") || colon == std::string_view::npos ||
        std::from_chars(line.data() + 5, line.data() + colon, number).ptr != line.data() + colon) {
      lines.emplace_back(line);
      continue;
    }
    const std::string_view what = line.substr(colon + 2);
    if (const std::string_view key = input.built ? experiment::key_behind(input.checked, number) : ""; !key.empty()) {
      const auto place = input.places.find(key);
      lines.push_back(
          fmt::format("{}: error: {}: {}", place == input.places.end() ? input.file : place->second, key, what));
      continue;
    }
    lines.push_back(input.lines_before
                        ? fmt::format("{}:{}:1: error: {}", input.file, number + *input.lines_before, what)
                        : fmt::format("{}: error: {} (line {} of its program, which --emit-program writes)", input.file,
                                      what, number));
  }
  error.message = fmt::format("{}", fmt::join(lines, "\n"));
  return error;
}

std::string size_of(const program::Program& program) {
  std::vector<bool> used(program.streams.size());
  for (const program::Operation& operation : program.operations) {
    if (operation.launch != kNoOperation) continue;  // a graph's lanes are no streams
    if (const auto stream = program::ordered_in(operation)) used[stream->value] = true;
  }
  std::uint64_t bytes = 0;
  for (const program::Buffer& buffer : program.buffers) bytes += buffer.bytes;
  const auto streams = std::count(used.begin(), used.end(), true);
  return fmt::format("{} operation{} in {} stream{}, {} of buffers", program.operations.size(),
                     program.operations.size() == 1 ? "" : "s", streams, streams == 1 ? "" : "s", display_bytes(bytes));
}

std::string with_line_end(std::string text) {
  if (!text.empty() && text.back() != '\n') text += '\n';
  return text;
}

}  // namespace streamscope::cli
