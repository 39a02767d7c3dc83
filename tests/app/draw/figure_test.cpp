#include "app/draw/figure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "app/draw/caption.h"
#include "app/draw/excerpt.h"
#include "app/draw/paper.h"
#include "app/timeline/text_width.h"
#include "tests/app/draw/picture_text.h"
#include "tests/support/draw_png.h"
#include "tests/support/stages_run.h"
#include "tests/support/timeline_run.h"

namespace streamscope::draw {
namespace {

TEST(Figure, OfAPredictedRunNamesTheModelInLegendBadgeAndFigures) {
  auto run = testing::pipeline_run({});
  run.prediction.emplace();
  run.prediction->trace = run.trace;
  run.prediction->trace.provenance = testing::model_provenance();
  run.prediction->wall = run.wall->median * 9 / 10;
  const timeline::Scene scene = figure(run, {});
  const std::string text = all_text(scene);
  for (const char* what : {"MEASURED", "MODEL", "ghost: profile h200", "predicted by the model (h200)", "Predicted",
                           "-10.0 % (model h200)"})
    EXPECT_NE(text.find(what), std::string::npos) << what << " in\n" << text;
  expect_all_inside(scene);
  FigureOptions without;
  without.ghosts = false;
  EXPECT_EQ(all_text(figure(run, without)).find("ghost"), std::string::npos);
}

TEST(Figure, SaysWhatWhereAndHowWell) {
  const timeline::Scene scene = figure(testing::pipeline_run({}), {});
  EXPECT_EQ(scene.width, 1600);
  EXPECT_EQ(scene.height, 900);
  const std::string text = all_text(scene);
  for (const char* what : {"Four streams", "256 MiB in chunks of 16 MiB", "depth-first", "5.44 ms", "2.63×", "89 %",
                           "verified", "MEASURED", "NVIDIA H200", "copy H2D", "ready, waiting", "S3", "Compute"}) {
    EXPECT_NE(text.find(what), std::string::npos) << what << " in\n" << text;
  }
  expect_all_inside(scene);
}

TEST(Figure, OfAModelNeverSaysMeasured) {
  trace::Run run = testing::pipeline_run({});
  run.trace.provenance = testing::model_provenance();
  run.notes = {{trace::NoteKind::model, "The model leaves out the caches."}};
  const std::string text = all_text(figure(run, {}));
  EXPECT_EQ(text.find("MEASURED"), std::string::npos);
  EXPECT_NE(text.find("MODEL"), std::string::npos);
  EXPECT_NE(text.find("profile h200"), std::string::npos);
  EXPECT_NE(text.find("The model leaves out the caches."), std::string::npos);
}

TEST(Figure, SaysHowManyNotesItDoesNotShow) {
  trace::Run run = testing::pipeline_run({});
  for (int i = 0; i < 40; ++i) run.notes.push_back({trace::NoteKind::other, "note " + std::to_string(i)});
  const timeline::Scene scene = figure(run, {});
  const std::string text = all_text(scene);
  EXPECT_NE(text.find("note 2\n"), std::string::npos);
  EXPECT_NE(text.find("and 37 more notes"), std::string::npos) << text;
  expect_all_inside(scene);
}

TEST(Figure, ShowsWrongDataInTheErrorColour) {
  trace::Run run = testing::pipeline_run({});
  run.verified = false;
  const timeline::Scene scene = figure(run, {});
  const auto wrong =
      std::find_if(scene.texts.begin(), scene.texts.end(), [](const timeline::Text& t) { return t.text == "WRONG"; });
  ASSERT_NE(wrong, scene.texts.end());
  EXPECT_EQ(wrong->colour, timeline::theme(timeline::ThemeName::light).error);
}

TEST(Figure, OfATypedProgramHasATitle) {
  trace::Run run = testing::pipeline_run({});
  for (const char* experiment : {"", "name = ", "streams = 4\n", "\xFF"}) {
    run.experiment = experiment;
    EXPECT_EQ(caption(run).title, "Stream program") << experiment;
    EXPECT_FALSE(caption(run).subtitle.empty());
  }
  run.experiment.clear();
  EXPECT_EQ(caption(run).subtitle, "49 operations on 4 streams");
  run.trace.spans.resize(1'203, trace::Span(run.trace.spans.front()));
  EXPECT_EQ(caption(run).subtitle, "1,203 operations on 4 streams");
  run.program = "# two by two\nstream A\n";
  EXPECT_EQ(caption(run).title, "two by two") << "the comment it begins with";
  run.program = "# Title: Two by two\n# And why.\nstream A\n";
  EXPECT_EQ(caption(run).title, "Two by two");
  run.trace.provenance.kind = trace::Provenance::Kind::measured;
  run.trace.provenance.instrument = "chrome trace";
  ASSERT_TRUE(trace::of_another_tool(run.trace.provenance));
  EXPECT_EQ(caption(run).title, "CHROME TRACE") << "no stream program";
}

TEST(Figure, SaysOnlyWhatIsKnown) {
  trace::Run run;
  run.trace.provenance = testing::measured_provenance();
  EXPECT_TRUE(key_figures(run).empty());
  const std::string text = all_text(figure(run, {}));
  EXPECT_NE(text.find("no operation has a known time"), std::string::npos);
  EXPECT_EQ(text.find("verified"), std::string::npos);
  EXPECT_EQ(text.find("Makespan"), std::string::npos);
  EXPECT_NE(text.find("MEASURED"), std::string::npos);
}

TEST(Figure, DrawsAllStreamsOrSaysHowManyItDoesNot) {
  for (const std::uint32_t streams : {1U, 8U, 24U, 64U, 300U}) {
    testing::Pipeline pipeline;
    pipeline.streams = streams;
    pipeline.chunks = streams;
    const timeline::Scene scene = figure(testing::pipeline_run(pipeline), {});
    expect_all_inside(scene);
    std::uint32_t drawn = 0, left_out = 0;
    for (const timeline::Text& text : scene.texts) {
      if (text.text.size() > 1 && text.text[0] == 'S' && std::isdigit(static_cast<unsigned char>(text.text[1])) != 0)
        ++drawn;
      if (text.text.starts_with("and ")) left_out = static_cast<std::uint32_t>(std::atoi(text.text.c_str() + 4));
    }
    EXPECT_EQ(drawn + left_out, streams);
    EXPECT_GE(drawn, 1u);
    // The engines stay: they show the work of the streams that are left out.
    EXPECT_NE(all_text(scene).find("Compute"), std::string::npos);
  }
}

TEST(Figure, SaysHowManyLanesItDoesNotDraw) {
  trace::Run run = testing::pipeline_run({});
  for (trace::Span& span : run.trace.spans) {
    if (span.kind != OperationKind::kernel) continue;
    span.start = 1'000'000;  // all kernels at once: sixteen lanes
    span.end = 2'000'000;
  }
  FigureOptions options;
  options.height = 420;
  const std::string text = all_text(figure(run, options));
  EXPECT_NE(text.find("more lane"), std::string::npos) << text;
}

TEST(Figure, OfAnySizeDoesNotFail) {
  const trace::Run run = testing::pipeline_run({});
  for (const int width : {-3, 1, 50, 333, 4000}) {
    for (const int height : {-3, 1, 50, 333, 4000}) {
      for (const double text : {0.0, 1.0, 3.0}) {
        FigureOptions options;
        options.width = width;
        options.height = height;
        options.text = text;
        const timeline::Scene scene = figure(run, options);
        EXPECT_EQ(scene.width, std::max(width, 1));
        EXPECT_EQ(scene.height, std::max(height, 1));
        if (width < 50 || height < 50) continue;  // no room for a word
        EXPECT_NE(all_text(scene).find("MEASURED"), std::string::npos);
      }
    }
  }
}

TEST(Figure, OfAnOpenedKernelShowsItsInside) {
  trace::Run run = testing::stages_run();
  FigureOptions options;
  options.opening = {1, {3}};
  const timeline::Scene scene = figure(run, options);
  expect_all_inside(scene);
  const std::string text = all_text(scene);
  for (const char* what : {"INSIDE tiles", "SM 3", "stage 1", "SM 17", "a tile's copy", "MEASURED"})
    EXPECT_NE(text.find(what), std::string::npos) << what << " in\n" << text;
  EXPECT_NE(text.find("309.6 us"), std::string::npos) << "the first tiles of the kernel:\n" << text;
  EXPECT_EQ(text.find("2.0 ms"), std::string::npos);
  options.opening = {0, {}};
  EXPECT_EQ(all_text(figure(run, options)).find("INSIDE"), std::string::npos) << "a copy has none";
}

TEST(Figure, OfManyMultiprocessorsTheOpenOnesStay) {
  trace::Run run = testing::stages_run();
  for (std::uint32_t id = 20; id < 120; ++id)
    run.trace.stages.blocks.push_back(testing::recorded_block(1, id, id, run.trace.spans[1].start + 1'000));
  FigureOptions options;
  options.opening = {1, {80}};
  const timeline::Scene scene = figure(run, options);
  expect_all_inside(scene);
  const std::string text = all_text(scene);
  for (const char* what : {"SM 80", "stage 0", "stage 1", "more multiprocessors not drawn here", "\nS3\n", "Compute"})
    EXPECT_NE(text.find(what), std::string::npos) << what << " in\n" << text;
}

// What of one text lies on another, by the widths that the layout counts with.
void expect_no_overlap(const timeline::Scene& scene, const std::string& what) {
  struct Box {
    float x0, x1, y0, y1;
    const timeline::Text* text;
  };
  std::vector<Box> boxes;
  for (const timeline::Text& t : scene.texts) {
    const float width = timeline::text_width(t.text, t.font, t.size);
    const float x0 = t.anchor == timeline::Anchor::left     ? t.x
                     : t.anchor == timeline::Anchor::centre ? t.x - width / 2
                                                            : t.x - width;
    boxes.push_back({std::max(x0, static_cast<float>(t.clip_x0)), std::min(x0 + width, static_cast<float>(t.clip_x1)),
                     t.y - t.size * 0.4F, t.y + t.size * 0.4F, &t});
  }
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (std::size_t k = i + 1; k < boxes.size(); ++k) {
      const Box &a = boxes[i], &b = boxes[k];
      EXPECT_FALSE(a.x0 < b.x1 - 1 && b.x0 < a.x1 - 1 && a.y0 < b.y1 && b.y0 < a.y1)
          << what << ": '" << a.text->text << "' on '" << b.text->text << "'";
    }
}

TEST(Figure, HasNoTextOnAnotherAtAnySize) {
  trace::Run run = testing::pipeline_run({});
  run.notes = {{trace::NoteKind::other, "One note."},
               {trace::NoteKind::other, "Another, which is rather longer than the first one."}};
  FigureOptions options;
  options.title =
      "A title that is so long that it does not fit into any but the widest of pages, 四个流和一个内核 네 개의 스트림";
  options.caption =
      "A caption of many words, 说明文字说明文字说明文字说明文字说明文字, which goes on for more than one line on "
      "most pages and then ends.";
  for (const timeline::ThemeName which :
       {timeline::ThemeName::light, timeline::ThemeName::projector, timeline::ThemeName::print}) {
    options.theme = which;
    for (const int width : {16, 60, 200, 640, 1600, 5000}) {
      for (const int height : {16, 40, 80, 150, 250, 400, 900, 3000}) {
        options.width = width;
        options.height = height;
        const timeline::Scene scene = figure(run, options);
        const std::string what = std::to_string(width) + "x" + std::to_string(height);
        expect_no_overlap(scene, what);
        for (const timeline::Text& t : scene.texts)
          EXPECT_LE(t.y + t.size / 2, static_cast<float>(height) + 1) << what << t.text;
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}

// A detail of a key figure goes on a second line before it is too small to read.
TEST(Figure, HasNoTextThatIsTooSmallToRead) {
  FigureOptions options;
  options.width = 1280;
  options.height = 720;
  const timeline::Scene scene = figure(testing::pipeline_run({}), options);
  ASSERT_FALSE(scene.texts.empty());
  for (const timeline::Text& each : scene.texts) EXPECT_GE(each.size, 9) << each.text;
}

TEST(Figure, OnASmallPageTheTimelineComesBeforeTheFigures) {
  FigureOptions options;
  options.width = 640;
  options.height = 430;
  const std::string text = all_text(figure(testing::pipeline_run({}), options));
  EXPECT_EQ(text.find("Makespan"), std::string::npos);
  for (const char* what : {"\nS0\n", "\nS3\n", "Compute", "copy H2D", "Four streams", "MEASURED"})
    EXPECT_NE(text.find(what), std::string::npos) << what << " in\n" << text;
  options.height = 600;
  EXPECT_NE(all_text(figure(testing::pipeline_run({}), options)).find("Makespan"), std::string::npos);
}

// A page of 160 mm has them in two rows rather than cut, and no track goes for that.
TEST(Figure, ItsFiguresAreWholeOnANarrowPage) {
  FigureOptions options;
  options.width = 605;
  for (const int height : {460, 620, 700, 900}) {
    options.height = height;
    const std::string text = all_text(figure(testing::pipeline_run({}), options));
    const bool figures = text.find("Makespan") != std::string::npos;
    EXPECT_EQ(figures, height > 600);
    EXPECT_NE(text.find("\nS3\n"), std::string::npos) << height;
    EXPECT_NE(text.find("Compute"), std::string::npos) << height;
    EXPECT_EQ(figures, text.find(" / 85 %\n") != std::string::npos) << text;
  }
}

// Known before anything is drawn, and the same as in the picture; of figures that are not there nothing is said.
TEST(Figure, WhatHasNoRoomIsSaidBeforehand) {
  testing::Pipeline pipeline;
  pipeline.streams = pipeline.chunks = 8;
  const auto run = testing::pipeline_run(pipeline);
  FigureOptions options;
  options.width = 680;
  options.height = 1'200;
  options.tracks = {"streams"};
  EXPECT_EQ(left_out(run, options), "");
  EXPECT_NE(all_text(figure(run, options)).find("of the whole run"), std::string::npos);
  options.height = 300;
  const std::string rest = left_out(run, options), text = all_text(figure(run, options));
  EXPECT_NE(rest.find("the figures have no room"), std::string::npos) << rest;
  EXPECT_NE(rest.find("not drawn here"), std::string::npos) << rest;
  EXPECT_NE(text.find("not drawn here"), std::string::npos) << text;
  EXPECT_EQ(text.find("of the whole run"), std::string::npos) << text;
}

TEST(Figure, OfThousandsOfTracksFits) {
  testing::Pipeline pipeline;
  pipeline.streams = pipeline.chunks = 3000;
  const auto run = testing::pipeline_run(pipeline);
  FigureOptions options;
  options.colour_by = timeline::ColourBy::stream;
  const timeline::Scene scene = figure(run, options);
  expect_all_inside(scene);
  expect_no_overlap(scene, "3000 streams");
  const std::string text = all_text(scene);
  EXPECT_NE(text.find("more streams not drawn here"), std::string::npos) << text;
  EXPECT_NE(text.find("2992 other streams"), std::string::npos) << "of the legend: all but eight";
  EXPECT_LT(scene.texts.size(), 500u);
}

SecondRun beside_with(std::uint32_t streams, bool overlaid) {
  testing::Pipeline other;
  other.streams = streams;
  other.chunks = std::max(other.chunks, streams);
  SecondRun out{std::make_shared<const trace::Run>(testing::pipeline_run(other)), {}};
  out.compared.offset = 1'000'000;
  out.compared.overlaid = overlaid;
  out.compared.first_name = "RUN 1";
  out.compared.name = "RUN 2";
  out.compared.first_title = "RUN 1: four streams";
  out.compared.title = "RUN 2: other streams";
  return out;
}

TEST(Figure, OfTwoRunsTellsOfBoth) {
  const auto run = testing::pipeline_run({});
  for (const bool overlaid : {false, true}) {
    FigureOptions options;
    options.second = beside_with(2, overlaid);
    const timeline::Scene scene = figure(run, options);
    expect_all_inside(scene);
    expect_no_overlap(scene, overlaid ? "overlaid" : "stacked");
    const std::string text = all_text(scene);
    for (const char* what :
         {"RUN 1 and RUN 2\n", "RUN 1: four streams   |   RUN 2: other streams", "Makespan", "RUN 2: 7.46", "MEASURED",
          "RUN 1: four streams  ·  ", "RUN 2: other streams  ·  ", "H2D engine"})
      EXPECT_NE(text.find(what), std::string::npos) << what << " in\n" << text;
    EXPECT_EQ(text.find("RUN 2 · STREAMS") != std::string::npos, !overlaid) << text;
    EXPECT_EQ(text.find("RUN 2, outlined") != std::string::npos, overlaid) << text;
    EXPECT_NE(text.find("\n8 ms\n"), std::string::npos) << "the second run begins 1 ms later\n" << text;
    options.tracks = {"S1"};
    EXPECT_NE(all_text(figure(run, options)).find("2 of 14 tracks"), std::string::npos)
        << all_text(figure(run, options));
    EXPECT_TRUE(check_figure(run, options).has_value());
    options.tracks = {"S9"};
    EXPECT_FALSE(check_figure(run, options).has_value());
    options.interval = trace::Interval{5'500'000, 6'000'000};  // after the first run's end
    options.tracks.clear();
    EXPECT_TRUE(check_figure(run, options).has_value());
    options.second.reset();
    EXPECT_FALSE(check_figure(run, options).has_value());
  }
}

TEST(Figure, OfTwoRunsHasRoomForBothOnAnyPage) {
  const auto run = testing::pipeline_run({});
  for (const bool overlaid : {false, true}) {
    FigureOptions options;
    options.second = beside_with(80, overlaid);
    for (const int width : {16, 200, 640, 1600}) {
      for (const int height : {16, 150, 430, 900, 3000}) {
        options.width = width;
        options.height = height;
        const timeline::Scene scene = figure(run, options);
        const std::string what = std::to_string(width) + "x" + std::to_string(height);
        expect_no_overlap(scene, what);
        if (width < 1600 || height < 900) continue;
        expect_all_inside(scene);
        const std::string text = all_text(scene);
        EXPECT_EQ(text.find("not drawn here") != std::string::npos, height == 900) << what << text;
        for (const char* each : {"\nS0\n", "H2D engine"}) EXPECT_NE(text.find(each), std::string::npos) << what << text;
      }
    }
  }
}

// Without its letters, which are another font's on another machine, a figure is the same pixels everywhere.
// STREAMSCOPE_UPDATE_GOLDENS=1 writes them anew; look at them before you keep them.
TEST(Figure, LooksAsItDid) {
  testing::Pipeline pipeline;
  pipeline.streams = 2;
  pipeline.chunks = 4;
  const trace::Run run = testing::pipeline_run(pipeline);
  for (const timeline::ThemeName which : {timeline::ThemeName::light, timeline::ThemeName::dark,
                                          timeline::ThemeName::print, timeline::ThemeName::projector}) {
    FigureOptions options;
    options.width = 640;
    options.height = 400;
    options.theme = which;
    timeline::Scene scene = figure(run, options);
    scene.texts.clear();
    const std::filesystem::path golden = std::filesystem::path(STREAMSCOPE_SOURCE) / "tests/golden" /
                                         ("figure-" + std::string(timeline::name(which)) + ".png");
    if (std::getenv("STREAMSCOPE_UPDATE_GOLDENS") != nullptr) {
      ASSERT_TRUE(write_png(scene, 1, golden).has_value());
    }
    const testing::ScratchFolder folder;
    ASSERT_TRUE(write_png(scene, 1, folder / "now.png").has_value());
    const auto now = testing::read_png(folder / "now.png"), then = testing::read_png(golden);
    ASSERT_EQ(now.width, then.width);
    ASSERT_EQ(now.height, then.height);
    std::size_t off = 0;
    for (std::size_t i = 0; i < now.pixels.size(); ++i) {
      const timeline::Colour a = now.pixels[i], b = then.pixels[i];
      // One step of a channel is another rounding, not another picture.
      off += std::abs(a.r - b.r) > 1 || std::abs(a.g - b.g) > 1 || std::abs(a.b - b.b) > 1 ? 1 : 0;
    }
    EXPECT_LE(off, now.pixels.size() / 10'000) << golden << ": pixels that differ";
  }
}

}  // namespace
}  // namespace streamscope::draw
