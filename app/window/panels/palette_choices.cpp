#include "app/window/panels/palette_choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "app/window/panels/actions.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// How far the letters lie apart in the title; letters at the beginning of a word count as close. Nothing: not all of
// them are there in this order.
std::optional<int> distance(std::string_view title, std::string_view words) {
  int apart = 0;
  std::size_t from = 0;
  bool first = true;
  for (const char wanted : words) {
    if (wanted == ' ') continue;
    std::size_t at = from;
    while (at < title.size() && lower(title[at]) != lower(wanted)) ++at;
    if (at == title.size()) return std::nullopt;
    const bool begins_word = at == 0 || title[at - 1] == ' ';
    if (!begins_word) apart += first ? 4 : static_cast<int>(at - from) * 2;
    first = false;
    from = at + 1;
  }
  return apart;
}

std::vector<Choice> all_choices(const State& state) {
  std::vector<Choice> out;
  for (const Action& action : actions())
    if (action.palette)
      out.push_back({.title = std::string(tr(action.title)),
                     .keys = std::string(tr(action.keys)),
                     .commands = {},
                     .action = &action});
  const auto offer = [&](std::string title, std::vector<Command> commands) {
    out.push_back({.title = std::move(title), .keys = {}, .commands = std::move(commands), .action = nullptr});
  };
  for (const timeline::ThemeName each : {timeline::ThemeName::dark, timeline::ThemeName::light,
                                         timeline::ThemeName::projector, timeline::ThemeName::print})
    offer(tr("Theme: {}", timeline::name(each)), {command::SetTheme{each}});
  for (const Listed& file : state.editing.shipped) offer(tr("Open {}", file.name), {command::OpenFile{file.path}});
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
  struct Ranked {
    int distance;
    Choice choice;
  };
  std::vector<Ranked> ranked;
  for (Choice& choice : all_choices(state))
    if (const auto far = distance(choice.title, words)) ranked.push_back({*far, std::move(choice)});
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const Ranked& a, const Ranked& b) { return a.distance < b.distance; });
  std::vector<Choice> out;
  for (Ranked& each : ranked) out.push_back(std::move(each.choice));
  return out;
}

}  // namespace streamscope::window
