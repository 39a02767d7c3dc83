#include "engine/base/file_writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "engine/base/ending.h"
#include "engine/base/translate.h"

namespace streamscope {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // as Linux has it
constexpr mode_t kPermissions = 07777, kGroup = 0070;

tl::unexpected<Error> refused(const fs::path& path, std::string_view why) {
  return fail(ErrorKind::bad_input, fmt::format("{}: {}: {}", path.string(), tr("cannot write"), why));
}

// The call again as long as a signal cuts it short.
template <class Call>
auto repeated(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

// In the same folder, so that the rename stays on one file system. As short for a long name as for a short one.
Result<fs::path> temporary_name(const fs::path& target) {
  std::uint64_t random = 0;
  if (::getentropy(&random, sizeof random) != 0) return refused(target, std::strerror(errno));
  return target.parent_path() / fmt::format(".streamscope-{:016x}.tmp", random);
}

// As the file that it replaces. Where the group cannot be kept, the new one gets no more than everybody.
bool take_over(int file, const struct stat& old) {
  mode_t mode = old.st_mode & kPermissions;
  if (::fchown(file, old.st_uid, old.st_gid) != 0) mode &= ~kGroup | ((mode & 07) << 3);
  return ::fchmod(file, mode) == 0;
}

// A limit on the size of files is then an error of write() and not the end of the process.
void outlive_size_limit() {
  struct sigaction now {};
  if (::sigaction(SIGXFSZ, nullptr, &now) == 0 && now.sa_handler == SIG_DFL) ::signal(SIGXFSZ, SIG_IGN);
}

// So that the new name is there after a power failure, too. Not every file system can.
void flush_folder(const fs::path& of) {
  const fs::path folder = of.has_parent_path() ? of.parent_path() : fs::path(".");
  const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) return;
  ::fsync(opened);
  ::close(opened);
}

}  // namespace

struct FileWriter::Target {
  fs::path path, file, temporary;  // as named; behind links; empty: written in place
  int descriptor = -1;
  std::string wrong;  // why nothing more is written
  std::optional<EndlessWait> waiting;
  std::optional<RemovedWhenEnded> removed;

  ~Target() {
    shut();
    if (!temporary.empty()) ::unlink(temporary.c_str());
  }
  bool shut() {
    const int open = std::exchange(descriptor, -1);
    return open < 0 || open == STDOUT_FILENO || ::close(open) == 0 || errno == EINTR;
  }
  void fail() {
    if (wrong.empty()) wrong = std::strerror(errno);
  }

  Result<void> open_in_place() {
    waiting.emplace();  // a pipe is opened once somebody reads from it
    descriptor = repeated([&] { return ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY); });
    if (descriptor < 0) return refused(path, std::strerror(errno));
    return {};
  }
  Result<void> open_beside(const struct stat* old) {
    if (old != nullptr && ::access(file.c_str(), W_OK) != 0) return refused(path, std::strerror(errno));
    do {
      const fs::path name = TRY(temporary_name(file));
      removed.reset();
      removed.emplace(name);
      // Of a file that is replaced nobody may read more than before, not even while it is written.
      const mode_t mode = old != nullptr ? 0600 : 0666;
      descriptor =
          repeated([&] { return ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode); });
      if (descriptor >= 0) temporary = name;
    } while (descriptor < 0 && errno == EEXIST);
    if (descriptor < 0) return refused(path, std::strerror(errno));
    if (old != nullptr && !take_over(descriptor, *old)) return refused(path, std::strerror(errno));
    return {};
  }
};

FileWriter::FileWriter(std::unique_ptr<Target> target) : target_(std::move(target)) {}
FileWriter::FileWriter(FileWriter&&) noexcept = default;
FileWriter& FileWriter::operator=(FileWriter&&) noexcept = default;
FileWriter::~FileWriter() = default;

Result<FileWriter> FileWriter::open(const fs::path& path) {
  auto target = std::make_unique<Target>();
  target->path = path;
  outlive_size_limit();
  if (path == "-") {
    std::fflush(stdout);
    target->path = "stdout";
    target->descriptor = STDOUT_FILENO;
    target->waiting.emplace();
    return FileWriter(std::move(target));
  }
  // The kernel follows the links: those of /proc/self/fd, behind /dev/stdout, name no path where they lead to a pipe.
  struct stat old {};
  const bool there = ::stat(path.c_str(), &old) == 0;
  if (!there && errno != ENOENT) return refused(path, std::strerror(errno));
  if (there && S_ISDIR(old.st_mode)) return refused(path, tr("it is a folder"));
  if (there && !S_ISREG(old.st_mode)) {
    TRY(target->open_in_place());
  } else {
    target->file = TRY(behind_links(path));
    TRY(target->open_beside(there ? &old : nullptr));
  }
  return FileWriter(std::move(target));
}

void FileWriter::write(std::string_view text) {
  Target& to = *target_;
  while (!text.empty() && to.wrong.empty()) {
    const ssize_t put = repeated([&] { return ::write(to.descriptor, text.data(), text.size()); });
    if (put >= 0) {
      text.remove_prefix(static_cast<std::size_t>(put));
    } else if (errno == EAGAIN) {  // a standard output that somebody else made so
      pollfd ready{to.descriptor, POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else {
      to.fail();
    }
  }
}

Result<void> FileWriter::finish() {
  const std::unique_ptr<Target> to = std::move(target_);
  const bool beside = !to->temporary.empty();
  if (to->wrong.empty() && beside && repeated([&] { return ::fsync(to->descriptor); }) != 0 && errno != EINVAL)
    to->fail();
  if (!to->shut()) to->fail();
  if (to->wrong.empty() && beside) {
    if (::rename(to->temporary.c_str(), to->file.c_str()) == 0)
      to->temporary.clear();
    else
      to->fail();
  }
  if (!to->wrong.empty()) return refused(to->path, to->wrong);
  if (beside) flush_folder(to->file);
  return {};
}

Result<fs::path> behind_links(const fs::path& path) {
  fs::path at = path;
  std::error_code error;
  for (int links = 0; fs::is_symlink(at, error); ++links) {
    if (links == kMostLinks) return refused(path, std::strerror(ELOOP));
    const fs::path target = fs::read_symlink(at, error);
    if (error) return refused(path, error.message());
    at = at.parent_path() / target;
  }
  return at;
}

Result<void> write_file(const fs::path& path, const std::function<void(const TextSink&)>& make) {
  FileWriter file = TRY(FileWriter::open(path));
  make([&](std::string_view text) { file.write(text); });
  return file.finish();
}

}  // namespace streamscope
