#include "app/window/panels/experiment_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ranges>
#include <type_traits>
#include <utility>

#include "app/window/panels/help_answer.h"
#include "app/window/panels/live_controls.h"
#include "app/window/panels/slider_values.h"
#include "app/window/panels/typed_choice.h"
#include "app/window/panels/what_if_panel.h"
#include "app/window/platform/imgui_compat.h"
#include "app/window/state/run_requests.h"
#include "app/window/widgets/flow.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/experiment/description.h"
#include "engine/experiment/shipped.h"
#include "kernels/registry.h"

namespace streamscope::window {
namespace {

// Of words that are literals.
const char* text_of(std::string_view literal) { return tr(literal).data(); }

bool choose_name(const char* id, std::span<const std::string_view> names, std::int64_t& value) {
  const auto name = [&](std::int64_t which) { return tr(names[static_cast<std::size_t>(which)]); };
  const auto pressed = combo(id, std::views::iota(std::int64_t{0}, std::ssize(names)), value, name);
  if (!pressed || *pressed == value) return false;
  value = *pressed;
  return true;
}

template <schema::Key key>
constexpr const auto& kKey = schema::kMember<experiment::Experiment, key>;

// What the window says in place of an enumerator's name.
template <class Enumeration>
constexpr const auto& kShown = kNames<Enumeration>;
template <>
constexpr NameTable<5> kShown<program::HostMemory>{tr_later("pinned"), tr_later("pageable"), tr_later("write-combined"),
                                                   tr_later("mapped"), tr_later("managed")};
template <>
constexpr NameTable<2> kShown<experiment::IssueOrder>{tr_later("depth-first"), tr_later("breadth-first")};
template <>
constexpr NameTable<4> kShown<experiment::FinalSync>{tr_later("device"), tr_later("stream"), tr_later("event"),
                                                     tr_later("poll")};
template <>
constexpr NameTable<4> kShown<experiment::StreamFlags>{tr_later("blocking"), tr_later("nonblocking"),
                                                       tr_later("legacy default"), tr_later("per-thread default")};
template <>
constexpr NameTable<4> kShown<experiment::Across>{tr_later("split"), tr_later("pipeline"), tr_later("halo exchange"),
                                                  tr_later("all-gather")};
template <>
constexpr NameTable<2> kShown<experiment::Mode>{tr_later("asynchronous"), tr_later("synchronous")};

std::string_view beyond;  // the key for which more was typed last than there can be

// The rows; `e` is a copy that the controls change.
class Controls {
 public:
  Controls(const Panel& panel, experiment::Experiment& experiment, float label_width)
      : panel_(panel), e_(experiment), label_width_(label_width) {}

  bool draw() {
    heading(panel_.look, tr("Data"));
    data();
    steps();
    const device::DeviceInfo* const device = device_of(panel_.state.settings);
    const int there = device != nullptr ? device->devices : 1;
    if (const std::uint32_t most = std::max(static_cast<std::uint32_t>(there), e_.devices); most > 1) {
      heading(panel_.look, tr("Devices"));
      devices(most);
    }
    heading(panel_.look, tr("Streams"));
    streams();
    heading(panel_.look, tr("Kernel"));
    kernel();
    return changed_;
  }

 private:
  void begin(const char* label) {
    row(label, label_width_);
    in_row_ = true;
  }
  void done(bool changed, const Disabled& disabled, std::string_view meaning, std::string_view key) {
    changed_ |= changed;
    (std::exchange(in_row_, false) ? help_in_row : help_here)(panel_, key, help::Kind::experiment_key);
    disabled.explain(meaning);
  }

  // The row of an enumeration's names.
  template <schema::Key key>
  void names(const Disabled& disabled) {
    begin(text_of(kKey<key>.label));
    auto& value = kKey<key>.of(e_);
    auto chosen = static_cast<std::int64_t>(value);
    const bool changed =
        choose_name(fmt::format("##{}", kKey<key>.key).c_str(), kShown<std::decay_t<decltype(value)>>, chosen);
    value = static_cast<std::decay_t<decltype(value)>>(chosen);
    done(changed, disabled, tr(kKey<key>.meaning), kKey<key>.key);
  }

  template <schema::Key key>
  void checkbox(const Disabled& disabled) {
    done(ImGui::Checkbox(text_of(kKey<key>.label), &kKey<key>.of(e_)), disabled, tr(kKey<key>.meaning), kKey<key>.key);
  }

  void data() {
    const Disabled on("");
    begin(text_of(kKey<"bytes">.label));
    std::uint64_t bytes = e_.bytes;
    const bool resized = choose(panel_, "##bytes", total_choices(e_.bytes), bytes, display_bytes(bytes), Typed::bytes);
    if (resized) e_ = with_total(e_, bytes);
    done(resized, on, tr(kKey<"bytes">.meaning), "bytes");
    begin(text_of(kKey<"chunk">.label));
    const std::uint64_t chunks = e_.chunk == 0 ? 0 : e_.bytes / e_.chunk;
    const bool cut = choose(panel_, "##chunk", chunk_choices(e_.bytes, e_.chunk), e_.chunk,
                            fmt::format("{} × {}", chunks, display_bytes(e_.chunk)), Typed::bytes);
    done(cut, on, tr(kKey<"chunk">.meaning), "chunk");
    names<"host">(on);
  }

  // The row of a whole number from 1 on: `last` on the slider, more where it is typed.
  template <schema::Key key>
  void count(std::uint32_t last, const Disabled& disabled) {
    begin(text_of(kKey<key>.label));
    const std::string id = fmt::format("##{}", kKey<key>.key);
    std::uint32_t& value = kKey<key>.of(e_);
    int moved = static_cast<int>(value);
    bool changed = slider(panel_.look, id.c_str(), moved, 1, static_cast<int>(last), std::to_string(moved));
    if (changed) value = std::clamp(static_cast<std::uint32_t>(std::max(moved, 1)), 1u, last);
    const std::string shown = std::to_string(value);
    if (const auto text = typed_value(id.c_str(), shown)) {
      const auto most = static_cast<std::uint64_t>(kKey<key>.most);
      const auto typed = read_typed(*text, Typed::count, value);
      if (!typed) panel_.emit(command::Say{no_such_value(*text, shown), true});
      if (typed) value = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(*typed, 1, most));
      changed |= typed.has_value();
      beyond = typed && *typed > most ? kKey<key>.key : std::string_view();
    } else if (changed && beyond == kKey<key>.key) {
      beyond = {};
    }
    done(changed, disabled, tr(kKey<key>.meaning), kKey<key>.key);
    if (beyond == kKey<key>.key)
      wrapped(tr("{} is the most that there can be.", kKey<key>.most), panel_.look.theme.warning);
  }

  // What only several of them have is left out while there is one.
  void devices(std::uint32_t most) {
    const Disabled on("");
    count<"devices">(most, on);
    if (e_.devices == 1) return;
    names<"across">(on);
    if (in_parts(e_)) count<"steps">(32, on);
    const bool split = e_.across == experiment::Across::split;
    checkbox<"peer_access">(Disabled(split ? tr("Nothing goes from device to device: each has its chunks.") : ""));
  }

  void streams() {
    const bool sync = e_.mode == experiment::Mode::sync;
    names<"mode">(Disabled(""));
    const bool one_stream = e_.stream_flags == experiment::StreamFlags::legacy_default ||
                            e_.stream_flags == experiment::StreamFlags::per_thread;
    const char* const in_part = in_parts(e_) ? tr("Each device has one stream, for its part of the data.") : nullptr;
    {
      const char* const blocking =
          tr("Blocking copies go through the default stream: in synchronous mode there are no others.");
      const char* const alone =
          tr("All work goes to one default stream. Choose blocking or nonblocking streams to have more.");
      count<"streams">(32, Disabled(in_part != nullptr ? in_part : sync ? blocking : one_stream ? alone : ""));
      const std::uint64_t chunks = e_.chunk == 0 ? 0 : e_.bytes / e_.chunk;
      const bool split = e_.devices > 1 && e_.across == experiment::Across::split;
      const std::uint64_t all = std::uint64_t{e_.streams} * (split ? e_.devices : 1);
      if (!sync && !one_stream && in_part == nullptr && chunks != 0 && chunks < all)
        wrapped(tr_n("There is {} chunk: {} of {} streams get none.", "There are {} chunks: {} of {} streams get none.",
                     chunks, chunks, all - chunks, all),
                panel_.look.theme.warning);
    }
    const char* const of_sync = sync ? tr("Only in asynchronous mode: synchronous calls leave nothing to order.") : "";
    names<"stream_flags">(Disabled(of_sync));
    names<"order">(Disabled(in_part != nullptr ? in_part : of_sync));
    names<"sync">(Disabled(of_sync));
  }

  void kernel() {
    begin(tr("Kernel"));
    {
      const Disabled on("");
      done(choose_kernel(), on, kernel_meanings(), "kernel.name");
    }
    if (e_.kernel.kernel == nullptr) return;
    for (std::size_t i = 0; i < e_.kernel.kernel->options.size(); ++i) option(i);
  }

  bool choose_kernel() {
    std::vector<const kernels::Kernel*> all(kernels::all().begin(), kernels::all().end());
    all.push_back(nullptr);
    const auto word = [](const kernels::Kernel* each) { return each != nullptr ? each->word : "none"; };
    const auto chosen = combo("##kernel", all, e_.kernel.kernel, word);
    if (!chosen || *chosen == e_.kernel.kernel) return false;
    e_.kernel = with_kernel(e_.kernel, *chosen, panel_.state.editing.kernel_values);
    return true;
  }

  static std::string kernel_meanings() {
    std::string all;
    for (const kernels::Kernel* const one : kernels::all()) {
      all += fmt::format("{}{}: {}.", all.empty() ? "" : " ", one->word, tr(one->meaning));
    }
    return all;
  }

  // One that does nothing beside the others is left out, or where it is always there cannot be moved.
  void option(std::size_t index) {
    const kernels::Kernel& kernel = *e_.kernel.kernel;
    const kernels::Option& option = kernel.options[index];
    kernels::Values settled = e_.kernel.values;
    kernel.settle(settled);
    const std::string why = kernel.no_effect(settled, index);
    if (!why.empty() && !option.always) return;
    const Disabled disabled(why);
    ImGui::PushID(static_cast<int>(index));
    begin(text_of(option.label));
    std::int64_t& value = e_.kernel.values[index];
    bool changed = false;
    if (option.kind == kernels::OptionKind::flag) {
      bool on = value != 0;
      changed = ImGui::Checkbox("##value", &on);
      value = on ? 1 : 0;
    } else if (option.kind == kernels::OptionKind::choice) {
      changed = choose_name("##value", option.shown.empty() ? option.words : option.shown, value);
    } else {
      const std::int64_t present = settled[index];
      auto moved = static_cast<std::uint64_t>(present);
      changed = choose(panel_, "##value", option_choices(e_, index), moved, shown(option, present),
                       option.kind == kernels::OptionKind::bytes      ? Typed::bytes
                       : option.kind == kernels::OptionKind::duration ? Typed::duration
                                                                      : Typed::count);
      if (changed) value = static_cast<std::int64_t>(moved);
    }
    done(changed && why.empty(), disabled, tr(option.help), fmt::format("kernel.{}", option.key));
    ImGui::PopID();
  }

  static std::string shown(const kernels::Option& option, std::int64_t value) {
    if (value == 0 && !option.automatic.empty()) return std::string(tr(option.automatic));
    if (option.kind == kernels::OptionKind::bytes) return display_bytes(static_cast<std::uint64_t>(value));
    if (option.kind == kernels::OptionKind::duration) return display_duration(value);
    const std::string_view said = tr(option.unit);
    const bool cut = value == 1 && said == option.unit && said.ends_with('s');  // English's own plural
    const std::string_view unit = cut ? said.substr(0, said.size() - 1) : said;
    return unit.empty() ? fmt::format("{}", value) : fmt::format("{} {}", value, unit);
  }

  void steps() {
    const Disabled on("");
    checkbox<"h2d">(on);
    next_to(text_of(kKey<"d2h">.label));
    checkbox<"d2h">(on);
    next_to(text_of(kKey<"verify">.label));
    checkbox<"verify">(Disabled(e_.d2h ? "" : tr("Nothing comes back to be checked: copy out is off.")));
  }

  // On the same line where it fits.
  void next_to(const char* label) {
    ImGui::SameLine(0, ImGui::GetStyle().ItemSpacing.x * 1.6f);
    const float needed = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x + width_of(label);
    if (ImGui::GetContentRegionAvail().x < needed) ImGui::NewLine();
  }

  const Panel& panel_;
  experiment::Experiment& e_;
  bool in_row_ = false;  // a label stands at the left of the control
  float label_width_;
  bool changed_ = false;
};

// The shipped file that the experiment or program is from; the list's end: none. The pipeline that a program of its own
// gives way to has the name of a shipped program and is not that.
auto shipped_file(const Editing& editing) {
  return std::ranges::find_if(editing.shipped, [&](const experiment::Shipped& each) {
    return each.name == (editing.own_program ? editing.own.name : editing.experiment_name) &&
           (editing.own_program || each.path.extension() == ".toml");
  });
}

void choose_file(const Panel& panel) {
  const State& state = panel.state;
  const std::string& name = state.editing.own_program ? state.editing.own.name : state.editing.experiment_name;
  const auto file = shipped_file(state.editing);
  const std::string& shown = file == state.editing.shipped.end() ? name : file->title;
  if (ImGui::Button(fmt::format("{}##experiments", shown).c_str(), {-FLT_MIN, 0}))
    panel.emit(command::ShowGallery{true});
  if (ImGui::IsItemHovered()) tooltip(tr("The gallery: experiments, programs, recent files (G)"));
}

// Side by side as thirds; where a text has no room in its own, the rest goes to the next line.
void file_buttons(const Panel& panel) {
  const float gap = ImGui::GetStyle().ItemSpacing.x, room = ImGui::GetContentRegionAvail().x;
  Flow flow({ImGui::GetCursorScreenPos().x, 0, room + ImGui::GetStyle().WindowPadding.x, 0});
  const auto button = [&](const char* label, const char* meaning, const Command& command) {
    const float width = std::max(std::floor((room - 2 * gap) / 3), sign_button_width(label, Sign::none));
    flow.next(width);
    if (ImGui::Button(label, {width, 0})) panel.commands.push_back(command);
    if (ImGui::IsItemHovered()) tooltip(meaning);
  };
  button(tr("Open…"), tr("An experiment, a program or a trace from a file (Ctrl O)"),
         command::AskFile{FileQuestion::open});
  button(tr("Save"), tr("What is set or typed, in the file that it is from (Ctrl S)"), command::Save{});
  button(tr("Save as…"), tr("In another file (Ctrl Shift S)"), command::AskFile{FileQuestion::save});
}

void measurement(const Panel& panel, float label_width) {
  heading(panel.look, tr("Measurement"));
  const Disabled on("");
  row(tr("Runs"), label_width);
  int repeat = panel.state.settings.repeat;
  const std::string shown =
      repeat > 0 ? std::to_string(repeat) : tr("{} by the device", runs_of_figures(panel.state.settings));
  if (slider(panel.look, "##repeat", repeat, 0, 31, shown)) panel.emit(command::SetRepeat{repeat});
  if (const auto text = typed_value("##repeat", std::to_string(repeat)))
    if (const auto typed = read_typed(*text, Typed::count, static_cast<std::uint64_t>(repeat)))
      panel.emit(command::SetRepeat{static_cast<int>(std::min<std::uint64_t>(*typed, 100))});
  on.explain(tr(
      "How often Run times the program; the timeline shows the run with the median makespan. At the left end: 5 times "
      "on a GPU, enough for a spread, and once on a model, which gives the same each time. Live mode and changes of a "
      "control run it once. With sampled: how often each operation is seen."));
}

// Of all rows, so that all controls begin in one column.
float longest_label() {
  float width = 0;
  schema::each_member<experiment::Experiment>([&](const auto& member) {
    if (!member.label.empty()) width = std::max(width, width_of(text_of(member.label)));
  });
  for (const kernels::Kernel* const kernel : kernels::all())
    for (const kernels::Option& option : kernel->options) width = std::max(width, width_of(text_of(option.label)));
  return width;
}

// In place of controls that have nothing to do with what is in view.
void their_trace(const Panel& panel, const ShownRun& shown) {
  const State& state = panel.state;
  heading(panel.look, tr(trace::badge(shown.run->trace.provenance)).data());
  wrapped(shown.name, panel.look.theme.strong_text);
  wrapped(tr("It was opened from a file of another tool. No control and no program here made it; they come back with "
             "the next run."),
          panel.look.theme.faint_text);
  ImGui::Spacing();
  const Disabled disabled(why_not_run(state));
  if (ImGui::Button(tr("Run {}", label(state.editing)).c_str(), {-FLT_MIN, 0})) panel.emit(command::RunNow{});
  disabled.explain(tr("Runs what the controls had, and shows it (Space)"));
}

}  // namespace

void experiment_panel(const Panel& panel, const Box& place) {
  const State& state = panel.state;
  begin_panel("Experiment", place, ImGuiWindowFlags_None);
  begin_walked_child("controls", {0, 0});
  if (of_another_tool(state)) {
    their_trace(panel, *state.runs.shown);
    ImGui::EndChild();
    ImGui::End();
    return;
  }
  const float label_width = longest_label() + ImGui::GetStyle().ItemSpacing.x * 1.5f;
  heading(panel.look, tr("Experiment"));
  choose_file(panel);
  file_buttons(panel);

  const std::string& about =
      state.editing.own_program ? state.editing.own.content.about : state.editing.experiment.about;
  if (!about.empty()) wrapped(experiment::in_own_language(about), panel.look.theme.faint_text);

  if (state.editing.own_program) {
    ImGui::Spacing();
    wrapped(
        tr("This is a stream program of its own: the controls of the pipeline do not apply. Its text is below the "
           "timeline; change it there and run it."));
    ImGui::Spacing();
    if (ImGui::Button(tr("Back to the pipeline"), {-FLT_MIN, 0})) panel.emit(command::BackToPipeline{});
  } else {
    if (state.editing.edited) {
      ImGui::Spacing();
      wrapped(tr("The program below was edited, so it no longer follows these controls."),
              mixed(panel.look.theme.text, panel.look.theme.model, 0.5f));
      if (ImGui::Button(fmt::format("{}##left", tr("Reset to experiment")).c_str(), {-FLT_MIN, 0}))
        panel.emit(command::ResetProgram{});
    }
    experiment::Experiment experiment = state.editing.experiment;
    ImGui::BeginDisabled(state.editing.edited);
    const bool changed = Controls(panel, experiment, label_width).draw();
    ImGui::EndDisabled();
    if (changed) panel.emit(command::SetExperiment{experiment});
    if (!state.editing.experiment_error.empty()) {
      ImGui::Spacing();
      wrapped(state.editing.experiment_error, panel.look.theme.error);
    }
  }

  what_if_controls(panel);
  measurement(panel, label_width);
  live_controls(panel, label_width);
  ImGui::EndChild();
  ImGui::End();
}

}  // namespace streamscope::window
