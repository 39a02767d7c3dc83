// The engine's loop in this process, over two pipes, with the model as its device.
#include "engine/remote/serve.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdio>
#include <thread>

#include "engine/remote/connection.h"
#include "tests/engine/remote/served.h"

namespace streamscope::remote {
namespace {

using testing::HasSubstr;

TEST_F(Serve, SaysHelloUnasked) {
  const auto hello = window_->hear();
  ASSERT_TRUE(hello && std::holds_alternative<message::Hello>(*hello));
  EXPECT_EQ(std::get<message::Hello>(*hello).protocol, kProtocol);
  EXPECT_THAT(std::get<message::Hello>(*hello).program, HasSubstr("streamscope "));
  EXPECT_EQ(ended(), kEndedByInput);
}

TEST_F(Serve, ListsItsDevices) {
  greeted().say(message::AskDevices{});
  const auto devices = window_->await<message::Devices>();
  ASSERT_TRUE(devices);
  EXPECT_THAT(devices->list.devices, testing::Contains(testing::Field(&device::DeviceInfo::id, "model:h200")));
}

TEST_F(Serve, SendsTheSpansThenTheRest) {
  greeted().say(request(41));
  std::vector<trace::Span> spans;
  for (;;) {
    const auto message = window_->hear();
    ASSERT_TRUE(message);
    if (const auto* batch = std::get_if<message::Spans>(&*message); batch != nullptr && batch->final) {
      EXPECT_EQ(batch->id, 41u);
      spans.insert(spans.end(), batch->spans.begin(), batch->spans.end());
    }
    ASSERT_FALSE(std::holds_alternative<message::Failed>(*message))
        << std::get<message::Failed>(*message).error.message;
    const auto* done = std::get_if<message::Done>(&*message);
    if (done == nullptr) continue;
    EXPECT_EQ(done->id, 41u);
    EXPECT_EQ(done->spans, spans.size());
    EXPECT_EQ(done->run.program, kProgram);
    EXPECT_EQ(done->run.experiment, "name = \"kept\"\n");
    EXPECT_EQ(done->run.trace.provenance.kind, trace::Provenance::Kind::model);
    EXPECT_TRUE(done->run.trace.spans.empty());
    break;
  }
  ASSERT_EQ(spans.size(), 4u);  // with the implied synchronisation
  EXPECT_EQ(spans[0].kind, OperationKind::h2d);
  EXPECT_EQ(spans[2].kind, OperationKind::d2h);
}

// On a model a kernel of the program's own takes what was measured of it before.
TEST_F(Serve, AModelTakesTheTimesOfOwnKernelsThatComeWithARun) {
  message::StartRun run = request(41);
  run.program = "kernel k \"k.cu\" ()\nstream A\nA: k blocks=8\n";
  run.own_times = {{"", "k", 8, 256, 0, 70'000, 40, "NVIDIA H200"}};
  greeted().say(run);
  const auto spans = window_->await<message::Spans>();
  ASSERT_TRUE(spans && !spans->spans.empty());
  EXPECT_NEAR(static_cast<double>(spans->spans[0].end - spans->spans[0].start), 70'000, 500);
  const auto done = window_->await<message::Done>();
  ASSERT_TRUE(done);
  EXPECT_THAT(done->run.notes,
              testing::Contains(testing::Field(&trace::Note::text, HasSubstr("70 us, as measured on NVIDIA H200"))));
}

// The numbers of "what if" come with the models, and who predicts whom.
TEST_F(Serve, ItsModelsSayWhatCanBeChangedAndWhoPredictsThem) {
  greeted().say(message::AskDevices{});
  const auto devices = window_->await<message::Devices>();
  ASSERT_TRUE(devices);
  for (const device::DeviceInfo& device : devices->list.devices) {
    EXPECT_THAT(device.predicted_by, testing::StartsWith("model:"));
    if (device.kind != trace::Provenance::Kind::model) continue;
    EXPECT_EQ(device.predicted_by, device.id);
    EXPECT_THAT(device.what_ifs, testing::Contains(testing::Field(&device::WhatIfNumber::key, "copies.engines")));
    for (const device::WhatIfNumber& number : device.what_ifs) {
      auto changed = request(1);
      changed.device = device.id + "," + number.key + "=" + device::value_text(number, number.value);
      window_->say(changed);
      EXPECT_TRUE(window_->await<message::Done>()) << changed.device;
    }
  }
}

TEST_F(Serve, APredictionComesWithItsOwnSpans) {
  auto run = request(7);
  run.device = "model:h200,copies.engines=1";
  run.predict = "auto";
  greeted().say(run);
  std::size_t spans = 0, predicted = 0;
  while (auto message = window_->hear()) {
    if (const auto* batch = std::get_if<message::Spans>(&*message); batch != nullptr && batch->final)
      (batch->predicted ? predicted : spans) += batch->spans.size();
    const auto* done = std::get_if<message::Done>(&*message);
    if (done == nullptr) continue;
    EXPECT_EQ(done->spans, spans);
    EXPECT_EQ(done->predicted, predicted);
    ASSERT_TRUE(done->run.prediction);
    EXPECT_TRUE(done->run.prediction->trace.spans.empty());
    EXPECT_EQ(done->run.prediction->trace.provenance.profile, "h200");
    EXPECT_THAT(done->run.trace.provenance.profile, HasSubstr("copies.engines 1"));
    EXPECT_GT(done->run.prediction->wall, 0);
    break;
  }
  EXPECT_EQ(spans, 4u);
  EXPECT_EQ(predicted, 4u);
}

TEST_F(Serve, AModelThatCannotPredictLeavesTheRunWithANote) {
  for (const char* by : {"model:nosuch", "model:h200,copies.engines=many", "toaster"}) {
    auto run = request(7);
    run.predict = by;
    greeted().say(run);
    const auto done = window_->await<message::Done>();
    ASSERT_TRUE(done) << by;
    EXPECT_FALSE(done->run.prediction);
    EXPECT_EQ(done->predicted, 0u);
    ASSERT_FALSE(done->run.notes.empty());
    EXPECT_THAT(done->run.notes.front().text, testing::StartsWith("There is no prediction: "));
  }
}

TEST_F(Serve, ALongTraceComesInBatches) {
  auto run = request(1);
  run.program = "stream A\nrepeat 20000 {\n  A: spin 1us\n}\n";
  run.options.observer_effect = false;
  greeted().say(run);
  std::vector<std::size_t> batches;
  while (auto message = window_->hear()) {
    ASSERT_FALSE(std::holds_alternative<message::Failed>(*message))
        << std::get<message::Failed>(*message).error.message;
    if (const auto* spans = std::get_if<message::Spans>(&*message); spans != nullptr && spans->final) {
      batches.push_back(spans->spans.size());
    }
    if (std::holds_alternative<message::Done>(*message)) break;
  }
  EXPECT_THAT(batches, testing::ElementsAre(8192, 8192, 20001 - 2 * 8192));
}

TEST_F(Serve, TellsHowFarARunIs) {
  greeted().say(request(2, 5));
  const auto passes = window_->await<message::Passes>();
  ASSERT_TRUE(passes);
  EXPECT_EQ(passes->id, 2u);
  EXPECT_GT(passes->total, 0);
}

TEST_F(Serve, ABadProgramFailsWithItsPlaceAndTheNextRunGoesOn) {
  auto bad = request(1);
  bad.program = "stream A\nA: sprint 3us\n";
  greeted().say(bad);
  window_->say(request(2));
  const auto failed = window_->await<message::Failed>();
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->id, 1u);
  EXPECT_EQ(failed->error.kind, ErrorKind::bad_input);
  EXPECT_THAT(failed->error.message, HasSubstr("program:2:"));
  const auto done = window_->await<message::Done>();
  ASSERT_TRUE(done);
  EXPECT_EQ(done->id, 2u);
}

TEST_F(Serve, ADeviceThatIsNotThereFails) {
  auto run = request(3);
  run.device = "model:abacus";
  greeted().say(run);
  const auto failed = window_->await<message::Failed>();
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->error.kind, ErrorKind::no_device);
}

TEST_F(Serve, RunsThatMakeNoSenseAreRefused) {
  for (const int runs : {0, -1, 2'000'000'000}) {
    greeted().say(request(3, runs));
    const auto failed = window_->await<message::Failed>();
    ASSERT_TRUE(failed);
    EXPECT_EQ(failed->error.kind, ErrorKind::bad_input) << runs;
  }
}

TEST_F(Serve, AStopArrivesDuringARun) {
  greeted().say(request(4, 1'000'000));
  ASSERT_TRUE(window_->await<message::Passes>());
  window_->say(message::Stop{4});
  expect_stopped(*window_, 4);
}

TEST_F(Serve, AStopReachesARunThatWaits) {
  greeted().say(request(5, 1'000'000));
  window_->say(request(6, 1'000'000));
  window_->say(message::Stop{6});
  window_->say(message::Stop{5});
  expect_stopped(*window_, 5);
  const auto failed = window_->await<message::Failed>();
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->id, 6u);
  EXPECT_EQ(failed->error.kind, ErrorKind::cancelled);
}

TEST_F(Serve, AStopOfAnotherRunChangesNothing) {
  greeted().say(message::Stop{77});
  window_->say(request(7));
  ASSERT_TRUE(window_->await<message::Done>());
}

TEST_F(Serve, TheEndOfTheInputEndsARun) {
  greeted().say(request(8, 1'000'000));
  ASSERT_TRUE(window_->await<message::Passes>());
  EXPECT_EQ(ended(), kEndedByInput);
}

TEST_F(Serve, ABrokenOutputEndsARun) {
  greeted().say(request(9, 1'000'000));
  ASSERT_TRUE(window_->await<message::Passes>());
  window_->stop_listening();
  EXPECT_EQ(ended_by_itself(), kEndedByInput);
}

// Nobody reads, the pipe is full, and the loop still ends when its input does.
TEST_F(Serve, AWindowThatDoesNotReadHoldsNothingUp) {
  auto run = request(10);
  run.program = "stream A\nrepeat 100000 {\n  A: spin 1us\n}\n";
  run.options.observer_effect = false;
  greeted().say(run);
  ASSERT_TRUE(window_->await<message::Spans>());
  EXPECT_EQ(ended(), kEndedByInput);
}

// What a library prints to standard output goes to standard error and not into the protocol.
TEST(ServeOnStandardOutput, PrintingDoesNotBreakTheProtocol) {
  std::fflush(stdout);
  const Descriptor kept(dup(STDOUT_FILENO));
  Pipe in = make_pipe(), out = make_pipe();
  dup2(out.write.get(), STDOUT_FILENO);
  out.write = Descriptor();
  Window window(std::move(in.write), std::move(out.read));
  int code = -1;
  std::thread thread([&] { code = serve(in.read.get(), STDOUT_FILENO); });
  EXPECT_TRUE(window.await<message::Hello>());
  std::printf("(a library says hello)\n");
  std::fflush(stdout);
  window.say(message::Hello{});
  window.say(message::AskDevices{});
  EXPECT_TRUE(window.await<message::Devices>());
  window.hang_up();
  thread.join();
  dup2(kept.get(), STDOUT_FILENO);
  EXPECT_EQ(code, kEndedByInput);
}

TEST(Connection, AStopReachesTheRunThatItNamesAndNoOther) {
  Pipe out = make_pipe();
  Connection connection(std::move(out.write));
  ASSERT_TRUE(connection.ask(Job{request(1), {}}));
  ASSERT_TRUE(connection.ask(Job{request(2), {}}));
  const auto first = connection.next();
  ASSERT_TRUE(first);
  connection.stop(77);
  connection.stop(2);
  EXPECT_FALSE(first->stop.flag().stop_requested());
  connection.stop(1);
  EXPECT_TRUE(first->stop.flag().stop_requested());
  const auto second = connection.next();
  ASSERT_TRUE(second);
  EXPECT_TRUE(second->stop.flag().stop_requested());
}

// A run that says nothing for long is still heard of.
TEST(Connection, ABeatRepeatsHowFarTheRunIs) {
  Pipe out = make_pipe();
  Window window(Descriptor(), std::move(out.read));
  Connection connection(std::move(out.write));
  connection.beat();  // nothing goes on, nothing is said
  ASSERT_TRUE(connection.ask(Job{request(12), {}}));
  ASSERT_TRUE(connection.next());
  connection.progress(3, 8);
  connection.beat();
  for (int i = 0; i < 2; ++i) {
    const auto passes = window.await<message::Passes>();
    ASSERT_TRUE(passes);
    EXPECT_EQ(passes->id, 12u);
    EXPECT_EQ(passes->done, 3);
    EXPECT_EQ(passes->total, 8);
  }
}

}  // namespace
}  // namespace streamscope::remote
