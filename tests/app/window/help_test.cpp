// F1: who answers, what is opened, and that all that is asked for has help.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/help/help.h"
#include "app/window/effects/files.h"
#include "app/window/panels/help_answer.h"
#include "app/window/panels/key_help.h"
#include "app/window/panels/palette_choices.h"
#include "app/window/panels/word_rank.h"
#include "app/window/state/verdict_words.h"
#include "engine/experiment/description.h"
#include "kernels/registry.h"
#include "tests/support/command_as.h"
#include "tests/support/state_loop.h"

namespace streamscope::window {
namespace {

using help::Kind;

class F1 : public ::testing::Test {
 protected:
  void ask(const std::vector<command::AnswerHelp>& answers) {
    loop_.update(command::AskHelp{});
    for (const command::AnswerHelp& each : answers) loop_.update(each);
    loop_.update(command::SettleHelp{});
  }
  const Help& help() const { return loop_.state.help; }
  testing::StateLoop loop_;
};

TEST_F(F1, TheFirstThatAnswersCountsAndTheEditorsCursorMore) {
  ask({{{"chunk", Kind::experiment_key}}, {{"overlap", {}}}});
  EXPECT_TRUE(help().open && !help().asked);
  EXPECT_EQ(help().topic, (Topic{"chunk", Kind::experiment_key}));
  ask({{{"chunk", Kind::experiment_key}}, {{"wait", Kind::statement}, true}, {{"overlap", {}}}});
  EXPECT_EQ(help().topic.word, "wait");
}

TEST_F(F1, WithoutAnAnswerItOpensAllAndClosesIt) {
  ask({});
  EXPECT_TRUE(help().open);
  EXPECT_EQ(help().topic, Topic{});
  ask({});
  EXPECT_FALSE(help().open);
}

TEST_F(F1, AnswersThatNobodyAskedForAreNone) {
  loop_.update(command::AnswerHelp{{"chunk", {}}});
  loop_.update(command::SettleHelp{});
  EXPECT_FALSE(help().open);
}

TEST(Help, WhatIsCalledSoIsFoundFirst) {
  for (const char* word : {"engine", "overlap", "pinned memory", "stream", "Event", "chunk"}) {
    const auto found = found_help(word);
    ASSERT_FALSE(found.empty()) << word;
    EXPECT_STRCASEEQ(found.front()->word.c_str(), word);
  }
}

TEST(Help, SaysWhereTheLanguageIsChosen) {
  for (const char* word : {"language", "English", "chinese", "中文", "korean", "한국어"}) {
    const auto called = help::find(window_help(), word).called;
    ASSERT_FALSE(called.empty()) << word;
    EXPECT_THAT(called.front()->sentence, ::testing::HasSubstr("toolbar")) << word;
  }
}

TEST_F(F1, LinksLeadOnAndBack) {
  ask({{{"chunk", {}}}});
  loop_.update(command::ShowHelp{{"streams", {}}});
  loop_.update(command::ShowHelp{{"streams", {}}});
  loop_.update(command::SearchHelp{"ov"});
  loop_.update(command::HelpBack{});
  EXPECT_EQ(help().topic.word, "streams") << "first the search goes";
  EXPECT_EQ(help().search, "");
  loop_.update(command::HelpBack{});
  EXPECT_EQ(help().topic.word, "chunk");
  loop_.update(command::HelpBack{});
  EXPECT_EQ(help().topic.word, "chunk");
  loop_.update(command::CloseHelp{});
  EXPECT_FALSE(help().open);
  EXPECT_TRUE(help().before.empty());
}

TEST_F(F1, BackFromAnArticleLeadsToTheSearchThatFoundIt) {
  ask({});
  loop_.update(command::SearchHelp{"overlap"});
  loop_.update(command::ShowHelp{{"overlap", {}}});
  EXPECT_EQ(help().search, "");
  loop_.update(command::HelpBack{});
  EXPECT_EQ(help().search, "overlap");
  EXPECT_EQ(help().topic, Topic{});
}

TEST(TopicAt, IsTheWordAtTheCursorOrItsLinesStatement) {
  const std::string text = "stream A nonblocking\nA: h2d x[0:16MiB]\nA: axpb x fma=64  # wait\n\n";
  const auto word = [&](std::string_view at, std::size_t further = 0) {
    const auto topic = topic_at(text, text.find(at) + further);
    return topic ? topic->word : std::string();
  };
  EXPECT_EQ(word("nonblocking", 3), "nonblocking");
  EXPECT_EQ(word("nonblocking", 11), "nonblocking") << "behind its last letter";
  EXPECT_EQ(word("h2d"), "h2d");
  EXPECT_EQ(word("16MiB", 1), "h2d") << "a size has no help of its own here: the statement";
  EXPECT_EQ(word("axpb", 2), "axpb");
  EXPECT_EQ(word("fma", 1), "fma");
  EXPECT_EQ(topic_at(text, text.size()), std::nullopt);
  EXPECT_EQ(topic_at("", 0), std::nullopt);
  EXPECT_EQ(topic_at("stream", 99)->word, "stream");
}

TEST(WindowHelp, IsThereForAllThatTheWindowAsks) {
  const auto is = [](std::string_view word, std::optional<Kind> kind = {}) {
    const auto called = help::find(window_help(), word).called;
    return std::ranges::any_of(called, [&](const help::Entry* each) { return !kind || each->kind == *kind; });
  };
  schema::each_member<experiment::Experiment>([&](const auto& member) {
    EXPECT_TRUE(member.label.empty() || is(member.key, Kind::experiment_key)) << member.key;
  });
  for (const kernels::Kernel* const kernel : kernels::all())
    for (const kernels::Option& option : kernel->options)
      EXPECT_TRUE(is(fmt::format("kernel.{}", option.key), Kind::experiment_key)) << option.key;
  for (const std::string_view reason : kNames<trace::WaitReason>) EXPECT_TRUE(is(reason, Kind::wait_reason)) << reason;
  for (const std::string_view cause : kNames<verdict::WaitCause>)
    EXPECT_TRUE(is(cause, Kind::wait_reason)) << cause << ", which the waits panel names";
  for (std::size_t i = 0; i < kNames<verdict::Cause>.size(); ++i) {
    EXPECT_TRUE(is(kNames<verdict::Cause>[i], Kind::cause)) << i;
    EXPECT_TRUE(is(in_words(static_cast<verdict::Cause>(i)), Kind::cause)) << i;
  }
  for (const std::string_view kind : kNames<OperationKind>) EXPECT_TRUE(is(kind)) << kind;
  for (const device::Instrument each : device::all_instruments())
    EXPECT_TRUE(is(device::name(each), Kind::instrument)) << device::name(each);
  for (const char* term :
       {"gate", "in-kernel", "prediction", "observer effect", "device", "engine", "MEASURED", "MODEL"})
    EXPECT_TRUE(is(term, Kind::term)) << term;
  for (const char* key : {"Space", "L", "Ctrl E", "C", "F1", "Stop the run and live mode"})
    EXPECT_TRUE(is(key, Kind::key)) << key;
  for (const char* word :
       {"makespan", "copy engine", "compute engine", "thread", "stream", "Speed-up", "Overlap", "Idle", "Waiting",
        "Waiting when ready", "Serial", "Host calls", "Wall time", "Observer effect", "Start", "End", "Ready"})
    EXPECT_TRUE(is(word)) << word;
}

TEST(WindowHelp, AnExampleInTheEditorKeepsWhatWasTyped) {
  testing::StateLoop loop;
  loop.up();
  loop.update(command::EditProgram{"# typed\n"});
  const help::Entry& wait = *help::find(window_help(), "wait").called.front();
  OpenedFile file{.name = "example", .content = {}};
  file.content.program = wait.example;
  loop.update(command::FileOpened{file});
  EXPECT_EQ(loop.state.editing.program, wait.example);
  loop.update(command::RestoreTyped{});
  EXPECT_EQ(loop.state.editing.program, "# typed\n");
}

TEST(WindowHelp, IsFoundInThePaletteOnlyWhereSomethingWasTyped) {
  const State state;
  const auto opens = [](const Choice& choice) {
    return !choice.commands.empty() && testing::as<command::ShowHelp>(choice.commands.front()) != nullptr;
  };
  EXPECT_FALSE(std::ranges::any_of(choices_for(state, " "), opens));
  const auto found = choices_for(state, "cudaStreamWaitEvent");
  ASSERT_FALSE(found.empty());
  ASSERT_TRUE(opens(found.front()));
  EXPECT_EQ(testing::as<command::ShowHelp>(found.front().commands.front())->topic.word, "wait");
  State with_files;
  with_files.editing.shipped = shipped_files();
  EXPECT_FALSE(opens(choices_for(with_files, "cudaStreamWaitEvent").front())) << "what can be opened comes first";
  EXPECT_FALSE(opens(choices_for(with_files, "pinned").front()));
}

TEST(Rank, WordsThatBeginComeBeforeWordsWithin) {
  const std::vector<std::string> keywords{"CUDA event"};
  const Findable title{.title = "An event"}, within{.title = "prevent"}, keyword{.title = "x", .keywords = {keywords}};
  EXPECT_LT(*rank(title, "event"), *rank(keyword, "event"));
  EXPECT_LT(*rank(keyword, "EVENT"), *rank(within, "event"));
  EXPECT_LT(*rank(within, "vent"), *rank(within, "pvt"));
  EXPECT_EQ(rank(within, "event here"), std::nullopt);
  EXPECT_EQ(rank(within, " "), 0);
  // Called so, then beginning so, then having it.
  EXPECT_LT(*rank({.title = "Event"}, "event"), *rank({.title = "event handling"}, "event"));
  EXPECT_LT(*rank({.title = "event handling"}, "event"), *rank({.title = "an event"}, "event"));
}

}  // namespace
}  // namespace streamscope::window
