#include "app/window/panels/file_dialog.h"

#include <fmt/format.h>
#include <imgui.h>
// Dear ImGui before its own extension.
#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>

#include "app/window/platform/imgui_compat.h"
#include "app/window/widgets/dialog.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

bool is_there(const Folder& folder, const std::string& name, bool as_folder) {
  return std::ranges::any_of(folder.entries,
                             [&](const FolderEntry& each) { return each.name == name && each.folder == as_folder; });
}

// A folder is gone into; a file is opened, or its name taken.
void choose_entry(const Panel& panel, const std::string& name, bool folder) {
  const Files& files = panel.state.files;
  if (folder) {
    panel.emit(command::ListFolder{name});
    panel.emit(command::TypeFileName{files.asks != FileQuestion::open ? files.name : std::string()});
  } else if (files.asks == FileQuestion::open) {
    panel.emit(command::OpenFile{files.folder.path / name});
  } else {
    panel.emit(command::TypeFileName{name});
  }
}

// What was typed and entered.
void enter_name(const Panel& panel, bool replace) {
  const Files& files = panel.state.files;
  if (files.name.empty()) return;
  const std::filesystem::path path = typed_path(files, files.name);
  if (is_there(files.folder, files.name, true) || files.name == ".." || files.name.ends_with('/'))
    choose_entry(panel, path.string(), true);
  else if (files.asks == FileQuestion::open)
    panel.emit(command::OpenFile{path});
  else
    panel.emit(command::SaveAs{path, replace});
}

void recent_files(const Panel& panel) {
  const std::vector<std::filesystem::path>& recent = panel.state.files.recent;
  if (recent.empty()) return;
  text(tr("Recent"), panel.look.theme.faint_text);
  const float line = ImGui::GetTextLineHeightWithSpacing();
  ImGui::BeginChild("recent", {0, line * static_cast<float>(std::min<std::size_t>(recent.size(), 5))});
  for (const std::filesystem::path& each : recent) {
    ImGui::PushID(each.c_str());
    if (ImGui::Selectable(each.filename().c_str())) panel.emit(command::OpenFile{each});
    list_stop(&each == &recent.front());
    ImGui::SameLine(ImGui::GetFontSize() * 14);
    text(elided(each.parent_path().string(), ImGui::GetContentRegionAvail().x), panel.look.theme.faint_text);
    ImGui::PopID();
  }
  ImGui::EndChild();
  ImGui::Separator();
}

void entries(const Panel& panel, float tall) {
  const Files& files = panel.state.files;
  static std::filesystem::path gone_into;  // by the keyboard: it goes on there
  ImGui::BeginChild("entries", {0, tall}, true);
  if (!files.folder.why_not.empty()) wrapped(files.folder.why_not, panel.look.theme.error);
  std::vector<const FolderEntry*> shown;
  for (const FolderEntry& each : files.folder.entries)
    if (each.folder || files.asks != FileQuestion::open || can_be_opened(each.name)) shown.push_back(&each);
  const int count = static_cast<int>(std::min<std::size_t>(shown.size(), 1'000'000));
  ImGuiListClipper clipper;
  clipper.Begin(count);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const FolderEntry& each = *shown[static_cast<std::size_t>(i)];
      const std::string words = each.name + (each.folder ? "/" : "");
      if (ImGui::Selectable(words.c_str(), each.name == files.name, ImGuiSelectableFlags_DontClosePopups)) {
        if (each.folder && ImGui::IsItemFocused()) gone_into = files.folder.path;
        choose_entry(panel, each.name, each.folder);
      }
      list_stop(i == clipper.DisplayStart);
    }
  ImGui::EndChild();
  if (!gone_into.empty() && gone_into != files.folder.path) gone_into.clear(), focus_list();
}

}  // namespace

void file_dialog(const Panel& panel) {
  const Files& files = panel.state.files;
  const bool opens = files.asks == FileQuestion::open, wanted = files.asks != FileQuestion::none;
  const bool exports = files.asks == FileQuestion::save_export;
  const bool of_sweep = exports && std::holds_alternative<SweepFile>(files.exported->what);
  const char* const name = opens                                   ? tr("Open a file")
                           : files.asks == FileQuestion::save_cuda ? tr("Save the CUDA C++")
                           : of_sweep                              ? tr("Save the sweep")
                           : exports                               ? tr("Save the picture")
                                                                   : tr("Save as");
  const bool begins = wanted && !ImGui::IsPopupOpen(name);
  if (begins) ImGui::OpenPopup(name);
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const float em = ImGui::GetFontSize();
  ImGui::SetNextWindowSize({std::min(em * 44, size.x * 0.95f), 0});
  if (!begin_dialog(name)) return;
  if (opens) recent_files(panel);
  if (dialog_button(tr("Up"), 0)) choose_entry(panel, "..", true);
  ImGui::SameLine();
  const std::string folder = files.folder.path.string();
  text(elided(folder, ImGui::GetContentRegionAvail().x), panel.look.theme.faint_text);
  if (ImGui::IsItemHovered()) tooltip(folder);
  entries(panel, std::clamp(size.y - em * 26, em * 6, em * 16));
  static bool again = false;  // Enter takes the cursor out of the field
  if (begins || std::exchange(again, false)) focus_field();
  ImGui::SetNextItemWidth(-FLT_MIN);
  std::string typed = files.name;
  const bool entered = ImGui::InputTextWithHint(
      "##name", opens ? tr("an experiment (.toml), a program (.streams) or a trace") : tr("the file's name"), &typed,
      ImGuiInputTextFlags_EnterReturnsTrue);
  field_drawn();
  if (entered) again = true, await_field();
  tab_stop(true);
  if (typed != files.name) panel.emit(command::TypeFileName{typed});
  const bool replaces = would_replace(panel.state);
  if (!opens && !files.name.empty()) {
    const std::string path = path_to_save(panel.state, typed_path(files, files.name)).string();
    wrapped(replaces ? tr("{} is there already.", path) : path,
            replaces ? panel.look.theme.warning : panel.look.theme.faint_text);
  }
  const float width = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
  {
    const Disabled disabled(files.name.empty() ? tr("Choose a file, or type its name.") : "");
    const char* const act = opens ? tr("Open") : replaces ? tr("Replace it") : tr("Save");
    // Enter alone replaces nothing.
    if (dialog_button(act, width) || (entered && !replaces)) enter_name(panel, replaces);
    disabled.explain();
  }
  ImGui::SameLine();
  // The field has the keys: Esc is not the panels'.
  if (dialog_button(tr("Cancel"), width) || key_pressed(ImGuiKey_Escape))
    panel.emit(command::AskFile{FileQuestion::none});
  if (!wanted) ImGui::CloseCurrentPopup();
  end_dialog();
}

}  // namespace streamscope::window
