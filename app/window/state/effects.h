// What is to be done outside the state: update() gives it back as a value, and EffectRunner carries it out.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/window/state/carried.h"
#include "app/window/state/comparison.h"
#include "app/window/state/cuda_beside.h"
#include "app/window/state/files.h"
#include "app/window/state/lesson.h"
#include "app/window/state/run_verdict.h"
#include "app/window/state/shown_run.h"
#include "app/window/state/sweeping.h"

namespace streamscope::window {

struct RunWanted {
  RunFor purpose = RunFor::figures;
  bool long_kernels = false;
  Nanoseconds asked = kAbsent;  // host clock, where a change asked for it
};

struct Effects {
  std::optional<RunWanted> run;
  bool drop_run = false;  // one that was wanted before and has not begun is wanted no more
  bool stop = false, restart = false, check = false;
  std::optional<ExportedFile> exported;
  std::optional<std::filesystem::path> open;
  std::optional<std::filesystem::path> list;  // a folder
  struct OwnCode {
    std::filesystem::path program;  // the file that it is of
    std::uint64_t version = 0;      // and of its text
    std::vector<std::string> files = {};
    friend bool operator==(const OwnCode&, const OwnCode&) = default;
  };
  std::optional<OwnCode> own_code;                      // to be read, for the engine
  std::vector<std::filesystem::path> gallery_pictures;  // of these files
  std::optional<SavedText> save;
  std::optional<CudaWanted> cuda;
  std::optional<SweepSource> combine;
  struct SweepRun {
    std::size_t point;
    std::shared_ptr<const trace::Run> run;
  };
  std::vector<SweepRun> sweep_results;  // to be found
  std::vector<FinishedRun> prepare;
  struct OwnMeasured {
    std::shared_ptr<const trace::Run> run;
    std::vector<kernels::OwnSource> sources;
  };
  std::optional<OwnMeasured> own_measured;  // whose kernels' times are to be remembered
  std::optional<PairRequest> pair;
  std::shared_ptr<const ShownRun> verdict;  // the run that one is to be made on
  bool drop_verdict = false;                // one that is being made is wanted no more
  std::shared_ptr<const ShownPair> copy;    // its differences, to the clipboard
  std::optional<std::string> clipboard;
  std::optional<ExtrasWanted> extras;
  std::optional<ArgumentsWanted> arguments;
  std::optional<std::filesystem::path> lesson;  // to be opened: its folder
  std::vector<LessonWork> lesson_runs;
  std::optional<LessonAnswers> answers;  // to be saved

  Effects& operator+=(Effects later);  // of several only the last is done, but all runs are prepared
};

}  // namespace streamscope::window
