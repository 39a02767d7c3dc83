// The window's inside: state, effects and panels, and how a frame flows through them.
//
//   advance()   what came from the engine and the background, taken into the state; its effects, carried out
//   draw()      the panels, between Dear ImGui's NewFrame and Render; their commands, taken into the state
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/window/effects/effect_runner.h"
#include "app/window/panels/actions.h"
#include "app/window/panels/compare_panel.h"
#include "app/window/panels/cuda_panel.h"
#include "app/window/panels/export_dialog.h"
#include "app/window/panels/operations_panel.h"
#include "app/window/panels/program_panel.h"
#include "app/window/panels/summary_panel.h"
#include "app/window/panels/timeline_panel.h"
#include "app/window/platform/glyphs.h"
#include "app/window/widgets/page.h"

namespace streamscope::window {

class MainWindow {
 public:
  // `before`: how it was left. `wake` makes the window's loop go round; it is called from other threads. `trace`: a
  // file to open on, a saved run or a trace; empty: none, and the first run is started.
  MainWindow(OpenedFile file, const std::filesystem::path& trace, const Remembered& before,
             const std::string& engine_command, void (*wake)());

  Result<void> create();  // makes what lives on the GPU; the context is current
  void destroy();         // and destroys it, while the context still is
  void prepare_fonts(float display_scale);

  void show_hint() { commands_.push_back(command::ShowHint{true}); }  // where to begin
  void open(const std::filesystem::path& file) { commands_.push_back(command::OpenFile{file}); }
  // device: its id; empty: it stays as it is.
  void open_lesson(const std::filesystem::path& folder, lesson::Language language, const std::string& device = {});
  void ask_close() { commands_.push_back(command::Close{}); }  // as the window's close button does
  void undo() { commands_.push_back(command::UndoChange{}); }
  void stop() { commands_.push_back(command::Stop{}); }
  // Keys would go to the wrong field now: they are to wait for the next frame.
  bool holds_keys() const;
  void key(KeyPress press) { keys_.push_back(press); }
  bool walks() const { return state_.workspace.walk != 0; }
  bool steps_in() { return std::exchange(steps_in_, false); }  // the keyboard has come to another panel
  bool advance();                                              // something changed, besides the playhead
  void draw();
  bool acted() const { return acted_; }       // the last frame emitted commands: what they changed is not drawn yet
  void drawn() { last_frame_ = host_now(); }  // the frame is on the screen

  const State& state() const { return state_; }
  int engine_process() const { return effects_.engine_process(); }
  bool drew(std::uint64_t run_number) const { return timeline_.drew(run_number); }

  void remember() { effects_.remember(state_); }  // how it is left, for the next start

  bool closing() const { return state_.workspace.closing; }
  Nanoseconds next_due() const;  // host clock; kAbsent: nothing is due
  bool playing() const { return state_.slow_motion.playing; }
  double worth_waiting() const;  // seconds before the next frame, which would disturb a run that may be over then
  // A control that is held has begun a run of a model in the frame just drawn, and a frame with that run is near: this
  // one is better not shown.
  bool outdated() const;
  std::string title() const;
  ImVec4 gap_colour() const;  // the colour between panels

 private:
  void carry_out();
  void update_all(const Commands& commands);
  Nanoseconds run_due() const;
  void move_playhead();
  void walk();
  float least_dock() const;
  ImVec2 least_size() const;
  void follow_keyboard();
  void panels();
  void dock(const Box& place);
  void program(const Box& place);
  float splitter(const char* name, const Box& box, bool vertical);

  State state_;
  Look look_;
  Commands commands_;
  std::vector<KeyPress> keys_;
  TimelinePanel timeline_;
  ProgramPanel program_;
  CudaPanel cuda_;
  bool cursor_in_cuda_ = false;  // which Dear ImGui does not count as typing: nothing can be typed there
  ExportDialog export_;
  OperationsPanel operations_;
  ComparePanel compare_;
  SummaryView summary_;
  std::optional<command::Dock> shown_dock_;
  float tabs_height_ = 0, toolbar_height_ = 0, banner_height_ = 0, question_height_ = 0, caption_height_ = 0;
  float bars_height_ = 0;  // of all that stands above and below the panels, and of the gap between these
  Page page_;
  float fonts_scale_ = 0;
  Letters letters_;
  timeline::ThemeName styled_ = timeline::ThemeName::dark;
  Nanoseconds last_frame_ = kAbsent;
  bool acted_ = false;
  Nanoseconds frame_begin_ = kAbsent;  // host clock
  int walked_ = 0;                     // Workspace::walk, as it was drawn last
  bool steps_in_ = false;
  Nanoseconds playhead_due_ = kAbsent;  // host clock, while it plays
  EffectRunner effects_;
};

}  // namespace streamscope::window
