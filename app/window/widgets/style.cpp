#include "app/window/widgets/style.h"

namespace streamscope::window {

ImU32 packed(timeline::Colour colour) { return IM_COL32(colour.r, colour.g, colour.b, colour.a); }

ImVec4 as_vector(timeline::Colour colour) { return ImGui::ColorConvertU32ToFloat4(packed(colour)); }

void set_style(const Look& look) {
  const timeline::Theme& t = look.theme;
  ImGuiStyle style;
  style.WindowPadding = {12, 10};
  style.FramePadding = {8, 4};
  style.ItemSpacing = {8, 6};
  style.ItemInnerSpacing = {6, 4};
  style.ScrollbarSize = 11;
  style.GrabMinSize = 12;
  style.WindowRounding = 6;
  style.FrameRounding = 4;
  style.GrabRounding = 3;
  style.PopupRounding = 5;
  style.ScrollbarRounding = 6;
  style.ChildRounding = 0;
  style.WindowBorderSize = 1;
  style.FrameBorderSize = 0;
  style.ChildBorderSize = 0;
  style.PopupBorderSize = 1;
  style.DisabledAlpha = 0.45f;
  style.ScaleAllSizes(look.scale);
  style.WindowBorderSize = 1;
  style.PopupBorderSize = 1;

  const timeline::Colour frame = mixed(t.panel, t.text, 0.09f);
  const timeline::Colour raised = mixed(t.panel, t.text, 0.13f);
  const auto set = [&](ImGuiCol_ which, timeline::Colour colour) { style.Colors[which] = as_vector(colour); };
  set(ImGuiCol_Text, t.text);
  set(ImGuiCol_TextDisabled, t.faint_text);
  set(ImGuiCol_WindowBg, t.panel);
  set(ImGuiCol_ChildBg, faded(t.panel, 0));
  set(ImGuiCol_PopupBg, mixed(t.panel, t.background, 0.35f));
  set(ImGuiCol_Border, mixed(t.panel, t.text, 0.22f));
  set(ImGuiCol_BorderShadow, faded(t.panel, 0));
  set(ImGuiCol_FrameBg, frame);
  set(ImGuiCol_FrameBgHovered, mixed(t.panel, t.text, 0.15f));
  set(ImGuiCol_FrameBgActive, mixed(t.panel, t.text, 0.19f));
  set(ImGuiCol_ScrollbarBg, faded(t.panel, 0));
  set(ImGuiCol_ScrollbarGrab, mixed(t.panel, t.text, 0.22f));
  set(ImGuiCol_ScrollbarGrabHovered, mixed(t.panel, t.text, 0.32f));
  set(ImGuiCol_ScrollbarGrabActive, mixed(t.panel, t.text, 0.42f));
  set(ImGuiCol_NavHighlight, t.selection);
  set(ImGuiCol_CheckMark, t.selection);
  set(ImGuiCol_SliderGrab, mixed(t.panel, t.selection, 0.85f));
  set(ImGuiCol_SliderGrabActive, t.selection);
  set(ImGuiCol_Button, raised);
  set(ImGuiCol_ButtonHovered, mixed(t.panel, t.text, 0.2f));
  set(ImGuiCol_ButtonActive, mixed(t.panel, t.text, 0.28f));
  set(ImGuiCol_Header, mixed(t.panel, t.selection, 0.3f));
  set(ImGuiCol_HeaderHovered, mixed(t.panel, t.selection, 0.22f));
  set(ImGuiCol_HeaderActive, mixed(t.panel, t.selection, 0.4f));
  set(ImGuiCol_Separator, mixed(t.panel, t.text, 0.15f));
  set(ImGuiCol_SeparatorHovered, t.selection);
  set(ImGuiCol_SeparatorActive, t.selection);
  set(ImGuiCol_TextSelectedBg, faded(t.selection, 90));
  set(ImGuiCol_TitleBg, t.panel);
  set(ImGuiCol_TitleBgActive, mixed(t.panel, t.text, 0.08f));
  set(ImGuiCol_ModalWindowDimBg, {0, 0, 0, 120});
  set(ImGuiCol_TableHeaderBg, t.panel);
  set(ImGuiCol_TableBorderLight, mixed(t.panel, t.text, 0.12f));
  set(ImGuiCol_TableBorderStrong, mixed(t.panel, t.text, 0.2f));
#if IMGUI_VERSION_NUM >= 19280
  set(ImGuiCol_CheckboxSelectedBg, frame);
#endif
  ImGui::GetStyle() = style;
}

}  // namespace streamscope::window
