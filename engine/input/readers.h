// The readers behind open_trace(), each of one format, from memory where the format can be.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "engine/input/open.h"

namespace streamscope::input {

// How a reader tells how far it is, and asks whether it shall stop.
class Control {
 public:
  explicit Control(const OpenControl& from, std::function<void(std::size_t)> passed = {})
      : from_(from), passed_(std::move(passed)) {}
  bool stopped() const { return from_.stop.stop_requested(); }
  void read(std::size_t offset, std::size_t size) const {
    if (from_.progress && size > 0) from_.progress(static_cast<double>(offset) / static_cast<double>(size));
    if (passed_) passed_(offset);
  }

 private:
  const OpenControl& from_;
  std::function<void(std::size_t)> passed_;  // what lies before that offset is not needed soon
};

tl::unexpected<Error> cancelled(std::string_view file);

Result<trace::Run> read_json(std::string_view text, const std::string& file, const Control& control);
// Trace events, or the saved run that lies beside them as to_chrome_trace() writes it.
Result<trace::Run> read_trace_events(std::string_view text, const std::string& file, const Control& control);
// `offset`: of the object that to_json() wrote.
Result<trace::Run> read_saved_run(std::string_view text, const std::string& file, std::size_t offset,
                                  const Control& control);

Result<trace::Run> read_nsys(const std::filesystem::path& path, const Control& control);
Result<trace::Run> read_nsys(std::string_view bytes, const std::string& file,
                             const Control& control);  // of a whole file

}  // namespace streamscope::input
