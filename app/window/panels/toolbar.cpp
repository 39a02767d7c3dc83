#include "app/window/panels/toolbar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/timeline/provenance.h"
#include "app/window/panels/help_answer.h"
#include "app/window/panels/languages.h"
#include "app/window/panels/measuring_controls.h"
#include "app/window/state/run_requests.h"
#include "app/window/widgets/flow.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

std::string device_label(const State& state, const std::string& id) {
  const device::DeviceInfo* chosen = device_of(state.settings);
  const bool is_changed =
      chosen != nullptr && chosen->kind == trace::Provenance::Kind::model && !state.settings.what_ifs.empty();
  if (id == "auto") return is_changed ? tr("Device: auto, changed") : tr("Device: auto");
  for (const device::DeviceInfo& device : state.settings.devices.devices)
    if (device.id == id) return fmt::format("{} ({}{})", device::title(device), id, is_changed ? tr(", changed") : "");
  return id;
}

void device_choice(const Panel& panel) {
  const State& state = panel.state;
  if (begin_drop_down("##device", device_label(state, state.settings.device))) {
    const auto offer = [&](const std::string& id, const std::string& words) {
      if (ImGui::Selectable(words.c_str(), id == state.settings.device)) panel.emit(command::SetDevice{id});
    };
    offer("auto", tr("auto: the GPU where there is one, else the model"));
    for (const device::DeviceInfo& device : state.settings.devices.devices)
      offer(device.id, fmt::format("{}: {} ({})", tr(trace::badge(device.kind)), device::title(device), device.id));
    for (const device::SkippedGpu& gpu : state.settings.devices.skipped)
      text(tr("{} cannot be used: {}", gpu.name.empty() ? gpu.id : fmt::format("{} ({})", gpu.name, gpu.id), gpu.why),
           panel.look.theme.faint_text);
    if (!state.settings.devices.why_no_gpu.empty() && state.settings.devices.skipped.empty()) {
      ImGui::Separator();
      text(state.settings.devices.why_no_gpu, panel.look.theme.faint_text);
    }
    ImGui::EndCombo();
  }
}

void run_choice(const Panel& panel) {
  const State& state = panel.state;
  const std::string shown = !state.runs.shown               ? std::string(tr("no run yet"))
                            : state.runs.shown->number == 0 ? std::string(tr("run in progress"))
                                                            : fmt::format("#{} · {}", state.runs.shown->number,
                                                                          run_name(state.runs, *state.runs.shown));
  if (!begin_drop_down("##runs", shown, ImGuiComboFlags_HeightLarge)) return;
  const int count = static_cast<int>(state.runs.all.size());
  ImGuiListClipper clipper;
  clipper.Begin(count);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {  // the newest first
      const auto index = static_cast<std::size_t>(count - 1 - i);
      const ShownRun& run = *state.runs.all[index];
      const std::string words = fmt::format("#{} · {} · {}", run.number, run_name(state.runs, run),
                                            tr(trace::badge(run.run->trace.provenance)));
      if (ImGui::Selectable(words.c_str(), state.runs.shown == state.runs.all[index]))
        panel.emit(command::ShowRun{index});
    }
  ImGui::EndCombo();
}

bool press(const Panel& panel, Flow& flow, const char* label, Sign sign, bool lit, const std::string& why_not,
           const char* meaning, const char* key) {
  if (!flow.next(sign_button_width(label, sign))) return false;
  const Disabled disabled(why_not);
  const bool pressed = sign_button(panel.look, label, sign, lit);
  help_here(panel, key, help::Kind::key);
  disabled.explain(meaning);
  return pressed;
}

// From the left, what is needed most first.
void controls(const Panel& panel, Flow& flow) {
  const State& state = panel.state;
  const float em = ImGui::GetFontSize();
  if (press(panel, flow, tr("Run"), Sign::play, false, why_not_run(state), tr("Run the program below (Space)"),
            "Space"))
    panel.emit(command::RunNow{});
  if (press(panel, flow, tr("Live"), Sign::live, state.running.live, state.running.live ? "" : why_not_run(state),
            tr("Run again and again, like an oscilloscope (L)"), "L"))
    panel.emit(command::ToggleLive{});
  if (press(panel, flow, tr("Stop"), Sign::stop, false,
            state.running.in_progress == 0 && !state.running.live ? tr("Nothing is running.") : "",
            tr("Stop the run in progress and live mode"), "Stop the run and live mode"))
    panel.emit(command::Stop{});

  measuring_controls(panel, flow);

  if (flow.next(em * 11.5f, em * 0.5f)) {
    ImGui::SetNextItemWidth(em * 11.5f);
    device_choice(panel);
    help_here(panel, "device", help::Kind::term);
  }
  if (flow.next(em * 16)) {
    ImGui::SetNextItemWidth(em * 16);
    run_choice(panel);
  }
  observer_meter(panel, flow);

  const float by_width =
      std::max(sign_button_width(tr("Colour: stream"), Sign::none), sign_button_width(tr("Colour: kind"), Sign::none));
  if (flow.next(by_width, em * 0.5f)) {
    const bool by_kind = state.timeline.colour_by == timeline::ColourBy::kind;
    const std::string by = fmt::format("{}##colour", by_kind ? tr("Colour: kind") : tr("Colour: stream"));
    if (ImGui::Button(by.c_str(), {by_width, 0}))
      panel.emit(command::SetColourBy{by_kind ? timeline::ColourBy::stream : timeline::ColourBy::kind});
    help_here(panel, "C", help::Kind::key);
    if (ImGui::IsItemHovered()) tooltip(tr("Colour the bars by what they are, or by their stream (C)"));
  }
  const std::string no_picture = state.runs.shown ? "" : tr("There is no run to export yet.");
  if (press(panel, flow, tr("Export PNG"), Sign::none, false, no_picture,
            tr("Write the run in view as it is seen; whether a file that is there is replaced is asked"), "Ctrl E"))
    panel.emit(command::ExportPng{});
  if (press(panel, flow, "…", Sign::none, false, no_picture,
            tr("Export a picture: format, size, what of the run, title (Ctrl E)"), "Ctrl E"))
    panel.emit(command::ShowExport{true});
}

float theme_width() { return ImGui::GetFontSize() * 6.5f; }
float language_width() { return ImGui::GetFontSize() * 5.5f; }
float small_width() { return ImGui::GetFrameHeight() * 1.25f; }

bool small_button(Flow& flow, const char* label, const std::string& meaning) {
  if (!flow.next(small_width())) return false;
  const bool pressed = ImGui::Button(label, {small_width(), 0});
  if (ImGui::IsItemHovered()) tooltip(meaning);
  return pressed;
}

constexpr const char* kPresent = "##present";

// The button of the text's size that was pressed last. With each press the toolbar is laid out anew, and it would move
// away from the pointer.
struct PressedAgain {
  const char* label = nullptr;  // nullptr: none, or the pointer has left it
  float by = 0;
  ImVec2 low{}, high{};
} pressed_again;

// There it stays, over what has come there, for as long as the pointer does.
void press_again(const Panel& panel) {
  PressedAgain& last = pressed_again;
  if (last.label == nullptr) return;
  if (!ImGui::IsMouseHoveringRect(last.low, last.high, false)) return void(last.label = nullptr);
  // As large as the text has become, about the same place.
  const ImVec2 size{std::max(last.high.x - last.low.x, small_width()),
                    std::max(last.high.y - last.low.y, ImGui::GetFrameHeight())};
  const ImVec2 centre{(last.low.x + last.high.x) / 2, (last.low.y + last.high.y) / 2};
  last.low = {std::round(centre.x - size.x / 2), std::max(0.0f, std::round(centre.y - size.y / 2))};
  last.high = {last.low.x + size.x, last.low.y + size.y};
  ImGui::SetNextWindowPos(last.low);
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  ImGui::Begin("Text size", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollWithMouse);
  if (ImGui::Button(last.label, size)) panel.emit(command::SetTextScale{panel.state.workspace.text_scale + last.by});
  ImGui::End();
  ImGui::PopStyleVar(2);
}

float looks_width() {
  return theme_width() + language_width() + 2 * small_width() + sign_button_width(kPresent, Sign::screen) +
         5 * ImGui::GetStyle().ItemSpacing.x;
}
void looks(const Panel& panel, Flow& flow) {
  const Workspace& workspace = panel.state.workspace;
  if (flow.next(theme_width())) {
    ImGui::SetNextItemWidth(theme_width());
    using timeline::ThemeName;
    const auto themes = {ThemeName::dark, ThemeName::light, ThemeName::projector, ThemeName::print};
    if (const auto pressed = combo("##theme", themes, workspace.theme, timeline::title))
      panel.emit(command::SetTheme{*pressed});
    if (ImGui::IsItemHovered()) tooltip(tr("Theme"));
  }
  if (flow.next(language_width())) {
    ImGui::SetNextItemWidth(language_width());
    if (const auto chosen = combo("##language", kSpoken, language_of(panel.state), own_name))
      for (const Command& each : speak(*chosen)) panel.commands.push_back(each);
    help_here(panel, "language", help::Kind::term);
    if (ImGui::IsItemHovered()) tooltip(tr("Language, from the window's next start on; of lessons at once"));
  }
  const int percent = static_cast<int>(workspace.text_scale * 100 + 0.5f);
  const auto step = [&](const char* label, float by, const std::string& meaning) {
    if (!small_button(flow, label, meaning.c_str())) return;
    panel.emit(command::SetTextScale{workspace.text_scale + by});
    pressed_again = {label, by, ImGui::GetItemRectMin(), ImGui::GetItemRectMax()};
  };
  step("A-", -0.25f, tr("Smaller text, now {} % (Ctrl -)", percent));
  step("A+", 0.25f, tr("Larger text, now {} % (Ctrl +)", percent));
  if (press(panel, flow, kPresent, Sign::screen, false, "", tr("Present to a room: the timeline large (F5)"), "F5"))
    panel.emit(command::Present{true});
}

void help_menu(const Panel& panel, Flow& flow) {
  if (small_button(flow, "?", tr("Help (F1: on what is under the mouse), and all keys (?)"))) ImGui::OpenPopup("help");
  if (!begin_menu("help")) return;
  if (ImGui::Selectable(tr("All help"))) panel.emit(command::ShowHelp{});
  if (ImGui::Selectable(tr("All keys"))) panel.emit(command::ShowKeys{true});
  ImGui::EndPopup();
}

// Where the times in view come from; always there.
void provenance(const Panel& panel, Flow& flow, const std::string& words) {
  flow.next(sign_button_width(words.c_str(), Sign::none));
  const bool any = panel.state.runs.shown != nullptr;
  const trace::Provenance from = any ? panel.state.runs.shown->run->trace.provenance : trace::Provenance();
  const timeline::Theme& theme = panel.look.theme;
  badge(words, any ? timeline::badge_colour(from, theme) : mixed(theme.panel, theme.text, 0.2f),
        ImGui::GetStyle().FramePadding, ImGui::GetStyle().FrameRounding);
  help_here(panel, trace::badge(from), help::Kind::term);
  if (any && ImGui::IsItemHovered())
    tooltip(trace::of_another_tool(from) ? tr("These times are another tool's, as its file has them.")
            : from.kind == trace::Provenance::Kind::measured ? tr("These times were measured on a GPU.")
                                                             : tr("These times were computed by a model of a GPU."));
}

}  // namespace

float toolbar(const Panel& panel, const Box& place) {
  begin_panel("Toolbar", place, ImGuiWindowFlags_NoScrollWithMouse);
  const auto& shown = panel.state.runs.shown;
  const std::string words(shown ? tr(trace::badge(shown->run->trace.provenance)) : std::string_view(tr("NO RUN")));
  const char* const more = tr("More");
  const float spacing = ImGui::GetStyle().ItemSpacing.x;
  const float needed_right = small_width() + sign_button_width(words.c_str(), Sign::none) + spacing;
  // Where text is large for the window, the looks stand among the rest.
  const bool looks_apart = looks_width() + needed_right < place.width * 0.4f;
  const float right = needed_right + (looks_apart ? looks_width() : 0);
  // The timeline needs the height more.
  constexpr float kMostShare = 0.16f;
  const float line = ImGui::GetFrameHeightWithSpacing();
  const int lines = std::clamp(static_cast<int>(ImGui::GetIO().DisplaySize.y * kMostShare / line), 1, 2);
  Flow flow(place, lines, right + sign_button_width(more, Sign::none) + 2 * spacing);
  const auto items = [&](Flow& at) {
    controls(panel, at);
    if (!looks_apart) looks(panel, at);
  };
  items(flow);
  if (flow.full()) {
    ImGui::SameLine();
    if (ImGui::Button(more)) ImGui::OpenPopup("more");
    if (ImGui::IsItemHovered()) tooltip(tr("The controls that have no room here"));
    if (begin_menu("more")) {
      Flow list = flow.list();
      items(list);
      ImGui::EndPopup();
    }
  }
  // The looks and the provenance at the right end.
  flow.to_right(right);
  if (looks_apart) looks(panel, flow);
  help_menu(panel, flow);
  provenance(panel, flow, words);
  const float needed = ImGui::GetItemRectMax().y - place.y + ImGui::GetStyle().WindowPadding.y;
  ImGui::End();
  press_again(panel);
  return needed;
}

}  // namespace streamscope::window
