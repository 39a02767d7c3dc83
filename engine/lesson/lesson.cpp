#include "engine/lesson/lesson.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "engine/base/files.h"
#include "engine/base/suggest.h"
#include "engine/base/translate.h"
#include "engine/lesson/keywords_file.h"
#include "engine/lesson/lesson_file.h"
#include "engine/lesson/quantities.h"

namespace streamscope::lesson {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestText = 1u << 20;

Needed needed(const Step& step) {
  Needed out{step.name, step.run, {}, {}};
  switch (step.kind) {
    case StepKind::check: out.answers = {"fails"}; break;
    case StepKind::change: out.answers = {"hint", "done"}; break;
    case StepKind::vote:
    case StepKind::predict:
      out.answers = {"right"};
      for (const Choice& each : step.choices) out.options.push_back(each.name);
      for (const Item& each : step.items) out.options.push_back(each.name);
      out.wrong_for_all = !step.choices.empty();
      for (const WrongNumber& each : step.wrong) out.answers.push_back(each.name);
      if (step.ask == Ask::number) out.answers.insert(out.answers.end(), {"too-low", "too-high"});
      if (step.ask == Ask::order || step.ask == Ask::bar) out.answers.emplace_back("wrong");
      break;
    case StepKind::say:
    case StepKind::run:
    case StepKind::code: break;
  }
  return out;
}

void each_value(const Text& text, const std::function<void(const Expression&)>& found) {
  for (const Block& block : text)
    for (const Piece& piece : block.line)
      if (piece.value) each_quantity(*piece.value, found);
}

// Values in the words are of operations that are there; and causes that they name are noted.
void check_values(Lesson& lesson, const Step& step, const Section& section, std::string& wrong) {
  const auto check = [&](const Expression& of) {
    const std::string& name = of.run.empty() ? step.run : of.run;
    const auto at = std::ranges::find(lesson.runs, name, &RunToMake::name);
    if (at == lesson.runs.end()) return;
    if (of.quantity->name.starts_with("cause")) at->causes = true;
    if (!of.operation) return;
    auto there = operation(at->input.checked, at->tags, *of.operation);
    // What is said behind a change may be of the changed program.
    if (!there && of.run.empty() && step.solution)
      there = operation(step.solution->checked, tags_of(step.solution->program), *of.operation);
    if (!there) wrong += (wrong.empty() ? "" : "\n") + there.error().message;
  };
  each_value(section.text, check);
  for (const auto& [name, text] : section.answers) each_value(text, check);
  for (const auto& [name, line] : section.options) each_value({{Block::Kind::item, line}}, check);
}

}  // namespace

Result<Lesson> read_lesson(const fs::path& folder) {
  const fs::path file = folder / "lesson.toml";
  std::error_code error;
  if (!fs::is_regular_file(file, error))
    return fail(ErrorKind::bad_input,
                tr("{}: error: this is no lesson: there is no lesson.toml in it", folder.string()));
  const std::string toml = TRY(read_text(file, kLargestText));
  std::string wrong;
  Lesson lesson = read_lesson_file(toml, file.string(), folder, wrong);
  lesson.folder = folder;
  lesson.name = fs::absolute(folder, error).lexically_normal().filename().string();
  if (lesson.name.empty())
    lesson.name = fs::absolute(folder, error).lexically_normal().parent_path().filename().string();
  if (lesson.steps.empty()) return fail(ErrorKind::bad_input, std::move(wrong));
  std::vector<Needed> all;
  for (const Step& step : lesson.steps) all.push_back(needed(step));
  Names names;
  for (const RunToMake& run : lesson.runs) names.runs.insert(run.name);
  for (std::size_t i = 0; i < lesson.words.size(); ++i) {
    const fs::path path = folder / fmt::format("{}.md", name_of(static_cast<Language>(i)));
    if (i != 0 && !fs::exists(path, error)) continue;
    const std::string text = TRY(read_text(path, kLargestText));
    auto words = read_words(text, path.string(), all, names);
    if (!words) {
      wrong += (wrong.empty() ? "" : "\n") + words.error().message;
      continue;
    }
    for (const Step& step : lesson.steps) check_values(lesson, step, words->sections.at(step.name), wrong);
    lesson.words[i] = std::move(*words);
  }
  if (!wrong.empty()) return fail(ErrorKind::bad_input, std::move(wrong));
  return lesson;
}

const RunToMake* run_named(const Lesson& lesson, std::string_view name) {
  const auto at = std::ranges::find(lesson.runs, name, &RunToMake::name);
  return at == lesson.runs.end() ? nullptr : &*at;
}
const Step* step_named(const Lesson& lesson, std::string_view name) {
  const auto at = std::ranges::find(lesson.steps, name, &Step::name);
  return at == lesson.steps.end() ? nullptr : &*at;
}
const Words& words_in(const Lesson& lesson, Language language) {
  const auto& asked = lesson.words[static_cast<std::size_t>(language)];
  return asked ? *asked : *lesson.words[0];
}
const Section& section_of(const Lesson& lesson, const Step& step, Language language) {
  return words_in(lesson, language).sections.at(step.name);
}

Language own_language() {
  for (const char* variable : {"LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value != '\0')
      return by_name<Language>(std::string_view(value).substr(0, 2)).value_or(Language::en);
  }
  return Language::en;
}

std::vector<fs::path> shipped_lessons() {
  std::vector<fs::path> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(assets_folder() / "lessons", error))
    if (fs::is_regular_file(entry.path() / "lesson.toml", error)) found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

std::vector<Listed> list_lessons(Language language) {
  std::vector<Listed> all;
  for (const fs::path& folder : shipped_lessons()) {
    Listed one{folder, folder.filename().string(), {}, {}};
    if (const auto toml = read_text(folder / "lesson.toml", kLargestText)) one.keywords = keywords_of(*toml);
    for (const Language each : {language, Language::en}) {
      const auto text = read_text(folder / fmt::format("{}.md", name_of(each)), kLargestText);
      if (!text) continue;
      const Heading heading = heading_of(*text);
      one.title = heading.title;
      one.about = heading.about;
      break;
    }
    all.push_back(std::move(one));
  }
  return all;
}

Result<fs::path> find_lesson(const std::string& name) {
  std::error_code error;
  if (fs::is_directory(name, error)) return fs::path(name);
  std::vector<std::string> names;
  for (const fs::path& each : shipped_lessons()) {
    const std::string full = each.filename().string();
    const std::size_t dash = full.find('-');
    if (name == full || name == full.substr(0, dash) || "0" + name == full.substr(0, dash) ||
        (dash != std::string::npos && name == full.substr(dash + 1)))
      return each;
    names.push_back(full);
  }
  const std::vector<std::string_view> words(names.begin(), names.end());
  std::string message = tr("{}: error: no such lesson and no folder", name);
  if (const std::string meant = did_you_mean(name, words); !meant.empty())
    message += meant;
  else if (!names.empty())
    message += tr("; lessons: {}", fmt::join(names, ", "));
  return fail(ErrorKind::bad_input, std::move(message));
}

}  // namespace streamscope::lesson
