// The parts of an operation's life before it is carried out, and how they are drawn, on programs that the model runs.
#include "app/timeline/waits.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "app/timeline/draw_elapsed.h"
#include "app/timeline/draw_waits.h"
#include "app/timeline/flows.h"
#include "app/timeline/hit.h"
#include "app/timeline/legend.h"
#include "app/timeline/text_width.h"
#include "engine/analysis/analysis.h"
#include "tests/app/timeline/layout_fixture.h"
#include "tests/engine/verdict/judged.h"

namespace streamscope::timeline {
namespace {

using ::testing::HasSubstr;
using verdict::WaitCause;

// Operations: 0 a copy of A, 1 one of B, which waits for the engine, 2 A's record, 3 C waits for that, 4 C's kernel
// behind it, 5 C's copy behind that.
constexpr std::string_view kProgram =
    "buffer x 64MiB\nbuffer y 64MiB\nstream A nonblocking\nstream B nonblocking\nstream C nonblocking\n"
    "A: h2d x\nB: h2d y\nA: record done\nC: wait done\nC: axpb x fma=2000\nC: d2h x\n";

class Waits : public ::testing::Test {
 protected:
  explicit Waits(std::string_view text = kProgram) : judged(verdict::judged(text)) {
    shown = tracks(judged->trace);
    add_waits(shown, judged->trace, judged->history.get());
    options.width = 1400;
    options.height = 500;
    options.row_height = 40;
  }
  void draw() {
    where = frame(shown, options);
    view = fit(shown.begin, shown.end, where.plot_width);
    scene = layout(judged->trace, shown, view, theme(ThemeName::dark), options);
  }
  int x_of(Nanoseconds time) const { return where.plot_x + static_cast<int>(column(view, time)); }
  int row_of(const std::string& track) const {
    for (const Strip& strip : strips(shown, options))
      if (strip.track != Strip::kNone && shown.tracks[strip.track].name == track) return (strip.y0 + strip.y1) / 2;
    return -1;
  }
  // What is drawn in patterns at a place, the last on top.
  std::vector<Rectangle> patterned(int x, int y) const {
    std::vector<Rectangle> out;
    for (const Rectangle& r : scene.rectangles)
      if (r.fill != Fill::solid && r.x0 <= x && x < r.x1 && r.y0 <= y && y < r.y1) out.push_back(r);
    return out;
  }
  static Colour fainter(Colour colour) { return mixed(colour, theme(ThemeName::dark).background, 0.35F); }
  const trace::Span& span(OperationIndex i) const { return judged->trace.spans[i]; }

  std::unique_ptr<verdict::Judged> judged;
  Tracks shown;
  LayoutOptions options;
  Frame where;
  View view;
  Scene scene;
};

TEST_F(Waits, WhatStandsBehindAnEventWaitedForTheWorkThatWasRecorded) {
  const auto all = flows(judged->trace, nullptr, 4);
  EXPECT_NE(std::ranges::find(all, Flow{FlowKind::order, 0, 4, false}), all.end());
  EXPECT_THAT(analysis::explain_wait(judged->trace, span(4)), HasSubstr("for H2D #0 (line 6), through an event"));
}

// Selecting it draws its waiting once more, and that goes under the words.
TEST_F(Waits, WordsStandOnTheirGroundAlsoWhereTheOperationIsSelected) {
  for (const OperationIndex selected : {kNoOperation, OperationIndex{4}}) {
    options.selected = selected;
    draw();
    const auto words = std::ranges::find_if(
        scene.texts, [](const Text& each) { return each.text.find("H2D #0 (event)") != std::string::npos; });
    ASSERT_NE(words, scene.texts.end());
    const int x = static_cast<int>(words->x), y = static_cast<int>(words->y);
    const auto on_top = std::find_if(scene.rectangles.rbegin(), scene.rectangles.rend(), [&](const Rectangle& r) {
      return r.x0 <= x && x < r.x1 && r.y0 <= y && y < r.y1;
    });
    ASSERT_NE(on_top, scene.rectangles.rend());
    EXPECT_EQ(on_top->fill, Fill::solid) << selected;
    EXPECT_EQ(on_top->colour, theme(ThemeName::dark).lane) << selected;
  }
}

// What a bar says stands above the thin line that shows there what the selected operation waited for.
TEST_F(Waits, TheirLineAtTheFootOfBarsPassesBelowTheWords) {
  for (const int row : {26, 40, 60}) {
    options.row_height = row;
    options.selected = 5;  // behind the kernel
    draw();
    const int x = x_of((span(4).start + span(4).end) / 2), y = row_of("C");
    const auto line = patterned(x, y + (row * 9 / 22) - 2);
    ASSERT_EQ(line.size(), 1u) << row;
    int words = 0;
    for (const Text& each : scene.texts) {
      if (std::abs(each.y - static_cast<float>(y)) > static_cast<float>(row) / 2 || each.clip_x0 > x ||
          each.clip_x1 < x || each.x < static_cast<float>(where.plot_x))
        continue;
      ++words;
      // The middle of the letters and half of them, and the line's edge.
      EXPECT_LE(each.y + each.size * 0.45F + 1, static_cast<float>(line.front().y0)) << each.text << ' ' << row;
      EXPECT_GE(each.y - each.size * 0.6F, static_cast<float>(y - row / 2)) << each.text << ' ' << row;
    }
    EXPECT_EQ(words, 2) << row;
    options.selected = kNoOperation;
  }
}

TEST_F(Waits, AreTheSlicesOfTheVerdict) {
  for (OperationIndex i = 0; i < judged->trace.spans.size(); ++i) {
    const auto slices = verdict::slices(*judged->history, i);
    const auto pieces = pieces_of(shown.waits, i);
    ASSERT_EQ(pieces.size(), slices.size());
    for (std::size_t k = 0; k < slices.size(); ++k) {
      EXPECT_EQ(pieces[k].from, slices[k].from);
      EXPECT_EQ(pieces[k].to, slices[k].to);
      EXPECT_EQ(pieces[k].cause, slices[k].cause);
    }
  }
  const auto kernel = pieces_of(shown.waits, 4);
  ASSERT_FALSE(kernel.empty());
  EXPECT_EQ(kernel.front().cause, WaitCause::event);
  EXPECT_TRUE(kernel.front().queued) << "what an event holds is not ready";
  EXPECT_EQ(kernel.front().by, 0u);
  EXPECT_EQ(wait_text(judged->trace, kernel.front()), "waits for A: H2D #0 (event)");
}

TEST_F(Waits, QueuedIsDottedInTheColourAndTheWordsOfItsReason) {
  draw();
  const int x = x_of((span(0).start + span(0).end) / 2), y = row_of("C");
  const auto found = patterned(x, y);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().fill, Fill::dotted);
  EXPECT_EQ(found.front().colour, fainter(colour(OperationKind::h2d)));
  EXPECT_TRUE(std::any_of(scene.texts.begin(), scene.texts.end(), [&](const Text& text) {
    return text.text == "waits for A: H2D #0 (event)" && std::abs(text.y - static_cast<float>(y)) < 4;
  }));
}

TEST_F(Waits, OfAReadyOperationIsHatched) {
  const auto all = pieces_of(shown.waits, 1);
  const auto busy = std::ranges::find(all, WaitCause::engine, &WaitPiece::cause);
  ASSERT_NE(busy, all.end());
  EXPECT_FALSE(busy->queued);
  draw();
  const int x = x_of((busy->from + busy->to) / 2), y = row_of("B");
  const auto found = patterned(x, y);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().fill, Fill::hatch);
  EXPECT_FALSE(found.front().colour == theme(ThemeName::dark).waiting) << "of the copy that has the engine";
  const auto at = hit(judged->trace, shown, view, options, x, y);
  ASSERT_TRUE(at);
  EXPECT_TRUE(at->waiting);
  EXPECT_FALSE(at->queued);
  EXPECT_EQ(at->operation, 1u);
  ASSERT_LT(at->wait, shown.waits.size());
  EXPECT_THAT(wait_text(judged->trace, shown.waits[at->wait]), HasSubstr("waits for A: H2D #0 (H2D engine busy)"));
}

// The kernel runs where the copy behind it is queued: its row is not empty, and only the selection shows through.
TEST_F(Waits, AreDrawnWhereTheRowIsEmptyAndNeverOverABar) {
  for (const bool chosen : {false, true}) {
    options.selected = chosen ? OperationIndex{5} : kNoOperation;
    draw();
    const int x = x_of((span(4).start + span(4).end) / 2), y = row_of("C");
    Colour top = scene.background;
    for (const Rectangle& r : scene.rectangles)
      if (r.fill == Fill::solid && r.colour.a == 255 && r.x0 <= x && x < r.x1 && r.y0 <= y - 9 && y - 9 < r.y1)
        top = r.colour;
    EXPECT_EQ(top, colour(OperationKind::kernel));
    EXPECT_EQ(patterned(x, y).size(), chosen ? 1u : 0u) << "under the bar";
  }
}

// Of what is drawn at a place the last covers the rest.
TEST_F(Waits, OfTheSelectionAreAThinLineOverTheBarsThatHideThem) {
  const auto under = pieces_of(shown.waits, 5);
  const Nanoseconds middle = (span(4).start + span(4).end) / 2;
  const auto piece = std::ranges::find_if(under, [&](const WaitPiece& p) { return p.from <= middle && middle < p.to; });
  ASSERT_NE(piece, under.end());
  const auto lines = [&] {
    draw();
    const int x = x_of(middle);
    const auto bar = std::ranges::find_if(scene.rectangles, [&](const Rectangle& r) {
      return r.fill == Fill::solid && r.colour == colour(OperationKind::kernel) && r.x0 <= x && x < r.x1 &&
             r.y0 <= row_of("C") && row_of("C") < r.y1;
    });
    EXPECT_NE(bar, scene.rectangles.end());
    std::vector<Rectangle> after;
    for (auto at = bar + 1; at < scene.rectangles.end(); ++at)
      if (at->fill == pattern_of(*piece) && at->x0 <= x && x < at->x1 && at->y1 == bar->y1) after.push_back(*at);
    for (const Rectangle& each : after) EXPECT_LT(each.y1 - each.y0, (bar->y1 - bar->y0) / 3) << "the bar is seen";
    for (const Rectangle& each : after) EXPECT_TRUE(each.x0 >= bar->x0 && each.x1 <= bar->x1) << "only over the bar";
    return after;
  };
  EXPECT_TRUE(lines().empty()) << "nothing is selected";
  options.selected = 5;
  const auto found = lines();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().colour, colour(OperationKind::kernel)) << "of the kernel, which it waits for";
}

TEST_F(Waits, OfTheSelectionAreDrawnInPlaceOfThoseOfTheNext) {
  options.selected = 5;  // its own stream holds it, while the kernel before it is queued behind the event
  draw();
  const int x = x_of((span(0).start + span(0).end) / 2), y = row_of("C");
  const auto found = patterned(x, y);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found.back().colour, fainter(colour(OperationKind::kernel)));
  EXPECT_TRUE(std::ranges::none_of(scene.texts, [](const Text& text) {
    return text.text == "waits for A: H2D #0 (event)";
  })) << "what is not seen has no words";
}

TEST_F(Waits, HaveBothSortsInTheLegend) {
  std::string labels;
  for (const LegendEntry& entry : legend(shown, theme(ThemeName::dark), ColourBy::kind)) labels += entry.label + "; ";
  EXPECT_THAT(labels, HasSubstr("issued, not ready; ready, waiting; "));
}

// What the trace says by itself, where there is no verdict.
TEST_F(Waits, OfNoVerdictAreFromReadyToStart) {
  const Tracks plain = tracks(judged->trace);
  const auto pieces = pieces_of(plain.waits, 1);
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_EQ(pieces[0].from, span(1).ready);
  EXPECT_EQ(pieces[0].to, span(1).start);
  EXPECT_EQ(pieces[0].cause, WaitCause::engine);
  EXPECT_EQ(pieces[0].by, 0u);
}

// What the trace says of a wait is not drawn beside a verdict that knows of none: of a kind that it has no unit for.
TEST(NoWaits, AreLeftWhereTheVerdictHasNone) {
  trace::Trace trace;
  trace.threads = {"main"};
  trace.streams.resize(1);
  trace::Span span;
  span.operation = 0;
  span.kind = OperationKind::create;
  span.engine = Engine::compute;
  span.stream = 0;
  span.host_begin = 0;
  span.host_end = span.ready = 10;
  span.start = 50;
  span.end = 60;
  span.ready_source = span.start_source = span.source = trace::Source::model;
  trace.spans = {span};
  Tracks shown = tracks(trace);
  const auto waiting = [&] {
    std::size_t count = 0;
    for (const Track& track : shown.tracks)
      for (const Lane& lane : track.waiting) count += lane.span.size();
    return count;
  };
  ASSERT_EQ(waiting(), 1u);
  const verdict::History history(trace, nullptr);
  add_waits(shown, trace, &history);
  EXPECT_TRUE(shown.waits.empty());
  EXPECT_EQ(waiting(), 0u);
}

// A kernel between two events waits for room, and says so in the middle of the bracket.
class WaitsUnderABracket : public Waits {
 protected:
  WaitsUnderABracket()
      : Waits(
            "stream A nonblocking\nstream B nonblocking\nB: spin 500us blocks=4224 threads=1024\nA: record start\n"
            "A: spin 100us\nA: record stop\nhost: sync stop\nhost: elapsed start stop\n") {
    options.width = 700;
  }
};

TEST_F(WaitsUnderABracket, AreNotTouchedByItsTime) {
  draw();
  const auto part = [&](const std::string& words) {
    const auto found =
        std::ranges::find_if(scene.texts, [&](const Text& each) { return each.text.find(words) != std::string::npos; });
    EXPECT_NE(found, scene.texts.end()) << words;
    if (found == scene.texts.end()) return std::pair(0.0f, 0.0f);
    const float width = text_width(found->text, found->font, found->size);
    const float left = found->anchor == Anchor::centre ? found->x - width / 2 : found->x;
    return std::pair(left, left + width);
  };
  const auto words = part("(no room)"), time = part(answer_text(span(5)));
  EXPECT_GT(std::max(time.first - words.second, words.first - time.second), 0.7f * metrics(options).small_text)
      << "they would be read as one";
}

}  // namespace
}  // namespace streamscope::timeline
