#include "app/cli/outputs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>

#include "engine/base/file_writer.h"
#include "engine/base/translate.h"

namespace streamscope::cli {
namespace {

namespace fs = std::filesystem;

// Why the file cannot be written, or nothing.
std::string obstacle(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return tr("it is a folder; name a file");
  const bool exists = fs::exists(path, error);
  if (exists && !fs::is_regular_file(path, error)) {  // a pipe or a device, written in place
    return ::access(path.c_str(), W_OK) == 0 ? "" : std::strerror(errno);
  }
  const auto written = behind_links(path);
  if (!written) return std::strerror(ELOOP);
  if (exists && ::access(path.c_str(), W_OK) != 0) return tr("it is write-protected: {}", std::strerror(errno));
  const fs::path folder = written->has_parent_path() ? written->parent_path() : fs::path(".");
  if (!fs::exists(folder, error)) return tr("there is no folder {}; make it first", folder.string());
  if (!fs::is_directory(folder, error)) return tr("{} is no folder", folder.string());
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    return tr("the folder {}: {}", folder.string(), std::strerror(errno));
  }
  return "";
}

// One name for one file: absolute, links followed. Empty where two may write there without harm: a device, a pipe.
std::string identity(const std::string& path, const char* standard) {
  const bool is_standard = path == "-";
  const fs::path named = is_standard ? fs::path(standard) : fs::path(path);
  std::error_code error;
  const fs::file_status status = fs::status(named, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) return is_standard ? "-" : "";
  const fs::path whole = fs::weakly_canonical(fs::absolute(named, error), error);
  return error ? path : whole.string();
}

}  // namespace

Result<void> check_outputs(const std::vector<OutputFile>& outputs, const std::vector<InputFile>& inputs) {
  std::map<std::string, std::string> read, taken;  // identity -> what, option
  for (const InputFile& input : inputs) {
    if (input.path.empty()) continue;
    std::string file = identity(input.path, "/proc/self/fd/0");
    if (!file.empty() && file != "-") read.emplace(std::move(file), input.what);
  }
  std::string wrong;
  for (const OutputFile& output : outputs) {
    if (output.path.empty()) continue;
    std::string why = output.path == "-" ? "" : obstacle(output.path);
    if (const std::string file = identity(output.path, "/proc/self/fd/1"); why.empty() && !file.empty()) {
      const auto [earlier, first] = taken.emplace(file, output.option);
      if (const auto input = read.find(file); input != read.end()) {
        why = tr("that is {}, which would be lost; name another file", input->second);
      } else if (!first) {
        why = tr("{} is written there already; name another file", earlier->second);
      }
    }
    if (!why.empty()) {
      wrong += fmt::format("{}{}", wrong.empty() ? "" : "\n",
                           tr("{} {}: error: cannot write: {}", output.option, output.path, why));
    }
  }
  if (!wrong.empty()) return fail(ErrorKind::bad_input, std::move(wrong));
  return {};
}

}  // namespace streamscope::cli
