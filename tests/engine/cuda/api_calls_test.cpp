// What a trace says was called is what CUDA was called with: a bare run calls nothing else.
#include "engine/analysis/api_calls.h"

#include <map>

#include "tests/engine/cuda/contract.h"

namespace streamscope::cuda {
namespace {

using Calls = std::map<std::string, std::uint64_t>;

// By the fake's log; its kernels are launched under their own names. Without what lies around the run: a host function
// on each device before it, which wakes CUDA's thread for them, and what is given back after its last synchronisation.
// What chooses a device is left out; peer access is turned on and off in both directions and counts once.
bool chooses_device(std::string_view call) { return call == "cudaSetDevice" || call == "cudaGetDevice"; }
Calls called_in_the_run() {
  std::vector<std::string> log;
  for (std::size_t i = 1; i <= fake_cuda::calls(); ++i)
    if (const fake_cuda::Call call = fake_cuda::call(i); call.phase == "run" && !chooses_device(call.name))
      log.push_back(call.name.starts_with("kernels::") ? "cudaLaunchKernel" : call.name);
  while (!log.empty() && log.back() != "cudaDeviceSynchronize") log.pop_back();
  std::size_t begin = 0;
  while (begin + 1 < log.size() && log[begin] == "cudaLaunchHostFunc" && log[begin + 1] == "cudaStreamSynchronize")
    begin += 2;
  Calls out;
  for (std::size_t i = begin; i < log.size(); ++i) ++out[log[i]];
  for (auto& [name, count] : out) {
    if (name.ends_with("PeerAccess")) count /= 2;
  }
  return out;
}

Calls counted(const trace::Trace& trace) {
  Calls out;
  for (const analysis::ApiCalls::Count& each : analysis::api_calls(trace).by_name)
    if (!chooses_device(each.name)) out[each.name] = each.calls;
  return out;
}

contract::Way run_with(const program::Program& program, device::Instrument instrument) {
  fake_cuda::reset();
  fake_cuda::gpus(std::vector<fake_cuda::Gpu>(program::device_count(program)));
  fake_cuda::threads_issue(program.threads.size() > 1);
  return contract::go(contract::opened_for(program), program, instrument, 1);
}

TEST(ApiCallsOnFake, AreThoseOfABareRun) {
  for (const contract::Subject& subject : contract::kSubjects) {
    SCOPED_TRACE(subject.name);
    const program::Program program = contract::program_of(subject);
    trace::Trace trace;
    {
      const contract::Way full = run_with(program, device::Instrument::full);
      ASSERT_FALSE(full.error) << full.error->message;
      trace = full.loaded->frame();
      trace.spans = full.passes.front().spans;
    }
    const contract::Way bare = run_with(program, device::Instrument::bare);
    ASSERT_FALSE(bare.error) << bare.error->message;
    EXPECT_EQ(counted(trace), called_in_the_run());
  }
}

// It adds no call of its own, and sees nothing but the host's calls.
TEST(ApiCallsOnFake, TheInstrumentThatCountsThemAddsNone) {
  for (const contract::Subject& subject : contract::kSubjects) {
    SCOPED_TRACE(subject.name);
    const program::Program program = contract::program_of(subject);
    const contract::Way seen = run_with(program, device::Instrument::calls);
    ASSERT_FALSE(seen.error) << seen.error->message;
    trace::Trace trace = seen.loaded->frame();
    trace.spans = seen.passes.front().spans;
    EXPECT_EQ(counted(trace), called_in_the_run());
    ASSERT_EQ(trace.spans.size(), program.operations.size());
    for (const trace::Span& span : trace.spans) {
      const bool called = span.launch == kNoOperation;
      EXPECT_EQ(known(span.host_begin) && span.host_begin <= span.host_end, called) << span.operation;
      EXPECT_FALSE(known(span.ready) || known(span.start) || known(span.end)) << span.operation;
      EXPECT_EQ(span.polls > 0, span.kind == OperationKind::poll) << span.operation;
    }
  }
}

}  // namespace
}  // namespace streamscope::cuda
