#include "engine/cuda_source/cuda_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/base/translate.h"
#include "engine/cuda_source/before_run.h"
#include "engine/cuda_source/functions.h"
#include "engine/cuda_source/names.h"
#include "engine/cuda_source/statements.h"
#include "engine/program/syntax/parse.h"

namespace streamscope::cuda_source {
namespace {

std::string without_comments(std::string text) {
  for (std::size_t at = text.find("//"); at != std::string::npos; at = text.find("//", at))
    text.erase(at, text.find('\n', at) - at);
  return text;
}

// "streams" of "/tmp/streams.cu".
std::string_view without_folder_and_ending(std::string_view file) {
  file = file.substr(file.find_last_of('/') + 1);
  return file.substr(0, file.find_last_of('.'));
}

bool needs_pool(const program::Program& program) {
  return std::any_of(program.buffers.begin(), program.buffers.end(),
                     [](const program::Buffer& buffer) { return buffer.stream_ordered; });
}

std::string how_to_run(int architecture, std::string_view name) {
  const std::string run = fmt::format(
      "// Then ./{} [RUNS]: the wall time of each of RUNS runs after a warm-up, 5 where nothing is said, and\n"
      "// sums of the data that the last one left.",
      name);
  constexpr std::string_view kNative = "-arch=native compiles for the GPU of this machine.";
  return architecture > 0 ? fmt::format("// ({})\n{}", kNative, run) : fmt::format("{} {}", run, kNative);
}

class Writer {
 public:
  Writer(const program::Syntax& syntax, const program::Program& program, std::string_view file)
      : program_(program),
        file_(file),
        names_(syntax, program),
        statements_(syntax, program, names_),
        before_(program, names_, statements_) {}

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
    out_.append_declarations(before_.filled());
    add("\n// What is timed: the program.\nvoid run() {");
    out_.append(run_);
    add("}");
    if (devices_ > 1) begin_anew();
    add("\nvoid clean_up() {");
    out_.append_declarations(before_.freed());
    add("}");
    add("\n}  // namespace program");
    main_function();
    return CudaSource{out_.text(), out_.from(), out_.declares()};
  }

 private:
  void add(std::string_view text) { out_.add(text); }
  bool any(Entity entity) const {
    return std::any_of(names_.all().begin(), names_.all().end(),
                       [&](const Named& one) { return one.entity == entity && !one.ids.empty(); });
  }

  void head() {
    const std::string_view name = without_folder_and_ending(file_);
    const int architecture = statements_.architecture();
    add(fmt::format("// nvcc -std=c++17 -O3{}{} {}.cu -o {}",
                    architecture > 0 ? fmt::format(" -arch=sm_{}", architecture) : "",
                    program_.default_per_thread ? " --default-stream per-thread" : "", name, name));
    add("//");
    if (program::fails_on_purpose(program_))
      add(fmt::format("// It fails on purpose. Then ./{}: what its calls return, and its wall time.", name));
    else
      add(how_to_run(architecture, name));
    if (!statements_.header().empty()) add("//");
    for (const std::string& line : statements_.header()) add(line);
    std::set<std::string> headers{"<chrono>", "<cstdio>", "<cstdlib>"};
    std::set<std::string> of_cuda{"<cuda_runtime.h>"};
    if (any(Entity::thread)) headers.insert("<thread>");
    if (before_.has_data()) headers.insert({"<cstring>", "<vector>"});
    if (statements_.has_alone()) headers.insert("<algorithm>");
    for (const std::string_view header : statements_.headers()) of_cuda.insert(std::string(header));
    if (program_.default_per_thread) add(kPerThreadOnly);
    add("");
    for (const std::string& one : of_cuda) add("#include " + one);
    add("");
    for (const std::string& one : headers) add("#include " + one);
    std::set<std::string> own;
    for (const auto& one : program_.own_kernels) own.insert(one->file);
    if (!own.empty()) add("");
    for (const std::string& file : own) add(fmt::format("#include \"{}\"  // the program's own", file));
    // What many files of kernels define, too.
    if (!own.empty()) add("\n#undef CHECK");
    const bool fails = program::fails_on_purpose(program_);
    add("\n" + std::string(fails ? kTell : kCheck) + "\nnamespace program {");
  }

  void variables() {
    Lines declared = before_.variables();
    if (says(statements_.code(), "multiprocessors")) declared.add("int multiprocessors = 0;");
    if (statements_.has_alone()) {
      declared.add("// Of a block that is to be alone on its multiprocessor.\nsize_t memory_of_block = 0;");
    }
    // Those that nothing uses would be a warning.
    const std::string all = without_comments(declared.text()) + statements_.code();
    add("");
    if (says(all, "KiB")) add("constexpr size_t KiB = 1024;");
    if (says(all, "MiB")) add("constexpr size_t MiB = 1024 * 1024;");
    if (!declared.text().empty()) add("");
    out_.append_declarations(declared);
  }

  void set_up() {
    add("\n// Before anything is timed: memory, streams, events, graphs.\nvoid set_up() {");
    if (says(statements_.code(), "multiprocessors")) {
      add("  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));");
    }
    out_.append_declarations(before_.made());
    const std::vector<std::string> own = own_settings();
    // It is said to each, the first at last, which is the current one then.
    const bool loop = devices_ > 1 && !own.empty();
    if (loop) add(fmt::format("  for (int device = {}; device >= 0; --device) {{", devices_ - 1));
    if (loop) add("    CHECK(cudaSetDevice(device));");
    for (const std::string& line : own) add((loop ? "    " : "  ") + line);
    if (loop) add("  }");
    if (devices_ > 1 && !loop && captures_.count() > 0) add("  CHECK(cudaSetDevice(0));");
    out_.append(captures_);
    add("}");
  }

  // What is a device's own: lines, not indented.
  std::vector<std::string> own_settings() const {
    std::vector<std::string> all;
    const auto say = [&](const std::string& text) {
      for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        all.push_back(text.substr(from, end - from));
        from = end + 1;
      }
    };
    if (needs_pool(program_)) say(fmt::format(kKeepPool, devices_ > 1 ? "device" : "0"));
    std::uint64_t most = 0;  // of one alone: all of them get as much
    for (const LaunchedKernel& one : statements_.kernels())
      if (one.alone) most = std::max<std::uint64_t>(most, one.shared_bytes);
    if (statements_.has_alone()) say(fmt::format(kAlone, most));
    for (const LaunchedKernel& one : statements_.kernels()) {
      if (!one.alone && one.shared_bytes <= kSharedWithoutAsking) continue;
      say(fmt::format("CHECK(cudaFuncSetAttribute({}, cudaFuncAttributeMaxDynamicSharedMemorySize, {}));", one.function,
                      one.alone ? "static_cast<int>(memory_of_block)" : fmt::format("{}", one.shared_bytes)));
    }
    return all;
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
    if (before_.has_data()) add("  program::fill_buffers();");
    add(devices_ > 1 ? "  program::begin_anew();" : "  CHECK(cudaDeviceSynchronize());");
    add("  const auto begin = std::chrono::steady_clock::now();");
    add("  program::run();\n  const auto end = std::chrono::steady_clock::now();");
    add("  const std::chrono::duration<double, std::micro> wall = end - begin;");
    add("  std::printf(\"run: wall time %.3f us\\n\", wall.count());\n  return 0;\n}");
  }

  void main_function() {
    if (program::fails_on_purpose(program_)) return main_of_failing();
    add("\nint main(int count, char** arguments) {\n  const int runs = count > 1 ? std::atoi(arguments[1]) : 5;");
    add("  program::set_up();\n  for (int number = 0; number <= runs; ++number) {");
    if (before_.has_data()) add("    program::fill_buffers();");
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
    for (std::uint32_t id = 0; id < program_.graphs.size(); ++id) {
      if (program_.graphs[id].captured_in_run)
        add(fmt::format("    CHECK(cudaGraphExecDestroy(program::{}));  // each run captures it anew",
                        names_.find(Entity::graph, id).cpp()));
    }
    add("  }");
    out_.append(before_.sums());
    if (statements_.is_printed(kAttributes)) {
      add("  std::printf(\"attributes: priority %d, flags %u, id %llu, capture %d\\n\", "
          "program::last_attributes.priority,\n"
          "              program::last_attributes.flags, program::last_attributes.id,\n"
          "              static_cast<int>(program::last_attributes.capture));");
    }
    if (statements_.is_printed(kCaptureInfo))
      add("  std::printf(\"capture info: status %d\\n\", static_cast<int>(program::last_capture));");
    if (statements_.is_printed(kElapsed))
      add("  std::printf(\"elapsed: %.6f ms\\n\", static_cast<double>(program::last_elapsed));");
    add("  program::clean_up();\n  return 0;\n}");
  }

  const program::Program& program_;
  std::string_view file_;
  const std::size_t devices_ = program::device_count(program_);
  Names names_;
  Statements statements_;
  BeforeRun before_;
  Lines run_, captures_, out_;
  std::set<std::uint32_t> freed_;                 // buffers made in the run
  std::set<std::uint32_t> registered_;            // buffers whose host memory the run leaves so
  std::set<std::uint32_t> no_stream_, no_event_;  // those that the run has destroyed
};

}  // namespace

std::size_t first_line(const CudaSource& source, const std::set<std::uint32_t>& of_program) {
  std::size_t declared = source.lines.size();
  for (std::size_t i = 0; i < source.lines.size(); ++i) {
    if (!of_program.contains(source.lines[i])) continue;
    if (!source.declares[i]) return i;
    declared = std::min(declared, i);
  }
  return declared;
}

Result<CudaSource> write(const program::Syntax& syntax, const program::Program& program, std::string_view file) {
  return Writer(syntax, program, file).write();
}

Result<CudaSource> write(std::string_view text, const program::Program& program, std::string_view file) {
  const program::Parsed parsed = program::parse(text);
  return write(parsed.syntax, program, file);
}

}  // namespace streamscope::cuda_source
