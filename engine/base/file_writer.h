// The one way in which the program writes a file: whole or not at all.
//
// What is written goes to a temporary file in the same folder, with a name that nobody can foretell; finish() makes
// sure that it is on the disk and gives it the name. Until then the old file is as it was, and whatever ends the
// writing (an error, a full disk, a signal) leaves nothing behind. A file that is replaced keeps its permissions and,
// where the system lets us, its owner; it is another file, so that other hard links keep the old text. A symbolic link
// stays, and what it leads to is written. A file that may not be written is left alone, though its folder would let it
// be replaced.
//
// A device or a pipe is written in place, and "-" is standard output: nothing can be taken back there.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>

#include "engine/base/result.h"

namespace streamscope {

class FileWriter {
 public:
  static Result<FileWriter> open(const std::filesystem::path& path);
  FileWriter(FileWriter&&) noexcept;
  FileWriter& operator=(FileWriter&&) noexcept;
  ~FileWriter();  // without finish(): as if nothing had been written

  void write(std::string_view text);  // does nothing once something went wrong
  Result<void> finish();              // what went wrong first; to be called once

 private:
  struct Target;
  explicit FileWriter(std::unique_ptr<Target> target);
  std::unique_ptr<Target> target_;
};

// The file that is written for `path`: behind all symbolic links, be it there or not. Error: they lead in a circle.
Result<std::filesystem::path> behind_links(const std::filesystem::path& path);

// Where text goes that is made piece by piece.
using TextSink = std::function<void(std::string_view)>;
// What `make` gives to its sink, as that file.
Result<void> write_file(const std::filesystem::path& path, const std::function<void(const TextSink&)>& make);

}  // namespace streamscope
