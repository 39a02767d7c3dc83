// A file mapped into memory.
//
// Another program may shorten the file meanwhile. Reading what is gone would end the process (SIGBUS); instead the
// bytes that are gone read as zeros, and shortened() says so.
#pragma once

#include <filesystem>
#include <string_view>
#include <utility>

#include "engine/base/result.h"

namespace streamscope::input {

class MappedFile {
 public:
  static Result<MappedFile> open(const std::filesystem::path& path);
  MappedFile(MappedFile&& other) noexcept { *this = std::move(other); }
  MappedFile& operator=(MappedFile&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(guard_, other.guard_);
    return *this;
  }
  ~MappedFile();

  std::string_view text() const { return data_; }
  bool shortened() const;
  // What lies before is not read soon: its memory may be freed.
  void discard_before(std::size_t offset) const;

 private:
  MappedFile() = default;
  std::string_view data_;
  int guard_ = -1;  // which of the process's guarded mappings; none: -1
};

}  // namespace streamscope::input
