// What the tests of the readers share: a file's text read as open_trace() would read it, and a look at what came of it.
#pragma once

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "engine/input/json.h"
#include "engine/input/nsys_sqlite.h"
#include "engine/trace/packed_spans.h"

namespace streamscope::input_test {

inline Result<trace::Run> json(std::string_view text) {
  const input::OpenControl control;
  return input::read_json(text, "t.json", input::ReadControl(control));
}

inline Result<trace::Run> sqlite(std::string_view bytes) {
  const input::OpenControl control;
  return input::read_nsys(bytes, "t.sqlite", input::ReadControl(control));
}

inline std::string message(const Result<trace::Run>& run) { return run ? "" : run.error().message; }

inline std::vector<trace::Span> spans(const trace::Run& run) {
  std::vector<trace::Span> all;
  for (std::size_t i = 0; i < trace::span_count(run.trace); ++i) all.push_back(trace::span_at(run.trace, i));
  return all;
}

inline std::string name_of(const trace::Run& run, const trace::Span& span) { return run.trace.names.at(span.name); }
inline std::string thread_of(const trace::Run& run, const trace::Span& span) {
  return run.trace.threads.at(span.thread);
}
inline std::string stream_of(const trace::Run& run, const trace::Span& span) {
  return span.stream == trace::Span::kNoStream ? "" : run.trace.streams.at(span.stream).name;
}

// The one span of that name.
inline trace::Span find(const trace::Run& run, const std::string& name) {
  trace::Span found;
  int count = 0;
  for (const trace::Span& span : spans(run)) {
    if (name_of(run, span) != name) continue;
    found = span;
    ++count;
  }
  EXPECT_EQ(count, 1) << "spans named " << name;
  return found;
}

// What every run keeps, wherever it came from: numbers that are within their tables, operations that rise, times from
// 0.
inline void expect_sound(const trace::Run& run) {
  Nanoseconds first = kAbsent;
  OperationIndex before = kNoOperation;
  for (const trace::Span& span : spans(run)) {
    ASSERT_LT(span.name, run.trace.names.size());
    if (known(span.host_begin)) {
      ASSERT_LT(span.thread, run.trace.threads.size());
      ASSERT_LE(span.host_begin, span.host_end);
    }
    if (known(span.start)) {
      ASSERT_LT(span.stream, run.trace.streams.size());
      ASSERT_LE(span.start, span.end);
    }
    if (before != kNoOperation) {
      ASSERT_GT(span.operation, before);
    }
    before = span.operation;
    for (const Nanoseconds time : {span.host_begin, span.start})
      if (known(time) && (!known(first) || time < first)) first = time;
  }
  if (known(first)) {
    ASSERT_EQ(first, 0);
  }
}

class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("input-test-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path write(const std::string& name, std::string_view bytes) const {
    std::ofstream(path_ / name, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return path_ / name;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace streamscope::input_test
