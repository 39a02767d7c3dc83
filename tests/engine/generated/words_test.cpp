// The generator writes every word of the language: statements, options and what these can be, from the grammar's table.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "engine/program/syntax/grammar.h"
#include "engine/program/syntax/parse.h"
#include "engine/program/syntax/words.h"
#include "tests/generated/write_program.h"
#include "tests/support/every_word.h"

namespace streamscope::generated {
namespace {

using program::syntax::Line;
using program::syntax::Statement;

constexpr std::uint64_t kPrograms = 400;

std::string title(const program::grammar::Form& form) {
  return fmt::format("{} ({})", form.word, static_cast<int>(form.side));
}

struct Written {
  std::set<std::string> words;  // "poll (2)", "poll (2) every", "tiles (1) copy=bulk"
  std::set<std::string> signs;  // names and words that begin no statement
};

void add(const std::vector<Line>& lines, Written& all) {
  for (const Line& line : lines) {
    if (!line.comment.empty()) all.signs.insert("comment");
    if (!line.statement) continue;
    const Statement& statement = *line.statement;
    ASSERT_FALSE(statement.broken) << statement.text;
    const auto& form = program::grammar::form(statement);
    const std::string word = title(form);
    all.words.insert(word);
    if (statement.stream) all.signs.insert(statement.stream->text);
    if (form.side == program::grammar::Side::host) all.signs.insert("host");
    if (statement.variable) all.signs.insert("as");
    for (const auto& argument : statement.arguments) {
      if (const auto* name = std::get_if<program::syntax::Word>(&argument)) all.signs.insert(name->text);
      if (const auto* name = std::get_if<program::syntax::Name>(&argument)) all.signs.insert(name->text);
      if (const auto* range = std::get_if<program::syntax::Range>(&argument))
        all.signs.insert(range->offset ? "range" : "name");
      if (const auto* number = std::get_if<program::syntax::Number>(&argument))
        all.signs.insert(number->expression.nodes.empty() ? "number" : "arithmetic");
    }
    for (const auto& option : statement.options) {
      all.words.insert(fmt::format("{} {}", word, option.key));
      const auto* value = option.value ? std::get_if<program::syntax::Word>(&*option.value) : nullptr;
      if (value != nullptr) all.words.insert(fmt::format("{} {}={}", word, option.key, value->text));
    }
    add(statement.body, all);
  }
}

const Written& written() {
  static const Written all = [] {
    Written made;
    for (std::uint64_t seed = 0; seed < kPrograms; ++seed) {
      const Wishes wishes{.devices = seed % 2 == 0 ? 1 : 3};
      add(program::parse(write_program(seed, wishes)).syntax.lines, made);
    }
    return made;
  }();
  return all;
}

TEST(GeneratedWords, AreAllStatementsAndOptions) {
  for (const auto& form : program::grammar::forms()) {
    // What fails on purpose leaves runs of which little of the rest is true.
    if (form.word == "fault" || form.word == "lasterror" || form.word == "reset") continue;
    // Code of the program's own lies in files, which these texts do not have; a GPU does not run it unasked.
    if (form.word == "kernel" || form.verb == program::syntax::Verb::own) continue;
    EXPECT_TRUE(written().words.contains(title(form)))
        << title(form) << " is not generated: tests/generated/operations.cpp or write_program.cpp";
    for (const auto& option : form.options) {
      if (option.leading) continue;
      const std::string key = fmt::format("{} {}", title(form), option.key);
      EXPECT_TRUE(written().words.contains(key)) << key;
      for (const auto& value : option.words)
        EXPECT_TRUE(written().words.contains(fmt::format("{}={}", key, value))) << key << '=' << value;
    }
  }
}

// Sizes and durations are arguments of statements above.
TEST(GeneratedWords, AreAllThatBeginsNoStatement) {
  for (const auto& notion : program::notions()) {
    const std::string word(notion.words.substr(0, notion.words.find(',')));
    if (word == "size" || word == "duration") continue;
    EXPECT_TRUE(written().signs.contains(word)) << word;
  }
}

TEST(EveryWord, IsInTheProgramThatHasThemAll) {
  Written all;
  add(program::parse(std::string(tests::kEveryWord)).syntax.lines, all);
  for (const auto& form : program::grammar::forms()) {
    using program::syntax::Verb;
    if (form.word == "fault" || form.word == "lasterror" || form.word == "reset") continue;
    if (form.verb == Verb::own_kernel || form.verb == Verb::own) continue;  // of a file
    // Of two devices; and what makes one default stream of the other.
    if (form.verb == Verb::peer || form.verb == Verb::peer_access || form.verb == Verb::default_stream) continue;
    EXPECT_TRUE(all.words.contains(title(form))) << title(form) << " is missing in tests/support/every_word.h";
  }
}

TEST(GeneratedWords, PlainProgramsAreOneThreadsWithoutBlocks) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::string text = write_program(seed, {.lines = 60, .threads = false, .all_words = false});
    EXPECT_EQ(text.find(" {\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("malloc"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace streamscope::generated
