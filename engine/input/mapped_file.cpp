#include "engine/input/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <mutex>

#include "engine/base/place.h"
#include "engine/base/translate.h"

namespace streamscope::input {
namespace {

// What the handler of SIGBUS knows of the mappings. It reads them only.
struct Guard {
  std::atomic<std::uintptr_t> begin{0};  // 0: free
  std::atomic<std::size_t> size{0};
  std::atomic<bool> broken{false};
};
std::array<Guard, 32> guards;
std::mutex guarding;

void on_bus_error(int signal, siginfo_t* info, void*) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  for (Guard& guard : guards) {
    const std::uintptr_t begin = guard.begin;
    if (begin == 0 || address < begin || address >= begin + guard.size) continue;
    const auto page = static_cast<std::uintptr_t>(::getpagesize());
    void* const at = reinterpret_cast<void*>(address / page * page);
    if (::mmap(at, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED) break;
    guard.broken = true;
    return;
  }
  ::signal(signal, SIG_DFL);  // not in one of our mappings: the signal is raised again and ends the process
}

// -1: there are too many, or no handler can be set; then there is no guard.
int guard_mapping(const void* data, std::size_t size) {
  const std::lock_guard lock(guarding);
  static const bool handled = [] {
    struct sigaction action {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO;
    return ::sigaction(SIGBUS, &action, nullptr) == 0;
  }();
  if (!handled) return -1;
  for (std::size_t i = 0; i < guards.size(); ++i) {
    if (guards[i].begin != 0) continue;
    guards[i].broken = false;
    guards[i].size = size;
    guards[i].begin = reinterpret_cast<std::uintptr_t>(data);
    return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
  const auto refused = [&](const std::string& why) {
    return fail(ErrorKind::bad_input, error_at(path.string(), tr("cannot read: {}", why)));
  };
  // Not blocking: a pipe without a writer would block the open.
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return refused(std::strerror(errno));
  struct stat status {};
  const bool known = ::fstat(file, &status) == 0;
  MappedFile mapped;
  if (!known || !S_ISREG(status.st_mode)) {
    ::close(file);
    return refused(tr("it is no plain file"));
  }
  if (status.st_size > 0) {
    const auto size = static_cast<std::size_t>(status.st_size);
    void* at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    const int why = errno;
    ::close(file);
    if (at == MAP_FAILED) return refused(std::strerror(why));
    ::madvise(at, size, MADV_SEQUENTIAL);
    mapped.data_ = {static_cast<const char*>(at), size};
    mapped.guard_ = guard_mapping(at, size);
  } else {
    ::close(file);
  }
  return mapped;
}

MappedFile::~MappedFile() {
  if (guard_ >= 0) guards[static_cast<std::size_t>(guard_)].begin = 0;
  if (!data_.empty()) ::munmap(const_cast<char*>(data_.data()), data_.size());
}

bool MappedFile::shortened() const { return guard_ >= 0 && guards[static_cast<std::size_t>(guard_)].broken; }

void MappedFile::discard_before(std::size_t offset) const {
  constexpr std::size_t kPage = 1u << 16;
  const std::size_t whole = offset / kPage * kPage;
  if (whole > 0) ::madvise(const_cast<char*>(data_.data()), whole, MADV_DONTNEED);
}

}  // namespace streamscope::input
