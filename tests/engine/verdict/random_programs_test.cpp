// What must hold of the verdict on any program, on programs made at random from fixed seeds.
#include <numeric>

#include "engine/verdict/bounds.h"
#include "engine/verdict/critical_path.h"
#include "engine/verdict/idle.h"
#include "engine/verdict/slices.h"
#include "tests/engine/model/author.h"
#include "tests/engine/verdict/judged.h"

namespace streamscope::verdict {
namespace {

struct VerdictOfRandomPrograms : ::testing::TestWithParam<std::uint32_t> {
  static model::Profile profile() {
    model::Profile profile = model::h200();
    switch (GetParam() % 4) {
      case 1: profile.copies.engines = 1; break;
      case 2: profile.compute.multiprocessors = 3; break;
      case 3: profile.streams.queue_depth = 4; break;
      default: break;
    }
    return profile;
  }
  std::unique_ptr<Judged> run = judged(model::Author(GetParam()).write(300), profile());
  const History& history = *run->history;
};

TEST_P(VerdictOfRandomPrograms, SlicesFillTheTimeFromTheIssueToTheStart) {
  Nanoseconds waited = 0, unexplained = 0;
  for (OperationIndex i = 0; i < history.size(); ++i) {
    if (!history.executes(i)) continue;
    SCOPED_TRACE(program::describe(run->program, i));
    Nanoseconds at = history.issued(i);
    for (const Slice& slice : slices(history, i)) {
      EXPECT_EQ(slice.from, at);
      EXPECT_LT(slice.from, slice.to);
      waited += slice.to - slice.from;
      if (slice.cause == WaitCause::unexplained) unexplained += slice.to - slice.from;
      at = slice.to;
    }
    EXPECT_EQ(at, history.span(i).start);
  }
  EXPECT_GT(waited, 0);
  EXPECT_LT(unexplained, waited / 100);
}

void is_contiguous(const Path& path, Nanoseconds from, Nanoseconds to) {
  Nanoseconds at = from;
  for (const Piece& piece : path.pieces) {
    EXPECT_EQ(piece.from, at);
    EXPECT_LT(piece.from, piece.to);
    at = piece.to;
  }
  EXPECT_EQ(at, to);
}

TEST_P(VerdictOfRandomPrograms, ThePathSumsToTheMakespan) {
  const Path path = critical_path(history);
  Nanoseconds first = std::numeric_limits<Nanoseconds>::max(), last = 0;
  for (const trace::Span& span : history.spans()) {
    if (!trace::device_work(span)) continue;
    first = std::min(first, span.start);
    last = std::max(last, span.end);
  }
  is_contiguous(path, first, last);
  Nanoseconds unexplained = 0;
  for (const Piece& piece : path.pieces) {
    if (piece.kind == PieceKind::unexplained) unexplained += piece.to - piece.from;
  }
  EXPECT_LT(unexplained, (last - first) / 100);
}

TEST_P(VerdictOfRandomPrograms, TheWallPathSumsToTheWallTime) {
  const Path path = wall_path(history);
  is_contiguous(path, 0, run->wall);
  Nanoseconds unexplained = 0;
  for (const Piece& piece : path.pieces) {
    if (piece.kind == PieceKind::unexplained) unexplained += piece.to - piece.from;
  }
  EXPECT_LT(unexplained, run->wall / 100);
}

TEST_P(VerdictOfRandomPrograms, IdleAndBusyAreTheMakespan) {
  const Nanoseconds makespan = trace::makespan(run->trace.spans);
  for (const EngineIdle& each : idle_times(history)) {
    EXPECT_EQ(each.busy + each.idle, makespan);
    Nanoseconds sum = 0;
    for (const IdleTime& one : each.causes) sum += one.time;
    EXPECT_EQ(sum, each.idle);
  }
}

TEST_P(VerdictOfRandomPrograms, NoRunBeatsABound) {
  const Nanoseconds makespan = trace::makespan(run->trace.spans);
  const auto all = bounds(history, isolated_durations(history));
  EXPECT_GE(all.size(), 3u);
  for (const Bound& bound : all) {
    EXPECT_LE(bound.time - bound.uncertainty, bound.kind == BoundKind::host ? run->wall : makespan) << name(bound);
    EXPECT_GT(bound.time, 0) << name(bound);
  }
}

// Kernels that nearly fill the device: side by side they take less than one after the other.
TEST(Bounds, OfKernelsAreNotKnownWhereTheirBlocksTakeLessThanThey) {
  const auto run = judged(
      "buffer x 64MiB\nstreams S 4 nonblocking\nrepeat 32 as i {\n  S{i%4}: h2d x[{i*2}MiB:2MiB]\n"
      "  S{i%4}: axpb x[{i*2}MiB:2MiB] fma=12000 blocks=1024\n  S{i%4}: d2h x[{i*2}MiB:2MiB]\n}\n");
  const auto alone = judged("buffer x 2MiB\nstream A\nA: axpb x fma=12000 blocks=1024\n");
  std::vector<Isolated> isolated = isolated_durations(*run->history);
  for (OperationIndex i = 0; i < isolated.size(); ++i) {
    const trace::Span& one = alone->trace.spans[0];
    if (run->history->span(i).kind == OperationKind::kernel) isolated[i] = {one.end - one.start, 0, true};
  }
  for (const Bound& bound : bounds(*run->history, isolated)) {
    EXPECT_LE(bound.time - bound.uncertainty, trace::makespan(run->trace.spans)) << name(bound);
  }
}

// A bar that is all doubt may be drawn as short as nothing; that is no fastest rate.
TEST(Bounds, TakeNoDurationFromABarThatIsAllDoubt) {
  auto run = judged("buffer x 64MiB\nstream A nonblocking\nrepeat 4 as i {\n  A: h2d x[{i*16}MiB:16MiB]\n}\n");
  const Nanoseconds right = isolated_durations(*run->history)[0].duration;
  trace::Span& off = run->trace.spans[1];
  off.start = off.end - 10;
  off.start_uncertainty = static_cast<std::uint32_t>(right);
  const History history(run->trace, &run->program);
  EXPECT_EQ(isolated_durations(history)[0].duration, right);
  const std::vector<trace::IsolatedTime> alone{{.of = trace::class_of(run->trace.spans[0]),
                                                .duration = right,
                                                .shortest = 0,
                                                .spread = right / 200,
                                                .count = 80}};
  EXPECT_GT(isolated_durations(history, alone)[0].duration, right * 9 / 10);
}

// Many more of them, each shorter; a part of them where each step of memory is checked, too.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint32_t kManyPrograms = 1'000;
#else
constexpr std::uint32_t kManyPrograms = 10'000;
#endif
TEST(Bounds, AreBeatenByNoneOfTenThousandPrograms) {
  std::size_t compared = 0;
  for (std::uint32_t seed = 100'000; seed < 100'000 + kManyPrograms; ++seed) {
    const auto run = judged(model::Author(seed).write(60));
    for (const Bound& bound : bounds(*run->history, isolated_durations(*run->history))) {
      const Nanoseconds time = bound.kind == BoundKind::host ? run->wall : trace::makespan(run->trace.spans);
      ASSERT_LE(bound.time - bound.uncertainty, time) << name(bound) << ", seed " << seed;
      ++compared;
    }
  }
  EXPECT_GT(compared, 5u * kManyPrograms);
}

INSTANTIATE_TEST_SUITE_P(Seeds, VerdictOfRandomPrograms, ::testing::Range(0u, 40u));

}  // namespace
}  // namespace streamscope::verdict
