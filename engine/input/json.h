// A JSON file: a saved run of ours, or Chrome's trace events. Their format: "Trace Event Format" of the Chromium
// project; device work as PyTorch's profiler writes it: categories kernel, gpu_memcpy and gpu_memset, device, stream,
// correlation and bytes among the arguments.
//
// Events are read one by one and in any order. What is not drawn (flows, counters, samples, memory) is counted for a
// note; so is what cannot be drawn: an event without a time, an end without a beginning.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/input/file_extras.h"
#include "engine/input/read_control.h"
#include "engine/trace/trace.h"

namespace streamscope::input {

Result<trace::Run> read_json(std::string_view text, const std::string& file, const ReadControl& control);

// What a file of Chrome's trace events carries besides; nothing where it holds a saved run.
Result<FileExtras> read_chrome_extras(std::string_view text, const std::string& file, const ReadControl& control);

// A run as to_json() of engine/output wrote it, by itself or within the Chrome trace of to_chrome_trace(). `offset`: of
// the object that to_json() wrote. What it derives from the rest (figures, reasons in words) is skipped. A member that
// is missing or null leaves its value empty, so that files of earlier versions open, too, but for the kind of the
// provenance and the times inside kernels; one that is there must be right, and one that nobody knows is noted.
Result<trace::Run> read_saved_run(std::string_view text, const std::string& file, std::size_t offset,
                                  const ReadControl& control);

}  // namespace streamscope::input
