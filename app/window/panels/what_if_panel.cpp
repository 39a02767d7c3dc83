#include "app/window/panels/what_if_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "app/window/panels/help_answer.h"
#include "app/window/panels/slider_values.h"
#include "app/window/panels/typed_choice.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

std::string shown_text(const device::WhatIfNumber& number, double value) {
  if (number.unit == "ns") return display_duration(static_cast<Nanoseconds>(value));
  return fmt::format("{:.4g}{}{}", value, number.unit.empty() ? "" : " ", number.unit);
}

// In the number's own unit, which need not be typed.
std::optional<double> typed_number(const device::WhatIfNumber& number, double present, std::string text) {
  if (const auto factor = read_factor(text)) return present * *factor;
  std::erase(text, ' ');
  if (number.unit == "ns")
    if (const auto time = parse_duration(text)) return static_cast<double>(*time);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (error != std::errc() || !std::isfinite(value) || (!rest.empty() && rest != number.unit)) return std::nullopt;
  return value;
}

void number_row(const Panel& panel, const device::WhatIfNumber& number, float label_width) {
  const auto changed = panel.state.settings.what_ifs.find(number.key);
  const bool differs = changed != panel.state.settings.what_ifs.end();
  const double value = differs ? changed->second : number.value;
  const std::vector<double> values = what_if_choices(number, value);
  const auto place = [&](double of) {
    return static_cast<int>(std::lower_bound(values.begin(), values.end(), of) - values.begin());
  };
  ImGui::PushID(number.key.c_str());
  row(number.name.c_str(), label_width);
  // Room for the button at all times: a slider that grows under the mouse would jump.
  const float button = ImGui::GetFrameHeight();
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button - ImGui::GetStyle().ItemInnerSpacing.x);
  int index = place(value);
  // Unless a person sets it, the engine measures it with each run that it predicts.
  const bool as_measured = on_gpu(panel.state.settings) && number.key == "host.pace" && !differs;
  if (slider(panel.look, "##value", index, 0, static_cast<int>(values.size()) - 1,
             as_measured ? tr("as measured") : shown_text(number, value), place(number.value)))
    panel.emit(command::SetWhatIf{number.key, values[static_cast<std::size_t>(index)]});
  if (const auto text = typed_value("##value", shown_text(number, value))) {
    if (const auto typed = typed_number(number, value, *text))
      panel.emit(command::SetWhatIf{number.key, *typed});
    else
      panel.emit(command::Say{no_such_value(*text, shown_text(number, value)), true});
  }
  const Disabled on("");
  help_in_row(panel, number.key, help::Kind::profile_key);
  on.explain(
      tr("{} The profile has {}. A double click: type a value.", number.meaning, shown_text(number, number.value)));
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  if (differs) {
    if (ImGui::Button("×", {button, 0})) panel.emit(command::SetWhatIf{number.key, number.value});
    if (ImGui::IsItemHovered()) tooltip(tr("Back to the profile's {}", shown_text(number, number.value)));
  } else {
    ImGui::Dummy({button, button});
  }
  ImGui::PopID();
}

}  // namespace

void what_if_controls(const Panel& panel) {
  const State& state = panel.state;
  const device::DeviceInfo* model = what_if_model(state.settings);
  if (model == nullptr || model->what_ifs.empty()) return;
  heading(panel.look, tr("What if"));
  const std::string of = on_gpu(state.settings) ? tr("The prediction: ") : "";
  wrapped(state.settings.what_ifs.empty() ? tr("{}as in the profile {}", of, model->profile)
                                          : tr("{}profile {}, {} of {} numbers changed", of, model->profile,
                                               state.settings.what_ifs.size(), model->what_ifs.size()),
          state.settings.what_ifs.empty() ? panel.look.theme.faint_text : panel.look.theme.warning);
  float label_width = 0;
  for (const device::WhatIfNumber& number : model->what_ifs) label_width = std::max(label_width, width_of(number.name));
  for (const device::WhatIfNumber& number : model->what_ifs)
    number_row(panel, number, label_width + ImGui::GetStyle().ItemSpacing.x * 1.5f);
  const Disabled disabled(state.settings.what_ifs.empty() ? tr("Nothing is changed.") : "");
  if (ImGui::Button(tr("Reset all"), {-FLT_MIN, 0})) panel.emit(command::ResetWhatIfs{});
  disabled.explain(tr("Back to the profile's own numbers"));
}

}  // namespace streamscope::window
