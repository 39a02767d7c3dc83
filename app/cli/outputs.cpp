#include "app/cli/outputs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>

namespace streamscope {
namespace {

namespace fs = std::filesystem;

// Why the file cannot be written, or nothing.
std::string obstacle(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return "it is a folder; name a file";
  const bool exists = fs::exists(path, error);
  if (exists && !fs::is_regular_file(path, error)) {  // a pipe or a device, written in place
    return ::access(path.c_str(), W_OK) == 0 ? "" : std::strerror(errno);
  }
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::exists(folder, error)) return fmt::format("there is no folder {}; make it first", folder.string());
  if (!fs::is_directory(folder, error)) return fmt::format("{} is no folder", folder.string());
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    return fmt::format("the folder {}: {}", folder.string(), std::strerror(errno));
  }
  return "";
}

}  // namespace

Result<void> check_outputs(const std::vector<OutputFile>& files) {
  std::map<std::string, std::string> taken;  // path -> option
  std::string wrong;
  for (const OutputFile& file : files) {
    if (file.path.empty()) continue;
    std::string why;
    const auto [earlier, first] = taken.emplace(file.path, file.option);
    if (!first) {
      why = fmt::format("{} is written there already; name another file", earlier->second);
    } else if (file.path != "-") {
      why = obstacle(file.path);
    }
    if (!why.empty()) {
      wrong += fmt::format("{}{} {}: error: cannot write: {}", wrong.empty() ? "" : "\n", file.option, file.path, why);
    }
  }
  if (!wrong.empty()) return fail(ErrorKind::bad_input, std::move(wrong));
  return {};
}

}  // namespace streamscope
