// The verdict on a run in its picture: the critical path, the rulers, the sentence.
#include <gmock/gmock.h>

#include "app/draw/figure.h"
#include "app/timeline/path_shares.h"
#include "tests/app/draw/picture_text.h"
#include "tests/support/timeline_run.h"

namespace streamscope::draw {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class VerdictFigure : public ::testing::Test {
 protected:
  VerdictFigure() {
    options.judgement = std::make_shared<const verdict::Judgement>(verdict::judge(run.trace, nullptr));
    options.theme = timeline::ThemeName::dark;
  }
  std::string words() const { return all_text(figure(run, options)); }
  std::size_t of_ink() const {
    const timeline::Colour ink = timeline::theme(options.theme).strong_text;
    const timeline::Scene scene = figure(run, options);
    return static_cast<std::size_t>(std::ranges::count(scene.rectangles, ink, &timeline::Rectangle::colour));
  }

  trace::Run run = testing::pipeline_run({});
  FigureOptions options;
};

TEST_F(VerdictFigure, SaysNothingUnlessItIsAsked) {
  EXPECT_THAT(words(), Not(HasSubstr("critical path")));
  EXPECT_THAT(words(), Not(HasSubstr("D2H engine 4")));
  EXPECT_EQ(of_ink(), 0u);
}

TEST_F(VerdictFigure, DrawsThePathWithItsSharesInTheLegend) {
  options.path = true;
  EXPECT_THAT(words(), HasSubstr("critical path: " +
                                 timeline::path_shares_text(options.judgement->path, timeline::PathTimes::left_out)));
  EXPECT_GE(of_ink(), 3u);
  options.legend = false;
  EXPECT_THAT(words(), Not(HasSubstr("critical path")));
  options.judgement.reset();
  EXPECT_EQ(of_ink(), 0u) << "what is not known is not drawn";
}

TEST_F(VerdictFigure, DrawsThePathOverTheTracksThatAreChosen) {
  options.path = true;
  const std::size_t all = of_ink();
  options.tracks = {"S0"};
  EXPECT_LT(of_ink(), all);
  EXPECT_GE(of_ink(), 1u);
}

TEST_F(VerdictFigure, DrawsRulersByName) {
  options.rulers = true;
  EXPECT_THAT(words(), HasSubstr("D2H engine 5.44 ms"));
  EXPECT_THAT(words(), HasSubstr("order "));
}

TEST_F(VerdictFigure, SaysWhyBelowTheTitle) {
  options.why = "1.09× the bound; the D2H engine binds.";
  const timeline::Scene scene = figure(run, options);
  const auto at = std::ranges::find(scene.texts, options.why, &timeline::Text::text);
  const auto makespan = std::ranges::find(scene.texts, "Makespan", &timeline::Text::text);
  ASSERT_TRUE(at != scene.texts.end() && makespan != scene.texts.end());
  EXPECT_LT(at->y, makespan->y);
  expect_all_inside(scene);
}

TEST_F(VerdictFigure, OfAnySizeStaysOnThePage) {
  options.path = options.rulers = options.pale_off_path = true;
  options.why = std::string(300, 'w') + " " + std::string(300, 'x');
  for (const int width : {320, 700, 1280})
    for (const int height : {200, 320, 720}) {
      options.width = width;
      options.height = height;
      expect_all_inside(figure(run, options));
    }
}

}  // namespace
}  // namespace streamscope::draw
