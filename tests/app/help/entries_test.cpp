// There is help for each thing that has a name, and whoever asks finds it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>

#include "app/help/help.h"
#include "app/help/write.h"
#include "engine/analysis/figures.h"
#include "engine/device/device.h"
#include "engine/device/model/profile/profile_numbers.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/read_input.h"
#include "engine/trace/description.h"
#include "kernels/registry.h"
#include "tests/support/source_words.h"

namespace streamscope::help {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

std::set<std::string> words_of(Kind kind) {
  std::set<std::string> out;
  for (const Entry& each : all()) {
    if (each.kind == kind) out.insert(each.word);
  }
  return out;
}

std::vector<std::string> called(std::string_view word) {
  std::vector<std::string> out;
  for (const Entry* each : find(all(), word).called) out.push_back(each->word);
  return out;
}

TEST(Entries, HaveASentenceEach) {
  for (const Entry& each : all()) {
    EXPECT_FALSE(each.word.empty());
    ASSERT_FALSE(each.sentence.empty()) << each.word;
    EXPECT_TRUE(each.sentence.back() == '.' || each.kind == Kind::program) << each.word << ": " << each.sentence;
  }
}

TEST(Entries, AreThereForEachKeyInstrumentReasonAndNumber) {
  const std::set<std::string> keys = words_of(Kind::experiment_key);
  for (const std::string& key : experiment::keys::all()) EXPECT_THAT(keys, Contains(key));
  const std::set<std::string> instruments = words_of(Kind::instrument);
  for (const device::Instrument each : device::all_instruments())
    EXPECT_THAT(instruments, Contains(std::string(device::name(each))));
  const std::set<std::string> reasons = words_of(Kind::wait_reason);
  for (const std::string_view each : kNames<trace::WaitReason>) EXPECT_THAT(reasons, Contains(std::string(each)));
  const std::set<std::string> numbers = words_of(Kind::profile_key);
  for (const model::ProfileNumber& each : model::profile_numbers())
    EXPECT_THAT(numbers, Contains(std::string(each.path)));
  for (const model::WhatIf& each : model::what_ifs()) EXPECT_THAT(numbers, Contains(std::string(each.key)));
  const std::set<std::string> figures = words_of(Kind::figure);
  const auto is_there = [&](const auto& member) { EXPECT_THAT(figures, Contains(std::string(member.key))); };
  schema::each_member<trace::Span>(is_there);
  schema::each_member<trace::Run>(is_there);
  for (const analysis::Figure& each : analysis::figures(analysis::Analysis{})) is_there(each);
}

// "streamscope run FILE --set K=V --set K=V" as the words behind --set.
std::vector<std::string> settings_of(const std::string& example) {
  std::vector<std::string> out;
  for (std::size_t at = example.find("--set "); at != std::string::npos; at = example.find("--set ", at + 1)) {
    const std::size_t from = at + 6, end = std::min(example.find(" --set", from), example.size());
    out.push_back(example.substr(from, end - from));
    std::erase(out.back(), '\'');
  }
  return out;
}

TEST(Entries, ExamplesOfKeysAreTakenByAnExperiment) {
  for (const Entry& each : all()) {
    // Those that only a file can give have none.
    if (each.kind != Kind::experiment_key || each.example.empty()) continue;
    SCOPED_TRACE(each.word + ": " + each.example);
    experiment::InputText source{"default.toml", "default.toml", ""};
    if (each.word == "program") {
      source.text = each.example;
      const auto read = experiment::read_input(source, {});
      EXPECT_TRUE(read) << read.error().message;
      continue;
    }
    const std::vector<std::string> settings = settings_of(each.example);
    ASSERT_FALSE(settings.empty());
    EXPECT_THAT(settings.back(), ::testing::StartsWith(each.word + "="));
    const auto read = experiment::read_input(source, settings);
    ASSERT_TRUE(read) << read.error().message;
    if (each.word.starts_with("kernel.")) {
      EXPECT_EQ(read->warnings, "");
    }
  }
}

TEST(Entries, EndInTheMarkOfTheirLanguage) {
  EXPECT_EQ(with_full_stop("Done"), "Done.");
  for (const char* text : {"", "Done.", "Done?", "完成。", "完成！"}) EXPECT_EQ(with_full_stop(text), text);
  EXPECT_EQ(with_full_stop("完成"), "完成.");
}

TEST(Entries, SayWhereAFigureStands) {
  EXPECT_EQ(what(Kind::figure, "prediction"), "in `prediction` of JSON");
  EXPECT_EQ(what(Kind::figure, "spans"), "in `spans` of JSON, and in CSV");
}

TEST(Finding, GoesByAnyNameAndAnyCase) {
  EXPECT_THAT(called("WAIT"), Contains("wait"));
  EXPECT_THAT(called("cudaStreamWaitEvent"), Contains("wait"));
  EXPECT_THAT(called("cudamemcpyasync"), ::testing::IsSupersetOf({"h2d", "d2h", "d2d"}));
  EXPECT_EQ(called("kernel.fma"), std::vector<std::string>{"kernel.fma"});
  EXPECT_EQ(called("stages").front(), "stages");
  EXPECT_THAT(called("stages"), Contains("kernel.stages"));
  EXPECT_THAT(called("double buffering"), Contains("double buffering"));
  EXPECT_THAT(called("pinned memory"), Contains("pinned memory"));
  EXPECT_THAT(called("four-streams"), Contains("four-streams"));
  const Entries key = {{.kind = Kind::key, .word = "Ctrl E", .sentence = "Export."}};
  for (const char* written : {"Ctrl+E", "ctrl e", "CTRL E"}) EXPECT_EQ(find(key, written).called.size(), 1u) << written;
  const Entries option = {{.kind = Kind::option, .word = "--png", .of = "run", .sentence = "Draw."}};
  for (const char* written : {"--png", "png", "-png", "PNG"}) EXPECT_EQ(find(option, written).called.size(), 1u);
}

TEST(Finding, LeadsFromWhatANewcomerTypes) {
  for (const auto& [typed, found] : {std::pair{"perfetto", "Chrome trace"},
                                     {"crop", "excerpt"},
                                     {"milliseconds", "unit"},
                                     {"units", "unit"},
                                     {"keys", "key"},
                                     {"bare runs", "bare run"},
                                     {"shortcuts", "key"}})
    EXPECT_THAT(called(typed), Contains(found)) << typed;
  EXPECT_EQ(called("streams").front(), "streams") << "the key of an experiment, and not the statement";
}

TEST(Finding, GoesByKeywordsOfExperimentsInAnyLanguage) {
  const Entries some = {{.kind = Kind::experiment, .word = "a", .keywords = {"pinned", "重叠"}, .sentence = "One."},
                        {.kind = Kind::term, .word = "pinned", .sentence = "Two."}};
  for (const char* word : {"Pinned", "重叠"}) {
    const Found found = find(some, word);
    ASSERT_EQ(found.shown_by.size(), 1u) << word;
    EXPECT_EQ(found.shown_by[0], &some[0]);
    EXPECT_EQ(found.called.size(), word[0] == 'P' ? 1u : 0u);
    EXPECT_TRUE(found.speak_of.empty());
    EXPECT_TRUE(found.near.empty());
    EXPECT_THAT(as_text(found, word), HasSubstr("show it:\n  a "));
  }
}

TEST(Finding, LeadsFromEachWordOfTheSourcesToItsLesson) {
  const auto words = source_words(STREAMSCOPE_SOURCE "/tests/ideas/words.csv");
  EXPECT_GE(words.size(), 300u);
  for (const auto& [number, word] : words) {
    const Found found = find(all(), word);
    bool there = false;
    for (const auto* entries : {&found.called, &found.shown_by, &found.speak_of})
      for (const Entry* each : *entries) there |= each->kind == Kind::lesson && each->word.starts_with(number + "-");
    EXPECT_TRUE(there) << word << " does not lead to lesson " << number;
  }
}

TEST(Finding, NamesTheWordsOfTheLanguageInOthers) {
  for (const auto& [typed, word] : {std::pair{"回调", "callback"},
                                    {"콜백", "callback"},
                                    {"轮询", "poll"},
                                    {"동기화", "sync"},
                                    {"优先级", "priority"},
                                    {"事件", "event"},
                                    {"捕获", "capture"},
                                    {"计时", "elapsed"},
                                    {"시간 측정", "elapsed"},
                                    {"固定内存", "pinned memory"},
                                    {"主机函数", "hostfn"},
                                    {"race", "hazard"}})
    EXPECT_THAT(called(typed), Contains(word)) << typed;
  EXPECT_EQ(called("图表"), std::vector<std::string>());
}

TEST(Finding, OfALessonIsByTitleNameAndKeywords) {
  EXPECT_THAT(called("Foreman or dispatcher"), Contains("01-foreman-or-dispatcher"));
  const Found by_name = find(all(), "four-streams");
  EXPECT_THAT(by_name.called.front()->kind, Kind::experiment);
  EXPECT_THAT(as_text(by_name, "four-streams"), HasSubstr("\n  05-four-streams"));
  EXPECT_THAT(called("graphs"), Contains("graph")) << "and not only the lesson of that title";
}

TEST(Finding, OfAnUnknownWordGivesWhatIsNearAndWhatSpeaksOfIt) {
  const Found misspelled = find(all(), "h2dd");
  EXPECT_TRUE(misspelled.called.empty());
  EXPECT_THAT(misspelled.near, Contains("h2d"));
  const Found spoken = find(all(), "quartiles");
  EXPECT_TRUE(spoken.called.empty());
  ASSERT_FALSE(spoken.speak_of.empty());
  EXPECT_THAT(as_text(spoken, "quartiles"), HasSubstr("observer effect"));
  const Found nothing = find(all(), "xyzzyplugh");
  EXPECT_TRUE(nothing.called.empty() && nothing.speak_of.empty() && nothing.near.empty());
  EXPECT_TRUE(find(all(), "").called.empty());
}

// Its paragraphs and rows stand in from the word.
TEST(Text, StandsInFromItsWord) {
  for (const Entry& each : all()) {
    std::istringstream lines(as_text(each));
    std::string line;
    for (std::getline(lines, line); std::getline(lines, line);)
      EXPECT_TRUE(line.empty() || line.starts_with("  ")) << each.word << ": " << line;
  }
}

TEST(Text, FitsATerminalOfEightyColumns) {
  for (const Entry& each : all()) {
    const std::string text = as_text(each);
    for (std::size_t from = 0; from < text.size();) {
      const std::size_t end = text.find('\n', from);
      const std::string line = text.substr(from, end - from);
      // A word longer than a line, such as an example's command, is not cut.
      if (line.find_first_not_of(' ') != std::string::npos && line.find("      ") != 0) {
        EXPECT_LE(std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; }), 80) << line;
      }
      from = end + 1;
    }
  }
}

TEST(Text, LinksLeadSomewhere) {
  // Those of the command line and of the keyboard are known where all are together.
  for (const Entry& each : all()) {
    for (const std::string& word : each.see) {
      if (word.starts_with("--") || word == "streamscope" || word == "run" || word == "check" || word == "calibrate")
        continue;
      EXPECT_FALSE(find(all(), word).called.empty()) << each.word << " leads to " << word;
    }
  }
}

}  // namespace
}  // namespace streamscope::help
