#include "app/window/widgets/links.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/window/platform/imgui_compat.h"

namespace streamscope::window {
namespace {

// A line of a wrapped text: bytes.
struct Line {
  std::size_t begin = 0, end = 0;
};

std::vector<Line> lines_of(const std::string& text, float room) {
  std::vector<Line> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t stop = at + line_end(std::string_view(text).substr(at), room);
    out.push_back({at, stop});
    at = std::min(text.find_first_not_of(' ', stop), text.size());
    if (at < text.size() && text[at] == '\n') ++at;
  }
  return out;
}

// Where a link stands on one line.
struct Patch {
  std::size_t line = 0;
  ImVec2 from, to;
  int link = -1;
};

std::vector<Patch> patches_of(const std::string& text, std::span<const Phrase> phrases, const std::vector<Line>& lines,
                              ImVec2 at) {
  std::vector<Patch> out;
  const float height = ImGui::GetTextLineHeight();
  const auto width = [&](std::size_t from, std::size_t to) {
    return width_of(std::string_view(text).substr(from, to - from));
  };
  std::size_t begin = 0;
  for (const Phrase& each : phrases) {
    const std::size_t end = begin + each.words.size();
    for (std::size_t i = 0; each.link >= 0 && i < lines.size(); ++i) {
      const std::size_t from = std::max(begin, lines[i].begin), to = std::min(end, lines[i].end);
      if (from >= to) continue;
      const float y = at.y + height * static_cast<float>(i), x = at.x + width(lines[i].begin, from);
      out.push_back({i, {x, y}, {x + width(from, to), y + height}, each.link});
    }
    begin = end;
  }
  return out;
}

}  // namespace

int linked_text(const Look& look, std::span<const Phrase> phrases, Ink ink, const SizedFont* font, int* pointed) {
  if (font != nullptr) push_font(*font);
  std::string text;
  for (const Phrase& each : phrases) text += each.words;
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float room = std::max(1.0f, ImGui::GetContentRegionAvail().x), height = ImGui::GetTextLineHeight();
  const std::vector<Line> lines = lines_of(text, room);
  const std::vector<Patch> patches = patches_of(text, phrases, lines, from);
  int clicked = -1, over = -1, number = 0;
  ImGui::PushID(text.c_str());
  for (const Patch& each : patches) {
    ImGui::SetCursorScreenPos(each.from);
    ImGui::PushID(number++);
    if (ImGui::InvisibleButton("link", {std::max(1.0f, each.to.x - each.from.x), height})) clicked = each.link;
    if (ImGui::IsItemHovered()) over = each.link;
    ImGui::PopID();
  }
  ImGui::PopID();
  if (over >= 0) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  const auto shade = [](timeline::Colour colour) { return ImGui::GetColorU32(as_vector(colour)); };
  ImDrawList& list = *ImGui::GetWindowDrawList();
  // The whole line each time, of which only a part is seen: so no letter is drawn twice.
  const auto draw = [&](std::size_t line, float x0, float x1, ImU32 colour) {
    const float y = from.y + height * static_cast<float>(line);
    const ImVec4 part{x0, y, x1, y + height};
    if (x1 > x0)
      list.AddText(ImGui::GetFont(), ImGui::GetFontSize(), {from.x, y}, colour, text.data() + lines[line].begin,
                   text.data() + lines[line].end, 0, &part);
  };
  const ImU32 plain = shade(ink.value_or(look.theme.text));
  const float right = from.x + room + height;
  const float thick = std::max(1.0f, std::round(look.scale));
  const float baseline = ascent_of({ImGui::GetFont(), ImGui::GetFontSize()});
  const timeline::Colour colour = look.theme.selection;
  std::size_t next = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    float x = from.x - height;
    for (; next < patches.size() && patches[next].line == i; ++next) {
      const Patch& each = patches[next];
      const bool lit = each.link == over;
      const ImU32 its = shade(lit ? mixed(colour, look.theme.strong_text, 0.4f) : colour);
      draw(i, x, each.from.x, plain);
      draw(i, each.from.x, each.to.x, its);
      const float y = std::round(each.from.y + baseline + thick);
      list.AddRectFilled({each.from.x, y}, {each.to.x, y + thick},
                         lit ? its : shade(mixed(look.theme.panel, colour, 0.45f)));
      x = each.to.x;
    }
    draw(i, x, right, plain);
  }
  ImGui::SetCursorScreenPos(from);
  ImGui::Dummy({room, height * static_cast<float>(std::max<std::size_t>(lines.size(), 1))});
  if (font != nullptr) ImGui::PopFont();
  if (pointed != nullptr) *pointed = over;
  return clicked;
}

bool link(const Look& look, std::string_view words, const SizedFont* font) {
  const Phrase all{words, 0};
  return linked_text(look, {&all, 1}, {}, font) == 0;
}

std::vector<Phrase> with_link(std::string_view text, std::string_view words) {
  const std::size_t at = words.empty() ? std::string_view::npos : text.find(words);
  if (at == std::string_view::npos) return {{text, -1}};
  return {{text.substr(0, at), -1}, {text.substr(at, words.size()), 0}, {text.substr(at + words.size()), -1}};
}

bool fold(const Look& look, const char* label, bool open_at_first) {
  bool* const open = ImGui::GetStateStorage()->GetBoolRef(ImGui::GetID(label), open_at_first);
  const float height = ImGui::GetTextLineHeight(), sign = ImGui::GetFontSize() * 0.9f;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (ImGui::InvisibleButton(label, {sign + width_of(label), height})) *open = !*open;
  const bool over = ImGui::IsItemHovered();
  if (over) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  const ImU32 ink = ImGui::GetColorU32(as_vector(over ? look.theme.strong_text : look.theme.faint_text));
  const float r = ImGui::GetFontSize() * 0.26f;
  const ImVec2 middle{at.x + r * 1.2f, at.y + height / 2};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (*open)
    list.AddTriangleFilled({middle.x - r, middle.y - r * 0.6f}, {middle.x + r, middle.y - r * 0.6f},
                           {middle.x, middle.y + r * 0.8f}, ink);
  else
    list.AddTriangleFilled({middle.x - r * 0.6f, middle.y - r}, {middle.x + r * 0.8f, middle.y},
                           {middle.x - r * 0.6f, middle.y + r}, ink);
  list.AddText({at.x + sign, at.y}, ink, label);
  return *open;
}

}  // namespace streamscope::window
