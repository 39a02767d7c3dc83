// The keyboard in dialogs: Enter takes what has the focus, which is the default button when one opens, arrows walk the
// controls, Tab goes from stop to stop. Esc is an action (panels/actions.h), or the dialog's own where a field has the
// keys.
#pragma once

#include <imgui.h>

namespace streamscope::window {

// A modal popup in the middle of the window, as ImGui::BeginPopupModal(); false: it is not open.
bool begin_dialog(const char* name, ImGuiWindowFlags flags = 0);
void end_dialog();
// Whether one was drawn in this frame or the one before: the arrows are its own.
bool dialog_drawn();

// Behind a control that Tab stops at. `field`: it takes letters.
void tab_stop(bool field = false);
// A list is one stop: behind each of its rows, of which it goes to the first, and arrows to the others.
void list_stop(bool first);
void focus_list();  // to what is the first now
// Buttons at which it stops. `width` as ImGui::Button has it.
bool dialog_button(const char* label, float width);
bool default_button(const char* label, float width);

}  // namespace streamscope::window
