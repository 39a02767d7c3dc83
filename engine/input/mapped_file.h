// A file's bytes in the address space, read in as they are looked at.
#pragma once

#include <filesystem>
#include <string_view>

#include "engine/base/result.h"

namespace streamscope::input {

class MappedFile {
 public:
  static Result<MappedFile> open(const std::filesystem::path& path);
  MappedFile(MappedFile&& other) noexcept : data_(std::exchange(other.data_, {})) {}
  MappedFile& operator=(MappedFile&& other) noexcept {
    std::swap(data_, other.data_);
    return *this;
  }
  ~MappedFile();

  std::string_view text() const { return data_; }
  // What lies before is not looked at soon: its memory may go.
  void passed(std::size_t offset) const;

 private:
  MappedFile() = default;
  std::string_view data_;
};

}  // namespace streamscope::input
