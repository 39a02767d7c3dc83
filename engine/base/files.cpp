#include "engine/base/files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

namespace streamscope {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> failed(const fs::path& path, const char* doing, const std::string& why) {
  return fail(ErrorKind::bad_input, fmt::format("{}: cannot {}: {}", path.string(), doing, why));
}

}  // namespace

fs::path assets_folder() {
  if (const char* named = std::getenv("STREAMSCOPE_ASSETS")) return named;
  std::error_code error;
  const fs::path executable = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    for (const char* near : {"assets", "../assets", "../share/streamscope/assets"}) {
      const fs::path candidate = executable.parent_path() / near;
      if (fs::is_directory(candidate / "devices", error)) return candidate.lexically_normal();
    }
  }
  return STREAMSCOPE_ASSETS_BUILT_FROM;
}

Result<std::string> read_text(const fs::path& path, std::uintmax_t limit) {
  std::error_code error;
  if (fs::is_directory(path, error)) return failed(path, "read", "it is a folder");
  std::ifstream file(path, std::ios::binary);
  if (!file) return failed(path, "read", std::strerror(errno));
  std::string text;
  char block[1 << 16];
  while (file.read(block, sizeof block) || file.gcount() > 0) {
    text.append(block, static_cast<std::size_t>(file.gcount()));
    if (text.size() > limit) return failed(path, "read", fmt::format("it is larger than {} bytes", limit));
  }
  return text;
}

Result<void> write_text(const fs::path& path, std::string_view text) {
  if (path == "-") {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
      return failed("stdout", "write", std::strerror(errno));
    }
    return {};
  }
  // A device or a pipe is written in place: renaming over it would replace it.
  std::error_code error;
  const bool in_place = fs::exists(path, error) && !fs::is_regular_file(path, error);
  fs::path written = path;
  if (!in_place) written += fmt::format(".{}.tmp", ::getpid());
  {
    std::ofstream file(written, std::ios::binary | std::ios::trunc);
    if (!file) return failed(path, "write", std::strerror(errno));
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.close();
    if (!file) {
      const std::string why = std::strerror(errno);
      if (!in_place) fs::remove(written, error);
      return failed(path, "write", why);
    }
  }
  if (in_place) return {};
  fs::rename(written, path, error);
  if (error) {
    const std::string why = error.message();
    fs::remove(written, error);
    return failed(path, "write", why);
  }
  return {};
}

}  // namespace streamscope
