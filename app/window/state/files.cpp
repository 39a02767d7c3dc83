#include "app/window/state/files.h"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <utility>

namespace streamscope::window {
namespace {

struct FilesUpdate {
  Files& files;

  void operator()(const command::AskFile& c) {
    const bool given_up = files.asks == FileQuestion::save_export && c.which != FileQuestion::save_export;
    if (given_up) files.exported.reset();  // it keeps a run in memory
    files.asks = c.which;
    files.name.clear();
    files.there.clear();
  }
  void operator()(const command::FolderListed& c) { files.folder = c.folder; }
  void operator()(const command::TypeFileName& c) {
    files.name = c.name;
    files.there.clear();
  }
};

}  // namespace

bool can_be_opened(std::string_view name) {
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{".toml", ".streams", ".json", ".json.gz", ".sqlite", ".sqlite3", ".db",
                                              ".nsys-rep", ".qdrep"},
      [&](std::string_view ending) { return name.ends_with(ending); });
}

std::string_view ending_of(const ExportedFile& exported) {
  if (const auto* const picture = std::get_if<PictureOfRun>(&exported.what)) return draw::name(picture->request.format);
  return std::get<SweepFile>(exported.what).picture ? "png" : "csv";
}

void update(Files& files, const FilesCommand& command) { std::visit(FilesUpdate{files}, command); }

void begin_export(Files& files, ExportedFile exported) {
  exported.number = ++files.exports;
  files.exported = std::move(exported);
}

void note_recent(Files& files, const std::filesystem::path& path) {
  if (path.empty()) return;
  std::erase(files.recent, path);
  files.recent.insert(files.recent.begin(), path);
  if (files.recent.size() > kMostRecent) files.recent.resize(kMostRecent);
}

std::filesystem::path typed_path(const Files& files, const std::string& typed) {
  const char* const home = std::getenv("HOME");
  if (home != nullptr && (typed == "~" || typed.starts_with("~/")))
    return (std::filesystem::path(home) / typed.substr(std::min<std::size_t>(2, typed.size()))).lexically_normal();
  return (files.folder.path / typed).lexically_normal();
}

}  // namespace streamscope::window
