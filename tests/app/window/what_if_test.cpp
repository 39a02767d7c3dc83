// Predictions and changed models, as the window asks for them.
#include <gmock/gmock.h>

#include "app/reading/operation_facts.h"
#include "app/window/panels/slider_values.h"
#include "app/window/panels/typed_choice.h"
#include "tests/support/state_loop.h"

namespace streamscope::window {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using testing::StateLoop;

const device::WhatIfNumber kEngines{"copies.engines", "Copy engines", "", "", 1, 4, 3};
const device::WhatIfNumber kLink{"copies.link", "Link speed", "", "GB/s", 1, 500, 55.27};
const device::WhatIfNumber kLaunch{"host.launch", "Launch cost", "", "ns", 0, 50'000, 2'000};

// A GPU and the model that predicts it, and another model.
void up(StateLoop& loop) {
  device::DeviceInfo gpu = testing::a_gpu();
  gpu.predicted_by = "model:h200";
  device::DeviceInfo model = testing::a_model();
  model.predicted_by = "model:h200";
  model.what_ifs = {kEngines, kLink, kLaunch};
  device::DeviceInfo other = model;
  other.id = other.predicted_by = "model:other";
  loop.event(session::session_event::EngineUp{"streamscope 0.1.0", {{gpu, model, other}, {}}});
}

// The run in progress comes back, predicted where that was asked for.
void finish(StateLoop& loop) {
  auto run = std::make_shared<trace::Run>(*testing::a_run(loop.state.editing.program));
  if (!loop.request_sent.predict.empty()) {
    run->prediction.emplace();
    run->prediction->trace = run->trace;
    run->prediction->trace.provenance.profile = loop.request_sent.predict;
    run->prediction->trace.spans[1].end -= 10;
  }
  loop.event(session::session_event::RunDone{loop.last_id, run});
}

TEST(SweptValues, ThePresentOneIsAmongThem) {
  const auto all = chunk_choices(std::uint64_t{256} << 20, std::uint64_t{16} << 20);
  for (const std::uint64_t present : all) {
    const auto few = few_of(all, 6, present);
    EXPECT_EQ(few.size(), std::min<std::size_t>(all.size(), 6));
    EXPECT_NE(std::ranges::find(few, present), few.end()) << present;
    EXPECT_TRUE(std::ranges::is_sorted(few));
    EXPECT_EQ(few.front(), all.front());
    EXPECT_EQ(few.back(), all.back());
  }
}

TEST(TypedValue, AFactorIsOfThePresentValue) {
  EXPECT_EQ(read_typed("2x", Typed::bytes, 1 << 20), std::uint64_t{2} << 20);
  EXPECT_EQ(read_typed("× 3", Typed::count, 4), 12u);
  EXPECT_EQ(read_typed("0.5x", Typed::duration, 1'000), 500u);
  EXPECT_EQ(read_typed("16", Typed::count, 4), 16u);
  for (const char* text : {"x", "2xx", "x2x", "-2x", "nanx", "2y"}) EXPECT_FALSE(read_factor(text)) << text;
  EXPECT_FALSE(read_typed("1e300x", Typed::count, 4));
  EXPECT_THAT(no_such_value("2y", "55.27 GB/s"), ::testing::AllOf(HasSubstr("55.27 GB/s"), HasSubstr("2x")));
}

TEST(Predict, AsksForItAtOnceAndShowsGhostsUntilItIsSwitchedOff) {
  StateLoop loop;
  up(loop);
  finish(loop);
  EXPECT_EQ(loop.request_sent.predict, "");
  loop.update(command::SetPredict{true});
  EXPECT_EQ(loop.started, 2);
  EXPECT_EQ(loop.request_sent.predict, "model:h200");
  EXPECT_EQ(ghost_of(loop.state), "") << "not before it is there";
  finish(loop);
  EXPECT_EQ(ghost_of(loop.state), "model:h200");
  ASSERT_EQ(loop.state.runs.shown->comparison.deviations.size(), 1u);
  EXPECT_EQ(loop.state.runs.shown->comparison.deviations[0].operation, 1u);
  EXPECT_FALSE(tracks_in_view(loop.state).tracks.front().ghosts.empty());
  loop.update(command::SetPredict{false});
  EXPECT_EQ(ghost_of(loop.state), "");
  EXPECT_TRUE(tracks_in_view(loop.state).tracks.front().ghosts.empty());
  loop.update(command::SetPredict{true});
  EXPECT_EQ(loop.started, 2) << "the run in view has its prediction";
  loop.update(command::RunNow{});
  EXPECT_EQ(loop.request_sent.predict, "model:h200");
}

TEST(WhatIf, AChangedModelIsRunAtOnceAndHeldAgainstItsProfile) {
  StateLoop loop;
  up(loop);
  finish(loop);
  loop.update(command::SetDevice{"model:h200"});
  finish(loop);
  loop.update(command::SetPredict{true});
  finish(loop);
  loop.update(command::SetWhatIf{"copies.engines", 1});
  EXPECT_EQ(loop.last.purpose, RunFor::picture);
  EXPECT_EQ(loop.request_sent.device, "model:h200,copies.engines=1");
  EXPECT_EQ(loop.request_sent.predict, "model:h200");
  EXPECT_EQ(loop.state.settings.device, "model:h200") << "it is still that model";
  loop.update(command::SetWhatIf{"host.launch", 5'000});
  loop.update(command::SetWhatIf{"copies.link", 12.5});
  EXPECT_EQ(loop.request_sent.device, "model:h200,copies.engines=1,copies.link=12.5GB/s,host.launch=5000ns");
  loop.update(command::SetWhatIf{"copies.engines", 3});  // the profile's own
  EXPECT_EQ(loop.request_sent.device, "model:h200,copies.link=12.5GB/s,host.launch=5000ns");
  const int before = loop.started;
  loop.update(command::SetWhatIf{"copies.engines", 3});
  loop.update(command::SetWhatIf{"no.such", 3});
  EXPECT_EQ(loop.started, before);
  loop.update(command::ResetWhatIfs{});
  EXPECT_EQ(loop.request_sent.device, "model:h200");
  EXPECT_EQ(loop.started, before + 1);
}

// Of `auto` and of a GPU; a model that was chosen is taken as it is.
TEST(WhatIf, TheModelHasAsManyDevicesAsTheProgramNames) {
  StateLoop loop;
  device::DeviceInfo model = testing::a_model();
  model.predicted_by = "model:h200";
  model.what_ifs = {kEngines};
  loop.event(session::session_event::EngineUp{"streamscope 0.1.0", {{model}, {}}});
  finish(loop);
  loop.update(command::SetPredict{true});
  experiment::Experiment e = loop.state.editing.experiment;
  e.devices = 2;
  loop.update(command::SetExperiment{e});
  EXPECT_EQ(loop.request_sent.device, "auto") << "the engine takes a model of two";
  EXPECT_EQ(loop.request_sent.predict, "model:h200x2");
  loop.update(command::SetWhatIf{"copies.engines", 1});
  EXPECT_EQ(loop.request_sent.device, "model:h200x2,copies.engines=1");
  loop.update(command::SetDevice{"model:h200"});
  EXPECT_EQ(loop.request_sent.device, "model:h200,copies.engines=1");
  // What is typed is known once it is checked.
  loop.update(command::SetDevice{"auto"});
  loop.update(command::EditProgram{"stream A device=2\nA: spin 1us\n"});
  loop.update(command::ProgramChecked{loop.state.editing.version, {}, 3});
  loop.update(command::RunNow{});
  EXPECT_EQ(loop.request_sent.device, "model:h200x3,copies.engines=1");
}

TEST(WhatIf, OnAGpuAProgramOfTwoIsPredictedByTwo) {
  StateLoop loop;
  up(loop);
  finish(loop);
  experiment::Experiment e = loop.state.editing.experiment;
  e.devices = 2;
  loop.update(command::SetExperiment{e});
  loop.update(command::SetPredict{true});
  EXPECT_EQ(loop.request_sent.predict, "model:h200x2");
}

TEST(WhatIf, OnAGpuItChangesThePrediction) {
  StateLoop loop;
  up(loop);
  finish(loop);
  loop.update(command::SetWhatIf{"copies.engines", 1});
  EXPECT_TRUE(loop.state.settings.predict) << "there is nothing else that it changes";
  EXPECT_EQ(loop.request_sent.device, "auto");
  EXPECT_EQ(loop.request_sent.predict, "model:h200,copies.engines=1");
  loop.update(command::SetDevice{"model:h200"});
  EXPECT_EQ(loop.request_sent.device, "model:h200,copies.engines=1") << "the same model";
  loop.update(command::SetDevice{"model:other"});
  EXPECT_EQ(loop.request_sent.device, "model:other") << "changes belong to their model";
}

TEST(Predict, WhereThereIsNoneTheReasonIsGiven) {
  StateLoop loop;
  up(loop);
  finish(loop);
  loop.update(command::SetPredict{true});
  auto run = std::make_shared<trace::Run>(*testing::a_run(loop.state.editing.program));
  run->notes = {{trace::NoteKind::gpu, "Another program was busy."},
                {trace::NoteKind::no_prediction, "There is no prediction: a model has no gate."}};
  loop.event(session::session_event::RunDone{loop.last_id, run});
  EXPECT_EQ(loop.state.status.text, "There is no prediction: a model has no gate.");
  EXPECT_EQ(ghost_of(loop.state), "");
}

TEST(WhatIf, WhatIsOutsideTheSliderIsMovedIn) {
  StateLoop loop;
  up(loop);
  finish(loop);
  loop.update(command::SetWhatIf{"copies.engines", 400});
  EXPECT_EQ(loop.request_sent.predict, "model:h200,copies.engines=4");
}

TEST(WhatIf, ChoicesHoldTheProfilesValueAndThePresentOne) {
  EXPECT_THAT(what_if_choices(kEngines, 3), ::testing::ElementsAre(1, 2, 3, 4));
  const device::WhatIfNumber pace{"host.pace", "Host pace", "", "", 0.5, 4, 1};
  const auto factors = what_if_choices(pace, 1);
  for (const double value : {0.5, 0.85, 0.95, 1.0, 1.05, 1.3, 4.0}) EXPECT_THAT(factors, Contains(value));
  EXPECT_LT(factors.size(), 60u);
  for (const device::WhatIfNumber& number : {kLink, kLaunch}) {
    const auto values = what_if_choices(number, 7.25);
    EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
    for (const double value : {number.least, number.most, number.value, 7.25, 10.0})
      EXPECT_THAT(values, Contains(value)) << number.key;
    EXPECT_GT(values.size(), 15u);
    EXPECT_LT(values.size(), 60u);
    EXPECT_GE(values.front(), std::min(number.least, 7.25));
    EXPECT_LE(values.back(), number.most);
  }
}

TEST(WhatIf, TheTooltipSaysHowFarOffTheModelWas) {
  StateLoop loop;
  up(loop);
  finish(loop);
  loop.update(command::SetPredict{true});
  finish(loop);
  const ShownRun& shown = *loop.state.runs.shown;
  std::string all;
  for (const reading::Fact& each : reading::predicted_facts(*shown.run, shown.comparison, shown.run->trace.spans[1]))
    all += each.label + "=" + each.value + ";";
  EXPECT_THAT(all, HasSubstr("Predicted=100 ns to 140 ns;Off by=0 ns at start, +10 ns at end;"));
}

}  // namespace
}  // namespace streamscope::window
