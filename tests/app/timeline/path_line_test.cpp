// The critical path as a line: where it runs, that it is one, and that no column of it is lost at any zoom.
#include "app/timeline/path_line.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "app/timeline/draw_verdict.h"
#include "engine/verdict/judgement.h"
#include "tests/app/timeline/layout_fixture.h"

namespace streamscope::timeline {
namespace {

using ::testing::ElementsAre;
using verdict::Piece;
using verdict::PieceKind;

PathRow stream(std::uint32_t id, Engine engine) {
  return {{{TrackKind::stream, id}, 0}, PathLane{{TrackKind::engine, number(DeviceEngine{0, engine})}, 0}};
}
PathRow host() { return {{{TrackKind::host, 0}, 0}, std::nullopt}; }

std::optional<int> all_at(const PathRow& row) {
  return row.first.track.kind == TrackKind::host ? 0 : 10 * static_cast<int>(row.first.track.id);
}

class PathLines : public LayoutTest {
 protected:
  // Operation 0 is the first copy of S0, 1 its kernel, 3 the first copy of S1.
  PathLine line(std::vector<Piece> pieces) { return path_line(run.trace, shown, {std::move(pieces), {}}); }
};

TEST_F(PathLines, RunsInTheRowOfTheStreamOrOfTheThread) {
  const PathLine found = line({{PieceKind::call, 0, {}, 0, 10},
                               {PieceKind::hand_over, 0, {}, 10, 12},
                               {PieceKind::execution, 0, {}, 12, 40},
                               {PieceKind::execution, 3, {}, 40, 70},
                               {PieceKind::unexplained, kNoOperation, {}, 70, 80}});
  EXPECT_THAT(found.rows, ElementsAre(host(), stream(2, Engine::h2d), stream(3, Engine::h2d)));
  EXPECT_THAT(found.start, ElementsAre(0, 10, 40)) << "what follows in one row is one leg";
  EXPECT_THAT(found.row, ElementsAre(0u, 1u, 2u));
  EXPECT_EQ(found.end, 80) << "what nothing explains stays in the row";
}

TEST_F(PathLines, StepsStraightFromRowToRow) {
  const PathLine found = line(
      {{PieceKind::call, 0, {}, 0, 10}, {PieceKind::execution, 0, {}, 10, 40}, {PieceKind::execution, 3, {}, 40, 70}});
  const View one_a_nanosecond{0, kFine};
  EXPECT_THAT(path_strokes(found, one_a_nanosecond, 100, all_at),
              ElementsAre(PathStroke{0, 10, 0, 0}, PathStroke{10, 10, 0, 20}, PathStroke{10, 40, 20, 20},
                          PathStroke{40, 40, 20, 30}, PathStroke{40, 70, 30, 30}));
  EXPECT_THAT(path_strokes(found, View{20 * kFine, kFine}, 15, all_at), ElementsAre(PathStroke{0, 15, 20, 20}))
      << "only what is in sight";
}

TEST_F(PathLines, LeavesAGapWhereARowIsNotShown) {
  const PathLine found =
      line({{PieceKind::call, 0, {}, 0, 10}, {PieceKind::execution, 0, {}, 10, 40}, {PieceKind::call, 4, {}, 40, 70}});
  const auto host_only = [](const PathRow& row) {
    return row.first.track.kind == TrackKind::host ? std::optional(7) : std::nullopt;
  };
  EXPECT_THAT(path_strokes(found, View{0, kFine}, 100, host_only),
              ElementsAre(PathStroke{0, 10, 7, 7}, PathStroke{40, 70, 7, 7}));
}

// Against all legs looked at one by one, also with more rows than there are marks for.
TEST(PathStrokes, ReachEveryRowInEveryColumnAndAreOneLine) {
  std::mt19937 random(7);
  for (const std::uint32_t rows : {3u, 200u, 300u}) {
    trace::Trace trace;
    trace.streams.resize(rows);
    std::vector<Piece> pieces;
    Nanoseconds at = 1'000;
    for (OperationIndex i = 0; i < 20'000; ++i) {
      trace::Span span;
      span.operation = i;
      span.kind = OperationKind::kernel;
      span.stream = random() % rows;
      span.start = at;
      at += 1 + static_cast<Nanoseconds>(random() % 50);
      span.end = at;
      trace.spans.push_back(span);
      pieces.push_back({PieceKind::execution, i, {}, span.start, span.end});
    }
    const PathLine line = path_line(trace, tracks(trace), {pieces, {}});
    for (const Nanoseconds length : {at, at / 100, at * 4}) {
      constexpr int kWidth = 700;
      const View view = fit(length == at ? 0 : at / 3, at / 3 + length, kWidth);
      const std::vector<PathStroke> strokes = path_strokes(line, view, kWidth, all_at);
      std::map<std::int64_t, std::pair<int, int>> reached;  // by column
      for (std::size_t i = 0; i < strokes.size(); ++i) {
        const PathStroke& stroke = strokes[i];
        ASSERT_TRUE(stroke.x0 == stroke.x1 || stroke.y0 == stroke.y1);
        if (i > 0) {
          ASSERT_EQ(stroke.x0, strokes[i - 1].x1);
          ASSERT_EQ(stroke.y0, strokes[i - 1].y1);
        }
        for (std::int64_t x = stroke.x0; x <= stroke.x1; ++x) {
          const auto [low, high] = std::minmax(stroke.y0, stroke.y1);
          auto [seen, first] = reached.try_emplace(x, low, high);
          if (first) continue;
          seen->second.first = std::min(seen->second.first, low);
          seen->second.second = std::max(seen->second.second, high);
        }
      }
      for (const trace::Span& span : trace.spans) {
        const int y = 10 * static_cast<int>(span.stream);
        for (const std::int64_t x : {column(view, span.start), column(view, span.end)}) {
          if (x < 0 || x >= kWidth) continue;
          ASSERT_TRUE(reached.contains(x)) << x;
          EXPECT_TRUE(reached[x].first <= y && y <= reached[x].second) << rows << " rows, column " << x;
        }
      }
      EXPECT_LE(strokes.size(), 4u * kWidth) << "cost follows pixels";
    }
  }
}

class DrawnPath : public PathLines {
 protected:
  DrawnPath() {
    judgement = std::make_unique<verdict::Judgement>(verdict::judge(run.trace, nullptr));
    options.verdict = std::make_shared<VerdictMarks>(verdict_marks(run.trace, shown, *judgement));
    options.row_height = 40;
  }
  const Colour ink = theme(ThemeName::dark).strong_text;
  std::unique_ptr<verdict::Judgement> judgement;
};

TEST_F(DrawnPath, LiesAtTheLowerEdgeOfTheBarsItGoesThrough) {
  options.path = true;
  draw();
  const Piece& last = judgement->path.pieces.back();
  ASSERT_EQ(last.kind, PieceKind::execution);
  const trace::Span& span = run.trace.spans[last.operation];
  const int x = x_of((span.start + span.end) / 2);
  const LayoutContext context = context_of(run.trace, shown, view, theme(ThemeName::dark), options);
  for (const Bar& bar : bars_of(context, span.operation)) {
    if (bar.kind != TrackKind::stream) continue;
    EXPECT_EQ(at(x, bar.y1 - 1), ink);
    EXPECT_FALSE(at(x, (bar.y0 + bar.y1) / 2) == ink) << "labels stay free";
  }
  options.path = false;
  redraw();
  for (const Bar& bar : bars_of(context, span.operation)) EXPECT_FALSE(at(x, bar.y1 - 1) == ink);
}

TEST_F(DrawnPath, IsNeverThickerThanAFewPixels) {
  for (const int row : {8, 20, 40, 200}) {
    options.row_height = row;
    EXPECT_TRUE(2 <= path_width(options) && path_width(options) <= 3) << row;
  }
  options.scale = 2;
  EXPECT_EQ(path_width(options), 6) << "of a screen with twice the pixels";
}

TEST_F(DrawnPath, LeavesAllElsePaleWhereThatIsAsked) {
  std::set<OperationIndex> on;
  for (const Piece& piece : judgement->path.pieces) on.insert(piece.operation);
  const auto off = std::find_if(run.trace.spans.begin(), run.trace.spans.end(), [&](const trace::Span& span) {
    return span.kind == OperationKind::h2d && !on.contains(span.operation);
  });
  ASSERT_NE(off, run.trace.spans.end());
  const auto colour_of = [&](OperationIndex operation) {
    const LayoutContext context = context_of(run.trace, shown, view, theme(ThemeName::dark), options);
    for (const Bar& bar : bars_of(context, operation))
      if (bar.kind == TrackKind::stream) return at(static_cast<int>(bar.x0 + bar.x1) / 2, bar.y0 + 2);
    return Colour{};
  };
  const OperationIndex last = judgement->path.pieces.back().operation;
  draw();
  const Colour before = colour_of(off->operation), kept = colour_of(last);
  options.pale_off_path = true;
  redraw();
  EXPECT_FALSE(colour_of(off->operation) == before);
  EXPECT_EQ(colour_of(last), kept);
}

TEST_F(DrawnPath, GoesOnInTheEnginesWhereAStreamIsNotShown) {
  options.path = true;
  std::erase_if(shown.tracks, [](const Track& track) { return track.kind == TrackKind::stream; });
  draw();
  const LayoutContext context = context_of(run.trace, shown, view, theme(ThemeName::dark), options);
  const Piece& last = judgement->path.pieces.back();
  const std::vector<Bar> bars = bars_of(context, last.operation);
  const auto engine = std::ranges::find(bars, TrackKind::engine, &Bar::kind);
  ASSERT_NE(engine, bars.end());
  EXPECT_EQ(at(x_of((last.from + last.to) / 2), engine->y1 - 1), ink);
}

TEST_F(DrawnPath, GoesThroughTheHeadingOfAFoldedGroup) {
  options.path = true;
  options.choice.collapsed = {TrackKind::stream};
  draw();
  const Piece& last = judgement->path.pieces.back();
  for (const Strip& strip : strips(shown, options))
    if (strip.hidden > 0) {
      EXPECT_EQ(at(x_of((last.from + last.to) / 2), (strip.y0 + strip.y1) / 2), ink);
    }
}

}  // namespace
}  // namespace streamscope::timeline
