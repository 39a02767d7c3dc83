// What a sweep says: its table, its files and its plot, from results made up here.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "app/cli/sweep_table.h"
#include "app/draw/sweep_chart.h"
#include "engine/output/output.h"

namespace streamscope::cli {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

sweep::SweepResult result(Nanoseconds kernel) {
  sweep::SweepResult out;
  out.runs = 5;
  out.wall = trace::Statistic{2'000'000, 1'900'000, 2'200'000, 50'000};
  out.makespan = trace::Statistic{1'900'000, 1'800'000, 2'100'000, 40'000};
  out.kernel = trace::Statistic{kernel, kernel, kernel, kernel / 10};
  out.kernel_bytes = 4'000'000;
  out.copy_rate = 8e9;
  out.overlap = 0.25;
  out.verified = true;
  return out;
}

// stages 1 and 2 of two ways of copying: the second with stages=1 is the first, stages=2 cannot be.
sweep::Sweep sample() {
  sweep::Sweep sweep;
  sweep.title = "Tiles, \"inside\"";
  sweep.settings = {"kernel.name=tiles"};
  sweep.axes = {{"kernel.stages", {"1", "2"}}, {"kernel.copy", {"sync", "bulk"}}};
  sweep.points.resize(4);
  sweep.points[0].result = result(1'000'000);
  sweep.points[1] = {result(1'000'000), "", 0};
  sweep.points[2].result = result(800'000);
  sweep.points[3].why_not = "copy=bulk needs more, much more";
  sweep.figure = "kernel-rate";
  sweep.provenance.kind = trace::Provenance::Kind::measured;
  sweep.provenance.device = "NVIDIA H200";
  sweep.notes = {{trace::NoteKind::model, "It is so."}};
  return sweep;
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    out.push_back(text.substr(at, text.find('\n', at) - at));
  }
  return out;
}

TEST(SweepValues, AreRatesTimesAndShares) {
  const sweep::SweepResult one = result(1'000'000);
  EXPECT_DOUBLE_EQ(*sweep::figure_of(one, "kernel-rate").figure.value, 4e9);
  EXPECT_GT(sweep::figure_of(one, "kernel-rate").high, 4e9);
  EXPECT_LT(sweep::figure_of(one, "kernel-rate").low, 4e9);
  EXPECT_EQ(sweep::figure_of(one, "wall").high, 2'050'000);
  EXPECT_EQ(sweep::figure_of(one, "overlap").figure.value, 0.25);
  EXPECT_FALSE(sweep::figure_of({}, "kernel-rate").figure.value);
  EXPECT_THAT(sweep::choices(), ElementsAre("kernel-rate", "wall", "makespan", "overlap"));
  EXPECT_THAT(sweep::choices(false), ElementsAre("wall", "makespan", "overlap"));
}

TEST(SweepTable, HasTheSecondAxisAcross) {
  const std::string table = sweep_table(sample());
  EXPECT_THAT(lines(table), AllOf(Contains("kernel.stages   sync   bulk"), Contains("1              4.000  4.000"),
                                  Contains("2              5.000      -")));
  EXPECT_THAT(table, AllOf(HasSubstr("MEASURED"), HasSubstr("NVIDIA H200"), HasSubstr("GB/s, median of 5 runs"),
                           HasSubstr("own copy, read and written: 8.000 GB/s")));
  EXPECT_THAT(table, AllOf(HasSubstr("-  kernel.stages=2 kernel.copy=bulk: copy=bulk needs more, much more\n"),
                           HasSubstr("1 of 4 points repeat another one")));
}

TEST(SweepTable, OfOneAxisHasEveryFigure) {
  sweep::Sweep sweep = sample();
  sweep.axes.pop_back();
  sweep.points = {sweep.points[0], sweep.points[3]};
  sweep.points[0].result->verified = false;
  EXPECT_THAT(sweep_table(sweep),
              AllOf(HasSubstr("4.000"), HasSubstr("50.0 %"), HasSubstr("2 ms"), HasSubstr("±50 us"),
                    HasSubstr("25.0 %"), HasSubstr("kernel.stages=1: the data that came back is WRONG")));
}

TEST(SweepCsv, HasALineForEachPoint) {
  const std::vector<std::string> csv = lines(output::sweep_csv(sample()));
  ASSERT_EQ(csv.size(), 5u);
  EXPECT_THAT(csv[0],
              AllOf(HasSubstr("kernel.stages,kernel.copy,runs,wall_ns"), HasSubstr("same_as,why_not,provenance")));
  EXPECT_EQ(csv[1],
            "1,sync,5,2000000,50000,1900000,40000,1000000,100000,4.000,8.000,0.5000,0.2500,,true,,,measured,NVIDIA "
            "H200,,,,");
  EXPECT_THAT(csv[2], HasSubstr(",true,1,,measured"));
  EXPECT_EQ(csv[4], "2,bulk,0,,,,,,,,,,,,,,\"copy=bulk needs more, much more\",measured,NVIDIA H200,,,,");
  EXPECT_EQ(std::count(csv[0].begin(), csv[0].end(), ','), std::count(csv[1].begin(), csv[1].end(), ','));
}

TEST(SweepJson, HasNullForWhatIsAbsent) {
  const auto json = nlohmann::json::parse(output::sweep_json(sample()), nullptr, false);
  ASSERT_TRUE(json.is_object());
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["provenance"]["kind"], "measured");
  EXPECT_EQ(json["figure"], "kernel-rate");
  EXPECT_EQ(json["axes"][0]["values"], nlohmann::json({1, 2}));
  EXPECT_EQ(json["axes"][1]["key"], "kernel.copy");
  const auto& points = json["points"];
  ASSERT_EQ(points.size(), 4u);
  EXPECT_EQ(points[2]["values"]["kernel.stages"], 2);
  EXPECT_EQ(points[2]["kernel_bytes_per_s"], 5e9);
  EXPECT_EQ(points[2]["wall_ns"]["median"], 2'000'000);
  EXPECT_EQ(points[1]["same_as"], 0);
  EXPECT_TRUE(points[3]["wall_ns"].is_null() && points[3]["verified"].is_null() && points[2]["why_not"].is_null());
  EXPECT_EQ(points[3]["why_not"], "copy=bulk needs more, much more");
  EXPECT_EQ(json["notes"], nlohmann::json({"It is so."}));
  EXPECT_EQ(json["note_kinds"], nlohmann::json({"model"}));
}

TEST(SweepChart, HasALineForEachValueOfTheSecondAxis) {
  const draw::Chart drawn = draw::sweep_chart(sample());
  EXPECT_THAT(drawn.categories, ElementsAre("1", "2"));
  EXPECT_EQ(drawn.x, "kernel.stages");
  EXPECT_THAT(drawn.y, HasSubstr("GB/s"));
  EXPECT_EQ(drawn.legend, "kernel.copy");
  ASSERT_EQ(drawn.plots.size(), 1u);
  ASSERT_EQ(drawn.plots[0].lines.size(), 2u);
  EXPECT_DOUBLE_EQ(drawn.plots[0].lines[0].values[1]->value, 5);
  EXPECT_FALSE(drawn.plots[0].lines[1].values[1]);
  EXPECT_DOUBLE_EQ(*drawn.reference, 8);
  EXPECT_EQ(drawn.figures[0].detail, "kernel.stages=2  kernel.copy=sync");
}

TEST(SweepChart, OfAThirdAxisHasAPlotForEachValueAndOfTimesNoReference) {
  sweep::Sweep sweep = sample();
  sweep.axes.push_back({"streams", {"1", "2", "4"}});
  sweep.points.resize(12);
  sweep.points[7].result = result(1);  // stages=2, sync, streams=2
  sweep.figure = "wall";
  const draw::Chart drawn = draw::sweep_chart(sweep);
  ASSERT_EQ(drawn.plots.size(), 3u);
  EXPECT_EQ(drawn.plots[1].name, "streams=2");
  EXPECT_DOUBLE_EQ(drawn.plots[1].lines[0].values[1]->value, 2);
  EXPECT_EQ(drawn.y, "wall time, ms");
  EXPECT_FALSE(drawn.reference);
}

}  // namespace
}  // namespace streamscope::cli
