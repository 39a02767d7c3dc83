#include "app/window/effects/files.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/draw/picture_file.h"
#include "engine/base/files.h"
#include "engine/experiment/build.h"
#include "engine/experiment/experiment_file.h"
#include "engine/experiment/shipped.h"

namespace streamscope::window {
namespace {

constexpr const char* kDefault = "four-streams";
constexpr std::uintmax_t kLargestInputText = 64u << 20;

}  // namespace

Result<OpenedFile> open_file(const std::filesystem::path& path) {
  std::string words = TRY(read_text(path, kLargestInputText));
  std::error_code ignored;
  OpenedFile file{
      .name = path.stem().string(), .content = {}, .path = std::filesystem::absolute(path, ignored).lexically_normal()};
  if (path.extension() == ".toml") {
    file.content = TRY(experiment::parse_experiment(words, path.string())).experiment;
  } else {
    file.content.about = experiment::head_of(words).about;
    file.content.program = std::move(words);
    if (file.content.program.empty()) file.content.program.push_back('\n');
  }
  return file;
}

Result<command::TraceOpened> open_run(const std::filesystem::path& path, const input::OpenControl& control) {
  trace::Run run = TRY(input::open_trace(path, control));
  std::error_code ignored;
  command::TraceOpened opened{path.filename().string(), std::filesystem::absolute(path, ignored).lexically_normal(),
                              nullptr, std::nullopt};
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

std::vector<experiment::Shipped> shipped_files() {
  std::vector<experiment::Shipped> found = experiment::shipped();
  std::stable_partition(found.begin(), found.end(),
                        [](const experiment::Shipped& each) { return each.name == kDefault; });
  return found;
}

}  // namespace streamscope::window
