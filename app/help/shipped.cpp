// Entries of the lessons, experiments and programs that come with the program.
#include "engine/experiment/shipped.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/help/help.h"
#include "engine/base/translate.h"
#include "engine/lesson/lesson.h"

namespace streamscope::help {
namespace {

void add(std::vector<std::string>& all, const experiment::Keywords& keywords) {
  const auto& [en, zh, ko] = keywords;
  for (const std::vector<std::string>* words : {&en, &zh, &ko}) all.insert(all.end(), words->begin(), words->end());
}

// "05-four-streams" is found by "four-streams", too, which may be an experiment's name.
Entry entry_of(const lesson::Listed& lesson) {
  const std::string name = lesson.name.substr(lesson.name.find('-') + 1);
  Entry entry{.kind = Kind::lesson,
              .word = lesson.name,
              .also = {lesson.title},
              .keywords = {name},
              .sentence = lesson.about,
              .example = fmt::format("streamscope lesson {}", name)};
  add(entry.keywords, lesson.keywords);
  return entry;
}

Entry entry_of(const experiment::Shipped& file) {
  Entry entry{.kind = file.path.extension() == ".toml" ? Kind::experiment : Kind::program,
              .word = file.name,
              .sentence = file.sentence.empty() ? std::string(tr("It comes with the program.")) : file.sentence,
              .example = "streamscope run " + file.name};
  if (file.title != file.name) entry.also.push_back(file.title);
  add(entry.keywords, file.keywords);
  const std::size_t rest = file.about.find_first_not_of(" \n", file.sentence.size());
  if (rest != std::string::npos) entry.text = file.about.substr(rest);
  return entry;
}

}  // namespace

// Lessons first, then experiments.
Entries shipped() {
  Entries out;
  for (const lesson::Listed& each : lesson::list_lessons(lesson::own_language())) out.push_back(entry_of(each));
  for (const experiment::Shipped& each : experiment::shipped()) out.push_back(entry_of(each));
  std::ranges::stable_sort(out, {}, &Entry::kind);
  return out;
}

}  // namespace streamscope::help
