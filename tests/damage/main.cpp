// What the readers make of damaged files: of each format a file is cut at every byte, and single bits of it are turned
// over; and files are made that ask for much memory or time in few bytes.
//
//   damaged_files SOURCE_TREE            every cut, 10,000 bits, 16 MiB of greed: some minutes, and a table
//   damaged_files SOURCE_TREE --few      60 cuts, 60 bits, 1 MiB: seconds, as a test
//
// Exit code 1: a reader crashed, took more than a minute of the processor or more memory than 64 times the file and 64
// MiB, lost operations without an error or a note, or gave an error without the file's name in front.
#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>

#include "tests/damage/formats.h"
#include "tests/damage/heap.h"
#include "tests/damage/readers.h"

namespace streamscope::damage {
namespace {

constexpr std::size_t kMemoryEach = 64, kMemoryAlways = 64u << 20;
constexpr rlim_t kAddressSpace = rlim_t{8} << 30;
constexpr int kSecondsOfProcessor = 60;

struct Case {
  Seen seen;  // its error as `wrong` alone
  std::size_t memory = 0;
  std::uint64_t time = 0;  // of the processor, microseconds
};

std::uint64_t processor_time() {
  rusage use{};
  ::getrusage(RUSAGE_SELF, &use);
  const auto of = [](const timeval& each) {
    return static_cast<std::uint64_t>(each.tv_sec * 1'000'000 + each.tv_usec);
  };
  return of(use.ru_utime) + of(use.ru_stime);
}

Case tried(Seen (*look)(std::string_view), std::string_view bytes) {
  const itimerval limit{{0, 0}, {kSecondsOfProcessor, 0}};
  ::setitimer(ITIMER_PROF, &limit, nullptr);
  const std::size_t before = heap_now();
  reset_peak();
  const std::uint64_t begin = processor_time();
  Case out;
  out.seen = look(bytes);
  out.time = processor_time() - begin;
  out.memory = heap_peak() - before;
  return out;
}

// How each of `count` cases ended, in words of one letter: r(ead), e(rror), s(ilent loss), n(o place), c(rash), h(ang).
struct Ended {
  char how = 'c';
  std::size_t memory = 0, size = 0;
  std::uint64_t time = 0;
};

// In a process of its own, and in a new one behind each that ended it.
std::vector<Ended> isolated(std::size_t count, const std::function<Ended(std::size_t)>& one) {
  std::vector<Ended> all;
  while (all.size() < count) {
    int ends[2];
    if (::pipe(ends) != 0) std::abort();
    const pid_t child = ::fork();
    if (child == 0) {
      ::close(ends[0]);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
      const rlimit space{kAddressSpace, kAddressSpace};
      ::setrlimit(RLIMIT_AS, &space);
#endif
      for (std::size_t i = all.size(); i < count; ++i) {
        const Ended ended = one(i);
        if (::write(ends[1], &ended, sizeof ended) != sizeof ended) break;
      }
      ::_exit(0);
    }
    ::close(ends[1]);
    Ended ended;
    while (::read(ends[0], &ended, sizeof ended) == sizeof ended) all.push_back(ended);
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (all.size() < count) all.push_back({WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF ? 'h' : 'c'});
  }
  return all;
}

bool too_much(const Ended& one) { return one.memory > kMemoryEach * one.size + kMemoryAlways; }

struct Sums {
  std::size_t read = 0, errors = 0, silent = 0, no_place = 0, crashes = 0, hangs = 0, greedy = 0, memory = 0;
  std::uint64_t time = 0;
  bool bad() const { return silent + no_place + crashes + hangs + greedy > 0; }
};
Sums sums(const std::vector<Ended>& all) {
  Sums out;
  for (const Ended& each : all) {
    ++(each.how == 'r'   ? out.read
       : each.how == 'e' ? out.errors
       : each.how == 's' ? out.silent
       : each.how == 'n' ? out.no_place
       : each.how == 'h' ? out.hangs
                         : out.crashes);
    out.greedy += too_much(each) ? 1 : 0;
    out.memory = std::max(out.memory, each.memory);
    out.time = std::max(out.time, each.time);
  }
  return out;
}

Ended ended(const Format& format, const Seen& whole, std::string_view bytes) {
  const Case one = tried(format.look, bytes);
  const std::string& error = one.seen.error;
  Ended out{'r', one.memory, bytes.size(), one.time};
  const bool file = format.look != messages;  // a pipe has no name
  if (!error.empty()) out.how = !file || error.starts_with("f:") ? 'e' : 'n';
  if (error.empty() && format.written_by_programs && one.seen.things < whole.things && one.seen.notes == whole.notes)
    out.how = 's';
  return out;
}

// The worst cases by name, so that they can be looked at.
void name_bad(const Format& format, const char* what, const std::vector<Ended>& all,
              const std::function<std::string(std::size_t)>& which) {
  int named = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if ((all[i].how == 'r' || all[i].how == 'e') && !too_much(all[i])) continue;
    if (++named > 5) return;
    fmt::print("  {}: {} {}: '{}', {} bytes of memory\n", format.name, what, which(i), all[i].how, all[i].memory);
  }
}

bool damage(const Format& format, bool few) {
  const Case whole = tried(format.look, format.bytes);
  if (!whole.seen.error.empty()) {
    fmt::print("{}: the file itself cannot be read: {}\n", format.name, whole.seen.error);
    return false;
  }
  const std::size_t size = format.bytes.size();
  const std::size_t cuts = few ? 60 : size - 1, flips = few ? 60 : 10'000;
  const auto length = [&](std::size_t i) { return 1 + i * (size - 1) / cuts; };
  const std::vector<Ended> cut = isolated(cuts, [&](std::size_t i) {
    return ended(format, whole.seen, std::string_view(format.bytes).substr(0, length(i)));
  });
  std::mt19937_64 random(1);
  std::vector<std::size_t> bits(flips);
  for (std::size_t& each : bits) each = random() % (size * 8);
  const std::vector<Ended> flipped = isolated(flips, [&](std::size_t i) {
    std::string bytes = format.bytes;
    bytes[bits[i] / 8] = static_cast<char>(bytes[bits[i] / 8] ^ (1 << bits[i] % 8));
    return ended(format, whole.seen, bytes);
  });
  const Sums of_cuts = sums(cut), of_flips = sums(flipped);
  const double time = static_cast<double>(std::max(of_cuts.time, of_flips.time)) /
                      static_cast<double>(std::max<std::uint64_t>(whole.time, 1));
  fmt::print("{:22} {:6} {:6} {:6} {:6} {:6} {:6} {:5} {:5} {:6} {:5} {:8.1f} {:6.1f}\n", format.name, size, cuts,
             of_cuts.read, flips, of_flips.read, of_cuts.errors + of_flips.errors, of_cuts.crashes + of_flips.crashes,
             of_cuts.hangs + of_flips.hangs, of_cuts.silent + of_flips.silent, of_cuts.no_place + of_flips.no_place,
             static_cast<double>(std::max(of_cuts.memory, of_flips.memory)) / static_cast<double>(size), time);
  name_bad(format, "cut at", cut, [&](std::size_t i) { return std::to_string(length(i)); });
  name_bad(format, "bit", flipped, [&](std::size_t i) { return fmt::format("{}.{}", bits[i] / 8, bits[i] % 8); });
  std::fflush(stdout);
  return !of_cuts.bad() && !of_flips.bad();
}

bool greed(const Greedy& greedy, std::size_t bytes) {
  const std::size_t sizes[] = {bytes / 8, bytes};
  const std::vector<Ended> both = isolated(2, [&](std::size_t i) {
    const std::string file = greedy.make(sizes[i]);
    const Case one = tried(greedy.look, file);
    return Ended{one.seen.error.empty() ? 'r' : 'e', one.memory, file.size(), one.time};
  });
  const Ended &small = both[0], &large = both[1];
  const Sums all = sums(both);
  const char* const how = all.crashes > 0 ? "crash" : all.hangs > 0 ? "hang" : large.how == 'r' ? "read" : "error";
  const double growth = static_cast<double>(large.time) * static_cast<double>(std::max<std::size_t>(small.size, 1)) /
                        (static_cast<double>(std::max<std::uint64_t>(small.time, 1)) *
                         static_cast<double>(std::max<std::size_t>(large.size, 1)));
  fmt::print("{:36} {:>9} {:>6} {:9.1f} {:8.1f} {:7.2f} {:7.1f}{}\n", greedy.name, large.size, how,
             static_cast<double>(large.memory) / 1e6,
             static_cast<double>(large.memory) / static_cast<double>(std::max<std::size_t>(large.size, 1)),
             static_cast<double>(large.time) / 1e6, growth, all.greedy > 0 ? "  TOO MUCH MEMORY" : "");
  std::fflush(stdout);
  return !all.bad();
}

int table(const std::string& source, bool few) {
  bool good = true;
  fmt::print("{:22} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>5} {:>5} {:>6} {:>5} {:>8} {:>6}\n", "format", "bytes",
             "cuts", "read", "flips", "read", "errors", "crash", "hang", "silent", "place", "memory/B", "time");
  for (const Format& each : formats(source)) good &= damage(each, few);
  fmt::print("\n{:36} {:>9} {:>6} {:>9} {:>8} {:>7} {:>7}\n", "greedy file", "bytes", "", "MB", "memory/B", "s",
             "growth");
  for (const Greedy& each : greedy_files()) good &= greed(each, few ? 1u << 20 : 16u << 20);
  return good ? 0 : 1;
}

}  // namespace
}  // namespace streamscope::damage

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: damaged_files SOURCE_TREE [--few]\n");
    return 2;
  }
  return streamscope::damage::table(argv[1], argc > 2 && std::string_view(argv[2]) == "--few");
}
