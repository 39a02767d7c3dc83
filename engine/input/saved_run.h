// A run as to_json() of engine/output wrote it, by itself or within the Chrome trace of to_chrome_trace().
//
// What it derives from the rest (figures, reasons in words) is skipped. A member that is missing or null leaves its
// value empty, so that files of earlier versions open, too; one that is there must be right.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/input/read_control.h"
#include "engine/trace/trace.h"

namespace streamscope::input {

// `offset`: of the object that to_json() wrote.
Result<trace::Run> read_saved_run(std::string_view text, const std::string& file, std::size_t offset,
                                  const ReadControl& control);

}  // namespace streamscope::input
