#include "engine/base/files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <iterator>

#include "engine/base/translate.h"

namespace streamscope {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> failed(const fs::path& path, const char* doing, const std::string& why) {
  return fail(ErrorKind::bad_input, fmt::format("{}: {}: {}", path.string(), tr(doing), why));
}

constexpr const char* kReading = tr_later("cannot read");
constexpr const char* kWriting = tr_later("cannot write");

// The file behind a symbolic link, also where it does not exist yet: a rename would replace the link. Ends on a loop.
fs::path behind_links(fs::path path) {
  std::error_code error;
  for (int links = 0; links < 40 && fs::is_symlink(path, error); ++links) {
    const fs::path target = fs::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / target;
  }
  return path;
}

// In the same folder, so that the rename stays on one file system; no other writer uses the same name.
fs::path temporary_name(const fs::path& target) {
  static std::atomic<unsigned> count{0};
  fs::path name = target;
  name += fmt::format(".{}-{}.tmp", ::getpid(), count++);
  return name;
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

fs::path assets_folder() {
  if (const char* named = std::getenv("STREAMSCOPE_ASSETS")) return named;
  const fs::path near = near_executable({"assets", kInstalledAssets}, "devices");
  return near.empty() ? (executable().parent_path() / kInstalledAssets).lexically_normal() : near;
}

fs::path catalogues_folder() { return near_executable({"locale", "../share/locale"}, ""); }

Result<std::string> read_text(const fs::path& path, std::uintmax_t limit) {
  std::error_code error;
  if (fs::is_directory(path, error)) return failed(path, kReading, tr("it is a folder"));
  std::ifstream file(path, std::ios::binary);
  if (!file) return failed(path, kReading, std::strerror(errno));
  std::string text;
  char block[1 << 16];
  while (file.read(block, sizeof block) || file.gcount() > 0) {
    text.append(block, static_cast<std::size_t>(file.gcount()));
    if (text.size() > limit) return failed(path, kReading, tr("it is larger than {} bytes", limit));
  }
  return text;
}

Result<void> write_text(const fs::path& path, std::string_view text) {
  if (path == "-") {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
      return failed("stdout", kWriting, std::strerror(errno));
    }
    return {};
  }
  // A device or a pipe is written in place: renaming over it would replace it.
  // The kernel follows the links: those of /proc/self/fd, behind /dev/stdout, name no path where they lead to a pipe.
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  const bool in_place = fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
  const fs::path target = in_place ? path : behind_links(path);
  const fs::path written = in_place ? target : temporary_name(target);
  const auto give_up = [&](const std::string& why) {
    if (!in_place) fs::remove(written, error);
    return failed(path, kWriting, why);
  };
  if (fs::is_directory(status)) return failed(path, kWriting, tr("it is a folder"));
  {
    std::ofstream file(written, std::ios::binary | std::ios::trunc);
    if (!file) return failed(path, kWriting, std::strerror(errno));
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.close();
    if (!file) return give_up(std::strerror(errno));
  }
  if (in_place) return {};
  if (fs::exists(status)) fs::permissions(written, status.permissions(), error);
  fs::rename(written, target, error);
  if (error) return give_up(error.message());
  return {};
}

}  // namespace streamscope
