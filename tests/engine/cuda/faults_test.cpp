// Faults and resets through the CUDA device: what calls return, what is still known, and who may not run them.
#include <atomic>
#include <thread>

#include "engine/device/cuda/issue/host_functions.h"
#include "engine/measure/measure.h"
#include "engine/trace/sticky_error.h"
#include "tests/engine/cuda/contract.h"
#include "tests/support/program_of.h"
#include "tests/support/two_device_faults.h"

namespace streamscope::cuda {
namespace {

trace::Run run(const std::string& text, device::Instrument instrument = device::Instrument::full) {
  fake_cuda::reset();
  static std::vector<std::unique_ptr<program::Program>> programs;  // what was loaded is never freed
  const auto& program = *programs.emplace_back(std::make_unique<program::Program>(tests::program_of(text)));
  fake_cuda::gpus(std::vector<fake_cuda::Gpu>(program::device_count(program)));
  class FakedDevice final : public device::Device {
   public:
    explicit FakedDevice(Gpus gpus) : gpus_(std::move(gpus)) {}
    const device::DeviceInfo& info() const override { return gpus_.first().info; }
    Result<std::unique_ptr<device::LoadedProgram>> load(const program::Program& loaded,
                                                        const device::LoadOptions& options) override {
      auto made = TRY(CudaProgram::load(gpus_, loaded, options));
      return std::unique_ptr<device::LoadedProgram>(std::move(made));
    }

   private:
    Gpus gpus_;
  } faked(contract::opened_for(program));
  measure::MeasureOptions options;
  options.runs = 3;
  options.instrument = instrument;
  options.own_process = program::ends_its_process(program);
  auto found = measure::measure(faked, program, options, {});
  EXPECT_TRUE(found) << found.error().message;
  return found ? std::move(*found) : trace::Run{};
}

bool ran(const trace::Span& span) { return known(span.start) && known(span.end); }

// In a process that other runs share it must never come to that.
TEST(Faults, AreRefusedByTheirLineInAProcessOfOthers) {
  for (const char* const line : {"A: fault illegal-address", "A: fault assert", "A: fault trap", "host: reset"}) {
    fake_cuda::reset();
    const program::Program program = tests::program_of("stream A\nA: spin 1us\n" + std::string(line) + "\n");
    {
      const auto context = contract::opened();
      const auto loaded = CudaProgram::load(context, program, {});
      ASSERT_FALSE(loaded) << line;
      EXPECT_EQ(loaded.error().kind, ErrorKind::bad_input);
      EXPECT_TRUE(loaded.error().message.starts_with("line 3: ")) << loaded.error().message;
      EXPECT_NE(loaded.error().message.find("streamscope run"), std::string::npos) << loaded.error().message;
    }
    contract::expect_nothing_left();
  }
}

class FaultsOnOneOfTwo : public testing::TestWithParam<tests::FaultOfTwo> {};
TEST_P(FaultsOnOneOfTwo, AreToldByCallsForBoth) {
  tests::expect_failed(run(tests::failing_program(GetParam())), GetParam());
}
INSTANTIATE_TEST_SUITE_P(Each, FaultsOnOneOfTwo, testing::ValuesIn(tests::all_faults_of_two()), tests::name_of);

TEST(Faults, AreReturnedByEachLaterCall) {
  for (const auto& [word, error] :
       {std::pair{"illegal-address", CallResult::illegal_address}, std::pair{"assert", CallResult::device_assert},
        std::pair{"trap", CallResult::launch_failure}}) {
    SCOPED_TRACE(word);
    const trace::Run found =
        run("buffer x 64KiB\nstream A nonblocking\nA: h2d x\nA: spin 100us\nA: fault " + std::string(word) +
            "\nA: spin 100us\nhost: sync A\nA: h2d x\nA: spin 1us\nhost: query A\nhost: lasterror peek\nhost: "
            "lasterror\nhost: lasterror\nhost: malloc t 1MiB\nhost: lasterror\nhost: work 10us\nhost: reset\nhost: "
            "create-stream B\nhost: lasterror\n");
    const std::vector<trace::Span>& spans = found.trace.spans;
    ASSERT_EQ(spans.size(), 18u);
    for (const std::size_t fine : {0, 1, 2, 3, 10, 13, 14}) EXPECT_EQ(spans[fine].result, CallResult::success) << fine;
    for (const std::size_t failed : {4, 5, 6, 7, 8, 9, 11, 12}) EXPECT_EQ(spans[failed].result, error) << failed;
    for (const std::size_t gone : {15, 16, 17}) EXPECT_EQ(spans[gone].result, CallResult::devices_unavailable) << gone;
    // Whether the watching thread came to look in time is the system's affair.
    if (ran(spans[0])) {
      EXPECT_EQ(spans[0].source, trace::Source::sighting);
    }
    EXPECT_TRUE(ran(spans[1])) << "its stamp outlives the device";
    EXPECT_EQ(spans[1].source, trace::Source::stamp);
    EXPECT_EQ(spans[2].start_source, trace::Source::stamp);
    EXPECT_GE(spans[2].start, spans[1].end - spans[1].uncertainty);
    EXPECT_EQ(spans[2].end, spans[2].start);
    EXPECT_GE(spans[2].end + spans[2].uncertainty, spans[4].host_end) << "no later than the first call that told it";
    EXPECT_LE(spans[2].end, spans[4].host_end + spans[2].start_uncertainty);
    for (const std::size_t never : {3, 5, 6})
      EXPECT_FALSE(known(spans[never].start) || known(spans[never].end)) << never;
    EXPECT_EQ(found.runs, 1) << "whatever was asked for";
    EXPECT_FALSE(found.verified || found.serial || found.bare_wall);
    EXPECT_NE(found.notes.back().text.find("process of its own"), std::string::npos);
  }
}

TEST(Faults, AreTheStatusThatCallbacksAreGiven) {
  for (const auto& [word, error] :
       {std::pair{"illegal-address", CallResult::illegal_address}, std::pair{"assert", CallResult::device_assert},
        std::pair{"trap", CallResult::launch_failure}}) {
    SCOPED_TRACE(word);
    const trace::Run found = run("stream A nonblocking\nA: callback 1us\nA: spin 100us\nA: fault " + std::string(word) +
                                 "\nA: callback 20us\nA: hostfn 20us\nhost: sync A\nA: callback 5us\nhost: sync A\n");
    const std::vector<trace::Span>& spans = found.trace.spans;
    ASSERT_GE(spans.size(), 8u);
    const bool called = error != CallResult::device_assert;
    EXPECT_TRUE(ran(spans[0]));
    EXPECT_EQ(spans[0].result, CallResult::success);
    EXPECT_EQ(ran(spans[3]), called);
    EXPECT_EQ(spans[3].result, called ? error : CallResult::success);
    EXPECT_FALSE(ran(spans[4]));
    EXPECT_FALSE(ran(spans[6]));
    EXPECT_EQ(spans[6].result, error) << "of its call";
    const auto left = trace::sticky_error(found.trace);
    ASSERT_TRUE(left);
    EXPECT_EQ(left->told, spans[5].host_end) << "a callback's status is no call's result";
    EXPECT_EQ(left->calls, spans.size() - 5);
  }
}

// Behind an error that sticks no call waits for them, and what they write is read and freed.
TEST(Faults, HostFunctionsThatHaveBegunAreWaitedFor) {
  const program::Program program = tests::program_of("stream A\nA: hostfn 5ms\nA: hostfn 5ms\n");
  const std::atomic<bool> abandoned = false;
  HostFunctions functions(program, slots_of(program), abandoned, host_now);
  HostFunctionCall& call = functions.calls()[0];
  std::thread of_cuda([&] { run_host_function(&call); });
  while (!known(call.begin)) std::this_thread::yield();
  functions.wait_for_running();
  EXPECT_TRUE(known(call.end));
  EXPECT_FALSE(known(functions.calls()[1].begin)) << "those that have not are not";
  of_cuda.join();
  functions.start_over();
  EXPECT_FALSE(known(call.begin) || known(call.end));
}

TEST(Faults, ABadLaunchLeavesTheDeviceAndTheProcess) {
  const trace::Run found =
      run("buffer x 64KiB\nstream A nonblocking\nA: h2d x\nA: fault launch-config\nhost: lasterror peek\nhost: "
          "lasterror\nhost: lasterror\nA: axpb x fma=3\nA: d2h x\nhost: sync A\n");
  const std::vector<trace::Span>& spans = found.trace.spans;
  ASSERT_EQ(spans.size(), 9u);
  for (const std::size_t failed : {1, 2, 3}) EXPECT_EQ(spans[failed].result, CallResult::invalid_value);
  for (const std::size_t fine : {0, 4, 5, 6, 7}) EXPECT_EQ(spans[fine].result, CallResult::success) << fine;
  EXPECT_FALSE(ran(spans[1]));
  EXPECT_TRUE(ran(spans[5]) && ran(spans[6]));
  EXPECT_EQ(found.runs, 3) << "as often as others";
  EXPECT_EQ(found.verified, true);
}

TEST(Faults, AHostFunctionWhoseCallFailedNeverRan) {
  for (const device::Instrument instrument : {device::Instrument::full, device::Instrument::calls}) {
    fake_cuda::reset();
    const program::Program program = tests::program_of(
        "stream A nonblocking\nA: fault launch-config\nA: callback 5us\nA: hostfn 5us\nA: spin 10us\nhost: sync A\n");
    const auto context = contract::opened();
    const auto loaded = CudaProgram::load(context, program, {});
    ASSERT_TRUE(loaded) << loaded.error().message;
    fake_cuda::fail_call("cudaStreamAddCallback", 1, cudaErrorMemoryAllocation);
    fake_cuda::fail_call("cudaLaunchHostFunc", 2, cudaErrorMemoryAllocation);  // behind the one that wakes the thread
    const auto pass = (*loaded)->run(instrument, {});
    ASSERT_TRUE(pass) << pass.error().message;
    for (const std::size_t failed : {1, 2}) {
      EXPECT_EQ(pass->spans[failed].result, CallResult::memory_allocation) << failed;
      EXPECT_FALSE(known(pass->spans[failed].start) || known(pass->spans[failed].end)) << failed;
    }
    EXPECT_EQ(known(pass->spans[3].end), instrument == device::Instrument::full) << "the stream goes on";
  }
}

TEST(Faults, TakeTheOtherDevicesAlong) {
  fake_cuda::reset();
  const program::Program program = tests::program_of(
      "stream A nonblocking\nstream C device=1 nonblocking\nC: spin 5ms\nA: fault trap\nhost: sync A\nhost: sync C\nC: "
      "spin 1us\nhost: device 1\nhost: sync device\n");
  fake_cuda::gpus({{}, {}});
  const auto loaded = CudaProgram::load(contract::opened_for(program), program, {.own_process = true});
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto pass = (*loaded)->run(device::Instrument::full, {});
  ASSERT_TRUE(pass) << pass.error().message;
  for (const std::size_t failed : {2, 3, 4, 6})
    EXPECT_EQ(pass->spans[failed].result, CallResult::launch_failure) << failed;
  EXPECT_EQ(pass->spans[5].result, CallResult::success);
  EXPECT_TRUE(known(pass->spans[0].start));
  EXPECT_EQ(pass->spans[0].end + pass->spans[0].uncertainty, pass->spans[2].host_end) << "when it ended nobody knows";
}

// What was not seen to end had ended when it returned.
TEST(Reset, OfADeviceThatLivesBoundsWhatIsNotKnown) {
  const trace::Run found =
      run("buffer x 64KiB\nstream A nonblocking\nA: spin 100us\nA: h2d x\nhost: reset\nhost: create-stream B\nB: spin "
          "50us\nhost: sync B\n");
  const std::vector<trace::Span>& spans = found.trace.spans;
  ASSERT_EQ(spans.size(), 7u);
  for (const trace::Span& span : spans) EXPECT_EQ(span.result, CallResult::success) << span.line;
  EXPECT_EQ(spans[0].source, trace::Source::stamp);
  EXPECT_GE(spans[2].host_end, spans[0].end - spans[0].uncertainty) << "it waits";
  EXPECT_LE(spans[1].end, spans[2].host_end);
  EXPECT_EQ(spans[4].source, trace::Source::inferred) << "no stamp is written behind a reset";
  EXPECT_GE(spans[4].start, spans[4].host_end);
  EXPECT_EQ(spans[4].end, spans[5].host_end);
  EXPECT_EQ(spans[4].uncertainty, spans[4].end - spans[4].start);
}

TEST(Faults, AreObservedInOnePassWithoutCuptiSamplesOrAGate) {
  fake_cuda::reset();
  const program::Program program = tests::program_of("stream A\nA: fault trap\n");
  const auto loaded = CudaProgram::load(contract::opened_for(program), program, {.own_process = true});
  ASSERT_TRUE(loaded) << loaded.error().message;
  for (const device::Instrument instrument : {device::Instrument::sampled, device::Instrument::cupti})
    EXPECT_FALSE((*loaded)->can(instrument));
  device::PassRequest gated;
  gated.gate = true;
  EXPECT_FALSE((*loaded)->can(gated));
  EXPECT_TRUE((*loaded)->run(device::Instrument::calls, {}));
  const auto again = (*loaded)->run(device::Instrument::calls, {});
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().message.find("in a new one"), std::string::npos) << again.error().message;
}

}  // namespace
}  // namespace streamscope::cuda
