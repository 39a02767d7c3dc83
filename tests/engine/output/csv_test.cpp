#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "engine/output/output.h"
#include "tests/engine/output/golden.h"
#include "tests/support/output_run.h"
#include "tests/support/two_devices.h"

namespace streamscope::output {
namespace {

using output_test::expect_golden;
using output_test::small_run;

// A reader of RFC 4180, written from the standard and not from the writer.
std::vector<std::vector<std::string>> read_csv(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> row;
  std::string field;
  bool within = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (within) {
      if (c != '"') {
        field += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        field += text[++i];
      } else {
        within = false;
      }
    } else if (c == '"') {
      within = true;
    } else if (c == ',' || c == '\n') {
      row.push_back(std::exchange(field, {}));
      if (c == '\n') rows.push_back(std::exchange(row, {}));
    } else {
      field += c;
    }
  }
  EXPECT_TRUE(row.empty() && field.empty() && !within) << "the text ends with a whole line";
  return rows;
}

std::vector<std::map<std::string, std::string>> records(const trace::Run& run) {
  const auto rows = read_csv(to_csv(run));
  std::vector<std::map<std::string, std::string>> result;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].size(), rows[0].size()) << "row " << i;
    auto& record = result.emplace_back();
    for (std::size_t column = 0; column < rows[i].size(); ++column) record[rows[0][column]] = rows[i][column];
  }
  return result;
}

TEST(ToCsv, Golden) { output_test::expect_golden("small-run.csv", to_csv(output_test::small_run())); }

TEST(ToCsv, EveryTimeColumnNamesItsUnit) {
  const auto header = read_csv(to_csv(trace::Run{})).at(0);
  int times = 0;
  for (const std::string& column : header) {
    if (column.ends_with("_ns")) ++times;
    for (const char* word : {"begin", "end", "ready", "start", "uncertainty"}) {
      if (column.find(word) != std::string::npos) {
        EXPECT_TRUE(column.ends_with("_ns") || column.ends_with("_source")) << column;
      }
    }
  }
  EXPECT_EQ(times, 13);
}

TEST(ToCsv, NewColumnsStandBehindTheOldOnes) {
  const auto header = read_csv(to_csv(trace::Run{})).at(0);
  ASSERT_EQ(header.size(), 43u);
  EXPECT_EQ(header.at(0), "op");
  EXPECT_EQ(header.at(26), "date");
  EXPECT_EQ(header.at(37), "predicted_by");
  EXPECT_EQ(header.at(38), "device_index");
  EXPECT_EQ(header.at(42), "elapsed_to_op");
  const auto row = records(output_test::small_run()).at(1);
  EXPECT_EQ(row.at("start_source"), "inferred");
  EXPECT_EQ(row.at("start_uncertainty_ns"), "1000");
  EXPECT_EQ(row.at("samples"), "1");
  EXPECT_EQ(row.at("spread_ns"), "");
  EXPECT_EQ(row.at("gated"), "false");
  EXPECT_EQ(row.at("share"), "");
}

TEST(ToCsv, PredictedTimesFollowTheMeasuredOnes) {
  const auto row = records(output_test::predicted_run()).at(1);
  EXPECT_EQ(row.at("end_ns"), "33007");
  EXPECT_EQ(row.at("predicted_start_ns"), "10000");
  EXPECT_EQ(row.at("predicted_end_ns"), "20000");
  EXPECT_EQ(row.at("predicted_by"), "test, changed: host.launch 5us (was 2us)");
  const auto without = records(output_test::small_run()).at(1);
  for (const char* column : {"predicted_start_ns", "predicted_end_ns", "predicted_by"})
    EXPECT_EQ(without.at(column), "");
}

TEST(ToCsv, TheProvenanceStandsInEveryRow) {
  const auto rows = records(output_test::small_run());
  ASSERT_EQ(rows.size(), 12u);
  for (const auto& row : rows) {
    EXPECT_EQ(row.at("provenance"), "measured");
    EXPECT_EQ(row.at("device"), "NVIDIA \"Test\", 132 SMs");
    EXPECT_EQ(row.at("date"), "2026-11-21T10:00:00Z");
  }
}

TEST(ToCsv, WhatIsAbsentIsEmptyAndZeroIsZero) {
  const auto rows = records(output_test::small_run());
  for (const char* column : {"ready_ns", "start_ns", "end_ns", "source", "uncertainty_ns", "waits_for", "polls"}) {
    EXPECT_EQ(rows[10].at(column), "") << column;
  }
  EXPECT_EQ(rows[11].at("line"), "");
  EXPECT_EQ(rows[11].at("stream"), "");
  EXPECT_EQ(rows[0].at("host_begin_ns"), "0");
  EXPECT_EQ(rows[8].at("polls"), "12");
}

TEST(ToCsv, CommasQuotesAndLineBreaksInNamesComeBack) {
  auto run = output_test::small_run();
  run.trace.names[0] = "a,b \"c\"\r\nd";
  run.trace.streams[2].name = std::string(1, '"');
  run.trace.provenance.device = std::string(1, ',');
  const auto rows = records(run);
  EXPECT_EQ(rows[1].at("name"), "a,b \"c\"\r\nd");
  EXPECT_EQ(rows[1].at("stream"), "\"");
  EXPECT_EQ(rows[1].at("device"), ",");
  EXPECT_EQ(rows[2].at("name"), "axpb");
}

TEST(ToCsv, BytesThatAreNoUtf8AreReplaced) {
  auto run = output_test::small_run();
  run.trace.names[0] = "H\xff";
  EXPECT_EQ(records(run)[1].at("name"), "H\xef\xbf\xbd");
}

TEST(ToCsv, NumbersAreExact) {
  auto run = output_test::small_run();
  run.trace.spans[1].start = 9007199254740993;
  EXPECT_EQ(records(run)[1].at("start_ns"), "9007199254740993");
}

TEST(ToCsv, NoSpansNoRows) { EXPECT_EQ(read_csv(to_csv(trace::Run{})).size(), 1u); }

TEST(ToCsv, ARowHasTheDeviceThatCarriedItOutAndItsClock) {
  const trace::Run run = testing::run_on_two_devices();
  const auto rows = records(run);
  ASSERT_EQ(rows.size(), run.trace.spans.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool second = run.trace.spans[i].device == 1;
    EXPECT_EQ(rows[i].at("device_index"), second ? "1" : "0");
    EXPECT_EQ(rows[i].at("device"), second ? "NVIDIA H200 NVL" : "NVIDIA H200");
    EXPECT_EQ(rows[i].at("clock_uncertainty_ns"), second ? "5100" : "2900");
  }
}

}  // namespace
}  // namespace streamscope::output
