// A made-up run drawn as a picture, and what a person sees of it: what colour is at a pixel, where does a text stand?
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "app/timeline/layout.h"
#include "app/timeline/rows.h"
#include "tests/support/timeline_run.h"

namespace streamscope::timeline {

class LayoutTest : public ::testing::Test {
 protected:
  LayoutTest() {
    shown = tracks(run.trace);
    options.width = 1400;
    options.height = 500;
  }

  // Another one, in the first stream; its number.
  OperationIndex add_kernel(Nanoseconds start, Nanoseconds end) {
    trace::Span kernel = run.trace.spans.front();
    kernel.operation = static_cast<OperationIndex>(run.trace.spans.size());
    kernel.kind = OperationKind::kernel;
    kernel.engine = Engine::compute;
    kernel.ready = kernel.start = start;
    kernel.end = end;
    run.trace.spans.push_back(kernel);
    return kernel.operation;
  }

  void draw() {
    where = frame(shown, options);
    view = fit(shown.begin, shown.end, where.plot_width);
    redraw();
  }
  void redraw() { scene = layout(run.trace, shown, view, theme(ThemeName::dark), options); }

  static bool opaque_at(const Rectangle& r, int x, int y) {
    return r.x0 <= x && x < r.x1 && r.y0 <= y && y < r.y1 && r.colour.a == 255 && r.fill == Fill::solid;
  }
  Colour at(int x, int y) const {
    Colour out = scene.background;
    const auto over = [&](const Rectangle& r) {
      if (opaque_at(r, x, y)) out = r.colour;
    };
    in_order(scene, over, [&](const Stacks& stacks) {
      for (std::size_t i = 0; i < stacks.layers.size(); ++i)
        for (const Rectangle& piece : pieces_of(stacks, i)) over(piece);
    });
    return out;
  }
  const Text* text(const std::string& what) const {
    const auto found =
        std::find_if(scene.texts.begin(), scene.texts.end(), [&](const Text& t) { return t.text == what; });
    return found == scene.texts.end() ? nullptr : &*found;
  }
  // The middle of a track's row, from where its name stands.
  int row_of(const std::string& track) const {
    const Text* name = text(track);
    return name == nullptr ? -1 : static_cast<int>(name->y);
  }
  int x_of(Nanoseconds time) const { return where.plot_x + static_cast<int>(column(view, time)); }

  trace::Run run = testing::pipeline_run({});  // Test::Run hides the short name
  Tracks shown;
  LayoutOptions options;
  Frame where;
  View view;
  Scene scene;
};

}  // namespace streamscope::timeline
