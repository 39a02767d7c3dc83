#include <gmock/gmock.h>

#include <sstream>

#include "engine/output/output.h"
#include "tests/engine/output/golden.h"
#include "tests/support/output_run.h"

namespace streamscope::output {
namespace {

using output_test::expect_golden;
using output_test::small_run;
using ::testing::HasSubstr;
using ::testing::Not;

// The tables, each with the number of columns of every row: bars that are not escaped, less one.
std::vector<std::vector<int>> tables_in(const std::string& text) {
  std::vector<std::vector<int>> tables;
  bool within = false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const bool row = line.starts_with("|");
    if (row && !within) tables.emplace_back();
    within = row;
    if (!row) continue;
    int columns = -1;
    for (std::size_t i = 0; i < line.size(); ++i) columns += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
    tables.back().push_back(columns);
  }
  return tables;
}

TEST(ToMarkdown, Golden) { expect_golden("small-run.md", to_markdown(small_run())); }

TEST(ToMarkdown, EveryRowOfATableHasItsColumns) {
  trace::Run run = small_run();
  run.trace.names[run.trace.spans[0].name] = "a|b\nc `*_<x>";
  const std::string text = to_markdown(run);
  EXPECT_THAT(text, HasSubstr(R"(| a\|b c \`\*\_\<x\> |)"));
  const auto tables = tables_in(text);
  ASSERT_EQ(tables.size(), 3u) << "figures, engines, operations";
  for (const std::vector<int>& table : tables)
    for (const int columns : table) EXPECT_EQ(columns, table.front());
  EXPECT_EQ(tables[2].size(), run.trace.spans.size() + 2);
}

TEST(ToMarkdown, SaysWhereItStops) {
  trace::Run run = small_run();
  EXPECT_THAT(to_markdown(run), Not(HasSubstr("--csv writes all")));
  while (run.trace.spans.size() < 501) run.trace.spans.push_back(run.trace.spans.back());
  const std::string text = to_markdown(run);
  EXPECT_THAT(text, HasSubstr("The first 500 of 501 operations; --csv writes all."));
  EXPECT_EQ(tables_in(text).back().size(), 502u);
}

TEST(ToMarkdown, ARunWithoutSpansHasItsTimes) {
  trace::Run run = small_run();
  run.trace.spans.clear();
  run.trace.packed.reset();
  const auto tables = tables_in(to_markdown(run));
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_GT(tables[0].size(), 2u);
}

}  // namespace
}  // namespace streamscope::output
