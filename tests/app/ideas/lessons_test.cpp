// Each idea of the list has a step of a lesson that explains it and runs the words that express it (lessons.csv), and
// the terms of a step are those of the glossary in each language.
#include <gtest/gtest.h>

#include <toml++/toml.h>
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <sstream>

#include "engine/base/files.h"
#include "engine/lesson/lesson.h"
#include "kernels/registry.h"
#include "tests/ideas/idea.h"

namespace streamscope::ideas {
namespace {

std::vector<lesson::Lesson> read_all_lessons() {
  std::vector<lesson::Lesson> all;
  for (const auto& folder : lesson::shipped_lessons()) {
    auto lesson = lesson::read_lesson(folder);
    EXPECT_TRUE(lesson) << lesson.error().message;
    if (lesson) all.push_back(std::move(*lesson));
  }
  return all;
}
const std::vector<lesson::Lesson>& all_lessons() {
  static const std::vector<lesson::Lesson> all = read_all_lessons();
  return all;
}

std::vector<std::string> split(const std::string& text, const std::string& at) {
  std::vector<std::string> out;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find(at, from), text.size());
    if (end > from) out.push_back(text.substr(from, end - from));
    from = end + at.size();
  }
  return out;
}

struct Row {
  std::string id, lesson, step;  // "1.31", "01", "foreman"
  std::vector<std::string> words;
};
std::vector<Row> read_table() {
  std::vector<Row> rows;
  const auto text = read_text(STREAMSCOPE_SOURCE "/tests/ideas/lessons.csv");
  EXPECT_TRUE(text);
  for (const std::string& line : split(text.value_or(""), "\n")) {
    if (line.starts_with('#') || line.starts_with("id,")) continue;
    const std::size_t step = line.find(','), words = line.find(',', step + 1);
    const std::string place = line.substr(step + 1, words - step - 1);
    rows.push_back({line.substr(0, step), place.substr(0, 2), place.substr(std::min<std::size_t>(3, place.size())),
                    split(line.substr(words + 1), "; ")});
  }
  return rows;
}

// The words of a program's statements; "kernel" stands before each kernel's own.
std::vector<std::string> words_of(const std::string& program) {
  std::vector<std::string> out;
  for (const std::string& line : split(program, "\n")) {
    std::istringstream words(line.substr(0, line.find('#')));
    for (std::string word; words >> word; out.push_back(word))
      if (kernels::find(word) != nullptr) out.push_back("kernel");
  }
  return out;
}
// Several words: they stand one behind the other.
bool has(const std::vector<std::string>& program, const std::string& words) {
  const auto alike = [](const std::string& is, const std::string& wanted) {
    return wanted.ends_with('=') ? is.starts_with(wanted) : is == wanted;
  };
  const std::vector<std::string> wanted = split(words, " ");
  return std::ranges::search(program, wanted, alike).begin() != program.end();
}

const std::string* program_of(const std::string& id) {
  static const std::vector<Idea> all = all_ideas();
  for (const Idea& idea : all)
    if (std::ranges::find(idea.ids, id) != idea.ids.end()) return &idea.program;
  return nullptr;
}

TEST(IdeasInLessons, EachIsCoveredByTheLessonOfItsRowAndByNoOther) {
  std::map<std::string, std::set<std::string>> covered, expected;
  std::size_t times = 0;
  for (const lesson::Lesson& each : all_lessons()) {
    for (const std::string& id : each.covers) covered[id].insert(each.name.substr(0, 2));
    times += each.covers.size();
  }
  for (const Row& row : read_table()) expected[row.id].insert(row.lesson);
  EXPECT_EQ(covered, expected);
  EXPECT_EQ(times, 203u);
  std::set<std::string> ids, known;
  for (const auto& [id, lessons] : covered) ids.insert(id);
  for (const Idea& idea : all_ideas()) known.insert(idea.ids.begin(), idea.ids.end());
  for (const NotApplicable& one : not_applicable()) known.insert(one.id);
  EXPECT_EQ(ids, known);
}

// Those that no program could say are explained only.
TEST(IdeasInLessons, EachIsExplainedAndRun) {
  int explained = 0;
  for (const Row& row : read_table()) {
    SCOPED_TRACE(row.id + " in " + row.lesson + "/" + row.step);
    const auto at = std::ranges::find_if(
        all_lessons(), [&](const lesson::Lesson& each) { return each.name.starts_with(row.lesson + "-"); });
    const lesson::Step* step = at == all_lessons().end() ? nullptr : step_named(*at, row.step);
    if (step == nullptr) {
      ADD_FAILURE() << "there is no such step";
      continue;
    }
    for (const auto& words : at->words) EXPECT_TRUE(words && !words->sections.at(row.step).text.empty());
    ++explained;
    const std::string* own = program_of(row.id);
    EXPECT_EQ(own == nullptr, row.words.empty());
    std::vector<std::string> run;
    for (const lesson::RunToMake& each : at->runs)
      if (step->run.empty() || each.name == step->run)
        std::ranges::copy(words_of(each.input.program), std::back_inserter(run));
    for (const std::string& words : row.words) {
      EXPECT_TRUE(own != nullptr && has(words_of(*own), words)) << "the idea is not about '" << words << "'";
      EXPECT_TRUE(has(run, words)) << "the step does not run '" << words << "'";
    }
  }
  EXPECT_EQ(explained, 203);
}

// -- Terms

using InOthers = std::array<std::vector<std::string>, 2>;  // zh, ko; several of a word with several meanings

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

// Words that are a term in the program's messages and everyday English in a lesson: "run", "it costs", "a change that
// would help"; or a verb, which Korean inflects.
const std::set<std::string> kEveryday{
    "bound",   "busy",   "capture", "cause",  "change that helps",
    "commit",  "cost",   "end",     "fill",   "grid",
    "hold",    "idle",   "lane",    "lesson", "measured",
    "overlap", "pass",   "queued",  "ready",  "run",
    "sample",  "serial", "share",   "stage",  "start",
    "table",   "wait",   "window",  "zoom",
};

// The longest first.
std::vector<std::pair<std::string, InOthers>> glossary() {
  std::map<std::string, InOthers> by_word;
  const toml::parse_result parsed = toml::parse_file(STREAMSCOPE_SOURCE "/assets/messages/glossary.toml");
  for (const auto& [section, terms] : parsed) {
    for (const auto& [term, words] : *terms.as_table()) {
      const std::string english = lower(std::string(term.str()).substr(0, term.str().find(" (")));
      const toml::table& in = *words.as_table();
      for (const std::string& each : split(english, ", ")) {
        if (kEveryday.contains(each)) continue;
        std::ranges::copy(split(lower(in["zh"].value_or(std::string())), "，"), std::back_inserter(by_word[each][0]));
        std::ranges::copy(split(lower(in["ko"].value_or(std::string())), ", "), std::back_inserter(by_word[each][1]));
      }
    }
  }
  std::vector<std::pair<std::string, InOthers>> out(by_word.begin(), by_word.end());
  std::ranges::stable_sort(out, std::greater(), [](const auto& each) { return each.first.size(); });
  return out;
}

// What is said in a section, without code, figures and names.
std::string said(const lesson::Section& section) {
  std::string out;
  const auto add = [&](const lesson::Line& line) {
    for (const lesson::Piece& piece : line)
      out += piece.kind == lesson::Piece::Kind::plain || piece.kind == lesson::Piece::Kind::bold ? piece.text : " ";
    out += "\n";
  };
  const auto add_all = [&](const lesson::Text& text) {
    for (const lesson::Block& block : text)
      if (block.kind != lesson::Block::Kind::code) add(block.line);
  };
  add_all(section.text);
  for (const auto& [name, line] : section.options) add(line);
  for (const auto& [name, text] : section.answers) add_all(text);
  return lower(out);
}

// Takes the word out of the text, with an s at its end too; whether it was there.
bool take(std::string& text, const std::string& word) {
  const auto letter = [&](std::size_t at) {
    return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at]));
  };
  bool found = false;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    std::size_t end = at + word.size();
    for (const char* plural : {"es", "s"})
      if (text.substr(end, std::string(plural).size()) == plural && !letter(end + std::string(plural).size())) {
        end += std::string(plural).size();
        break;
      }
    if (letter(end) || (at > 0 && letter(at - 1))) continue;
    text.replace(at, end - at, " ");
    found = true;
  }
  return found;
}

TEST(LessonTerms, AreThoseOfTheGlossaryInEachStep) {
  const auto glossary_terms = glossary();
  ASSERT_GT(glossary_terms.size(), 100u);
  std::size_t compared = 0;
  std::string missing;
  for (const lesson::Lesson& each : all_lessons()) {
    for (const lesson::Step& step : each.steps) {
      const auto in = [&](lesson::Language language) { return said(section_of(each, step, language)); };
      const std::array<std::string, 2> others{in(lesson::Language::zh), in(lesson::Language::ko)};
      std::string english = in(lesson::Language::en);
      for (const char* phrase : {"copy in", "copy out", "copies in", "copies out"}) take(english, phrase);  // 拷入
      for (const auto& [word, terms] : glossary_terms) {
        if (!take(english, word)) continue;
        for (std::size_t i = 0; i < others.size(); ++i, ++compared)
          if (std::ranges::none_of(terms[i],
                                   [&](const std::string& term) { return others[i].find(term) != others[i].npos; }))
            missing += each.name + "/" + step.name + ": '" + word + "' is not '" + terms[i].front() + "'\n";
      }
    }
  }
  EXPECT_EQ(missing, "");
  EXPECT_GT(compared, 2000u);
}

}  // namespace
}  // namespace streamscope::ideas
