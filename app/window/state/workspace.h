// How the window itself is arranged: which panels are open, in which theme, with how large a text.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>

#include "app/timeline/miniature.h"
#include "app/timeline/theme.h"
#include "engine/lesson/lesson.h"

namespace streamscope::window {

inline constexpr const char* kGalleryModel = "h200";  // whose pictures the gallery has
inline constexpr float kSmallestText = 0.75f, kLargestText = 3;
// Of the text where it is shown to a room, the theme's own scale in it: 24 pixels of 720 are read from the last row.
inline constexpr float kPresentScale = 1.6f;

// How much the panels take: the side ones in points at text size 1, the lower one of the height.
struct PanelSizes {
  float controls = 292, summary = 292, lower = 0.3f;
  float cuda = 0.5f;  // of the program's tab, where its CUDA C++ stands beside it
  friend bool operator==(const PanelSizes&, const PanelSizes&) = default;
};
inline constexpr float kNarrowest = 160, kWidest = 900, kLowest = 0.1f, kHighest = 0.8f;

namespace command {
struct SizePanels {
  PanelSizes sizes;
};
struct SetTheme {
  timeline::ThemeName name;
};
struct SetLanguage {  // of the window from its next start on, of lessons at once
  lesson::Language language;
};
struct SetTextScale {  // of the panels, or of what is presented
  float scale;
};
struct ShowKeys {
  bool open;
};
enum class Side : std::uint8_t { controls, summary, program };
struct TogglePanel {
  Side side;
};
enum class Dock : std::uint8_t { program, operations, compare, slow_motion, waits, sweep, totals };
inline constexpr Dock kLastDock = Dock::totals;
struct ShowDock {  // that tab of the lower panel, which opens where it was closed
  Dock dock;
};
struct ShowCuda {  // beside the program; its tab opens
  bool open;
};
struct FocusSearch {};    // opens the table of operations, the cursor in its search
struct SearchFocused {};  // and there it is
struct ShowPalette {
  bool open;
};
struct TypeInPalette {
  std::string words;
};
// The keyboard goes to the next panel, or the one before: arrows walk its controls.
struct Walk {
  int by;
};
struct EndWalk {};
struct ShowGallery {
  bool open;
};
struct TypeInGallery {
  std::string words;
};
struct PictureMade {  // of a card of the gallery
  std::filesystem::path file;
  timeline::Miniature picture;
};
struct Present {  // or end it: all panels but the timeline step aside
  bool on;
};
struct ShowHint {  // where to begin
  bool open;
};
struct LineShown {};  // of the program: Workspace::show_line
struct Close {
  bool even_unsaved = false;  // else it is asked about text that is not in any file
};
struct StayOpen {};  // the answer
struct ShowExport {  // the questions before a picture is written; it looks at the run in view, too
  bool open;
};
}  // namespace command

struct Workspace {
  timeline::ThemeName theme = timeline::ThemeName::dark;
  std::optional<lesson::Language> language;  // that was chosen here; nothing: the system's
  float text_scale = 1, present_scale = kPresentScale;
  std::string palette_words, gallery_words;  // typed there
  std::map<std::filesystem::path, timeline::Miniature> gallery_pictures;
  bool keys_open = false, palette_open = false, export_open = false, gallery_open = false;
  bool controls_open = true, summary_open = true, dock_open = true;
  PanelSizes sizes;
  bool presenting = false;  // to a room
  struct OpenPanels {
    bool controls, summary, dock;
  };
  OpenPanels before_presenting{};  // which come back when it ends
  command::Dock dock = command::Dock::program;
  bool cuda_open = false;
  bool hint_open = false;
  int walk = 0;                 // the panel whose controls the keyboard walks: one of kWalked from 1 on; 0: none
  bool search_focus = false;    // the search wants the cursor
  std::uint32_t show_line = 0;  // of the program, which is to come into sight; 0: none
  bool asks_close = false;      // whether the window shall close and typed text be lost
  bool closing = false;         // the window is
};
inline constexpr int kWalked = 5;  // toolbar, controls, tabs, lower panel, summary
inline float text_scale_now(const Workspace& workspace) {
  return workspace.presenting ? workspace.present_scale : workspace.text_scale;
}
// One that takes the keys.
inline bool dialog_open(const Workspace& workspace) {
  return workspace.keys_open || workspace.export_open || workspace.asks_close || workspace.gallery_open;
}

using WorkspaceCommand =
    std::variant<command::SetTheme, command::SetLanguage, command::SetTextScale, command::ShowKeys,
                 command::TogglePanel, command::ShowDock, command::FocusSearch, command::SearchFocused,
                 command::ShowPalette, command::TypeInPalette, command::ShowHint, command::LineShown, command::StayOpen,
                 command::ShowGallery, command::TypeInGallery, command::Walk, command::EndWalk, command::PictureMade,
                 command::Present, command::SizePanels, command::ShowCuda>;
void update(Workspace& workspace, const WorkspaceCommand& command);

}  // namespace streamscope::window
