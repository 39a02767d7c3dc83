#include "app/window/panels/palette_choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/window/panels/actions.h"
#include "app/window/panels/key_help.h"
#include "app/window/panels/languages.h"
#include "app/window/panels/word_rank.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

struct Ranked {
  int rank;
  Choice choice;
};

class Choices {
 public:
  explicit Choices(std::string_view words) : words_(words) {}

  // `behind`: how far behind its rank it stands.
  void offer(Choice choice, Findable what = {}, int behind = 0) {
    what.title = choice.title;
    what.sentence = choice.sentence;
    if (const auto found = rank(what, words_)) ranked_.push_back({*found + behind, std::move(choice)});
  }
  std::vector<Choice> take() {
    std::ranges::stable_sort(ranked_, {}, &Ranked::rank);
    std::vector<Choice> out;
    for (Ranked& each : ranked_) out.push_back(std::move(each.choice));
    return out;
  }

 private:
  std::string_view words_;
  std::vector<Ranked> ranked_;
};

void offer_settings(Choices& choices, const State& state) {
  const auto offer = [&](std::string title, Command command) {
    choices.offer({.title = std::move(title), .keys = {}, .commands = {std::move(command)}});
  };
  for (const timeline::ThemeName each : {timeline::ThemeName::dark, timeline::ThemeName::light,
                                         timeline::ThemeName::projector, timeline::ThemeName::print})
    offer(tr("Theme: {}", timeline::title(each)), command::SetTheme{each});
  // In its own name, found by what each calls it and languages.
  static const std::vector<std::string> kCalled[] = {
      {"language", "English", "英语", "英文", "영어", "语言", "語言", "언어"},
      {"language", "Chinese", "汉语", "中文", "중국어", "语言", "語言", "언어"},
      {"language", "Korean", "韩语", "韩文", "한국어", "语言", "語言", "언어"}};
  for (const lesson::Language each : kSpoken)
    choices.offer({.title = tr("Language: {}", own_name(each)), .keys = {}, .commands = speak(each)},
                  {.title = {}, .keywords = {kCalled[static_cast<std::size_t>(each)]}});
  for (const experiment::Shipped& file : state.editing.shipped) {
    const auto& [en, zh, ko] = file.keywords;
    choices.offer({.title = tr("Open: {}", file.title),
                   .keys = {},
                   .sentence = file.sentence,
                   .commands = {command::OpenFile{file.path}}},
                  {.title = {}, .name = file.name, .keywords = {en, zh, ko}});
  }
  for (const lesson::Listed& each : state.lesson.all) {
    const auto& [en, zh, ko] = each.keywords;
    choices.offer({.title = tr("Lesson: {}", each.title),
                   .keys = {},
                   .sentence = each.about,
                   .commands = {command::OpenLesson{each.folder}}},
                  {.title = {}, .name = each.name, .keywords = {en, zh, ko}});
  }
  offer(tr("Device: auto"), command::SetDevice{"auto"});
  for (const device::DeviceInfo& device : state.settings.devices.devices)
    offer(tr("Device: {} ({})", device::title(device), device.id), command::SetDevice{device.id});
  for (const device::Instrument each : device::all_instruments()) {
    if (!device::about(each).spans) continue;
    Measuring measuring = state.settings.measuring;
    measuring.instrument = each;
    offer(tr("Instrument: {}", device::name(each)), command::SetMeasuring{measuring});
  }
}

// But for what is here anyway: files, and what a key does. Behind what can be done or opened and has the word.
void offer_help(Choices& choices) {
  for (const help::Entry& each : window_help()) {
    using help::Kind;
    if (comes_along(each) || each.kind == Kind::key) continue;
    choices.offer({.title = tr("Help: {}", each.word),
                   .keys = {},
                   .sentence = fmt::format("{}: {}", help::what(each.kind, each.of), each.sentence),
                   .commands = {command::ShowHelp{{each.word, each.kind}}}},
                  {.title = {}, .name = each.word, .keywords = {each.also, each.calls, each.keywords}}, kWithin);
  }
}

}  // namespace

std::vector<Choice> choices_for(const State& state, std::string_view words) {
  Choices choices(words);
  for (const Action& action : actions())
    if (action.palette)
      choices.offer({.title = std::string(tr(action.title)),
                     .keys = std::string(tr(action.keys)),
                     .sentence = action.sentence.empty() ? std::string() : std::string(tr(action.sentence)),
                     .action = &action});
  offer_settings(choices, state);
  if (words.find_first_not_of(' ') != std::string_view::npos) offer_help(choices);
  return choices.take();
}

}  // namespace streamscope::window
