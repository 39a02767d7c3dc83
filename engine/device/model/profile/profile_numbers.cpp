#include "engine/device/model/profile/profile_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

#include "engine/base/quantity.h"

namespace streamscope::model {
namespace {

constexpr double kLongestNumber = static_cast<double>(kLongestModelled);
template <int kPower>
constexpr double kTwoTo = static_cast<double>(1ull << kPower);

template <auto kSection, auto kMember>
constexpr ProfileNumber number(std::string_view section, std::string_view key, NumberKind kind, double least,
                               double most, std::string_view meaning) {
  ProfileNumber made{section, key, kind, least, most, meaning};
  made.get = [](const Profile& profile) { return static_cast<double>((profile.*kSection).*kMember); };
  made.set = [](Profile& profile, double value) {
    auto& to = (profile.*kSection).*kMember;
    to = static_cast<std::decay_t<decltype(to)>>(value);
  };
  return made;
}

template <auto kSection, auto kMember>
constexpr ProfileNumber table(std::string_view section, std::string_view key, std::string_view meaning) {
  ProfileNumber made{section, key, NumberKind::times, 0, 0, meaning};
  made.table = [](const Profile& profile) -> const TimeBySize& { return (profile.*kSection).*kMember; };
  made.mutable_table = [](Profile& profile) -> TimeBySize& { return (profile.*kSection).*kMember; };
  return made;
}

// clang-format off
constexpr ProfileNumber kNumbers[] = {
    number<&Profile::device, &Profile::Device::memory>("device", "memory", NumberKind::size, 1, kTwoTo<50>, "memory of the device"),
    number<&Profile::device, &Profile::Device::highest_priority>("device", "highest_priority", NumberKind::count, -1000, 0, "of streams; the lowest is 0"),
    number<&Profile::host, &Profile::Host::pace>("host", "pace", NumberKind::share, 1e5, 1e8, "what calls that queue work take on this host, as a multiple of their numbers"),
    table<&Profile::host, &Profile::Host::copy_h2d>("host", "copy_h2d", "call of cudaMemcpyAsync from pinned memory"),
    table<&Profile::host, &Profile::Host::copy_d2h>("host", "copy_d2h", "and to pinned memory"),
    number<&Profile::host, &Profile::Host::copy_on_device>("host", "copy_on_device", NumberKind::time, 0, kLongestNumber, "call of cudaMemcpyAsync, device to device"),
    table<&Profile::host, &Profile::Host::memset>("host", "memset", "call of cudaMemsetAsync"),
    number<&Profile::host, &Profile::Host::launch>("host", "launch", NumberKind::time, 0, kLongestNumber, "call that launches a kernel"),
    number<&Profile::host, &Profile::Host::record>("host", "record", NumberKind::time, 0, kLongestNumber, "call of cudaEventRecord"),
    number<&Profile::host, &Profile::Host::wait>("host", "wait", NumberKind::time, 0, kLongestNumber, "call of cudaStreamWaitEvent"),
    number<&Profile::host, &Profile::Host::host_function>("host", "host_function", NumberKind::time, 0, kLongestNumber, "call of cudaLaunchHostFunc"),
    number<&Profile::host, &Profile::Host::prefetch>("host", "prefetch", NumberKind::time, 0, kLongestNumber, "call of cudaMemPrefetchAsync"),
    number<&Profile::host, &Profile::Host::graph_launch>("host", "graph_launch", NumberKind::time, 0, kLongestNumber, "call of cudaGraphLaunch"),
    number<&Profile::host, &Profile::Host::graph_node>("host", "graph_node", NumberKind::time, 0, kLongestNumber, "and for each node of the graph"),
    number<&Profile::host, &Profile::Host::malloc_async>("host", "malloc_async", NumberKind::time, 0, kLongestNumber, "call of cudaMallocAsync"),
    number<&Profile::host, &Profile::Host::free_async>("host", "free_async", NumberKind::time, 0, kLongestNumber, "call of cudaFreeAsync"),
    number<&Profile::host, &Profile::Host::blocking_copy>("host", "blocking_copy", NumberKind::time, 0, kLongestNumber, "cudaMemcpy, besides what an asynchronous copy costs"),
    number<&Profile::host, &Profile::Host::blocking_copy_by_host>("host", "blocking_copy_by_host", NumberKind::time, 0, kLongestNumber, "and where the host itself moves the data"),
    number<&Profile::host, &Profile::Host::sync_device>("host", "sync_device", NumberKind::time, 0, kLongestNumber, "cudaDeviceSynchronize with nothing to wait for"),
    number<&Profile::host, &Profile::Host::sync_stream>("host", "sync_stream", NumberKind::time, 0, kLongestNumber, "cudaStreamSynchronize with nothing to wait for"),
    number<&Profile::host, &Profile::Host::sync_event>("host", "sync_event", NumberKind::time, 0, kLongestNumber, "cudaEventSynchronize with nothing to wait for"),
    number<&Profile::host, &Profile::Host::query>("host", "query", NumberKind::time, 0, kLongestNumber, "cudaStreamQuery or cudaEventQuery"),
    number<&Profile::host, &Profile::Host::wake>("host", "wake", NumberKind::time, 0, kLongestNumber, "from the end of what a synchronisation waits for until it returns"),
    number<&Profile::host, &Profile::Host::work>("host", "work", NumberKind::time, 0, kLongestNumber, "besides the work itself"),
    number<&Profile::host, &Profile::Host::thread_start>("host", "thread_start", NumberKind::time, 0, kLongestNumber, "until a second host thread issues its first call"),
    number<&Profile::host, &Profile::Host::thread_first_call>("host", "thread_first_call", NumberKind::time, 0, kLongestNumber, "and its first call takes longer by this"),
    number<&Profile::host, &Profile::Host::thread_join>("host", "thread_join", NumberKind::time, 0, kLongestNumber, "of a thread that has ended"),
    table<&Profile::host, &Profile::Host::malloc>("host", "malloc", "cudaMalloc"),
    table<&Profile::host, &Profile::Host::free>("host", "free", "cudaFree on an idle device"),
    table<&Profile::host, &Profile::Host::touch>("host", "touch", "the CPU reads and writes host memory"),
    table<&Profile::host, &Profile::Host::touch_write_combined>("host", "touch_write_combined", "and write-combined memory"),
    table<&Profile::host, &Profile::Host::touch_migrated>("host", "touch_migrated", "and managed memory, pages that are on the host"),
    number<&Profile::host, &Profile::Host::calls_take_turns>("host", "calls_take_turns", NumberKind::share, 0, 1e6, "of a call: in so much of it those of other host threads wait"),
    number<&Profile::host, &Profile::Host::malloc_waits>("host", "malloc_waits", NumberKind::yes, 0, 1, "cudaMalloc waits for the whole device"),
    number<&Profile::host, &Profile::Host::free_waits>("host", "free_waits", NumberKind::yes, 0, 1, "cudaFree waits for the whole device"),
    number<&Profile::streams, &Profile::Streams::queue_depth>("streams", "queue_depth", NumberKind::count, 1, 1e9, "unfinished operations in one stream that hold the next call"),
    number<&Profile::streams, &Profile::Streams::connections>("streams", "connections", NumberKind::count, 1, 65536, "hardware queues; more streams share them: who has none gets the one used longest ago"),
    number<&Profile::streams, &Profile::Streams::submit>("streams", "submit", NumberKind::time, 0, kLongestNumber, "from the call's return until the device has the operation"),
    number<&Profile::streams, &Profile::Streams::kernel_after_kernel>("streams", "kernel_after_kernel", NumberKind::time, 0, kLongestNumber, "from the end of one until the next in its stream can start"),
    number<&Profile::streams, &Profile::Streams::copy_after_kernel>("streams", "copy_after_kernel", NumberKind::time, 0, kLongestNumber, "likewise"),
    number<&Profile::streams, &Profile::Streams::kernel_after_copy>("streams", "kernel_after_copy", NumberKind::time, 0, kLongestNumber, "likewise"),
    number<&Profile::streams, &Profile::Streams::copy_after_copy>("streams", "copy_after_copy", NumberKind::time, 0, kLongestNumber, "likewise, in one direction"),
    number<&Profile::streams, &Profile::Streams::copy_after_other_copy>("streams", "copy_after_other_copy", NumberKind::time, 0, kLongestNumber, "likewise, in the other direction"),
    number<&Profile::streams, &Profile::Streams::short_wait>("streams", "short_wait", NumberKind::time, 0, kLongestNumber, "an engine that has waited no longer for another's work begins sooner"),
    number<&Profile::streams, &Profile::Streams::short_handoff>("streams", "short_handoff", NumberKind::time, 0, kLongestNumber, "namely so long after its end"),
    number<&Profile::streams, &Profile::Streams::long_wait>("streams", "long_wait", NumberKind::time, 0, kLongestNumber, "and up to this in the middle between that and the times above"),
    number<&Profile::streams, &Profile::Streams::inlined>("streams", "inlined", NumberKind::time, 0, kLongestNumber, "between a kernel and a copy that travels with the commands"),
    number<&Profile::streams, &Profile::Streams::record>("streams", "record", NumberKind::time, 0, kLongestNumber, "stream time of cudaEventRecord, of an event that keeps the time"),
    number<&Profile::streams, &Profile::Streams::wait>("streams", "wait", NumberKind::time, 0, kLongestNumber, "stream time of cudaStreamWaitEvent, where the event is not yet there"),
    number<&Profile::streams, &Profile::Streams::event>("streams", "event", NumberKind::time, 0, kLongestNumber, "from a record's end until a wait in another stream sees it"),
    number<&Profile::streams, &Profile::Streams::legacy>("streams", "legacy", NumberKind::time, 0, kLongestNumber, "from the end of work until the default stream's barrier lets another stream go on"),
    number<&Profile::streams, &Profile::Streams::host_function>("streams", "host_function", NumberKind::time, 0, kLongestNumber, "from the call until a host function begins"),
    number<&Profile::streams, &Profile::Streams::host_function_after_work>("streams", "host_function_after_work", NumberKind::time, 0, kLongestNumber, "from the end of device work until one begins, where the thread that carries them out is awake"),
    number<&Profile::streams, &Profile::Streams::host_function_patience>("streams", "host_function_patience", NumberKind::time, 0, kLongestNumber, "that thread sleeps when it has had nothing to do for so long"),
    number<&Profile::streams, &Profile::Streams::host_function_asleep>("streams", "host_function_asleep", NumberKind::time, 0, kLongestNumber, "and then takes this long, from the end of device work"),
    number<&Profile::streams, &Profile::Streams::host_function_doze>("streams", "host_function_doze", NumberKind::share, 0, 1e6, "and longer by this share of the time that it has had nothing to do, up to 0.4 ms of it"),
    number<&Profile::streams, &Profile::Streams::host_function_again>("streams", "host_function_again", NumberKind::time, 0, kLongestNumber, "from the end of one until the next begins"),
    number<&Profile::streams, &Profile::Streams::after_host_function>("streams", "after_host_function", NumberKind::time, 0, kLongestNumber, "from its end until the device goes on, where that has waited for long"),
    number<&Profile::streams, &Profile::Streams::graph_start>("streams", "graph_start", NumberKind::time, 0, kLongestNumber, "from the launch of a graph to its first nodes"),
    number<&Profile::streams, &Profile::Streams::graph_node>("streams", "graph_node", NumberKind::time, 0, kLongestNumber, "from kernel to kernel within a graph"),
    number<&Profile::streams, &Profile::Streams::graph_copy>("streams", "graph_copy", NumberKind::time, 0, kLongestNumber, "from a copy to a kernel or to one in the other direction, or back"),
    number<&Profile::copies, &Profile::Copies::engines>("copies", "engines", NumberKind::count, 1, 64, "asyncEngineCount; 1: both directions share one, else one a direction"),
    number<&Profile::copies, &Profile::Copies::queue>("copies", "queue", NumberKind::queue, 0, 2, "which copy a free engine takes: the first that could start (eligible) or was issued (issue), or the next of its channel (channel)"),
    number<&Profile::copies, &Profile::Copies::inlined>("copies", "inlined", NumberKind::size, 0, kTwoTo<40>, "copies to the device up to this size travel with the commands"),
    number<&Profile::copies, &Profile::Copies::by_host>("copies", "by_host", NumberKind::size, 0, kTwoTo<40>, "and pinned memory up to this size where the stream is idle: the host itself writes it there, as it does pageable memory"),
    number<&Profile::copies, &Profile::Copies::channels>("copies", "channels", NumberKind::count, 1, 1024, "of each direction, that streams share likewise"),
    number<&Profile::copies, &Profile::Copies::h2d_first>("copies", "h2d_first", NumberKind::time, 0, kLongestNumber, "until an idle engine has begun"),
    number<&Profile::copies, &Profile::Copies::d2h_first>("copies", "d2h_first", NumberKind::time, 0, kLongestNumber, "likewise"),
    table<&Profile::copies, &Profile::Copies::h2d>("copies", "h2d", "pinned memory, time of the engine"),
    table<&Profile::copies, &Profile::Copies::d2h>("copies", "d2h", "likewise"),
    table<&Profile::copies, &Profile::Copies::h2d_staged>("copies", "h2d_staged", "what the host has written into commands or the staging room, time of the engine"),
    table<&Profile::copies, &Profile::Copies::h2d_pageable>("copies", "h2d_pageable", "pageable memory, time of the host's call"),
    table<&Profile::copies, &Profile::Copies::d2h_pageable>("copies", "d2h_pageable", "likewise"),
    number<&Profile::copies, &Profile::Copies::pageable_turn>("copies", "pageable_turn", NumberKind::share, 1e6, 4e6, "a copy to pageable memory takes so many times as long where one to the device has read it last"),
    number<&Profile::copies, &Profile::Copies::host_cache>("copies", "host_cache", NumberKind::size, 0, kTwoTo<40>, "unless the program copies more pageable data than this"),
    number<&Profile::copies, &Profile::Copies::staging>("copies", "staging", NumberKind::size, 0, kTwoTo<40>, "pageable copies to the device up to this size do not wait for their stream"),
    number<&Profile::copies, &Profile::Copies::both_directions>("copies", "both_directions", NumberKind::share, 50000, 1e6, "rate of each direction while both are busy, of its rate alone"),
    table<&Profile::copies, &Profile::Copies::on_device>("copies", "on_device", "device to device, bytes copied"),
    table<&Profile::copies, &Profile::Copies::memset>("copies", "memset", "bytes written"),
    table<&Profile::managed, &Profile::Managed::fault_in>("managed", "fault_in", "a kernel touches pages that are on the host"),
    table<&Profile::managed, &Profile::Managed::fault_out>("managed", "fault_out", "the host touches pages that are on the device"),
    table<&Profile::managed, &Profile::Managed::prefetch_in>("managed", "prefetch_in", "cudaMemPrefetchAsync to the device"),
    table<&Profile::managed, &Profile::Managed::prefetch_out>("managed", "prefetch_out", "and back"),
    table<&Profile::managed, &Profile::Managed::mapped>("managed", "mapped", "a kernel reads and writes so much mapped host memory over the bus"),
    number<&Profile::compute, &Profile::Compute::multiprocessors>("compute", "multiprocessors", NumberKind::count, 1, 10000, "streaming multiprocessors"),
    number<&Profile::compute, &Profile::Compute::threads>("compute", "threads", NumberKind::count, 32, 1048576, "most resident threads of one multiprocessor"),
    number<&Profile::compute, &Profile::Compute::blocks>("compute", "blocks", NumberKind::count, 1, 1024, "most resident blocks"),
    number<&Profile::compute, &Profile::Compute::registers>("compute", "registers", NumberKind::count, 1024, 16777216, "32-bit registers"),
    number<&Profile::compute, &Profile::Compute::shared_bytes>("compute", "shared_memory", NumberKind::size, 1, kTwoTo<30>, "shared memory"),
    number<&Profile::compute, &Profile::Compute::block_threads>("compute", "block_threads", NumberKind::count, 32, 1048576, "most threads of a block"),
    number<&Profile::compute, &Profile::Compute::block_shared>("compute", "block_shared_memory", NumberKind::size, 0, kTwoTo<30>, "most shared memory of a block"),
    number<&Profile::compute, &Profile::Compute::block_shared_reserved>("compute", "block_shared_memory_reserved", NumberKind::size, 0, kTwoTo<20>, "and what the system takes for itself"),
    number<&Profile::compute, &Profile::Compute::spread>("compute", "spread", NumberKind::count, 1, 1e6, "of a larger grid's first blocks, so many go to a multiprocessor of their own"),
    number<&Profile::compute, &Profile::Compute::kernels>("compute", "kernels", NumberKind::count, 1, 65536, "kernels that run at once"),
    number<&Profile::compute, &Profile::Compute::first>("compute", "first", NumberKind::time, 0, kLongestNumber, "until an idle device has begun its first block"),
    number<&Profile::compute, &Profile::Compute::launch_gap>("compute", "launch_gap", NumberKind::time, 0, kLongestNumber, "between the starts of two kernels"),
    number<&Profile::compute, &Profile::Compute::block_overhead>("compute", "block_overhead", NumberKind::time, 0, kLongestNumber, "of one wave of blocks, besides their work"),
    number<&Profile::compute, &Profile::Compute::block_rate>("compute", "block_rate", NumberKind::count, 1000, 1e15, "blocks handed out in a second"),
    number<&Profile::compute, &Profile::Compute::clock_mhz>("compute", "clock", NumberKind::clock, 1, 100000, "of the multiprocessors"),
    number<&Profile::compute, &Profile::Compute::fma_per_clock>("compute", "fma_per_clock", NumberKind::count, 1, 1048576, "float32 multiply-adds of one multiprocessor"),
    number<&Profile::compute, &Profile::Compute::fma_latency>("compute", "fma_latency", NumberKind::share, 0, 1e9, "clocks until the next multiply-add that depends on it"),
    number<&Profile::compute, &Profile::Compute::memory_latency>("compute", "memory_latency", NumberKind::time, 0, kLongestNumber, "of one load and store, from device memory"),
    number<&Profile::compute, &Profile::Compute::cache_latency>("compute", "cache_latency", NumberKind::time, 0, kLongestNumber, "and from the second-level cache"),
    number<&Profile::compute, &Profile::Compute::memory_rate>("compute", "memory_rate", NumberKind::rate, 1e6, 1e16, "device memory, bytes read plus written"),
    number<&Profile::compute, &Profile::Compute::cache_rate>("compute", "cache_rate", NumberKind::rate, 1e6, 1e16, "second-level cache, likewise"),
    number<&Profile::compute, &Profile::Compute::cache_bytes>("compute", "cache_bytes", NumberKind::size, 0, kTwoTo<40>, "of data that stays in the second-level cache"),
};
// clang-format on

constexpr WhatIf kWhatIfs[] = {
    {"copies.engines", "Copy engines", NumberKind::count, 1, 4},
    {kLink, "Link speed", NumberKind::rate, 1e9, 500e9},
    {"compute.multiprocessors", "Multiprocessors", NumberKind::count, 1, 264},
    {"compute.memory_rate", "Memory rate", NumberKind::rate, 50e9, 10e12},
    {"compute.clock", "Clock", NumberKind::clock, 300, 4000},
    {kHostPace, "Host pace", NumberKind::share, 0.5e6, 4e6},
    {"host.launch", "Launch cost", NumberKind::time, 0, 50'000},
    {"streams.connections", "Hardware queues", NumberKind::count, 1, 128},
};

constexpr std::array<std::string_view, 3> kQueues{"eligible", "issue", "channel"};  // by CopyQueue

std::string number_text(double value) {
  std::string text = fmt::format("{:.6f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string value_text(NumberKind kind, double value) {
  switch (kind) {
    case NumberKind::time: return exact_duration(static_cast<Nanoseconds>(value));
    case NumberKind::size: return exact_bytes(static_cast<std::uint64_t>(value));
    case NumberKind::count: return fmt::format("{}", static_cast<std::int64_t>(value));
    case NumberKind::rate: return number_text(value / 1e9) + "GB/s";
    case NumberKind::clock: return number_text(value) + "MHz";
    case NumberKind::share: return number_text(value / 1e6);
    case NumberKind::yes: return value != 0 ? "true" : "false";
    case NumberKind::queue: return std::string(kQueues[static_cast<std::size_t>(value)]);
    case NumberKind::times: break;
  }
  return {};
}

std::string_view example(NumberKind kind) {
  switch (kind) {
    case NumberKind::time: return "a time such as \"1500ns\" or \"4.5us\"";
    case NumberKind::size: return "a size such as \"64KiB\"";
    case NumberKind::count: return "a whole number";
    case NumberKind::rate: return "a rate such as \"55.5GB/s\"";
    case NumberKind::clock: return "a clock such as \"1980MHz\"";
    case NumberKind::share: return "a number such as 0.92";
    case NumberKind::yes: return "true or false";
    case NumberKind::queue: return "\"eligible\", \"issue\" or \"stream\"";
    case NumberKind::times: break;
  }
  return "a table of points";
}

std::optional<double> plain(std::string_view digits) {
  const std::string text(digits);
  if (text.empty() || text.find_first_not_of("0123456789.-+e") != std::string::npos) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return *end == '\0' && std::isfinite(value) ? std::optional(value) : std::nullopt;
}
std::optional<double> before(std::string_view text, std::string_view unit) {
  return text.ends_with(unit) ? plain(text.substr(0, text.size() - unit.size())) : std::nullopt;
}
template <class T>
std::optional<double> kept(const Result<T>& parsed) {
  return parsed ? std::optional(static_cast<double>(*parsed)) : std::nullopt;
}

std::optional<double> value_of(NumberKind kind, std::string_view text) {
  switch (kind) {
    case NumberKind::time: return kept(parse_duration(text));
    case NumberKind::size: return kept(parse_bytes(text));
    case NumberKind::count: {
      const auto value = plain(text);
      return value && *value == std::floor(*value) ? value : std::nullopt;
    }
    case NumberKind::rate: {
      const auto value = before(text, "GB/s");
      return value ? std::optional(std::round(*value * 1e9)) : std::nullopt;
    }
    case NumberKind::clock: {
      const auto value = before(text, "MHz");
      return value ? std::optional(std::round(*value)) : std::nullopt;
    }
    case NumberKind::share: {
      const auto value = plain(text);
      return value ? std::optional(std::round(*value * 1e6)) : std::nullopt;
    }
    case NumberKind::yes:
      if (text == "true") return 1;
      return text == "false" ? std::optional(0.0) : std::nullopt;
    case NumberKind::queue:
      for (std::size_t i = 0; i < kQueues.size(); ++i) {
        if (text == kQueues[i]) return static_cast<double>(i);
      }
      return std::nullopt;
    case NumberKind::times: break;
  }
  return std::nullopt;
}

Result<double> parse(NumberKind kind, double least, double most, std::string_view name, std::string_view given) {
  const auto value = value_of(kind, given);
  if (value && *value >= least && *value <= most) return *value;
  const bool limits = kind != NumberKind::yes && kind != NumberKind::queue && kind != NumberKind::times;
  return fail(ErrorKind::bad_input,
              fmt::format("\"{}\" must be {}{}", name, example(kind),
                          limits ? fmt::format(", from {} to {}", value_text(kind, least), value_text(kind, most))
                                 : std::string()));
}

std::string known_keys() {
  std::string all(kLink);
  for (const ProfileNumber& one : kNumbers) {
    if (one.kind != NumberKind::times) all += ", " + path(one);
  }
  return all;
}

// What a copy costs besides its bytes is the time of the smallest one.
void scale(TimeBySize& table, double by) {
  const Nanoseconds base = table.points.front().time;
  for (TimeBySize::Point& point : table.points) {
    point.time = base + static_cast<Nanoseconds>(std::llround(std::min(static_cast<double>(point.time - base) * by,
                                                                       static_cast<double>(kLongestModelled / 2))));
    point.origin = Origin::assumed;
  }
}

void set_link(Profile& profile, double rate) {
  const double by = link_rate(profile) / rate;
  for (TimeBySize* table : {&profile.copies.h2d, &profile.copies.d2h, &profile.copies.h2d_pageable,
                            &profile.copies.d2h_pageable, &profile.managed.fault_in, &profile.managed.fault_out,
                            &profile.managed.prefetch_in, &profile.managed.prefetch_out, &profile.managed.mapped}) {
    scale(*table, by);
  }
}

}  // namespace

std::string_view name(Origin origin) {
  constexpr std::array<std::string_view, 3> kNames{"measured", "datasheet", "assumed"};
  return kNames[static_cast<std::size_t>(origin)];
}

std::span<const ProfileNumber> profile_numbers() { return kNumbers; }
std::span<const WhatIf> what_ifs() { return kWhatIfs; }

std::optional<std::size_t> find_number(std::string_view key) {
  for (std::size_t i = 0; i < std::size(kNumbers); ++i) {
    if (path(kNumbers[i]) == key) return i;
  }
  return std::nullopt;
}

std::string path(const ProfileNumber& number) { return fmt::format("{}.{}", number.section, number.key); }

std::string text(const ProfileNumber& number, const Profile& profile) {
  if (number.kind == NumberKind::times) return fmt::format("{} points", number.table(profile).points.size());
  return value_text(number.kind, number.get(profile));
}

Result<double> parse_number(const ProfileNumber& number, std::string_view given) {
  return parse(number.kind, number.least, number.most, number.key, given);
}

double link_rate(const Profile& profile) {
  const auto& points = profile.copies.h2d.points;
  const TimeBySize::Point &before_last = points[points.size() - 2], &last = points.back();
  return 1e9 * static_cast<double>(last.bytes - before_last.bytes) /
         static_cast<double>(std::max<Nanoseconds>(1, last.time - before_last.time));
}

Result<void> change(Profile& profile, std::string_view key, std::string_view value) {
  Profile changed = profile;
  std::string was, is;
  if (key == kLink) {
    const auto rate = parse(NumberKind::rate, 1e6, 1e15, key, value);
    if (!rate) return fail(rate.error());
    was = value_text(NumberKind::rate, std::round(link_rate(profile) / 1e7) * 1e7);
    is = value_text(NumberKind::rate, *rate);
    set_link(changed, *rate);
  } else {
    const auto index = find_number(key);
    if (!index || kNumbers[*index].kind == NumberKind::times) {
      return fail(ErrorKind::bad_input,
                  fmt::format("\"{}\" is no number of a profile that can be changed; there are {}", key, known_keys()));
    }
    const ProfileNumber& number = kNumbers[*index];
    const auto wanted = parse(number.kind, number.least, number.most, key, value);
    if (!wanted) return fail(wanted.error());
    was = text(number, profile);
    number.set(changed, *wanted);
    is = text(number, changed);
    if (*index < changed.origins.size()) changed.origins[*index] = Origin::assumed;
  }
  if (const auto wrong = check_profile(changed)) return fail(ErrorKind::bad_input, *wrong);
  if (is != was) changed.changes.push_back({std::string(key), is, was});
  profile = std::move(changed);
  return {};
}

std::optional<std::string> check_profile(const Profile& profile) {
  const Profile::Compute& sm = profile.compute;
  if (sm.block_threads > sm.threads || sm.block_shared + sm.block_shared_reserved > sm.shared_bytes) {
    return "a block of block_threads or block_shared_memory (and what is reserved) does not fit on a multiprocessor of "
           "threads and shared_memory";
  }
  return std::nullopt;
}

}  // namespace streamscope::model
