#include "app/window/state/open_and_save.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/window/state/effects.h"
#include "app/window/state/run_requests.h"
#include "app/window/state/state.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

// Where files are asked for: beside the one that is open, else where one was chosen last.
std::filesystem::path folder_of(const State& state) {
  const Editing& editing = state.editing;
  return state.files.folder.path /
         (editing.path.empty() || in_shipped_file(editing) ? std::filesystem::path() : editing.path.parent_path());
}

struct OpenAndSave {
  State& state;
  Effects& effects;

  void operator()(const command::ListFolder& c) { effects.list = state.files.folder.path / c.path; }
  void operator()(const command::FileThere& c) {
    Files& files = state.files;
    const bool at_hand = c.exported && is_at_hand(c.exported->number);
    if (files.asks == FileQuestion::none) {
      if (!at_hand) return;  // it was given up meanwhile
      files.exported = c.exported;
      update(files, command::AskFile{FileQuestion::save_export});
      begin_question(state, effects, FileQuestion::save_export);
    } else if (c.exported && !(at_hand && files.asks == FileQuestion::save_export)) {  // that was asked meanwhile
      if (at_hand) files.exported.reset();
      return say(state.status, tr("{} is there already, and stays as it is.", c.path.string()), true);
    }
    files.there = c.path;
  }
  void operator()(const command::Save&) {
    const SavedText what = to_save(state.editing, state.editing.path);
    if (what.path.empty() || what.path != state.editing.path || in_shipped_file(state.editing)) {
      update(state.files, command::AskFile{FileQuestion::save});
      return begin_question(state, effects, FileQuestion::save);
    }
    effects.save = what;
    effects.save->replace = true;
  }
  void operator()(const command::SaveAs& c) {
    if (state.files.asks == FileQuestion::save_export) {
      if (!state.files.exported) return;
      effects.exported = state.files.exported;
      effects.exported->path = path_to_save(state, c.path);
      effects.exported->replace = c.replace;
      return;
    }
    const bool cuda = state.files.asks == FileQuestion::save_cuda;
    effects.save = cuda ? to_save_as_cuda(state.editing, c.path) : to_save(state.editing, c.path);
    effects.save->replace = c.replace;
  }
  void operator()(const command::FileSaved& c) {
    if (state.files.asks != FileQuestion::save_export) state.files.asks = FileQuestion::none;
    if (c.saved.as != SavedAs::cuda) {
      saved(state.editing, c.saved);
      note_recent(state.files, c.saved.path);
    }
    say(state.status, tr("Saved {}", c.saved.path.string()));
  }
  void operator()(const command::ExportSaved& c) {
    if (is_at_hand(c.number)) end_export();
    say(state.status, tr("Wrote {}", c.path.string()));
  }
  // Where it was asked for, the question stands.
  void operator()(const command::ExportFailed& c) {
    if (is_at_hand(c.number) && state.files.asks != FileQuestion::save_export) end_export();
    say(state.status, c.why, true);
  }
  bool is_at_hand(std::uint64_t number) const { return state.files.exported && state.files.exported->number == number; }
  void end_export() {
    if (state.files.asks == FileQuestion::save_export) state.files.asks = FileQuestion::none;
    state.files.exported.reset();
  }
  void operator()(const command::OpenFile& c) {
    state.workspace.hint_open = false;
    update(state.files, command::AskFile{FileQuestion::none});
    effects.open = c.path;
  }
  void operator()(const command::FileOpened& c) {
    take(state.editing, c.file);
    note_recent(state.files, c.file.path);
    forget_places(state.timeline);
    if (state.running.engine == EngineStatus::up) run_now(state, effects, RunFor::figures);
  }
  // It is shown, and runs nothing: not now, nor by itself when the engine comes up.
  void operator()(const command::TraceOpened& c) {
    state.running.ran_once = true;
    state.running.live = false;
    if (c.file) take(state.editing, *c.file);
    note_recent(state.files, c.path);
    forget_places(state.timeline);
    forget_intervals(state.timeline);
    state.slow_motion.playhead = kAbsent;
    state.slow_motion.playing = false;
    FinishedRun opened{.id = 0, .number = ++state.runs.finished, .started = {}, .run = c.run};
    opened.started.label = c.name;
    if (trace::of_another_tool(c.run->trace.provenance)) {
      state.carried.files[opened.number] = {c.path, nullptr, nullptr};
      effects.extras = ExtrasWanted{opened.number, c.path};
    }
    effects.prepare.push_back(std::move(opened));
    say(state.status, c.file || c.run->notes.empty() ? tr("Opened {}.", c.name) : c.run->notes.front().text);
  }
  void operator()(const command::ExtrasRead& c) {
    if (find_run(state.runs, c.run) == nullptr) return;  // dropped meanwhile
    state.carried.files[c.run] = c.file;
    ask_arguments(state, effects);
  }
  void operator()(const command::ArgumentsRead& c) {
    state.carried.run = c.run;
    state.carried.operation = c.operation;
    state.carried.arguments = c.arguments;
  }
};

}  // namespace

void update(State& state, Effects& effects, const OpenAndSaveCommand& command) {
  std::visit(OpenAndSave{state, effects}, command);
}

void begin_question(State& state, Effects& effects, FileQuestion which) {
  if (which == FileQuestion::none) return;
  const Editing& editing = state.editing;
  const std::optional<ExportedFile>& exported = state.files.exported;
  const bool exports = which == FileQuestion::save_export && exported;
  const std::filesystem::path proposed = !exports                 ? std::filesystem::path()
                                         : exported->path.empty() ? path_of(state, *exported)
                                                                  : exported->path;
  effects.list = exports ? proposed.parent_path() : folder_of(state);
  if (which == FileQuestion::save) state.files.name = to_save(editing, editing.experiment_name).path.string();
  if (which == FileQuestion::save_cuda) state.files.name = cuda_name(state);
  if (exports) state.files.name = proposed.filename().string();
}

std::filesystem::path path_of(const State& state, const ExportedFile& exported) {
  const auto* const picture = std::get_if<PictureOfRun>(&exported.what);
  return folder_of(state) / fmt::format("{}-{}.{}", std::filesystem::path(cuda_name(state)).stem().string(),
                                        picture != nullptr ? fmt::format("run-{}", picture->run->number) : "sweep",
                                        ending_of(exported));
}

std::filesystem::path path_to_save(const State& state, std::filesystem::path typed) {
  switch (state.files.asks) {
    case FileQuestion::none:
    case FileQuestion::open: break;
    case FileQuestion::save: return to_save(state.editing, std::move(typed)).path;
    case FileQuestion::save_cuda: return to_save_as_cuda(state.editing, std::move(typed)).path;
    case FileQuestion::save_export:
      const std::string ending = fmt::format(".{}", ending_of(*state.files.exported));
      if (!typed.empty() && typed.extension() != ending) typed += ending;
  }
  return typed;
}

bool would_replace(const State& state) {
  const Files& files = state.files;
  if (files.asks == FileQuestion::none || files.asks == FileQuestion::open || files.name.empty()) return false;
  const std::filesystem::path path = path_to_save(state, typed_path(files, files.name));
  if (path == files.there) return true;
  return path.parent_path() == files.folder.path && std::ranges::any_of(files.folder.entries, [&](const auto& each) {
           return !each.folder && each.name == path.filename();
         });
}

void ask_arguments(const State& state, Effects& effects) {
  if (!state.runs.shown || state.timeline.selected == kNoOperation) return;
  const auto file = state.carried.files.find(state.runs.shown->number);
  if (file == state.carried.files.end() || file->second.extras == nullptr) return;
  effects.arguments = ArgumentsWanted{file->first, file->second.path, file->second.extras, state.timeline.selected};
}

}  // namespace streamscope::window
