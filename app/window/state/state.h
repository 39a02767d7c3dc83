// Everything the window shows, as one plain value, and the one function that changes it.
//
// apply() calls nothing outside: what must be done in the world (start a run, read a file) it leaves in State::wants,
// and the window's loop carries that out. So the whole behaviour can be tested without a window or an engine.
#pragma once

#include <map>

#include "app/session/session.h"
#include "app/window/state/command.h"
#include "app/window/state/observer_effect.h"
#include "app/window/state/playback.h"
#include "engine/analysis/analysis.h"
#include "engine/analysis/compare.h"
#include "engine/analysis/noise.h"

namespace streamscope::window {

// A finished run, with what the views need of it. Made on the background thread; immutable.
struct ShownRun {
  std::uint64_t number = 0;     // counts the finished runs from 1; 0: a glimpse of a run that goes on
  std::uint64_t id = 0;         // the session's
  Subject subject = 0;          // of its observer effect
  std::string label;            // "4 streams · 16 MiB · 5.3 ms"
  Nanoseconds asked = kAbsent;  // host clock, when what led to it was asked for
  std::shared_ptr<const trace::Run> run;
  timeline::Tracks tracks;
  timeline::Waiters waiters;
  analysis::Analysis analysis;
  analysis::FigureNoise noise;
  // Of a run that was predicted.
  std::optional<timeline::Tracks> with_ghosts;
  analysis::PredictionError error;
  analysis::Comparison comparison;
};

enum class EngineStatus : std::uint8_t { starting, up, lost };

// What a run is made for.
enum class RunFor : std::uint8_t {
  figures,  // Run was pressed: repeated, with bare runs beside, the data checked
  picture,  // a control was changed, or live mode: once, so that it is on screen soon
  pairs,    // the observer effect of the run in view; it is not shown itself
};

// A run that was asked for and has not come back.
struct Started {
  std::string label;
  Nanoseconds asked = kAbsent;  // what led to it
  Nanoseconds begun = kAbsent;  // handed to the session
  RunFor purpose = RunFor::figures;
  Subject subject = 0;
};

// A run that has come back and is to be prepared for the views.
struct Finished {
  std::uint64_t id = 0;
  std::uint64_t number = 0;
  Started started;
  std::shared_ptr<const trace::Run> run;
};
std::shared_ptr<const ShownRun> prepare(const Finished& finished);

// A program the engine refused because a kernel of it would freeze a display.
struct LongKernel {
  std::string why;     // as the engine said it
  double seconds = 0;  // how long the longest takes; 0: it was not said
};

struct State {
  // What is set
  experiment::Experiment experiment;
  std::string experiment_name;   // of the file: "four-streams"
  std::string experiment_error;  // why these settings cannot be built; empty: they can
  bool own_program = false;      // the file held a stream program of its own: the controls do not apply
  OpenedFile own;                // that file
  std::vector<Listed> shipped;
  std::string program;        // the text that Run runs
  std::uint64_t version = 0;  // counts its changes
  bool edited = false;        // typed: it is no longer what the controls build
  std::string typed_aside;    // typed text that a reset put away
  std::uint64_t checked = 0;  // the version the diagnostics are of
  std::vector<program::Diagnostic> diagnostics;
  std::string device = "auto";
  int repeat = 0;  // timed runs of a pressed Run; 0: by the device
  Measuring measuring;
  bool predict = false;                    // a model predicts each run
  std::map<std::string, double> what_ifs;  // what differs from the profile, by key; see what_if_model()

  // The engine and its runs
  EngineStatus engine = EngineStatus::starting;
  std::string engine_program;  // "streamscope 0.1.0"
  catalog::DeviceList devices;
  session::session_event::EngineLost lost;
  std::uint64_t in_progress = 0;  // the run that was asked for last, until it comes back; 0: none
  std::map<std::uint64_t, Started> started;
  int passes_done = 0, passes_total = 0;
  std::vector<trace::Span> glimpse;  // of the run in progress
  bool live = false;
  bool run_when_checked = false;
  bool ran_once = false;           // the first run is started by itself
  Nanoseconds live_due = kAbsent;  // host clock: when live mode wants its next run
  Nanoseconds last_start = kAbsent;
  Nanoseconds quick_took = kAbsent;  // how long the last quick run took, as the person waits
  std::uint64_t finished = 0;        // counts them
  std::vector<std::shared_ptr<const ShownRun>> runs;
  std::shared_ptr<const ShownRun> shown;  // the one in view
  std::size_t spans_kept = 0;
  Pairs pairs;
  Nanoseconds pairs_due = kAbsent;    // host clock: when the run in view wants its observer effect known
  std::optional<LongKernel> refused;  // the person is asked whether it shall run all the same

  // The view
  std::optional<timeline::View> view;  // nothing: fit
  OperationIndex selected = kNoOperation;
  timeline::Opening opening;  // the kernel whose inside is in view
  Nanoseconds measure_begin = kAbsent, measure_end = kAbsent;
  std::optional<trace::Interval> range;  // limits all statistics
  std::vector<trace::Interval> marks;    // in the order of their begins
  timeline::TrackChoice choice;
  std::string search;
  bool search_focus = false;  // the search wants the cursor
  reading::TableSort table_sort;
  // What was read last, maybe of another run or search than those in view (readings.h), and whether it is being made.
  std::shared_ptr<const TableReading> table;
  std::shared_ptr<const RangeReading> range_reading;
  bool table_under_way = false, range_under_way = false;
  timeline::ColourBy colour_by = timeline::ColourBy::kind;
  timeline::ThemeName theme = timeline::ThemeName::dark;
  float text_scale = 1;
  bool keys_open = false, palette_open = false, export_open = false;
  bool controls_open = true, summary_open = true, dock_open = true;
  command::Dock dock = command::Dock::program;

  // Two runs: the one in view, and one beside it
  std::shared_ptr<const ShownRun> beside;
  command::Arrangement arrangement = command::Arrangement::stacked;
  std::map<std::uint64_t, std::string> run_names;    // that a person gave, by number
  std::map<std::uint64_t, std::string> run_changes;  // what was changed from the run before, by number
  std::uint64_t renaming = kNoRun;
  Alignment alignment = Alignment::first_call;
  analysis::WorstBy worst_by = analysis::WorstBy::length;
  OperationIndex selected_beside = kNoOperation;  // of the second run
  std::shared_ptr<const ShownPair> pair;          // see two_runs.h
  std::optional<PairRequest> pair_asked;
  std::optional<std::optional<timeline::View>> view_alone;  // that was there before a second run came

  // Slow motion
  Nanoseconds playhead = kAbsent;
  bool playing = false;
  double times_slower = 1000;
  Playback playback;
  std::shared_ptr<const timeline::InstantIndex> instants;  // made when slow motion is first looked at
  std::shared_ptr<const ShownRun> instants_of;

  // The status bar
  std::string said;
  bool said_error = false;

  // For the window's loop to carry out; it clears them.
  struct Wants {
    bool run = false, stop = false, restart = false, check = false, close = false;
    std::optional<draw::PictureRequest> picture;
    bool picture_of_view = false;  // with what is in sight of the timeline
    RunFor purpose = RunFor::figures;
    bool long_kernels = false;
    Nanoseconds asked = kAbsent;
    std::optional<std::filesystem::path> open;
    std::vector<Finished> prepare;
    std::optional<PairRequest> pair;
    std::shared_ptr<const ShownPair> copy;  // its differences, to the clipboard
    std::optional<std::string> clipboard;
  } wants;
};

inline constexpr float kSmallestText = 0.75f, kLargestText = 3;
// Live mode starts at most this often, so that the window stays responsive.
inline constexpr Nanoseconds kLivePeriod = 50'000'000;
// A change of a control runs again by itself where that takes no longer.
inline constexpr Nanoseconds kQuickEnough = 2'000'000'000;
// Enough for a median with its quartiles, and for the observer effect; a model gives the same each time.
inline constexpr int kRunsOnGpu = 5, kRunsOnModel = 1;
inline constexpr int kRunsForPairs = 5;
inline constexpr std::uint32_t kLargestShare = 1024;
// Pairs are made once nothing was changed for so long, where they do not take long themselves.
inline constexpr Nanoseconds kRest = 400'000'000, kShortEnoughForPairs = 150'000'000;
// Finished runs are kept up to this many spans (about 100 bytes each); then the oldest go, and the window says so.
inline constexpr std::size_t kSpansKept = 4'000'000;

State first_state(OpenedFile file);
void apply(State& state, const Command& command);
void apply(State& state, const session::SessionEvent& event);

bool has_error(const std::vector<program::Diagnostic>& diagnostics);
// What the text is called in lists: "4 streams · 16 MiB", "default-stream-trap", "typed program".
std::string label(const State& state);
// Why a run cannot be started now; empty: it can.
std::string why_not_run(const State& state);
// The device that a run would go to; null where that is not known (yet).
const device::DeviceInfo* device_of(const State& state);
bool on_gpu(const State& state);
// The model whose numbers "what if" changes: the chosen one, or the one that predicts the chosen GPU. Null: none known.
const device::DeviceInfo* what_if_model(const State& state);
// Of it, as it is named to the engine: "model:h200,copies.engines=1".
std::string changed_model(const State& state, const device::DeviceInfo& model);
// The profile whose ghosts are in view; empty: there are none.
std::string ghost_of(const State& state);
const timeline::Tracks& tracks_in_view(const State& state);  // of the run shown, which there must be
int runs_of_figures(const State& state);
// A sampled run sees a share of the operations: so many of them see each once. Of fewer runs each would see more
// (measure.h), and disturb more.
int runs_to_see_all(const Measuring& measuring);
// The request for the session, for the text as it is.
remote::message::StartRun request(const State& state, RunFor purpose, bool long_kernels = false);
std::optional<trace::Span> span_of(const State& state, OperationIndex operation);

}  // namespace streamscope::window
