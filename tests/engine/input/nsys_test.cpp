// Nsight Systems' exports: whole ones, those of other versions, and databases that mean no good.
#include <gmock/gmock.h>

#include "tests/engine/input/input_case.h"
#include "tests/engine/input/nsys_case.h"

namespace streamscope::input {
namespace {

using input_test::database;
using input_test::expect_sound;
using input_test::find;
using input_test::kExport;
using input_test::message;
using input_test::spans;
using input_test::sqlite;
using input_test::stream_of;
using input_test::thread_of;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Nsys, OfAWholeExport) {
  const auto run = input_test::sqlite(input_test::database(input_test::kExport));
  ASSERT_TRUE(run) << input_test::message(run);
  input_test::expect_sound(*run);
  EXPECT_EQ(run->trace.provenance.device, "NVIDIA H200");
  EXPECT_EQ(run->trace.provenance.instrument, "nsys");
  EXPECT_EQ(run->trace.provenance.kind, trace::Provenance::Kind::measured);
  EXPECT_EQ(run->trace.provenance.date, "2023-11-14T22:13:20Z");
  EXPECT_EQ(input_test::spans(*run).size(), 8u);
  const trace::Span kernel = input_test::find(*run, "void 核心<float>(int)");
  EXPECT_EQ(kernel.host_begin, 160);
  EXPECT_EQ(kernel.start, 600);
  EXPECT_EQ(kernel.end, 1600);
  EXPECT_EQ(input_test::stream_of(*run, kernel), "GPU 0 stream 7");
  EXPECT_EQ(input_test::thread_of(*run, kernel), "thread 66") << "the main thread first";
  EXPECT_EQ(input_test::find(*run, "Memcpy HtoD").bytes, 65'536u);
  const trace::Span back = input_test::find(*run, "Memcpy DtoH");
  EXPECT_EQ(input_test::thread_of(*run, back), "worker 67");
  EXPECT_EQ(input_test::stream_of(*run, back), "GPU 0 stream 13");
  EXPECT_EQ(input_test::find(*run, "cudaStreamSynchronize_v3020").kind, OperationKind::sync);
  EXPECT_EQ(input_test::thread_of(*run, input_test::find(*run, "Stream synchronize")), "CUDA synchronization");
  EXPECT_EQ(input_test::find(*run, "main loop").host_begin, 0);
  EXPECT_EQ(input_test::find(*run, "a mark").host_end, 50);
  EXPECT_EQ(input_test::find(*run, "Memset").host_begin, kAbsent);
  EXPECT_THAT(trace::texts(run->notes), Contains("Left out because they have no end: 1."));
  EXPECT_EQ(run->makespan->median, 2801 - 1200);
}

TEST(Nsys, EachGpuIsADevice) {
  const auto run = input_test::sqlite(input_test::database(R"(
    CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, end INT, deviceId INT, streamId INT, name TEXT);
    INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (10, 20, 5, 1, 'later'), (10, 20, 2, 1, 'first'))"));
  ASSERT_TRUE(run) << input_test::message(run);
  input_test::expect_sound(*run);
  ASSERT_EQ(trace::device_count(run->trace), 2u);
  const trace::Span first = input_test::find(*run, "first"), later = input_test::find(*run, "later");
  EXPECT_EQ(trace::queue_of(first), (DeviceEngine{0, Engine::compute}));
  EXPECT_EQ(trace::queue_of(later), (DeviceEngine{1, Engine::compute}));
  EXPECT_EQ(input_test::stream_of(*run, later), "GPU 5 stream 1");
  EXPECT_EQ(run->trace.streams.at(later.stream).device, 1u);
}

TEST(Nsys, MissingColumnsAreAllowed) {
  const auto run = input_test::sqlite(
      input_test::database(R"(CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, end INT, shortName INT);
    INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (10, 20, 1), (30, 40, 7);
    CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INT, end INT, nameId INT);
    INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (5, 6, 2);
    CREATE TABLE StringIds (id INT, value TEXT); INSERT INTO StringIds VALUES (1, 'k'), (2, 'cudaLaunchKernel'))"));
  ASSERT_TRUE(run) << input_test::message(run);
  input_test::expect_sound(*run);
  EXPECT_EQ(input_test::stream_of(*run, input_test::find(*run, "k")), "GPU 0 stream 0");
  EXPECT_EQ(input_test::find(*run, "(unnamed)").end, 35);
  EXPECT_EQ(run->trace.provenance.device, "device not named");
}

TEST(Nsys, CorrelationsAreAProcesssOwn) {
  const auto run = input_test::sqlite(input_test::database(R"(
    CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, end INT, deviceId INT, streamId INT, correlationId INT, globalPid INT, name TEXT);
    INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (10, 20, 0, 1, 5, 16777216, 'one'), (11, 21, 0, 1, 5, 33554432, 'two');
    CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INT, end INT, globalTid INT, correlationId INT, nameId INT);
    INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 2, 33554433, 5, 0), (3, 4, 16777217, 5, 0))"));
  ASSERT_TRUE(run) << input_test::message(run);
  EXPECT_EQ(input_test::find(*run, "one").host_begin, 2);
  EXPECT_EQ(input_test::find(*run, "two").host_begin, 0);
  EXPECT_THAT(run->trace.threads, ElementsAre("process 1 · thread 1", "process 2 · thread 1"));
  EXPECT_EQ(input_test::stream_of(*run, input_test::find(*run, "one")), "process 1 · GPU 0 stream 1");
}

TEST(Nsys, ValuesOfTheWrongTypeAreReportedAndTheRestIsRead) {
  const auto run = input_test::sqlite(input_test::database(R"(
    CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, streamId, correlationId, demangledName);
    INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (10, 20, 'GPU', NULL, 1.5, x'00ff'), ('x', 20, 0, 0, 0, 0), (NULL, 3, 0, 0, 0, 0),
      (1.5, 9, 0, 0, 0, 0), (9223372036854775807, -9223372036854775808, 0, 0, 0, 0), (30, 25, 0, 0, -7, 'text'), (40, NULL, 0, 0, 0, 0))"));
  ASSERT_TRUE(run) << input_test::message(run);
  input_test::expect_sound(*run);
  EXPECT_EQ(input_test::spans(*run).size(), 2u);
  EXPECT_EQ(input_test::find(*run, "text").end, input_test::find(*run, "text").start);
  EXPECT_THAT(trace::texts(run->notes),
              Contains("Rows of CUPTI_ACTIVITY_KIND_KERNEL left out because their times are no whole numbers: 3."));
  EXPECT_THAT(trace::texts(run->notes), Contains("Left out because their time is more than 146 years off: 1."));
}

TEST(Nsys, ViewsAndVirtualTablesAreNotRead) {
  const std::string endless =
      "(WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS start, x AS end FROM n)";
  EXPECT_THAT(input_test::message(input_test::sqlite(
                  input_test::database("CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS SELECT * FROM " + endless))),
              StartsWith("t.sqlite: table CUPTI_ACTIVITY_KIND_KERNEL: error: this is no plain table"));
  EXPECT_THAT(input_test::message(
                  input_test::sqlite(input_test::database("CREATE TABLE t (x); CREATE INDEX NVTX_EVENTS ON t (x)"))),
              HasSubstr("table NVTX_EVENTS: error: this is no plain table"));
  EXPECT_THAT(input_test::message(input_test::sqlite(input_test::database(
                  "CREATE TABLE NVTX_EVENTS (start INT, end INT AS (length(hex(zeroblob(1000000)))) VIRTUAL)"))),
              HasSubstr("generated columns"));
  // A trigger has nothing to do where nothing is written.
  EXPECT_EQ(input_test::message(input_test::sqlite(input_test::database(
                "CREATE TABLE NVTX_EVENTS (start INT, end INT); INSERT INTO NVTX_EVENTS VALUES (1, "
                "2); CREATE TRIGGER t AFTER INSERT ON "
                "NVTX_EVENTS BEGIN DELETE FROM NVTX_EVENTS; END; "))),
            "");
}

TEST(Nsys, WhatIsNoExportSaysSo) {
  EXPECT_THAT(input_test::message(input_test::sqlite(input_test::database("CREATE TABLE other (x)"))),
              HasSubstr("no table of CUDA's activities"));
  EXPECT_THAT(input_test::message(input_test::sqlite("SQLite format 3")), StartsWith("t.sqlite: error:"));
  EXPECT_THAT(input_test::message(input_test::sqlite(
                  "no database at all, but a text that is longer than the header of one would be, far longer "
                  "than a hundred bytes")),
              HasSubstr("file is not a database"));
}

TEST(Nsys, EveryTruncationEndsInAnErrorOrInWhatIsThere) {
  const std::string whole = input_test::database(input_test::kExport);
  int errors = 0;
  for (std::size_t size = 0; size < whole.size(); size += size < 1024 ? 1 : 61) {
    const auto run = input_test::sqlite(whole.substr(0, size));
    if (run)
      input_test::expect_sound(*run);
    else
      ++errors;
    if (!run) {
      ASSERT_THAT(input_test::message(run), StartsWith("t.sqlite:")) << size;
    }
  }
  EXPECT_GT(errors, 100);
}

TEST(Nsys, DamagedPagesAreErrorsThatNameTableAndPage) {
  // Many rows, then the later pages overwritten.
  std::string rows = "CREATE TABLE NVTX_EVENTS (start INT, end INT, eventType INT, text TEXT);";
  for (int i = 0; i < 500; ++i)
    rows += "INSERT INTO NVTX_EVENTS VALUES (" + std::to_string(i) + "," + std::to_string(i + 1) + ",59,'range');";
  std::string bytes = input_test::database(rows);
  ASSERT_GT(bytes.size(), 8'000u);
  for (std::size_t at = bytes.size() / 2; at < bytes.size(); ++at) bytes[at] = '\xA5';
  EXPECT_THAT(input_test::message(input_test::sqlite(bytes)),
              ::testing::MatchesRegex("t\\.sqlite: table NVTX_EVENTS: error: it is damaged: Page [0-9]+: .*"));
}

}  // namespace
}  // namespace streamscope::input
