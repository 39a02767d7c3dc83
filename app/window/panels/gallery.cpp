#include "app/window/panels/gallery.h"

#include <imgui.h>
// Dear ImGui before its own extension.
#include <imgui_stdlib.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/window/panels/word_rank.h"
#include "app/window/platform/imgui_compat.h"
#include "app/window/widgets/dialog.h"
#include "app/window/widgets/styled_box.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

struct Card {
  std::string title, sentence;
  std::filesystem::path path;
  bool lesson = false;
  int rank = 0;
};
struct Shelf {
  const char* title;
  std::vector<Card> cards;
};

// Those that have the words, the best first; without words all, as they come.
std::vector<Shelf> shelves(const State& state, const std::string& words) {
  std::vector<Shelf> out{{tr("Recent"), {}}, {tr("Experiments"), {}}, {tr("Programs"), {}}, {tr("Lessons"), {}}};
  const auto put = [&](Shelf& shelf, Card card, Findable what) {
    what.title = card.title;
    what.sentence = card.sentence;
    const auto found = rank(what, words);
    if (!found) return;
    card.rank = *found;
    shelf.cards.push_back(std::move(card));
  };
  const auto shipped = [&](const std::filesystem::path& path) {
    return std::ranges::find(state.editing.shipped, path, &experiment::Shipped::path) != state.editing.shipped.end();
  };
  for (const std::filesystem::path& each : state.files.recent)
    if (!shipped(each)) put(out[0], {each.filename().string(), each.parent_path().string(), each}, {});
  for (const experiment::Shipped& each : state.editing.shipped) {
    const auto& [en, zh, ko] = each.keywords;
    put(out[each.path.extension() == ".toml" ? 1 : 2], {each.title, each.sentence, each.path},
        {.title = {}, .name = each.name, .keywords = {en, zh, ko}});
  }
  const std::vector<std::string> lesson{tr("lesson")};
  for (const lesson::Listed& each : state.lesson.all) {
    const auto& [en, zh, ko] = each.keywords;
    put(out[3], {each.title, each.about, each.folder, true},
        {.title = {}, .name = each.name, .keywords = {lesson, en, zh, ko}});
  }
  for (Shelf& each : out) std::ranges::stable_sort(each.cards, {}, &Card::rank);
  return out;
}

void open_card(const Panel& panel, const Card& card) {
  if (card.lesson)
    panel.emit(command::OpenLesson{card.path});
  else
    panel.emit(command::OpenFile{card.path});
  panel.emit(command::ShowGallery{false});
}

void draw_picture(const Look& look, const timeline::Miniature& picture, ImVec2 at, ImVec2 size) {
  if (picture.rows == 0) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float tall = std::min(size.y / static_cast<float>(picture.rows), size.y / 3);
  const float top = at.y + (size.y - tall * static_cast<float>(picture.rows)) / 2;
  for (const timeline::Miniature::Bar& each : picture.bars) {
    const float x = at.x + size.x * each.start, y = top + tall * static_cast<float>(each.row);
    styled_box(list, look, {x, y + tall * 0.12f, std::max(size.x * (each.end - each.start), 1.0f), tall * 0.76f},
               each.kind);
  }
}

void draw_card(const Panel& panel, const Card& card, float width, float tall, bool first) {
  const timeline::Theme& theme = panel.look.theme;
  const float pad = 6 * panel.look.scale, line = ImGui::GetTextLineHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  // Dear ImGui's ground would reach into the gaps between the cards.
  for (const ImGuiCol_ each : {ImGuiCol_Header, ImGuiCol_HeaderHovered, ImGuiCol_HeaderActive})
    ImGui::PushStyleColor(each, {0, 0, 0, 0});
  ImGui::PushID(card.path.c_str());
  const bool pressed = ImGui::Selectable("##card", false, ImGuiSelectableFlags_None, {width, tall});
  list_stop(first);
  ImGui::PopID();
  ImGui::PopStyleColor(3);
  if (pressed) open_card(panel, card);
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 end_of_card{at.x + width, at.y + tall};
  const float round = 4 * panel.look.scale;
  if (hovered) list.AddRectFilled(at, end_of_card, packed(mixed(theme.panel, theme.selection, 0.12f)), round);
  list.AddRect(at, end_of_card, packed(hovered ? theme.selection : theme.grid), round);
  const float picture = tall * 1.4f, inner = width - 2 * pad;
  const auto small = panel.state.workspace.gallery_pictures.find(card.path);
  const bool pictured = small != panel.state.workspace.gallery_pictures.end();  // it may be on the way
  if (pictured)
    draw_picture(panel.look, small->second, {end_of_card.x - pad - picture, at.y + pad}, {picture, tall - 2 * pad});
  const float room = pictured ? inner - picture - pad : inner;
  list.AddText(panel.look.fonts.strong.font, panel.look.fonts.strong.size, {at.x + pad, at.y + pad},
               packed(theme.strong_text), elided(card.title, room).c_str());
  // Two lines of what it shows; where that is not all, the tooltip has it.
  const char* const begin = card.sentence.c_str();
  const char* const end_of_line = begin + line_end(card.sentence, room);
  std::string second(end_of_line);
  second.erase(0, std::min(second.find_first_not_of(' '), second.size()));
  list.AddText({at.x + pad, at.y + pad + line * 1.25f}, packed(theme.faint_text), begin, end_of_line);
  list.AddText({at.x + pad, at.y + pad + line * 2.25f}, packed(theme.faint_text), elided(second, room).c_str());
  if (hovered && (elided(card.title, room) != card.title || elided(second, room) != second))
    tooltip(card.title + "\n" + card.sentence);
}

}  // namespace

void gallery(const Panel& panel) {
  const bool wanted = panel.state.workspace.gallery_open;
  const char* const name = tr("Gallery");
  const bool begins = wanted && !ImGui::IsPopupOpen(name);
  if (begins) ImGui::OpenPopup(name);
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowSize({size.x * 0.9f, size.y * 0.9f});
  if (!begin_dialog(name, ImGuiWindowFlags_NoResize)) return;
  if (begins) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-FLT_MIN);
  std::string words = panel.state.workspace.gallery_words;
  const bool entered = ImGui::InputTextWithHint("##words", tr("a word of what is to be seen"), &words,
                                                ImGuiInputTextFlags_EnterReturnsTrue);
  tab_stop(true);
  if (words != panel.state.workspace.gallery_words) panel.emit(command::TypeInGallery{words});
  const std::vector<Shelf> all = shelves(panel.state, words);
  const float gap = ImGui::GetStyle().ItemSpacing.x, line = ImGui::GetTextLineHeight();
  ImGui::BeginChild("cards", {0, -ImGui::GetFrameHeightWithSpacing()});
  const float room = ImGui::GetContentRegionAvail().x;
  const int columns = std::max(1, static_cast<int>(room / (line * 24)));
  const float width = (room - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
  bool first = true;
  text(tr("Pictures: MODEL of {}, not your GPU", kGalleryModel), panel.look.theme.faint_text);
  for (const Shelf& shelf : all) {
    if (shelf.cards.empty()) continue;
    heading(panel.look, shelf.title);
    ImGui::PushID(shelf.title);
    int column = 0;
    for (const Card& each : shelf.cards) {
      if (column > 0) ImGui::SameLine(0, gap);
      draw_card(panel, each, width, line * 3.4f + 12 * panel.look.scale, std::exchange(first, false));
      column = (column + 1) % columns;
    }
    ImGui::PopID();
  }
  if (first) text(tr("Nothing is called so."), panel.look.theme.faint_text);
  ImGui::EndChild();
  if (entered)
    for (const Shelf& shelf : all)
      if (!shelf.cards.empty()) {
        open_card(panel, shelf.cards.front());
        break;
      }
  // The field has the keys: Esc is not the panels'.
  if (dialog_button(tr("Close"), -FLT_MIN) || key_pressed(ImGuiKey_Escape)) panel.emit(command::ShowGallery{false});
  if (!wanted) ImGui::CloseCurrentPopup();
  end_dialog();
}

}  // namespace streamscope::window
