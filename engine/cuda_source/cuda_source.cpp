#include "engine/cuda_source/cuda_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/base/translate.h"
#include "engine/cuda_source/functions.h"
#include "engine/cuda_source/names.h"
#include "engine/cuda_source/statements.h"
#include "engine/program/syntax/parse.h"

namespace streamscope::cuda_source {
namespace {

using program::HostMemory;

// "streams" of "/tmp/streams.cu".
std::string_view without_folder_and_ending(std::string_view file) {
  file = file.substr(file.find_last_of('/') + 1);
  return file.substr(0, file.find_last_of('.'));
}

bool needs_pool(const program::Program& program) {
  return std::any_of(program.buffers.begin(), program.buffers.end(),
                     [](const program::Buffer& buffer) { return buffer.stream_ordered; });
}

std::string_view how_to_run(int architecture) {
  return architecture > 0
             ? "// (-arch=native compiles for the GPU of this machine.) Then ./NAME [RUNS]: the wall time of each of"
               " RUNS runs after a\n// warm-up, 5 where nothing is said, and sums of the data that the last one left."
             : "// Then ./NAME [RUNS]: the wall time of each of RUNS runs after a warm-up, 5 where nothing is said, and"
               " sums of the data\n// that the last one left. -arch=native compiles for the GPU of this machine.";
}

class Writer {
 public:
  Writer(const program::Syntax& syntax, const program::Program& program, std::string_view file)
      : program_(program), file_(file), names_(syntax, program), statements_(syntax, program, names_) {}

  Result<CudaSource> write() {
    run_ = TRY(statements_.run());
    captures_ = TRY(statements_.captures());
    for (const program::Operation& operation : program_.operations) {
      if (const auto* free = std::get_if<program::op::Free>(&operation.work)) freed_.insert(free->buffer.value);
      if (const auto* free = std::get_if<program::op::FreeAsync>(&operation.work)) freed_.insert(free->buffer.value);
      if (const auto* free = std::get_if<program::op::FreeHost>(&operation.work)) freed_.insert(free->gone.value);
      if (const auto* on = std::get_if<program::op::Register>(&operation.work)) registered_.insert(on->memory.value);
      if (const auto* off = std::get_if<program::op::Unregister>(&operation.work)) registered_.erase(off->memory.value);
      if (const auto* gone = std::get_if<program::op::DestroyStream>(&operation.work))
        no_stream_.insert(gone->gone.value);
      if (const auto* gone = std::get_if<program::op::DestroyEvent>(&operation.work))
        no_event_.insert(gone->gone.value);
    }
    head();
    variables();
    for (const std::string& function : statements_.functions()) add("\n" + function);
    set_up();
    fill_buffers();
    add("\n// What is timed: the program.\nvoid run() {");
    out_.append(run_);
    add("}");
    if (devices_ > 1) begin_anew();
    clean_up();
    add("\n}  // namespace program");
    main_function();
    return out_.finish();
  }

 private:
  void add(std::string_view text) { out_.add(text); }
  const program::Buffer& buffer(std::uint32_t id) const { return program_.buffers[id]; }
  bool any(Entity entity) const {
    return std::any_of(names_.all().begin(), names_.all().end(),
                       [&](const Named& one) { return one.entity == entity && !one.ids.empty(); });
  }
  bool fills() const {
    return std::any_of(program_.buffers.begin(), program_.buffers.end(),
                       [](const program::Buffer& one) { return !one.made_in_run; });
  }

  void head() {
    const std::string_view name = without_folder_and_ending(file_);
    const int architecture = statements_.architecture();
    add(fmt::format("// nvcc -std=c++17 -O3{}{} {}.cu -o {}",
                    architecture > 0 ? fmt::format(" -arch=sm_{}", architecture) : "",
                    program_.default_per_thread ? " --default-stream per-thread" : "", name, name));
    add("//");
    if (program::fails_on_purpose(program_))
      add("// It fails on purpose. Then ./NAME: what its calls return, and its wall time.");
    else
      add(how_to_run(architecture));
    if (!statements_.header().empty()) add("//");
    for (const std::string& line : statements_.header()) add(line);
    std::set<std::string> headers{"<chrono>", "<cstdio>", "<cstdlib>"};
    std::set<std::string> of_cuda{"<cuda_runtime.h>"};
    if (any(Entity::thread)) headers.insert("<thread>");
    if (fills()) headers.insert({"<cstring>", "<vector>"});
    if (statements_.has_alone()) headers.insert("<algorithm>");
    for (const std::string_view header : statements_.headers()) of_cuda.insert(std::string(header));
    if (program_.default_per_thread) add(kPerThreadOnly);
    add("");
    for (const std::string& one : of_cuda) add("#include " + one);
    add("");
    for (const std::string& one : headers) add("#include " + one);
    const bool fails = program::fails_on_purpose(program_);
    add("\n" + std::string(fails ? kTell : kCheck) + "\nnamespace program {");
  }

  std::string bytes_of(const Named& named) const {
    std::set<std::uint64_t> sizes;
    for (const std::uint32_t id : named.ids) sizes.insert(buffer(id).bytes);
    if (sizes.size() == 1) return fmt::format("constexpr size_t {}_bytes = {};", named.cpp, cpp_bytes(*sizes.begin()));
    std::vector<std::string> all(named.size, "0");
    for (std::size_t i = 0; i < named.ids.size(); ++i) all[named.at[i]] = cpp_bytes(buffer(named.ids[i]).bytes);
    return fmt::format("constexpr size_t {}_bytes[] = {{{}}};", named.cpp, fmt::join(all, ", "));
  }

  bool made_in_run(const Named& named) const {
    return std::ranges::all_of(named.ids, [&](std::uint32_t id) { return buffer(id).made_in_run; });
  }
  // In what the program does, apart from what is made before it.
  bool says(const std::string& word) const { return (captures_.text() + run_.text()).find(word) != std::string::npos; }

  // Those that nothing uses would be a warning.
  void variables() {
    const Lines body = std::move(out_);
    out_ = Lines();
    for (const Named& one : names_.all()) {
      if (!one.ids.empty()) variable(one);
    }
    if (statements_.uses("multiprocessors")) add("int multiprocessors = 0;");
    if (statements_.has_alone()) {
      add("// Of a block that is to be alone on its multiprocessor.\nsize_t memory_of_block = 0;");
    }
    Lines declared = std::move(out_);
    out_ = body;
    const std::string all = declared.text() + captures_.text() + run_.text();
    add("");
    if (all.find(" KiB") != std::string::npos) add("constexpr size_t KiB = 1024;");
    if (all.find(" MiB") != std::string::npos) add("constexpr size_t MiB = 1024 * 1024;");
    if (!declared.text().empty()) add("");
    out_.append(declared);
  }

  void variable(const Named& one) {
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
        if (!made_in_run(one) || says(one.cpp + "_bytes")) out_.add(bytes_of(one), line);
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

  // The devices on which any of them has a further side.
  std::set<DeviceId> more_sides(const Named& one) const {
    std::set<DeviceId> all;
    for (const std::uint32_t id : one.ids) all.insert(buffer(id).more_devices.begin(), buffer(id).more_devices.end());
    return all;
  }
  // Makes it on that device; nothing is said where there is only one.
  std::vector<std::string> on(DeviceId device, std::vector<std::string> made) const {
    if (devices_ > 1 && !made.empty())
      made.insert(made.begin(), fmt::format("CHECK(cudaSetDevice({}));", device.value));
    return made;
  }

  std::uint32_t line_of(const Named& one) const {
    switch (one.entity) {
      case Entity::buffer: return buffer(one.ids[0]).line;
      case Entity::stream: return program_.streams[one.ids[0]].line;
      case Entity::graph: return program_.graphs[one.ids[0]].line;
      default: return statements_.first_line(one);
    }
  }

  // One statement for all of an array that are alike and without gaps, else one for each. `make` gets what to write.
  template <class Alike, class Make>
  void for_each(const Named& named, const Alike& alike, const Make& make) {
    const bool whole = named.array && named.size == named.ids.size() && named.ids.size() > 1 &&
                       std::all_of(named.ids.begin(), named.ids.end(),
                                   [&](std::uint32_t id) { return alike(named.ids[0]) == alike(id); });
    if (!whole) {
      for (std::size_t i = 0; i < named.ids.size(); ++i) {
        for (const std::string& line :
             make(Place{&named, named.array ? fmt::format("[{}]", named.at[i]) : ""}, named.ids[i]))
          out_.add("  " + line, line_of(named));
      }
      return;
    }
    const std::vector<std::string> made = make(Place{&named, "[i]"}, named.ids[0]);
    if (made.empty()) return;
    const bool block = made.size() > 1;
    out_.add(fmt::format("  for (int i = 0; i < {}; ++i) {}{}", named.size, block ? "{" : "", block ? "" : made[0]),
             line_of(named));
    if (!block) return;
    for (const std::string& line : made) out_.add("    " + line, line_of(named));
    out_.add("  }", line_of(named));
  }

  void set_up() {
    add("\n// Before anything is timed: memory, streams, events, graphs.\nvoid set_up() {");
    if (statements_.uses("multiprocessors")) {
      add("  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));");
    }
    for (const Named& one : names_.all()) {
      if (!one.ids.empty()) make(one);
    }
    // What is the device's own is said to each, the first at last, which is the current one then.
    const bool several = devices_ > 1;
    if (several) {
      add(fmt::format("  for (int device = {}; device >= 0; --device) {{", devices_ - 1));
      add("  CHECK(cudaSetDevice(device));");
    }
    if (needs_pool(program_)) add(fmt::format(kKeepPool, several ? "device" : "0"));
    for (const LaunchedKernel& one : statements_.kernels()) {
      if (one.alone) add(fmt::format(kAlone, one.shared_bytes));
      if (!one.alone && one.shared_bytes <= kSharedWithoutAsking) continue;
      add(fmt::format("  CHECK(cudaFuncSetAttribute({}, cudaFuncAttributeMaxDynamicSharedMemorySize, {}));",
                      one.function,
                      one.alone ? "static_cast<int>(memory_of_block)" : fmt::format("{}", one.shared_bytes)));
    }
    if (several) add("  }");
    out_.append(captures_);
    add("}");
  }

  void make(const Named& one) {
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
              return on(
                  stream.device,
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
              std::vector made{flags.empty()
                                   ? fmt::format("CHECK(cudaEventCreate(&{}));", at.cpp())
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

  std::string bytes(const Place& at) const {
    const bool each = bytes_of(*at.named).find("[]") != std::string::npos;
    return at.named->cpp + "_bytes" + (each ? at.index : "");
  }

  std::vector<std::string> allocation(const Place& at, const program::Buffer& one) const {
    std::vector<std::string> made = on(one.device, first_side(at, one));
    for (const DeviceId side : one.more_devices) {
      for (std::string& line :
           on(side, {fmt::format("CHECK(cudaMalloc(&{}, {}));", at.cpp(suffix_of_device(side.value)), bytes(at))}))
        made.push_back(std::move(line));
    }
    return made;
  }
  std::vector<std::string> first_side(const Place& at, const program::Buffer& one) const {
    if (one.made_in_run) return {};
    const std::string host = at.cpp("_host"), device = at.cpp(), size = bytes(at);
    const std::string on_device = fmt::format("CHECK(cudaMalloc(&{}, {}));", device, size);
    const auto on_host = [&](std::string_view flags) {
      return fmt::format("CHECK(cudaHostAlloc(&{}, {}, {}));", host, size, flags);
    };
    switch (one.host) {
      case HostMemory::pinned: return {on_host("cudaHostAllocDefault"), on_device};
      case HostMemory::write_combined: return {on_host("cudaHostAllocWriteCombined"), on_device};
      case HostMemory::pageable:
        return {fmt::format("{} = static_cast<char*>(std::malloc({}));", host, size), on_device};
      case HostMemory::mapped:
        return {on_host("cudaHostAllocMapped"),
                fmt::format("CHECK(cudaHostGetDevicePointer(&{}, {}, 0));", device, host)};
      case HostMemory::managed: break;
    }
    return {fmt::format("CHECK(cudaMallocManaged(&{}, {}));", device, size)};
  }

  template <class Each>
  void each_buffer(const Each& each) {
    for (const Named& named : names_.all()) {
      if (named.entity != Entity::buffer) continue;
      for (std::size_t i = 0; i < named.ids.size(); ++i) {
        const Place at{&named, named.array ? fmt::format("[{}]", named.at[i]) : ""};
        if (!buffer(named.ids[i]).made_in_run) each(at, named.ids[i], buffer(named.ids[i]));
      }
    }
  }

  void fill_buffers() {
    if (!fills()) return;
    add(kFill);
    const bool managed = std::any_of(program_.buffers.begin(), program_.buffers.end(), [](const program::Buffer& one) {
      return !one.made_in_run && one.host == HostMemory::managed;
    });
    if (managed && !statements_.uses("prefetch(")) add("\n" + std::string(kPrefetch));
    add("\n// Each run begins with the same data. What the host has, the device fills and copies, which is "
        "quicker.\nvoid fill_buffers() {");
    each_buffer([&](const Place& at, std::uint32_t id, const program::Buffer& one) {
      const bool shared = program::is_shared(one.host);
      const auto set = [&](DeviceId device) {
        if (devices_ > 1) out_.add(fmt::format("  CHECK(cudaSetDevice({}));", device.value), one.line);
      };
      set(one.device);
      out_.add(fmt::format("  fill({}, {}, {});", at.cpp(), bytes(at), 2 * id + 1), one.line);
      if (one.host == HostMemory::managed) {
        out_.add(fmt::format("  prefetch({}, {}, cudaCpuDeviceId, cudaStreamLegacy);", at.cpp(), bytes(at)), one.line);
      }
      if (shared) return;
      out_.add(
          fmt::format("  CHECK(cudaMemcpy({}, {}, {}, cudaMemcpyDeviceToHost));", at.cpp("_host"), at.cpp(), bytes(at)),
          one.line);
      out_.add(fmt::format("  fill({}, {}, {});", at.cpp(), bytes(at), 2 * id + 2), one.line);
      for (const DeviceId side : one.more_devices) {
        set(side);
        out_.add(fmt::format("  fill({}, {}, {});", at.cpp(suffix_of_device(side.value)), bytes(at), 2 * id + 2),
                 one.line);
      }
    });
    add("}");
    add(kSums);
  }

  void clean_up() {
    add("\nvoid clean_up() {");
    for (const Named& one : names_.all()) {
      if (one.ids.empty()) continue;
      const auto always = [](std::uint32_t) { return 0; };
      const auto of_run = [](const auto& table) {
        return [&table](std::uint32_t id) { return table[id].made_in_run; };
      };
      if (one.entity == Entity::graph)
        for_each(one, always, [&](const Place& at, std::uint32_t) {
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
    add("}");
  }

  // Before each run: nothing is under way, no device reaches another's memory, and the first is the current one.
  void begin_anew() {
    std::set<std::pair<std::uint32_t, std::uint32_t>> reached;
    for (const program::Operation& operation : program_.operations) {
      const auto* const access = std::get_if<program::op::PeerAccess>(&operation.work);
      if (access == nullptr) continue;
      reached.emplace(access->first.value, access->second.value);
      reached.emplace(access->second.value, access->first.value);
    }
    add("\n// Nothing is under way, no device reaches another's memory, and the first is the current one.");
    add(fmt::format("void begin_anew() {{\n  for (int device = {}; device >= 0; --device) {{", devices_ - 1));
    add("    CHECK(cudaSetDevice(device));\n    CHECK(cudaDeviceSynchronize());");
    for (const auto& [device, other] : reached)
      add(fmt::format("    if (device == {} && cudaDeviceDisablePeerAccess({}) != cudaSuccess) cudaGetLastError();",
                      device, other));
    add("  }\n}");
  }

  template <class Table>
  void left_behind(Entity entity, const Table& table, const std::set<std::uint32_t>& gone, std::string_view call) {
    for (std::uint32_t id = 0; id < table.size(); ++id) {
      if (!table[id].made_in_run || gone.contains(id)) continue;
      add(fmt::format("    CHECK({}(program::{}));  // the program leaves it behind", call,
                      names_.find(entity, id).cpp()));
    }
  }

  // It runs once, and what it had goes with its process.
  void main_of_failing() {
    add("\nint main() {\n  program::set_up();");
    if (fills()) add("  program::fill_buffers();");
    add("  CHECK(cudaDeviceSynchronize());\n  const auto begin = std::chrono::steady_clock::now();");
    add("  program::run();\n  const auto end = std::chrono::steady_clock::now();");
    add("  const std::chrono::duration<double, std::micro> wall = end - begin;");
    add("  std::printf(\"run: wall time %.3f us\\n\", wall.count());\n  return 0;\n}");
  }

  void main_function() {
    if (program::fails_on_purpose(program_)) return main_of_failing();
    add("\nint main(int count, char** arguments) {\n  const int runs = count > 1 ? std::atoi(arguments[1]) : 5;");
    add("  program::set_up();\n  for (int number = 0; number <= runs; ++number) {");
    if (fills()) add("    program::fill_buffers();");
    if (devices_ > 1) {
      add("    program::begin_anew();\n    const auto begin = std::chrono::steady_clock::now();");
    } else {
      add("    CHECK(cudaDeviceSynchronize());\n    const auto begin = std::chrono::steady_clock::now();");
    }
    add("    program::run();\n    const auto end = std::chrono::steady_clock::now();");
    add("    const std::chrono::duration<double, std::micro> wall = end - begin;");
    add("    if (number == 0) {\n      std::printf(\"warm-up: %.3f us\\n\", wall.count());\n    } else {");
    add("      std::printf(\"run %d: wall time %.3f us\\n\", number, wall.count());\n    }");
    for (std::size_t b = 0; b < program_.buffers.size(); ++b) {
      if (!program_.buffers[b].made_in_run || freed_.contains(static_cast<std::uint32_t>(b))) continue;
      const bool on_host = program_.buffers[b].on_host;
      add(fmt::format("    CHECK(cudaFree{}(program::{}));  // the program leaves it behind", on_host ? "Host" : "",
                      names_.find(Entity::buffer, static_cast<std::uint32_t>(b)).cpp(on_host ? "_host" : "")));
    }
    for (const std::uint32_t id : registered_) {
      add(fmt::format("    CHECK(cudaHostUnregister(program::{}));  // the program leaves it registered",
                      names_.find(Entity::buffer, id).cpp("_host")));
    }
    left_behind(Entity::stream, program_.streams, no_stream_, "cudaStreamDestroy");
    left_behind(Entity::event, program_.events, no_event_, "cudaEventDestroy");
    add("  }");
    each_buffer([&](const Place& at, std::uint32_t, const program::Buffer& one) {
      const std::string size = "program::" + bytes(at);
      if (one.host != HostMemory::managed)
        add(fmt::format("  program::print_sums(\"{} host\", program::{}, {});", one.name, at.cpp("_host"), size));
      if (one.host != HostMemory::mapped)
        add(fmt::format("  program::print_sums(\"{} {}\", program::{}, {});", one.name,
                        one.host == HostMemory::managed ? "managed" : "device", at.cpp(), size));
      for (const DeviceId side : one.more_devices)
        add(fmt::format("  program::print_sums(\"{} device {}\", program::{}, {});", one.name, side.value,
                        at.cpp(suffix_of_device(side.value)), size));
    });
    if (statements_.uses(" attributes(")) {
      add("  std::printf(\"attributes: priority %d, flags %u, id %llu, capture %d\\n\", "
          "program::last_attributes.priority,\n"
          "              program::last_attributes.flags, program::last_attributes.id,\n"
          "              static_cast<int>(program::last_attributes.capture));");
    }
    if (statements_.uses(" elapsed("))
      add("  std::printf(\"elapsed: %.6f ms\\n\", static_cast<double>(program::last_elapsed));");
    add("  program::clean_up();\n  return 0;\n}");
  }

  const program::Program& program_;
  std::string_view file_;
  const std::size_t devices_ = program::device_count(program_);
  Names names_;
  Statements statements_;
  Lines run_, captures_, out_;
  std::set<std::uint32_t> freed_;                 // buffers made in the run
  std::set<std::uint32_t> registered_;            // buffers whose host memory the run leaves so
  std::set<std::uint32_t> no_stream_, no_event_;  // those that the run has destroyed
};

}  // namespace

Result<CudaSource> write(const program::Syntax& syntax, const program::Program& program, std::string_view file) {
  return Writer(syntax, program, file).write();
}

Result<CudaSource> write(std::string_view text, const program::Program& program, std::string_view file) {
  const program::Parsed parsed = program::parse(text);
  return write(parsed.syntax, program, file);
}

}  // namespace streamscope::cuda_source
