#include "app/window/panels/banners.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/window/widgets/widgets.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

// How tall it is, given where its words end.
float end_banner(const Box& place, float bottom) {
  const float needed = std::max(bottom, ImGui::GetItemRectMax().y) - place.y + ImGui::GetStyle().WindowPadding.y;
  ImGui::End();
  return needed;
}

// Names are a stranger's: they stand in a text, whole and wrapped, and never in a label or its id.
std::string named(const std::vector<std::string>& files) {
  const std::size_t shown = std::min<std::size_t>(files.size(), 20), more = files.size() - shown;
  const std::string names = fmt::format("{}", fmt::join(files.begin(), files.begin() + shown, ", "));
  return more == 0 ? names : tr("{}, and {} more", names, more);
}

}  // namespace

float lost_banner(const Panel& panel, const Box& place) {
  const session::session_event::EngineLost& lost = panel.state.running.lost;
  const timeline::Colour fill = mixed(panel.look.theme.error, {120, 0, 0, 255}, 0.45f);
  const timeline::Colour ink = timeline::text_on(fill);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, as_vector(fill));
  begin_panel("Engine lost", place);
  ImGui::PopStyleColor();
  const char* label = tr("Start a new engine");
  const float button_width = sign_button_width(label, Sign::none);
  const float words_right = ImGui::GetContentRegionAvail().x - button_width - ImGui::GetStyle().ItemSpacing.x * 2;
  const float top = ImGui::GetCursorPosY(), left = ImGui::GetCursorPosX();
  ImGui::PushTextWrapPos(left + words_right);
  ImGui::AlignTextToFramePadding();
  text(tr("{} Finished runs are kept.", lost.why), ink);
  std::string words =
      lost.last_words.substr(lost.last_words.size() - std::min<std::size_t>(lost.last_words.size(), 300));
  while (!words.empty() && (words.back() == '\n' || words.back() == ' ')) words.pop_back();
  if (!words.empty()) text(tr("Its last words: {}", words), ink);
  ImGui::PopTextWrapPos();
  const float bottom = ImGui::GetItemRectMax().y;
  ImGui::SetCursorPos({left + words_right + ImGui::GetStyle().ItemSpacing.x * 2, top});
  ImGui::PushStyleColor(ImGuiCol_Button, as_vector(ink));
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, as_vector(mixed(ink, fill, 0.15f)));
  ImGui::PushStyleColor(ImGuiCol_ButtonActive, as_vector(mixed(ink, fill, 0.3f)));
  ImGui::PushStyleColor(ImGuiCol_Text, as_vector(timeline::text_on(ink)));
  if (ImGui::Button(label)) panel.emit(command::RestartEngine{});
  ImGui::PopStyleColor(4);
  return end_banner(place, bottom);
}

float long_kernel_banner(const Panel& panel, const Box& place) {
  const LongKernel& refused = *panel.state.editing.refused;
  const device::DeviceInfo* device = device_of(panel.state.settings);
  const timeline::Theme& theme = panel.look.theme;
  ImGui::PushStyleColor(ImGuiCol_WindowBg, as_vector(mixed(theme.panel, theme.warning, 0.16f)));
  begin_panel("Long kernel", place);
  ImGui::PopStyleColor();
  const std::string how_long = tr("for {:.3g} s", static_cast<double>(refused.longest) / 1e9);
  const bool display = device == nullptr || device->drives_display;
  const char* leave = tr("Leave it");
  const bool own = !refused.own_files.empty();
  const std::string go = own       ? std::string(tr("Read it and run it on the GPU"))
                         : display ? tr("Run it anyway: it can freeze this display {}", how_long)
                                   : std::string(tr("Run it anyway"));
  const float spacing = ImGui::GetStyle().ItemSpacing.x;
  const float buttons = sign_button_width(go.c_str(), Sign::none) + sign_button_width(leave, Sign::none) + spacing;
  const float left = ImGui::GetCursorPosX(), room = ImGui::GetContentRegionAvail().x;
  const float top = ImGui::GetCursorPosY();
  const bool one_line = room - buttons > ImGui::GetFontSize() * 20;
  ImGui::PushTextWrapPos(left + (one_line ? room - buttons - spacing * 2 : room));
  ImGui::AlignTextToFramePadding();
  text(refused.why.substr(0, 600));
  if (own) text(tr("To be read: {}", named(refused.own_files)));
  ImGui::PopTextWrapPos();
  const float bottom = ImGui::GetItemRectMax().y;
  if (one_line) ImGui::SetCursorPos({left + room - buttons, top});
  if (ImGui::Button(go.c_str())) panel.emit(command::RunLongKernels{});
  if (ImGui::IsItemHovered())
    tooltip(
        own ? std::string(tr("The file is read as it is now, and the engine compiles it and runs it, once for each run "
                             "of this program. It may do on the GPU whatever a program of yours may: look into it "
                             "before."))
            : tr("Each such kernel holds the GPU {}, twice: in a warm-up and in one run, without bare runs.{}",
                 how_long,
                 display ? tr(" Where the GPU draws this display nothing moves meanwhile, and the driver may end "
                              "the kernel.")
                         : tr(" No display hangs on that GPU.")));
  ImGui::SameLine();
  if (ImGui::Button(leave)) panel.emit(command::LeaveLongKernels{});
  return end_banner(place, bottom);
}

}  // namespace streamscope::window
