// The calls of a program by name, on a run made by hand.
#include "engine/analysis/api_calls.h"

#include <gmock/gmock.h>

#include "engine/trace/packed_spans.h"
#include "tests/support/output_run.h"

namespace streamscope::analysis {
namespace {

using ::testing::ElementsAre;
using Count = ApiCalls::Count;

// Work of the host is no call of CUDA; the poll asked twelve times.
TEST(ApiCalls, EachOperationIsOneCallAndAPollAsManyAsItAsked) {
  const ApiCalls calls = api_calls(output_test::small_run().trace);
  EXPECT_EQ(calls.total, 22U);
  EXPECT_THAT(calls.by_name, ElementsAre(Count{"cudaStreamQuery", 12, 84'900}, Count{"cudaMemcpyAsync", 4, 5'900},
                                         Count{"cudaLaunchKernel", 2, 3'500},
                                         Count{"cudaDeviceSynchronize", 1, 244'901}, Count{"cudaEventRecord", 1, 700},
                                         Count{"cudaLaunchHostFunc", 1, 1'000}, Count{"cudaMemcpy", 1, 76'500}));
  EXPECT_EQ(calls.time, 417'401);
  EXPECT_EQ(api_calls_text(calls),
            "22 in 417.4 us (cudaStreamQuery 12 in 84.9 us, cudaMemcpyAsync 4 in 5.9 us, cudaLaunchKernel 2 in 3.5 us, "
            "cudaDeviceSynchronize 1 in 244.9 us, cudaEventRecord 1 in 700 ns, cudaLaunchHostFunc 1 in 1 us, "
            "cudaMemcpy 1 in 76.5 us)");
}

TEST(ApiCalls, CopiesOfRowsHaveACallOfTheirOwn) {
  trace::Trace trace;
  trace.names = {"H2D"};
  trace.spans.resize(2);
  for (trace::Span& span : trace.spans) span.kind = OperationKind::h2d;
  trace.spans[1].rows = 16;
  EXPECT_EQ(call_name(trace.spans[0]), "cudaMemcpyAsync");
  EXPECT_EQ(call_name(trace.spans[1]), "cudaMemcpy2DAsync");
}

TEST(ApiCalls, ACallWaitedWhereItCameBackBehindWhatItWaitsFor) {
  trace::Trace trace = output_test::small_run().trace;
  std::vector<OperationIndex> waited;
  for (const trace::Span& span : trace.spans)
    if (call_waited(span)) waited.push_back(span.operation);
  EXPECT_THAT(waited, ElementsAre(8, 9, 11)) << "the poll, the blocking copy, the synchronisation";
  trace.spans[9].end = trace.spans[9].host_end + trace.spans[9].uncertainty;
  EXPECT_TRUE(call_waited(trace.spans[9])) << "as far as can be known";
  ++trace.spans[9].end;
  EXPECT_FALSE(call_waited(trace.spans[9])) << "staged, and on its way";
  trace.spans[9].end = kAbsent;
  EXPECT_FALSE(call_waited(trace.spans[9])) << "not known";
}

TEST(ApiCalls, AGraphIsOneCallHoweverManyNodesItHas) {
  trace::Trace trace;
  trace.names = {"cudaGraphLaunch", "axpb"};
  trace.spans.resize(3);
  trace.spans[0].kind = OperationKind::launch;
  for (const std::size_t node : {1U, 2U}) {
    trace.spans[node].kind = OperationKind::kernel;
    trace.spans[node].name = 1;
    trace.spans[node].launch = 0;
  }
  EXPECT_THAT(api_calls(trace).by_name, ElementsAre(Count{"cudaGraphLaunch", 1, 0}));
}

TEST(ApiCalls, ATraceOfAnotherToolHasNone) {
  trace::Trace trace = output_test::small_run().trace;
  trace.packed = std::make_shared<const trace::PackedSpans>(std::exchange(trace.spans, {}));
  EXPECT_EQ(api_calls(trace).total, 0U);
  EXPECT_EQ(api_calls_text(api_calls(trace)), "none");
}

TEST(FailedCalls, AreCountedWithTheFirstOfThemAndWhatNeverRan) {
  trace::Trace trace = output_test::small_run().trace;
  EXPECT_EQ(failed_calls_text(trace), "");
  EXPECT_EQ(nothing_ran_text(trace), "Nothing ran on the device, so there is nothing to explain.");
  trace.spans.resize(4);
  for (trace::Span& span : trace.spans) span.result = CallResult::success;
  trace.spans[0].result = CallResult::not_ready;
  EXPECT_EQ(failed_calls_text(trace), "") << "that work is not ready is an answer";
  trace.spans[3].result = CallResult::illegal_address;
  trace.spans[3].line = 6;
  EXPECT_EQ(failed_calls_text(trace), "1 call failed, on line 6 with cudaErrorIllegalAddress");
  EXPECT_EQ(nothing_ran_text(trace),
            "Nothing ran on the device: 1 call failed, on line 6 with cudaErrorIllegalAddress.");
  trace.spans[2].engine = Engine::d2h;
  trace.spans[2].start = trace.spans[2].end = kAbsent;
  trace.spans[1].result = CallResult::launch_failure;
  trace.spans[1].line = 0;
  trace.spans[1].host_begin = trace.spans[3].host_begin + 1;
  EXPECT_EQ(failed_calls_text(trace),
            "2 calls failed, the first on line 6 with cudaErrorIllegalAddress; 1 operation never ran");
  trace.spans[1].host_begin = trace.spans[3].host_begin - 1;
  EXPECT_THAT(failed_calls_text(trace),
              ::testing::StartsWith("2 calls failed, the first with cudaErrorLaunchFailure;"));
}

TEST(StickyError, IsToldWithTheKernelThatLeftIt) {
  trace::Trace trace = output_test::small_run().trace;
  EXPECT_EQ(sticky_error_text(trace), "");
  trace.spans.resize(4);
  for (trace::Span& span : trace.spans) span.result = CallResult::success;
  trace.spans[1].result = CallResult::invalid_configuration;
  EXPECT_EQ(sticky_error_text(trace), "") << "it does not stick";
  trace.spans[0].kind = OperationKind::fault;
  trace.spans[0].line = 6;
  trace.spans[0].start = 1'000'000;
  trace.spans[2].result = CallResult::illegal_address;
  trace.spans[2].host_end = 5'000'000;
  trace.spans[3].kind = OperationKind::reset;
  trace.spans[3].host_end = 7'000'000;
  EXPECT_EQ(sticky_error_text(trace),
            "cudaErrorIllegalAddress, by 1 call from 5 ms on, 4 ms after the kernel of line 6 began; from 7 ms on "
            "there is no device (cudaErrorDevicesUnavailable)");
  trace.other_devices = {trace.provenance};
  trace.spans[0].device = 1;
  EXPECT_THAT(sticky_error_text(trace), ::testing::HasSubstr("kernel of line 6 began on device 1; from 7 ms"));
  trace.other_devices.clear();
  trace.spans[2].kind = OperationKind::reset;
  trace.spans[2].result = CallResult::success;
  trace.spans[3].kind = OperationKind::sync;
  trace.spans[3].result = CallResult::devices_unavailable;
  EXPECT_EQ(sticky_error_text(trace),
            "cudaErrorDevicesUnavailable, by 1 call from 7 ms on, 6 ms after the kernel of line 6 began; from 5 ms on "
            "there is no device (cudaErrorDevicesUnavailable)")
      << "the reset took the error";
  trace.spans[0].start = kAbsent;
  EXPECT_EQ(sticky_error_text(trace), "") << "no kernel failed";
}

}  // namespace
}  // namespace streamscope::analysis
