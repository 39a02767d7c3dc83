// Traces from files: saved runs of our own, Chrome's trace events (PyTorch's profiler, Perfetto's examples) and Nsight
// Systems' SQLite exports. Any file gives a run, or an error that says where it is wrong.
#pragma once

#include <filesystem>
#include <string_view>

#include "engine/base/result.h"
#include "engine/input/read_control.h"
#include "engine/trace/trace.h"

namespace streamscope::input {

Result<trace::Run> open_trace(const std::filesystem::path& path, const OpenControl& control = {});

// By the name and the first bytes of the file: whether open_trace() is to open it, if only to say what is wrong with
// it. An experiment or a program never looks like one.
inline constexpr std::size_t kFirstBytes = 4096;
bool looks_like_trace(const std::filesystem::path& path, std::string_view first_bytes);
bool looks_like_trace(const std::filesystem::path& path);  // reads the first bytes itself

}  // namespace streamscope::input
