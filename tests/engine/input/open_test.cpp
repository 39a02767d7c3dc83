// Which reader a file goes to.
#include <gmock/gmock.h>

#include "engine/input/open.h"
#include "engine/output/output.h"
#include "tests/engine/input/input_case.h"
#include "tests/engine/input/nsys_case.h"
#include "tests/support/output_run.h"

namespace streamscope::input {
namespace {

using input_test::Folder;
using input_test::message;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(OpenTrace, GoesByContent) {
  const Folder folder;
  const auto saved = open_trace(folder.write("run.json", output::to_chrome_trace(output_test::small_run())));
  ASSERT_TRUE(saved) << input_test::message(saved);
  EXPECT_EQ(saved->trace.spans.size(), 12u);
  const auto events = open_trace(folder.write("events", R"([{"ph":"X","name":"a","ts":1,"dur":1}])"));
  ASSERT_TRUE(events) << input_test::message(events);
  EXPECT_EQ(trace::span_count(events->trace), 1u);
  const auto exported = open_trace(folder.write("ex port%41?.db", input_test::database(input_test::kExport)));
  ASSERT_TRUE(exported) << input_test::message(exported);
  EXPECT_EQ(trace::span_count(exported->trace), 8u);
  const auto marked = open_trace(folder.write("bom.json", "\xEF\xBB\xBF{\"traceEvents\":[]}"));
  EXPECT_TRUE(marked) << input_test::message(marked);
}

TEST(OpenTrace, SaysWhatToDo) {
  const Folder folder;
  EXPECT_THAT(input_test::message(open_trace(folder.write("report.nsys-rep", "x"))),
              HasSubstr("nsys export --type sqlite"));
  EXPECT_THAT(input_test::message(open_trace(folder.write("t.json.gz", "\x1f\x8b..."))), HasSubstr("gunzip"));
  EXPECT_THAT(input_test::message(open_trace(folder.write("empty.json", ""))), HasSubstr("the file is empty"));
  EXPECT_THAT(input_test::message(open_trace(folder.write("text.sqlite", "{}"))), HasSubstr("no SQLite database"));
  EXPECT_THAT(input_test::message(open_trace(folder.path() / "none.json")), HasSubstr("No such file"));
  EXPECT_THAT(input_test::message(open_trace(folder.path())), HasSubstr("it is no plain file"));
  EXPECT_THAT(input_test::message(open_trace(folder.write("junk.json", std::string_view("\0\1\2\3", 4)))),
              HasSubstr("junk.json:1:1: error: neither JSON nor SQLite"));
}

TEST(OpenTrace, OfAFileThatIsShortenedMeanwhileIsAnError) {
  const Folder folder;
  std::string events = "[";
  while (events.size() < 12'000'000) events += R"({"ph":"X","name":"a","ts":1,"dur":1},)";
  const auto path = folder.write("shrinks.json", events + "{}]");
  int calls = 0;
  const auto run = open_trace(path, {.stop = {}, .progress = [&](double) {
                                       if (calls++ == 0) std::filesystem::resize_file(path, 4'300'000);
                                     }});
  EXPECT_THAT(input_test::message(run), HasSubstr("shrinks.json: error: it was shortened while it was read"));
  EXPECT_GT(calls, 0);
  EXPECT_TRUE(open_trace(folder.write("whole.json", "[]"))) << "and the next one is read";
}

TEST(OpenTrace, NeverTakesAnExperimentOrAProgram) {
  EXPECT_FALSE(looks_like_trace("a.toml", "{"));
  EXPECT_FALSE(looks_like_trace("a.streams", "{"));
  EXPECT_FALSE(looks_like_trace("a", "[kernel]\nname = 'x'\n"));
  EXPECT_FALSE(looks_like_trace("a", "buffer x 1MiB\n"));
  EXPECT_FALSE(looks_like_trace("a", ""));
  EXPECT_TRUE(looks_like_trace("a", " \n{\"traceEvents\""));
  EXPECT_TRUE(looks_like_trace("a", "[\n {\"ph\""));
  EXPECT_TRUE(looks_like_trace("a", "[]"));
  EXPECT_TRUE(looks_like_trace("a", "SQLite format 3"));
  EXPECT_TRUE(looks_like_trace("a.nsys-rep", ""));
  EXPECT_TRUE(looks_like_trace("a.json", "broken"));
  EXPECT_TRUE(looks_like_trace("a.sqlite", ""));
}

}  // namespace
}  // namespace streamscope::input
