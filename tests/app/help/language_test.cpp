// The help of the language: there is some for each word, and each example is a program that runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "app/help/help.h"
#include "engine/measure/measure.h"
#include "engine/program/read_program.h"
#include "engine/program/syntax/grammar.h"
#include "engine/program/syntax/words.h"
#include "kernels/registry.h"
#include "tests/support/open_device.h"

namespace streamscope::help {
namespace {

using program::grammar::Form;

bool of_language(const Entry& entry) {
  return entry.kind == Kind::statement || entry.kind == Kind::statement_option || entry.kind == Kind::notion;
}

bool there_is(Kind kind, std::string_view word, std::string_view of = {}) {
  return std::any_of(all().begin(), all().end(), [&](const Entry& each) {
    const bool owner = of.empty() || (", " + each.of + ",").find(" " + std::string(of) + ",") != std::string::npos;
    return each.kind == kind && each.word == word && owner && !each.sentence.empty();
  });
}

TEST(LanguageHelp, ThereIsSomeForEachStatementAndEachOfItsOptions) {
  for (const Form& form : program::grammar::forms()) {
    EXPECT_TRUE(there_is(Kind::statement, form.word)) << form.word;
    EXPECT_TRUE(form.kernel != nullptr || program::help(form) != nullptr) << form.word;
    const auto options = form.kernel != nullptr ? form.kernel->options : form.options;
    for (const kernels::Option& option : options)
      EXPECT_TRUE(there_is(Kind::statement_option, option.key, form.word)) << form.word << " " << option.key;
  }
  for (const char* word : {"default", "per-thread", "host", "device"}) {
    ASSERT_TRUE(program::grammar::reserved(word));
    EXPECT_TRUE(there_is(Kind::notion, word)) << word;
  }
}

TEST(LanguageHelp, TheSyntaxNamesEachOption) {
  for (const Form& form : program::grammar::forms()) {
    const std::string syntax = program::syntax_of(form);
    for (const kernels::Option& option : form.options) EXPECT_THAT(syntax, ::testing::HasSubstr(option.key));
  }
}

TEST(LanguageHelp, EachExampleHasItsWordAndNoHazard) {
  for (const Entry& entry : all()) {
    if (!of_language(entry)) continue;
    SCOPED_TRACE(entry.word + " of " + entry.of);
    ASSERT_FALSE(entry.example.empty());
    // A value that is written without its key stands there as it is written.
    EXPECT_THAT(entry.example, ::testing::AnyOf(::testing::HasSubstr(entry.word), ::testing::HasSubstr(entry.syntax)));
    const auto read = program::read_program(entry.example, "example");
    ASSERT_TRUE(read) << read.error().message << "\n" << entry.example;
    EXPECT_THAT(read->warnings, ::testing::IsEmpty()) << entry.example;
  }
}

TEST(LanguageHelp, EachExampleRunsOnTheModel) {
  const auto device = tests::open_device("model");
  ASSERT_TRUE(device) << device.error().message;
  const auto two = tests::open_device("model:h200x2");
  ASSERT_TRUE(two) << two.error().message;
  std::set<std::string> done;
  for (const Entry& entry : all()) {
    if (!of_language(entry) || !done.insert(entry.example).second) continue;
    SCOPED_TRACE(entry.word + " of " + entry.of + ":\n" + entry.example);
    const auto read = program::read_program(entry.example, "example");
    ASSERT_TRUE(read) << read.error().message;
    measure::MeasureOptions once;
    once.runs = 1;
    const bool several = program::device_count(read->program) > 1;
    const auto run = measure::measure(several ? **two : **device, read->program, once, {}, {});
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_GT(run->wall->median, 0);
    EXPECT_EQ(run->trace.spans.size(), read->program.operations.size());
  }
}

}  // namespace
}  // namespace streamscope::help
