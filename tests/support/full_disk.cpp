// A disk on which one call fails, as on a full one: loaded before the program (LD_PRELOAD), it counts the calls that
// change files in a folder, and lets one of them fail with ENOSPC. A write that fails has written half of its bytes.
// STREAMSCOPE_DISK: the folder; STREAMSCOPE_DISK_FAILS: which call, from 1 on; 0: none. At the end the number of calls
// is written into the file STREAMSCOPE_DISK_CALLS.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

std::atomic<int> calls{0};

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

bool on_the_disk(const std::string& path) {
  const char* folder = std::getenv("STREAMSCOPE_DISK");
  return folder != nullptr && path.starts_with(folder);
}
bool on_the_disk(int descriptor) {
  char path[4096];
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t size = ::readlink(link.c_str(), path, sizeof path);
  return size > 0 && on_the_disk(std::string(path, static_cast<std::size_t>(size)));
}
bool fails() {
  const char* which = std::getenv("STREAMSCOPE_DISK_FAILS");
  if (++calls != (which == nullptr ? 0 : std::atoi(which))) return false;
  errno = ENOSPC;
  return true;
}

__attribute__((destructor)) void tell() {
  const char* path = std::getenv("STREAMSCOPE_DISK_CALLS");
  std::FILE* out = path == nullptr ? nullptr : std::fopen(path, "w");
  if (out == nullptr) return;
  std::fprintf(out, "%d", calls.load());
  std::fclose(out);
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  mode_t mode = 0;
  if ((flags & (O_CREAT | O_TMPFILE)) != 0) {
    va_list rest;
    va_start(rest, flags);
    mode = static_cast<mode_t>(va_arg(rest, int));
    va_end(rest);
  }
  if ((flags & O_CREAT) != 0 && on_the_disk(path) && fails()) return -1;
  return next<int(const char*, int, ...)>("open")(path, flags, mode);
}

ssize_t write(int descriptor, const void* bytes, std::size_t size) {
  auto* const real = next<ssize_t(int, const void*, std::size_t)>("write");
  if (on_the_disk(descriptor) && fails()) {
    real(descriptor, bytes, size / 2);
    errno = ENOSPC;
    return -1;
  }
  return real(descriptor, bytes, size);
}

int fsync(int descriptor) {
  if (on_the_disk(descriptor) && fails()) return -1;
  return next<int(int)>("fsync")(descriptor);
}

int rename(const char* from, const char* to) {
  if (on_the_disk(to) && fails()) return -1;
  return next<int(const char*, const char*)>("rename")(from, to);
}
}
