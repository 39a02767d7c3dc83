#include "app/window/widgets/links.h"

#include <algorithm>
#include <cmath>

#include "app/window/platform/imgui_compat.h"

namespace streamscope::window {
namespace {

// A piece of a phrase that is drawn in one go.
struct Token {
  std::string_view words;
  int link = -1;
  ImVec2 at{0, 0};
  float width = 0;
  float joined = 0;  // to the token before of the same link and line, the space between the two
};

// As much of it as fits, at least one character.
std::size_t fitting(std::string_view words, float room) {
  std::size_t taken = 0;
  while (taken < words.size()) {
    std::size_t next = taken + 1;
    while (next < words.size() && (words[next] & 0xC0) == 0x80) ++next;  // not within a UTF-8 character
    if (taken > 0 && width_of(words.substr(0, next)) > room) break;
    taken = next;
  }
  return taken;
}

class Setting {
 public:
  Setting(float left, float top, float room) : left_(left), right_(left + room), at_{left, top} {}

  void add(const Phrase& phrase) {
    std::string_view rest = phrase.words;
    while (!rest.empty()) {
      const std::size_t spaces = std::min(rest.find_first_not_of(' '), rest.size());
      if (spaces > 0) gap_ = true;
      rest.remove_prefix(spaces);
      std::string_view word = rest.substr(0, rest.find(' '));
      rest.remove_prefix(word.size());
      while (!word.empty()) word.remove_prefix(put(word, phrase.link));
    }
  }
  const std::vector<Token>& tokens() const { return tokens_; }
  float bottom() const { return at_.y + ImGui::GetTextLineHeight(); }

 private:
  // Gives back how much of the word it has set.
  std::size_t put(std::string_view word, int link) {
    const float space = gap_ && at_.x > left_ ? width_of(" ") : 0;
    float width = width_of(word);
    std::size_t taken = word.size();
    if (at_.x + space + width > right_) {
      if (at_.x > left_) {
        at_ = {left_, at_.y + ImGui::GetTextLineHeight()};
        gap_ = false;
        return 0;
      }
      taken = fitting(word, right_ - left_);  // longer than a line, or of a language without spaces
      width = width_of(word.substr(0, taken));
    }
    const bool joins = link >= 0 && space > 0 && !tokens_.empty() && tokens_.back().link == link;
    tokens_.push_back({word.substr(0, taken), link, {at_.x + space, at_.y}, width, joins ? space : 0});
    at_.x += space + width;
    gap_ = false;
    return taken;
  }

  float left_, right_;
  ImVec2 at_;
  bool gap_ = false;
  std::vector<Token> tokens_;
};

}  // namespace

int linked_text(const Look& look, std::span<const Phrase> phrases, Ink ink, const SizedFont* font, int* pointed) {
  if (font != nullptr) push_font(*font);
  const ImVec2 from = ImGui::GetCursorScreenPos();
  Setting setting(from.x, from.y, std::max(1.0f, ImGui::GetContentRegionAvail().x));
  for (const Phrase& each : phrases) setting.add(each);
  const float height = ImGui::GetTextLineHeight(), thick = std::max(1.0f, std::round(look.scale));
  int clicked = -1, over = -1, number = 0;
  for (const Token& each : setting.tokens()) {
    if (each.link < 0) continue;
    ImGui::SetCursorScreenPos({each.at.x - each.joined, each.at.y});
    ImGui::PushID(number++);
    if (ImGui::InvisibleButton("link", {each.width + each.joined, height})) clicked = each.link;
    if (ImGui::IsItemHovered()) over = each.link;
    ImGui::PopID();
  }
  if (over >= 0) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  const auto shade = [](timeline::Colour colour) { return ImGui::GetColorU32(as_vector(colour)); };
  const ImU32 plain = shade(ink.value_or(look.theme.text));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (const Token& each : setting.tokens()) {
    const bool is_link = each.link >= 0;
    const timeline::Colour colour = look.theme.selection;
    const ImU32 its = is_link ? shade(each.link == over ? mixed(colour, look.theme.strong_text, 0.4f) : colour) : plain;
    list.AddText(each.at, its, each.words.data(), each.words.data() + each.words.size());
    if (!is_link) continue;
    const float y = std::round(each.at.y + height - thick);
    list.AddRectFilled({each.at.x - each.joined, y}, {each.at.x + each.width, y + thick},
                       each.link == over ? its : shade(mixed(look.theme.panel, colour, 0.45f)));
  }
  ImGui::SetCursorScreenPos(from);
  ImGui::Dummy({std::max(1.0f, ImGui::GetContentRegionAvail().x), setting.bottom() - from.y});
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
