// The texts in pictures of runs, sweeps and predictions.
#include "app/cli/accuracy_report.h"
#include "app/draw/chart.h"
#include "app/draw/figure.h"
#include "app/draw/scatter.h"
#include "app/draw/sweep_chart.h"
#include "tests/support/bracketed.h"
#include "tests/support/stages_run.h"
#include "tests/support/timeline_run.h"

namespace streamscope::draw {
namespace {

const std::vector<testing::NoMessage> kExcused = testing::excused({
    {R"(^Four streams$)", "the experiment's own name"},
    {R"(\b(nonblocking|depth-first)\b)", "the experiment file's words"},
    {R"(^(main|sync)\b)", "the trace's names for a thread and an operation"},
});

// How many brackets are left open.
int opened(std::string_view text) {
  int depth = 0;
  for (; !text.empty(); text.remove_prefix(1)) {
    if (text.starts_with(testing::kOpen)) ++depth;
    if (text.starts_with(testing::kClose)) --depth;
  }
  return depth;
}

class PictureWords : public testing::InBrackets {
 protected:
  void look(const timeline::Scene& scene) {
    EXPECT_FALSE(scene.texts.empty());
    // A detail that goes on a second line is one message.
    std::string open;
    float size = 0;
    for (const timeline::Text& text : scene.texts) {
      const bool goes_on = opened(open) > 0 && text.size == size;
      const std::string whole = goes_on ? open + " " + text.text : text.text;
      EXPECT_THAT(testing::words_outside(whole, kExcused), ::testing::IsEmpty()) << whole;
      open = goes_on ? "" : text.text;
      size = text.size;
    }
  }
};

trace::Run predicted(trace::Run run) {
  run.prediction.emplace();
  run.prediction->trace = run.trace;
  run.prediction->trace.provenance = testing::model_provenance();
  run.prediction->wall = run.wall->median * 9 / 10;
  return run;
}

SecondRun beside(bool overlaid) {
  testing::Pipeline other;
  other.streams = 2;
  SecondRun out{std::make_shared<const trace::Run>(testing::pipeline_run(other)), {}};
  out.compared.overlaid = overlaid;
  out.compared.first_name = out.compared.first_title = "1";
  out.compared.name = out.compared.title = "2";
  return out;
}

TEST_F(PictureWords, OfARun) {
  look(figure(testing::pipeline_run({}), {}));
  trace::Run wrong = predicted(testing::pipeline_run({}));
  wrong.verified = false;
  for (int i = 0; i < 40; ++i) wrong.notes.push_back({trace::NoteKind::other, "7"});
  FigureOptions small;
  small.height = 420;
  look(figure(wrong, small));
  trace::Run model = testing::pipeline_run({});
  model.trace.provenance = testing::model_provenance();
  model.experiment.clear();
  model.trace.streams.clear();
  model.trace.threads.clear();
  look(figure(model, {}));
}

TEST_F(PictureWords, OfTheVerdict) {
  const trace::Run run = testing::pipeline_run({});
  FigureOptions options;
  options.judgement = std::make_shared<const verdict::Judgement>(verdict::judge(run.trace, nullptr));
  options.path = options.rulers = true;
  options.interval = trace::Interval{0, 1'200'000};  // so near that the reasons of waiting have room
  look(figure(run, options));
}

TEST_F(PictureWords, OfAPartOfARun) {
  FigureOptions part;
  part.interval = trace::Interval{302'000, 604'000};
  part.tracks = {"S1"};
  look(figure(testing::pipeline_run({}), part));
  testing::Pipeline wide;
  wide.streams = 80;
  FigureOptions low;
  low.height = 320;
  look(figure(testing::pipeline_run(wide), low));
}

TEST_F(PictureWords, OfTheInsideOfAKernel) {
  FigureOptions open;
  open.opening = {1, {3}};
  look(figure(testing::stages_run(), open));
  look(figure(testing::stages_run("attention", 4), open));
}

TEST_F(PictureWords, OfTwoRuns) {
  for (const bool overlaid : {false, true}) {
    FigureOptions options;
    options.second = beside(overlaid);
    look(figure(testing::pipeline_run({}), options));
  }
}

TEST_F(PictureWords, OfASweep) {
  sweep::SweepResult result;
  result.runs = 5;
  result.wall = trace::Statistic{2'000'000, 1'900'000, 2'200'000, 50'000};
  result.makespan = trace::Statistic{1'900'000, 1'800'000, 2'100'000, 40'000};
  result.kernel = trace::Statistic{800'000, 700'000, 900'000, 1'000};
  result.kernel_bytes = 4'000'000;
  result.copy_rate = 8e9;
  result.overlap = 0.25;
  sweep::Sweep sweep;
  sweep.title = "7";
  sweep.axes = {{"7", {"1", "2"}}, {"8", {"3", "4"}}};
  sweep.points.resize(4);
  sweep.points[0].result = result;
  sweep.points[1].same_as = 0;
  result.verified = false;
  sweep.points[2].result = result;
  sweep.points[3].why_not = "7";
  for (const char* figure : {"kernel-rate", "wall", "overlap"}) {
    sweep.figure = figure;
    look(chart(sweep_chart(sweep), {}));
  }
}

TEST_F(PictureWords, OfAModelsAccuracy) {
  calibration::Recording recording;
  std::vector<calibration::WallPrediction> predictions;
  for (int i = 1; i < 9; ++i) {
    calibration::WallPrediction one;
    one.name = one.family = std::to_string(i);
    one.measured = 1'000 * i;
    one.predicted = 1'100 * i;
    predictions.push_back(one);
    recording.programs.emplace_back();
  }
  look(scatter(cli::figure_of(calibration::accuracy(predictions), predictions, recording, {}, {}), {}));
}

}  // namespace
}  // namespace streamscope::draw
