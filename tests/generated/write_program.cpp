#include "tests/generated/write_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/generated/memory.h"
#include "tests/generated/spelling.h"
#include "tests/generated/write_kernel.h"

namespace streamscope::generated {
namespace {

using program::HostMemory;

constexpr int kDeepest = 3;  // nested repeats

class Writer {
 public:
  Writer(std::uint64_t seed, const Wishes& wishes) : random_(seed), wishes_(wishes) {}

  std::string write() {
    if (wishes_.all_words && random_.once_in(6)) line("default-stream per-thread");
    if (wishes_.all_words && wishes_.threads) threads_ = static_cast<int>(random_.below(5)) - 2;  // 0 in three of five
    declarations();
    int begun = 0;
    for (int at = 0; at < wishes_.lines;) {
      if (begun < threads_ && random_.below(static_cast<std::uint64_t>(wishes_.lines)) < 6) {
        at += thread(begun++);
      } else {
        at += statement();
      }
    }
    while (capture()) {
    }
    for (int i = 0; i < begun; ++i) {
      if (!random_.once_in(4)) host(fmt::format("join T{}", i));
    }
    if (text_.find(": record g") == std::string::npos) line("A: record g");  // which makes it
    return std::move(text_);
  }

 private:
  struct Graph {
    std::string name;
    int thread;     // that may launch it: two threads may not, unless something orders them
    bool is_there;  // else the run captures it first
    int device;
  };

  // Lines
  void line(std::string_view words) {
    text_.append(2 * depth_, ' ').append(words);
    if (random_.once_in(80)) text_ += "  # \xCE\xBCs, {not} read: \"x[0:1]\"";
    text_ += random_.once_in(80) ? "\n\n" : "\n";
  }
  void host(const std::string& words) { line("host: " + words); }
  void open(const std::string& words) {
    line(words + " {");
    ++depth_;
  }
  void close() {
    --depth_;
    line("}");
  }

  // What is there
  std::string priority() {
    if (random_.once_in(30)) return fmt::format(" priority={}", random_.once_in(2) ? -2147483647 : 2147483647);
    return random_.once_in(3) ? " priority=" + integer(random_, random_.between(-6, 1)) : std::string();
  }
  std::string stream_options() { return (random_.once_in(2) ? " nonblocking" : "") + priority(); }
  std::string event_options() {
    return std::string(random_.once_in(4) ? " notiming" : "") + (random_.once_in(4) ? " blockingsync" : "");
  }
  void buffer(const std::string& name, HostMemory host, std::uint64_t bytes) {
    const bool say = host != HostMemory::pinned || random_.once_in(3);
    line(fmt::format("buffer {} {}{}", name, size(random_, bytes),
                     say ? fmt::format(" host={}", program::name(host)) : ""));
    memories_.push_back({.name = name, .bytes = bytes, .host = host});
  }
  // Of each further device, and a buffer with a side on all.
  void declare_devices() {
    std::string all = "0";
    for (int device = 1; device < wishes_.devices; ++device) {
      const std::string of = fmt::format(" device={}", device);
      const auto declare = [&](std::string_view name, HostMemory host) {
        const std::uint64_t bytes = 4 << 20;
        memories_.push_back(
            {.name = fmt::format("{}{}", name, device), .bytes = bytes, .host = host, .devices = 1U << device});
        line(fmt::format("buffer {} {} host={}{}", memories_.back().name, size(random_, bytes), program::name(host),
                         of));
      };
      declare("z", HostMemory::pinned);
      declare("v", HostMemory::pageable);
      for (const char* name : {"P", "Q"}) {
        line(fmt::format("stream {}{}{}{}", name, device, of, stream_options()));
        streams_.push_back(fmt::format("{}{}", name, device));
        device_of_[streams_.back()] = device;
      }
      line(fmt::format("streams R{}_ 2{}{}", device, of, stream_options()));
      for (const char* number : {"0", "1"}) {
        streams_.push_back(fmt::format("R{}_{}", device, number));
        device_of_[streams_.back()] = device;
      }
      line(fmt::format("event far{}{}{}", device, of, event_options()));
      events_.push_back(fmt::format("far{}", device));
      device_of_[events_.back()] = device;
      all += fmt::format(",{}", device);
    }
    line("buffer both 2MiB device=" + all);
    memories_.push_back({.name = "both", .bytes = 2 << 20, .devices = (1U << wishes_.devices) - 1});
  }
  std::uint64_t some_bytes(std::uint64_t most) {
    return 4 * static_cast<std::uint64_t>(random_.doubling(1, static_cast<std::int64_t>(most / 4)));
  }
  void declarations() {
    buffer("x", HostMemory::pinned, 8 << 20);
    buffer("y", HostMemory::pinned, 1 << (16 + random_.below(8)));
    buffer("p", HostMemory::pageable, 8 << 20);
    buffer("w", HostMemory::write_combined, 4 << 20);
    if (wishes_.all_words) {
      buffer("m", HostMemory::managed, 4 << 20);
      buffer("a", HostMemory::mapped, 1 << 20);
      if (random_.once_in(3)) buffer("odd", HostMemory::pinned, random_.between(1, 5000));
    }
    streams_ = {"default", "per-thread"};
    const auto declare = [&](const std::string& name) {
      line(fmt::format("stream {}{}", name, stream_options()));
      streams_.push_back(name);
    };
    for (const char* name : {"A", "B", "C", "D"}) declare(name);
    numbered_ = random_.between(1, 6);
    line(fmt::format("streams S {}{}", integer(random_, numbered_), stream_options()));
    for (std::int64_t i = 0; i < numbered_; ++i) streams_.push_back(fmt::format("S{}", i));
    line("event e" + event_options());
    line("event f" + event_options());
    events_ = {"e", "f", "g"};  // the last is made by its first record
    if (wishes_.devices > 1) declare_devices();
    for (std::uint64_t i = wishes_.all_words ? random_.below(4) : 0; i > 0; --i) graph();
  }

  // Of a stream or an event; the default streams are of the current device.
  int device_of(const std::string& name) const {
    if (name == "default" || name == "per-thread") return current_;
    const auto at = device_of_.find(name);
    return at == device_of_.end() ? 0 : at->second;
  }
  // What follows is for its device.
  std::string stream() {
    std::string name = some_stream();
    device_ = device_of(name);
    return name;
  }
  std::string some_stream() {
    if (!loops_.empty() && random_.once_in(2)) {
      return fmt::format("S{{{}%{}}}", random_.one_of(loops_).variable, numbered_);
    }
    return random_.one_of(streams_);
  }
  std::string stream_of(int device) {
    std::vector<std::string> all;
    std::ranges::copy_if(streams_, std::back_inserter(all),
                         [&](const auto& each) { return device_of(each) == device; });
    return random_.one_of(all);
  }
  std::string event() { return random_.one_of(events_); }
  std::string event_of(int device) {
    if (wishes_.devices == 1) return event();
    std::vector<std::string> all;
    std::ranges::copy_if(events_, std::back_inserter(all), [&](const auto& each) { return device_of(each) == device; });
    return random_.one_of(all);
  }
  template <class Fits>
  const Memory* memory(const Fits& fits_in) {
    const auto fits = [&](const Memory& one) { return has_side(one, device_) && fits_in(one); };
    const Memory& one = random_.one_of(memories_);
    if (fits(one)) return &one;
    std::vector<const Memory*> all;
    for (const Memory& each : memories_) {
      if (fits(each)) all.push_back(&each);
    }
    return all.empty() ? nullptr : random_.one_of(all);
  }
  // Of which a copy may name the host's side.
  static bool copied_by_host(const Memory& one) {
    return one.on_host || (!one.made_in_run && !program::is_shared(one.host));
  }
  static bool on_both_sides(const Memory& one) { return copied_by_host(one) && !one.on_host; }
  bool may_be_captured(const Memory& one) const {
    return !capturing_ || (!one.made_in_run && one.host != HostMemory::pageable);
  }
  std::string part(const Memory& of, std::uint64_t bytes) { return range(random_, of, bytes, 1, loops_); }
  std::string any_part(const Memory& of) {
    return random_.once_in(5)
               ? of.name
               : part(of, static_cast<std::uint64_t>(random_.doubling(1, static_cast<std::int64_t>(of.bytes))));
  }

  // Given to a stream
  struct Rows {
    std::uint64_t count = 0, width = 0, pitch = 0, other = 0;
    std::uint64_t needed(std::uint64_t apart) const { return (count - 1) * apart + width; }
    std::uint64_t needed() const { return needed(pitch); }
    std::uint64_t needed_by_other() const { return needed(other); }
  };
  // Of a matrix that takes no more than so many bytes.
  Rows some_rows(std::uint64_t most) {
    Rows rows;
    rows.width =
        static_cast<std::uint64_t>(random_.doubling(1, static_cast<std::int64_t>(std::min<std::uint64_t>(most, 8192))));
    rows.pitch = random_.once_in(3) ? rows.width : rows.width + random_.below(rows.width + 64);
    rows.other = random_.once_in(2) ? rows.pitch : rows.width + random_.below(rows.width + 64);
    rows.count =
        1 + random_.below(std::min<std::uint64_t>((most - rows.width) / std::max(rows.pitch, rows.other) + 1, 3000));
    return rows;
  }
  std::string options_of(const Rows& rows, std::string_view other) {
    std::string all = fmt::format(" rows={} width={}", integer(random_, static_cast<std::int64_t>(rows.count)),
                                  size(random_, rows.width));
    if (rows.pitch != rows.width || rows.other != rows.pitch) all += " pitch=" + size(random_, rows.pitch);
    if (rows.other != rows.pitch) all += fmt::format(" {}={}", other, size(random_, rows.other));
    return all;
  }

  // `plain`: cudaMemcpy, which copies no rows.
  std::string copy(bool plain) {
    const bool in = random_.once_in(2);
    const std::string word = in ? "h2d " : "d2h ";
    const bool rows = !plain && wishes_.all_words && random_.once_in(6);
    if (random_.once_in(2) || !wishes_.all_words) {
      const Memory* of = memory([&](const Memory& one) { return on_both_sides(one) && may_be_captured(one); });
      if (!rows) return word + any_part(*of);
      const Rows some = some_rows(of->bytes);
      return word + part(*of, std::max(some.needed(), some.needed_by_other())) + options_of(some, "host-pitch");
    }
    const Memory* device = memory(
        [&](const Memory& one) { return !one.on_host && !program::is_shared(one.host) && may_be_captured(one); });
    const Memory* host = memory([&](const Memory& one) { return copied_by_host(one) && may_be_captured(one); });
    const std::uint64_t most = std::min(device->bytes, host->bytes);
    const char* const between = in ? " from " : " to ";
    if (rows) {
      const Rows some = some_rows(most);
      return word + part(*device, some.needed()) + between + part(*host, some.needed_by_other()) +
             options_of(some, "host-pitch");
    }
    const auto bytes = static_cast<std::uint64_t>(random_.doubling(1, static_cast<std::int64_t>(most)));
    return word + part(*device, bytes) + between + part(*host, bytes);
  }
  std::string copy_on_device(bool plain) {
    const auto usable = [&](const Memory& one) { return !one.on_host && may_be_captured(one); };
    const Memory *to = memory(usable), *from = memory(usable);
    if (to->name == from->name) {
      from = &*std::ranges::find_if(
          memories_, [&](const Memory& one) { return has_side(one, device_) && usable(one) && one.name != to->name; });
    }
    const std::uint64_t most = std::min(to->bytes, from->bytes);
    if (!plain && wishes_.all_words && random_.once_in(4)) {
      const Rows some = some_rows(most);
      return "d2d " + part(*to, some.needed()) + " " + part(*from, some.needed_by_other()) +
             options_of(some, "from-pitch");
    }
    const auto bytes = static_cast<std::uint64_t>(random_.doubling(1, static_cast<std::int64_t>(most)));
    return "d2d " + part(*to, bytes) + " " + part(*from, bytes);
  }
  std::string memset() {
    const Memory* of = memory([&](const Memory& one) { return !one.on_host && may_be_captured(one); });
    return fmt::format("memset {} {}", any_part(*of), integer(random_, random_.between(0, 255)));
  }
  std::string kernel() {
    std::vector<Memory> usable;
    std::copy_if(memories_.begin(), memories_.end(), std::back_inserter(usable),
                 [&](const Memory& one) { return has_side(one, device_) && !one.on_host && may_be_captured(one); });
    return write_kernel(random_, wishes_.capability, usable, loops_);
  }
  std::string some_time(Nanoseconds most) {
    return duration(random_, random_.once_in(50) ? random_.doubling(0, 20 * most) : random_.doubling(0, most));
  }
  // What a graph may capture, too.
  std::string work() {
    switch (random_.below(10)) {
      case 0: return "hostfn " + some_time(60'000);
      case 1: return copy_on_device(false);
      case 2: return memset();
      case 3:
      case 4:
      case 5: return kernel();
      default: return copy(false);
    }
  }
  std::string prefetch() {
    return "prefetch " + any_part(memories_[4]) + (random_.once_in(2) ? " to=device" : " to=host");
  }
  // A copy from another device or to one, for a stream of the other.
  std::string peer() {
    const int there = (device_ + 1 + static_cast<int>(random_.below(static_cast<std::uint64_t>(wishes_.devices - 1)))) %
                      wishes_.devices;
    const auto side = [&](int device) {
      std::vector<const Memory*> all;
      for (const Memory& each : memories_) {
        if (has_side(each, device) && !each.on_host && !program::is_shared(each.host)) all.push_back(&each);
      }
      return random_.one_of(all);
    };
    const Memory *here = side(device_), *far = side(there);
    const auto bytes =
        static_cast<std::uint64_t>(random_.doubling(1, static_cast<std::int64_t>(std::min(here->bytes, far->bytes))));
    const std::string one = fmt::format("{}@{}", part(*here, bytes), device_),
                      other = fmt::format("{}@{}", part(*far, bytes), there);
    return "peer " + (random_.once_in(2) ? one + " " + other : other + " " + one);
  }
  std::string given() {
    if (wishes_.devices > 1 && random_.once_in(6)) return peer();
    switch (random_.below(wishes_.all_words ? 14 : 10)) {
      case 0:
      case 1: return "record " + event_of(device_);
      case 2:
      case 3: return "wait " + event();
      case 10: return "callback " + some_time(60'000);
      case 11: return device_ == 0 ? prefetch() : work();
      case 12: {
        std::vector<std::string> own;
        for (const Graph& each : graphs_) {
          if (each.is_there && each.thread == thread_ && each.device == device_) own.push_back(each.name);
        }
        if (!own.empty()) return "launch " + random_.one_of(own);
        return work();
      }
      default: return work();
    }
  }

  // Done by the host
  std::string asked() {
    if (random_.once_in(2)) return event();
    return some_stream();
  }
  std::string poll() {
    std::string words = "poll " + asked();
    const Nanoseconds every = random_.doubling(1'000, 60'000);
    if (!random_.once_in(3)) words += " every=" + duration(random_, every);
    if (wishes_.all_words && random_.once_in(3) && words.find("every") != std::string::npos)
      words += " work=" + duration(random_, random_.between(0, every));
    return words;
  }
  std::string done_by_host() {
    device_ = current_;
    switch (random_.below(wishes_.all_words ? 14 : 7)) {
      case 0: return "work " + some_time(100'000);
      case 1: return "sync " + (random_.once_in(4) ? std::string("device") : asked());
      case 2: return poll();
      case 3:
      case 4: return "memcpy " + copy(true);
      case 5: return "sync " + asked();
      case 6: return "touch " + any_part(*memory([](const Memory& one) { return one.on_host || !one.made_in_run; }));
      case 7:
      case 8: return "query " + asked();
      case 9: return (random_.once_in(2) ? "attributes " : "capture-info ") + some_stream();
      case 10: return fmt::format("elapsed {} {}", event_of(device_), event_of(device_));
      case 11: return memset();
      case 12: return copy_on_device(true);
      default: return "touch " + any_part(memories_[4]);
    }
  }

  // Copies of one stream with prefetches in between, most of which have nothing to move, and a copy of another one.
  int row() {
    const std::string name = stream();
    int lines = 1;
    for (std::uint64_t i = 1 + random_.below(3); i > 0; --i, lines += 2) {
      line(name + ": " + copy(false));
      line(name + ": " + (device_ == 0 ? prefetch() : memset()));
    }
    line(name + ": " + copy(false));
    const std::string other = stream();
    line(other + ": " + copy(false));
    return lines + 1;
  }

  // A graph that is not there yet; false where all are.
  bool capture() {
    const auto next = std::ranges::find(graphs_, false, &Graph::is_there);
    if (next == graphs_.end()) return false;
    if (next->device != current_) host(fmt::format("device {}", current_ = next->device));
    host("capture " + next->name);
    return next->is_there = true;
  }

  // One line, or a block of them. How many.
  int statement() {
    if (depth_ == 0 && random_.once_in(12) && capture()) return 1;
    if (wishes_.devices > 1 && random_.once_in(12)) return on_other_devices();
    if (wishes_.all_words && random_.once_in(24)) return row();
    if (wishes_.all_words && random_.once_in(16)) return scope();
    if (wishes_.all_words && depth_ < kDeepest && random_.once_in(24)) return repeat();
    if (wishes_.all_words && depth_ == 0 && scopes_ == 0 && random_.once_in(60)) {
      const std::string number = std::to_string(made_++);
      if (random_.once_in(2)) {
        line("event late" + number + event_options());
        events_.push_back("late" + number);
      } else {
        buffer("late" + number, random_.once_in(2) ? HostMemory::pinned : HostMemory::pageable, some_bytes(1 << 20));
      }
      return 1;
    }
    if (random_.once_in(4)) {
      host(done_by_host());
    } else {
      const std::string name = stream();
      line(name + ": " + given());
    }
    return 1;
  }

  // Another device as the current one, and back to where the next pass of a repeat begins; or peer access.
  int on_other_devices() {
    if (depth_ == 0 && thread_ == 0 && random_.once_in(2)) {
      const int first = static_cast<int>(random_.below(static_cast<std::uint64_t>(wishes_.devices))),
                second = (first + 1) % wishes_.devices;
      bool& on = reached_[std::minmax(first, second)];
      on = !on;
      host(fmt::format("peer {} {} {}", first, second, on ? "on" : "off"));
      return 1;
    }
    const int before = current_;
    current_ = static_cast<int>(random_.below(static_cast<std::uint64_t>(wishes_.devices)));
    host(fmt::format("device {}", current_));
    const int lines = some_statements();
    if (depth_ > 0 || random_.once_in(2)) host(fmt::format("device {}", current_ = before));
    return lines + 2;
  }

  int some_statements() {
    int lines = 0;
    for (std::uint64_t i = 1 + random_.below(4); i > 0; --i) lines += statement();
    return lines;
  }

  int repeat() {
    const std::int64_t passes = random_.doubling(1, 5);
    const std::string variable = fmt::format("i{}", made_++);
    const bool named = !random_.once_in(5);
    open(fmt::format("repeat {}{}", integer(random_, passes), named ? " as " + variable : ""));
    if (named) loops_.push_back({variable, passes});
    const int lines = some_statements();
    if (named) loops_.pop_back();
    close();
    return lines * static_cast<int>(passes);
  }

  // Something that the run makes, lines that may use it, and its end.
  int scope() {
    const std::string number = std::to_string(made_++);
    // What is made in a repeat is gone before the next pass makes it again.
    const bool stays = depth_ == 0 && scopes_ == 0 && random_.once_in(6);
    int lines = 2;
    ++scopes_;
    switch (random_.below(4)) {
      case 0: {
        host(fmt::format("create-stream made{}{}", number, stream_options()));
        streams_.push_back("made" + number);
        device_of_[streams_.back()] = current_;
        lines += some_statements();
        streams_.pop_back();
        if (!stays) host("destroy made" + number);
        break;
      }
      case 1: {
        host(fmt::format("create-event mark{}{}", number, event_options()));
        events_.push_back("mark" + number);
        device_of_[events_.back()] = current_;
        // Two threads may not use what one of them registers.
        const bool registers = made_ % 3 == 0 && threads_ <= 0 && !registered_;
        if (registers) host("register p");
        registered_ = registered_ || registers;
        lines += some_statements();
        if (registers) host("unregister p");
        if (registers) registered_ = false;
        events_.pop_back();
        if (!stays) host("destroy mark" + number);
        break;
      }
      default: {
        const bool in_stream = !random_.once_in(3);
        const std::uint64_t bytes = some_bytes(12 << 20);
        if (!in_stream && made_ % 2 == 0) {
          host(fmt::format("malloc-host t{} {}", number, size(random_, bytes)));
          memories_.push_back({"t" + number, bytes, HostMemory::pinned, true, true, ~0U});
          lines += some_statements();
          memories_.pop_back();
          if (!stays) host("free-host t" + number);
          break;
        }
        device_ = current_;
        const std::string by = in_stream ? stream() : "host";
        const int its = device_;
        line(fmt::format("{}: malloc t{} {}", by, number, size(random_, bytes)));
        memories_.push_back({"t" + number, bytes, HostMemory::pinned, true, false, 1U << its});
        lines += some_statements();
        memories_.pop_back();
        if (!stays)
          line(fmt::format("{}: free t{}", random_.once_in(5) != in_stream ? stream_of(its) : "host", number));
      }
    }
    --scopes_;
    return lines;
  }

  int thread(int number) {
    open(fmt::format("thread T{}", number));
    thread_ = number + 1;
    const int before = std::exchange(current_, 0);
    int lines = 0;
    while (lines < wishes_.lines / 4) lines += statement();
    thread_ = 0;
    current_ = before;
    close();
    return lines;
  }

  // Streams fork from the origin by events of the graph's own, and join it again.
  void graph() {
    const int number = static_cast<int>(graphs_.size());
    device_ = wishes_.devices == 1 ? 0 : static_cast<int>(random_.below(static_cast<std::uint64_t>(wishes_.devices)));
    std::vector<std::string> outside;
    for (const std::string& each : streams_) {
      if (each != "default" && device_of(each) == device_) outside.push_back(each);
    }
    std::vector<std::string> inside{random_.one_of(outside)};
    const auto leave = [&](const std::string& name) { outside.erase(std::find(outside.begin(), outside.end(), name)); };
    const std::string origin = inside.front();
    leave(origin);
    const char* const modes[] = {"", " mode=global", " mode=thread-local", " mode=relaxed"};
    open(fmt::format("graph G{} on {}{}", number, origin, modes[random_.below(4)]));
    // Other threads would use its streams meanwhile.
    const bool in_run = threads_ <= 0 && random_.once_in(2);
    capturing_ = true;
    line(origin + ": " + work());
    int marks = 0;
    for (std::uint64_t i = random_.below(8); i > 0; --i) {
      const std::string from = random_.one_of(inside);
      if (random_.once_in(3) && !outside.empty()) {
        const std::string mark = fmt::format("G{}mark{}", number, marks++),
                          to = random_.one_of(random_.once_in(2) ? outside : inside);
        line(from + ": record " + mark);
        line(to + ": wait " + mark);
        if (std::find(inside.begin(), inside.end(), to) == inside.end()) {
          leave(to);
          inside.push_back(to);
        }
      } else if (device_ == 0 && random_.once_in(6)) {
        line(from + (random_.once_in(2) ? ": record e external" : ": wait f external"));
      } else if (in_run && random_.once_in(4)) {
        host("capture-info " + random_.one_of(inside));
      } else if (random_.once_in(8)) {
        open("repeat 2");
        line(from + ": " + work());
        close();
      } else {
        line(from + ": " + work());
      }
    }
    for (std::size_t i = inside.size(); --i > 0;) {
      line(fmt::format("{}: record G{}join{}", inside[i], number, i));
      line(fmt::format("{}: wait G{}join{}", origin, number, i));
    }
    capturing_ = false;
    close();
    graphs_.push_back({fmt::format("G{}", number),
                       static_cast<int>(random_.below(static_cast<std::uint64_t>(std::max(threads_, 0)) + 1)), !in_run,
                       device_});
  }

  Random random_;
  const Wishes wishes_;
  std::string text_;
  std::size_t depth_ = 0;
  int scopes_ = 0, made_ = 0;
  std::vector<Memory> memories_;
  std::vector<std::string> streams_, events_;
  std::vector<Graph> graphs_;
  std::vector<Loop> loops_;
  std::int64_t numbered_ = 1;  // streams S0, S1, ...
  bool registered_ = false;    // the buffer p
  int threads_ = 0, thread_ = 0;
  int current_ = 0, device_ = 0;          // of the host thread; of what is written
  std::map<std::string, int> device_of_;  // streams and events of others than the first
  std::map<std::pair<int, int>, bool> reached_;
  bool capturing_ = false;
};

}  // namespace

std::string write_program(std::uint64_t seed, const Wishes& wishes) { return Writer(seed, wishes).write(); }

}  // namespace streamscope::generated
