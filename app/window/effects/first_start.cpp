#include "app/window/effects/first_start.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace streamscope::window {
namespace {

constexpr const char* kFile = "started";

std::filesystem::path from_environment(const char* name) {
  const char* value = std::getenv(name);
  const std::filesystem::path path = value == nullptr ? "" : value;
  return path.is_absolute() ? path : std::filesystem::path();
}

// Empty: there is no such place.
std::filesystem::path settings_folder() {
  const std::filesystem::path own = from_environment("XDG_CONFIG_HOME"), home = from_environment("HOME");
  if (!own.empty()) return own / "streamscope";
  return home.empty() ? home : home / ".config" / "streamscope";
}

}  // namespace

bool first_start() {
  const std::filesystem::path folder = settings_folder();
  std::error_code ignored;
  return folder.empty() || !std::filesystem::exists(folder / kFile, ignored);
}

void remember_start() {
  const std::filesystem::path folder = settings_folder();
  if (folder.empty()) return;
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  std::ofstream(folder / kFile).flush();
}

}  // namespace streamscope::window
