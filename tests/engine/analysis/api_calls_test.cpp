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
  EXPECT_THAT(calls.by_name,
              ElementsAre(Count{"cudaStreamQuery", 12}, Count{"cudaMemcpyAsync", 4}, Count{"cudaLaunchKernel", 2},
                          Count{"cudaDeviceSynchronize", 1}, Count{"cudaEventRecord", 1},
                          Count{"cudaLaunchHostFunc", 1}, Count{"cudaMemcpy", 1}));
  EXPECT_EQ(api_calls_text(calls),
            "22 (cudaStreamQuery 12, cudaMemcpyAsync 4, cudaLaunchKernel 2, cudaDeviceSynchronize 1, "
            "cudaEventRecord 1, cudaLaunchHostFunc 1, cudaMemcpy 1)");
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
  EXPECT_THAT(api_calls(trace).by_name, ElementsAre(Count{"cudaGraphLaunch", 1}));
}

TEST(ApiCalls, ATraceOfAnotherToolHasNone) {
  trace::Trace trace = output_test::small_run().trace;
  trace.packed = std::make_shared<const trace::PackedSpans>(std::exchange(trace.spans, {}));
  EXPECT_EQ(api_calls(trace).total, 0U);
  EXPECT_EQ(api_calls_text(api_calls(trace)), "none");
}

}  // namespace
}  // namespace streamscope::analysis
