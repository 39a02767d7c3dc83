// What was changed between two runs, in words.
#include "engine/analysis/changes.h"

#include <gmock/gmock.h>

namespace streamscope::analysis {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

trace::Run experiment(std::string toml) {
  trace::Run run;
  run.experiment = std::move(toml);
  run.program = run.experiment;  // another experiment is another program
  return run;
}
trace::Run typed(std::string program) {
  trace::Run run;
  run.program = std::move(program);
  return run;
}

TEST(Changes, NamesTheKeysWithTheirOldAndNewValues) {
  const trace::Run a =
      experiment("name = \"A\"\nstreams = 4\nchunk = \"16MiB\"\n\n[kernel]\nname = \"axpb\"\nfma = 2100\n");
  const trace::Run b =
      experiment("name = \"B\"\nstreams = 8\nchunk = \"16MiB\"\n\n[kernel]\nname = \"spin\"\nfma = 2100\n");
  EXPECT_THAT(changes(a, b), ElementsAre("streams 4 → 8", "kernel.name axpb → spin"));
  EXPECT_EQ(changes_text(changes(a, b)), "streams 4 → 8 · kernel.name axpb → spin");
  EXPECT_THAT(changes(a, a), IsEmpty());
  EXPECT_EQ(changes_text(changes(a, a)), "the same again");
}

TEST(Changes, OfTypedProgramsTheFirstLineAndTheirNumberAreGiven) {
  const std::string a = "stream A\nbuffer x 1MiB\nA: h2d x\nA: d2h x\n";
  EXPECT_THAT(changes(typed(a), typed("stream A\nbuffer x 2MiB\nA: h2d x\nA: d2h x\n")),
              ElementsAre("program line 2: buffer x 1MiB → buffer x 2MiB"));
  EXPECT_THAT(changes(typed(a), typed("stream A\nbuffer x 1MiB\nA: h2d x\nA: h2d x\nA: d2h x\n")),
              ElementsAre("program line 4: + A: h2d x"));
  EXPECT_THAT(changes(typed(a), typed("stream A\nbuffer x 1MiB\nA: h2d x\n")),
              ElementsAre("program line 4: - A: d2h x"));
  EXPECT_THAT(changes(typed(a), typed("stream B\nbuffer x 1MiB\nB: h2d x\nB: d2h x\n")),
              ElementsAre("program line 1: stream A → stream B", "4 lines from there on"));
  EXPECT_THAT(changes(typed(a), typed(a)), IsEmpty());
  EXPECT_THAT(changes(typed(""), typed("")), IsEmpty());
}

TEST(Changes, LongLinesAreCutBetweenCharacters) {
  const std::string words = std::string(31, 'x') + "é and further";
  EXPECT_THAT(changes(typed("a"), typed(words)), ElementsAre("program line 1: a → " + std::string(31, 'x') + "…"));
}

TEST(Changes, FromAnExperimentToATypedProgramIsAChangeOfText) {
  EXPECT_THAT(changes(experiment("streams = 4\n"), typed("stream A\n")),
              ElementsAre("program line 1: streams = 4 → stream A"));
}

TEST(Changes, DeviceInstrumentAndWhatIfsAreListed) {
  trace::Run a = typed("x"), b = typed("x");
  a.trace.provenance.device = b.trace.provenance.device = "NVIDIA H200";
  a.trace.provenance.kind = trace::Provenance::Kind::measured;
  b.trace.provenance.profile = "h200";
  EXPECT_THAT(changes(a, b), ElementsAre("device NVIDIA H200 → model of NVIDIA H200"));
  a = b;
  b.trace.provenance.profile = "h200, changed: copies.engines 1 (was 3)";
  EXPECT_THAT(changes(a, b), ElementsAre("what-if copies.engines 1 (was 3)"));
  EXPECT_THAT(changes(b, a), ElementsAre("what-ifs taken back"));
  a.trace.provenance.kind = b.trace.provenance.kind = trace::Provenance::Kind::measured;
  a.trace.provenance.profile = b.trace.provenance.profile = "";
  a.trace.provenance.instrument = "full";
  b.trace.provenance.instrument = "sampled";
  b.trace.provenance.share = 16;
  b.trace.provenance.gated = true;
  EXPECT_THAT(changes(a, b), ElementsAre("instrument full → " + trace::instrument_text(b.trace.provenance)));
}

}  // namespace
}  // namespace streamscope::analysis
