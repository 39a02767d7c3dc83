// One combination measured on a device made up here, which says how long each pass takes.
#include <gmock/gmock.h>

#include <utility>

#include "engine/base/stop_source.h"
#include "engine/sweep/run_sweep.h"

namespace streamscope::sweep {
namespace {

using ::testing::ElementsAre;

// A program of one kernel and one copy beside it; the kernel of pass i takes `kernels[i]`.
struct Script {
  std::vector<Nanoseconds> kernels;
  trace::Provenance::Kind kind = trace::Provenance::Kind::measured;
  int fails_at = -1;  // a full pass, counted from the warm-up
  ErrorKind failure = ErrorKind::device_failed;
  std::string log{};  // F: full, B: bare, V: verified
};

class Loaded : public device::LoadedProgram {
 public:
  explicit Loaded(Script& script) : script_(script) {
    frame_.provenance.kind = script.kind;
    trace::KernelFacts facts;
    facts.operation = 0;
    facts.bytes = 1'000'000;
    facts.copy_rate = 4e9;
    frame_.kernels = {facts};
  }
  Result<void> can(const device::PassRequest&) const override { return {}; }
  Result<device::Pass> run(const device::PassRequest& request, const device::RunControl&) override {
    device::Pass pass;
    if (request.instrument == device::Instrument::bare) {
      script_.log += 'B';
      pass.wall = 1'000'000;
      return pass;
    }
    script_.log += 'F';
    if (full_ == script_.fails_at) return fail(script_.failure, "It failed.");
    const Nanoseconds kernel = script_.kernels[static_cast<std::size_t>(full_++) % script_.kernels.size()];
    trace::Span work, copy;
    work.operation = 0;
    work.kind = OperationKind::kernel;
    work.engine = Engine::compute;
    work.start = 0;
    work.end = kernel;
    copy.operation = 1;
    copy.kind = OperationKind::h2d;
    copy.engine = Engine::h2d;
    copy.start = 0;
    copy.end = 1'000'000;
    pass.spans = {work, copy};
    pass.wall = 1'100'000;
    return pass;
  }
  Result<std::optional<bool>> verify() override {
    script_.log += 'V';
    return std::optional<bool>(true);
  }
  const trace::Trace& frame() const override { return frame_; }
  trace::Notes notes() const override { return {{trace::NoteKind::other, "a note"}}; }

 private:
  Script& script_;
  trace::Trace frame_;
  int full_ = 0;
};

class Scripted : public device::Device {
 public:
  explicit Scripted(Script& script) : script_(script) { info_.kind = script.kind; }
  const device::DeviceInfo& info() const override { return info_; }
  Result<std::unique_ptr<device::LoadedProgram>> load(const program::Program&, const device::LoadOptions&) override {
    return std::unique_ptr<device::LoadedProgram>(std::make_unique<Loaded>(script_));
  }

 private:
  Script& script_;
  device::DeviceInfo info_;
};

Result<SweepResult> measured(Script& script, const SweepPlan& plan, StopSource stop = {}, int stop_at = 0) {
  Scripted device(script);
  return measure_combination(device, program::Program{}, plan, stop.flag(), [&](int run) {
    if (run == stop_at) stop.request_stop();
  });
}

TEST(MeasureCombination, TakesTheMedianOverItsRunsAndNotTheWarmUp) {
  Script script{{9'000'000, 100'000, 500'000, 200'000, 400'000, 250'000}};
  const auto result = measured(script, {.runs = 5});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->runs, 5);
  EXPECT_EQ(result->kernel->median, 250'000);
  EXPECT_DOUBLE_EQ(result->kernel_rate(), 4e9);
  EXPECT_DOUBLE_EQ(result->copy_rate, 4e9);
  EXPECT_EQ(result->wall->median, 1'100'000);
  EXPECT_EQ(result->makespan->median, 1'000'000);
  EXPECT_DOUBLE_EQ(*result->overlap, 0.25);
  EXPECT_NEAR(result->observer_effect->median, 1.1, 1e-9);
  EXPECT_EQ(result->verified, true);
  EXPECT_THAT(result->notes, ElementsAre(trace::Note{trace::NoteKind::other, "a note"}));
  EXPECT_EQ(script.log, "FFBBFFBBFFBV") << "the bare pass goes first in every second pair";
}

TEST(MeasureCombination, AModelMakesNoBarePasses) {
  Script script{{100'000}, trace::Provenance::Kind::model};
  const auto result = measured(script, {.runs = 2, .verify = false});
  ASSERT_TRUE(result);
  EXPECT_EQ(script.log, "FFF");
  EXPECT_FALSE(result->observer_effect || result->verified);
}

TEST(MeasureCombination, StoppedAfterARunKeepsIt) {
  Script script{{100'000}};
  const auto result = measured(script, {.runs = 50}, {}, 4);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->runs, 3);
  EXPECT_FALSE(result->verified);
  const auto none = measured(script, {.runs = 50}, {}, 1);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, ErrorKind::cancelled);
}

TEST(MeasureCombination, AFailureIsNoResult) {
  Script script{{100'000}, trace::Provenance::Kind::measured, 3};
  const auto result = measured(script, {.runs = 5});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::device_failed);
}

TEST(MeasureCombination, BeginsNoRunOnceItsTimeIsOver) {
  Script script{{100'000}};
  const auto result = measured(script, {.runs = 1'000'000, .timeout = 1});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->runs, 1);
}

}  // namespace
}  // namespace streamscope::sweep
