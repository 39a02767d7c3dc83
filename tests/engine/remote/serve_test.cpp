// The engine's loop in this process, over two pipes, with the model as its device.
#include "engine/remote/serve.h"

#include <gmock/gmock.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <thread>

#include "engine/remote/connection.h"
#include "engine/remote/descriptor.h"
#include "engine/remote/wire.h"

namespace streamscope::remote {
namespace {

using testing::HasSubstr;

constexpr int kGenerous = 60'000;  // milliseconds; only a hang takes so long

struct Pipe {
  Descriptor read, write;
};
Pipe make_pipe() {
  int ends[2] = {-1, -1};
  EXPECT_EQ(pipe(ends), 0);
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

// The window's end of the two pipes.
class Window {
 public:
  Window(Descriptor to, Descriptor from) : to_(std::move(to)), from_(std::move(from)) {}

  void say(const Message& message) { say_bytes(encode(message)); }
  void say_bytes(const std::vector<std::uint8_t>& bytes) {
    ASSERT_EQ(write(to_.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  void hang_up() { to_ = Descriptor(); }
  void stop_listening() { from_ = Descriptor(); }

  // The next message; nothing at the end of the stream.
  std::optional<Message> hear() {
    for (;;) {
      auto message = frames_.next();
      if (!message) {
        ADD_FAILURE() << message.error().message;
        return std::nullopt;
      }
      if (*message) return std::move(**message);
      pollfd watched{from_.get(), POLLIN, 0};
      if (poll(&watched, 1, kGenerous) <= 0) {
        ADD_FAILURE() << "the engine says nothing";
        return std::nullopt;
      }
      std::array<std::uint8_t, 65536> bytes;
      const ssize_t count = read(from_.get(), bytes.data(), bytes.size());
      if (count <= 0) return std::nullopt;
      frames_.feed(std::span(bytes).first(static_cast<std::size_t>(count)));
    }
  }
  // The next message of this type; others before it are passed over.
  template <class T>
  std::optional<T> await() {
    while (auto message = hear()) {
      if (auto* wanted = std::get_if<T>(&*message)) return std::move(*wanted);
    }
    ADD_FAILURE() << "the stream ended before the message came";
    return std::nullopt;
  }

 private:
  Descriptor to_, from_;
  FrameReader frames_;
};

class Serve : public testing::Test {
 protected:
  Serve() {
    Pipe in = make_pipe(), out = make_pipe();
    window_.emplace(std::move(in.write), std::move(out.read));
    thread_ = std::thread([this, from = std::move(in.read), to = std::move(out.write)]() mutable {
      const Descriptor mine = std::move(to);
      code_ = serve(from.get(), mine.get());
    });
  }
  ~Serve() override { ended(); }
  // Waits for the loop to return; gives its exit code.
  int ended() {
    window_->hang_up();
    if (thread_.joinable()) thread_.join();
    return code_;
  }
  int ended_by_itself() {
    thread_.join();
    return code_;
  }
  Window& greeted() {
    window_->say(message::Hello{});
    return *window_;
  }

  std::optional<Window> window_;
  std::thread thread_;
  int code_ = -1;
};

constexpr const char* kProgram = "buffer x 1MiB\nstream A\nA: h2d x\nA: axpb x fma=4\nA: d2h x\n";

message::StartRun request(std::uint64_t id, int runs = 1) {
  message::StartRun run{id, "model", kProgram, "name = \"kept\"\n", {}};
  run.options.runs = runs;
  return run;
}

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

// A stopped run ends with what it had measured, or as cancelled where that was nothing yet.
void expect_stopped(Window& window, std::uint64_t id) {
  while (const auto message = window.hear()) {
    if (const auto* done = std::get_if<message::Done>(&*message)) {
      EXPECT_EQ(done->id, id);
      EXPECT_LT(done->run.runs, 1'000'000);
      EXPECT_THAT(trace::texts(done->run.notes), testing::Contains(HasSubstr("Stopped after")));
      return;
    }
    if (const auto* failed = std::get_if<message::Failed>(&*message)) {
      EXPECT_EQ(failed->id, id);
      EXPECT_EQ(failed->error.kind, ErrorKind::cancelled);
      return;
    }
  }
  ADD_FAILURE() << "the stream ended before the run did";
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

TEST_F(Serve, AnotherProtocolEndsTheConnection) {
  window_->say(message::Hello{99, "streamscope 9"});
  const auto failed = window_->await<message::Failed>();
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->id, 0u);
  EXPECT_THAT(failed->error.message, HasSubstr("protocol 99"));
  EXPECT_EQ(ended_by_itself(), kProtocolError);
}

TEST_F(Serve, TheFirstMessageMustBeAHello) {
  window_->say(request(1));
  ASSERT_TRUE(window_->await<message::Failed>());
  EXPECT_EQ(ended_by_itself(), kProtocolError);
}

TEST_F(Serve, GarbageEndsTheConnection) {
  greeted().say_bytes({'l', 's', ' ', '-', 'l', '\n'});
  const auto failed = window_->await<message::Failed>();
  ASSERT_TRUE(failed);
  EXPECT_THAT(failed->error.message, HasSubstr("ls -l"));
  EXPECT_EQ(ended_by_itself(), kProtocolError);
}

TEST_F(Serve, WhatOnlyEnginesSayEndsTheConnection) {
  greeted().say(message::Passes{1, 1, 2});
  ASSERT_TRUE(window_->await<message::Failed>());
  EXPECT_EQ(ended_by_itself(), kProtocolError);
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

// A run that says nothing for long is still heard of.
TEST(Connection, ABeatRepeatsHowFarTheRunIs) {
  Pipe out = make_pipe();
  Window window(Descriptor(), std::move(out.read));
  Connection connection(std::move(out.write));
  connection.beat();  // nothing goes on, nothing is said
  connection.ask(Job{request(12), {}});
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
