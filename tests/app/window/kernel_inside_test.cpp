// Looking inside a kernel: what opens, what stays open, and what is said where nothing opens.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/reading/kernel_facts.h"
#include "app/window/panels/actions.h"
#include "app/window/state/observer_meter.h"
#include "app/window/state/run_requests.h"
#include "tests/support/stages_run.h"
#include "tests/support/state_loop.h"

namespace streamscope::window {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::StateLoop;

// Shows the run as if the engine had made it of the text in view.
void show(StateLoop& loop, trace::Run run, const std::string& program) {
  run.program = program;
  loop.update(command::RunPrepared{
      prepare({.id = 1, .number = 7, .started = {}, .run = std::make_shared<const trace::Run>(std::move(run))})});
}

class LookInside : public ::testing::Test {
 protected:
  LookInside() {
    loop.up_with_gpu();
    show(loop, testing::stages_run(), "tiles");
  }
  const timeline::OpenKernel& opening() const { return loop.state.timeline.opening; }
  StateLoop loop;
};

TEST_F(LookInside, OneKeyOpensAndClosesWithTheFirstMultiprocessor) {
  loop.update(command::ToggleInside{1});
  EXPECT_EQ(opening(), (timeline::OpenKernel{1, {3}}));
  loop.update(command::ToggleInside{1});
  EXPECT_EQ(opening(), timeline::OpenKernel{});
}

TEST_F(LookInside, AClickOnAMultiprocessorTogglesItsStages) {
  loop.update(command::ToggleInside{1});
  loop.update(command::ToggleMultiprocessor{17});
  EXPECT_EQ(opening(), (timeline::OpenKernel{1, {3, 17}}));
  loop.update(command::ToggleMultiprocessor{3});
  EXPECT_EQ(opening(), (timeline::OpenKernel{1, {17}}));
}

TEST_F(LookInside, SaysWhatIsMissing) {
  loop.update(command::ToggleInside{kNoOperation});
  EXPECT_THAT(loop.state.status.text, HasSubstr("Select a kernel"));
  loop.update(command::ToggleInside{0});
  EXPECT_THAT(loop.state.status.text, HasSubstr("H2D has no stages"));
  trace::Run silent = testing::stages_run();
  silent.trace.stages = {};
  show(loop, silent, "silent tiles");
  loop.update(command::ToggleInside{1});
  EXPECT_THAT(loop.state.status.text, HasSubstr("switch on In-kernel above the timeline"));
  EXPECT_EQ(opening(), timeline::OpenKernel{});
}

TEST_F(LookInside, StaysOpenOverRunsOfItsProgramWhereverItsBlocksRan) {
  loop.update(command::Select{1});
  loop.update(command::ToggleInside{1});
  trace::Run next = testing::stages_run();
  for (trace::StageBlock& block : next.trace.stages.blocks) block.multiprocessor += 50;
  show(loop, next, "tiles");
  EXPECT_EQ(opening(), (timeline::OpenKernel{1, {53}}));
  EXPECT_EQ(loop.state.timeline.selected, 1u);
  loop.update(command::ToggleMultiprocessor{53});
  show(loop, testing::stages_run(), "tiles");
  EXPECT_EQ(opening(), (timeline::OpenKernel{1, {}})) << "a person closed all";
  // A run whose blocks recorded nothing hides it only.
  trace::Run silent = testing::stages_run();
  silent.trace.stages = {};
  show(loop, silent, "tiles");
  EXPECT_EQ(opening().operation, 1u);
  // The key closes nothing that is not in view: it says why there is nothing to see.
  loop.update(command::ToggleInside{1});
  EXPECT_THAT(loop.state.status.text, HasSubstr("switch on In-kernel"));
  show(loop, testing::stages_run(), "tiles");
  EXPECT_EQ(opening().operation, 1u);
  loop.update(command::ToggleInside{1});
  EXPECT_EQ(opening(), timeline::OpenKernel{});
}

TEST_F(LookInside, IsOverWhereTheOperationIsNoSuchKernelAnyMore) {
  loop.update(command::ToggleInside{1});
  show(loop, testing::stages_run("attention", 4), "the same with attention");
  EXPECT_EQ(opening().operation, 1u);
  // Also where the program was known before its first finished run, from a preview.
  trace::Run preview = testing::pipeline_run({});
  preview.program = "axpb";
  loop.update(command::RunPrepared{
      prepare({.id = 2, .number = 0, .started = {}, .run = std::make_shared<const trace::Run>(std::move(preview))})});
  show(loop, testing::pipeline_run({}), "axpb");
  EXPECT_EQ(opening(), timeline::OpenKernel{});
}

TEST_F(LookInside, InKernelGoesIntoTheNextRunOfAGpuAndOfAModel) {
  loop.finish_measured();
  Measuring wanted;
  wanted.stages_of = 10;
  loop.update(command::SetMeasuring{wanted});
  EXPECT_EQ(loop.request_sent.options.stages_of, 10u);
  loop.finish_measured();
  wanted.instrument = device::Instrument::sampled;
  loop.update(command::SetMeasuring{wanted});
  EXPECT_EQ(loop.request_sent.options.stages_of, 0u) << "only full runs let blocks record their stages";
  loop.finish_measured();
  loop.update(command::SetDevice{"model:h200"});
  EXPECT_EQ(loop.request_sent.options.stages_of, 10u);
  loop.finish();
  wanted.stages_of = 1;
  const int before = loop.started;
  loop.update(command::SetMeasuring{wanted});
  EXPECT_EQ(loop.started, before + 1);
}

std::string all(const std::vector<reading::Fact>& rows) {
  std::string out;
  for (const reading::Fact& each : rows) out += each.label + ": " + each.value + "\n";
  return out;
}

TEST(DescribeInside, FiguresOfAKernelHaveTheirUnitsAndWhatIsNotKnownIsLeftOut) {
  trace::Run run = testing::stages_run();
  EXPECT_THAT(all(reading::facts(run, run.trace.spans[1])),
              AllOf(HasSubstr("Memory: 4000 GB/s, 100 % of a copy"), HasSubstr("Arithmetic: 10 TFLOP/s, 17 % of peak"),
                    HasSubstr("Registers: 40 a thread"), HasSubstr("Shared memory: 48 KiB a block"),
                    HasSubstr("Blocks an SM: 3.03 of 4 at once"), HasSubstr("Blocks waited: 30 % of their time")));
  EXPECT_TRUE(reading::kernel_rows(run.trace, run.trace.spans[0]).empty());
  run.trace.kernels[0] = {};
  run.trace.kernels[0].operation = 1;
  EXPECT_THAT(all(reading::kernel_rows(run.trace, run.trace.spans[1])), "Blocks waited: 30 % of their time\n");
}

TEST(DescribeInside, APieceTellsItsFourTimes) {
  const trace::Trace trace = testing::stages_run().trace;
  const timeline::StagePiece piece{0, 2, timeline::Phase::copying, 0, 1};
  EXPECT_EQ(reading::piece_title(trace, piece), "tile 2: its copy is under way");
  EXPECT_THAT(all(reading::piece_rows(trace, piece)),
              AllOf(HasSubstr("Block: 0 on SM 3"), HasSubstr("Place: stage 0, of 2"), HasSubstr("Recorded by: warp 0"),
                    HasSubstr("Copy asked for: 510 ns after the block began"), HasSubstr("waited 100 ns"),
                    HasSubstr("worked 200 ns")));
}

TEST(DescribeInside, TheMeterTellsWhatTellingCosts) {
  StateLoop loop;
  loop.up_with_gpu();
  trace::Run run = testing::stages_run();
  run.stage_effect = trace::ObserverEffect{1.004, 1.002, 1.007, 5};
  show(loop, run, "tiles");
  EXPECT_THAT(meter(loop.state).meaning, HasSubstr("In-kernel: 1.004 ×  (1.002 to 1.007)"));
}

TEST(DescribeInside, TheKeysStandInTheHelp) {
  bool there = false;
  for (const Action& each : actions()) there = there || each.keys == "Enter   O";
  EXPECT_TRUE(there);
}

}  // namespace
}  // namespace streamscope::window
