// The ideas of tests/ideas on a real GPU: what they say of spans must be so there, too. What they say in words is the
// model's run's to show.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "engine/measure/measure.h"
#include "engine/remote/own_process.h"
#include "tests/gpu/gpu.h"
#include "tests/ideas/idea.h"

namespace streamscope::cuda {
namespace {

// One pass behind a warm-up, every block recording; what takes its process along has a process of its own.
Result<trace::Run> run_on_gpu(const program::Program& program, const std::string& text) {
  const auto device = TRY(open_cuda_device(0));
  measure::MeasureOptions options;
  options.observer_effect = options.serial = options.verify = false;
  options.stages_of = 1;
  if (!remote::needs_own_process(program, device->info(), options)) {
    auto run = TRY(measure::measure(*device, program, options, {}));
    run.program = text;
    return run;
  }
  remote::message::StartRun request;
  request.id = 1;
  request.device = "cuda:0";
  request.program = text;
  request.options = options;
  return remote::run_alone(request, {}, {}, {STREAMSCOPE_PROGRAM});
}

struct IdeaOnGpu : Gpu, testing::WithParamInterface<ideas::Idea> {};

TEST_P(IdeaOnGpu, IsSeenThere) {
  const ideas::Idea& idea = GetParam();
  const ideas::Shown run(idea.program, run_on_gpu);
  if (run.refused()) GTEST_SKIP() << "skipped: the check refuses it, and nothing runs";
  if (!run.wrong().empty() && run.why() == ErrorKind::no_device) GTEST_SKIP() << "skipped: " << run.wrong();
  ASSERT_EQ(run.wrong(), "") << idea.title;
  const ideas::Shown shown = run.without_words();
  EXPECT_EQ(idea.holds(shown.observation(), shown).wrong, "") << idea.title << "\n" << shown.account();
  if (!HasFailure() && ideas::lie_seen(idea, shown).empty()) GTEST_SKIP() << "skipped: it rests on words alone";
}

INSTANTIATE_TEST_SUITE_P(Ideas, IdeaOnGpu, testing::ValuesIn(ideas::all_ideas()), [](const auto& of) {
  std::string name = of.param.ids.front();
  std::ranges::replace(name, '.', '_');
  return name;
});

}  // namespace
}  // namespace streamscope::cuda

namespace streamscope::ideas {
void PrintTo(const Idea& one, std::ostream* out);
void PrintTo(const Idea& one, std::ostream* out) { *out << one.title; }
}  // namespace streamscope::ideas
