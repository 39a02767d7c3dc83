// A stream program being written from drawn numbers, and roughly how long it will take.
//
// Only whole numbers are drawn and only by what is written here, never by a distribution of the library, so that a seed
// gives the same text on every platform. For the same reason no expression draws twice: which draw would come first is
// for the compiler to choose.
#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include "engine/program/program.h"

namespace streamscope::calibration {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  // Both ends included.
  std::uint64_t between(std::uint64_t least, std::uint64_t most) { return least + below(most - least + 1); }
  bool chance(unsigned per_cent) { return below(100) < per_cent; }
  template <class T>
  T one_of(std::initializer_list<T> choices) {
    return choices.begin()[below(choices.size())];
  }
  // Small numbers as often as large ones: each power of two between the ends has an equal share.
  std::uint64_t spread(std::uint64_t least, std::uint64_t most) {
    const auto octave =
        between(static_cast<std::uint64_t>(std::bit_width(least)), static_cast<std::uint64_t>(std::bit_width(most)));
    const std::uint64_t low = std::uint64_t{1} << (octave - 1);
    const std::uint64_t from = low < least ? least : low, to = 2 * low - 1 > most ? most : 2 * low - 1;
    return between(from, to);
  }
  // A size in KiB, a power of two half of the time: people like those.
  std::uint64_t kib(std::uint64_t least, std::uint64_t most) {
    const std::uint64_t size = spread(least, most);
    if (chance(50)) return size;
    const std::uint64_t round = std::bit_floor(size);
    return round < least ? least : round;
  }

 private:
  std::mt19937_64 random_;
};

using Host = program::HostMemory;

// Times are guesses from a large GPU, good to a factor of two or three: they only keep programs from growing too long.
class Sheet {
 public:
  explicit Sheet(std::uint64_t seed) : draw(seed) {}
  Draw draw;

  template <class... Values>
  void line(fmt::format_string<Values...> words, Values&&... values) {
    text_ += fmt::format(words, std::forward<Values>(values)...);
    text_ += '\n';
  }
  // So many passes over the lines, the variable of which is i.
  void repeat(std::uint64_t count, const std::vector<std::string>& lines) {
    line("repeat {} as i {{", count);
    for (const std::string& each : lines) line("  {}", each);
    line("}}");
  }
  // Buffers are powers of two MiB, so that a device can use the last program's memory again.
  void buffer(std::string_view name, std::uint64_t kib, Host host = Host::pinned) {
    const std::uint64_t mib = std::bit_ceil((kib + 1023) / 1024);
    line("buffer {} {}MiB{}", name, mib, host == Host::pinned ? "" : fmt::format(" host={}", program::name(host)));
  }
  void streams(std::string_view name, std::uint64_t count, bool nonblocking) {
    line("streams {} {}{}", name, count, nonblocking ? " nonblocking" : "");
  }
  Host host() {
    const std::uint64_t of_ten = draw.below(10);
    return of_ten < 6 ? Host::pinned : of_ten < 8 ? Host::pageable : Host::write_combined;
  }

  // A piece of a buffer of `all` KiB, anywhere on a boundary of 4 KiB.
  std::string piece(std::string_view buffer, std::uint64_t all, std::uint64_t kib) {
    return fmt::format("{}[{}KiB:{}KiB]", buffer, 4 * draw.below((all - kib) / 4 + 1), kib);
  }
  // " fma=…" that makes axpb of so many KiB take about so long with the whole device to itself.
  static std::uint64_t fma_for(std::uint64_t kib, std::uint64_t microseconds) {
    const std::uint64_t fma = microseconds * 1000 * 28'700 / (kib * 256);
    return fma < 1 ? 1 : fma > 4096 ? 4096 : fma;
  }
  static std::uint64_t copy_us(std::uint64_t kib, Host host) {
    return 3 + kib * 1024 / (host == Host::pageable ? 9'000 : 50'000);
  }

  void add_us(std::uint64_t microseconds) { microseconds_ += microseconds; }
  std::uint64_t microseconds() const { return microseconds_; }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  std::uint64_t microseconds_ = 0;
};

// The families of workloads: each writes one program from what it draws. `which` counts the programs of the family, so
// that one with few sorts can take them in turn.

// families_of_copies.cpp
void pipeline(Sheet& sheet, std::uint64_t which);         // copy in, kernel, copy out, by chunks through streams
void tiny_chunks(Sheet& sheet, std::uint64_t which);      // many copies of 64 KiB or less
void isolated_pinned(Sheet& sheet, std::uint64_t which);  // one copy alone, pinned
void isolated_other(Sheet& sheet, std::uint64_t which);   // one copy or memset alone, of any other sort
void blocking_copies(Sheet& sheet, std::uint64_t which);  // cudaMemcpy between kernels
// families_of_kernels.cpp
void concurrent_kernels(Sheet& sheet, std::uint64_t which);  // that leave room for each other
void oversubscribed(Sheet& sheet, std::uint64_t which);      // that do not
void priorities(Sheet& sheet, std::uint64_t which);
void many_streams(Sheet& sheet, std::uint64_t which);  // more than there are hardware queues
void long_queues(Sheet& sheet, std::uint64_t which);   // hundreds of operations in a stream
// families_of_order.cpp
void event_graph(Sheet& sheet, std::uint64_t which);      // a random graph of records and waits
void legacy_barriers(Sheet& sheet, std::uint64_t which);  // the default stream between others
void host_interplay(Sheet& sheet, std::uint64_t which);   // synchronisation, polls, work, allocation
// Host functions have a family to themselves: waking the driver's thread that runs them takes 5 us at one time and
// 450 us at another, so that a GPU does not agree with itself on any program that holds one.
void host_functions(Sheet& sheet, std::uint64_t which);
void mixed(Sheet& sheet, std::uint64_t which);  // a bit of all the others

// families_of_structure.cpp
void shared_memory(Sheet& sheet, std::uint64_t which);          // managed and mapped buffers
void graphs(Sheet& sheet, std::uint64_t which);                 // captured once, launched some times
void host_threads(Sheet& sheet, std::uint64_t which);           // several threads that issue side by side
void allocation_in_streams(Sheet& sheet, std::uint64_t which);  // cudaMallocAsync, work on it, cudaFreeAsync

}  // namespace streamscope::calibration
