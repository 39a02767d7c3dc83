#include "app/window/panels/cuda_panel.h"

#include <algorithm>
#include <utility>

#include "app/window/widgets/widgets.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

void header(const Panel& panel, const CudaWritten* written, bool alone) {
  const timeline::Theme& theme = panel.look.theme;
  if (!alone) {
    ImGui::AlignTextToFramePadding();
    text("CUDA C++", theme.strong_text, &panel.look.fonts.strong);
  } else if (sign_button(panel.look, "CUDA C++", Sign::none, true)) {
    panel.emit(command::ShowCuda{false});
  }
  if (alone && ImGui::IsItemHovered()) tooltip(tr("Back to the stream program (0)"));
  const char* const copy = tr("Copy");
  const char* const save = tr("Save…");
  const float spacing = ImGui::GetStyle().ItemSpacing.x;
  const float needed = sign_button_width(copy, Sign::none) + sign_button_width(save, Sign::none) + spacing;
  ImGui::SameLine();
  const float room = ImGui::GetContentRegionAvail().x - needed - spacing;
  if (written != nullptr && room > 0) {
    const std::size_t lines = written->source.lines.size();
    const std::string about = tr_n("{} line", "{} lines", lines, lines);
    if (width_of(about) < room) {
      text(about, theme.faint_text);
      ImGui::SameLine();
    }
  }
  const float left = ImGui::GetContentRegionAvail().x - needed;
  if (left > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + left);
  const Disabled disabled(written == nullptr ? tr("There is none yet.") : "");
  if (sign_button(panel.look, copy, Sign::none)) panel.emit(command::CopyCuda{});
  disabled.explain(tr("All of it, to the clipboard"));
  ImGui::SameLine();
  if (sign_button(panel.look, save, Sign::none)) panel.emit(command::AskFile{FileQuestion::save_cuda});
  disabled.explain(tr("In a file that nvcc compiles; its first line says how"));
}

}  // namespace

void CudaPanel::draw(const Panel& panel, const Box& place, bool alone) {
  const CudaBeside& cuda = panel.state.cuda;
  if (of_ != cuda.written) {
    of_ = cuda.written;
    text_ = of_ ? of_->source.text : std::string();
    // Another program is looked at from its beginning, where none of its lines is to come into sight.
    if (const std::string name = cuda_name(panel.state);
        std::exchange(name_, name) != name && selected_line(panel.state) == 0)
      view_.show(1, true);
  }
  begin_panel("CUDA C++", place);
  header(panel, of_.get(), alone);
  if (!cuda.why_not.empty())
    wrapped(tr("Of the program as it stands none can be written: {}", cuda.why_not), panel.look.theme.error);
  if (!of_) {
    if (cuda.why_not.empty()) text(tr("It is being written…"), panel.look.theme.faint_text);
    ImGui::End();
    return;
  }
  const std::vector<std::uint32_t>& lines = of_->source.lines;
  const auto of_program = [&](std::uint32_t line) { return line <= lines.size() ? lines[line - 1] : 0; };
  const CodeView::Code code{
      .id = "text",
      .text = text_,
      .read_only = true,
      .pale = of_->version != panel.state.editing.version,
      .pieces = [&](std::string_view line) { return coloured(words_of_cuda(line), panel.look.theme); }};
  view_.draw(panel.look, code, {0, ImGui::GetContentRegionAvail().y},
             [&](const CodeView::Lines& in_sight) { mark_lines(panel, in_sight, of_program); });
  if (view_.moved()) panel.emit(command::LookAtLine{of_program(view_.line_of_cursor())});
  if (const std::uint32_t line = chosen_.newly(panel.state); line != 0 && view_.cursor() < 0)
    if (const std::size_t first = cuda_source::first_line(of_->source, {line}); first < lines.size())
      view_.show(static_cast<std::uint32_t>(first) + 1, false);
  ImGui::End();
}

}  // namespace streamscope::window
