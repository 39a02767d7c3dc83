// A model's view of what another device ran.
#include "engine/base/stop_source.h"
#include "engine/predict/predict.h"

#include "engine/device/catalog/catalog.h"
#include "tests/engine/model/simulated.h"
#include "tests/support/open_device.h"

namespace streamscope::predict {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr const char* kText = "buffer x 1MiB\nstream A\nA: h2d x\nA: axpb x fma=4\nA: d2h x\n";

trace::Run measured() {
  trace::Run run;
  run.notes = {{trace::NoteKind::other, "its own"}};
  run.trace.provenance.kind = trace::Provenance::Kind::measured;
  run.trace.provenance.device = "NVIDIA Other";
  return run;
}

TEST(Prediction, IsWhatTheModelSimulates) {
  const auto model = model::make_model(model::h200());
  const auto prediction = predict(*model, tests::program_of(kText), {});
  ASSERT_TRUE(prediction) << prediction.error().message;
  const model::Simulated own = model::simulate(kText);
  EXPECT_EQ(prediction->wall, own.wall);
  EXPECT_EQ(prediction->makespan, trace::makespan(own.spans));
  EXPECT_EQ(prediction->trace.spans, own.spans);
  EXPECT_EQ(prediction->trace.provenance.kind, trace::Provenance::Kind::model);
  EXPECT_EQ(prediction->trace.provenance.profile, model->info().profile);
}

TEST(Prediction, GoesIntoTheRunAndSaysWhereTheModelIsOneOfAnotherDevice) {
  const auto model = model::make_model(model::h200());
  const program::Program program = tests::program_of(kText);
  auto run = measured();
  add_prediction(run, model.get(), true, program, {});
  ASSERT_TRUE(run.prediction);
  EXPECT_THAT(trace::texts(run.notes), ElementsAre("its own"));
  EXPECT_THAT(run.prediction->notes.front().text, StartsWith("MODEL: "));
  add_prediction(run, model.get(), false, program, {});
  EXPECT_EQ(run.prediction->notes.front().text,
            "No profile was made for NVIDIA Other: it is predicted with that of " + model->info().name + ".");
}

// What was measured stays, and a note says why nothing stands beside it.
TEST(Prediction, AFailureIsANoteAndNoMore) {
  const auto model = model::make_model(model::h200());
  const auto note_of = [&](trace::Run run, const Result<device::Device*>& by, const char* text, StopFlag stop) {
    add_prediction(run, by, true, tests::program_of(text), stop);
    EXPECT_FALSE(run.prediction);
    EXPECT_EQ(run.notes.size(), 2u);
    EXPECT_EQ(run.notes.back().text, "its own");
    EXPECT_EQ(run.notes.front().kind, trace::NoteKind::no_prediction);
    EXPECT_THAT(run.notes.front().text, StartsWith("There is no prediction: "));
    return run.notes.front().text;
  };
  EXPECT_THAT(note_of(measured(), fail(ErrorKind::no_device, "no such model"), kText, {}), HasSubstr("no such model"));
  EXPECT_THAT(note_of(measured(), model.get(), "buffer x 900GiB\nstream A\nA: h2d x\n", {}), HasSubstr("line 1"));
  StopSource stopped;
  stopped.request_stop();
  note_of(measured(), model.get(), kText, stopped.flag());
  auto gated = measured();
  gated.trace.provenance.gated = true;
  EXPECT_THAT(note_of(gated, model.get(), kText, {}), HasSubstr("gate"));
}

TEST(Predictor, IsTheProfileThatBearsTheDevicesNameElseTheDefault) {
  device::DeviceInfo gpu;
  gpu.kind = trace::Provenance::Kind::measured;
  gpu.id = "cuda:0";
  gpu.name = "NVIDIA H200";
  EXPECT_EQ(text(catalog::predictor_of(gpu).model), "model:h200");
  EXPECT_TRUE(catalog::predictor_of(gpu).fits);
  gpu.name = "NVIDIA Nothing 1";
  EXPECT_EQ(text(catalog::predictor_of(gpu).model), "model:h200");
  EXPECT_FALSE(catalog::predictor_of(gpu).fits);
}

TEST(Predictor, HasAsManyDevicesAsTheProgramNames) {
  device::DeviceInfo gpu;
  gpu.kind = trace::Provenance::Kind::measured;
  gpu.name = "NVIDIA H200";
  const program::Program one = tests::program_of("stream A\nA: spin 1us\n");
  const program::Program two = tests::program_of("stream A device=1\nA: spin 1us\n");
  EXPECT_EQ(text(model_for({}, gpu, one).model), "model:h200");
  EXPECT_EQ(text(model_for({}, gpu, two).model), "model:h200x2");
  EXPECT_EQ(text(model_for(device::model_of("h100"), gpu, two).model), "model:h100")
      << "what is named is taken as it is";
  auto measured_run = measured();
  catalog::OpenDevices devices;
  device::Device* const ran_on = *devices.open(device::model_of("h200x2"));
  Predictions(devices).add_to(measured_run, *ran_on, device::DeviceSpec{}, two, {});
  ASSERT_TRUE(measured_run.prediction) << measured_run.notes.front().text;
}

TEST(Predictor, OfAChangedModelIsItsProfileAsItIs) {
  const auto changed = tests::open_device("model:h200,copies.engines=1");
  ASSERT_TRUE(changed) << changed.error().message;
  EXPECT_EQ(text(catalog::predictor_of((*changed)->info()).model), "model:h200");
}

TEST(Predictor, TheListSaysItAndWhatAutoTakesIsTheFirstModel) {
  const device::DeviceList list = catalog::list_devices();
  ASSERT_THAT(list.devices, ::testing::Not(IsEmpty()));
  for (const device::DeviceInfo& device : list.devices)
    EXPECT_EQ(device.predicted_by, text(catalog::predictor_of(device).model)) << device.id;
  const auto first = std::find_if(list.devices.begin(), list.devices.end(), [](const device::DeviceInfo& each) {
    return each.kind == trace::Provenance::Kind::model;
  });
  ASSERT_NE(first, list.devices.end());
  EXPECT_EQ(first->id, "model:h200");
}

// What a slider sends is what the model takes, at both of its ends.
TEST(WhatIfs, TakeTheirEndsAndTheirOwnValue) {
  const auto model = tests::open_device("model:h200x2");
  ASSERT_TRUE(model);
  ASSERT_THAT((*model)->info().what_ifs, ::testing::Not(IsEmpty()));
  for (const device::WhatIfNumber& number : (*model)->info().what_ifs) {
    EXPECT_LE(number.least, number.value) << number.key;
    EXPECT_GE(number.most, number.value) << number.key;
    EXPECT_FALSE(number.meaning.empty());
    for (const double value : {number.least, number.value, number.most}) {
      const std::string name = "model:h200x2," + number.key + "=" + device::value_text(number, value);
      const auto changed = tests::open_device(name);
      ASSERT_TRUE(changed) << changed.error().message;
      for (const device::WhatIfNumber& now : (*changed)->info().what_ifs) {
        if (now.key != number.key) continue;
        EXPECT_NEAR(now.value, value, 0.006 * std::max(1.0, value)) << name;
      }
      EXPECT_EQ((*changed)->info().profile == "h200x2", value == number.value) << name << ": the same is no change";
    }
  }
}

}  // namespace
}  // namespace streamscope::predict
