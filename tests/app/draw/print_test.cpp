// The print theme survives a copy without colours: what bars are of shows in their patterns alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "app/draw/paper.h"
#include "app/timeline/contrast.h"
#include "app/timeline/layout.h"
#include "app/timeline/legend.h"
#include "app/timeline/rows.h"
#include "app/timeline/text_width.h"
#include "tests/support/draw_png.h"
#include "tests/support/timeline_run.h"

namespace streamscope::draw {
namespace {

constexpr int kPeriods = 8 * 6 * 5;  // all patterns repeat after so many pixels
constexpr int kSide = 24;            // of a swatch

// A swatch as a grey copy has it, from 0 to 1, as large as all periods, and shifted by any phase.
struct Grey {
  int width = 0;
  std::vector<double> at;
  double pixel(int x, int y) const {
    return at[static_cast<std::size_t>(y % width) * static_cast<std::size_t>(width) +
              static_cast<std::size_t>(x % width)];
  }
};

Grey grey_of(const timeline::LegendEntry& entry) {
  timeline::Scene scene;
  scene.width = scene.height = kPeriods;
  scene.background = timeline::theme(timeline::ThemeName::print).background;
  scene.rectangles = {{0, 0, kPeriods, kPeriods, entry.colour, entry.fill}};
  if (entry.over != timeline::Fill::solid)
    scene.rectangles.push_back({0, 0, kPeriods, kPeriods, entry.ink, entry.over});
  const testing::ScratchFolder folder;
  EXPECT_TRUE(write_png(scene, 1, folder / "swatch.png").has_value());
  const auto image = testing::read_png(folder / "swatch.png");
  Grey out{image.width, {}};
  for (const timeline::Colour c : image.pixels) out.at.push_back((0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b) / 255);
  return out;
}

// What differs at the least, wherever one lies on the other: a person sees no phase.
template <class Different>
double least(const Grey& a, const Grey& b, Different different) {
  double best = 1e9;
  for (int dy = 0; dy < 8; ++dy) {
    for (int dx = 0; dx < 40; ++dx) {
      double sum = 0;
      for (int y = 0; y < kSide; ++y)
        for (int x = 0; x < kSide; ++x) sum += different(a.pixel(x, y), b.pixel(x + dx, y + dy));
      best = std::min(best, sum / (kSide * kSide));
    }
  }
  return best;
}

double middle(const Grey& grey) {
  const auto [low, high] = std::minmax_element(grey.at.begin(), grey.at.end());
  return *low == *high ? 2 : (*low + *high) / 2;  // of an even ground nothing is ink
}

std::vector<timeline::LegendEntry> all_entries() {
  std::vector<timeline::LegendEntry> out;
  const timeline::Theme& print = timeline::theme(timeline::ThemeName::print);
  for (const OperationKind kind :
       {OperationKind::h2d, OperationKind::kernel, OperationKind::d2h, OperationKind::d2d, OperationKind::memset,
        OperationKind::record, OperationKind::work, OperationKind::sync}) {
    const timeline::BarStyle own = timeline::bar_style(timeline::colour(kind), timeline::pattern_of(kind), print);
    out.push_back({std::string(name(kind)), own.ground, timeline::Fill::solid, false, own.pattern, own.ink});
  }
  out.push_back({"waiting", print.waiting, timeline::Fill::hatch});
  out.push_back({"queued", print.waiting, timeline::Fill::dotted});
  return out;
}

TEST(Print, KindsAreDistinguishedWithoutColours) {
  std::map<std::string, Grey> greys;
  for (const timeline::LegendEntry& entry : all_entries()) greys.emplace(entry.label, grey_of(entry));
  ASSERT_EQ(greys.size(), 10u);
  for (const auto& [a, one] : greys) {
    for (const auto& [b, other] : greys) {
      if (a >= b) continue;
      EXPECT_GT(least(one, other, [](double x, double y) { return std::abs(x - y); }), 0.04) << a << " and " << b;
      // By the pattern alone: ink against ground, whatever the greys of the two.
      const double cut = middle(one), other_cut = middle(other);
      EXPECT_GT(least(one, other, [&](double x, double y) { return (x < cut) != (y < other_cut) ? 1.0 : 0.0; }), 0.1)
          << a << " and " << b;
    }
  }
}

TEST(Print, EachKindButKernelsHasAPattern) {
  for (const timeline::LegendEntry& entry : all_entries()) {
    const bool plain = entry.over == timeline::Fill::solid && entry.fill == timeline::Fill::solid;
    EXPECT_EQ(plain, entry.label == name(OperationKind::kernel)) << entry.label;
  }
}

TEST(Print, InkIsSeenOnItsGround) {
  for (const timeline::LegendEntry& entry : all_entries()) {
    if (entry.over == timeline::Fill::solid) continue;
    const Grey grey = grey_of(entry);
    const auto [low, high] = std::minmax_element(grey.at.begin(), grey.at.end());
    EXPECT_GT(*high - *low, 0.25) << entry.label;
  }
}

TEST(Print, WordsAreReadOnThePatterns) {
  const timeline::Theme& print = timeline::theme(timeline::ThemeName::print);
  const auto expect_read = [&](timeline::Colour meaning, const std::string& what) {
    const timeline::BarStyle own = timeline::bar_style(meaning, timeline::Fill::rising, print);
    for (const timeline::Colour under : {own.ground, own.ink})
      EXPECT_GE(timeline::contrast(timeline::text_on(own.ground), under), timeline::kReadable) << what;
    EXPECT_GE(timeline::contrast(own.ground, own.ink), 1.5) << what;
  };
  for (const OperationKind kind : {OperationKind::h2d, OperationKind::d2h, OperationKind::d2d, OperationKind::memset,
                                   OperationKind::record, OperationKind::work, OperationKind::sync})
    expect_read(timeline::colour(kind), std::string(name(kind)));
  for (std::uint32_t stream = 0; stream < 8; ++stream)
    expect_read(timeline::stream_colour(stream), "stream " + std::to_string(stream));
}

TEST(Print, APatternIsPalerWhereWordsStandOnIt) {
  const auto run = testing::pipeline_run({});
  const timeline::Tracks shown = timeline::tracks(run.trace);
  timeline::LayoutOptions options;
  options.width = 1200;
  options.height = 500;
  const timeline::View view = timeline::fit(shown.begin, shown.end, timeline::frame(shown, options).plot_width);
  const auto& print = timeline::theme(timeline::ThemeName::print);
  const timeline::Scene scene = timeline::layout(run.trace, shown, view, print, options);
  int named = 0;
  for (const timeline::Text& text : scene.texts) {
    if (text.text != "H2D") continue;
    ++named;
    const float end = text.x + timeline::text_width(text.text, text.font, text.size);
    EXPECT_TRUE(std::any_of(scene.rectangles.begin(), scene.rectangles.end(), [&](const timeline::Rectangle& r) {
      return r.colour.a > 0 && r.colour.a < 255 && r.x0 <= static_cast<int>(text.x) && end <= r.x1 + 1.0F &&
             static_cast<float>(r.y0) < text.y && text.y < static_cast<float>(r.y1);
    })) << text.x;
  }
  EXPECT_GT(named, 4);
}

TEST(Print, LegendHasThePatternsOfTheBars) {
  const auto run = testing::pipeline_run({});
  const timeline::Tracks shown = timeline::tracks(run.trace);
  for (const timeline::ColourBy by : {timeline::ColourBy::kind, timeline::ColourBy::stream}) {
    const auto entries = timeline::legend(shown, timeline::theme(timeline::ThemeName::print), by);
    timeline::LayoutOptions options;
    options.width = 1200;
    options.height = 500;
    options.colour_by = by;
    const timeline::View view = timeline::fit(shown.begin, shown.end, timeline::frame(shown, options).plot_width);
    const timeline::Scene scene =
        timeline::layout(run.trace, shown, view, timeline::theme(timeline::ThemeName::print), options);
    for (const timeline::LegendEntry& entry : entries) {
      const auto drawn_so = [&](timeline::Colour colour, timeline::Fill fill) {
        const auto in_stack = [&](const timeline::Stacks& stacks) {
          return std::any_of(stacks.layers.begin(), stacks.layers.end(), [&](const timeline::Stacks::Layer& layer) {
            return fill == timeline::Fill::solid ? layer.ground == colour
                                                 : layer.ink == colour && layer.pattern == fill;
          });
        };
        return std::any_of(scene.rectangles.begin(), scene.rectangles.end(),
                           [&](const timeline::Rectangle& r) { return r.colour == colour && r.fill == fill; }) ||
               std::any_of(scene.stacks.begin(), scene.stacks.end(), in_stack);
      };
      // Waiting has the colour of what it is for.
      if (entry.fill == timeline::Fill::solid) {
        EXPECT_TRUE(drawn_so(entry.colour, entry.fill)) << entry.label;
      } else {
        EXPECT_TRUE(std::ranges::count(scene.rectangles, entry.fill, &timeline::Rectangle::fill) > 0) << entry.label;
      }
      EXPECT_TRUE(entry.over == timeline::Fill::solid || drawn_so(entry.ink, entry.over)) << entry.label;
    }
  }
  for (const timeline::ThemeName other :
       {timeline::ThemeName::dark, timeline::ThemeName::light, timeline::ThemeName::projector})
    for (const timeline::LegendEntry& entry : timeline::legend(shown, timeline::theme(other), timeline::ColourBy::kind))
      EXPECT_EQ(entry.over, timeline::Fill::solid) << entry.label;
}

}  // namespace
}  // namespace streamscope::draw
