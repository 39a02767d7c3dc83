// What a trace must keep so that Perfetto and chrome://tracing show it as it was, checked on any run.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/trace/trace.h"

namespace streamscope::output_test {

using Json = nlohmann::ordered_json;

inline Nanoseconds nanoseconds(const Json& microseconds) { return std::llround(microseconds.get<double>() * 1000.0); }

struct SeenSlice {
  Nanoseconds start, end;
};

inline void check_trace_rules(const trace::Run& run, const std::string& text) {
  const Json trace = Json::parse(text);
  ASSERT_TRUE(text.starts_with("{\"traceEvents\":[")) << "viewers recognise the format by its first bytes";
  ASSERT_EQ(trace["displayTimeUnit"], "ns");

  std::map<int, int> process_of;                 // by thread id, unique across processes
  std::map<int, std::vector<SeenSlice>> slices;  // by thread id, in the file's order
  std::map<int, int> named, sorted;              // by thread id
  std::map<std::uint64_t, std::vector<Json>> flows;
  std::map<int, std::size_t> count;  // slices by process
  for (const Json& event : trace["traceEvents"]) {
    const std::string phase = event["ph"];
    const int pid = event["pid"], tid = event["tid"];
    ASSERT_TRUE(pid >= 1 && pid <= 4);
    if (phase == "M") {
      if (event["name"] == "thread_name") ++named[tid];
      if (event["name"] == "thread_sort_index") ++sorted[tid];
      continue;
    }
    ASSERT_GT(tid, 4) << "a thread id that is a process id too is taken for its main thread";
    const auto [known_process, added] = process_of.emplace(tid, pid);
    ASSERT_EQ(known_process->second, pid) << "thread id " << tid << " in two processes";
    if (phase == "X") {
      ++count[pid];
      ASSERT_TRUE(event.contains("cat") && event.contains("name") && event["args"].contains("op"));
      const std::string name = event["name"];
      ASSERT_TRUE(std::none_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9' && c != '2'; }))
          << name;
      const Nanoseconds start = nanoseconds(event["ts"]), length = nanoseconds(event["dur"]);
      ASSERT_GE(length, 0);
      auto& track = slices[tid];
      if (!track.empty()) {
        ASSERT_LE(track.back().end, start) << "two slices overlap on thread id " << tid;
      }
      track.push_back({start, start + length});
    } else {
      ASSERT_TRUE(phase == "s" || phase == "f") << phase;
      flows[event["id"].get<std::uint64_t>()].push_back(event);
    }
  }
  for (const auto& [tid, pid] : process_of) {
    EXPECT_EQ(named[tid], 1) << "thread id " << tid;
    EXPECT_EQ(sorted[tid], 1) << "thread id " << tid;
  }

  for (const auto& [id, ends] : flows) {
    ASSERT_EQ(ends.size(), 2u) << "flow " << id;
    const Json &from = ends[0], &to = ends[1];
    ASSERT_EQ(from["ph"], "s");
    ASSERT_EQ(to["ph"], "f");
    EXPECT_EQ(from["cat"], "ac2g");
    EXPECT_EQ(to["cat"], "ac2g");
    EXPECT_EQ(from["name"], to["name"]);
    EXPECT_EQ(to["bp"], "e");
    EXPECT_EQ(from["pid"], 1);
    EXPECT_EQ(to["pid"], 2);
    EXPECT_LE(nanoseconds(from["ts"]), nanoseconds(to["ts"]));
    for (const Json& end : ends) {
      const auto& track = slices[end["tid"].get<int>()];
      const Nanoseconds at = nanoseconds(end["ts"]);
      EXPECT_TRUE(std::any_of(track.begin(), track.end(), [at](const SeenSlice& slice) { return slice.start == at; }))
          << "flow " << id << " ends where no slice begins";
    }
  }

  // Nothing is lost: what a slice can show has one.
  std::size_t calls = 0, executions = 0, on_engines = 0, arrows = 0;
  for (const trace::Span& span : run.trace.spans) {
    const bool called = known(span.host_begin) && known(span.host_end) && span.host_begin <= span.host_end;
    const bool ran = known(span.start) && known(span.end) && span.start <= span.end;
    const bool streamed = ran && span.stream < run.trace.streams.size();
    calls += called;
    executions += streamed;
    on_engines += ran && span.engine != Engine::none && span.engine != Engine::host;
    arrows += called && streamed && span.host_begin <= span.start;
  }
  EXPECT_EQ(count[1], calls);
  EXPECT_EQ(count[2], executions);
  EXPECT_EQ(count[3], on_engines);
  EXPECT_EQ(flows.size(), arrows);
}

}  // namespace streamscope::output_test
