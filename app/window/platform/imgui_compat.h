// What differs between Dear ImGui 1.86 (Debian 12) and 1.90 to 1.92, in one place.
#pragma once

#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include "app/window/platform/fonts.h"

namespace streamscope::window {

// Since 1.92 fonts have no size of their own; before, the size is the font's.
inline void push_font(const SizedFont& font) {
#if IMGUI_VERSION_NUM >= 19200
  ImGui::PushFont(font.font, font.size);
#else
  ImGui::PushFont(font.font);
#endif
}

// From the top of a line to its baseline, pixels.
inline float ascent_of(const SizedFont& font) {
#if IMGUI_VERSION_NUM >= 19200
  return font.font->GetFontBaked(font.size)->Ascent;
#else
  return font.font->Ascent * font.size / font.font->FontSize;
#endif
}

// After the atlas was built anew. Since 1.92 the backend follows the atlas by itself.
inline void renew_font_texture() {
#if IMGUI_VERSION_NUM < 19200
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

// Since 1.87 a key is its own index.
inline bool key_pressed(ImGuiKey_ key) {
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::IsKeyPressed(static_cast<ImGuiKey>(key));
#else
  return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key));
#endif
}

// Either of the two.
inline bool enter_pressed() {
#if IMGUI_VERSION_NUM >= 18700
  return key_pressed(ImGuiKey_Enter) || key_pressed(ImGuiKey_KeypadEnter);
#else
  return key_pressed(ImGuiKey_Enter) || key_pressed(ImGuiKey_KeyPadEnter);
#endif
}

// A child whose controls are walked by the keyboard together with those of the panel around it.
inline bool begin_walked_child(const char* id, ImVec2 size) {
#if IMGUI_VERSION_NUM >= 19090
  return ImGui::BeginChild(id, size, ImGuiChildFlags_NavFlattened);
#else
  return ImGui::BeginChild(id, size, false, ImGuiWindowFlags_NavFlattened);
#endif
}

// As if an arrow were pressed, so that the focus is seen at once; up, since above the first control there is none.
// Before the frame.
inline void step_into_panel() {
#if IMGUI_VERSION_NUM < 18700
  ImGui::GetIO().NavInputs[ImGuiNavInput_DpadUp] = 1;
#else
  ImGui::GetIO().AddKeyEvent(ImGuiKey_UpArrow, true);
  ImGui::GetIO().AddKeyEvent(ImGuiKey_UpArrow, false);
#endif
}

// In an open list: chooses what the arrows have come to, as Space does. Before the frame. Since 1.87 it does so by
// itself.
inline void let_enter_choose() {
#if IMGUI_VERSION_NUM < 18700
  ImGuiIO& io = ImGui::GetIO();
  for (const ImGuiKey_ key : {ImGuiKey_Enter, ImGuiKey_KeyPadEnter})
    if (io.KeysDown[io.KeyMap[key]]) io.NavInputs[ImGuiNavInput_Activate] = 1;
#endif
}

}  // namespace streamscope::window
