// What must hold between the spans of any program, on programs made at random from fixed seeds.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/device/model/host/host_call.h"
#include "engine/program/order/in_one_stream.h"
#include "engine/program/order/order.h"
#include "engine/reconstruct/contradictions.h"
#include "tests/engine/model/author.h"
#include "tests/engine/model/simulated.h"

namespace streamscope::model {
namespace {

bool on_device(const program::Operation& operation) { return program::ordered_in(operation).has_value(); }

struct RandomPrograms : ::testing::TestWithParam<std::uint32_t> {
  static Profile profile() {
    Profile profile = h200();
    switch (GetParam() % 4) {
      case 1:
        profile.copies.engines = 1;
        profile.copies.queue = CopyQueue::issue;
        break;
      case 2:
        profile.compute.multiprocessors = 3;
        profile.streams.queue_depth = 4;
        break;
      case 3: profile.copies.engines = 1; break;
      default: break;
    }
    return profile;
  }
  const std::string text = Author(GetParam()).write(400);
};

TEST_P(RandomPrograms, EverySpanIsWholeAndInOrder) {
  const auto run = simulate(text, profile());
  ASSERT_EQ(run.spans.size(), run.program.operations.size());
  Nanoseconds host = 0;
  for (std::size_t i = 0; i < run.spans.size(); ++i) {
    const trace::Span& span = run[i];
    SCOPED_TRACE(program::describe(run.program, static_cast<OperationIndex>(i)));
    EXPECT_EQ(span.operation, i);
    EXPECT_EQ(span.source, trace::Source::model);
    EXPECT_EQ(span.host_begin, host);  // one host thread, never idle by itself
    EXPECT_LE(span.host_begin, span.host_end);
    host = span.host_end;
    EXPECT_LE(span.host_begin, span.ready);
    EXPECT_LE(span.ready, span.start);
    EXPECT_LE(span.start, span.end);
    EXPECT_TRUE(span.waits_for == kNoOperation || span.waits_for < run.spans.size());
    if (span.reason == trace::WaitReason::engine) {
      EXPECT_LT(span.ready, span.start);
    }
  }
  EXPECT_EQ(run.spans.front().host_begin, 0);
  EXPECT_EQ(run.wall, host);
}

TEST_P(RandomPrograms, EveryDependencyIsHonoured) {
  const auto run = simulate(text, profile());
  const program::Dependencies dependencies(run.program);
  int edges = 0;
  for (OperationIndex i = 0; i < run.spans.size(); ++i) {
    for (const program::Dependency& dependency : dependencies.of(i)) {
      SCOPED_TRACE(program::describe(run.program, i) + " after " + program::describe(run.program, dependency.on));
      ++edges;
      if (on_device(run.program.operations[i])) {
        EXPECT_GE(run[i].ready, run[dependency.on].end);
      } else {
        EXPECT_GE(run[i].host_end, run[dependency.on].end);
      }
    }
  }
  EXPECT_GT(edges, 200);
}

TEST_P(RandomPrograms, NoTimesContradictEachOther) {
  const auto run = simulate(text, profile());
  EXPECT_EQ(reconstruct::find_contradictions(run.program, program::Dependencies(run.program), run.spans).size(), 0u);
}

TEST_P(RandomPrograms, InOneStreamNothingRunsBesideAnything) {
  const program::Program program = tests::program_of(text);
  const auto serial = program::in_one_stream(program);
  ASSERT_TRUE(serial);
  const auto run = simulate(*serial, profile());
  const auto work_of = [](const std::vector<trace::Span>& spans) {
    std::vector<trace::Span> work;
    std::copy_if(spans.begin(), spans.end(), std::back_inserter(work), trace::device_work);
    return work;
  };
  std::vector<trace::Span> work = work_of(run.spans);
  EXPECT_EQ(work.size(), work_of(simulate(text, profile()).spans).size()) << "none is lost";
  std::sort(work.begin(), work.end(), [](const trace::Span& a, const trace::Span& b) { return a.start < b.start; });
  for (std::size_t i = 1; i < work.size(); ++i) EXPECT_GE(work[i].start, work[i - 1].end) << work[i].line;
}

// Rules 1 to 3 and 5 once more, worked out here from the program alone.
TEST_P(RandomPrograms, StreamsAndTheLegacyBarrierHoldWithoutAskingDependencies) {
  const auto run = simulate(text, profile());
  std::vector<Nanoseconds> stream_end(run.program.streams.size(), 0);
  Nanoseconds blocking_end = 0;
  std::map<OperationIndex, Nanoseconds> recorded;
  for (OperationIndex i = 0; i < run.spans.size(); ++i) {
    const program::Operation& operation = run.program.operations[i];
    const auto stream = program::ordered_in(operation);
    if (std::holds_alternative<program::op::SyncDevice>(operation.work) ||
        std::holds_alternative<program::op::Free>(operation.work)) {
      EXPECT_GE(run[i].host_end, *std::max_element(stream_end.begin(), stream_end.end()));
    }
    if (!stream) continue;
    SCOPED_TRACE(program::describe(run.program, i));
    EXPECT_GE(run[i].start, stream_end[stream->value]);
    if (*stream == kLegacyStream) {
      EXPECT_GE(run[i].start, blocking_end);
    } else if (!run.program.streams[stream->value].nonblocking) {
      EXPECT_GE(run[i].start, stream_end[kLegacyStream.value]);
    }
    if (const auto* wait = std::get_if<program::op::Wait>(&operation.work);
        wait != nullptr && wait->record != kNoOperation) {
      EXPECT_GE(run[i].start, run[wait->record].end);
    }
    stream_end[stream->value] = std::max(stream_end[stream->value], run[i].end);
    if (!run.program.streams[stream->value].nonblocking) blocking_end = std::max(blocking_end, run[i].end);
  }
}

TEST_P(RandomPrograms, OneCopyAtATimeOnEachEngine) {
  Profile used = profile();
  used.copies.inlined = used.copies.by_host = 0;  // copies that travel with the commands go beside others
  const auto run = simulate(text, used);
  std::map<Engine, std::vector<trace::Span>> copies;
  for (const trace::Span& span : run.spans) {
    if (span.engine != Engine::h2d && span.engine != Engine::d2h) continue;
    if (goes_with_commands(used, run.program, run.program.operations[span.operation].work, false)) continue;
    copies[used.copies.engines == 1 ? Engine::h2d : span.engine].push_back(span);
  }
  for (auto& [engine, spans] : copies) {
    ASSERT_GT(spans.size(), 10u);
    std::sort(spans.begin(), spans.end(), [](const trace::Span& a, const trace::Span& b) { return a.start < b.start; });
    for (std::size_t i = 1; i < spans.size(); ++i) EXPECT_GE(spans[i].start, spans[i - 1].end) << name(engine);
  }
}

TEST_P(RandomPrograms, TwoRunsAreTheSameAndSoIsABareOne) {
  const program::Program program = tests::program_of(text);
  const auto device = make_model(profile());
  const auto loaded = device->load(program, {});
  ASSERT_TRUE(loaded);
  const auto first = (*loaded)->run(device::Instrument::full, {});
  const auto second = (*loaded)->run(device::Instrument::full, {});
  const auto bare = (*loaded)->run(device::Instrument::bare, {});
  ASSERT_TRUE(first && second && bare);
  EXPECT_EQ(first->spans, second->spans);
  EXPECT_EQ(first->wall, second->wall);
  EXPECT_EQ(first->wall, bare->wall);
  EXPECT_TRUE(bare->spans.empty());
}

TEST_P(RandomPrograms, TheInstrumentThatCountsCallsSeesThoseOfAFullRun) {
  const program::Program program = tests::program_of(text);
  const auto device = make_model(profile());
  const auto loaded = device->load(program, {});
  ASSERT_TRUE(loaded);
  const auto full = (*loaded)->run(device::Instrument::full, {});
  const auto calls = (*loaded)->run(device::Instrument::calls, {});
  ASSERT_TRUE(full && calls);
  ASSERT_EQ(full->spans.size(), calls->spans.size());
  for (std::size_t i = 0; i < calls->spans.size(); ++i) {
    const trace::Span &seen = calls->spans[i], &whole = full->spans[i];
    EXPECT_FALSE(known(seen.ready) || known(seen.start) || known(seen.end)) << i;
    EXPECT_EQ(seen.polls, whole.polls) << i;
    const bool called = seen.launch == kNoOperation;
    EXPECT_EQ(seen.host_begin, called ? whole.host_begin : kAbsent) << i;
    EXPECT_EQ(seen.host_end, called ? whole.host_end : kAbsent) << i;
  }
}

TEST_P(RandomPrograms, EverySpanIsSentOnceAsItIsInTheEnd) {
  const program::Program program = tests::program_of(text);
  const auto device = make_model(profile());
  const auto loaded = device->load(program, {});
  ASSERT_TRUE(loaded);
  std::map<OperationIndex, trace::Span> sent;
  device::RunControl control;
  control.on_spans = [&](std::span<const trace::Span> spans) {
    for (const trace::Span& span : spans) EXPECT_TRUE(sent.emplace(span.operation, span).second) << span.operation;
  };
  const auto pass = (*loaded)->run(device::Instrument::full, control);
  ASSERT_TRUE(pass);
  ASSERT_EQ(sent.size(), pass->spans.size());
  for (const trace::Span& span : pass->spans) EXPECT_EQ(sent.at(span.operation), span);
}

TEST(ManyRandomPrograms, HaveNoTimesThatContradictEachOther) {
  const Profile profile = h200();
  for (std::uint32_t seed = 1'000; seed < 2'000; ++seed) {
    const auto run = simulate(Author(seed).write(60), profile);
    const auto found = reconstruct::find_contradictions(run.program, program::Dependencies(run.program), run.spans);
    EXPECT_EQ(found.size(), 0u) << seed << ": " << (found.empty() ? "" : contradiction_text(found, run.spans));
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPrograms, ::testing::Range(0u, 12u));

}  // namespace
}  // namespace streamscope::model
