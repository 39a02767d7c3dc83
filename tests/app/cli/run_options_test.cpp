// What the options of `run` mean, and what is said of those that mean nothing.
#include "app/cli/run_options.h"

#include <gmock/gmock.h>

#include <initializer_list>
#include <utility>

namespace streamscope::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

RunOptions written(std::initializer_list<std::pair<std::string RunOptions::*, std::string>> given) {
  RunOptions options;
  for (const auto& [option, value] : given) options.*option = value;
  return options;
}

std::string error_of(const RunOptions& options) {
  const auto planned = plan(options);
  return planned ? "" : planned.error().message;
}

TEST(RunOptionsAsWritten, MeanTheirDefaultsWhereNothingIsSaid) {
  const auto planned = plan({});
  ASSERT_TRUE(planned);
  EXPECT_EQ(planned->measure.instrument, device::Instrument::full);
  EXPECT_FALSE(planned->repeat_given);
  EXPECT_FALSE(planned->measure.gate);
  EXPECT_EQ(planned->measure.max_noise, 0);
  EXPECT_FALSE(known(planned->measure.timeout));
  EXPECT_TRUE(planned->measure.observer_effect);
}

TEST(RunOptionsAsWritten, AShareIsANumberOrAFraction) {
  for (const char* as : {"8", "1/8"}) {
    const auto planned = plan(written({{&RunOptions::instrument, "sampled"}, {&RunOptions::share, as}}));
    ASSERT_TRUE(planned) << planned.error().message;
    EXPECT_EQ(planned->measure.share, 8u);
    EXPECT_EQ(planned->measure.instrument, device::Instrument::sampled);
  }
  for (const char* as : {"0", "1/0", "2/8", "-1", "0.5", "5000", "8x"}) {
    EXPECT_THAT(error_of(written({{&RunOptions::instrument, "sampled"}, {&RunOptions::share, as}})),
                AllOf(HasSubstr("--share"), HasSubstr("1/16")))
        << as;
  }
  EXPECT_THAT(error_of(written({{&RunOptions::share, "8"}})),
              AllOf(HasSubstr("--share 8"), HasSubstr("sampled"), HasSubstr("not full")));
}

TEST(RunOptionsAsWritten, AKernelIsOpenedInAPicture) {
  const auto planned = plan(written({{&RunOptions::open, "4:17"}, {&RunOptions::png, "x.png"}}));
  ASSERT_TRUE(planned) << planned.error().message;
  EXPECT_EQ(planned->open, (KernelToOpen{4, 17}));
  EXPECT_EQ(planned->measure.stages_of, 100u) << "or there would be nothing to see";
  const auto all =
      plan(written({{&RunOptions::open, "first"}, {&RunOptions::png, "x.png"}, {&RunOptions::in_kernel, "all"}}));
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_EQ(all->measure.stages_of, 1u);
  EXPECT_THAT(error_of(written({{&RunOptions::open, "4"}, {&RunOptions::png, "x"}, {&RunOptions::in_kernel, "off"}})),
              HasSubstr("--in-kernel"));
  EXPECT_THAT(error_of(written({{&RunOptions::open, "4:17"}})), HasSubstr("it is for a picture"));
  for (const auto picture : {&RunOptions::svg, &RunOptions::pdf}) {
    EXPECT_TRUE(plan(written({{&RunOptions::open, "4:17"}, {picture, "x"}})));
  }
  EXPECT_THAT(error_of(written({{&RunOptions::open, "last"}, {&RunOptions::png, "x.png"}})), HasSubstr("first"));
}

TEST(RunOptionsAsWritten, NoiseIsAPartOfTheMedian) {
  for (const char* as : {"1%", "0.01", "1.0%", "1e-2"}) {
    const auto planned = plan(written({{&RunOptions::max_noise, as}}));
    ASSERT_TRUE(planned) << as;
    EXPECT_DOUBLE_EQ(planned->measure.max_noise, 0.01);
  }
  for (const char* as : {"0", "0%", "-1%", "100%", "1", "nan", "%", "one"}) {
    EXPECT_THAT(error_of(written({{&RunOptions::max_noise, as}})), HasSubstr("--max-noise")) << as;
  }
  EXPECT_THAT(error_of(written({{&RunOptions::repeat, "4"}, {&RunOptions::max_noise, "1%"}})), HasSubstr("no spread"));
  EXPECT_TRUE(plan(written({{&RunOptions::repeat, "5"}, {&RunOptions::max_noise, "1%"}})));
}

TEST(RunOptionsAsWritten, ATimeoutIsADuration) {
  EXPECT_EQ(plan(written({{&RunOptions::timeout, "30s"}}))->measure.timeout, 30'000'000'000);
  EXPECT_EQ(plan(written({{&RunOptions::timeout, "1.5ms"}}))->measure.timeout, 1'500'000);
  for (const char* as : {"30", "0s", "-1s", "soon"}) {
    EXPECT_THAT(error_of(written({{&RunOptions::timeout, as}})), AllOf(HasSubstr("--timeout"), HasSubstr("30s"))) << as;
  }
}

TEST(RunOptionsAsWritten, MinSamplesNeedARuleThatCanHold) {
  EXPECT_EQ(plan(written({{&RunOptions::min_samples, "20"}, {&RunOptions::max_noise, "1%"}}))->measure.min_samples, 20);
  EXPECT_THAT(error_of(written({{&RunOptions::min_samples, "20"}})), HasSubstr("--max-noise"));
  EXPECT_THAT(error_of(written({{&RunOptions::min_samples, "4"}, {&RunOptions::max_noise, "1%"}})),
              HasSubstr("from 5"));
  EXPECT_THAT(error_of(written(
                  {{&RunOptions::repeat, "10"}, {&RunOptions::min_samples, "20"}, {&RunOptions::max_noise, "1%"}})),
              HasSubstr("10 runs of --repeat"));
}

TEST(RunOptionsAsWritten, EverythingWrongIsReportedAtOnce) {
  const std::string all = error_of(written({{&RunOptions::repeat, "0"},
                                            {&RunOptions::instrument, "x"},
                                            {&RunOptions::share, "y"},
                                            {&RunOptions::timeout, "z"}}));
  for (const char* option : {"--repeat 0", "--instrument x", "--share y", "--timeout z"}) {
    EXPECT_THAT(all, HasSubstr(option));
  }
}

TEST(DefaultRuns, AreAsManyAsTheFiguresNeed) {
  constexpr auto kGpu = trace::Provenance::Kind::measured, kModel = trace::Provenance::Kind::model;
  EXPECT_EQ(default_runs({}, kModel), 1);
  EXPECT_EQ(default_runs({}, kGpu), 5);
  EXPECT_EQ(default_runs({.instrument = device::Instrument::sampled, .share = 8}, kGpu), 32)
      << "each is seen four times";
  EXPECT_EQ(default_runs({.max_noise = 0.01}, kGpu), kMostRuled);
  EXPECT_EQ(default_runs({.timeout = 1}, kModel), kMostRuled);
}

}  // namespace
}  // namespace streamscope::cli
