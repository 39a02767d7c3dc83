#include "app/window/widgets/dialog.h"

#include <imgui_internal.h>

#include "app/window/platform/imgui_compat.h"

namespace streamscope::window {
namespace {

// Of the dialog in front; it begins anew when another one opens.
struct Stops {
  int frame = -1;   // in which it was drawn last
  int appears = 0;  // frames in which its focus is to be made visible
  int count = 0;    // so far in this frame
  int at = -1;      // the one that has the focus, or had it last
  int wanted = -1;  // that is to get it
  int list = -1;    // the last that is a list
} stops;

void show_focus() {
#if IMGUI_VERSION_NUM >= 19140
  ImGui::SetNavCursorVisible(true);
#else
  ImGui::GetCurrentContext()->NavDisableHighlight = false;
#endif
}

}  // namespace

bool begin_dialog(const char* name, ImGuiWindowFlags flags) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({size.x / 2, size.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  if (!ImGui::BeginPopupModal(name, nullptr, flags | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings))
    return false;
  if (ImGui::IsWindowAppearing()) stops = {.appears = 3};
  stops.frame = ImGui::GetFrameCount();
  stops.count = 0;
  // Dear ImGui's own Tab knows fields only.
  if (key_pressed(ImGuiKey_Tab)) ImGui::NavMoveRequestCancel();
  return true;
}

void end_dialog() {
  if (stops.appears > 0 && stops.appears-- > 0) show_focus();
  const ImGuiIO& io = ImGui::GetIO();
  if (key_pressed(ImGuiKey_Tab) && !io.KeyCtrl && stops.count > 0) {
    const int by = io.KeyShift ? stops.count - 1 : 1;
    stops.wanted = stops.at < 0 ? (io.KeyShift ? stops.count - 1 : 0) : (stops.at + by) % stops.count;
  }
  ImGui::EndPopup();
}

// Not later than now: another context counts its own frames.
bool dialog_drawn() { return stops.frame == ImGui::GetFrameCount() || stops.frame == ImGui::GetFrameCount() - 1; }

void tab_stop(bool field) {
  const int me = stops.count++;
  if (ImGui::IsItemFocused() || ImGui::IsItemActive()) stops.at = me;
  if (stops.wanted != me) return;
  stops.wanted = -1;
  stops.at = me;
  if (field) return ImGui::SetKeyboardFocusHere(-1);
  ImGuiContext& context = *ImGui::GetCurrentContext();
  if (context.LastItemData.ID == 0) return;  // a field that is drawn as nothing to point at for a frame
  ImGui::ClearActiveID();
  ImGui::SetFocusID(context.LastItemData.ID, context.CurrentWindow);
  show_focus();
}

void list_stop(bool first) {
  if (first) {
    stops.list = stops.count;
    return tab_stop();
  }
  if (ImGui::IsItemFocused() || ImGui::IsItemActive()) stops.at = stops.list;
}
void focus_list() { stops.wanted = stops.list; }

bool dialog_button(const char* label, float width) {
  const bool pressed = ImGui::Button(label, {width, 0});
  tab_stop();
  return pressed;
}

bool default_button(const char* label, float width) {
  const bool pressed = ImGui::Button(label, {width, 0});
  ImGui::SetItemDefaultFocus();
  tab_stop();
  return pressed;
}

}  // namespace streamscope::window
