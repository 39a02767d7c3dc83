#include "app/window/panels/palette_choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/window/panels/actions.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

// Of Latin letters: others have no case here, or are found as they are typed.
std::string small(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

// How far the letters lie apart in the title; letters at the beginning of a word count as close. Nothing: not all of
// them are there in this order.
std::optional<int> distance(std::string_view title, std::string_view words) {
  int apart = 0;
  std::size_t from = 0;
  bool first = true;
  for (const char wanted : words) {
    if (wanted == ' ') continue;
    const std::size_t at = title.find(wanted, from);
    if (at == std::string_view::npos) return std::nullopt;
    const bool begins_word = at == 0 || title[at - 1] == ' ';
    if (!begins_word) apart += first ? 4 : static_cast<int>(at - from) * 2;
    first = false;
    from = at + 1;
  }
  return apart;
}

struct Candidate {
  Choice choice;
  const experiment::Shipped* file = nullptr;
};

// The kinds of texts, the best first.
enum class Field : std::uint8_t { title, name, keyword, sentence };
constexpr int kFields = 4;
constexpr int kInLetters = 2 * kFields;  // behind all that has the words

std::optional<int> rank_in(std::string_view text, std::string_view words, Field field) {
  std::optional<int> best;
  const std::string all = small(text);
  for (std::size_t at = all.find(words); at != std::string::npos; at = all.find(words, at + 1)) {
    const auto before = at == 0 ? ' ' : static_cast<unsigned char>(all[at - 1]);
    const bool letter = before >= 0x80 || (before >= 'a' && before <= 'z') || (before >= '0' && before <= '9');
    if (!letter) return static_cast<int>(field);
    best = kFields + static_cast<int>(field);
  }
  return best;
}

std::optional<int> rank_of(const Candidate& candidate, std::string_view words) {
  std::optional<int> best;
  const auto look = [&](std::string_view text, Field field) {
    const auto rank = rank_in(text, words, field);
    if (rank && (!best || *rank < *best)) best = rank;
  };
  look(candidate.choice.title, Field::title);
  if (candidate.file == nullptr) return best;
  look(candidate.file->name, Field::name);
  const auto& [en, zh, ko] = candidate.file->keywords;
  for (const std::vector<std::string>* language : {&en, &zh, &ko})
    for (const std::string& each : *language) look(each, Field::keyword);
  look(candidate.file->sentence, Field::sentence);
  return best;
}

// As they stand, else each for itself; then the worst counts. Small letters.
std::optional<int> rank_of_all(const Candidate& candidate, std::string_view words) {
  if (const auto whole = rank_of(candidate, words)) return whole;
  int worst = 0;
  for (std::string_view rest = words; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (word.empty()) continue;
    const auto rank = rank_of(candidate, word);
    if (!rank) {
      const auto far = distance(small(candidate.choice.title), words);
      return far ? std::optional(kInLetters + *far) : std::nullopt;
    }
    worst = std::max(worst, *rank);
  }
  return worst;
}

std::vector<Candidate> all_choices(const State& state) {
  std::vector<Candidate> out;
  for (const Action& action : actions())
    if (action.palette)
      out.push_back({{.title = std::string(tr(action.title)), .keys = std::string(tr(action.keys)), .action = &action}});
  const auto offer = [&](std::string title, std::vector<Command> commands) {
    out.push_back({{.title = std::move(title), .keys = {}, .commands = std::move(commands)}});
  };
  for (const timeline::ThemeName each : {timeline::ThemeName::dark, timeline::ThemeName::light,
                                         timeline::ThemeName::projector, timeline::ThemeName::print})
    offer(tr("Theme: {}", timeline::name(each)), {command::SetTheme{each}});
  for (const experiment::Shipped& file : state.editing.shipped) {
    offer(tr("Open: {}", file.title), {command::OpenFile{file.path}});
    out.back().choice.sentence = file.sentence;
    out.back().file = &file;
  }
  offer(tr("Device: auto"), {command::SetDevice{"auto"}});
  for (const device::DeviceInfo& device : state.settings.devices.devices)
    offer(tr("Device: {} ({})", device.name, device.id), {command::SetDevice{device.id}});
  for (const device::Instrument each : device::all_instruments()) {
    if (!device::about(each).spans) continue;
    Measuring measuring = state.settings.measuring;
    measuring.instrument = each;
    offer(tr("Instrument: {}", device::name(each)), {command::SetMeasuring{measuring}});
  }
  return out;
}

}  // namespace

std::vector<Choice> choices_for(const State& state, std::string_view words) {
  while (words.ends_with(' ')) words.remove_suffix(1);
  while (words.starts_with(' ')) words.remove_prefix(1);
  const std::string wanted = small(words);
  struct Ranked {
    int rank;
    Choice choice;
  };
  std::vector<Ranked> ranked;
  for (Candidate& each : all_choices(state)) {
    const std::optional<int> rank = wanted.empty() ? 0 : rank_of_all(each, wanted);
    if (rank) ranked.push_back({*rank, std::move(each.choice)});
  }
  std::ranges::stable_sort(ranked, {}, &Ranked::rank);
  std::vector<Choice> out;
  for (Ranked& each : ranked) out.push_back(std::move(each.choice));
  return out;
}

}  // namespace streamscope::window
