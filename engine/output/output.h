// Runs and devices as text for other programs. The formats are stable, because others write scripts against them.
#pragma once

#include <string>

#include "engine/device/device_info.h"
#include "engine/trace/trace.h"

namespace streamscope::calibration {
struct Accuracy;
struct Calibration;
}  // namespace streamscope::calibration

namespace streamscope::output {

std::string to_json(const trace::Run& run);  // schema 1
std::string to_json(const device::DeviceList& list);
// `profile`: the file that the fitted one was written to.
std::string to_json(const calibration::Calibration& done, const calibration::Accuracy& found,
                    const std::string& profile);
std::string to_csv(const trace::Run& run);           // one row a span; the provenance in every row
std::string to_chrome_trace(const trace::Run& run);  // for Perfetto and chrome://tracing
std::string to_markdown(const trace::Run& run);      // tables for a person; the first 500 operations

}  // namespace streamscope::output
