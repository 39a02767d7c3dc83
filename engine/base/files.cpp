#include "engine/base/files.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <optional>

#include "engine/base/ending.h"
#include "engine/base/file_writer.h"
#include "engine/base/translate.h"

namespace streamscope {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> unreadable(const fs::path& path, std::string_view why) {
  return fail(ErrorKind::bad_input, fmt::format("{}: {}: {}", path.string(), tr("cannot read"), why));
}

constexpr const char* kInstalledAssets = "../share/streamscope/assets";

// Empty where it is not known.
fs::path executable() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

// The first of the folders near the executable, named from its own, that holds `content`; else empty.
fs::path near_executable(std::initializer_list<const char*> folders, const char* content) {
  std::error_code error;
  for (const char* folder : folders) {
    const fs::path candidate = executable().parent_path() / folder;
    if (fs::is_directory(candidate / content, error)) return candidate.lexically_normal();
  }
  return {};
}

}  // namespace

fs::path settings_folder() {
  const auto named = [](const char* variable) {
    const char* const value = std::getenv(variable);
    const fs::path path = value == nullptr ? "" : value;
    return path.is_absolute() ? path : fs::path();
  };
  const fs::path own = named("XDG_CONFIG_HOME"), home = named("HOME");
  if (!own.empty()) return own / "streamscope";
  return home.empty() ? home : home / ".config" / "streamscope";
}

fs::path assets_folder() {
  if (const char* named = std::getenv("STREAMSCOPE_ASSETS"); named != nullptr && *named != '\0') return named;
  const fs::path near = near_executable({"assets", kInstalledAssets}, "devices");
  return near.empty() ? (executable().parent_path() / kInstalledAssets).lexically_normal() : near;
}

fs::path catalogues_folder() { return near_executable({"locale", "../share/locale"}, ""); }

Result<std::string> read_text(const fs::path& path, std::uintmax_t limit) {
  std::error_code error;
  if (fs::is_directory(path, error)) return unreadable(path, tr("it is a folder"));
  std::optional<EndlessWait> waiting;
  if (!fs::is_regular_file(path, error)) waiting.emplace();
  std::ifstream file(path, std::ios::binary);
  if (!file) return unreadable(path, std::strerror(errno));
  std::string text;
  char block[1 << 16];
  while (file.read(block, sizeof block) || file.gcount() > 0) {
    text.append(block, static_cast<std::size_t>(file.gcount()));
    if (text.size() > limit) return unreadable(path, tr("it is larger than {} bytes", limit));
  }
  if (file.bad()) return unreadable(path, std::strerror(errno));
  return text;
}

Result<std::string> read_regular(const fs::path& path, std::uintmax_t limit) {
  std::error_code error;
  const fs::file_type type = fs::status(path, error).type();
  if (type != fs::file_type::regular && type != fs::file_type::directory && fs::exists(path, error))
    return unreadable(path, tr("it is no plain file"));
  return read_text(path, limit);
}

Result<void> write_text(const fs::path& path, std::string_view text) {
  return write_file(path, [&](const TextSink& put) { put(text); });
}

}  // namespace streamscope
