#include "app/window/panels/sweep_panel.h"

#include <fmt/format.h>
#include <imgui.h>
// Dear ImGui before its own extension.
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

#include "app/window/panels/slider_values.h"
#include "app/window/panels/sweep_plot.h"
#include "app/window/platform/imgui_compat.h"
#include "app/window/state/sweep_runs.h"
#include "app/window/widgets/flow.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/experiment/description.h"
#include "kernels/registry.h"

namespace streamscope::window {
namespace {

constexpr std::size_t kSuggested = 6;

// A key that can be swept, as the controls call it, and some values to begin with.
struct SweptKey {
  std::string key, label, values;
};

// As many as can be told apart.
std::string listed(const std::vector<std::uint64_t>& values, bool bytes, std::uint64_t present) {
  std::vector<std::string> words;
  for (const std::uint64_t value : few_of(values, kSuggested, present))
    words.push_back(bytes ? exact_bytes(value) : std::to_string(value));
  return fmt::format("{}", fmt::join(words, ", "));
}

template <class Names>
std::string names_listed(const Names& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

// The keys of the controls. What a text, a flag or the number of chunks says is not swept here.
std::vector<SweptKey> swept_keys(const experiment::Experiment& e) {
  std::vector<SweptKey> out;
  schema::each_member<experiment::Experiment>([&](const auto& member) {
    if (member.label.empty() || member.key == "verify") return;
    SweptKey key{std::string(member.key), std::string(tr(member.label)), {}};
    using Value = std::decay_t<decltype(member.of(e))>;
    if constexpr (std::is_same_v<Value, bool>) {
      key.values = "false, true";
    } else if constexpr (std::is_enum_v<Value>) {
      key.values = names_listed(kNames<Value>);
    } else if (member.key == "bytes") {
      key.values = listed(total_choices(e.bytes), true, e.bytes);
    } else if (member.key == "chunk") {
      key.values = listed(chunk_choices(e.bytes, e.chunk), true, e.chunk);
    } else {
      key.values = "1, 2, 4, 8, 16";
    }
    out.push_back(std::move(key));
  });
  if (e.kernel.kernel == nullptr) return out;
  for (std::size_t i = 0; i < e.kernel.kernel->options.size(); ++i) {
    const kernels::Option& option = e.kernel.kernel->options[i];
    SweptKey key{fmt::format("kernel.{}", option.key), std::string(tr(option.label)), {}};
    if (option.kind == kernels::OptionKind::flag)
      key.values = "false, true";
    else if (option.kind == kernels::OptionKind::choice)
      key.values = names_listed(option.words);
    else if (option.kind == kernels::OptionKind::duration)
      key.values = "10us, 100us, 1ms";
    else
      key.values = listed(option_choices(e, i), option.kind == kernels::OptionKind::bytes,
                          static_cast<std::uint64_t>(e.kernel.values[i]));
    out.push_back(std::move(key));
  }
  return out;
}

void axis_row(const Panel& panel, std::size_t which, const SweepAxis& axis, const std::vector<SweptKey>& keys,
              float label_width) {
  ImGui::PushID(static_cast<int>(which));
  row(which == 0 ? tr("Axis") : tr("And"), label_width);
  const auto present = std::ranges::find(keys, axis.key, &SweptKey::key);
  if (begin_drop_down("##key", present != keys.end() ? present->label : axis.key.empty() ? tr("none") : axis.key)) {
    if (which > 0 && ImGui::Selectable(tr("none"), axis.key.empty())) panel.emit(command::SetSweepAxis{which, {}});
    for (const SweptKey& each : keys)
      if (ImGui::Selectable(fmt::format("{}##{}", each.label, each.key).c_str(), each.key == axis.key))
        panel.emit(command::SetSweepAxis{which, {each.key, each.values}});
    ImGui::EndCombo();
  }
  if (!axis.key.empty()) {
    row("", label_width);
    std::string values = axis.values;
    if (ImGui::InputTextWithHint("##values", tr("values, such as 1, 2, 4"), &values))
      panel.emit(command::SetSweepAxis{which, {axis.key, values}});
    if (ImGui::IsItemHovered()) tooltip(tr("The values that {} takes in turn, with commas between them", axis.key));
  }
  ImGui::PopID();
}

void figure_row(const Panel& panel, float label_width) {
  const Sweeping& sweeping = panel.state.sweeping;
  row(tr("Shows"), label_width);
  const bool of_kernels = std::ranges::any_of(sweeping.sweep.points, [](const sweep::SweepPoint& each) {
    return each.result && each.result->kernel_bytes != 0;
  });
  const auto name = [](std::string_view choice) { return sweep::figure_of({}, choice).figure.name; };
  const std::vector<std::string_view> all = sweep::choices(of_kernels);
  if (const auto chosen = combo("##figure", all, std::string_view(sweeping.sweep.figure), name))
    panel.emit(command::SetSweepFigure{std::string(*chosen)});
}

// At the top, so that it is in sight however low the panel is: Go or Stop, the files, how far it is.
void go(const Panel& panel) {
  const Sweeping& s = panel.state.sweeping;
  const float room = ImGui::GetContentRegionAvail().x, gap = ImGui::GetStyle().ItemSpacing.x;
  const float file = sign_button_width("CSV", Sign::none), width = std::max(room - 2 * (file + gap), file);
  const bool busy = s.going || s.combining;
  if (ImGui::Button(busy ? tr("Stop the sweep") : tr("Go"), {width, 0})) {
    if (busy)
      panel.emit(command::StopSweep{});
    else
      panel.emit(command::StartSweep{});
  }
  const int runs = runs_of_figures(panel.state.settings);
  if (!busy && ImGui::IsItemHovered())
    tooltip(tr("Runs each combination as often as Run does, {} each",
               tr_n("{} time", "{} times", static_cast<unsigned long>(runs), runs)));
  {
    const Disabled none(points_done(s) == 0 ? tr("There is no sweep yet.") : "");
    ImGui::SameLine();
    if (ImGui::Button("CSV", {file, 0})) panel.emit(command::WriteSweep{false});
    none.explain(tr("Write a line for each combination; whether a file that is there is replaced is asked"));
    ImGui::SameLine();
    if (ImGui::Button("PNG", {file, 0})) panel.emit(command::WriteSweep{true});
    none.explain(tr("Write the plot; whether a file that is there is replaced is asked"));
  }
  if (busy) {
    const std::size_t done = points_done(s), all = s.sweep.points.size();
    ImGui::ProgressBar(all == 0 ? 0 : static_cast<float>(done) / static_cast<float>(all), {room, 0},
                       fmt::format("{} / {}", done, all).c_str());
  }
  if (!s.wrong.empty()) wrapped(s.wrong, panel.look.theme.error);
}

}  // namespace

void sweep_panel(const Panel& panel, const Box& place) {
  const State& state = panel.state;
  const Sweeping& s = state.sweeping;
  begin_panel("Sweep", place);
  const float room = ImGui::GetContentRegionAvail().x, scale = panel.look.scale;
  begin_walked_child("axes",
                     {std::round(std::clamp(room * 0.32f, std::min(200 * scale, room * 0.5f), 320 * scale)), 0});
  const std::vector<SweptKey> keys = swept_keys(state.editing.experiment);
  const float label_width =
      std::max({width_of(tr("Axis")), width_of(tr("And")), width_of(tr("Shows"))}) + ImGui::GetStyle().ItemSpacing.x;
  go(panel);
  const auto axes = axes_to_sweep(state);
  for (std::size_t i = 0; i < axes.size(); ++i) axis_row(panel, i, axes[i], keys, label_width);
  figure_row(panel, label_width);
  if (s.sweep.axes.size() == 2) {
    row("", label_width);
    bool lines = s.lines;
    if (ImGui::Checkbox(tr("Lines"), &lines)) panel.emit(command::ShowSweepLines{lines});
    if (ImGui::IsItemHovered()) tooltip(tr("A line for each value of the second axis, with whiskers, for the map"));
  }
  ImGui::EndChild();
  ImGui::SameLine();
  ImGui::BeginChild("plot", {0, 0});
  if (s.sweep.points.empty())
    wrapped(tr("Choose a key of the experiment and the values that it takes, then Go. With two keys each combination "
               "is a field of a map. The best is outlined; a click shows the run behind a point."),
            panel.look.theme.faint_text);
  else
    sweep_plot(panel);
  ImGui::EndChild();
  ImGui::End();
}

}  // namespace streamscope::window
