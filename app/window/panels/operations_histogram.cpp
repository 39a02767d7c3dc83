#include "app/window/panels/operations_histogram.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/reading/figures.h"
#include "app/timeline/theme.h"
#include "app/window/platform/imgui_compat.h"
#include "app/window/widgets/styled_box.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

std::string kind_words(OperationKind kind) { return fmt::format("kind:{}", name(kind)); }

std::string bucket_words(std::size_t bucket) {
  if (bucket == 0) return "dur=0ns";
  const std::string from = fmt::format("dur>={}", exact_duration(reading::bucket_from(bucket)));
  return bucket + 1 == reading::kBuckets ? from
                                         : fmt::format("{} dur<{}", from, exact_duration(reading::bucket_to(bucket)));
}

std::string bucket_title(std::size_t bucket) {
  if (bucket == 0) return tr("no time at all");
  const std::string from = display_duration(reading::bucket_from(bucket));
  if (bucket + 1 == reading::kBuckets) return tr("{} or more", from);
  return tr("{} to {}", from, display_duration(reading::bucket_to(bucket)));
}

// The same words again clear the search.
void search(const Panel& panel, const std::string& words) {
  panel.emit(command::Search{panel.state.readings.search == words ? std::string() : words});
}

std::uint64_t in_bucket(const reading::Histogram& histogram, std::size_t bucket) {
  std::uint64_t sum = 0;
  for (const reading::KindFigures& kind : histogram.kinds) sum += kind.buckets[bucket];
  return sum;
}

// The buckets [first, end) that hold something, one more at each side.
struct Shown {
  std::size_t first = 0, end = 0;
  std::uint64_t most = 0;
};
Shown shown(const reading::Histogram& all) {
  Shown out;
  for (std::size_t bucket = 0; bucket < reading::kBuckets; ++bucket) {
    const std::uint64_t count = in_bucket(all, bucket);
    if (count == 0) continue;
    if (out.most == 0) out.first = bucket;
    out.end = bucket + 1;
    out.most = std::max(out.most, count);
  }
  if (out.most == 0) return out;
  out.first -= std::min<std::size_t>(out.first, 1);
  out.end = std::min(out.end + 1, reading::kBuckets);
  return out;
}

void bucket_tooltip(const TableReading& table, std::size_t bucket) {
  std::string words = bucket_title(bucket);
  for (const reading::KindFigures& kind : table.matched.kinds)
    if (kind.buckets[bucket] != 0) words += fmt::format("\n{} {}", kind.buckets[bucket], name(kind.kind));
  const std::uint64_t aside = in_bucket(table.in_range, bucket) - in_bucket(table.matched, bucket);
  if (aside != 0) words += tr("\n{} not searched for", aside);
  tooltip(words + tr("\nClick to search for these."));
}

std::size_t bucket_of_selected(const Panel& panel, const TableReading& table) {
  const auto span = trace::find_span(table.of->run->trace, panel.state.timeline.selected);
  const Nanoseconds time = span ? reading::duration_of(*span) : kAbsent;
  return known(time) ? reading::bucket_of(time) : reading::kBuckets;
}

void bars(const Panel& panel, const TableReading& table, float height) {
  const timeline::Theme& theme = panel.look.theme;
  const Shown which = shown(table.in_range);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, axis = ImGui::GetTextLineHeight() * 1.25f;
  const float tall = std::max(8.0f, std::round(height - axis)), base = at.y + tall;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({at.x, base}, {at.x + width, base + 1}, packed(theme.grid));
  if (which.most == 0) {
    text(tr("no duration is known"), theme.faint_text);
    ImGui::Dummy({width, std::max(1.0f, height - ImGui::GetTextLineHeightWithSpacing())});
    return;
  }
  const auto count = static_cast<float>(which.end - which.first);
  const float step = std::min(std::floor(width / count), 40 * panel.look.scale);
  const float gap = step >= 6 ? 1.0f : 0.0f, least = std::max(2.0f, std::round(2 * panel.look.scale));
  const auto scaled = [&](std::uint64_t value) {
    return static_cast<float>(static_cast<double>(value) / static_cast<double>(which.most) *
                              static_cast<double>(tall - least));
  };
  const std::size_t marked = bucket_of_selected(panel, table);
  float label_from = at.x;
  for (std::size_t bucket = which.first; bucket < which.end; ++bucket) {
    const float x = at.x + step * static_cast<float>(bucket - which.first);
    ImGui::SetCursorScreenPos({x, at.y});
    ImGui::PushID(static_cast<int>(bucket));
    const bool pressed = ImGui::InvisibleButton("bucket", {step, tall});
    ImGui::PopID();
    const std::uint64_t all = in_bucket(table.in_range, bucket);
    const bool hovered = ImGui::IsItemHovered() && all != 0;
    if (hovered) list.AddRectFilled({x, at.y}, {x + step, base}, packed(mixed(theme.panel, theme.text, 0.08f)));
    float y = base;
    const OperationKind* under = nullptr;
    const auto part = [&](std::uint64_t value, const OperationKind* kind) {
      if (value == 0) return;
      const float top = std::max(at.y, y - std::max(least, std::round(scaled(value))));
      if (kind != nullptr)
        styled_box(list, panel.look, {x, top, step - gap, y - top}, *kind);
      else  // what was not searched for
        list.AddRectFilled({x, top}, {x + step - gap, y}, packed(mixed(theme.panel, theme.text, 0.2f)));
      if (hovered && ImGui::GetIO().MousePos.y >= top && ImGui::GetIO().MousePos.y < y) under = kind;
      y = top;
    };
    for (const reading::KindFigures& kind : table.matched.kinds) part(kind.buckets[bucket], &kind.kind);
    part(all - in_bucket(table.matched, bucket), nullptr);
    if (bucket == marked) {
      const float middle = x + (step - gap) / 2, size = std::max(3.0f, 4 * panel.look.scale);
      list.AddTriangleFilled({middle, base + 2}, {middle + size, base + 2 + size}, {middle - size, base + 2 + size},
                             packed(theme.selection));
      list.AddRect({x - 1, y - 1}, {x + step - gap + 1, base + 1}, packed(theme.selection));
    }
    if (hovered) {
      bucket_tooltip(table, bucket);
      if (pressed)
        search(panel, under == nullptr ? bucket_words(bucket) : kind_words(*under) + " " + bucket_words(bucket));
    }
    // The shortest time of each decade stands at its bucket's left edge.
    const bool decade = bucket != 0 && (bucket - 1) % 3 == 0;
    if (!decade && bucket != 0) continue;
    const std::string label = bucket == 0 ? "0" : display_duration(reading::bucket_from(bucket));
    const float wide = width_of(label);
    list.AddRectFilled({x, base}, {x + 1, base + axis * 0.25f}, packed(theme.faint_text));
    if (x + 3 < label_from || x + 3 + wide > at.x + width) continue;
    list.AddText({x + 3, base + axis * 0.2f}, packed(theme.faint_text), label.c_str());
    label_from = x + wide + ImGui::GetStyle().ItemSpacing.x;
  }
  const std::string most = fmt::format("{}", which.most);
  list.AddText({at.x + width - width_of(most), at.y}, packed(theme.faint_text), most.c_str());
  ImGui::SetCursorScreenPos({at.x, at.y});
  ImGui::Dummy({width, height});
}

struct Figure {
  const char* heading;
  Nanoseconds reading::KindFigures::*time;
};
constexpr Figure kKindFigures[] = {{tr_later("total"), &reading::KindFigures::total},
                                   {tr_later("median"), &reading::KindFigures::median},
                                   {"95 %", &reading::KindFigures::p95},
                                   {tr_later("longest"), &reading::KindFigures::longest}};

void kind_tooltip(const reading::KindFigures& kind) {
  std::string words = fmt::format("{} {}", kind.count + kind.unknown, name(kind.kind));
  if (kind.count != 0)
    words += tr("\n{} in all, median {}, 95 % take at most {}, the longest {}", display_duration(kind.total),
                display_duration(kind.median), display_duration(kind.p95), display_duration(kind.longest));
  if (kind.unknown != 0) words += tr("\nof {} the duration is not known", kind.unknown);
  tooltip(words + tr("\nClick to search for these."));
}

// As many figures as there is room for, from the left.
void kinds(const Panel& panel, const reading::Histogram& histogram) {
  const timeline::Theme& theme = panel.look.theme;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, line = ImGui::GetTextLineHeight() + 2 * panel.look.scale;
  const float chip = std::round(ImGui::GetFontSize() * 0.6f), name_width = width_of("prefetch") + chip * 1.8f;
  const float count_width = width_of("10000000"), figure_width = width_of("888.88 us_");
  const auto figures = static_cast<std::size_t>(
      std::clamp((width - name_width - count_width) / figure_width, 0.0f, static_cast<float>(std::size(kKindFigures))));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto right = [&](const std::string& words, float x, float y, timeline::Colour ink) {
    list.AddText({std::round(x - width_of(words)), y}, packed(ink), words.c_str());
  };
  float y = at.y;
  right(tr("count"), at.x + name_width + count_width, y, theme.faint_text);
  for (std::size_t i = 0; i < figures; ++i)
    right(tr(kKindFigures[i].heading), at.x + name_width + count_width + figure_width * static_cast<float>(i + 1), y,
          theme.faint_text);
  for (const reading::KindFigures& kind : histogram.kinds) {
    y += line;
    ImGui::SetCursorScreenPos({at.x, y});
    ImGui::PushID(std::string(name(kind.kind)).c_str());
    if (ImGui::InvisibleButton("kind", {width, line})) search(panel, kind_words(kind.kind));
    ImGui::PopID();
    if (ImGui::IsItemHovered()) {
      list.AddRectFilled({at.x, y}, {at.x + width, y + line}, packed(mixed(theme.panel, theme.text, 0.08f)));
      kind_tooltip(kind);
    }
    const float top = y + std::round((ImGui::GetTextLineHeight() - chip) / 2);
    styled_box(list, panel.look, {at.x, top, chip, chip}, kind.kind, 2);
    const std::string called(name(kind.kind));
    list.AddText({at.x + chip * 1.6f, y}, packed(theme.text), called.c_str());
    right(fmt::format("{}", kind.count + kind.unknown), at.x + name_width + count_width, y, theme.text);
    for (std::size_t i = 0; i < figures && kind.count != 0; ++i)
      right(display_duration(kind.*kKindFigures[i].time),
            at.x + name_width + count_width + figure_width * static_cast<float>(i + 1), y, theme.text);
  }
  ImGui::SetCursorScreenPos({at.x, at.y});
  ImGui::Dummy({width, y + line - at.y});
}

}  // namespace

void operations_histogram(const Panel& panel, const TableReading& table) {
  push_font(panel.look.fonts.small);
  text(tr("How long they take"), panel.look.theme.faint_text);
  const float line = ImGui::GetTextLineHeight() + 2 * panel.look.scale;
  const float below = line * static_cast<float>(table.matched.kinds.size() + 1) + ImGui::GetStyle().ItemSpacing.y;
  const float room = ImGui::GetContentRegionAvail().y;
  bars(panel, table, std::clamp(room - below, std::min(room, 56 * panel.look.scale), 260 * panel.look.scale));
  if (!table.matched.kinds.empty()) kinds(panel, table.matched);
  ImGui::PopFont();
}

}  // namespace streamscope::window
