// Runs and devices as text for other programs. The formats are stable, because others write scripts against them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/base/file_writer.h"
#include "engine/device/device_info.h"
#include "engine/trace/trace.h"

namespace streamscope::calibration {
struct Accuracy;
struct Calibration;
}  // namespace streamscope::calibration
namespace streamscope::remedy {
struct Verdict;
}
namespace streamscope::sweep {
struct Sweep;
}
namespace streamscope::verdict {
struct Judgement;
}

namespace streamscope::output {

// The text files that a run is written as. A new one is a source of its own and a line in formats.cpp.
struct Format {
  std::string_view option;   // of `run`: "--csv"
  std::string_view meaning;  // in --help
  bool of_spans = false;     // it has nothing to say of a run without spans
  void (*write)(const trace::Run& run, const TextSink& to) = nullptr;
};
std::span<const Format> formats();

// Handed on in blocks, since a run of a million operations makes a gigabyte of text.
void write_json(const trace::Run& run, const TextSink& to);          // schema 1
void write_csv(const trace::Run& run, const TextSink& to);           // one row a span; the provenance in every row
void write_chrome_trace(const trace::Run& run, const TextSink& to);  // for Perfetto and chrome://tracing
// The same in one piece.
std::string to_json(const trace::Run& run);
std::string to_csv(const trace::Run& run);
std::string to_chrome_trace(const trace::Run& run);
std::string to_markdown(const trace::Run& run);  // tables for a person; the first 500 operations

std::string to_json(const device::DeviceList& list);
// `profile`: the file that the fitted one was written to.
std::string to_json(const calibration::Calibration& done, const calibration::Accuracy& found,
                    const std::string& profile);
std::string to_json(const remedy::Verdict& found, const verdict::Judgement& judgement);  // schema 1
std::string sweep_json(const sweep::Sweep& sweep);                                       // schema 1
std::string sweep_csv(const sweep::Sweep& sweep);                                        // a line for each point

}  // namespace streamscope::output
