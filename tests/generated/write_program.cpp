#include "tests/generated/write_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/generated/program_writer.h"
#include "tests/generated/spelling.h"

namespace streamscope::generated {
namespace {

using program::HostMemory;

constexpr int kDeepest = 3;  // nested repeats

std::string priority(Random& random) {
  if (random.once_in(30)) return fmt::format(" priority={}", random.once_in(2) ? -2147483647 : 2147483647);
  return random.once_in(3) ? " priority=" + integer(random, random.between(-6, 1)) : std::string();
}

std::string stream_options(Random& random) { return (random.once_in(2) ? " nonblocking" : "") + priority(random); }

std::string event_options(Random& random) {
  return std::string(random.once_in(4) ? " notiming" : "") + (random.once_in(4) ? " blockingsync" : "");
}

std::uint64_t some_bytes(Random& random, std::uint64_t most) {
  return 4 * static_cast<std::uint64_t>(random.doubling(1, static_cast<std::int64_t>(most / 4)));
}

}  // namespace

std::string write_program(std::uint64_t seed, const Wishes& wishes) { return ProgramWriter(seed, wishes).write(); }

ProgramWriter::ProgramWriter(std::uint64_t seed, const Wishes& wishes) : random_(seed), wishes_(wishes) {}

std::string ProgramWriter::write() {
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

void ProgramWriter::line(std::string_view words) {
  text_.append(2 * depth_, ' ').append(words);
  if (random_.once_in(80)) text_ += "  # \xCE\xBCs, {not} read: \"x[0:1]\"";
  text_ += random_.once_in(80) ? "\n\n" : "\n";
}

void ProgramWriter::host(const std::string& words) { line("host: " + words); }

void ProgramWriter::open(const std::string& words) {
  line(words + " {");
  ++depth_;
}

void ProgramWriter::close() {
  --depth_;
  line("}");
}

void ProgramWriter::buffer(const std::string& name, HostMemory host, std::uint64_t bytes) {
  const bool say = host != HostMemory::pinned || random_.once_in(3);
  line(fmt::format("buffer {} {}{}", name, size(random_, bytes),
                   say ? fmt::format(" host={}", program::name(host)) : ""));
  memories_.push_back({.name = name, .bytes = bytes, .host = host});
}

void ProgramWriter::declarations() {
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
    line(fmt::format("stream {}{}", name, stream_options(random_)));
    streams_.push_back(name);
  };
  for (const char* name : {"A", "B", "C", "D"}) declare(name);
  numbered_ = random_.between(1, 6);
  line(fmt::format("streams S {}{}", integer(random_, numbered_), stream_options(random_)));
  for (std::int64_t i = 0; i < numbered_; ++i) streams_.push_back(fmt::format("S{}", i));
  line("event e" + event_options(random_));
  line("event f" + event_options(random_));
  events_ = {"e", "f", "g"};  // the last is made by its first record
  if (wishes_.devices > 1) declare_devices();
  for (std::uint64_t i = wishes_.all_words ? random_.below(4) : 0; i > 0; --i) graph();
}

// Of each further device, and a buffer with a side on all.
void ProgramWriter::declare_devices() {
  std::string all = "0";
  for (int device = 1; device < wishes_.devices; ++device) {
    const std::string of = fmt::format(" device={}", device);
    const auto declare = [&](std::string_view name, HostMemory host) {
      const std::uint64_t bytes = 4 << 20;
      memories_.push_back(
          {.name = fmt::format("{}{}", name, device), .bytes = bytes, .host = host, .devices = 1U << device});
      line(fmt::format("buffer {} {} host={}{}", memories_.back().name, size(random_, bytes), program::name(host), of));
    };
    declare("z", HostMemory::pinned);
    declare("v", HostMemory::pageable);
    for (const char* name : {"P", "Q"}) {
      line(fmt::format("stream {}{}{}{}", name, device, of, stream_options(random_)));
      streams_.push_back(fmt::format("{}{}", name, device));
      device_of_[streams_.back()] = device;
    }
    line(fmt::format("streams R{}_ 2{}{}", device, of, stream_options(random_)));
    for (const char* number : {"0", "1"}) {
      streams_.push_back(fmt::format("R{}_{}", device, number));
      device_of_[streams_.back()] = device;
    }
    line(fmt::format("event far{}{}{}", device, of, event_options(random_)));
    events_.push_back(fmt::format("far{}", device));
    device_of_[events_.back()] = device;
    all += fmt::format(",{}", device);
  }
  line("buffer both 2MiB device=" + all);
  memories_.push_back({.name = "both", .bytes = 2 << 20, .devices = (1U << wishes_.devices) - 1});
}

// Copies of one stream with prefetches in between, most of which have nothing to move, and a copy of another one.
int ProgramWriter::row() {
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
bool ProgramWriter::capture() {
  const auto next = std::ranges::find(graphs_, false, &Graph::is_there);
  if (next == graphs_.end()) return false;
  if (next->device != current_) host(fmt::format("device {}", current_ = next->device));
  host("capture " + next->name);
  return next->is_there = true;
}

int ProgramWriter::statement() {
  if (depth_ == 0 && random_.once_in(12) && capture()) return 1;
  if (wishes_.devices > 1 && random_.once_in(12)) return on_other_devices();
  if (wishes_.all_words && random_.once_in(24)) return row();
  if (wishes_.all_words && random_.once_in(16)) return scope();
  if (wishes_.all_words && depth_ < kDeepest && random_.once_in(24)) return repeat();
  if (wishes_.all_words && depth_ == 0 && scopes_ == 0 && random_.once_in(60)) {
    const std::string number = std::to_string(made_++);
    if (random_.once_in(2)) {
      line("event late" + number + event_options(random_));
      events_.push_back("late" + number);
    } else {
      buffer("late" + number, random_.once_in(2) ? HostMemory::pinned : HostMemory::pageable,
             some_bytes(random_, 1 << 20));
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
int ProgramWriter::on_other_devices() {
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

int ProgramWriter::some_statements() {
  int lines = 0;
  for (std::uint64_t i = 1 + random_.below(4); i > 0; --i) lines += statement();
  return lines;
}

int ProgramWriter::repeat() {
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
int ProgramWriter::scope() {
  const std::string number = std::to_string(made_++);
  // What is made in a repeat is gone before the next pass makes it again.
  const bool stays = depth_ == 0 && scopes_ == 0 && random_.once_in(6);
  int lines = 2;
  ++scopes_;
  switch (random_.below(4)) {
    case 0: {
      host(fmt::format("create-stream made{}{}", number, stream_options(random_)));
      streams_.push_back("made" + number);
      device_of_[streams_.back()] = current_;
      lines += some_statements();
      streams_.pop_back();
      if (!stays) host("destroy made" + number);
      break;
    }
    case 1: {
      host(fmt::format("create-event mark{}{}", number, event_options(random_)));
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
      const std::uint64_t bytes = some_bytes(random_, 12 << 20);
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
      if (!stays) line(fmt::format("{}: free t{}", random_.once_in(5) != in_stream ? stream_of(its) : "host", number));
    }
  }
  --scopes_;
  return lines;
}

int ProgramWriter::thread(int number) {
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
void ProgramWriter::graph() {
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

}  // namespace streamscope::generated
