// How whoever opens a file follows and stops the reading of it.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <functional>
#include <string_view>
#include <utility>

#include "engine/base/result.h"
#include "engine/base/stop_flag.h"
#include "engine/base/translate.h"

namespace streamscope::input {

struct OpenControl {
  StopFlag stop;                         // asked to stop, the result is ErrorKind::cancelled
  std::function<void(double)> progress;  // the share that is read, now and then; may be empty
};

// The same, as the readers use it. `discard_before(offset)`: what lies before that offset is not needed soon.
class ReadControl {
 public:
  explicit ReadControl(const OpenControl& from, std::function<void(std::size_t)> discard_before = {})
      : from_(from), discard_before_(std::move(discard_before)) {}
  bool stopped() const { return from_.stop.stop_requested(); }
  void read(std::size_t offset, std::size_t size) const {
    if (from_.progress && size > 0) from_.progress(static_cast<double>(offset) / static_cast<double>(size));
    if (discard_before_) discard_before_(offset);
  }

 private:
  const OpenControl& from_;
  std::function<void(std::size_t)> discard_before_;
};

inline tl::unexpected<Error> cancelled(std::string_view file) {
  return fail(ErrorKind::cancelled, tr("{}: reading was stopped", file));
}

}  // namespace streamscope::input
