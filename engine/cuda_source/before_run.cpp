#include "engine/cuda_source/before_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace streamscope::cuda_source {

using program::HostMemory;

bool BeforeRun::has_data() const {
  return std::any_of(program_.buffers.begin(), program_.buffers.end(),
                     [](const program::Buffer& one) { return !one.made_in_run; });
}

Lines BeforeRun::variables() {
  for (const Entity entity : {Entity::buffer, Entity::stream, Entity::event, Entity::graph, Entity::thread}) {
    for (const Named& one : names_.all()) {
      if (one.entity == entity && !one.ids.empty()) variable(one);
    }
  }
  return std::exchange(out_, {});
}

void BeforeRun::variable(const Named& one) {
  const std::string size = one.array ? fmt::format("[{}]", one.size) : "", empty = one.array ? " = {}" : "";
  const std::uint32_t line = line_of(one);
  if (line != 0) {
    for (const std::string& comment : statements_.comments_above(line)) out_.add(comment, line);
  }
  switch (one.entity) {
    case Entity::buffer: {
      const bool host = std::any_of(one.ids.begin(), one.ids.end(), [&](std::uint32_t id) {
        return buffer(id).on_host || (!buffer(id).made_in_run && buffer(id).host != HostMemory::managed);
      });
      const bool device =
          std::any_of(one.ids.begin(), one.ids.end(), [&](std::uint32_t id) { return !buffer(id).on_host; });
      if (!made_in_run(one) || says(statements_.code(), one.cpp + "_bytes")) out_.add(bytes_of(one), line);
      const std::string value = one.array ? " = {}" : " = nullptr";
      out_.add(host && device ? fmt::format("char *{0}_host{1}{2}, *{0}{1}{2};", one.cpp, size, value)
               : host         ? fmt::format("char* {}_host{}{};", one.cpp, size, value)
                              : fmt::format("char* {}{}{};", one.cpp, size, value),
               line);
      for (const DeviceId side : more_sides(one))
        out_.add(fmt::format("char* {}{}{}{};", one.cpp, suffix_of_device(side.value), size, value), line);
      break;
    }
    case Entity::stream: out_.add(fmt::format("cudaStream_t {}{}{};", one.cpp, size, empty), line); break;
    case Entity::event:
      out_.add(fmt::format("cudaEvent_t {}{}{};", one.cpp, size, empty), line);
      if (statements_.has_captured(one)) {
        out_.add(fmt::format("cudaEvent_t {}_captured{}{};  // for the graphs", one.cpp, size, empty), line);
      }
      break;
    case Entity::graph: out_.add(fmt::format("cudaGraphExec_t {}{}{};", one.cpp, size, empty), line); break;
    case Entity::thread: out_.add(fmt::format("std::thread {}{};", one.cpp, size), line); break;
  }
}

std::string BeforeRun::bytes_of(const Named& named) const {
  // The size that each has first.
  std::vector<std::string> all(named.array && !named.one_size ? named.size : 1);
  for (std::size_t i = 0; i < named.ids.size(); ++i) {
    std::string& one = all[all.size() > 1 ? named.at[i] : 0];
    if (one.empty()) one = cpp_bytes(buffer(named.ids[i]).bytes);
  }
  std::replace(all.begin(), all.end(), std::string(), std::string("0"));
  const char* const type = named.size_changes ? "size_t" : "constexpr size_t";
  if (named.one_size) return fmt::format("{} {}_bytes = {};", type, named.cpp, all[0]);
  return fmt::format("{} {}_bytes[] = {{{}}};", type, named.cpp, fmt::join(all, ", "));
}

bool BeforeRun::made_in_run(const Named& named) const {
  return std::ranges::all_of(named.ids, [&](std::uint32_t id) { return buffer(id).made_in_run; });
}

// The devices on which any of them has a further side.
std::set<DeviceId> BeforeRun::more_sides(const Named& one) const {
  std::set<DeviceId> all;
  for (const std::uint32_t id : one.ids) all.insert(buffer(id).more_devices.begin(), buffer(id).more_devices.end());
  return all;
}

std::uint32_t BeforeRun::line_of(const Named& one) const {
  switch (one.entity) {
    case Entity::buffer: return buffer(one.ids[0]).line;
    case Entity::stream: return program_.streams[one.ids[0]].line;
    case Entity::graph: return program_.graphs[one.ids[0]].line;
    default: return statements_.first_line(one);
  }
}

// Makes it on that device; nothing is said where there is only one.
std::vector<std::string> BeforeRun::on(DeviceId device, std::vector<std::string> made) const {
  if (devices_ > 1 && !made.empty()) made.insert(made.begin(), fmt::format("CHECK(cudaSetDevice({}));", device.value));
  return made;
}

// One statement for all of an array that are alike and without gaps, else one for each. `make` gets what to write.
template <class Alike, class Make>
void BeforeRun::for_each(const Named& named, const Alike& alike, const Make& make) {
  const bool whole = named.array && named.size == named.ids.size() && named.ids.size() > 1 &&
                     std::all_of(named.ids.begin(), named.ids.end(),
                                 [&](std::uint32_t id) { return alike(named.ids[0]) == alike(id); });
  if (!whole) {
    for (std::size_t i = 0; i < named.ids.size(); ++i) {
      for (const std::string& line :
           make(Place{&named, named.ids[i], named.array ? fmt::format("[{}]", named.at[i]) : ""}, named.ids[i]))
        out_.add("  " + line, line_of(named));
    }
    return;
  }
  const std::vector<std::string> made = make(Place{&named, named.ids[0], "[i]"}, named.ids[0]);
  if (made.empty()) return;
  const bool block = made.size() > 1;
  out_.add(fmt::format("  for (int i = 0; i < {}; ++i) {}{}", named.size, block ? "{" : "", block ? "" : made[0]),
           line_of(named));
  if (!block) return;
  for (const std::string& line : made) out_.add("    " + line, line_of(named));
  out_.add("  }", line_of(named));
}

Lines BeforeRun::made() {
  for (const Named& one : names_.all()) {
    if (!one.ids.empty()) make(one);
  }
  return std::exchange(out_, {});
}

void BeforeRun::make(const Named& one) {
  switch (one.entity) {
    case Entity::buffer:
      for_each(
          one,
          [&](std::uint32_t id) {
            return std::tuple(buffer(id).bytes, buffer(id).host, buffer(id).made_in_run, buffer(id).device,
                              buffer(id).more_devices);
          },
          [&](const Place& at, std::uint32_t id) { return allocation(at, buffer(id)); });
      break;
    case Entity::stream:
      for_each(
          one,
          [&](std::uint32_t id) {
            return std::tuple(program_.streams[id].nonblocking, program_.streams[id].priority,
                              program_.streams[id].made_in_run, program_.streams[id].device);
          },
          [&](const Place& at, std::uint32_t id) {
            const program::Stream& stream = program_.streams[id];
            if (stream.made_in_run) return std::vector<std::string>{};
            const char* const flags = stream.nonblocking ? "cudaStreamNonBlocking" : "cudaStreamDefault";
            return on(stream.device,
                      {stream.priority != 0 ? fmt::format("CHECK(cudaStreamCreateWithPriority(&{}, {}, {}));", at.cpp(),
                                                          flags, stream.priority)
                       : stream.nonblocking ? fmt::format("CHECK(cudaStreamCreateWithFlags(&{}, {}));", at.cpp(), flags)
                                            : fmt::format("CHECK(cudaStreamCreate(&{}));", at.cpp())});
          });
      break;
    case Entity::event:
      for_each(
          one,
          [&](std::uint32_t id) {
            const program::Event& event = program_.events[id];
            return std::tuple(event.timing, event.blocking_sync, event.made_in_run, event.device);
          },
          [&](const Place& at, std::uint32_t id) {
            const program::Event& event = program_.events[id];
            if (event.made_in_run) return std::vector<std::string>{};
            std::string flags = event.timing ? "" : "cudaEventDisableTiming";
            if (event.blocking_sync) flags += flags.empty() ? "cudaEventBlockingSync" : " | cudaEventBlockingSync";
            std::vector made{flags.empty() ? fmt::format("CHECK(cudaEventCreate(&{}));", at.cpp())
                                           : fmt::format("CHECK(cudaEventCreateWithFlags(&{}, {}));", at.cpp(), flags)};
            if (statements_.has_captured(one)) {
              made.push_back(
                  fmt::format("CHECK(cudaEventCreateWithFlags(&{}, cudaEventDisableTiming));", at.cpp("_captured")));
            }
            return on(event.device, std::move(made));
          });
      break;
    default: break;
  }
}

std::vector<std::string> BeforeRun::allocation(const Place& at, const program::Buffer& one) const {
  std::vector<std::string> made = on(one.device, first_side(at, one));
  for (const DeviceId side : one.more_devices) {
    for (std::string& line :
         on(side, {fmt::format("CHECK(cudaMalloc(&{}, {}));", at.cpp(suffix_of_device(side.value)), at.bytes())}))
      made.push_back(std::move(line));
  }
  return made;
}

std::vector<std::string> BeforeRun::first_side(const Place& at, const program::Buffer& one) const {
  if (one.made_in_run) return {};
  const std::string host = at.cpp("_host"), device = at.cpp(), size = at.bytes();
  const std::string on_device = fmt::format("CHECK(cudaMalloc(&{}, {}));", device, size);
  const auto on_host = [&](std::string_view flags) {
    return fmt::format("CHECK(cudaHostAlloc(&{}, {}, {}));", host, size, flags);
  };
  switch (one.host) {
    case HostMemory::pinned: return {on_host("cudaHostAllocDefault"), on_device};
    case HostMemory::write_combined: return {on_host("cudaHostAllocWriteCombined"), on_device};
    case HostMemory::pageable: return {fmt::format("{} = static_cast<char*>(std::malloc({}));", host, size), on_device};
    case HostMemory::mapped:
      return {on_host("cudaHostAllocMapped"),
              fmt::format("CHECK(cudaHostGetDevicePointer(&{}, {}, 0));", device, host)};
    case HostMemory::managed: break;
  }
  return {fmt::format("CHECK(cudaMallocManaged(&{}, {}));", device, size)};
}

template <class Each>
void BeforeRun::each_buffer(const Each& each) {
  for (const Named& named : names_.all()) {
    if (named.entity != Entity::buffer) continue;
    for (std::size_t i = 0; i < named.ids.size(); ++i) {
      const Place at{&named, named.ids[i], named.array ? fmt::format("[{}]", named.at[i]) : ""};
      if (!buffer(named.ids[i]).made_in_run) each(at, named.ids[i], buffer(named.ids[i]));
    }
  }
}

Lines BeforeRun::filled() {
  if (!has_data()) return {};
  add(kFill);
  const bool managed = std::any_of(program_.buffers.begin(), program_.buffers.end(), [](const program::Buffer& one) {
    return !one.made_in_run && one.host == HostMemory::managed;
  });
  if (managed && !statements_.calls(kPrefetch)) add("\n" + std::string(kPrefetch));
  add("\n// Each run begins with the same data. What the host has, the device fills and copies, which is "
      "quicker.\nvoid fill_buffers() {");
  each_buffer([&](const Place& at, std::uint32_t id, const program::Buffer& one) {
    const bool shared = program::is_shared(one.host);
    const auto set = [&](DeviceId device) {
      if (devices_ > 1) out_.add(fmt::format("  CHECK(cudaSetDevice({}));", device.value), one.line);
    };
    set(one.device);
    out_.add(fmt::format("  fill({}, {}, {});", at.cpp(), at.bytes(), 2 * id + 1), one.line);
    if (one.host == HostMemory::managed) {
      out_.add(fmt::format("  prefetch({}, {}, cudaCpuDeviceId, cudaStreamLegacy);", at.cpp(), at.bytes()), one.line);
    }
    if (shared) return;
    out_.add(
        fmt::format("  CHECK(cudaMemcpy({}, {}, {}, cudaMemcpyDeviceToHost));", at.cpp("_host"), at.cpp(), at.bytes()),
        one.line);
    out_.add(fmt::format("  fill({}, {}, {});", at.cpp(), at.bytes(), 2 * id + 2), one.line);
    for (const DeviceId side : one.more_devices) {
      set(side);
      out_.add(fmt::format("  fill({}, {}, {});", at.cpp(suffix_of_device(side.value)), at.bytes(), 2 * id + 2),
               one.line);
    }
  });
  add("}");
  add(kSums);
  return std::exchange(out_, {});
}

Lines BeforeRun::freed() {
  for (const Named& one : names_.all()) {
    if (one.ids.empty()) continue;
    const auto of_run = [](const auto& table) { return [&table](std::uint32_t id) { return table[id].made_in_run; }; };
    if (one.entity == Entity::graph)
      for_each(
          one, [&](std::uint32_t id) { return program_.graphs[id].captured_in_run; },
          [&](const Place& at, std::uint32_t id) {
            if (program_.graphs[id].captured_in_run) return std::vector<std::string>{};
            return std::vector{fmt::format("CHECK(cudaGraphExecDestroy({}));", at.cpp())};
          });
    if (one.entity == Entity::event)
      for_each(one, of_run(program_.events), [&](const Place& at, std::uint32_t id) {
        if (program_.events[id].made_in_run) return std::vector<std::string>{};
        std::vector gone{fmt::format("CHECK(cudaEventDestroy({}));", at.cpp())};
        if (statements_.has_captured(one))
          gone.push_back(fmt::format("CHECK(cudaEventDestroy({}));", at.cpp("_captured")));
        return gone;
      });
    if (one.entity == Entity::stream)
      for_each(one, of_run(program_.streams), [&](const Place& at, std::uint32_t id) {
        if (program_.streams[id].made_in_run) return std::vector<std::string>{};
        return std::vector{fmt::format("CHECK(cudaStreamDestroy({}));", at.cpp())};
      });
  }
  each_buffer([&](const Place& at, std::uint32_t, const program::Buffer& one) {
    if (one.host == HostMemory::pageable) out_.add(fmt::format("  std::free({});", at.cpp("_host")), one.line);
    if (one.host != HostMemory::pageable && one.host != HostMemory::managed)
      out_.add(fmt::format("  CHECK(cudaFreeHost({}));", at.cpp("_host")), one.line);
    if (one.host != HostMemory::mapped) out_.add(fmt::format("  CHECK(cudaFree({}));", at.cpp()), one.line);
    for (const DeviceId side : one.more_devices)
      out_.add(fmt::format("  CHECK(cudaFree({}));", at.cpp(suffix_of_device(side.value))), one.line);
  });
  return std::exchange(out_, {});
}

Lines BeforeRun::sums() {
  each_buffer([&](const Place& at, std::uint32_t, const program::Buffer& one) {
    const std::string size = "program::" + at.bytes();
    if (one.host != HostMemory::managed)
      add(fmt::format("  program::print_sums(\"{} host\", program::{}, {});", one.name, at.cpp("_host"), size));
    if (one.host != HostMemory::mapped)
      add(fmt::format("  program::print_sums(\"{} {}\", program::{}, {});", one.name,
                      one.host == HostMemory::managed ? "managed" : "device", at.cpp(), size));
    for (const DeviceId side : one.more_devices)
      add(fmt::format("  program::print_sums(\"{} device {}\", program::{}, {});", one.name, side.value,
                      at.cpp(suffix_of_device(side.value)), size));
  });
  return std::exchange(out_, {});
}

}  // namespace streamscope::cuda_source
