#include "app/window/effects/remembered_file.h"

#include <filesystem>
#include <utility>

#include "app/window/effects/files.h"
#include "engine/base/files.h"

namespace streamscope::window {
namespace {

constexpr std::uintmax_t kLargestRemembered = 1u << 20;

// Empty: there is no such place.
std::filesystem::path remembered_path() {
  const std::filesystem::path folder = settings_folder();
  return folder.empty() ? folder : folder / "window";
}

// A pipe or a device in its place would hold up the window, which reads and writes it on its own thread.
bool is_something_else(const std::filesystem::path& path) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

}  // namespace

bool first_start() {
  const std::filesystem::path path = remembered_path();
  std::error_code ignored;
  return path.empty() || !std::filesystem::exists(path, ignored);
}

std::optional<Remembered> last_remembered() {
  const std::filesystem::path path = remembered_path();
  if (path.empty() || is_something_else(path)) return std::nullopt;
  const auto text = read_text(path, kLargestRemembered);
  return text ? read_remembered(*text) : std::nullopt;
}

std::string chosen_language() {
  const std::optional<Remembered> before = last_remembered();
  return before && before->language ? std::string(name_of(*before->language)) : std::string();
}

void write_remembered(const Remembered& remembered) {
  const std::filesystem::path path = remembered_path();
  if (path.empty() || is_something_else(path)) return;
  std::error_code ignored;
  std::filesystem::create_directories(path.parent_path(), ignored);
  // Where nothing can be remembered the window does without.
  static_cast<void>(write_text(path, text_of(remembered)));
}

OpenedFile file_for(const std::optional<Remembered>& before) {
  if (before) {
    if (auto experiment = experiment_of(*before)) return std::move(*experiment);
    if (!before->name.empty() && !before->file.empty())
      if (auto file = open_file(before->file)) return std::move(*file);
  }
  return default_file();
}

}  // namespace streamscope::window
