#include "app/window/effects/files.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/draw/paper.h"
#include "app/draw/picture_file.h"
#include "app/draw/sweep_chart.h"
#include "engine/base/files.h"
#include "engine/experiment/build.h"
#include "engine/experiment/experiment_file.h"
#include "engine/experiment/read_input.h"
#include "engine/experiment/shipped.h"
#include "engine/output/output.h"

namespace streamscope::window {
namespace {

constexpr const char* kDefault = "four-streams";
constexpr std::uintmax_t kLargestInputText = 64u << 20;

}  // namespace

Result<OpenedFile> open_file(const std::filesystem::path& path) {
  std::string words = TRY(read_text(path, kLargestInputText));
  TRY(experiment::check_is_input(path, words));
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

Result<void> check_export(const ExportedFile& exported) {
  const auto* const picture = std::get_if<PictureOfRun>(&exported.what);
  return picture != nullptr ? draw::check_picture(*picture->run->run, picture->request) : Result<void>();
}

Result<std::filesystem::path> write_export(const ExportedFile& exported) {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::absolute(exported.path, error);
  if (error) return fail(ErrorKind::bad_input, tr("there is no working folder ({}).", error.message()));
  if (const auto* const picture = std::get_if<PictureOfRun>(&exported.what)) {
    draw::PictureRequest request = picture->request;
    request.path = path;
    return draw::write_picture(*picture->run->run, request);
  }
  const SweepFile& file = std::get<SweepFile>(exported.what);
  if (file.picture) {
    const draw::ChartOptions drawn;
    TRY(draw::write_png(draw::chart(draw::sweep_chart(*file.sweep), drawn), drawn.scale, path));
  } else {
    TRY(write_text(path, output::sweep_csv(*file.sweep)));
  }
  return path;
}

Folder list_folder(const std::filesystem::path& path) {
  std::error_code error;
  Folder out{.path = std::filesystem::absolute(path.empty() ? "." : path, error).lexically_normal(),
             .entries = {},
             .why_not = {}};
  if (!out.path.has_filename() && out.path != out.path.root_path()) out.path = out.path.parent_path();
  for (std::filesystem::directory_iterator at(out.path, error), end; !error && at != end; at.increment(error)) {
    std::error_code unknown;
    std::string name = at->path().filename().string();
    if (!name.starts_with('.')) out.entries.push_back({std::move(name), at->is_directory(unknown)});
  }
  if (error) out.why_not = error.message();
  std::ranges::sort(out.entries, {}, [](const FolderEntry& each) { return std::pair(!each.folder, each.name); });
  return out;
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
