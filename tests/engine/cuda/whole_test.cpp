// Where nothing fails: spans that keep CUDA's rules, data that is right, and nothing left over, run after run.
#include <algorithm>

#include "tests/engine/cuda/contract.h"
#include "tests/gpu/gpu.h"

namespace streamscope::cuda {
namespace {

class Whole : public contract::Contract {
 protected:
  void expect_sane_spans(const device::Pass& pass) const {
    Measured run{program_, pass};
    // With a gate the wall interval begins where it opens, and the spans' zero is the first call before.
    if (request().gate) run.pass.wall = pass.spans.back().host_end;
    // A thread that looks on sees the fake's clock jump where the run waits: such a time is as uncertain as it says.
    std::uint32_t uncertain = 0;
    for (const trace::Span& span : pass.spans) {
      uncertain = std::max({uncertain, span.ready_uncertainty, span.start_uncertainty, span.uncertainty});
    }
    run.pass.clock_uncertainty += uncertain;
    expect_sane(run);
  }
};

TEST_P(Whole, RunsAreSaneAndTheirDataRight) {
  fresh();
  {
    contract::Way way = contract::go(contract::opened_for(program_), program_, request(), 3);
    ASSERT_FALSE(way.error) << way.error->message;
    EXPECT_EQ(way.verified, true) << testing::PrintToString(trace::texts(way.loaded->notes()));
    for (const device::Pass& pass : way.passes) {
      EXPECT_GT(pass.wall, 0);
      const device::Instrument instrument = request().instrument;
      EXPECT_EQ(pass.spans.size(), instrument == device::Instrument::full ? program_.operations.size() : 0u);
      EXPECT_EQ(pass.observed.size(), instrument == device::Instrument::bare ? 0u : program_.operations.size());
      if (instrument == device::Instrument::full) {
        EXPECT_GT(pass.clock_uncertainty, 0);
        // The tie of the clocks is left out between two times of the device's clock, so each has to hold it.
        for (const trace::Span& span : pass.spans) {
          if (span.start_source != trace::Source::stamp) continue;
          EXPECT_GE(span.start_uncertainty, pass.clock_uncertainty) << "operation " << span.operation;
        }
        expect_sane_spans(pass);
      }
    }
    contract::expect_nothing_held();
    EXPECT_EQ(fake_cuda::ended_by_limit(), 0u) << "a kernel that waits for the host waited in vain";
  }
  contract::expect_nothing_left();
  EXPECT_EQ(fake_cuda::first_failure(), std::nullopt) << fake_cuda::first_failure()->name;
}

// Where there are cores for it, threads look on while the run goes on: the same holds.
TEST_P(Whole, RunsAreSaneWithThreadsThatLookOn) {
  fresh();
  {
    contract::Way way = contract::go(contract::opened_for(program_, 8), program_, request(), 20);
    ASSERT_FALSE(way.error) << way.error->message;
    EXPECT_EQ(way.verified, true) << testing::PrintToString(trace::texts(way.loaded->notes()));
    if (request().instrument == device::Instrument::full) {
      for (const device::Pass& pass : way.passes) expect_sane_spans(pass);
    }
    contract::expect_nothing_held();
    EXPECT_EQ(fake_cuda::ended_by_limit(), 0u) << "a kernel that waits for the host waited in vain";
  }
  contract::expect_nothing_left();
}

// A part of them where each step of memory is checked, too, and what is lost is seen anyway.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kManyPasses = 100;
#else
constexpr int kManyPasses = 1000;
#endif

TEST_P(Whole, AThousandPassesTakeNoMoreThanTwo) {
  fresh();
  {
    contract::Way way = contract::go(contract::opened_for(program_), program_, request(), 2);
    ASSERT_FALSE(way.error) << way.error->message;
    const fake_cuda::Live after_two = fake_cuda::live();
    std::size_t calls = 0;
    for (int i = 3; i <= kManyPasses; ++i) {
      const std::size_t before = fake_cuda::calls();
      const auto pass = way.loaded->run(request(), {});
      ASSERT_TRUE(pass) << pass.error().message;
      const std::size_t these = fake_cuda::calls() - before;
      if (i > 3) {
        ASSERT_EQ(these, calls) << "pass " << i << " makes other calls than the one before";
      }
      calls = these;
    }
    EXPECT_EQ(fake_cuda::live(), after_two) << fake_cuda::describe(fake_cuda::live());
    const auto verified = way.loaded->verify();
    ASSERT_TRUE(verified) << verified.error().message;
    EXPECT_EQ(*verified, true);
  }
  contract::expect_nothing_left();
}

STREAMSCOPE_CONTRACT(Whole);

}  // namespace
}  // namespace streamscope::cuda
