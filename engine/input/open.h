// Traces from files: saved runs of our own, Chrome's trace events (PyTorch's profiler, Perfetto's examples) and Nsight
// Systems' SQLite exports. Whatever the file holds, it ends in a run or in an error that says where the fault is.
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string_view>

#include "engine/base/result.h"
#include "engine/trace/trace.h"

namespace streamscope::input {

struct OpenControl {
  std::stop_token stop;                  // asked to stop, the result is ErrorKind::cancelled
  std::function<void(double)> progress;  // the share that is read, now and then; may be empty
};

Result<trace::Run> open_trace(const std::filesystem::path& path, const OpenControl& control = {});

// By the name and the first bytes of the file: whether open_trace() is to open it, be it to say what is wrong with it.
// An experiment or a program never looks like one.
inline constexpr std::size_t kFirstBytes = 4096;
bool looks_like_trace(const std::filesystem::path& path, std::string_view first_bytes);
bool looks_like_trace(const std::filesystem::path& path);  // reads the first bytes itself

}  // namespace streamscope::input
