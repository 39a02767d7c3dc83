#include "app/window/panels/operation_section.h"

#include "app/timeline/span_text.h"
#include "app/window/panels/help_answer.h"
#include "app/window/widgets/links.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/trace/packed_spans.h"

namespace streamscope::window {
namespace {

// A time at the right, what it is charged to at the left, and below that the operation behind it.
void charge(const Panel& panel, const trace::Trace& trace, const Charge& each) {
  const timeline::Theme& theme = panel.look.theme;
  const std::string time = display_duration(each.time);
  const ImVec2 at = ImGui::GetCursorPos();
  const float room = ImGui::GetContentRegionAvail().x;
  ImGui::PushTextWrapPos(at.x + room - width_of("888.88 us  "));
  text((each.certain ? "" : "≈ ") + each.what, each.certain ? theme.text : theme.faint_text);
  ImGui::PopTextWrapPos();
  const ImVec2 below = ImGui::GetCursorPos();
  ImGui::SetCursorPos({at.x + room - width_of(time), at.y});
  text(time, theme.strong_text);
  ImGui::SetCursorPos(below);
  const auto by = trace::find_span(trace, each.by);
  if (!by) return;
  const float indent = ImGui::GetFontSize() * 0.8f;
  ImGui::Indent(indent);
  if (link(panel.look, timeline::placed_text(trace, *by))) panel.emit(command::Select{each.by});
  ImGui::Unindent(indent);
}

// Says whether some of it is inferred.
bool charges(const Panel& panel, const trace::Trace& trace, const char* what, const std::vector<Charge>& all) {
  if (all.empty()) return false;
  bool inferred = false;
  ImGui::PushID(what);
  heading(panel.look, what);
  for (std::size_t i = 0; i < all.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    charge(panel, trace, all[i]);
    inferred |= !all[i].certain;
    ImGui::PopID();
  }
  ImGui::PopID();
  return inferred;
}

}  // namespace

bool OperationSection::follow(const State& state) {
  const auto verdict = verdict_in_view(state);
  const OperationIndex selected = state.timeline.selected;
  if (verdict != of_ || selected != operation_) {
    of_ = verdict;
    operation_ = selected;
    known_ =
        verdict != nullptr && selected != kNoOperation ? operation_verdict(*verdict, selected) : OperationVerdict{};
  }
  return !known_.waited.empty();
}

void OperationSection::draw(const Panel& panel) const {
  if (of_ == nullptr) return;
  const trace::Trace& trace = of_->run->trace;
  if (known(known_.slack)) {
    text(tr("Slack"), panel.look.theme.faint_text);
    const bool on_label = ImGui::IsItemHovered();
    ImGui::SameLine();
    right_text(known_.slack == 0 ? tr("none") : display_duration(known_.slack), panel.look.theme.text);
    if (on_label || ImGui::IsItemHovered()) {
      answer_help(panel, "slack");
      tooltip(
          tr("By how much later it could have ended without the run ending later, in the order in which the engines "
             "took their work."));
    }
  }
  bool inferred = charges(panel, trace, tr("What it waited for"), known_.waited);
  inferred |= charges(panel, trace, tr("What its time went to"), known_.slowed);
  inferred |= charges(panel, trace, tr("What its call waited for"), known_.called);
  if (inferred) wrapped(tr("≈ inferred: nothing else is known that did it."), panel.look.theme.faint_text);
}

}  // namespace streamscope::window
