// Entries of the experiments and programs that come with the program, read from their files.
#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/help/help.h"
#include "engine/base/files.h"
#include "engine/base/translate.h"
#include "engine/experiment/experiment_file.h"

namespace streamscope::help {
namespace {

namespace fs = std::filesystem;

// The comment that a program begins with, in one line.
std::string head_of(std::string_view text) {
  std::string out;
  while (text.starts_with('#')) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(1, end - 1);
    while (line.starts_with(' ')) line.remove_prefix(1);
    if (!out.empty() && !line.empty()) out += ' ';
    out += line;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// The first sentence, and the rest.
std::pair<std::string, std::string> parted(const std::string& text) {
  const std::size_t end = text.find(". ");
  if (end == std::string::npos) return {text, {}};
  return {text.substr(0, end + 1), text.substr(end + 2)};
}

Entry entry_of(const fs::path& path, const std::string& text) {
  const std::string name = path.stem().string();
  Entry entry{.word = name, .example = "streamscope run " + name};
  std::string about;
  if (path.extension() == ".toml") {
    entry.kind = Kind::experiment;
    if (const auto file = experiment::parse_experiment(text, name)) {
      if (!file->experiment.name.empty()) entry.also.push_back(file->experiment.name);
      about = file->experiment.about;
    }
  } else {
    entry.kind = Kind::program;
    about = head_of(text);
  }
  std::tie(entry.sentence, entry.text) = parted(about);
  if (entry.sentence.empty()) entry.sentence = tr("It comes with the program.");
  return entry;
}

}  // namespace

Entries shipped() {
  Entries out;
  for (const char* folder : {"experiments", "programs"}) {
    std::vector<fs::path> paths;
    std::error_code error;
    for (fs::directory_iterator at(assets_folder() / folder, error), end; !error && at != end; at.increment(error)) {
      if (at->path().extension() == ".toml" || at->path().extension() == ".streams") paths.push_back(at->path());
    }
    std::sort(paths.begin(), paths.end());
    for (const fs::path& path : paths) {
      if (const auto text = read_text(path, 1u << 20)) out.push_back(entry_of(path, *text));
    }
  }
  return out;
}

}  // namespace streamscope::help
