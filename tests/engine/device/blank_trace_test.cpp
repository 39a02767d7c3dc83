// The part of a trace that every device fills alike.
#include "engine/device/blank_trace.h"

#include <gmock/gmock.h>

#include "engine/program/program.h"
#include "tests/support/program_of.h"

namespace streamscope::device {
namespace {

TEST(BlankTrace, NamesStreamsAndThreadsComeFromTheProgram) {
  program::Program program;
  program.streams = {{"default"}, {"per-thread"}, {"A", true, -3}};
  program.buffers = {{"x", 1024}};
  const program::Range all{BufferId{0}, 0, 1024};
  program.operations = {{program::op::Copy{program::Direction::h2d, all, all}, StreamId{2}, {}, 3},
                        {program::op::Copy{program::Direction::d2h, all, all, true}, {}, {}, 4},
                        {program::op::Copy{program::Direction::h2d, all, all}, StreamId{1}, {}, 5},
                        {program::op::SyncDevice{}, {}, {}, 0}};
  trace::Provenance provenance;
  provenance.device = "here";
  const trace::Trace frame = frame_of(program, provenance);
  EXPECT_EQ(frame.provenance.device, "here");
  EXPECT_EQ(frame.threads, std::vector<std::string>{"main"});
  ASSERT_EQ(frame.streams.size(), 3u);
  EXPECT_TRUE(frame.streams[2].nonblocking);
  EXPECT_EQ(frame.streams[2].priority, -3);
  EXPECT_TRUE(frame.spans.empty());

  const std::vector<trace::Span> spans = blank_spans(program, frame);
  ASSERT_EQ(spans.size(), 4u);
  for (std::size_t i = 0; i < spans.size(); ++i) {
    EXPECT_EQ(spans[i].operation, i);
    EXPECT_EQ(spans[i].line, program.operations[i].line);
    EXPECT_EQ(frame.names[spans[i].name], program::label(program, program.operations[i].work));
    EXPECT_FALSE(known(spans[i].start));
  }
  EXPECT_EQ(spans[0].stream, 2u);
  EXPECT_EQ(spans[1].stream, kLegacyStream.value);  // a blocking copy works in the legacy default stream
  EXPECT_EQ(spans[3].stream, trace::Span::kNoStream);
  EXPECT_EQ(spans[0].name, spans[2].name);
  EXPECT_EQ(spans[0].engine, Engine::h2d);
  EXPECT_EQ(spans[1].engine, Engine::d2h);
  EXPECT_EQ(spans[0].bytes, 1024u);
}

TEST(BlankTrace, AnOperationIsOnItsStreamsDevice) {
  program::Program program =
      tests::program_of("buffer x 1KiB\nstreams S 2\nS0: h2d x\nS1: h2d x\nhost: memcpy d2h x\n");
  EXPECT_EQ(program::device_count(program), 1u);
  program.streams[3].device = DeviceId{1};
  program.buffers[0].device = DeviceId{2};
  EXPECT_EQ(program::device_count(program), 3u);
  const trace::Trace frame = frame_of(program, {});
  EXPECT_EQ(frame.streams[3].device, 1u);
  const std::vector<trace::Span> spans = blank_spans(program, frame);
  EXPECT_EQ(spans[0].device, 0);
  EXPECT_EQ(spans[1].device, 1);
  EXPECT_EQ(spans[2].device, 2) << "a blocking copy has no stream of its own: its buffer's";
  EXPECT_EQ(spans[3].device, 0) << "the host's synchronisation";
}

}  // namespace
}  // namespace streamscope::device
