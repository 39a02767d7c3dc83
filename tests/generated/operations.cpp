// Each operation at random, without who does it: what a stream is given and what the host does.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "tests/generated/program_writer.h"
#include "tests/generated/spelling.h"
#include "tests/generated/write_kernel.h"

namespace streamscope::generated {
namespace {

// Of a copy that is given rows; the other pitch is the host's, or that of the source.
struct Rows {
  std::uint64_t count = 0, width = 0, pitch = 0, other = 0;
  std::uint64_t needed(std::uint64_t apart) const { return (count - 1) * apart + width; }
  std::uint64_t needed() const { return needed(pitch); }
  std::uint64_t needed_by_other() const { return needed(other); }
};

// Of a matrix that takes no more than so many bytes.
Rows some_rows(Random& random, std::uint64_t most) {
  Rows rows;
  rows.width =
      static_cast<std::uint64_t>(random.doubling(1, static_cast<std::int64_t>(std::min<std::uint64_t>(most, 8192))));
  rows.pitch = random.once_in(3) ? rows.width : rows.width + random.below(rows.width + 64);
  rows.other = random.once_in(2) ? rows.pitch : rows.width + random.below(rows.width + 64);
  rows.count =
      1 + random.below(std::min<std::uint64_t>((most - rows.width) / std::max(rows.pitch, rows.other) + 1, 3000));
  return rows;
}

std::string options_of(Random& random, const Rows& rows, std::string_view other) {
  std::string all = fmt::format(" rows={} width={}", integer(random, static_cast<std::int64_t>(rows.count)),
                                size(random, rows.width));
  if (rows.pitch != rows.width || rows.other != rows.pitch) all += " pitch=" + size(random, rows.pitch);
  if (rows.other != rows.pitch) all += fmt::format(" {}={}", other, size(random, rows.other));
  return all;
}

std::string some_time(Random& random, Nanoseconds most) {
  return duration(random, random.once_in(50) ? random.doubling(0, 20 * most) : random.doubling(0, most));
}

// Of which a copy may name the host's side.
bool copied_by_host(const Memory& one) { return one.on_host || (!one.made_in_run && !program::is_shared(one.host)); }

bool on_both_sides(const Memory& one) { return copied_by_host(one) && !one.on_host; }

}  // namespace

// What follows is for its device.
std::string ProgramWriter::stream() {
  std::string name = some_stream();
  device_ = device_of(name);
  return name;
}

std::string ProgramWriter::some_stream() {
  if (!loops_.empty() && random_.once_in(2)) {
    return fmt::format("S{{{}%{}}}", random_.one_of(loops_).variable, numbered_);
  }
  return random_.one_of(streams_);
}

std::string ProgramWriter::stream_of(int device) {
  std::vector<std::string> all;
  std::ranges::copy_if(streams_, std::back_inserter(all), [&](const auto& each) { return device_of(each) == device; });
  return random_.one_of(all);
}

// Of a stream or an event; the default streams are of the current device.
int ProgramWriter::device_of(const std::string& name) const {
  if (name == "default" || name == "per-thread") return current_;
  const auto at = device_of_.find(name);
  return at == device_of_.end() ? 0 : at->second;
}

std::string ProgramWriter::event() { return random_.one_of(events_); }

std::string ProgramWriter::event_of(int device) {
  if (wishes_.devices == 1) return event();
  std::vector<std::string> all;
  std::ranges::copy_if(events_, std::back_inserter(all), [&](const auto& each) { return device_of(each) == device; });
  return random_.one_of(all);
}

const Memory* ProgramWriter::memory(const std::function<bool(const Memory&)>& fits_in) {
  const auto fits = [&](const Memory& one) { return has_side(one, device_) && fits_in(one); };
  const Memory& one = random_.one_of(memories_);
  if (fits(one)) return &one;
  std::vector<const Memory*> all;
  for (const Memory& each : memories_) {
    if (fits(each)) all.push_back(&each);
  }
  return all.empty() ? nullptr : random_.one_of(all);
}

bool ProgramWriter::may_be_captured(const Memory& one) const {
  return !capturing_ || (!one.made_in_run && one.host != program::HostMemory::pageable);
}

std::string ProgramWriter::any_part(const Memory& of) {
  return random_.once_in(5)
             ? of.name
             : part(of, static_cast<std::uint64_t>(random_.doubling(1, static_cast<std::int64_t>(of.bytes))));
}

std::string ProgramWriter::part(const Memory& of, std::uint64_t bytes) { return range(random_, of, bytes, 1, loops_); }

// `plain`: cudaMemcpy, which copies no rows.
std::string ProgramWriter::copy(bool plain) {
  const bool in = random_.once_in(2);
  const std::string word = in ? "h2d " : "d2h ";
  const bool rows = !plain && wishes_.all_words && random_.once_in(6);
  if (random_.once_in(2) || !wishes_.all_words) {
    const Memory* of = memory([&](const Memory& one) { return on_both_sides(one) && may_be_captured(one); });
    if (!rows) return word + any_part(*of);
    const Rows some = some_rows(random_, of->bytes);
    return word + part(*of, std::max(some.needed(), some.needed_by_other())) + options_of(random_, some, "host-pitch");
  }
  const Memory* device =
      memory([&](const Memory& one) { return !one.on_host && !program::is_shared(one.host) && may_be_captured(one); });
  const Memory* host = memory([&](const Memory& one) { return copied_by_host(one) && may_be_captured(one); });
  const std::uint64_t most = std::min(device->bytes, host->bytes);
  const char* const between = in ? " from " : " to ";
  if (rows) {
    const Rows some = some_rows(random_, most);
    return word + part(*device, some.needed()) + between + part(*host, some.needed_by_other()) +
           options_of(random_, some, "host-pitch");
  }
  const auto bytes = static_cast<std::uint64_t>(random_.doubling(1, static_cast<std::int64_t>(most)));
  return word + part(*device, bytes) + between + part(*host, bytes);
}

std::string ProgramWriter::copy_on_device(bool plain) {
  const auto usable = [&](const Memory& one) { return !one.on_host && may_be_captured(one); };
  const Memory *to = memory(usable), *from = memory(usable);
  if (to->name == from->name) {
    from = &*std::ranges::find_if(
        memories_, [&](const Memory& one) { return has_side(one, device_) && usable(one) && one.name != to->name; });
  }
  const std::uint64_t most = std::min(to->bytes, from->bytes);
  if (!plain && wishes_.all_words && random_.once_in(4)) {
    const Rows some = some_rows(random_, most);
    return "d2d " + part(*to, some.needed()) + " " + part(*from, some.needed_by_other()) +
           options_of(random_, some, "from-pitch");
  }
  const auto bytes = static_cast<std::uint64_t>(random_.doubling(1, static_cast<std::int64_t>(most)));
  return "d2d " + part(*to, bytes) + " " + part(*from, bytes);
}

std::string ProgramWriter::memset() {
  const Memory* of = memory([&](const Memory& one) { return !one.on_host && may_be_captured(one); });
  return fmt::format("memset {} {}", any_part(*of), integer(random_, random_.between(0, 255)));
}

std::string ProgramWriter::kernel() {
  std::vector<Memory> usable;
  std::copy_if(memories_.begin(), memories_.end(), std::back_inserter(usable),
               [&](const Memory& one) { return has_side(one, device_) && !one.on_host && may_be_captured(one); });
  return write_kernel(random_, wishes_.capability, usable, loops_);
}

// What a graph may capture, too.
std::string ProgramWriter::work() {
  switch (random_.below(10)) {
    case 0: return "hostfn " + some_time(random_, 60'000);
    case 1: return copy_on_device(false);
    case 2: return memset();
    case 3:
    case 4:
    case 5: return kernel();
    default: return copy(false);
  }
}

std::string ProgramWriter::prefetch() {
  return "prefetch " + any_part(memories_[4]) + (random_.once_in(2) ? " to=device" : " to=host");
}

// A copy from another device or to one, for a stream of the other.
std::string ProgramWriter::peer() {
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

std::string ProgramWriter::given() {
  if (wishes_.devices > 1 && random_.once_in(6)) return peer();
  switch (random_.below(wishes_.all_words ? 14 : 10)) {
    case 0:
    case 1: return "record " + event_of(device_);
    case 2:
    case 3: return "wait " + event();
    case 10: return "callback " + some_time(random_, 60'000);
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

// An event or a stream that the host waits for, or looks at.
std::string ProgramWriter::asked() {
  if (random_.once_in(2)) return event();
  return some_stream();
}

std::string ProgramWriter::poll() {
  std::string words = "poll " + asked();
  const Nanoseconds every = random_.doubling(1'000, 60'000);
  if (!random_.once_in(3)) words += " every=" + duration(random_, every);
  if (wishes_.all_words && random_.once_in(3) && words.find("every") != std::string::npos)
    words += " work=" + duration(random_, random_.between(0, every));
  return words;
}

std::string ProgramWriter::done_by_host() {
  device_ = current_;
  switch (random_.below(wishes_.all_words ? 14 : 7)) {
    case 0: return "work " + some_time(random_, 100'000);
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

}  // namespace streamscope::generated
