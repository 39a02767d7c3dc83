// What panels and keys ask for. They emit these and change nothing themselves; update() (update.h) is the only reader.
#pragma once

#include <concepts>
#include <cstdint>
#include <variant>
#include <vector>

#include "app/draw/picture_file.h"
#include "app/window/state/comparison.h"
#include "app/window/state/cuda_beside.h"
#include "app/window/state/editing.h"
#include "app/window/state/files.h"
#include "app/window/state/help.h"
#include "app/window/state/lesson.h"
#include "app/window/state/live.h"
#include "app/window/state/open_and_save.h"
#include "app/window/state/readings.h"
#include "app/window/state/run_settings.h"
#include "app/window/state/running.h"
#include "app/window/state/runs.h"
#include "app/window/state/setup.h"
#include "app/window/state/slow_motion.h"
#include "app/window/state/status.h"
#include "app/window/state/sweeping.h"
#include "app/window/state/timeline_view.h"
#include "app/window/state/verdicts.h"
#include "app/window/state/workspace.h"

namespace streamscope::window {

namespace command {

struct ExportPng {};  // as it is set
enum class Extent : std::uint8_t { whole, in_sight, range, measured };
struct Export {
  draw::PictureRequest request;  // without a path, which is asked for
};

}  // namespace command

// One of them: of one area of the state, or of several. What a variant of so many kinds needs (to be made, moved,
// destroyed) is compiled once, in command.cpp: in every panel it took seconds.
class Command {
 public:
  using Kind = std::variant<
      EditingCommand, SettingsCommand, TimelineCommand, ReadingsCommand, WorkspaceCommand, HelpCommand, VerdictCommand,
      FilesCommand, OpenAndSaveCommand, CudaCommand, command::CopyCuda, command::SetPredict, command::RunNow,
      command::Stop, command::RunStarted, command::RunLongKernels, command::OwnCodeRead, command::PairsDue,
      command::RefereeDue, command::ToggleLive, command::LiveDue, command::RestartEngine, command::ShowRun,
      command::Select, command::ToggleInside, command::CompareWith, command::Arrange, command::Align,
      command::SortDifferences, command::SelectCompared, command::CopyDifferences, command::BeginRename,
      command::RenameRun, command::SetPlayhead, command::Play, command::SetSpeed, command::PlayheadDue, command::Close,
      command::ExportPng, command::ShowExport, command::Export, command::ProgramChecked, command::OwnTimesMeasured,
      command::RunPrepared, command::RunNotPrepared, command::InstantsFound, command::PairPrepared, LiveCommand,
      command::SingleShot, command::UndoChange, command::RedoChange, SweepCommand, command::StartSweep,
      command::StopSweep, command::SweepCombined, command::SweepMeasured, command::ShowSweepPoint, command::WriteSweep,
      command::EndChange, command::UseRunSettings, command::Copied, command::Say, LessonCommand>;

  template <class K>
  requires(!std::same_as<K, Command>) Command(K what);  // NOLINT: each kind is a command
  Command(const Command&);
  Command(Command&&) noexcept;
  Command& operator=(const Command&);
  Command& operator=(Command&&) noexcept;
  ~Command();

  const Kind& kind() const { return kind_; }

 private:
  Kind kind_;
};
using Commands = std::vector<Command>;

}  // namespace streamscope::window
