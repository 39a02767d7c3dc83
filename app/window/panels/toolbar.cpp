// Above: run, live, stop; how it is measured and what that costs; which device; which run is shown; the picture; the
// looks. Below it, where an engine died, why, and where a kernel would freeze a display, whether it shall.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/window/panels/panel.h"
#include "app/window/widgets/flow.h"
#include "app/window/widgets/widgets.h"

namespace streamscope::window {
namespace {

std::string device_label(const State& state, const std::string& id) {
  const device::DeviceInfo* chosen = device_of(state);
  const bool is_changed =
      chosen != nullptr && chosen->kind == trace::Provenance::Kind::model && !state.what_ifs.empty();
  if (id == "auto") return is_changed ? "Device: auto, changed" : "Device: auto";
  for (const device::DeviceInfo& device : state.devices.devices)
    if (device.id == id) return fmt::format("{} ({}{})", device.name, id, is_changed ? ", changed" : "");
  return id;
}

void device_choice(const Panel& panel) {
  const State& state = panel.state;
  if (ImGui::BeginCombo("##device", device_label(state, state.device).c_str())) {
    const auto offer = [&](const std::string& id, const std::string& words) {
      if (ImGui::Selectable(words.c_str(), id == state.device)) panel.emit(command::SetDevice{id});
      panel.probe.item("device:" + id);
    };
    offer("auto", "auto: the GPU where there is one, else the model");
    for (const device::DeviceInfo& device : state.devices.devices)
      offer(device.id, fmt::format("{}: {} ({})", trace::badge(device.kind), device.name, device.id));
    if (!state.devices.why_no_gpu.empty()) {
      ImGui::Separator();
      text(state.devices.why_no_gpu, panel.look.theme.faint_text);
    }
    ImGui::EndCombo();
  }
  panel.probe.item("device");
}

void run_choice(const Panel& panel) {
  const State& state = panel.state;
  const std::string shown = !state.shown ? std::string("no run yet")
                            : state.shown->number == 0
                                ? std::string("run in progress")
                                : fmt::format("#{} · {}", state.shown->number, run_name(state, *state.shown));
  const bool open = ImGui::BeginCombo("##runs", shown.c_str(), ImGuiComboFlags_HeightLarge);
  panel.probe.item("runs");
  if (!open) return;
  const int count = static_cast<int>(state.runs.size());
  ImGuiListClipper clipper;
  clipper.Begin(count);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {  // the newest first
      const auto index = static_cast<std::size_t>(count - 1 - i);
      const ShownRun& run = *state.runs[index];
      const std::string words =
          fmt::format("#{} · {} · {}", run.number, run_name(state, run), trace::badge(run.run->trace.provenance.kind));
      if (ImGui::Selectable(words.c_str(), state.shown == state.runs[index])) panel.emit(command::ShowRun{index});
      panel.probe.item(fmt::format("run:{}", run.number));
    }
  ImGui::EndCombo();
}

void badge_of(std::string_view words, timeline::Colour fill) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = sign_button_width(std::string(words).c_str(), Sign::none);
  const ImVec2 to{at.x + width, at.y + ImGui::GetFrameHeight()};
  ImGui::GetWindowDrawList()->AddRectFilled(at, to, packed(fill), ImGui::GetStyle().FrameRounding);
  ImGui::GetWindowDrawList()->AddText(
      {at.x + ImGui::GetStyle().FramePadding.x, at.y + ImGui::GetStyle().FramePadding.y},
      packed(timeline::text_on(fill)), words.data(), words.data() + words.size());
  ImGui::Dummy({to.x - at.x, to.y - at.y});
}

}  // namespace

float toolbar(const Panel& panel, const Box& place) {
  const State& state = panel.state;
  const timeline::Theme& theme = panel.look.theme;
  const float em = ImGui::GetFontSize();
  begin_panel("Toolbar", place, ImGuiWindowFlags_NoScrollWithMouse);
  Flow flow(place);

  const auto press = [&](const char* label, Sign sign, bool lit, const char* probe, const std::string& why_not,
                         const char* meaning, float gap = 0) {
    flow.next(sign_button_width(label, sign), gap);
    const Disabled disabled(why_not);
    const bool pressed = sign_button(panel, label, sign, lit);
    panel.probe.item(probe);
    disabled.tell(meaning);
    return pressed;
  };
  if (press("Run", Sign::play, false, "run-button", why_not_run(state), "Run the program below (Space)"))
    panel.emit(command::RunNow{});
  if (press("Live", Sign::live, state.live, "live-button", state.live ? "" : why_not_run(state),
            "Run again and again, like an oscilloscope (L)"))
    panel.emit(command::ToggleLive{});
  if (press("Stop", Sign::stop, false, "stop-button",
            state.in_progress == 0 && !state.live ? "Nothing is running." : "",
            "Stop the run in progress and live mode"))
    panel.emit(command::Stop{});

  measuring_controls(panel, flow);
  observer_meter(panel, flow);

  flow.next(em * 11.5f, em * 0.5f);
  ImGui::SetNextItemWidth(em * 11.5f);
  device_choice(panel);
  flow.next(em * 16);
  ImGui::SetNextItemWidth(em * 16);
  run_choice(panel);

  const char* by = state.colour_by == timeline::ColourBy::kind ? "Colour: kind##colour" : "Colour: stream##colour";
  const float by_width = sign_button_width("Colour: stream", Sign::none);
  flow.next(by_width, em * 0.5f);
  if (ImGui::Button(by, {by_width, 0}))
    panel.emit(command::SetColourBy{state.colour_by == timeline::ColourBy::kind ? timeline::ColourBy::stream
                                                                                : timeline::ColourBy::kind});
  panel.probe.item("colour-by");
  if (ImGui::IsItemHovered()) tooltip("Colour the bars by what they are, or by their stream (C)");
  if (press("Export PNG", Sign::none, false, "export-png", state.shown ? "" : "There is no run to export yet.",
            "Write the run in view as timeline-<n>.png in the working folder"))
    panel.emit(command::ExportPng{});
  if (press("…", Sign::none, false, "export-more", state.shown ? "" : "There is no run to export yet.",
            "Export a picture: format, size, what of the run, title (Ctrl E)"))
    panel.emit(command::ShowExport{true});

  // The looks and the provenance at the right end.
  const trace::Provenance::Kind kind =
      state.shown ? state.shown->run->trace.provenance.kind : trace::Provenance::Kind::model;
  const std::string_view words = state.shown ? trace::badge(kind) : std::string_view("NO RUN");
  const float spacing = ImGui::GetStyle().ItemSpacing.x;
  const float theme_width = em * 6.5f, small = ImGui::GetFrameHeight() * 1.25f;
  const float right = theme_width + small * 3 + spacing * 4 + sign_button_width(std::string(words).c_str(), Sign::none);
  flow.to_right(right);
  flow.next(theme_width);
  ImGui::SetNextItemWidth(theme_width);
  if (ImGui::BeginCombo("##theme", std::string(timeline::name(state.theme)).c_str())) {
    for (const timeline::ThemeName each : {timeline::ThemeName::dark, timeline::ThemeName::light,
                                           timeline::ThemeName::projector, timeline::ThemeName::print}) {
      if (ImGui::Selectable(std::string(timeline::name(each)).c_str(), each == state.theme))
        panel.emit(command::SetTheme{each});
      panel.probe.item(fmt::format("theme:{}", timeline::name(each)));
    }
    ImGui::EndCombo();
  }
  panel.probe.item("theme");
  if (ImGui::IsItemHovered()) tooltip("Theme");
  const auto small_button = [&](const char* label, const char* probe, const std::string& meaning) {
    flow.next(small);
    const bool pressed = ImGui::Button(label, {small, 0});
    panel.probe.item(probe);
    if (ImGui::IsItemHovered()) tooltip(meaning);
    return pressed;
  };
  const int percent = static_cast<int>(state.text_scale * 100 + 0.5f);
  if (small_button("A-", "text-smaller", fmt::format("Smaller text, now {} % (Ctrl -)", percent)))
    panel.emit(command::SetTextScale{state.text_scale - 0.25f});
  if (small_button("A+", "text-larger", fmt::format("Larger text, now {} % (Ctrl +)", percent)))
    panel.emit(command::SetTextScale{state.text_scale + 0.25f});
  if (small_button("?", "keys-button", "All keys (?)")) panel.emit(command::ShowKeys{true});
  flow.next(sign_button_width(std::string(words).c_str(), Sign::none));
  badge_of(words, !state.shown                                ? mix(theme.panel, theme.text, 0.2f)
                  : kind == trace::Provenance::Kind::measured ? theme.measured
                                                              : theme.model);
  if (state.shown && ImGui::IsItemHovered())
    tooltip(kind == trace::Provenance::Kind::measured ? "These times were measured on a GPU."
                                                      : "These times were computed by a model of a GPU.");
  panel.probe.item("badge");

  const float needed = ImGui::GetItemRectMax().y - place.y + ImGui::GetStyle().WindowPadding.y;
  ImGui::End();
  return needed;
}

float lost_banner(const Panel& panel, const Box& place) {
  const session::session_event::EngineLost& lost = panel.state.lost;
  const timeline::Colour fill = mix(panel.look.theme.error, {120, 0, 0, 255}, 0.45f);
  const timeline::Colour ink = timeline::text_on(fill);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, as_vector(fill));
  begin_panel("Engine lost", place);
  ImGui::PopStyleColor();
  const char* label = "Start a new engine";
  const float button_width = sign_button_width(label, Sign::none);
  const float words_right = ImGui::GetContentRegionAvail().x - button_width - ImGui::GetStyle().ItemSpacing.x * 2;
  const float top = ImGui::GetCursorPosY(), left = ImGui::GetCursorPosX();
  ImGui::PushTextWrapPos(left + words_right);
  ImGui::AlignTextToFramePadding();
  text(fmt::format("{} Finished runs are kept.", lost.why), ink);
  std::string words =
      lost.last_words.substr(lost.last_words.size() - std::min<std::size_t>(lost.last_words.size(), 300));
  while (!words.empty() && (words.back() == '\n' || words.back() == ' ')) words.pop_back();
  if (!words.empty()) text("Its last words: " + words, ink);
  ImGui::PopTextWrapPos();
  const float bottom = ImGui::GetItemRectMax().y;
  ImGui::SetCursorPos({left + words_right + ImGui::GetStyle().ItemSpacing.x * 2, top});
  ImGui::PushStyleColor(ImGuiCol_Button, as_vector(ink));
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, as_vector(mix(ink, fill, 0.15f)));
  ImGui::PushStyleColor(ImGuiCol_ButtonActive, as_vector(mix(ink, fill, 0.3f)));
  ImGui::PushStyleColor(ImGuiCol_Text, as_vector(timeline::text_on(ink)));
  if (ImGui::Button(label)) panel.emit(command::RestartEngine{});
  ImGui::PopStyleColor(4);
  panel.probe.item("restart-engine");
  const float needed = std::max(bottom, ImGui::GetItemRectMax().y) - place.y + ImGui::GetStyle().WindowPadding.y;
  ImGui::End();
  return needed;
}

float long_kernel_banner(const Panel& panel, const Box& place) {
  const LongKernel& refused = *panel.state.refused;
  const device::DeviceInfo* device = device_of(panel.state);
  const timeline::Theme& theme = panel.look.theme;
  ImGui::PushStyleColor(ImGuiCol_WindowBg, as_vector(mix(theme.panel, theme.warning, 0.16f)));
  begin_panel("Long kernel", place);
  ImGui::PopStyleColor();
  const std::string how_long =
      refused.seconds > 0 ? fmt::format("for {:.3g} s", refused.seconds) : std::string("for seconds");
  const bool display = device == nullptr || device->drives_display;
  const char* leave = "Leave it";
  const std::string go =
      display ? fmt::format("Run it anyway: it can freeze this display {}", how_long) : std::string("Run it anyway");
  const float spacing = ImGui::GetStyle().ItemSpacing.x;
  const float buttons = sign_button_width(go.c_str(), Sign::none) + sign_button_width(leave, Sign::none) + spacing;
  const float left = ImGui::GetCursorPosX(), room = ImGui::GetContentRegionAvail().x;
  const float top = ImGui::GetCursorPosY();
  const bool beside = room - buttons > ImGui::GetFontSize() * 20;
  ImGui::PushTextWrapPos(left + (beside ? room - buttons - spacing * 2 : room));
  ImGui::AlignTextToFramePadding();
  text(refused.why.substr(0, 600));
  ImGui::PopTextWrapPos();
  const float bottom = ImGui::GetItemRectMax().y;
  if (beside) ImGui::SetCursorPos({left + room - buttons, top});
  if (ImGui::Button(go.c_str())) panel.emit(command::RunLongKernels{});
  panel.probe.item("run-long-kernels");
  if (ImGui::IsItemHovered())
    tooltip(fmt::format("Each such kernel holds the GPU {}, twice: in a warm-up and in one run, without bare runs.{}",
                        how_long,
                        display ? " Where the GPU draws this display nothing moves meanwhile, and the driver may end "
                                  "the kernel."
                                : " No display hangs on that GPU."));
  ImGui::SameLine();
  if (ImGui::Button(leave)) panel.emit(command::LeaveLongKernels{});
  panel.probe.item("leave-long-kernels");
  const float needed = std::max(bottom, ImGui::GetItemRectMax().y) - place.y + ImGui::GetStyle().WindowPadding.y;
  ImGui::End();
  return needed;
}

void status_bar(const Panel& panel, const Box& place) {
  const State& state = panel.state;
  const timeline::Theme& theme = panel.look.theme;
  ImGui::PushStyleColor(ImGuiCol_WindowBg, as_vector(mix(theme.panel, theme.background, 0.5f)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ImGui::GetStyle().WindowPadding.x, 4 * panel.look.scale});
  begin_panel("Status", place);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();

  std::string engine;
  timeline::Colour dot = theme.faint_text;
  switch (state.engine) {
    case EngineStatus::starting: engine = "engine starting…"; break;
    case EngineStatus::lost:
      engine = "no engine";
      dot = theme.error;
      break;
    case EngineStatus::up:
      engine = "engine ready";
      dot = theme.measured;
      if (state.in_progress != 0) {
        engine = state.passes_total > 1
                     ? fmt::format("running, pass {} of {}", std::min(state.passes_done + 1, state.passes_total),
                                   state.passes_total)
                     : "running";
        dot = theme.selection;
      }
      break;
  }
  if (state.live) engine = "live · " + engine;
  const float height = ImGui::GetTextLineHeight();
  const float width = ImGui::CalcTextSize(engine.c_str()).x + height;
  const float start = ImGui::GetCursorPosX();
  const float room = ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  // Only the first line: longer messages are in the tooltip.
  const std::string said = state.said.substr(0, state.said.find('\n'));
  ImGui::PushClipRect(at, {at.x + room - width - height, at.y + height * 1.2f}, true);
  text(said, state.said_error ? theme.error : theme.text);
  ImGui::PopClipRect();
  if (!state.said.empty() && ImGui::IsItemHovered()) tooltip(state.said);
  ImGui::SameLine(start + room - width);
  const ImVec2 mark = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddCircleFilled({mark.x + height * 0.4f, mark.y + height * 0.54f}, height * 0.25f,
                                              packed(dot), 16);
  ImGui::SameLine(start + room - width + height);
  text(engine, theme.faint_text);
  if (!state.engine_program.empty() && ImGui::IsItemHovered()) tooltip(state.engine_program);
  ImGui::End();
}

}  // namespace streamscope::window
