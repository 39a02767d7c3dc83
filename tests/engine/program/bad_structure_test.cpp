// What is wrong with graphs, threads, shared memory and allocation in a stream.
#include "tests/engine/program/bad_input.h"

namespace streamscope::program {
namespace {

// Its statement is on line 6.
std::string in_graph(const std::string& body) {
  return "buffer x 1MiB\nstream A\nstream B\nevent e\ngraph G on A {\n" + body + "\n}\n";
}
// A graph that is right but for the statement on line 7.
std::string behind_spin(const std::string& body) { return in_graph(" A: spin 1us\n" + body); }

class OneStructureError : public ::testing::TestWithParam<Row> {};

TEST_P(OneStructureError, IsReportedOnceAtItsLocation) { expect_one_error(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Memory, OneStructureError,
    ::testing::Values(
        Row{"buffer m 1MiB host=managed\ndefault: h2d m",
            2,
            14,
            {"'m' is managed", "one allocation", "prefetch", "touch"}},
        Row{"buffer m 1MiB host=managed\ndefault: d2h m[0:4]", 2, 14, {"'m' is managed"}},
        Row{"buffer m 1MiB host=mapped\nhost: memcpy h2d m", 2, 18, {"'m' is mapped", "`host: touch m`"}},
        Row{"buffer m 1MiB host=maped", 1, 20, {"write-combined, mapped or managed", "did you mean 'mapped'?"}},
        Row{with_x("A: prefetch x to=device"), 3, 13, {"'x'", "not managed", "host=managed", "h2d"}},
        Row{"buffer m 1MiB host=mapped\ndefault: prefetch m to=host", 2, 19, {"not managed"}},
        Row{"buffer m 4 host=managed\ndefault: prefetch m", 2, 20, {"needs to=device"}},
        Row{"buffer m 4 host=managed\ndefault: prefetch m to=gpu", 2, 24, {"device or host", "'gpu'"}},
        Row{"host: prefetch m to=device", 1, 7, {"given to a stream"}},
        Row{with_x("A: malloc x 1MiB"), 3, 11, {"declared twice"}},
        Row{with_x("A: malloc t 1MiB\nA: h2d t"), 4, 8, {"'t' has no host side", "`buffer t 1MiB`"}},
        Row{with_x("A: malloc t 1MiB\nhost: touch t"), 4, 13, {"'t' has no host side"}},
        Row{with_x("A: malloc t 1MiB\nhost: free t\nA: free t"), 5, 9, {"freed twice"}},
        Row{with_x("host: malloc t 1MiB\nA: free t\nA: memset t 0"), 5, 11, {"used after line 4 freed it"}},
        Row{with_x("A: malloc t 1MiB\nA: free t\nA: memset t 0"), 5, 11, {"used after line 4 freed it"}},
        Row{with_x("A: malloc t 1MiB\nA: free t\nA: free t"), 5, 9, {"freed twice"}},
        Row{with_x("A: malloc t 1MiB\nA: malloc t 1MiB"), 4, 11, {"allocated already, in line 3"}},
        Row{with_x("A: free x"), 3, 9, {"lives for the whole run"}},
        Row{with_x("A: malloc t 0"), 3, 13, {"the size of an allocation"}}));

INSTANTIATE_TEST_SUITE_P(
    Graphs, OneStructureError,
    ::testing::Values(
        Row{"graph", 1, 6, {"a name to declare", "`graph G on A {`"}},
        Row{"graph G {\n}", 1, 9, {"expected 'on'", "'{'"}}, Row{"graph G on {\n}", 1, 12, {"expected"}},
        Row{with_x("graph G on A"), 3, 13, {"expected '{'", "the end of the line"}},
        Row{with_x("graph G on A {\nA: spin 1us"), 3, 1, {"never closed"}},
        Row{with_x("graph G on A {\n}"), 3, 1, {"nothing to launch"}},
        Row{with_x("graph G on Q {\nA: spin 1us\n}"), 3, 12, {"unknown stream 'Q'"}},
        Row{with_x("graph G on x {\nA: spin 1us\n}"), 3, 12, {"'x' is a buffer", "a stream"}},
        Row{with_x("graph G on default {\nA: spin 1us\n}"), 3, 12, {"legacy", "cannot be captured"}},
        Row{with_x("graph x on A {\nA: spin 1us\n}"), 3, 7, {"declared twice"}},
        Row{with_x("A: launch G"), 3, 11, {"unknown graph 'G'", "`graph G on A {`"}},
        Row{with_x("A: launch G\ngraph G on A {\nA: spin 1us\n}"), 3, 11, {"before line 4 declares it"}},
        Row{with_x("A: launch x"), 3, 11, {"'x' is a buffer", "expected a graph"}},
        Row{with_x("A: launch A"), 3, 11, {"'A' is a stream", "expected a graph"}},
        Row{with_x("grpah G on A {\nA: spin 1us\n}\nA: launch G"), 3, 1, {"did you mean 'graph'?"}},
        Row{behind_spin("default: spin 1us"), 7, 1, {"legacy default stream cannot be captured"}},
        Row{behind_spin("  B: spin 1us"), 7, 3, {"'B' has not joined", "`A: record fork`", "`B: wait fork`"}},
        Row{behind_spin("B: record f"), 7, 1, {"'B' has not joined"}},
        Row{behind_spin("host: sync A"), 7, 1, {"while they are captured"}},
        Row{behind_spin("host: poll e"), 7, 1, {"while they are captured"}},
        Row{behind_spin("host: memcpy h2d x"), 7, 1, {"legacy default stream", "`A: h2d x`"}},
        Row{behind_spin("host: work 1us"), 7, 1, {"not captured", "hostfn"}},
        Row{behind_spin("host: touch x"), 7, 1, {"not captured"}},
        Row{behind_spin("host: malloc t 4"), 7, 1, {"not allocated"}},
        Row{behind_spin("A: malloc t 4"), 7, 1, {"not allocated"}},
        Row{behind_spin("A: prefetch x to=device"), 7, 1, {"prefetch"}},
        Row{behind_spin("A: launch G"), 7, 1, {"cannot be launched in another"}},
        Row{behind_spin("buffer y 4"), 7, 1, {"work only"}}, Row{behind_spin("event f"), 7, 1, {"work only"}},
        Row{behind_spin("graph H on B {\nB: spin 1us\n}"), 7, 1, {"not captured in another"}},
        Row{behind_spin("thread T {\nB: spin 1us\n}"), 7, 1, {"does not start in a graph"}},
        Row{behind_spin("A: wait e"), 7, 9, {"no record of 'e'", "in the graph 'G'"}},
        Row{"stream A\nA: record e\ngraph G on A {\nA: spin 1us\nA: wait e\n}",
            5,
            9,
            {"recorded outside the graph 'G'"}},
        Row{"stream A\ngraph G on A {\nA: spin 1us\nA: record e\n}\nA: wait e", 6, 9, {"in a graph only (line 4)"}},
        Row{"stream A\ngraph G on A {\nA: spin 1us\nA: record e\n}\nhost: sync e", 6, 12, {"in a graph only (line 4)"}},
        Row{behind_spin("A: record f\nB: wait f\nB: spin 1us"),
            9,
            1,
            {"'B' is not joined back to 'A'", "`B: record join`"}},
        Row{behind_spin("A: record f\nB: wait f"), 8, 1, {"'B' is not joined back"}},
        Row{behind_spin("A: record f\nB: wait f\nB: record g\nA: wait g\nB: spin 1us"),
            11,
            1,
            {"'B' is not joined back"}},
        Row{"host: malloc t 4\nstream A\ngraph G on A {\nA: memset t 0\n}", 4, 11, {"allocated in the run (line 1)"}}));

INSTANTIATE_TEST_SUITE_P(
    Threads, OneStructureError,
    ::testing::Values(
        Row{"thread {\n}", 1, 8, {"a name to declare"}}, Row{"thread T\n", 1, 9, {"expected '{'", "`thread T {`"}},
        Row{"thread T {\n", 1, 1, {"never closed"}},
        Row{"thread T {\n}\nthread T {\n}", 3, 8, {"declared twice", "a thread of line 1"}},
        Row{"repeat 2 {\nthread T {\n}\n}", 2, 8, {"an earlier pass", "T{i}"}},
        Row{"host: join T", 1, 12, {"unknown thread 'T'", "`thread T {`"}},
        Row{"host: join T\nthread T {\n}", 1, 12, {"before line 2 declares it"}},
        Row{with_x("host: join A"), 3, 12, {"'A' is a stream", "expected a thread"}},
        Row{"thread T {\n}\nhost: join T\nhost: join T", 4, 12, {"joined twice", "line 3"}},
        Row{"thread T {\nhost: join T\n}", 2, 12, {"cannot join itself"}},
        Row{"thread T {\n}\nthread U {\nhost: join T\n}", 4, 12, {"only the main thread joins"}},
        Row{"thread T {\nthread U {\n}\n}", 2, 1, {"only the main thread starts"}},
        Row{with_x("thread T {\ngraph G on A {\nA: spin 1us\n}\n}"), 4, 1, {"captured before the run"}},
        Row{"thread T {\nbuffer y 4\n}", 2, 1, {"made before the run", "out of the thread"}},
        Row{"thread T {\nstream B\n}\nB: spin 1us", 2, 1, {"made before the run"}},
        Row{"thread T {\nhost: malloc t 4\n}\ndefault: memset t 0", 4, 17, {"allocated by thread T", "`host: join T`"}},
        Row{"thread T {\nhost: malloc t 4\n}\nthread U {\ndefault: memset t 0\n}", 5, 17, {"allocated by thread T"}},
        Row{"host: malloc t 4\nthread T {\ndefault: memset t 0\n}\nhost: free t",
            5,
            12,
            {"may still be used by thread T"}},
        Row{with_x("graph G on A {\nA: spin 1us\n}\nthread T {\nA: launch G\n}\nA: launch G"),
            9,
            11,
            {"used by thread T", "two threads at once"}}));

INSTANTIATE_TEST_SUITE_P(
    Captures, OneStructureError,
    ::testing::Values(
        Row{with_x("graph G on A mode=lazy {\nA: spin 1us\n}\nA: launch G"),
            3,
            19,
            {"global, thread-local or relaxed"}},
        Row{with_x("graph G on A mod=global {\nA: spin 1us\n}\nA: launch G"), 3, 14, {"did you mean 'mode'?"}},
        Row{behind_spin("host: capture G"), 7, 1, {"not captured"}},
        Row{behind_spin("A: wait later external"), 7, 9, {"unknown event 'later'"}},
        Row{behind_spin("A: record f external\nA: wait f external"),
            8,
            9,
            {"records 'f' externally and waits for it", "edge"}},
        Row{behind_spin("A: record f external\nA: wait f"), 8, 9, {"no record of 'f'", "in the graph 'G'"}},
        Row{"event e\nstream A\ngraph G on A {\nA: wait e external\nA: record e external\n}\nA: launch G",
            5,
            11,
            {"records 'e' externally"}},
        Row{with_x("A: record e external"), 3, 13, {"cudaErrorIllegalState", "leave it out"}},
        Row{with_x("A: record e\nA: wait e external"), 4, 11, {"body of a graph"}},
        Row{with_x("host: capture G"), 3, 15, {"unknown graph 'G'"}},
        Row{with_x("host: capture A"), 3, 15, {"'A' is a stream", "expected a graph"}},
        Row{with_x("host: capture-info x"), 3, 20, {"'x' is a buffer", "expected a stream"}},
        Row{with_x("graph G on A {\nA: spin 1us\n}\nA: launch G\nhost: capture G"),
            7,
            15,
            {"launched in line 6", "above"}},
        Row{with_x("graph G on A {\nA: spin 1us\n}\nhost: capture G\nhost: capture G"),
            7,
            15,
            {"captured twice", "a graph for each capture"}},
        Row{with_x("graph G on A {\nA: spin 1us\n}\nthread T {\nhost: capture G\n}\nA: launch G"),
            9,
            11,
            {"used by thread T", "`host: join T`"}},
        Row{"graph G on per-thread {\nper-thread: spin 1us\n}\nthread T {\nhost: capture G\n}",
            5,
            15,
            {"`per-thread` of the main thread"}},
        Row{"stream A device=1\ngraph G on A {\nA: spin 1us\n}\nhost: capture G", 5, 15, {"`host: device 1`"}},
        Row{with_x("graph G on A {\nA: spin 1us\n}\nthread T {\nA: spin 1us\n}\nhost: capture G"),
            7,
            1,
            {"'A' is captured by the main thread (line 9)", "another stream"}},
        Row{with_x("graph G on A {\nA: spin 1us\n}\nthread T {\nhost: capture G\n}\nhost: sync A"),
            9,
            1,
            {"captured by thread T (line 7)"}},
        Row{with_x("graph G on A {\nA: spin 1us\n}\nthread T {\nhost: capture G\n}\nhost: memcpy h2d x"),
            9,
            1,
            {"thread T captures a blocking stream (line 7)", "`nonblocking`"}},
        Row{"stream A nonblocking\ngraph G on A {\nA: spin 1us\n}\nthread T {\nhost: sync device\n}\nhost: capture G",
            6,
            1,
            {"while the main thread captures", "wait for a stream"}},
        Row{"stream A nonblocking\ngraph G on A mode=global {\nA: spin 1us\n}\nthread T {\nhost: malloc t 4\n}\nhost: "
            "capture G",
            6,
            1,
            {"no memory", "mode=thread-local"}},
        Row{"stream A nonblocking\ngraph G on A {\nA: spin 1us\n}\ngraph H on A {\nA: spin 1us\n}\nthread T {\nhost: "
            "capture "
            "G\n}\nhost: capture H",
            11,
            1,
            {"'A' is captured by thread T (line 9)"}},
        Row{"streams S 4 nonblocking\ngraph G on S0 {\nS0: record f\nS1: wait f\nS1: spin 1us\nS1: record g\nS0: wait "
            "g\n}\ngraph H on S2 {\nS2: record f\nS3: wait f\nS3: spin 1us\nS3: record h\nS2: wait h\n}\nthread T "
            "{\nhost: capture G\n}\nhost: capture H",
            19,
            1,
            {"'f' is recorded by the capture of thread T (line 17), too", "an event each"}},
        Row{"stream A\ngraph G on A {\nA: spin 1us\n}\nthread T {\nhost: capture-info default\n}\nhost: capture G",
            6,
            1,
            {"the legacy default stream or asks it", "`nonblocking`"}},
        Row{"stream A\ngraph G on A {\nA: spin 1us\nhost: capture-info default\n}\nhost: capture G",
            4,
            1,
            {"while the blocking stream 'A' is captured"}}));

TEST(Captures, WarnOfARecordThatAGraphMayStillWaitFor) {
  const std::string program =
      "stream A\nstream B\nB: record e\ngraph G on A {\nA: wait e external\nA: spin 1us\n}\nA: launch G\n";
  const Checked again = check(parse(program + "B: record e\n").syntax);
  ASSERT_EQ(again.diagnostics.size(), 1u);
  EXPECT_EQ(again.diagnostics[0].line, 9u);
  EXPECT_THAT(again.diagnostics[0].message, ::testing::HasSubstr("line 8 launches"));
  EXPECT_TRUE(check(parse(program + "host: sync A\nB: record e\n").syntax).diagnostics.empty());
}

// Of calls that CUDA takes for unsafe in one mode only.
TEST(Captures, WarnOfWhatMayBreakThem) {
  const auto program = [](const std::string& mode) {
    return "stream A nonblocking\nstream B\nB: record e\ngraph G on A mode=" + mode +
           " {\nA: spin 1us\n}\nthread T {\nhost: query e\nhost: work 1us\n}\nhost: capture G\n";
  };
  const Checked broken = check(parse(program("global")).syntax);
  ASSERT_EQ(broken.diagnostics.size(), 1u);
  EXPECT_EQ(broken.diagnostics[0].severity, Diagnostic::Severity::warning);
  EXPECT_EQ(broken.diagnostics[0].line, 8u);
  EXPECT_THAT(broken.diagnostics[0].message, ::testing::HasSubstr("cudaErrorStreamCaptureUnsupported"));
  EXPECT_TRUE(fails_on_purpose(broken.program));
  for (const char* mode : {"thread-local", "relaxed"}) {
    const Checked whole = check(parse(program(mode)).syntax);
    EXPECT_TRUE(whole.diagnostics.empty()) << mode;
    EXPECT_FALSE(fails_on_purpose(whole.program));
  }
}

TEST(Captures, WarnOfAQuestionThatNobodySees) {
  const Checked checked =
      check(parse("stream A\ngraph G on A {\nA: spin 1us\nhost: capture-info A\n}\nA: launch G\n").syntax);
  ASSERT_EQ(checked.diagnostics.size(), 1u);
  EXPECT_EQ(checked.diagnostics[0].line, 4u);
  EXPECT_THAT(checked.diagnostics[0].message, ::testing::HasSubstr("`host: capture G`"));
}

TEST(BadStructure, ThreadsHaveALimit) {
  EXPECT_TRUE(errors("repeat 255 as i {\nthread T{i} {\n}\n}\n").empty());
  const auto all = errors("repeat 256 as i {\nthread T{i} {\n}\n}\nhost: join T3\n");
  ASSERT_EQ(all.size(), 1u) << format(all, "text");
  EXPECT_THAT(all[0].message, ::testing::HasSubstr("more than 256 host threads"));
}

TEST(BadStructure, NodesCountAsOperations) {
  const std::string graph = "stream A\ngraph G on A {\nrepeat 1000 {\nA: spin 1us\n}\n}\n";
  EXPECT_TRUE(errors(graph + "repeat 100 {\nA: launch G\n}\n").empty());
  const auto all = errors(graph + "repeat 10000 {\nA: launch G\n}\n");
  ASSERT_EQ(all.size(), 1u) << format(all, "text");
  EXPECT_EQ(all[0].line, 8u);
  EXPECT_THAT(all[0].message, ::testing::HasSubstr("more than 10000000 operations"));
}

// A thousand streams that all wait for a thousand others have a million edges a launch.
TEST(BadStructure, EdgesOfGraphsHaveALimit) {
  const std::string wide =
      "stream A\nstreams S 1000\ngraph G on A {\nA: record b\n"
      "repeat 1000 as i {\nS{i}: wait b\nS{i}: spin 1us\nS{i}: record e{i}\nA: wait e{i}\n}\nA: record m\n"
      "repeat 1000 as i {\nS{i}: wait m\nS{i}: spin 1us\nS{i}: record f{i}\nA: wait f{i}\n}\n}\n";
  EXPECT_TRUE(errors(wide + "A: launch G\n").empty());
  const auto all = errors(wide + "repeat 100 {\nA: launch G\n}\n");
  ASSERT_EQ(all.size(), 1u) << format(all, "text");
  EXPECT_THAT(all[0].message, ::testing::HasSubstr("edges between nodes"));
}

}  // namespace
}  // namespace streamscope::program
