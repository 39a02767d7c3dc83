#include "tests/app/window_words/drawn_texts.h"

#include <fmt/format.h>
#include <imgui.h>
// Dear ImGui before its inner parts.
#include <imgui_internal.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace streamscope::testing {
namespace {

// The sides of letters reach a little over what they measure, and lines a little into each other.
constexpr float kSlack = 2, kSlackOfLines = 4;

struct Given {
  const ImDrawList* list;
  const ImFont* font;
  float size;
  ImVec2 at;
  std::string text;
  float wrap;
  ImRect seen;
};
struct Placed {
  const ImDrawList* list;
  std::string text;
  ImRect all, seen;
};

std::set<std::string> drawn;
std::vector<Given> given;  // in this frame
int frame = -1;

void see(const ImDrawList& list, const ImFont* font, float size, ImVec2 at, ImU32 colour, const char* begin,
         const char* end, float wrap, const ImVec4* clip) {
  if (begin == nullptr) return;
  std::string text = end == nullptr ? std::string(begin) : std::string(begin, end);
  if (text.empty()) return;
  drawn.insert(text);
  if ((colour & IM_COL32_A_MASK) == 0) return;
  if (std::exchange(frame, ImGui::GetFrameCount()) != ImGui::GetFrameCount()) given.clear();
  ImRect seen(list._CmdHeader.ClipRect);
  if (clip != nullptr) seen.ClipWithFull(ImRect(*clip));
  seen.ClipWithFull(ImRect({0, 0}, ImGui::GetIO().DisplaySize));
  given.push_back({&list, font == nullptr ? ImGui::GetFont() : font, size > 0 ? size : ImGui::GetFontSize(), at,
                   std::move(text), wrap, seen});
}

// Of a text's lines: the blanks at their ends are not seen.
std::string without_last_blanks(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') out.erase(out.find_last_not_of(' ') + 1);
    out += c;
  }
  return out.erase(out.find_last_not_of(' ') + 1);
}

std::vector<Placed> placed_texts() {
  std::vector<Placed> out;
  for (const Given& each : given) {
    std::string text = without_last_blanks(each.text);
    const ImVec2 size = each.font->CalcTextSizeA(each.size, FLT_MAX, each.wrap, text.data(), text.data() + text.size());
    const ImRect all(each.at.x, each.at.y, each.at.x + size.x, each.at.y + size.y);
    // A line of several colours is drawn once for each, of which only a part is seen.
    const auto before = std::ranges::find_if(out, [&](const Placed& other) {
      return other.list == each.list && other.text == text && other.all.Min.x == all.Min.x &&
             other.all.Min.y == all.Min.y;
    });
    if (before != out.end())
      before->seen.Add(each.seen);
    else
      out.push_back({each.list, std::move(text), all, each.seen});
  }
  return out;
}

const ImGuiWindow* window_of(const ImDrawList& list) {
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
    if (window->DrawList == &list) return window;
  return nullptr;
}

std::string name_of(const ImDrawList& list) {
  const ImGuiWindow* const window = window_of(list);
  return window == nullptr ? "" : window->Name;
}

bool scrolls(const ImGuiWindow* window, ImGuiAxis axis) {
  for (; window != nullptr;
       window = (window->Flags & ImGuiWindowFlags_ChildWindow) != 0 ? window->ParentWindow : nullptr)
    if (axis == ImGuiAxis_X ? window->ScrollbarX : window->ScrollbarY) return true;
  return false;
}

}  // namespace

std::set<std::string> take_drawn_texts() { return std::exchange(drawn, {}); }

std::set<MisplacedText> misplaced_texts() {
  std::set<MisplacedText> out;
  const std::vector<Placed> placed = placed_texts();
  for (std::size_t i = 0; i < placed.size(); ++i) {
    const auto& [list, text, all, seen] = placed[i];
    const ImGuiWindow* const window = window_of(*list);
    if (window != nullptr && window->Hidden) continue;
    const auto say = [&](std::string how) { out.insert({text, name_of(*list), std::move(how)}); };
    if (!scrolls(window, ImGuiAxis_X) && all.Min.y < seen.Max.y && all.Max.y > seen.Min.y) {
      if (all.Max.x > seen.Max.x + kSlack) say(fmt::format("right by {:.0f}", all.Max.x - seen.Max.x));
      if (all.Min.x < seen.Min.x - kSlack) say(fmt::format("left by {:.0f}", seen.Min.x - all.Min.x));
    }
    if (!scrolls(window, ImGuiAxis_Y)) {
      if (all.Max.y > seen.Max.y + kSlackOfLines) say(fmt::format("below by {:.0f}", all.Max.y - seen.Max.y));
      if (all.Min.y < seen.Min.y - kSlackOfLines) say(fmt::format("above by {:.0f}", seen.Min.y - all.Min.y));
    }
    for (std::size_t j = 0; j < i; ++j) {
      // The timeline's marks have plates of their own, which may lie over other texts.
      if (placed[j].list != list || placed[j].text == text || name_of(*list) == "Timeline") continue;
      ImRect both = seen;
      for (const ImRect& each : {all, placed[j].all, placed[j].seen}) both.ClipWith(each);
      if (both.GetWidth() > kSlack && both.GetHeight() > kSlackOfLines) say("over: " + placed[j].text);
    }
  }
  return out;
}

std::set<MisplacedText> cut_lines(const std::set<std::string>& windows) {
  std::set<MisplacedText> out;
  for (const auto& [list, text, all, seen] : placed_texts()) {
    const std::string name = name_of(*list);
    if (std::ranges::none_of(windows, [&](const auto& each) { return name.find('/' + each + '_') != name.npos; }))
      continue;
    const float line = all.GetHeight() / static_cast<float>(1 + std::ranges::count(text, '\n'));
    for (float y = all.Min.y; y + 1 < all.Max.y; y += line) {
      const float visible = std::min(y + line, seen.Max.y) - std::max(y, seen.Min.y);
      if (visible > kSlackOfLines && visible < line - 1)
        out.insert({text, name, fmt::format("{:.0f} of {:.0f}", visible, line)});
    }
  }
  return out;
}

std::vector<ElidedText> elided_texts() {
  std::vector<ElidedText> out;
  for (const Placed& each : placed_texts()) {
    ImRect seen = each.seen;
    seen.ClipWith(each.all);
    if (each.text.ends_with("…") && seen.GetWidth() > kSlack && seen.GetHeight() > kSlackOfLines)
      out.push_back({each.text, name_of(*each.list), seen.GetCenter()});
  }
  return out;
}

}  // namespace streamscope::testing

// As the compilers of Linux name them: both of ImDrawList::AddText.
extern "C" {
void __real__ZN10ImDrawList7AddTextERK6ImVec2jPKcS4_(ImDrawList* list, const ImVec2& at, ImU32 colour,
                                                     const char* begin, const char* end);
void __real__ZN10ImDrawList7AddTextEPK6ImFontfRK6ImVec2jPKcS7_fPK6ImVec4(ImDrawList* list, const ImFont* font,
                                                                         float size, const ImVec2& at, ImU32 colour,
                                                                         const char* begin, const char* end, float wrap,
                                                                         const ImVec4* clip);

void __wrap__ZN10ImDrawList7AddTextERK6ImVec2jPKcS4_(ImDrawList* list, const ImVec2& at, ImU32 colour,
                                                     const char* begin, const char* end) {
  streamscope::testing::see(*list, nullptr, 0, at, colour, begin, end, 0, nullptr);
  __real__ZN10ImDrawList7AddTextERK6ImVec2jPKcS4_(list, at, colour, begin, end);
}

void __wrap__ZN10ImDrawList7AddTextEPK6ImFontfRK6ImVec2jPKcS7_fPK6ImVec4(ImDrawList* list, const ImFont* font,
                                                                         float size, const ImVec2& at, ImU32 colour,
                                                                         const char* begin, const char* end, float wrap,
                                                                         const ImVec4* clip) {
  streamscope::testing::see(*list, font, size, at, colour, begin, end, wrap, clip);
  __real__ZN10ImDrawList7AddTextEPK6ImFontfRK6ImVec2jPKcS7_fPK6ImVec4(list, font, size, at, colour, begin, end, wrap,
                                                                      clip);
}
}
