// What every panel gets, and the panels. A panel draws the state into its place and emits commands; it owns no data of
// the engine. What it must remember between frames (an open drag, a cached picture) lies in its own struct.
#pragma once

#include <imgui.h>

#include <memory>
#include <utility>

#include "app/window/probe.h"
#include "app/window/state/command.h"
#include "app/window/state/state.h"
#include "app/window/widgets/style.h"

namespace streamscope::window {

struct Box {
  float x = 0, y = 0, width = 0, height = 0;
};

struct Panel {
  const State& state;
  const Look& look;
  Probe& probe;
  Commands& commands;

  template <class C>
  void emit(C command) const {
    commands.emplace_back(std::move(command));
  }
};

// A fixed window without decoration at that place. Ends with ImGui::End().
void begin_panel(const char* name, const Box& place, ImGuiWindowFlags flags = 0);

class TimelinePanel;

// Toolbar: gives back the height it needs at that width.
float toolbar(const Panel& panel, const Box& place);
float lost_banner(const Panel& panel, const Box& place);         // only where the engine is lost
float long_kernel_banner(const Panel& panel, const Box& place);  // only where a program was refused for that
void experiment_panel(const Panel& panel, const Box& place);
void what_if_controls(const Panel& panel);  // a group of the experiment panel; nothing where no model is known
void summary_panel(const Panel& panel, const Box& place, int plot_width);  // of the timeline, for views to go to
void status_bar(const Panel& panel, const Box& place);
void keys_help(const Panel& panel);
void palette(const Panel& panel, TimelinePanel& timeline);  // over everything else, where it is open

class TimelinePanel {
 public:
  TimelinePanel();
  ~TimelinePanel();
  TimelinePanel(TimelinePanel&&) noexcept;
  TimelinePanel& operator=(TimelinePanel&&) noexcept;
  // Makes what it needs on the GPU; the GL context must be current, here and when it is destroyed.
  Result<void> create();
  void draw(const Panel& panel, const Box& place);
  // Keys that need to know the timeline's width: zoom, pan, frame the selection.
  void zoom(const Panel& panel, double factor);
  void pan(const Panel& panel, double share);  // of the plot's width
  void frame_selection(const Panel& panel);
  void toggle_inside(const Panel& panel);  // of the selected kernel, else of the opened one
  void frame(const Panel& panel, const std::optional<trace::Span>& span,
             const std::optional<trace::Span>& beside);  // both in view
  int plot_width() const;                                // pixels, for views that others ask for
  bool drew(std::uint64_t run_number) const;             // that run is in the picture
  timeline::View view_for(int width) const;              // what is seen now, on a picture of that width
  trace::Interval in_sight() const;                      // what the plot shows
  double pixel() const;                                  // of the plot, in nanoseconds

 private:
  struct Kept;
  std::unique_ptr<Kept> kept_;
};

// The lower panel: one of its tabs is open. Gives back the height of the row of tabs.
float dock_tabs(const Panel& panel, const Box& place);
void slow_motion_panel(const Panel& panel, const Box& place);  // what every stream and engine does at one instant

// The runs kept, and two of them held against each other.
class ComparePanel {
 public:
  void draw(const Panel& panel, const Box& place, TimelinePanel& timeline);

 private:
  void history(const Panel& panel, float width);
  void run_row(const Panel& panel, std::size_t index, float tall);
  void name_field(const Panel& panel, const ShownRun& run);
  void differences(const Panel& panel, TimelinePanel& timeline);

  std::uint64_t naming_ = kNoRun;  // whose name stands in the field
  std::string name_;
  OperationIndex followed_ = kNoOperation;  // the selection that the table has been scrolled to
};

class ProgramPanel {
 public:
  void draw(const Panel& panel, const Box& place);

 private:
  std::string text_;
  std::uint64_t version_ = 0;
  int cursor_ = -1;
  std::uint32_t scroll_to_line_ = 0;
};

// The search, the table of operations and the histogram of them.
class OperationsPanel {
 public:
  OperationsPanel();
  ~OperationsPanel();
  OperationsPanel(OperationsPanel&&) noexcept;
  OperationsPanel& operator=(OperationsPanel&&) noexcept;
  void draw(const Panel& panel, const Box& place, int plot_width);  // of the timeline, for views to go to
  bool awaits_cursor() const;  // Enter took it out of the search, and the next key is meant for there

 private:
  struct Kept;
  std::unique_ptr<Kept> kept_;
};

}  // namespace streamscope::window
