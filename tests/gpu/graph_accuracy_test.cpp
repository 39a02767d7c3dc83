// What is said of copies in graphs, which leave nothing of their own to be seen, against CUPTI's records of the very
// same passes: they lie within the uncertainty that is reported with them.
#include <algorithm>
#include <cstdlib>
#include <set>

#include "engine/device/cuda/cupti/cupti_recorder.h"
#include "tests/gpu/gpu.h"

namespace streamscope::cuda {
namespace {

// Each lane and direction has a size of its own, by which CUPTI's records of it are found; within one they come in
// order. No buffer is of such a size.
constexpr std::string_view kChain = R"(
buffer x 2MiB
stream A nonblocking
graph G on A {
  A: h2d x[0:1048576]
  A: axpb x[0:1MiB] fma=200
  A: d2h x[0:1044480]
}
repeat 5 {
  A: launch G
}
)";

constexpr std::string_view kPipeline = R"(
buffer x 16MiB
streams S 4 nonblocking
graph G on S0 {
  S0: record fork
  S1: wait fork
  S2: wait fork
  S3: wait fork
  repeat 16 as i {
    S{i%4}: h2d x[{i}MiB:{1048576-i%4*8192}]
    S{i%4}: axpb x[{i}MiB:1MiB] fma=200
    S{i%4}: d2h x[{i}MiB:{1044480-i%4*8192}]
  }
  S1: record join1
  S2: record join2
  S3: record join3
  S0: wait join1
  S0: wait join2
  S0: wait join3
}
repeat 3 {
  S0: launch G
}
)";

struct Times {
  Nanoseconds start, end, uncertainty, start_uncertainty;
};

std::vector<Times> by_end(std::vector<Times> all) {
  std::sort(all.begin(), all.end(), [](const Times& a, const Times& b) { return a.end < b.end; });
  return all;
}

double us(Nanoseconds time) { return static_cast<double>(time) / 1e3; }

class GraphAccuracy : public Gpu {
 protected:
  static void compare(std::string_view text) {
    if (!CuptiRecorder::available()) GTEST_SKIP() << "skipped: " << CuptiRecorder::available().error().message;
    const program::Program program = tests::program_of(text);
    auto loaded = load(program);
    ASSERT_TRUE(loaded) << loaded.error().message;
    auto recorder = CuptiRecorder::open(context());
    ASSERT_TRUE(recorder) << recorder.error().message;
    for (int i = 0; i < 4; ++i) {
      const auto started = (*recorder)->start();
      ASSERT_TRUE(started) << started.error().message;
      const auto pass = (*loaded)->run(device::Instrument::full, {});
      const auto recording = (*recorder)->stop();
      ASSERT_TRUE(pass) << pass.error().message;
      ASSERT_TRUE(recording) << recording.error().message;
      if (i == 0) continue;  // first times
      std::set<std::uint64_t> sizes;
      for (const trace::Span& span : pass->spans) {
        if (span.engine == Engine::h2d || span.engine == Engine::d2h) sizes.insert(span.bytes);
      }
      for (const std::uint64_t bytes : sizes) compare(*pass, *recording, bytes);
    }
  }

  static void compare(const device::Pass& pass, const Recording& recording, std::uint64_t bytes) {
    std::vector<Times> ours, cupti;
    for (const trace::Span& span : pass.spans) {
      if (span.launch == kNoOperation || span.bytes != bytes || span.kind == OperationKind::kernel) continue;
      ours.push_back({span.start, span.end, span.uncertainty, span.start_uncertainty});
    }
    for (const reconstruct::Activity& activity : recording.records.activities) {
      if (activity.kind != reconstruct::Activity::Kind::copy || activity.bytes != bytes) continue;
      cupti.push_back({activity.start - pass.begin, activity.end - pass.begin, 0, 0});
    }
    ASSERT_EQ(ours.size(), cupti.size());
    ours = by_end(std::move(ours));
    cupti = by_end(std::move(cupti));
    std::vector<Nanoseconds> starts, ends;
    const Nanoseconds slack = recording.uncertainty + pass.clock_uncertainty + reconstruct::kEventLag;
    for (std::size_t i = 0; i < ours.size(); ++i) {
      ends.push_back(std::abs(ours[i].end - cupti[i].end));
      starts.push_back(std::abs(ours[i].start - cupti[i].start));
      EXPECT_LE(ends.back(), ours[i].uncertainty + slack) << "copy " << i << " ended at " << cupti[i].end;
      EXPECT_LE(starts.back(), ours[i].start_uncertainty + slack) << "copy " << i << " began at " << cupti[i].start;
    }
    std::sort(starts.begin(), starts.end());
    std::sort(ends.begin(), ends.end());
    std::printf("%zu copies of %lu bytes: starts off by %.2f us at the median, %.2f at most; ends by %.2f, %.2f\n",
                ends.size(), static_cast<unsigned long>(bytes), us(starts[starts.size() / 2]), us(starts.back()),
                us(ends[ends.size() / 2]), us(ends.back()));
  }
};

TEST_F(GraphAccuracy, OfAChain) { compare(kChain); }
TEST_F(GraphAccuracy, OfFourLanes) { compare(kPipeline); }

}  // namespace
}  // namespace streamscope::cuda
