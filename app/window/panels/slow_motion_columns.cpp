#include "app/window/panels/slow_motion_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/timeline/span_text.h"
#include "app/timeline/theme.h"
#include "app/window/platform/imgui_compat.h"
#include "app/window/widgets/styled_box.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

constexpr float kRoomForTwo = 26, kRoomForThree = 44;  // lines of text: so wide for so many columns
constexpr float kRoomForWhy = 34;  // lines of text: of a stream's row, so that it holds why it waits, too

// Where the next row of a column goes.
struct Stack {
  float x, y, width;
};

struct Drawing {
  const Panel& panel;
  const trace::Trace& trace;
  const timeline::Instant& now;
  ImDrawList& list;
  float line, bar, gap;  // heights of text and of boxes, and between rows

  const timeline::Theme& theme() const { return panel.look.theme; }
  // Cut with an ellipsis where it is too long, and then whole in its tooltip; gives back how wide it is.
  float put(float x, float y, float width, std::string_view words, timeline::Colour ink) const;
  timeline::BarStyle style(const trace::Span& span) const {
    return timeline::bar_style(span, timeline::TrackKind::stream, panel.state.timeline.colour_by,
                               panel.state.runs.shown->tracks.slots, theme());
  }
};

float Drawing::put(float x, float y, float width, std::string_view words, timeline::Colour ink) const {
  const std::string shown = elided(words, width);
  const float wide = width_of(shown);
  list.AddText({x, y}, packed(ink), shown.c_str());
  if (shown != words && ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect({x, y}, {x + wide, y + line}))
    tooltip(words);
  return wide;
}

void title(const Drawing& d, Stack& at, const char* words) {
  push_font(d.panel.look.fonts.strong);
  d.put(at.x, at.y, at.width, words, d.theme().faint_text);
  ImGui::PopFont();
  at.y += d.line + d.gap;
}

// Of an operation that is not running: on its box, and where it is the next.
struct StateWords {
  const char *about, *next;
};
StateWords words_of(timeline::OperationState state) {
  switch (state) {
    case timeline::OperationState::ready: return {tr("\nready: it waits for what carries it out"), tr(", ready")};
    case timeline::OperationState::held: return {tr("\nissued: what comes before it is not done"), tr(", held")};
    case timeline::OperationState::calling: return {tr("\nits host call goes on"), tr(", not issued yet")};
    case timeline::OperationState::queued: return {tr("\nissued"), ""};
    case timeline::OperationState::unissued: return {tr("\nnot issued yet"), tr(", not issued yet")};
    default: return {"", ""};
  }
}

// An operation as a box, filled as far as it is done. A click selects it.
void box(const Drawing& d, const timeline::OperationStatus& each, float x, float y, float width,
         const std::string& words) {
  const trace::Span span = trace::span_at(d.trace, each.index);
  const timeline::Theme& theme = d.theme();
  // What is done as the timeline draws it, the rest paler.
  const timeline::BarStyle own = d.style(span);
  timeline::BarStyle rest = own;
  rest.ground = mixed(theme.panel, own.ground, 0.22f);
  rest.ink = mixed(theme.panel, own.ink, 0.3f);
  const ImVec2 from{x, y}, to{x + width, y + d.bar};
  const bool selected = span.operation == d.panel.state.timeline.selected;
  ImGui::SetCursorScreenPos(from);
  ImGui::PushID(static_cast<int>(span.operation));
  ImGui::PushID(static_cast<int>(x));  // it is drawn in its stream's row and in its engine's
  if (ImGui::InvisibleButton("box", {std::max(1.0f, width), d.bar}))
    d.panel.emit(command::Select{selected ? kNoOperation : span.operation});
  const bool hovered = ImGui::IsItemHovered();
  ImGui::PopID();
  ImGui::PopID();
  const float rounding = 3 * d.panel.look.scale, edge = std::max(1.0f, std::round(d.panel.look.scale));
  const Box whole{x, y, width, d.bar};
  styled_box(d.list, d.panel.look, whole, rest, rounding);
  const float filled = each.state == timeline::OperationState::running ? x + width * static_cast<float>(each.done) : x;
  if (filled - x >= 1) {
    ImGui::PushClipRect(from, {filled, to.y}, true);
    styled_box(d.list, d.panel.look, whole, own, rounding);
    ImGui::PopClipRect();
  }
  const timeline::Colour frame =
      selected ? theme.selection
               : mixed(theme.panel, own.ink, each.state >= timeline::OperationState::ready ? 1 : 0.55f);
  d.list.AddRect(from, to, packed(hovered ? theme.strong_text : frame), rounding, 0, selected ? 2 * edge : edge);
  const float pad = d.line * 0.3f;
  const std::string shown = elided(words, width - 2 * pad);
  const ImVec2 where{x + pad, y + (d.bar - d.line) / 2};
  // The part over the filled ground and the part over the other, each in a colour that can be read there.
  ImGui::PushClipRect(from, {std::max(filled, from.x), to.y}, true);
  d.list.AddText(where, packed(timeline::text_on(own.ground)), shown.c_str());
  ImGui::PopClipRect();
  ImGui::PushClipRect({filled, from.y}, to, true);
  d.list.AddText(where, packed(each.state == timeline::OperationState::running ? theme.strong_text : theme.text),
                 shown.c_str());
  ImGui::PopClipRect();
  if (!hovered) return;
  std::string about = timeline::placed_text(d.trace, span);
  if (each.state == timeline::OperationState::running)
    about += tr("\nruns: {:.0f} % done, {} left", each.done * 100, display_duration(each.left));
  else
    about += tr("{}\nstarts in {}", words_of(each.state).about, display_duration(each.left));
  if (shown != words) about += "\n" + words;
  tooltip(about);
}

void host(const Drawing& d, Stack& at) {
  title(d, at, tr("HOST"));
  const timeline::Theme& theme = d.theme();
  if (d.now.threads.empty()) d.put(at.x, at.y, at.width, tr("no host calls are known"), theme.faint_text);
  for (const timeline::HostNow& each : d.now.threads) {
    const std::string name = timeline::thread_name(d.trace, each.thread);
    std::string what = tr("done"), detail;
    timeline::Colour mark = theme.grid;
    if (each.call) {
      const trace::Span span = trace::span_at(d.trace, each.call->index);
      what = timeline::operation_text(d.trace, span);
      mark = d.style(span).ink;
      detail = tr("calls, {} so far", display_duration(elapsed(each.call->since, d.now.time)));
      for (const timeline::Wait& wait : d.now.waits)
        if (wait.index == each.call->index && wait.reason == trace::WaitReason::host)
          detail = tr("{}, {} so far", timeline::reason_text(d.trace, wait),
                      display_duration(elapsed(wait.since, d.now.time)));
    } else if (each.next) {
      what = tr("between calls");
      detail = tr("next: {} in {}", timeline::operation_text(d.trace, trace::span_at(d.trace, each.next->index)),
                  display_duration(each.next->left));
    }
    const float rail = std::max(2.0f, 3 * d.panel.look.scale);
    d.list.AddRectFilled({at.x, at.y + 1}, {at.x + rail, at.y + 2 * d.line}, packed(mark), rail / 2);
    const float x = at.x + rail + d.line * 0.35f, width = at.width - (x - at.x);
    const float named = d.put(x, at.y, width * 0.5f, name, theme.faint_text) + d.line * 0.4f;
    d.put(x + named, at.y, width - named, what, each.call ? theme.strong_text : theme.faint_text);
    d.put(x, at.y + d.line, width, detail, theme.faint_text);
    at.y += 2 * d.line + d.gap;
  }
}

// The rows of each device below each other; of a run on several its name stands above.
template <class Rows, class DeviceOf, class DrawRow>
void by_device(const Drawing& d, Stack& at, const Rows& rows, DeviceOf device_of, DrawRow draw_row) {
  const auto devices = static_cast<std::uint32_t>(trace::device_count(d.trace));
  for (std::uint32_t device = 0; device < devices; ++device) {
    bool named = devices == 1;
    for (const auto& each : rows) {
      if (device_of(each) != device) continue;
      if (!std::exchange(named, true)) {
        d.put(at.x, at.y, at.width, timeline::device_text(d.trace, device), d.theme().text);
        at.y += d.line + d.gap;
      }
      draw_row(each);
    }
  }
}

const timeline::Wait* wait_in(const timeline::Instant& now, const timeline::StreamNow& stream) {
  if (stream.queue.size() <= stream.running || stream.running > 0) return nullptr;
  const std::uint32_t first = stream.queue[stream.running].index;
  for (const timeline::Wait& each : now.waits)
    if (each.index == first && each.reason != trace::WaitReason::host) return &each;
  return nullptr;
}

void streams(const Drawing& d, Stack& at) {
  title(d, at, tr("STREAMS"));
  const timeline::Theme& theme = d.theme();
  float names = 0;
  const auto name_of = [&](const timeline::StreamNow& each) { return timeline::stream_name(d.trace, each.stream); };
  for (const timeline::StreamNow& each : d.now.streams) names = std::max(names, width_of(name_of(each)));
  names = std::min(names, at.width * 0.3f) + d.line * 0.5f;
  const float right = at.x + at.width, space = std::max(2.0f, std::round(3 * d.panel.look.scale));
  // Where a row has no room for why it waits there is a line for it below each, so that none moves while time passes.
  const bool below = at.width - names < d.line * kRoomForWhy;
  const auto device_of = [&](const timeline::StreamNow& each) {
    return each.stream < d.trace.streams.size() ? d.trace.streams[each.stream].device : 0;
  };
  by_device(d, at, d.now.streams, device_of, [&](const timeline::StreamNow& each) {
    const float text_y = at.y + (d.bar - d.line) / 2;
    d.put(at.x, text_y, names - d.line * 0.5f, name_of(each), theme.text);
    float x = at.x + names;
    const std::size_t all = each.running + each.waiting;
    const timeline::Wait* wait = wait_in(d.now, each);
    const std::string why = wait == nullptr ? std::string() : timeline::reason_text(d.trace, *wait);
    // Room for why the first of them waits, if need be instead of the last in the queue.
    const float edge =
        wait == nullptr || below ? right : right - std::min(width_of(why) + 3 * space, (right - x) * 0.55f);
    std::size_t shown = 0;
    for (const timeline::OperationStatus& one : each.queue) {
      const std::string words = timeline::operation_text(d.trace, trace::span_at(d.trace, one.index));
      const float wide = std::ceil(std::max(width_of(words) + d.line * 0.6f, d.bar));
      const float rest = shown + 1 < all ? width_of(fmt::format("+{}", all - shown - 1)) + 2 * space : 0;
      if (x + wide + rest > edge && shown > 0) break;
      box(d, one, x, at.y, std::min(wide, edge - x), words);
      x += wide + space;
      ++shown;
    }
    if (all == 0) d.put(x, text_y, right - x, tr("empty"), theme.faint_text);
    if (shown < all) d.put(x, text_y, edge - x, fmt::format("+{}", all - shown), theme.faint_text);
    if (wait != nullptr && !below) d.put(edge + 2 * space, text_y, right - edge - 2 * space, why, theme.warning);
    at.y += d.bar + d.gap;
    if (!below) return;
    if (wait != nullptr) d.put(at.x + names, at.y - d.gap, right - at.x - names, why, theme.warning);
    at.y += d.line;
  });
}

std::string next_words(const Drawing& d, const timeline::OperationStatus& next) {
  return tr("in {}: {}{}", display_duration(next.left),
            timeline::placed_text(d.trace, trace::span_at(d.trace, next.index)), words_of(next.state).next);
}

void engines(const Drawing& d, Stack& at) {
  title(d, at, tr("ENGINES"));
  const timeline::Theme& theme = d.theme();
  const float names = width_of(tr("Compute")) + d.line * 0.5f;
  const auto device_of = [](const timeline::EngineNow& each) { return each.engine.device; };
  by_device(d, at, d.now.engines, device_of, [&](const timeline::EngineNow& each) {
    const float text_y = at.y + (d.bar - d.line) / 2, x = at.x + names, width = at.width - names;
    d.put(at.x, text_y, names, tr(words_of(each.engine.engine).label), theme.text);
    std::string detail;
    if (each.running.empty()) {
      d.list.AddRectFilled({x, at.y}, {x + width, at.y + d.bar}, packed(mixed(theme.panel, theme.text, 0.05f)),
                           3 * d.panel.look.scale);
      d.put(x + d.line * 0.3f, text_y, width, tr("idle"), theme.faint_text);
    } else {
      // Kernels that run at once share the bar.
      constexpr std::size_t kMost = 4;
      const std::size_t shown = std::min(kMost, each.running.size());
      const float one = width / static_cast<float>(shown);
      for (std::size_t i = 0; i < shown; ++i)
        box(d, each.running[i], std::round(x + one * static_cast<float>(i)), at.y, std::round(one) - (i + 1 < shown),
            timeline::placed_text(d.trace, trace::span_at(d.trace, each.running[i].index)));
      const timeline::OperationStatus& first = each.running.front();
      const trace::Span span = trace::span_at(d.trace, first.index);
      // The time first: in a narrow column the rest is cut.
      detail = tr("{} left, {:.0f} % done", display_duration(first.left), first.done * 100);
      const bool copy = span.engine == Engine::h2d || span.engine == Engine::d2h;
      if (copy && span.bytes > 0 && each.count == 1)
        detail = tr("{} left, {} of {} at {}", display_duration(first.left),
                    display_bytes(static_cast<std::uint64_t>(static_cast<double>(span.bytes) * first.done)),
                    display_bytes(span.bytes), display_bandwidth(span.bytes, elapsed(span.start, span.end)));
      if (each.count > shown) detail = tr("{} at once; {}", each.count, detail);
    }
    at.y += d.bar + 1;
    if (!detail.empty()) {
      d.put(x, at.y, width, detail, theme.text);
      at.y += d.line;
    }
    if (each.next) {
      d.put(x, at.y, width, next_words(d, *each.next), theme.faint_text);
      at.y += d.line;
    }
    at.y += d.gap;
  });
}

// Waits for a stream's own order come last: they can be seen in its row.
void waits(const Drawing& d, Stack& at) {
  title(d, at, tr("WHAT WAITS FOR WHAT"));
  const timeline::Theme& theme = d.theme();
  if (d.now.waits.empty()) {
    d.put(at.x, at.y, at.width, tr("Nothing waits, as far as is known."), theme.faint_text);
    at.y += d.line;
  }
  int row = 0;
  for (const bool in_order : {false, true}) {
    for (const timeline::Wait& each : d.now.waits) {
      if ((each.reason == trace::WaitReason::stream) != in_order) continue;
      ImGui::SetCursorScreenPos({at.x, at.y});
      ImGui::PushID(row++);
      if (ImGui::InvisibleButton("wait", {std::max(1.0f, at.width), d.line}))
        d.panel.emit(command::Select{each.operation});
      const bool hovered = ImGui::IsItemHovered();
      ImGui::PopID();
      const trace::Span span = trace::span_at(d.trace, each.index);
      const float mark = d.line * 0.45f;
      styled_box(d.list, d.panel.look, {at.x, at.y + (d.line - mark) / 2, mark, mark}, d.style(span), 2);
      d.put(at.x + mark * 1.8f, at.y, at.width - mark * 1.8f, timeline::wait_text(d.trace, each, d.now.time),
            hovered    ? theme.strong_text
            : in_order ? theme.faint_text
                       : theme.text);
      at.y += d.line + d.gap * 0.4f;
    }
  }
}

}  // namespace

void instant_columns(const Panel& panel, const trace::Trace& trace, const timeline::Instant& now) {
  const float line = ImGui::GetTextLineHeight();
  const Drawing d{
      panel, trace, now, *ImGui::GetWindowDrawList(), line, std::round(line * 1.4f), std::round(line * 0.35f)};
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, between = line * 1.2f;
  Stack below{from.x, from.y, width};
  if (width < kRoomForTwo * line) {  // one below the other
    host(d, below);
    streams(d, below);
    engines(d, below);
  } else if (width < kRoomForThree * line) {
    Stack left{from.x, from.y, std::round((width - between) * 0.45f)};
    Stack right{left.x + left.width + between, from.y, width - between - left.width};
    host(d, left);
    engines(d, left);
    streams(d, right);
    below.y = std::max(left.y, right.y);
  } else {
    const float room = width - 2 * between;
    Stack left{from.x, from.y, room * 0.22f};
    Stack middle{left.x + left.width + between, from.y, room * 0.4f};
    Stack right{middle.x + middle.width + between, from.y, room - left.width - middle.width};
    host(d, left);
    streams(d, middle);
    engines(d, right);
    below.y = std::max({left.y, middle.y, right.y});
  }
  below.y += d.gap;
  waits(d, below);
  ImGui::SetCursorScreenPos(from);
  ImGui::Dummy({1, below.y - from.y});
}

}  // namespace streamscope::window
