// Sampled runs, merged: the model's times are the truth, and each pass observes them with its own noise.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "engine/device/blank_trace.h"
#include "engine/measure/merge.h"
#include "engine/reconstruct/reconstruct.h"
#include "tests/engine/model/simulated.h"
#include "tests/generated/write_program.h"

namespace streamscope::model {
namespace {

// Time in one pass: it goes a little faster here and slower there, never backwards, and so keeps every order.
class Warp {
 public:
  Warp(std::mt19937& random, Nanoseconds length) {
    std::uniform_real_distribution<double> pace(0.98, 1.02);
    double at = 0;
    for (Nanoseconds time = 0; time < length + kStep; time += kStep) {
      knots_.push_back(at);
      at += pace(random) * static_cast<double>(kStep);
    }
    knots_.push_back(at);
  }
  Nanoseconds operator()(Nanoseconds time) const {
    const auto knot = static_cast<std::size_t>(time / kStep);
    const double part = static_cast<double>(time % kStep) / static_cast<double>(kStep);
    return std::llround(knots_[knot] + part * (knots_[knot + 1] - knots_[knot]));
  }

 private:
  static constexpr Nanoseconds kStep = 20'000;
  std::vector<double> knots_;
};

constexpr Nanoseconds kLag = 1'000;  // of an event, at most

// What a pass of this share sees of the truth, as a GPU would show it: stamps of all kernels, the ends of its share of
// the copies and memsets, nothing of records and waits.
std::vector<device::Observed> look(const Simulated& truth, const device::Share& share, const Warp& warp,
                                   std::mt19937& random) {
  std::vector<device::Observed> seen(truth.spans.size());
  std::uint32_t place = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const trace::Span& span = truth.spans[i];
    device::Observed& now = seen[i];
    now.host_begin = warp(span.host_begin);
    now.host_end = warp(span.host_end);
    if (!program::ordered_in(truth.program.operations[i])) continue;
    switch (span.kind) {
      case OperationKind::kernel:
      case OperationKind::hostfn:
        now.start = warp(span.start);
        now.end = warp(span.end);
        now.source = span.kind == OperationKind::kernel ? trace::Source::stamp : trace::Source::host;
        break;
      case OperationKind::record:
      case OperationKind::wait: break;
      default:
        if (place++ % share.of != share.phase) break;
        now.end = warp(span.end) + std::uniform_int_distribution<Nanoseconds>(0, kLag)(random);
        now.source = trace::Source::event;
        now.uncertainty = kLag;
    }
  }
  return seen;
}

// A random program, and passes over it that each go their own way.
struct SampledRuns {
  explicit SampledRuns(std::uint32_t seed)
      : random(seed),
        of(1 + seed % 17),
        truth(simulate(generated::write_program(seed, {.lines = 300, .threads = false, .all_words = false}))) {
    for (std::size_t pass = 0; pass < std::size_t{4} * of; ++pass) warps.emplace_back(random, truth.wall);
  }
  measure::Merged merge_of(std::size_t passes) {
    measure::Sampling sampling(truth.program, passes);
    for (std::size_t pass = 0; pass < passes; ++pass) {
      sampling.add(look(truth, measure::share_of_pass(pass, of), warps[pass], random));
    }
    return measure::merge(truth.program, program::Dependencies(truth.program), device::frame_of(truth.program, {}),
                          sampling, of);
  }
  // How far the passes lie from the truth at this time.
  Nanoseconds off(Nanoseconds time) const {
    Nanoseconds most = 0;
    for (const Warp& warp : warps) most = std::max(most, std::abs(warp(time) - time));
    return most;
  }

  std::mt19937 random;
  std::uint32_t of;
  Simulated truth;
  std::vector<Warp> warps;
};

struct MergedRuns : SampledRuns, ::testing::TestWithParam<std::uint32_t> {
  MergedRuns() : SampledRuns(GetParam()) {}
  const measure::Merged merged = merge_of(warps.size());
};

// What passes can know of the ends: no pass sees a record or a wait, so these end when what they wait for has, without
// their hand-over and the time that they take themselves.
std::vector<Nanoseconds> ends_to_be_known(const Simulated& truth) {
  const program::Dependencies dependencies(truth.program);
  std::vector<Nanoseconds> ends;
  for (OperationIndex i = 0; i < truth.spans.size(); ++i) {
    const trace::Span& span = truth.spans[i];
    if (span.kind == OperationKind::record || span.kind == OperationKind::wait) {
      ends.push_back(span.host_end);
      for (const program::Dependency& on : dependencies.of(i)) ends[i] = std::max(ends[i], ends[on.on]);
    } else {
      ends.push_back(span.end);
    }
  }
  return ends;
}

TEST_P(MergedRuns, EveryOperationHasTimesWithinTheNoise) {
  ASSERT_EQ(merged.spans.size(), truth.spans.size());
  const std::vector<Nanoseconds> ends = ends_to_be_known(truth);
  EXPECT_THAT(merged.notes, ::testing::IsEmpty());
  for (std::size_t i = 0; i < merged.spans.size(); ++i) {
    const trace::Span &span = merged.spans[i], &real = truth.spans[i];
    SCOPED_TRACE(program::describe(truth.program, static_cast<OperationIndex>(i)));
    ASSERT_TRUE(known(span.end));
    ASSERT_TRUE(known(span.start));
    EXPECT_LE(span.start, span.end);
    EXPECT_TRUE(!trace::device_work(span) || span.samples >= 4u);
    // A reading, its anchor's median and the anchor in that pass: three times the noise at the most.
    EXPECT_LE(std::abs(span.end - ends[i]), 3 * off(real.end) + 3 * kLag);
  }
}

TEST_P(MergedRuns, NoTimesContradictEachOther) { EXPECT_THAT(merged.contradictions, ::testing::IsEmpty()); }

// One pass of which all ends were seen, as the instrument full has them.
TEST_P(MergedRuns, NorDoThoseOfAReconstructedPass) {
  const program::Dependencies dependencies(truth.program);
  for (const Warp& warp : warps) {
    std::vector<trace::Span> spans = device::blank_spans(truth.program, device::frame_of(truth.program, {}));
    reconstruct::reconstruct(truth.program, dependencies, look(truth, {}, warp, random), spans);
    EXPECT_EQ(reconstruct::find_contradictions(truth.program, dependencies, spans).size(), 0u);
  }
}

TEST_P(MergedRuns, TheMergedTraceKeepsTheRules) {
  const program::Dependencies dependencies(truth.program);
  for (OperationIndex i = 0; i < merged.spans.size(); ++i) {
    const bool host = !program::ordered_in(truth.program.operations[i]);
    for (const program::Dependency& dependency : dependencies.of(i)) {
      SCOPED_TRACE(program::describe(truth.program, i) + " after " + program::describe(truth.program, dependency.on));
      EXPECT_LE(merged.spans[dependency.on].end, host ? merged.spans[i].end : merged.spans[i].start);
    }
  }
  std::map<Engine, std::vector<trace::Span>> copies;
  for (const trace::Span& span : merged.spans) {
    if (span.engine == Engine::h2d || span.engine == Engine::d2h) copies[span.engine].push_back(span);
  }
  for (auto& [engine, spans] : copies) {
    std::sort(spans.begin(), spans.end(), [](const trace::Span& a, const trace::Span& b) { return a.end < b.end; });
    for (std::size_t i = 1; i < spans.size(); ++i) EXPECT_GE(spans[i].start, spans[i - 1].end) << name(engine);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, MergedRuns, ::testing::Range(1u, 25u));

// With as many passes as shares each copy is observed once only; its neighbours show how fast that pass was.
TEST(MergedRunsTogether, WhatIsSeenOnceIsCloserToTheTruthThanItsPassWas) {
  double of_merged = 0, of_passes = 0;
  for (std::uint32_t seed = 1; seed < 25; ++seed) {
    SampledRuns runs(seed);
    if (runs.of < 4) continue;  // hardly a sample
    const measure::Merged once = runs.merge_of(runs.of);
    for (std::size_t i = 0; i < once.spans.size(); ++i) {
      const trace::Span& real = runs.truth.spans[i];
      if (real.kind != OperationKind::h2d && real.kind != OperationKind::d2h) continue;
      of_merged += std::pow(static_cast<double>(once.spans[i].end - real.end), 2);
      for (std::size_t pass = 0; pass < runs.of; ++pass) {
        of_passes += std::pow(static_cast<double>(runs.warps[pass](real.end) - real.end), 2) / runs.of;
      }
    }
  }
  EXPECT_LT(of_merged, 0.4 * of_passes);
}

}  // namespace
}  // namespace streamscope::model
