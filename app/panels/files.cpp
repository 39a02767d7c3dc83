#include "app/panels/files.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/draw/picture_file.h"
#include "engine/base/files.h"

namespace streamscope {
namespace {

constexpr const char* kDefault = "four-streams";
constexpr std::uintmax_t kLargestText = 64u << 20;

}  // namespace

Result<OpenedFile> open_file(const std::filesystem::path& path) {
  auto words = read_text(path, kLargestText);
  if (!words) return fail(words.error());
  OpenedFile file{.name = path.stem().string(), .content = {}};
  if (path.extension() == ".toml") {
    auto parsed = parse_experiment(*words, path.string());
    if (!parsed) return fail(parsed.error());
    file.content = std::move(*parsed);
  } else {
    file.content.program = std::move(*words);
    if (file.content.program.empty()) file.content.program.push_back('\n');
  }
  return file;
}

OpenedFile default_file() {
  if (auto file = open_file(assets_folder() / "experiments" / fmt::format("{}.toml", kDefault)))
    return std::move(*file);
  return {.name = kDefault, .content = {}};
}

std::vector<Listed> shipped_files() {
  std::vector<Listed> found;
  for (const char* folder : {"experiments", "programs"}) {
    std::error_code ignored;
    for (std::filesystem::directory_iterator at(assets_folder() / folder, ignored), end; !ignored && at != end;
         at.increment(ignored)) {
      const std::filesystem::path& path = at->path();
      if (path.extension() != ".toml" && path.extension() != ".streams") continue;
      Listed listed{.path = path, .name = path.stem().string(), .about = {}};
      if (const auto file = open_file(path)) listed.about = file->content.experiment.about;
      found.push_back(std::move(listed));
    }
  }
  std::sort(found.begin(), found.end(), [](const Listed& a, const Listed& b) {
    return std::pair(a.name != kDefault, a.name) < std::pair(b.name != kDefault, b.name);
  });
  return found;
}

}  // namespace streamscope
