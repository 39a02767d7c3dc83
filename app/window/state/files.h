// The files that were open last, and the questions before one is opened or saved.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/draw/picture_file.h"

namespace streamscope::sweep {
struct Sweep;
}

namespace streamscope::window {

inline constexpr std::size_t kMostRecent = 12;

enum class FileQuestion : std::uint8_t { none, open, save, save_cuda, save_export };

struct FolderEntry {
  std::string name;
  bool folder = false;
  friend bool operator==(const FolderEntry&, const FolderEntry&) = default;
};
// What is in a folder: folders first, hidden files left out.
struct Folder {
  std::filesystem::path path;
  std::vector<FolderEntry> entries;
  std::string why_not;  // it cannot be read; empty: it can
};

// Whether a file of that name may be an experiment, a program or a trace.
bool can_be_opened(std::string_view name);

struct ShownRun;

struct PictureOfRun {
  std::shared_ptr<const ShownRun> run;
  draw::PictureRequest request;
};
struct SweepFile {
  std::shared_ptr<const sweep::Sweep> sweep;
  bool picture = false;  // the plot as PNG, else the table as CSV
};
// What was asked for is written, however long the question where to stands and whatever is in view by then.
struct ExportedFile {
  std::variant<PictureOfRun, SweepFile> what;
  std::filesystem::path path = {};  // in which it was to be written at once; empty: that is asked
  bool of_view = false;             // of a picture: what is in sight of the timeline, which is not in it yet
  bool replace = false;             // the file that is there
  std::uint64_t number = 0;         // of exports: what became of this one is told apart from an earlier one's
};
std::string_view ending_of(const ExportedFile& exported);  // "png"

struct Files {
  std::vector<std::filesystem::path> recent;  // the newest first
  FileQuestion asks = FileQuestion::none;
  Folder folder;                         // that the question is about
  std::string name;                      // typed there
  std::filesystem::path there;           // what was to be saved under that name would replace; empty: nothing
  std::optional<ExportedFile> exported;  // that the question is about, or that is being written without one
  std::uint64_t exports = 0;             // begun so far
};

// What is to be written: an experiment's TOML, or the text of a program, also as CUDA C++.
enum class SavedAs : std::uint8_t { experiment, program, cuda };
struct SavedText {
  std::filesystem::path path;
  std::string text;  // of CUDA C++ the program's
  SavedAs as = SavedAs::experiment;
  bool replace = false;  // the file that is there; else it is refused
};

namespace command {
struct AskFile {
  FileQuestion which;
};
struct FolderListed {
  Folder folder;
};
struct TypeFileName {
  std::string name;
};
// These are about what is set and typed, too.
struct FileThere {  // nothing was written: whether it is to be replaced is asked
  std::filesystem::path path;
  std::optional<ExportedFile> exported = std::nullopt;  // with what was in sight when it was asked for
};
struct ListFolder {
  std::filesystem::path path;  // relative to the one that is listed
};
struct Save {};  // in the file that it is from; where there is none, it is asked
struct SaveAs {
  std::filesystem::path path;
  bool replace = false;
};
struct FileSaved {
  SavedText saved;
};
struct ExportSaved {
  std::uint64_t number;
  std::filesystem::path path;
};
struct ExportFailed {
  std::uint64_t number;
  std::string why;
};
}  // namespace command

using FilesCommand = std::variant<command::AskFile, command::FolderListed, command::TypeFileName>;
void update(Files& files, const FilesCommand& command);

void begin_export(Files& files, ExportedFile exported);

void note_recent(Files& files, const std::filesystem::path& path);
// A path as typed: from the listed folder, or with ~ from the person's own.
std::filesystem::path typed_path(const Files& files, const std::string& typed);

}  // namespace streamscope::window
