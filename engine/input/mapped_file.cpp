#include "engine/input/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace streamscope::input {

Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
  const auto refused = [&](const std::string& why) {
    return fail(ErrorKind::bad_input, fmt::format("{}: error: cannot read: {}", path.string(), why));
  };
  // Not blocking: a pipe that nobody writes to would hold us.
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return refused(std::strerror(errno));
  struct stat status {};
  const bool known = ::fstat(file, &status) == 0;
  MappedFile mapped;
  if (!known || !S_ISREG(status.st_mode)) {
    ::close(file);
    return refused("it is no plain file");
  }
  if (status.st_size > 0) {
    const auto size = static_cast<std::size_t>(status.st_size);
    void* at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    const int why = errno;
    ::close(file);
    if (at == MAP_FAILED) return refused(std::strerror(why));
    ::madvise(at, size, MADV_SEQUENTIAL);
    mapped.data_ = {static_cast<const char*>(at), size};
  } else {
    ::close(file);
  }
  return mapped;
}

MappedFile::~MappedFile() {
  if (!data_.empty()) ::munmap(const_cast<char*>(data_.data()), data_.size());
}

void MappedFile::passed(std::size_t offset) const {
  constexpr std::size_t kPage = 1u << 16;
  const std::size_t whole = offset / kPage * kPage;
  if (whole > 0) ::madvise(const_cast<char*>(data_.data()), whole, MADV_DONTNEED);
}

}  // namespace streamscope::input
