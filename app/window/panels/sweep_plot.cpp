#include "app/window/panels/sweep_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "app/timeline/span_text.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

// What is drawn of a sweep, in the figure's unit.
struct Plotted {
  const sweep::Sweep& sweep;
  sweep::SweepUnit unit;
  std::optional<std::size_t> best;
  std::size_t columns, rows;  // values of the first axis; of the second, else 1

  explicit Plotted(const sweep::Sweep& of)
      : sweep(of),
        unit(sweep::unit_of(of)),
        best(sweep::best_of(of)),
        columns(of.axes[0].values.size()),
        rows(of.axes.size() > 1 ? of.axes[1].values.size() : 1) {}

  sweep::SweepFigure at(std::size_t point) const {
    const auto& result = sweep.points[point].result;
    return result ? sweep::figure_of(*result, sweep.figure) : sweep::SweepFigure();
  }
  std::string text(double value) const {
    const double shown = value * unit.factor;
    return fmt::format("{:.{}f}", shown, shown >= 100 ? 0 : shown >= 10 ? 1 : 2);
  }
  // Others with the same figure, as it is written.
  std::size_t as_good_as_best() const {
    std::size_t out = 0;
    for (std::size_t i = 0; best && i < sweep.points.size(); ++i) {
      const auto value = at(i).figure.value;
      if (i != *best && value && text(*value) == text(*at(*best).figure.value)) ++out;
    }
    return out;
  }
};

void explain_point(const Panel& panel, const Plotted& of, std::size_t point) {
  const sweep::SweepFigure figure = of.at(point);
  std::string words = name_of_point(panel.state.sweeping, point);
  if (figure.figure.value) {
    words += fmt::format("\n{} {} {}", figure.figure.name, of.text(*figure.figure.value), of.unit.name);
    if (figure.low < figure.high)
      words += tr(", from {} to {}", of.text(figure.low), fmt::format("{} {}", of.text(figure.high), of.unit.name));
    if (of.best == point) words += fmt::format("\n{}", tr("The best of them"));
    words += fmt::format("\n{}", tr("Click: this run on the timeline"));
  } else {
    const std::string& why = of.sweep.points[point].why_not;
    words += fmt::format("\n{}", why.empty() ? std::string(tr("not run yet")) : why);
  }
  tooltip(words);
}

// A point under the mouse: what it is, and a click on it.
void react(const Panel& panel, const Plotted& of, std::size_t point) {
  explain_point(panel, of, point);
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) panel.emit(command::ShowSweepPoint{point});
}

void draw_words(ImVec2 at, timeline::Colour ink, const std::string& words) {
  ImGui::GetWindowDrawList()->AddText(at, packed(ink), words.c_str());
}

// Value in the middle of a field, as much as fits.
void draw_centred(ImVec2 low, ImVec2 high, timeline::Colour ink, const std::string& words) {
  const std::string shown = elided(words, high.x - low.x - 4);
  const float width = width_of(shown), line = ImGui::GetTextLineHeight();
  draw_words({(low.x + high.x - width) / 2, (low.y + high.y - line) / 2}, ink, shown);
}

timeline::Colour heat(const timeline::Theme& theme, float share) {
  return mixed(theme.panel, theme.selection, 0.12f + 0.6f * share);
}

// What the colours mean, at the right edge: "6.12 ▒▒▒▒ 127 ms". Gives back how wide it is; 0: it has no room.
float heat_scale(const Panel& panel, const Plotted& of, ImVec2 origin, float room, double least, double most) {
  const timeline::Theme& theme = panel.look.theme;
  const float line = ImGui::GetTextLineHeight(), gap = line * 0.4f;
  const std::string low = of.text(least), high = fmt::format("{} {}", of.text(most), of.unit.name);
  const float words = width_of(low) + width_of(high) + 2 * gap, bar = std::min(line * 8, room * 0.6f - words);
  if (bar < line * 2) return 0;
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  draw_words({right - words - bar, origin.y}, theme.text, low);
  const ImVec2 from{right - width_of(high) - gap - bar, origin.y + line * 0.15f},
      to{from.x + bar, origin.y + line * 0.85f};
  const ImU32 pale = packed(heat(theme, 0)), full = packed(heat(theme, 1));
  ImGui::GetWindowDrawList()->AddRectFilledMultiColor(from, to, pale, full, full, pale);
  draw_words({right - width_of(high), origin.y}, theme.text, high);
  return words + bar;
}

void heat_map(const Panel& panel, const Plotted& of, ImVec2 origin, ImVec2 size) {
  const timeline::Theme& theme = panel.look.theme;
  const float line = ImGui::GetTextLineHeight(), scale = panel.look.scale;
  float left = width_of(of.sweep.axes[1].key);
  for (const std::string& each : of.sweep.axes[1].values) left = std::max(left, width_of(each));
  left = std::min(left + line * 0.6f, size.x * 0.3f);
  const float top = line * 2.4f;
  const float wide = (size.x - left) / static_cast<float>(of.columns),
              tall = std::min((size.y - top) / static_cast<float>(of.rows), line * 3);
  double least = 0, most = 0;
  bool any = false;
  for (std::size_t i = 0; i < of.sweep.points.size(); ++i)
    if (const auto value = of.at(i).figure.value) {
      least = any ? std::min(least, *value) : *value;
      most = any ? std::max(most, *value) : *value;
      any = true;
    }
  draw_words({origin.x, origin.y + line * 1.2f}, theme.faint_text, elided(of.sweep.axes[1].key, left));
  // Behind the axis's name, so that it is in sight however many rows there are.
  const float scale_left = any && least < most ? heat_scale(panel, of, origin, size.x - left, least, most) : 0;
  draw_centred({origin.x + left, origin.y}, {origin.x + size.x - scale_left, origin.y + line}, theme.faint_text,
               of.sweep.axes[0].key);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (std::size_t x = 0; x < of.columns; ++x)
    draw_centred({origin.x + left + wide * static_cast<float>(x), origin.y + line * 1.2f},
                 {origin.x + left + wide * static_cast<float>(x + 1), origin.y + top}, theme.text,
                 of.sweep.axes[0].values[x]);
  std::optional<std::size_t> pointed;
  for (std::size_t y = 0; y < of.rows; ++y) {
    const float above = origin.y + top + tall * static_cast<float>(y);
    draw_words({origin.x, above + (tall - line) / 2}, theme.text, elided(of.sweep.axes[1].values[y], left));
    for (std::size_t x = 0; x < of.columns; ++x) {
      const std::size_t point = x * of.rows + y;
      const ImVec2 low{origin.x + left + wide * static_cast<float>(x) + scale, above + scale},
          high{low.x + wide - 2 * scale, low.y + tall - 2 * scale};
      const auto value = of.at(point).figure.value;
      // Little is pale: the numbers stand there too, as colour alone would not do.
      const auto share = static_cast<float>(most > least && value ? (*value - least) / (most - least) : 0.5);
      const timeline::Colour fill = value ? heat(theme, share) : mixed(theme.panel, theme.text, 0.06f);
      list.AddRectFilled(low, high, packed(fill));
      draw_centred(low, high, value ? timeline::text_on(fill) : theme.faint_text,
                   value                                    ? of.text(*value)
                   : of.sweep.points[point].why_not.empty() ? "…"
                                                            : "–");
      if (of.best == point) list.AddRect(low, high, packed(theme.strong_text), 0, 0, 2.5f * scale);
      if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(low, high)) pointed = point;
    }
  }
  if (pointed) react(panel, of, *pointed);
}

void line_plot(const Panel& panel, const Plotted& of, ImVec2 origin, ImVec2 size) {
  const timeline::Theme& theme = panel.look.theme;
  const float line = ImGui::GetTextLineHeight(), scale = panel.look.scale;
  double most = 0;
  for (std::size_t i = 0; i < of.sweep.points.size(); ++i) most = std::max(most, of.at(i).high);
  if (most <= 0) most = 1;
  // A round step in the unit that is shown: 1, 2 or 5 of a decade; as many as have room for their values.
  const double steps = std::clamp(std::floor(static_cast<double>(size.y / line - 2.9f) / 1.2), 1.0, 4.0);
  const double rough = most * of.unit.factor / steps, decade = std::pow(10, std::floor(std::log10(rough)));
  const double step = (rough <= decade ? 1 : rough <= 2 * decade ? 2 : rough <= 5 * decade ? 5 : 10) * decade;
  const double last = std::ceil(most * of.unit.factor / step) * step;
  most = last / of.unit.factor;
  float legend = 0;
  if (of.rows > 1)
    for (const std::string& each : of.sweep.axes[1].values) legend = std::max(legend, width_of(each) + line * 1.6f);
  const float left = std::max(width_of(of.text(most)), width_of(fmt::format("{:.6g}", last))) + line * 0.6f;
  const ImVec2 low{origin.x + left, origin.y + line * 0.5f},
      high{origin.x + size.x - legend, origin.y + size.y - line * 2.4f};
  const auto y_of = [&](double value) { return high.y - (high.y - low.y) * static_cast<float>(value / most); };
  const auto x_of = [&](std::size_t column) {
    return low.x + (high.x - low.x) * (static_cast<float>(column) + 0.5f) / static_cast<float>(of.columns);
  };
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (double shown = 0; shown <= last + step / 2; shown += step) {
    const double value = shown / of.unit.factor;
    list.AddLine({low.x, y_of(value)}, {high.x, y_of(value)}, packed(theme.grid));
    const std::string words = fmt::format("{:.6g}", std::round(shown / step) * step);
    draw_words({low.x - width_of(words) - line * 0.3f, y_of(value) - line / 2}, theme.faint_text, words);
  }
  const float column = (high.x - low.x) / static_cast<float>(of.columns);
  for (std::size_t x = 0; x < of.columns; ++x)
    draw_centred({x_of(x) - column / 2, high.y}, {x_of(x) + column / 2, high.y + line * 1.2f}, theme.text,
                 of.sweep.axes[0].values[x]);
  draw_centred({low.x, high.y + line * 1.2f}, {high.x, high.y + line * 2.4f}, theme.faint_text, of.sweep.axes[0].key);

  std::optional<std::size_t> pointed;
  const ImVec2 mouse = ImGui::GetMousePos();
  float nearest = std::numeric_limits<float>::max();  // of its column
  for (std::size_t y = 0; y < of.rows; ++y) {
    const timeline::Colour ink = timeline::stream_colour(static_cast<std::uint32_t>(y));
    std::optional<ImVec2> before;
    for (std::size_t x = 0; x < of.columns; ++x) {
      const std::size_t point = x * of.rows + y;
      const sweep::SweepFigure figure = of.at(point);
      if (!figure.figure.value) {
        before.reset();
        continue;
      }
      const ImVec2 at{x_of(x), y_of(*figure.figure.value)};
      if (before) list.AddLine(*before, at, packed(ink), 2 * scale);
      before = at;
      const float whisker = line * 0.25f;
      if (figure.low < figure.high) {
        list.AddLine({at.x, y_of(figure.low)}, {at.x, y_of(figure.high)}, packed(ink), scale);
        for (const double end : {figure.low, figure.high})
          list.AddLine({at.x - whisker, y_of(end)}, {at.x + whisker, y_of(end)}, packed(ink), scale);
      }
      // Each line has a mark of its own: three to eight corners.
      const int corners = 3 + static_cast<int>(y % 6);
      list.AddNgonFilled(at, line * 0.28f, packed(ink), of.rows == 1 ? 24 : corners);
      if (of.best == point) list.AddCircle(at, line * 0.5f, packed(theme.strong_text), 24, 2 * scale);
      const bool in_column =
          std::abs(mouse.x - at.x) < column / 2 && mouse.y >= low.y - line && mouse.y < high.y + line;
      const float distance = std::abs(mouse.y - at.y);
      if (ImGui::IsWindowHovered() && in_column && distance < nearest) {
        nearest = distance;
        pointed = point;
      }
    }
    if (of.rows > 1) {
      const ImVec2 at{high.x + line * 0.8f, low.y + line * (0.5f + 1.2f * static_cast<float>(y))};
      list.AddNgonFilled(at, line * 0.28f, packed(ink), 3 + static_cast<int>(y % 6));
      draw_words({at.x + line * 0.6f, at.y - line / 2}, theme.text, of.sweep.axes[1].values[y]);
    }
  }
  if (pointed) react(panel, of, *pointed);
}

}  // namespace

void sweep_plot(const Panel& panel) {
  const Sweeping& sweeping = panel.state.sweeping;
  const Plotted of(sweeping.sweep);
  const timeline::Theme& theme = panel.look.theme;
  // The answer first: what has no room is cut off.
  std::string head;
  if (of.best)
    head = tr("best: {} ({})", fmt::format("{} {}", of.text(*of.at(*of.best).figure.value), of.unit.name),
              name_of_point(sweeping, *of.best));
  if (const std::size_t alike = of.as_good_as_best(); alike > 0)
    head += tr_n(", {} other alike", ", {} others alike", alike, alike);
  timeline::add_part(head, fmt::format("{}, {}", sweep::figure_of({}, of.sweep.figure).figure.meaning, of.unit.name));
  const std::string shown = elided(head, ImGui::GetContentRegionAvail().x);
  text(shown, theme.strong_text);
  if (shown != head && ImGui::IsItemHovered()) tooltip(head);
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float line = ImGui::GetTextLineHeight();
  const bool map = of.rows > 1 && !sweeping.lines;
  // Many values scroll.
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float least = line * (map ? 2.6f + 1.3f * static_cast<float>(of.rows) : 4.5f);
  const ImVec2 size{std::max(room.x, line * 2 * static_cast<float>(of.columns)), std::max(room.y, least)};
  ImGui::Dummy(size);
  map ? heat_map(panel, of, origin, size) : line_plot(panel, of, origin, size);
}

}  // namespace streamscope::window
