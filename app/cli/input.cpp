#include "app/cli/input.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "engine/base/ending.h"
#include "engine/base/files.h"
#include "engine/base/quantity.h"
#include "engine/base/suggest.h"
#include "engine/base/translate.h"
#include "engine/experiment/shipped.h"

namespace streamscope::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestInput = 256u << 20;
constexpr std::size_t kLargestSource = 4u << 20;

Result<std::string> read_standard_input() {
  const EndlessWait waiting;
  std::string text;
  char block[1 << 16];
  for (;;) {
    const ssize_t got = ::read(STDIN_FILENO, block, sizeof block);
    if (got == 0) return text;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(ErrorKind::bad_input, tr("<stdin>: error: cannot read: {}", std::strerror(errno)));
    text.append(block, static_cast<std::size_t>(got));
    if (text.size() > kLargestInput)
      return fail(ErrorKind::bad_input, tr("<stdin>: error: more than 256 MiB of input"));
  }
}

// A file that is there and is no folder.
bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error) && !fs::is_directory(path, error);
}

// Where the program's own files are named from.
Result<fs::path> folder_of(const experiment::Input& input) {
  return input.file == "<stdin>" ? fs::path() : TRY(find_input(input.file)).parent_path();
}

// Each once.
std::vector<std::string> own_files(const program::Program& program) {
  std::vector<std::string> all;
  for (const auto& kernel : program.own_kernels)
    if (std::ranges::find(all, kernel->file) == all.end()) all.push_back(kernel->file);
  return all;
}

// A model, `check` and the CUDA C++ that is written need no source of a kernel, so they would not miss it.
std::string missing_sources(const experiment::Input& input) {
  const auto folder = folder_of(input);
  if (!folder) return {};
  std::string lines;
  for (std::size_t i = 0; i < input.checked.own_kernels.size(); ++i) {
    const std::string& file = input.checked.own_kernels[i]->file;
    if (is_file(*folder / file)) continue;
    const std::uint32_t line = input.checked.own_lines[i] + input.lines_before.value_or(0);
    lines += experiment::with_line_end(
        warning_at(fmt::format("{}:{}:1", input.file, line),
                   tr("there is no file \"{}\" beside the program, which a GPU needs; put it there", file)));
  }
  return lines;
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
    return fail(ErrorKind::bad_input, tr("{}: error: this is a folder; name an experiment or a program", file));
  }
  std::vector<std::string> names;
  for (const experiment::Shipped& each : experiment::shipped()) names.push_back(each.name);
  std::vector<std::string_view> words(names.begin(), names.end());
  for (const char* command : {"run", "sweep", "check", "devices", "calibrate", "lessons", "lesson", "engine", "help"})
    words.push_back(command);
  std::string message = tr("{}: error: no such file", file);
  if (const std::string meant = did_you_mean(fs::path(file).stem().string(), words); !meant.empty()) {
    message += meant;
  } else if (!names.empty()) {
    message += tr("; shipped experiments and programs: {}", fmt::join(names, ", "));
  }
  return fail(ErrorKind::bad_input, std::move(message));
}

Result<experiment::InputText> read_source(const std::string& file) {
  experiment::InputText source;
  if (file == "-") {
    source.file = "<stdin>";
    source.text = TRY(read_standard_input());
    return source;
  }
  source.path = TRY(find_input(file));
  source.file = source.path.string();
  source.text = TRY(read_text(source.path, kLargestInput));
  return source;
}

Result<experiment::Input> read_input(const std::string& file, const std::vector<std::string>& settings) {
  TRY(experiment::parse_settings(settings));
  const experiment::InputText source = TRY(read_source(file));
  experiment::Input input = TRY(experiment::read_input(source, settings));
  input.warnings += missing_sources(input);
  return input;
}

Result<std::vector<kernels::OwnSource>> own_sources(const experiment::Input& input) {
  const fs::path folder = TRY(folder_of(input));
  std::vector<kernels::OwnSource> all;
  for (const std::string& file : own_files(input.checked)) {
    std::string text = TRY(read_regular(folder / file, kLargestSource));
    all.push_back({file, std::move(text)});
  }
  return all;
}

Result<std::vector<predict::OwnTime>> remembered_times(const experiment::Input& input) {
  return predict::remembered_own_times(TRY(folder_of(input)), own_files(input.checked));
}

std::string size_of(const program::Program& program) {
  std::vector<bool> used(program.streams.size());
  for (const program::Operation& operation : program.operations) {
    if (operation.launch != kNoOperation) continue;  // a graph's lanes are no streams
    if (const auto stream = program::ordered_in(operation)) used[stream->value] = true;
  }
  std::uint64_t bytes = 0;
  for (const program::Buffer& buffer : program.buffers) bytes += buffer.bytes;
  const auto streams = static_cast<std::size_t>(std::count(used.begin(), used.end(), true));
  const std::size_t operations = program.operations.size();
  return tr("{} in {}, {} of buffers", tr_n("{} operation", "{} operations", operations, operations),
            tr_n("{} stream", "{} streams", streams, streams), display_bytes(bytes));
}

}  // namespace streamscope::cli
