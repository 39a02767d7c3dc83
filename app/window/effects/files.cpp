#include "app/window/effects/files.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/draw/picture_file.h"
#include "engine/base/files.h"
#include "engine/experiment/build.h"
#include "engine/experiment/experiment_file.h"

namespace streamscope::window {
namespace {

constexpr const char* kDefault = "four-streams";
constexpr std::uintmax_t kLargestInputText = 64u << 20;

}  // namespace

Result<OpenedFile> open_file(const std::filesystem::path& path) {
  std::string words = TRY(read_text(path, kLargestInputText));
  OpenedFile file{.name = path.stem().string(), .content = {}};
  if (path.extension() == ".toml") {
    file.content = TRY(experiment::parse_experiment(words, path.string())).experiment;
  } else {
    file.content.program = std::move(words);
    if (file.content.program.empty()) file.content.program.push_back('\n');
  }
  return file;
}

Result<command::TraceOpened> open_run(const std::filesystem::path& path, const input::OpenControl& control) {
  trace::Run run = TRY(input::open_trace(path, control));
  command::TraceOpened opened{path.filename().string(), nullptr, std::nullopt};
  OpenedFile file{.name = path.stem().string(), .content = {}};
  auto parsed = experiment::parse_experiment(run.experiment, path.string());
  if (!run.experiment.empty() && parsed) {
    file.content = std::move(parsed->experiment);
    // Typed since: then it is not what the experiment builds.
    if (file.content.program.empty() && experiment::build(file.content) != run.program)
      file.content.program = run.program;
    opened.file = std::move(file);
  } else if (!run.program.empty()) {
    file.content.program = run.program;
    opened.file = std::move(file);
  }
  opened.run = std::make_shared<const trace::Run>(std::move(run));
  return opened;
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
      if (const auto file = open_file(path)) listed.about = file->content.about;
      found.push_back(std::move(listed));
    }
  }
  std::sort(found.begin(), found.end(), [](const Listed& a, const Listed& b) {
    return std::pair(a.name != kDefault, a.name) < std::pair(b.name != kDefault, b.name);
  });
  return found;
}

}  // namespace streamscope::window
