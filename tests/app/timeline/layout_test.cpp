#include "app/timeline/layout.h"

#include <algorithm>
#include <random>
#include <string>

#include "app/timeline/draw_waits.h"
#include "app/timeline/legend.h"
#include "app/timeline/search_highlight.h"
#include "app/timeline/text_width.h"
#include "tests/app/timeline/layout_fixture.h"

namespace streamscope::timeline {
namespace {

using Layout = LayoutTest;

TEST_F(Layout, DrawsEachBarInItsColourAtItsTime) {
  draw();
  const trace::Span& copy = run.trace.spans[0];
  const trace::Span& kernel = run.trace.spans[1];
  EXPECT_EQ(at(x_of((copy.start + copy.end) / 2) + 1, row_of("S0") - 8), colour(OperationKind::h2d));
  EXPECT_EQ(at(x_of((kernel.start + kernel.end) / 2) + 1, row_of("S0") - 8), colour(OperationKind::kernel));
  EXPECT_EQ(at(x_of((kernel.start + kernel.end) / 2) + 1, row_of("Compute") - 8), colour(OperationKind::kernel));
  EXPECT_EQ(at(x_of(run.trace.spans.back().host_begin + 1'000'000), row_of("main") - 8), colour(OperationKind::sync));
  EXPECT_EQ(at(x_of(50'000), row_of("main") + 9), colour(OperationKind::hostfn)) << "many in a column";
}

TEST_F(Layout, ACallThatWaitedIsDrawnAsAWait) {
  trace::Span& copy = run.trace.spans[0];
  copy.blocking = true;
  copy.host_end = copy.end + 5'000;
  for (std::size_t i = 1; i < run.trace.spans.size(); ++i) run.trace.spans[i].host_begin += copy.host_end;
  for (std::size_t i = 1; i < run.trace.spans.size(); ++i) run.trace.spans[i].host_end += copy.host_end;
  shown = tracks(run.trace);
  draw();
  const int middle = x_of((copy.host_begin + copy.host_end) / 2);
  EXPECT_EQ(at(middle, row_of("main") + 9), colour(OperationKind::sync));
  run.trace.spans[0].blocking = false;
  shown = tracks(run.trace);
  redraw();
  EXPECT_EQ(at(middle, row_of("main") + 9), colour(OperationKind::hostfn));
}

TEST_F(Layout, WhatIsNotSearchedForIsPaleAndWhatIsFoundVanishesNowhere) {
  const trace::Span& copy = run.trace.spans[0];
  const trace::Span& kernel = run.trace.spans[1];
  std::vector<bool> meant(run.trace.spans.size());
  meant[1] = true;
  options.highlight = std::make_shared<const SearchHighlight>(search_highlight(shown, meant));
  draw();
  const int y = row_of("S0") - 8;
  EXPECT_EQ(at(x_of((kernel.start + kernel.end) / 2) + 1, y), colour(OperationKind::kernel));
  const Colour pale = at(x_of((copy.start + copy.end) / 2) + 1, y), full = colour(OperationKind::h2d);
  EXPECT_NE(pale, full);
  EXPECT_NE(pale, scene.background) << "it is still there";
  EXPECT_LT(pale.g, full.g);
  // Far away, where longer ones share its column.
  view = fit(0, 1'000'000'000'000, where.plot_width);
  redraw();
  EXPECT_EQ(at(x_of(kernel.start), row_of("S0") - 8), colour(OperationKind::kernel));
}

TEST_F(Layout, GroupsTracksUnderTheirHeadings) {
  draw();
  const char* const order[] = {"HOST", "main", "STREAMS", "S0", "S3", "ENGINES", "H2D engine", "Compute"};
  for (std::size_t i = 0; i < std::size(order); ++i) {
    ASSERT_NE(text(order[i]), nullptr) << order[i];
    if (i > 0) {
      EXPECT_LT(text(order[i - 1])->y, text(order[i])->y) << order[i];
    }
  }
}

TEST_F(Layout, HasAHeaderColumnThatFitsTheLongestName) {
  draw();
  const int before = where.plot_x;
  shown.tracks[2].name = "a rather long stream name";
  draw();
  EXPECT_GT(where.plot_x, before);
  EXPECT_GE(static_cast<float>(where.plot_x), text_width(shown.tracks[2].name, Font::regular, 13));
  shown.tracks[2].name = std::string(500, 'x');
  draw();
  EXPECT_LE(where.plot_x, options.width / 2);
}

TEST_F(Layout, HatchesWaitingAndNothingElse) {
  draw();
  const trace::Span* waited = nullptr;
  for (const trace::Span& span : run.trace.spans) {
    if (span.stream == 5 && span.start - span.ready > 200'000) {
      waited = &span;
      break;
    }
  }
  ASSERT_NE(waited, nullptr);
  const int y = row_of("S3");
  const auto hatched = [&](int x) {
    return std::any_of(scene.rectangles.begin(), scene.rectangles.end(), [&](const Rectangle& r) {
      return r.fill == Fill::hatch && r.x0 <= x && x < r.x1 && r.y0 <= y && y < r.y1;
    });
  };
  EXPECT_TRUE(hatched(x_of((waited->ready + waited->start) / 2)));
  EXPECT_FALSE(hatched(x_of((waited->start + waited->end) / 2)));
}

TEST_F(Layout, LabelsABarWhereItFits) {
  draw();
  view = fit(0, 400'000, where.plot_width);
  redraw();
  const Text* name = text("H2D");
  ASSERT_NE(name, nullptr);
  EXPECT_NE(text("16 MiB  302 us"), nullptr);
  view = fit(0, 400'000'000, where.plot_width);
  redraw();
  EXPECT_EQ(text("H2D"), nullptr);
}

// What is written on the first bar where that is so many pixels wide.
class NamedBars : public Layout {
 protected:
  void name_all(const char* name) {
    run.trace.names = {name};
    for (trace::Span& span : run.trace.spans) span.name = 0;
    draw();
  }
  std::string name_in(int pixels_wide) {
    const trace::Span& copy = run.trace.spans[0];
    view = {copy.start * kFine, (copy.end - copy.start) * kFine / pixels_wide};
    redraw();
    for (const Text& each : scene.texts)
      if (each.text.starts_with("a") && each.clip_x0 == where.plot_x) return each.text;
    return {};
  }
};

TEST_F(NamedBars, AreCutShortAndOnlyDroppedWhereAFewLettersHaveNoRoom) {
  name_all("a_kernel_with_a_long_name");
  EXPECT_EQ(name_in(400), "a_kernel_with_a_long_name");
  EXPECT_TRUE(name_in(90).ends_with("…"));
  EXPECT_TRUE(name_in(40).ends_with("…"));
  EXPECT_LT(name_in(40).size(), name_in(90).size());
  EXPECT_EQ(name_in(12), "");
}

TEST_F(Layout, ANameComesCloseToTheEndsOfItsBarRatherThanBeCut) {
  draw();
  const trace::Span& copy = run.trace.spans[0];
  const float wide = text_width("H2D", Font::regular, metrics(options).bar_text);
  const auto named = [&](int pixels_wide) {
    view = {copy.start * kFine, (copy.end - copy.start) * kFine / pixels_wide};
    redraw();
    return std::any_of(scene.texts.begin(), scene.texts.end(),
                       [&](const Text& each) { return each.text == "H2D" && each.clip_x0 == where.plot_x; });
  };
  EXPECT_TRUE(named(static_cast<int>(std::ceil(wide * 1.2F))));
  EXPECT_FALSE(named(static_cast<int>(wide)));
}

TEST_F(NamedBars, APixelApartInWidthDoNotHaveAWholeNameAndNone) {
  name_all("axpb");
  int wide = 400;
  while (wide > 1 && name_in(wide - 1) == "axpb") --wide;
  EXPECT_EQ(name_in(wide - 1), "ax…") << wide;
}

TEST_F(Layout, PatternsGrowWithTheLetters) {
  for (const auto& [scale, grain] : {std::pair(1.0F, 1), {1.25F, 1}, {2.0F, 2}, {3.0F, 3}}) {
    options.scale = scale;
    draw();
    EXPECT_EQ(scene.grain, grain) << scale;
  }
}

TEST_F(Layout, ABarOfAHostThreadHasTheNameOfItsCall) {
  draw();
  view = {run.trace.spans[0].host_begin * kFine, 10 * kFine};
  redraw();
  EXPECT_NE(text("cudaMemcpyAsync"), nullptr);
  EXPECT_NE(text("cudaLaunchKernel"), nullptr);
  run.trace.provenance.instrument = "chrome trace";
  run.trace.provenance.profile.clear();
  redraw();
  if (trace::of_another_tool(run.trace.provenance)) {
    EXPECT_EQ(text("cudaMemcpyAsync"), nullptr) << "another tool's calls are named in its file";
  }
}

TEST_F(Layout, WhatTheLegendLightsIsSeenAloneAndAllElseIsPale) {
  options.lit = kKernelClass;
  draw();
  const trace::Span& copy = run.trace.spans[0];
  const trace::Span& kernel = run.trace.spans[1];
  const int y = row_of("S0") - 8;
  EXPECT_EQ(at(x_of((kernel.start + kernel.end) / 2) + 1, y), colour(OperationKind::kernel));
  EXPECT_EQ(at(x_of((copy.start + copy.end) / 2) + 1, y), mixed(colour(OperationKind::h2d), scene.background, kPale));
  EXPECT_FALSE(std::ranges::any_of(scene.rectangles, [](const Rectangle& r) {
    return r.fill == Fill::hatch && r.colour == colour(OperationKind::h2d);
  })) << "waits are pale too";
  options.lit = kWaitingMeaning;
  redraw();
  EXPECT_NE(at(x_of((kernel.start + kernel.end) / 2) + 1, y), colour(OperationKind::kernel));
}

TEST_F(Layout, LeavesTheFiguresOutOfLowBarsWhateverTheTextsScale) {
  draw();
  view = fit(0, 400'000, where.plot_width);
  for (const float scale : {0.75F, 1.0F, 3.0F}) {
    options.scale = scale;
    options.row_height = 0;
    redraw();
    EXPECT_NE(text("16 MiB  302 us"), nullptr) << scale;
    options.row_height = static_cast<int>(14 * scale);
    redraw();
    EXPECT_EQ(text("H2D") != nullptr, scale >= 1) << "below 7 pixels there are no letters";
    EXPECT_EQ(text("16 MiB  302 us"), nullptr) << scale;
  }
}

TEST_F(Layout, KeepsEveryTextWithinItsPlace) {
  for (const float scale : {0.5F, 1.0F, 2.0F}) {
    options.scale = scale;
    draw();
    for (const Text& t : scene.texts) {
      const float width = text_width(t.text, t.font, t.size);
      const float x0 = t.anchor == Anchor::left ? t.x : t.anchor == Anchor::centre ? t.x - width / 2 : t.x - width;
      EXPECT_GE(x0, -1) << t.text;
      EXPECT_LE(x0 + width, static_cast<float>(std::min(options.width, t.clip_x1)) + 1) << t.text;
      EXPECT_GE(t.y - t.size / 2, -1) << t.text;
      EXPECT_LE(t.y + t.size / 2, static_cast<float>(options.height) + 1) << t.text;
    }
  }
}

TEST_F(Layout, BurnsInWhereTheTraceComesFrom) {
  draw();
  ASSERT_NE(text("MEASURED"), nullptr);
  EXPECT_EQ(text("MODEL"), nullptr);
  const auto says = [&](const char* what) {
    return std::any_of(scene.texts.begin(), scene.texts.end(),
                       [&](const Text& t) { return t.text.find(what) != std::string::npos; });
  };
  for (const char* what : {"NVIDIA H200", "580.159.04", "±2.9 us", "instrument full", "2026-11-21"}) {
    EXPECT_TRUE(says(what)) << what;
  }
  const Text* badge = text("MEASURED");
  EXPECT_EQ(at(static_cast<int>(badge->x), static_cast<int>(badge->y)), theme(ThemeName::dark).measured);

  run.trace.provenance = testing::model_provenance();
  draw();
  ASSERT_NE(text("MODEL"), nullptr);
  EXPECT_EQ(text("MEASURED"), nullptr);
  EXPECT_TRUE(says("profile h200"));
  EXPECT_EQ(at(static_cast<int>(text("MODEL")->x), static_cast<int>(text("MODEL")->y)), theme(ThemeName::dark).model);
}

TEST_F(Layout, KeepsTheBadgeInANarrowPicture) {
  options.width = 120;
  draw();
  EXPECT_NE(text("MEASURED"), nullptr);
}

TEST_F(Layout, OutlinesTheSelectionAndDrawsItsThreads) {
  options.selected = 7;  // a kernel that waited for the copy before it
  draw();
  const Colour teal = theme(ThemeName::dark).selection;
  const trace::Span& span = run.trace.spans[7];
  const int y = row_of("S2");
  EXPECT_EQ(at(x_of(span.start) - 2, y), teal);
  EXPECT_NE(at(x_of((span.start + span.end) / 2), y - 5), teal);
  const auto in_plot = [&] {
    std::vector<Line> lines;
    for (const Line& line : scene.lines)
      if (line.x0 >= static_cast<float>(where.plot_x)) lines.push_back(line);
    return lines;
  };
  const std::vector<Line> threads = in_plot();
  ASSERT_FALSE(threads.empty());
  EXPECT_EQ(threads[0].colour, teal);
  EXPECT_NEAR(threads[0].x0, static_cast<float>(x_of(span.host_end)), 2);
  EXPECT_NEAR(threads[0].x1, static_cast<float>(x_of(span.start)), 2);
  const Colour ink = theme(ThemeName::dark).strong_text;  // to what it waited for
  EXPECT_TRUE(std::any_of(threads.begin(), threads.end(), [&](const Line& line) { return line.colour == ink; }));
  options.selected = kNoOperation;
  redraw();
  EXPECT_TRUE(in_plot().empty());
}

TEST_F(Layout, CutsThreadsAtTheEdgesOfThePlot) {
  options.selected = 40;
  draw();
  const trace::Span& span = run.trace.spans[40];
  view = fit(span.start - 50'000, span.start + 50'000, where.plot_width);  // the host call is far to the left
  options.scroll = 37;
  redraw();
  ASSERT_FALSE(scene.lines.empty());
  const Colour chevron = theme(ThemeName::dark).faint_text;  // beside the names, not in the plot
  for (const Line& line : scene.lines) {
    if (line.colour == chevron) continue;
    for (const float x : {line.x0, line.x1}) EXPECT_GE(x, static_cast<float>(where.plot_x));
    for (const float y : {line.y0, line.y1}) EXPECT_GE(y, 0);
  }
}

TEST_F(Layout, LightensTheHovered) {
  draw();
  const trace::Span& span = run.trace.spans[0];
  const int x = x_of((span.start + span.end) / 2), y = row_of("S0") - 8;
  const Colour before = at(x, y);
  options.hovered = 0;
  redraw();
  EXPECT_GT(at(x, y).r, before.r);
  EXPECT_GT(at(x, y).b, before.b);
}

TEST_F(Layout, SaysHowLongTheMeasuredIntervalIs) {
  options.measured = {1'000'000, 2'500'000};
  draw();
  const Text* length = text("1.5 ms");
  ASSERT_NE(length, nullptr);
  // On its plate there is no label of the axis.
  const float half = text_width(length->text, length->font, length->size) / 2;
  for (const Text& other : scene.texts) {
    if (&other == length || std::abs(other.y - length->y) > 10) continue;
    const float width = text_width(other.text, other.font, other.size) / (other.anchor == Anchor::centre ? 2.0F : 1.0F);
    EXPECT_TRUE(other.x + width <= length->x - half || other.x - width >= length->x + half) << other.text;
  }
  EXPECT_EQ(at(x_of(1'000'000), row_of("S1")), theme(ThemeName::dark).selection);
  EXPECT_EQ(at(x_of(2'500'000), row_of("S1")), theme(ThemeName::dark).selection);
}

TEST_F(Layout, ColoursByStream) {
  options.colour_by = ColourBy::stream;
  draw();
  const trace::Span& copy = run.trace.spans[3];
  EXPECT_EQ(at(x_of((copy.start + copy.end) / 2), row_of("H2D engine") - 8), stream_colour(3));
}

TEST_F(Layout, ScrollsItsRowsUnderTheAxis) {
  options.height = 200;
  draw();
  EXPECT_GT(where.content_height, 200);
  const float axis = text("time")->y;
  options.scroll = 60;
  redraw();
  ASSERT_NE(text("time"), nullptr);
  EXPECT_EQ(text("time")->y, axis);
  EXPECT_EQ(text("HOST"), nullptr);
  for (const Rectangle& r : scene.rectangles) {
    EXPECT_GE(r.y0, 0);
    EXPECT_LE(r.y1, 200);
  }
}

TEST_F(Layout, SaysSoWhereThereIsNothing) {
  run.trace.spans.clear();
  shown = tracks(run.trace);
  draw();
  EXPECT_NE(text("no operation has a known time"), nullptr);
  EXPECT_NE(text("MEASURED"), nullptr);
}

TEST_F(Layout, OfNoSizeIsEmptyAndOfOddSizesDoesNotFail) {
  options.selected = 3;
  options.measured = {0, 5};
  for (const int width : {-1, 0, 1, 7, 90, 5000}) {
    for (const int height : {-1, 0, 1, 13, 5000}) {
      options.width = width;
      options.height = height;
      draw();
      for (const Rectangle& r : scene.rectangles) EXPECT_TRUE(r.x0 < r.x1 && r.y0 < r.y1);
    }
  }
}

TEST_F(Layout, BarsCoverExactlyThePixelsOfTheirSpans) {
  draw();
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    const Nanoseconds begin = static_cast<Nanoseconds>(random() % 5'000'000);
    view = fit(begin, begin + 1 + static_cast<Nanoseconds>(random() % 3'000'000), where.plot_width);
    redraw();
    const int y = row_of("H2D engine") - 10;
    for (int x = 0; x < where.plot_width; ++x) {
      const bool covered = std::any_of(run.trace.spans.begin(), run.trace.spans.end(), [&](const trace::Span& span) {
        if (span.engine != Engine::h2d) return false;
        const Pixels p = pixels(view, span.start, span.end);
        return p.x0 <= x && x < p.x1;
      });
      const bool drawn = std::any_of(scene.rectangles.begin(), scene.rectangles.end(), [&](const Rectangle& r) {
        return r.colour == colour(OperationKind::h2d) && opaque_at(r, where.plot_x + x, y);
      });
      ASSERT_EQ(drawn, covered) << "column " << x;
    }
  }
}

TEST_F(Layout, WhatTheGateHeldIsReported) {
  trace::Span& held = run.trace.spans[9];  // S3's first copy waited
  held.reason = trace::WaitReason::gate;
  shown = tracks(run.trace);
  draw();
  const Colour colour = gate_colour(theme(ThemeName::dark));
  EXPECT_NE(colour, theme(ThemeName::dark).waiting);
  int dotted = 0, rails = 0;
  for (const Rectangle& r : scene.rectangles) {
    if (r.colour != colour) continue;
    (r.fill == Fill::dotted ? dotted : rails) += 1;
  }
  EXPECT_EQ(dotted, 1);
  EXPECT_EQ(rails, 2) << "not by colour alone";
  bool in_legend = false;
  for (const LegendEntry& entry : legend(shown, theme(ThemeName::dark), ColourBy::kind))
    in_legend |= entry.label == "held by the gate" && entry.colour == colour;
  EXPECT_TRUE(in_legend);
}

}  // namespace
}  // namespace streamscope::timeline
