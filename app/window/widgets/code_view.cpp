#include "app/window/widgets/code_view.h"

#include <imgui.h>
// After imgui.h: the one of 1.86 does not include it.
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "app/window/platform/imgui_compat.h"
#include "app/window/widgets/widgets.h"

namespace streamscope::window {
namespace {

constexpr float kPadding = 2;  // above the first line

std::vector<std::string_view> split(std::string_view text, std::size_t& longest) {
  std::vector<std::string_view> lines;
  longest = 0;  // bytes: at least as many as columns
  for (;;) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    longest = std::max(longest, end);
    if (end == text.size()) return lines;
    text.remove_prefix(end + 1);
  }
}

// Not rounded, so that pieces stand where the field has their letters.
float exact_width(std::string_view text) {
  return ImGui::GetFont()->CalcTextSizeA(ImGui::GetFontSize(), FLT_MAX, 0, text.data(), text.data() + text.size()).x;
}

void draw_numbers(const Look& look, const CodeView::Lines& lines) {
  for (std::uint32_t line = lines.first; line <= lines.last; ++line) {
    const std::string number = std::to_string(line);
    const ImVec2 at{lines.origin.x + lines.gutter - width_of(number) - lines.height * 0.7f,
                    lines.origin.y + static_cast<float>(line - 1) * lines.height};
    ImGui::GetWindowDrawList()->AddText(at, packed(look.theme.faint_text), number.c_str());
  }
}

// Over the field, in a child of its own: what is drawn in the one around it would lie under the field's selection.
void draw_letters(const Look& look, const CodeView::Code& code, const CodeView::Lines& lines,
                  const std::optional<ImVec2>& cursor) {
  ImGui::SetCursorScreenPos({lines.origin.x + lines.gutter, lines.origin.y});
  ImGui::BeginChild("letters", {lines.width - lines.gutter, static_cast<float>(lines.texts.size() + 1) * lines.height},
                    false, ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (std::uint32_t line = lines.first; line <= lines.last; ++line) {
    ImVec2 at{lines.origin.x + lines.gutter, lines.origin.y + static_cast<float>(line - 1) * lines.height};
    for (const CodeView::Piece& each : code.pieces(lines.texts[line - 1])) {
      const timeline::Colour ink = code.pale ? look.theme.faint_text : each.colour;
      list.AddText(at, packed(ink), each.text.data(), each.text.data() + each.text.size());
      at.x += exact_width(each.text);
    }
  }
  if (cursor)
    list.AddLine(*cursor, {cursor->x, cursor->y + lines.height - 1}, packed(look.theme.strong_text),
                 std::max(1.0f, look.scale));
  ImGui::EndChild();
}

}  // namespace

void CodeView::Lines::band(std::uint32_t line, timeline::Colour colour) const {
  if (line < first || line > last) return;
  const float y = origin.y + static_cast<float>(line - 1) * height;
  ImGui::GetWindowDrawList()->AddRectFilled({origin.x, y}, {origin.x + width, y + height}, packed(colour));
}

void CodeView::Lines::bar(std::uint32_t line, timeline::Colour colour, float thick) const {
  if (line < first || line > last) return;
  const float y = origin.y + static_cast<float>(line - 1) * height;
  ImGui::GetWindowDrawList()->AddRectFilled({origin.x, y}, {origin.x + thick, y + height}, packed(colour));
}

// Where the cursor is, and what a completion or undo puts there.
int CodeView::follow(ImGuiInputTextCallbackData* data) {
  auto& view = *static_cast<CodeView*>(data->UserData);
  const int begin = static_cast<int>(view.replace_from_), end = static_cast<int>(view.replace_to_);
  if (std::exchange(view.replaces_, false) && end <= data->BufTextLen) {
    data->DeleteChars(begin, end - begin);
    data->InsertChars(begin, view.put_.c_str());
    data->CursorPos = data->SelectionStart = data->SelectionEnd = begin + static_cast<int>(view.put_.size());
    view.replaced_ = true;
  }
  view.cursor_ = data->CursorPos;
  return 0;
}

void CodeView::replace(std::size_t begin, std::size_t end, std::string text) {
  replaces_ = true;
  replace_from_ = begin;
  replace_to_ = end;
  put_ = std::move(text);
}

void CodeView::show(std::uint32_t line, bool even_in_sight) {
  show_line_ = line;
  show_anyhow_ = even_in_sight;
}

std::uint32_t CodeView::line_of_cursor() const { return cursor_ < 0 ? 0 : line_; }

void CodeView::keep_cursor_in_sight(std::string_view text, float digit, float gutter, float line_height) {
  const std::string_view before =
      text.substr(0, static_cast<std::size_t>(std::min<std::ptrdiff_t>(cursor_, std::ssize(text))));
  line_ = static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n')) + 1;
  const std::size_t start = before.rfind('\n');
  const float x = exact_width(before.substr(start == std::string_view::npos ? 0 : start + 1));
  const float y = static_cast<float>(line_ - 1) * line_height, view = ImGui::GetWindowHeight() - 2 * line_height;
  place_ = {x, y};
  if (!moved_) return;
  if (y < ImGui::GetScrollY()) ImGui::SetScrollY(y);
  if (y + line_height > ImGui::GetScrollY() + view) ImGui::SetScrollY(y + line_height - view);
  if (x < ImGui::GetScrollX()) ImGui::SetScrollX(std::max(0.0f, x - 8 * digit));
  if (gutter + x + 2 * digit > ImGui::GetScrollX() + ImGui::GetWindowWidth())
    ImGui::SetScrollX(gutter + x + 8 * digit - ImGui::GetWindowWidth());
}

bool CodeView::draw(const Look& look, const Code& code, ImVec2 size, const std::function<void(const Lines&)>& under) {
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, kPadding});
  ImGui::PushStyleColor(ImGuiCol_ChildBg, as_vector(look.theme.background));
  push_font(look.fonts.mono);
  std::size_t longest = 0;
  const std::vector<std::string_view> texts = split(code.text, longest);
  const auto count = static_cast<std::uint32_t>(texts.size());
  const float line_height = ImGui::GetTextLineHeight(), digit = width_of("0");
  const float gutter =
      digit * static_cast<float>(std::max<std::size_t>(2, std::to_string(count).size())) + line_height * 1.2f;
  const float bar = ImGui::GetStyle().ScrollbarSize, across = gutter + digit * static_cast<float>(longest + 4);
  const float besides = kPadding + (across + bar > (size.x > 0 ? size.x : ImGui::GetContentRegionAvail().x) ? bar : 0);
  const float lines_in_sight = std::max(3.0f, std::floor((size.y - besides) / line_height));
  ImGui::BeginChild(code.id, {size.x, lines_in_sight * line_height + besides}, true,
                    ImGuiWindowFlags_HorizontalScrollbar);
  const ImVec2 origin = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float width = std::max(digit * static_cast<float>(longest + 4), room.x - gutter);
  const float height = std::max(line_height * static_cast<float>(count + 1), room.y);
  const auto number_at = [&](float y) {
    return std::clamp(static_cast<int>((y - origin.y) / line_height) + 1, 1, static_cast<int>(count));
  };
  const float top = ImGui::GetWindowPos().y;
  const Lines lines{.origin = origin,
                    .gutter = gutter,
                    .height = line_height,
                    .width = gutter + width,
                    .texts = texts,
                    .first = static_cast<std::uint32_t>(number_at(top)),
                    .last = static_cast<std::uint32_t>(number_at(top + ImGui::GetWindowHeight()))};
  under(lines);
  draw_numbers(look, lines);

  ImGui::SetCursorScreenPos({origin.x + gutter, origin.y});
  ImGui::PushStyleColor(ImGuiCol_FrameBg, {0, 0, 0, 0});
  ImGui::PushStyleColor(ImGuiCol_Text, {0, 0, 0, 0});
  // Esc leaves the field; Dear ImGui would undo all that was typed in it.
  const std::optional<std::string> kept =
      !code.read_only && key_pressed(ImGuiKey_Escape) ? std::optional(code.text) : std::nullopt;
  const int before = std::exchange(cursor_, -1);
  replaced_ = false;
  // Dear ImGui's undo takes back a letter at a time; whoever owns the text has a better one.
  const ImGuiInputTextFlags way = ImGuiInputTextFlags_CallbackAlways | ImGuiInputTextFlags_NoUndoRedo |
                                  (code.read_only ? ImGuiInputTextFlags_ReadOnly : ImGuiInputTextFlags_AllowTabInput);
  const bool changed = ImGui::InputTextMultiline("##text", &code.text, {width, height}, way, follow, this);
  ImGui::PopStyleColor(2);
  if (kept) code.text = *kept;
  if (cursor_ < 0 && std::exchange(replaces_, false) && replace_to_ <= code.text.size())  // the keyboard has just left
    code.text.replace(replace_from_, replace_to_ - replace_from_, put_);
  moved_ = cursor_ >= 0 && cursor_ != before;
  if (cursor_ >= 0) keep_cursor_in_sight(code.text, digit, gutter, line_height);
  const ImVec2 cursor{origin.x + gutter + place_.x, origin.y + place_.y};
  // Typed letters are in the text and not yet in `texts`, which look into it as it was.
  std::size_t ignored = 0;
  const std::vector<std::string_view> now = split(code.text, ignored);
  const Lines drawn{.origin = origin,
                    .gutter = gutter,
                    .height = line_height,
                    .width = lines.width,
                    .texts = now,
                    .first = std::min(lines.first, static_cast<std::uint32_t>(now.size())),
                    .last = std::min(lines.last, static_cast<std::uint32_t>(now.size()))};
  draw_letters(look, code, drawn, cursor_ >= 0 ? std::optional(cursor) : std::nullopt);
  on_screen_ = cursor;

  if (const std::uint32_t line = std::exchange(show_line_, 0); line != 0) {
    const float y = static_cast<float>(line - 1) * line_height;
    const bool in_sight =
        y >= ImGui::GetScrollY() && y + 2 * line_height <= ImGui::GetScrollY() + ImGui::GetWindowHeight();
    if (show_anyhow_ || !in_sight) ImGui::SetScrollY(std::max(0.0f, y - line_height));
    ImGui::SetScrollX(0);  // its beginning
  }
  ImGui::EndChild();
  ImGui::PopFont();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
  return changed && !kept;
}

}  // namespace streamscope::window
