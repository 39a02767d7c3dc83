// Rule 19 on a GPU: captures inside the run, what breaks them, and events that are external to a graph.
#include <gtest/gtest.h>

#include <cstdio>

#include "engine/remote/own_process.h"
#include "tests/gpu/gpu.h"

namespace streamscope::cuda {
namespace {

class Captures : public Gpu {
 protected:
  // Full passes of a program that is loaded once.
  std::vector<device::Pass> passes(const std::string& text, int count = 5) {
    program_ = tests::program_of(text);
    std::vector<device::Pass> all;
    auto loaded = load(program_);
    EXPECT_TRUE(loaded) << loaded.error().message;
    for (int i = 0; loaded && i < count; ++i) {
      EXPECT_TRUE((*loaded)->run(device::Instrument::bare, {}));
      auto pass = (*loaded)->run(device::Instrument::full, {});
      EXPECT_TRUE(pass) << pass.error().message;
      if (pass) all.push_back(std::move(*pass));
    }
    return all;
  }
  program::Program program_;
};

TEST_F(Captures, InTheRunAreAskedAbout) {
  for (const device::Pass& pass : passes(
           "buffer x 1MiB\nstream A nonblocking\nstream B nonblocking\ngraph G on A {\n  A: h2d x\n  host: "
           "capture-info "
           "A\n  host: capture-info B\n  A: axpb x fma=2\n}\nhost: capture G\nhost: capture-info A\nA: launch G\n")) {
    ASSERT_EQ(pass.answers.captures.size(), 3u);
    EXPECT_EQ(pass.answers.captures[0].status, trace::CaptureStatus::active);
    EXPECT_GT(pass.answers.captures[0].id, 0u);
    EXPECT_EQ(pass.answers.captures[1].status, trace::CaptureStatus::none);
    EXPECT_EQ(pass.answers.captures[2].status, trace::CaptureStatus::none);
    for (const trace::Span& span : pass.spans) EXPECT_EQ(span.result, CallResult::success) << span.operation;
  }
}

// The threads that observe a run ask for events all the time, and break none.
TEST_F(Captures, InGlobalModeAreNotBrokenByWhatObserves) {
  for (const device::Pass& pass :
       passes("buffer x 16MiB\nstream A nonblocking\nstream B nonblocking\ngraph G on A mode=global {\n  repeat 300 "
              "{\n    A: "
              "spin 1us\n  }\n}\nrepeat 20 {\n  B: h2d x\n}\nhost: capture G\nA: launch G\n")) {
    for (const trace::Span& span : pass.spans) EXPECT_EQ(span.result, CallResult::success) << span.operation;
  }
}

// Whether the two meet is a matter of time; what follows is not. In processes of their own, as the driver crashes now
// and then where they do.
TEST_F(Captures, AreBrokenAsAWholeOrNotAtAll) {
  remote::message::StartRun request;
  request.id = 1;
  request.device = "cuda:0";
  request.options.runs = 1;
  request.options.observer_effect = request.options.serial = request.options.verify = false;
  request.program =
      "event e\nstream A nonblocking\nstream B nonblocking\ngraph G on A "
      "mode=global {\n  repeat 300 {\n    A: spin "
      "1us\n  }\n}\nthread T {\n  repeat 300 {\n    host: query e\n    host: work "
      "1us\n  }\n}\nhost: capture G\nA: launch "
      "G\nB: spin 1us\nhost: join T\n";
  int broken = 0;
  for (int i = 0; i < 5; ++i) {
    const auto run = remote::run_alone(request, {}, {}, {STREAMSCOPE_PROGRAM});
    ASSERT_TRUE(run) << run.error().message;
    for (const std::string& note : trace::texts(run->notes))
      if (note.find("crashed") != std::string::npos) std::printf("note: %s\n", note.c_str());
    const std::vector<trace::Span>& spans = run->trace.spans;
    bool refused = false;
    for (const trace::Span& span : spans) {
      if (span.kind != OperationKind::query || span.result == CallResult::success) continue;
      EXPECT_EQ(span.result, CallResult::capture_unsupported);
      refused = true;
    }
    broken += refused ? 1 : 0;
    const std::size_t begin = 601, end = begin + 301, launch = begin + 303;
    EXPECT_EQ(spans[end].result, refused ? CallResult::capture_invalidated : CallResult::success);
    EXPECT_EQ(spans[launch].result == CallResult::success, !refused) << name(spans[launch].result);
    EXPECT_EQ(known(spans[launch + 1].start), !refused);
    EXPECT_TRUE(known(spans[launch + 301].end)) << "other streams go on";
  }
  EXPECT_GT(broken, 0) << "300 questions beside 300 calls never met";
}

TEST_F(Captures, ExternalRecordsAndWaitsAreNodes) {
  for (const device::Pass& pass : passes("event e\nstream A nonblocking\nstream B nonblocking\ngraph G on A {\n  A: "
                                         "wait e external\n  A: spin 100us\n  A: "
                                         "record f external\n  A: spin 2ms\n}\nB: spin 500us\nB: record e\nA: launch "
                                         "G\nB: wait f\nB: spin 100us\nhost: "
                                         "sync f\nhost: elapsed e f\n")) {
    const Nanoseconds doubt = 5'000;
    EXPECT_GE(pass.spans[4].start + doubt, pass.spans[0].end);
    EXPECT_GE(pass.spans[8].start + doubt, pass.spans[4].end);
    EXPECT_LT(pass.spans[8].start, pass.spans[6].end) << "not for all of the launch";
    EXPECT_LT(pass.spans[9].host_end, pass.spans[6].end) << "the host neither";
    EXPECT_EQ(pass.spans[10].result, CallResult::success);
    EXPECT_NEAR(static_cast<double>(pass.spans[10].elapsed), 100e3, 50e3);
  }
}

}  // namespace
}  // namespace streamscope::cuda
