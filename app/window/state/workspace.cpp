#include "app/window/state/workspace.h"

#include <algorithm>

namespace streamscope::window {
namespace {

struct WorkspaceUpdate {
  Workspace& workspace;

  void operator()(const command::SizePanels& c) {
    const auto side = [](float width) { return std::clamp(width, kNarrowest, kWidest); };
    workspace.sizes = {side(c.sizes.controls), side(c.sizes.summary), std::clamp(c.sizes.lower, kLowest, kHighest),
                       std::clamp(c.sizes.cuda, kLowest, kHighest)};
  }
  void operator()(const command::SetTheme& c) { workspace.theme = c.name; }
  void operator()(const command::SetLanguage& c) { workspace.language = c.language; }
  void operator()(const command::SetTextScale& c) {
    (workspace.presenting ? workspace.present_scale : workspace.text_scale) =
        std::clamp(c.scale, kSmallestText, kLargestText);
  }
  void operator()(const command::ShowKeys& c) { workspace.keys_open = c.open; }
  void operator()(const command::TogglePanel& c) {
    bool& open = c.side == command::Side::controls  ? workspace.controls_open
                 : c.side == command::Side::summary ? workspace.summary_open
                                                    : workspace.dock_open;
    open = !open;
  }
  void operator()(const command::ShowDock& c) {
    workspace.dock = c.dock;
    workspace.dock_open = true;
  }
  void operator()(const command::ShowCuda& c) {
    workspace.cuda_open = c.open;
    if (c.open) (*this)(command::ShowDock{command::Dock::program});
  }
  void operator()(const command::FocusSearch&) {
    (*this)(command::ShowDock{command::Dock::operations});
    workspace.search_focus = true;
  }
  void operator()(const command::SearchFocused&) { workspace.search_focus = false; }
  void operator()(const command::ShowPalette& c) {
    workspace.palette_open = c.open;
    workspace.palette_words.clear();
    if (c.open) workspace.keys_open = false;
  }
  void operator()(const command::TypeInPalette& c) { workspace.palette_words = c.words; }
  void operator()(const command::Walk& c) {
    const int next = workspace.walk == 0 ? (c.by > 0 ? 0 : kWalked - 1) : workspace.walk - 1 + c.by;
    workspace.walk = (next + kWalked) % kWalked + 1;
  }
  void operator()(const command::EndWalk&) { workspace.walk = 0; }
  void operator()(const command::ShowGallery& c) {
    workspace.gallery_open = c.open;
    workspace.gallery_words.clear();
  }
  void operator()(const command::TypeInGallery& c) { workspace.gallery_words = c.words; }
  void operator()(const command::PictureMade& c) { workspace.gallery_pictures[c.file] = c.picture; }
  void operator()(const command::Present& c) {
    if (c.on == workspace.presenting) return;
    workspace.presenting = c.on;
    if (c.on)
      workspace.present_scale =
          std::max(kPresentScale, workspace.text_scale * timeline::theme(workspace.theme).text_scale);
    if (c.on) workspace.before_presenting = {workspace.controls_open, workspace.summary_open, workspace.dock_open};
    const Workspace::OpenPanels& open = workspace.before_presenting;
    workspace.controls_open = !c.on && open.controls;
    workspace.summary_open = !c.on && open.summary;
    workspace.dock_open = !c.on && open.dock;
  }
  void operator()(const command::ShowHint& c) { workspace.hint_open = c.open; }
  void operator()(const command::LineShown&) { workspace.show_line = 0; }
  void operator()(const command::StayOpen&) { workspace.asks_close = false; }
};

}  // namespace

void update(Workspace& workspace, const WorkspaceCommand& command) { std::visit(WorkspaceUpdate{workspace}, command); }

}  // namespace streamscope::window
