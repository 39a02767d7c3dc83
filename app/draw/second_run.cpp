#include "app/draw/second_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/translate.h"

namespace streamscope::draw {

timeline::ComparedRun compared_run(const SecondRun& second, const timeline::Tracks& tracks) {
  timeline::ComparedRun out = second.compared;
  out.trace = &second.run->trace;
  out.tracks = &tracks;
  out.waiters = nullptr;
  out.selected = out.hovered = kNoOperation;
  return out;
}

Caption caption_of_both(const SecondRun& second) {
  return {tr("{} and {}", second.compared.first_name, second.compared.name),
          fmt::format("{}   |   {}", second.compared.first_title, second.compared.title)};
}

std::vector<KeyFigure> key_figures_of_both(const trace::Run& first, const SecondRun& second) {
  std::vector<KeyFigure> out = key_figures(first);
  const std::vector<KeyFigure> other = key_figures(*second.run);
  for (KeyFigure& each : out) {
    const auto same = std::find_if(other.begin(), other.end(), [&](const KeyFigure& o) { return o.name == each.name; });
    each.detail = fmt::format("{}: {}", second.compared.name, same != other.end() ? same->value : tr("not known"));
    each.bad |= same != other.end() && same->bad;
  }
  return out;
}

std::vector<timeline::LegendEntry> legend_of_both(std::vector<timeline::LegendEntry> first, const SecondRun& second,
                                                  const timeline::Tracks& tracks, const timeline::Theme& theme,
                                                  timeline::ColourBy colour_by,
                                                  const std::optional<trace::Interval>& within) {
  const auto moved = [&](const trace::Interval& seen) {
    return trace::Interval{seen.start - second.compared.offset, seen.end - second.compared.offset};
  };
  for (timeline::LegendEntry& each :
       timeline::legend(tracks, theme, colour_by, within ? std::optional(moved(*within)) : std::nullopt)) {
    if (second.compared.overlaid && each.fill == timeline::Fill::hatch)
      continue;  // of what lies below only the bars are drawn
    if (std::none_of(first.begin(), first.end(), [&](const timeline::LegendEntry& f) { return f.label == each.label; }))
      first.push_back(std::move(each));
  }
  if (second.compared.overlaid) {
    first.push_back(timeline::ghost_entry({}, theme));
    first.back().label = tr("{}, outlined", second.compared.name);
  }
  return first;
}

std::vector<std::string> notes_of_both(const trace::Run& first, const SecondRun& second) {
  std::vector<std::string> out;
  const std::vector<std::string> notes = trace::texts(first.notes), other = trace::texts(second.run->notes);
  const auto has = [](const std::vector<std::string>& all, const std::string& note) {
    return std::find(all.begin(), all.end(), note) != all.end();
  };
  for (const std::string& note : notes)
    out.push_back(has(other, note) ? note : fmt::format("{}: {}", second.compared.first_name, note));
  for (const std::string& note : other)
    if (!has(notes, note)) out.push_back(fmt::format("{}: {}", second.compared.name, note));
  return out;
}

}  // namespace streamscope::draw
