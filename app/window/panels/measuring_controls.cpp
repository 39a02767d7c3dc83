#include "app/window/panels/measuring_controls.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "app/window/panels/help_answer.h"
#include "app/window/state/observer_meter.h"
#include "app/window/widgets/flow.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

// Those that give something to see.
const std::vector<device::Instrument>& shown_instruments() {
  static const std::vector<device::Instrument> shown = [] {
    std::vector<device::Instrument> all = device::all_instruments();
    std::erase_if(all, [](device::Instrument each) { return !device::about(each).spans; });
    return all;
  }();
  return shown;
}

constexpr const char* kGate = tr_later(
    "Gate: a small kernel holds all streams until the host has queued everything, so that the timeline shows how the "
    "GPU schedules and not how fast the host submits. It costs the view of the host's own delays, and programs that "
    "wait for the GPU on their way are refused.");

constexpr const char* kPredict = tr_later(
    "Predict: a model runs each program as well, and what it expects is drawn as a thin ghost under each bar; on the "
    "right is where the two part, worst first. On a GPU it is the model made for it, with the changes of \"What if\"; "
    "a changed model is held against its profile as it is. (P)");

constexpr const char* kInKernel = tr_later(
    "In-kernel: blocks that record their stages. A share of the blocks of tiles and attention write down when each "
    "tile's copy was "
    "asked for, waited for and worked on; select such a kernel and press Enter to see it. The more blocks record the "
    "longer their kernels take; the meter's tooltip says how much.");

std::string why_no_choice(const State& state) {
  const device::DeviceInfo* device = device_of(state.settings);
  if (device == nullptr) return tr("Which device there is is not known yet.");
  if (device->kind == trace::Provenance::Kind::model)
    return tr(
        "A model sees every operation and is not disturbed by it: there is nothing to choose. This is for a GPU.");
  return {};
}

void share_choice(const Panel& panel, const Measuring& now, const Disabled& disabled) {
  const auto words = [](std::uint32_t share) { return tr("1 in {}", share); };
  if (const auto pressed = combo("##share", std::array{4u, 8u, 16u, 32u, 64u}, now.share, words)) {
    Measuring wanted = now;
    wanted.share = *pressed;
    panel.emit(command::SetMeasuring{wanted});
  }
  disabled.explain(
      tr("The share of the operations that carries an event in each run. Fewer disturb less and take more runs."));
}

std::string why_not_inside(const State& state) {
  if (on_gpu(state.settings) && state.settings.measuring.instrument != device::Instrument::full)
    return tr("Blocks record their stages in full runs only: choose the instrument full.");
  if (state.runs.shown && state.runs.shown->number != 0 && state.runs.shown->run->program == state.editing.program &&
      !timeline::any_can_record_stages(state.runs.shown->run->trace) && state.settings.measuring.stages_of == 0)
    return tr("No kernel of this program records its stages: only tiles and attention do.");
  return {};
}

std::string in_kernel_text(std::uint32_t stages_of) {
  if (stages_of == 0) return tr("off");
  return stages_of == 1 ? tr("all") : tr("1 in {}", stages_of);
}

void in_kernel_choice(const Panel& panel, Flow& flow) {
  const Measuring& now = panel.state.settings.measuring;
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, label = width_of(tr("In-kernel")) + gap;
  const float wide = width_of(in_kernel_text(100)) + 2 * ImGui::GetStyle().FramePadding.x + ImGui::GetFrameHeight();
  if (!flow.next(label + wide)) return;
  const Disabled disabled(why_not_inside(panel.state));
  ImGui::AlignTextToFramePadding();
  text(tr("In-kernel"));
  help_here(panel, "in-kernel", help::Kind::term);
  disabled.explain(tr(kInKernel));
  ImGui::SameLine(0, gap);
  ImGui::SetNextItemWidth(wide);
  if (const auto pressed = combo("##in-kernel", std::array{0u, 100u, 10u, 1u}, now.stages_of, in_kernel_text)) {
    Measuring wanted = now;
    wanted.stages_of = *pressed;
    panel.emit(command::SetMeasuring{wanted});
  }
  help_here(panel, "in-kernel", help::Kind::term);
  disabled.explain(tr(kInKernel));
}

// A warning triangle with an exclamation mark; filled where it is serious.
void warning_sign(ImVec2 at, float size, timeline::Colour colour, timeline::Colour ground, bool filled) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 top{at.x + size / 2, at.y}, left{at.x, at.y + size * 0.9f}, right{at.x + size, at.y + size * 0.9f};
  if (filled)
    list.AddTriangleFilled(top, right, left, packed(colour));
  else
    list.AddTriangle(top, right, left, packed(colour), std::max(1.0f, size / 10));
  const ImU32 ink = packed(filled ? ground : colour);
  const float middle = at.x + size / 2, thick = std::max(1.2f, size / 9);
  list.AddLine({middle, at.y + size * 0.33f}, {middle, at.y + size * 0.6f}, ink, thick);
  list.AddLine({middle, at.y + size * 0.69f}, {middle, at.y + size * 0.79f}, ink, thick);
}

}  // namespace

void measuring_controls(const Panel& panel, Flow& flow) {
  const Measuring& now = panel.state.settings.measuring;
  const std::string why_not = why_no_choice(panel.state);
  const float em = ImGui::GetFontSize();
  Measuring wanted = now;
  {
    const Disabled disabled(why_not);
    const std::vector<device::Instrument>& shown = shown_instruments();
    std::vector<Segment> all;
    for (const device::Instrument each : shown)
      all.push_back({device::name(each).data(), tr(device::about(each).meaning).data(), &disabled});
    if (flow.next(segments_width(all), em * 0.5f)) {
      // On a model nothing is lit: none of them applies.
      const auto chosen = std::find(shown.begin(), shown.end(), now.instrument) - shown.begin();
      int pointed = -1;
      const int pressed =
          segments(panel.look, "instrument", all, why_not.empty() ? static_cast<int>(chosen) : -1, &pointed);
      if (pointed >= 0)
        answer_help(panel, device::name(shown[static_cast<std::size_t>(pointed)]), help::Kind::instrument);
      if (pressed >= 0) wanted.instrument = shown[static_cast<std::size_t>(pressed)];
    }
    if (now.instrument == device::Instrument::sampled && why_not.empty() && flow.next(em * 5.5f)) {
      ImGui::SetNextItemWidth(em * 5.5f);
      share_choice(panel, now, disabled);
    }
    if (flow.next(ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x + width_of(tr("Gate")))) {
      ImGui::Checkbox(tr("Gate"), &wanted.gate);
      help_here(panel, "gate", help::Kind::term);
      disabled.explain(tr(kGate));
    }
  }
  if (wanted != now) panel.emit(command::SetMeasuring{wanted});
  in_kernel_choice(panel, flow);

  if (!flow.next(ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x + width_of(tr("Predict")))) return;
  const Disabled on("");
  bool predict = panel.state.settings.predict;
  if (ImGui::Checkbox(tr("Predict"), &predict)) panel.emit(command::SetPredict{predict});
  help_here(panel, "prediction", help::Kind::term);
  on.explain(tr(kPredict));
}

void observer_meter(const Panel& panel, Flow& flow) {
  const timeline::Theme& theme = panel.look.theme;
  const Meter shown = meter(panel.state);
  const float em = ImGui::GetFontSize(), height = ImGui::GetFrameHeight(), line = ImGui::GetTextLineHeight();
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float bar_width = em * 4, sign = line * 0.85f;
  // On a GPU room for the widest figure, so that nothing beside it moves while figures change.
  const std::string widest =
      on_gpu(panel.state.settings) ? tr("{:.3f} ×  ({:.3f} to {:.3f})", 0.0, 0.0, 0.0) : shown.figure;
  const char* const label = tr("Observer effect");
  const float before = width_of(label) + gap * 1.5f;
  const float width = before + bar_width + gap * 3 + sign + width_of(widest);
  if (!flow.next(width, em * 0.5f)) return;
  const ImVec2 left = ImGui::GetCursorScreenPos(), at{left.x + before, left.y};
  ImGui::InvisibleButton("##observer", {width, height});
  help_here(panel, "observer effect", help::Kind::term);
  if (ImGui::IsItemHovered()) tooltip(shown.meaning);

  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddText({left.x, left.y + (height - line) / 2}, packed(theme.faint_text), label);
  const bool marked = shown.level == Meter::Level::notable || shown.level == Meter::Level::large;
  const timeline::Colour ink = shown.level == Meter::Level::unknown   ? theme.faint_text
                               : shown.level == Meter::Level::small   ? theme.text
                               : shown.level == Meter::Level::notable ? theme.warning
                                                                      : theme.error;
  // The scale goes from 1 to where the figure is bad; larger figures stand at its end.
  constexpr double kEnd = 1.25;
  const auto x_of = [&](double ratio) {
    return at.x + bar_width * static_cast<float>(std::clamp((ratio - 1) / (kEnd - 1), 0.0, 1.0));
  };
  const float y0 = at.y + height * 0.38f, y1 = at.y + height * 0.62f;
  list.AddRectFilled({at.x, y0}, {at.x + bar_width, y1}, packed(mixed(theme.panel, theme.text, 0.12f)), 2);
  for (const double mark : {kNotable, kLarge}) {
    const float x = std::round(x_of(mark));
    list.AddLine({x, y1}, {x, y1 + height * 0.12f}, packed(theme.faint_text));
  }
  if (shown.effect) {
    const float low = x_of(shown.effect->low), high = std::max(x_of(shown.effect->high), low + 1);
    const float median = std::round(x_of(shown.effect->median));
    list.AddRectFilled({at.x, y0}, {median, y1}, packed(mixed(theme.panel, ink, 0.45f)), 2);
    list.AddRectFilled({low, y0}, {high, y1}, packed(mixed(theme.panel, ink, 0.75f)));
    const float half = std::max(1.0f, panel.look.scale);
    list.AddRectFilled({median - half, y0 - height * 0.14f}, {median + half, y1 + height * 0.14f}, packed(ink));
  }
  float x = at.x + bar_width + gap * 1.5f;
  const float y = at.y + (height - line) / 2;
  if (marked) {
    warning_sign({x, y + (line - sign) / 2}, sign, ink, theme.panel, shown.level == Meter::Level::large);
    x += sign + gap;
  }
  list.AddText({x, y}, packed(ink), shown.figure.c_str());
}

}  // namespace streamscope::window
