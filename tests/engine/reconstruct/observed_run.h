// What an instrument saw of a program's run, written down by hand, and what follows from it.
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string_view>
#include <vector>

#include "engine/device/blank_trace.h"
#include "engine/device/device.h"
#include "engine/reconstruct/reconstruct.h"
#include "tests/support/program_of.h"

namespace streamscope::reconstruct {

struct SeenRun {
  explicit SeenRun(std::string_view text) : program(tests::program_of(text)), seen(program.operations.size()) {}

  // As an instrument notes it: nodes have the call of their launch.
  SeenRun& call(std::size_t i, Nanoseconds begin, Nanoseconds end) {
    for (std::size_t k = i; k < seen.size(); ++k) {
      if (k != i && program.operations[k].launch != i) break;
      seen[k].host_begin = begin;
      seen[k].host_end = end;
    }
    return *this;
  }
  // Each call takes 50 ns and begins 100 ns after the one before it.
  SeenRun& brief_calls() {
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const auto begin = static_cast<Nanoseconds>(100 * i);
      call(i, begin, begin + 50);
    }
    return *this;
  }
  SeenRun& event(std::size_t i, Nanoseconds end, std::uint32_t uncertainty = 0) {
    seen.at(i).end = end;
    seen.at(i).source = trace::Source::event;
    seen.at(i).uncertainty = uncertainty;
    return *this;
  }
  // Seen by the host, on its own clock.
  SeenRun& sighting(std::size_t i, Nanoseconds end, std::uint32_t uncertainty) {
    event(i, end, uncertainty);
    seen.at(i).source = trace::Source::sighting;
    return *this;
  }
  // How long after its last block's stamp a kernel is taken to end.
  static constexpr Nanoseconds kAfterStamp = 750;
  // Of a kernel that is taken to end at `end`, if nothing that waits for it begins before.
  SeenRun& stamps(std::size_t i, Nanoseconds start, Nanoseconds end) {
    seen.at(i).start = start;
    seen.at(i).end = known(end) ? end - kAfterStamp : end;
    seen.at(i).source = trace::Source::stamp;
    return *this;
  }
  std::vector<trace::Span> spans(const device::Circumstances& circumstances = {}) const {
    std::vector<Nanoseconds> begins;
    for (const device::Observed& one : seen) begins.push_back(one.host_begin);
    const auto order = program::issue_order(program, begins);
    std::vector<trace::Span> result = device::blank_spans(program, device::frame_of(program, {}));
    reconstruct(program, program::Dependencies(program, order), seen, result, circumstances, order);
    return result;
  }

  program::Program program;
  std::vector<device::Observed> seen;
};

// A span's times, for comparisons that read like the text above them
struct Times {
  Nanoseconds ready, start, end;
  friend bool operator==(const Times&, const Times&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Times& t) {
    return out << "ready " << t.ready << " start " << t.start << " end " << t.end;
  }
};
inline Times times(const trace::Span& span) { return {span.ready, span.start, span.end}; }

}  // namespace streamscope::reconstruct
