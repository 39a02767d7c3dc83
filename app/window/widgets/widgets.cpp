#include "app/window/widgets/widgets.h"

#include <imgui.h>
// Dear ImGui before its own extensions.
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/window/platform/imgui_compat.h"
#include "engine/base/wide_letters.h"

namespace streamscope::window {
namespace {

// Chinese, Japanese and Korean letters begin with such a byte, few others do.
float sign_width() { return ImGui::GetFontSize() * 0.95f; }

void draw_sign(Sign sign, ImVec2 centre, float size, ImU32 colour) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float r = size * 0.36f;
  switch (sign) {
    case Sign::none: break;
    case Sign::play:
      list.AddTriangleFilled({centre.x - r * 0.75f, centre.y - r}, {centre.x + r, centre.y},
                             {centre.x - r * 0.75f, centre.y + r}, colour);
      break;
    case Sign::live: list.AddCircleFilled(centre, r * 0.9f, colour, 24); break;
    case Sign::stop:
      list.AddRectFilled({centre.x - r * 0.85f, centre.y - r * 0.85f}, {centre.x + r * 0.85f, centre.y + r * 0.85f},
                         colour, 1);
      break;
    case Sign::pause:
      for (const float side : {-0.55f, 0.55f})
        list.AddRectFilled({centre.x + r * (side - 0.28f), centre.y - r}, {centre.x + r * (side + 0.28f), centre.y + r},
                           colour, 1);
      break;
    case Sign::screen:  // on its foot
      list.AddRect({centre.x - r * 1.2f, centre.y - r}, {centre.x + r * 1.2f, centre.y + r * 0.6f}, colour, 1, 0,
                   size * 0.09f);
      list.AddRectFilled({centre.x - r * 0.6f, centre.y + r * 0.85f}, {centre.x + r * 0.6f, centre.y + r * 1.05f},
                         colour);
      break;
    case Sign::begin:
    case Sign::back:
    case Sign::forward: {
      // A triangle pointing at a bar; two of them for "to the begin".
      const float to = sign == Sign::forward ? 1 : -1;
      const int heads = sign == Sign::begin ? 2 : 1;
      for (int i = 0; i < heads; ++i) {
        const float tip = centre.x + to * r * (sign == Sign::begin ? 0.75f - 0.9f * static_cast<float>(i) : 0.6f);
        const float deep = sign == Sign::begin ? 0.9f : 1.3f;
        const ImVec2 top{tip - to * r * deep, centre.y - r * 0.9f}, low{tip - to * r * deep, centre.y + r * 0.9f};
        if (to > 0)
          list.AddTriangleFilled(top, {tip, centre.y}, low, colour);
        else
          list.AddTriangleFilled(top, low, {tip, centre.y}, colour);
      }
      const float bar = centre.x + to * r * 0.9f;
      list.AddRectFilled({bar - r * 0.14f, centre.y - r * 0.9f}, {bar + r * 0.14f, centre.y + r * 0.9f}, colour);
      break;
    }
  }
}

}  // namespace

namespace {
int drawn_open = -1;  // the frame in which a drop-down list was open
}  // namespace

bool begin_drop_down(const char* id, const std::string& shown, ImGuiComboFlags flags) {
  const float room = ImGui::CalcItemWidth() - ImGui::GetFrameHeight() - 2 * ImGui::GetStyle().FramePadding.x;
  const std::string fits = elided(shown, room);
  const bool open = ImGui::BeginCombo(id, fits.c_str(), flags);
  if (open) drawn_open = ImGui::GetFrameCount();
  if (!open && fits != shown && ImGui::IsItemHovered()) tooltip(shown);
  return open;
}

bool begin_menu(const char* id) {
  const bool open = ImGui::BeginPopup(id);
  if (open) drawn_open = ImGui::GetFrameCount();
  return open;
}

// Not later than now: another context counts its own frames.
bool drop_down_open() { return drawn_open == ImGui::GetFrameCount() || drawn_open == ImGui::GetFrameCount() - 1; }

float sign_button_width(const char* label, Sign sign) {
  const float padding = ImGui::GetStyle().FramePadding.x;
  const float words = ImGui::CalcTextSize(label, nullptr, true).x;
  return words + padding * 2 + (sign == Sign::none ? 0 : sign_width() + padding * 0.5f);
}

bool sign_button(const Look& look, const char* label, Sign sign, bool lit) {
  const float padding = ImGui::GetStyle().FramePadding.x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{sign_button_width(label, sign), ImGui::GetFrameHeight()};
  const timeline::Theme& theme = look.theme;
  if (lit) {
    ImGui::PushStyleColor(ImGuiCol_Button, as_vector(theme.selection));
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, as_vector(mixed(theme.selection, theme.text, 0.15f)));
    ImGui::PushStyleColor(ImGuiCol_ButtonActive, as_vector(mixed(theme.selection, theme.text, 0.25f)));
  }
  ImGui::PushID(label);
  const bool pressed = ImGui::Button("##button", size);
  ImGui::PopID();
  if (lit) ImGui::PopStyleColor(3);
  const ImU32 ink = lit ? packed(timeline::text_on(theme.selection)) : ImGui::GetColorU32(ImGuiCol_Text);
  float x = at.x + padding;
  if (sign != Sign::none) {
    draw_sign(sign, {x + sign_width() / 2, at.y + size.y / 2}, ImGui::GetFontSize(),
              lit || sign != Sign::play ? ink : ImGui::GetColorU32(as_vector(theme.selection)));
    x += sign_width() + padding * 0.5f;
  }
  const char* end = label;
  while (*end != '\0' && !(end[0] == '#' && end[1] == '#')) ++end;
  ImGui::GetWindowDrawList()->AddText({x, at.y + (size.y - ImGui::GetFontSize()) / 2}, ink, label, end);
  return pressed;
}

namespace {
ImGuiID pressed_last = 0;  // the slider that was; a double click on one opens a field
ImGuiID opens_field = 0;   // the one that was clicked twice in this frame

double drag_noted = 0;

// A press that has not moved is a click.
bool dragged() {
  const ImGuiIO& io = ImGui::GetIO();
  return drag_noted >= io.MouseDragThreshold ||
         io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] >= io.MouseDragThreshold * io.MouseDragThreshold;
}
}  // namespace

bool slider(const Look& look, const char* id, int& value, int from, int to, const std::string& shown, int mark) {
  const timeline::Theme& theme = look.theme;
  const ImGuiStyle& style = ImGui::GetStyle();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::CalcItemWidth(), height = ImGui::GetFrameHeight();
  // The grab, where Dear ImGui has it for the mouse.
  constexpr float kPadding = 2;
  const float room = width - 2 * kPadding;
  const float grab = std::min(std::max(room / static_cast<float>(to - from + 1), style.GrabMinSize), room);
  const auto x_of = [&](int which) {
    const float share = to > from ? static_cast<float>(which - from) / static_cast<float>(to - from) : 0;
    return at.x + kPadding + grab / 2 + share * (room - grab);
  };
  const float middle = x_of(value);
  const bool over = ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
                    ImGui::IsMouseHoveringRect(at, {at.x + width, at.y + height});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float rounding = style.FrameRounding, bar = std::max(3.0f, 3 * look.scale);
  const ImU32 frame = ImGui::GetColorU32(over ? ImGuiCol_FrameBgHovered : ImGuiCol_FrameBg);
  const ImU32 filled = ImGui::GetColorU32(as_vector(mixed(theme.panel, theme.selection, over ? 0.42f : 0.32f)));
  list.AddRectFilled(at, {at.x + width, at.y + height}, frame, rounding);
  if (middle - at.x > rounding)
    list.AddRectFilled(at, {middle, at.y + height}, filled, rounding, ImDrawFlags_RoundCornersLeft);
  // Where the grab would run through the text it leaves the text's line free.
  const ImVec2 words = ImGui::CalcTextSize(shown.c_str());
  const float half = words.x / 2 + style.ItemInnerSpacing.x, at_text = at.x + width / 2;
  const bool through = middle + bar / 2 > at_text - half && middle - bar / 2 < at_text + half;
  const float nub = through ? std::max(2.0f, (height - words.y) / 2) : height;
  const ImU32 grab_colour = ImGui::GetColorU32(as_vector(theme.selection));
  list.AddRectFilled({middle - bar / 2, at.y}, {middle + bar / 2, at.y + nub}, grab_colour, bar / 2);
  if (through)
    list.AddRectFilled({middle - bar / 2, at.y + height - nub}, {middle + bar / 2, at.y + height}, grab_colour,
                       bar / 2);
  if (mark >= from && mark != value) {
    const float x = std::round(x_of(mark)), tall = std::max(3.0f, height * 0.2f), wide = std::max(1.0f, look.scale);
    list.AddRectFilled({x - wide, at.y + height - tall}, {x + wide, at.y + height}, packed(theme.strong_text));
  }
  // Clicks move nothing: one with Ctrl, or the second of two, opens a field (typed_value()).
  const ImGuiID own = ImGui::GetID(id);
  const bool twice =
      over && pressed_last == own && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) && !ImGui::IsAnyItemActive();
  if (over && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) pressed_last = own;
  if (twice || (over && ImGui::GetIO().KeyCtrl && !ImGui::IsAnyItemActive())) {
    ImGui::Dummy({width, height});
    list.AddText({at_text - words.x / 2, at.y + (height - words.y) / 2}, ImGui::GetColorU32(ImGuiCol_Text),
                 shown.c_str());
    if (twice) opens_field = own;
    return false;
  }
  const ImVec4 clear{0, 0, 0, 0};
  for (const ImGuiCol which : {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive, ImGuiCol_SliderGrab,
                               ImGuiCol_SliderGrabActive})
    ImGui::PushStyleColor(which, clear);
  // A '%' in the text would be taken for a format.
  std::string format;
  for (const char c : shown) format.append(c == '%' ? 2 : 1, c);
  int wanted = value;
  const bool moves =
      ImGui::SliderInt(id, &wanted, from, to, format.c_str(), ImGuiSliderFlags_NoInput | ImGuiSliderFlags_AlwaysClamp);
  ImGui::PopStyleColor(5);
  const bool by_mouse = ImGui::IsMouseDown(ImGuiMouseButton_Left);  // else by the keyboard
  if (!moves || (by_mouse && !dragged())) return false;
  value = wanted;
  return true;
}

void note_drag(double distance) { drag_noted = distance < 0 ? 0 : std::max(drag_noted, distance); }

std::optional<std::string> typed_value(const char* id, const std::string& shown) {
  static std::string text;  // one field is open at a time
  std::optional<std::string> entered;
  const ImVec2 low = ImGui::GetItemRectMin(), size = ImGui::GetItemRectSize();
  const bool twice = opens_field == ImGui::GetID(id);
  const bool opens =
      twice || (ImGui::IsItemHovered() && ImGui::GetIO().KeyCtrl && ImGui::IsMouseClicked(ImGuiMouseButton_Left));
  if (twice) opens_field = 0;
  ImGui::PushID(id);
  if (opens) {
    text = shown;
    ImGui::OpenPopup("typed");
  }
  ImGui::SetNextWindowPos(low);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  const bool open = ImGui::BeginPopup("typed");
  ImGui::PopStyleVar();
  if (open) {
    if (opens) ImGui::SetKeyboardFocusHere();
    ImGui::SetNextItemWidth(std::max(size.x, ImGui::GetFontSize() * 6));
    if (ImGui::InputText("##value", &text, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll)) {
      entered = text;
      ImGui::CloseCurrentPopup();
    }
    ImGui::EndPopup();
  }
  ImGui::PopID();
  return entered;
}

int segments(const Look& look, const char* id, std::span<const Segment> all, int chosen, int* pointed) {
  const timeline::Theme& theme = look.theme;
  int pressed = -1;
  ImGui::PushID(id);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {1, ImGui::GetStyle().ItemSpacing.y});
  for (int i = 0; i < static_cast<int>(all.size()); ++i) {
    const Segment& each = all[static_cast<std::size_t>(i)];
    if (i > 0) ImGui::SameLine();
    if (i == chosen) {
      ImGui::PushStyleColor(ImGuiCol_Button, as_vector(theme.selection));
      ImGui::PushStyleColor(ImGuiCol_ButtonHovered, as_vector(mixed(theme.selection, theme.text, 0.15f)));
      ImGui::PushStyleColor(ImGuiCol_ButtonActive, as_vector(mixed(theme.selection, theme.text, 0.25f)));
      ImGui::PushStyleColor(ImGuiCol_Text, as_vector(timeline::text_on(theme.selection)));
    }
    if (ImGui::Button(each.label)) pressed = i;
    if (i == chosen) ImGui::PopStyleColor(4);
    if (pointed != nullptr && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) *pointed = i;
    each.on->explain(each.meaning);
  }
  ImGui::PopStyleVar();
  ImGui::PopID();
  return pressed == chosen ? -1 : pressed;
}

float segments_width(std::span<const Segment> all) {
  float width = 0;
  for (const Segment& each : all) width += sign_button_width(each.label, Sign::none) + 1;
  return width;
}

void heading(const Look& look, const char* words) {
  ImGui::Dummy({0, look.scale * 2});
  text(words, look.theme.strong_text, &look.fonts.strong);
  ImGui::Dummy({0, 0});
}

void row(const char* label, float label_width) {
  ImGui::AlignTextToFramePadding();
  const float start = ImGui::GetCursorPosX();
  text(label);
  ImGui::SameLine(start + label_width);
  ImGui::SetNextItemWidth(-FLT_MIN);
}

Disabled::Disabled(std::string_view why) : why_(why) { ImGui::BeginDisabled(!why_.empty()); }
Disabled::~Disabled() { ImGui::EndDisabled(); }

void Disabled::explain(std::string_view meaning) const {
  if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) || ImGui::IsItemActive()) return;
  const std::string_view words = why_.empty() ? meaning : std::string_view(why_);
  if (words.empty()) return;
  ImGui::PushStyleVar(ImGuiStyleVar_Alpha, 1);  // a tooltip inside a disabled group would be faded, too
  tooltip(words);
  ImGui::PopStyleVar();
}

namespace {
constexpr int kFramesToFocus = 4;  // until Dear ImGui has put the cursor there
int awaited_until = -1;            // the frame
}  // namespace

void await_field() { awaited_until = ImGui::GetFrameCount() + kFramesToFocus; }
void focus_field() {
  ImGui::SetKeyboardFocusHere();
  await_field();
}
void field_drawn() {
  if (ImGui::IsItemActive()) awaited_until = -1;
}
// Not later than that: another context counts its own frames.
bool field_awaited() {
  const int left = awaited_until - ImGui::GetFrameCount();
  return left >= 0 && left <= kFramesToFocus;
}

bool begin_tooltip() {
  const ImGuiWindow* const dialog = ImGui::GetTopMostPopupModal();
  if (dialog != nullptr && !dialog->WasActive) return false;
  ImGui::BeginTooltip();
  return true;
}

void tooltip(std::string_view words) {
  if (!begin_tooltip()) return;
  ImGui::PushTextWrapPos(ImGui::GetFontSize() * 26);
  text(words);
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

void tooltip_below(std::string_view words) {
  ImGui::SetNextWindowPos({ImGui::GetItemRectMin().x, ImGui::GetItemRectMax().y + ImGui::GetStyle().FramePadding.y});
  tooltip(words);
}

void text(std::string_view words, Ink ink, const SizedFont* font) {
  if (ink) ImGui::PushStyleColor(ImGuiCol_Text, as_vector(*ink));
  if (font != nullptr) push_font(*font);
  const ImGuiWindow& window = *ImGui::GetCurrentWindow();
  if (window.DC.TextWrapPos >= 0) {
    const std::string lines = in_lines(words, ImGui::CalcWrapWidthForPos(window.DC.CursorPos, window.DC.TextWrapPos));
    ImGui::PushTextWrapPos(-1);
    ImGui::TextUnformatted(lines.data(), lines.data() + lines.size());
    ImGui::PopTextWrapPos();
  } else {
    ImGui::TextUnformatted(words.data(), words.data() + words.size());
  }
  if (font != nullptr) ImGui::PopFont();
  if (ink) ImGui::PopStyleColor();
}

void wrapped(std::string_view words, Ink ink, const SizedFont* font) {
  ImGui::PushTextWrapPos(0);
  text(words, ink, font);
  ImGui::PopTextWrapPos();
}

void right_text(std::string_view words, Ink ink) {
  const float left = ImGui::GetContentRegionAvail().x - width_of(words);
  if (left > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + left);
  text(words, ink);
}

float width_of(std::string_view words) { return ImGui::CalcTextSize(words.data(), words.data() + words.size()).x; }

std::size_t line_end(std::string_view words, float width) {
  ImFont& font = *ImGui::GetFont();
  const float size = ImGui::GetFontSize();
  float sum = 0;
  std::size_t fits = 0;  // up to where a line may end
  for (std::size_t at = 0, next = 0; at < words.size() && words[at] != '\n'; at = next) {
    next = at + 1;
    while (next < words.size() && (words[next] & 0xC0) == 0x80) ++next;
    if (at > 0 && may_break(words, at)) fits = at;
    sum += font.CalcTextSizeA(size, FLT_MAX, 0, words.data() + at, words.data() + next).x;
    if (sum > width && at > 0 && words[at] != ' ') return fits > 0 ? fits : at;
  }
  return std::min(words.find('\n'), words.size());
}

std::string in_lines(std::string_view words, float width) {
  std::string out;
  while (!words.empty()) {
    const std::size_t end = line_end(words, width);
    out += words.substr(0, end);
    words.remove_prefix(end);
    if (words.empty()) break;
    out += '\n';
    if (words.starts_with('\n'))
      words.remove_prefix(1);
    else
      words.remove_prefix(std::min(words.find_first_not_of(' '), words.size()));
  }
  return out;
}

std::string elided(std::string_view words, float width) {
  if (width_of(words) <= width) return std::string(words);
  constexpr std::string_view kMore = "…";
  std::size_t low = 0, high = words.size();  // the longest beginning that fits with it
  while (low < high) {
    const std::size_t middle = (low + high + 1) / 2;
    if (width_of(words.substr(0, middle)) + width_of(kMore) <= width)
      low = middle;
    else
      high = middle - 1;
  }
  while (low > 0 && (words[low] & 0xC0) == 0x80) --low;  // not within a UTF-8 character
  return low == 0 ? std::string() : std::string(words.substr(0, low)) + std::string(kMore);
}

void badge(std::string_view words, timeline::Colour fill, ImVec2 padding, float rounding) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{width_of(words) + 2 * padding.x, ImGui::GetFontSize() + 2 * padding.y};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + size.x, at.y + size.y}, packed(fill), rounding);
  list.AddText({at.x + padding.x, at.y + padding.y}, packed(timeline::text_on(fill)), words.data(),
               words.data() + words.size());
  ImGui::Dummy(size);
}

}  // namespace streamscope::window
