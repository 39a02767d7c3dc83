#include "app/window/state/editing.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/timeline/span_text.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/experiment/build.h"
#include "engine/experiment/check.h"
#include "engine/experiment/experiment_file.h"
#include "engine/program/syntax/parse.h"

namespace streamscope::window {
namespace {

void set_text(Editing& editing, std::string text, bool edited) {
  editing.program = std::move(text);
  editing.edited = edited;
  ++editing.version;
  editing.diagnostics.clear();
  editing.refused.reset();
  editing.uncompiled.reset();
}

// The program text that the settings build, or why they build none.
void build_text(Editing& editing) {
  editing.experiment_error = why_not_built(editing.experiment);
  if (!editing.experiment_error.empty()) return;
  set_text(editing, experiment::build(editing.experiment), false);
}

// For command::RestoreTyped.
void keep_typed(Editing& editing) {
  if (editing.edited) editing.replaced = editing.program;
}

struct EditingUpdate {
  Editing& editing;

  bool operator()(const command::SetExperiment& c) {
    if (c.experiment == editing.experiment) return false;
    const kernels::Choice& before = editing.experiment.kernel;
    if (before.kernel != nullptr && before.kernel != c.experiment.kernel.kernel) {
      editing.kernel_values[before.kernel] = before.values;
    }
    editing.experiment = c.experiment;
    build_text(editing);
    return editing.experiment_error.empty();
  }
  bool operator()(const command::EditProgram& c) {
    if (c.text != editing.program) set_text(editing, c.text, true);
    return false;
  }
  bool operator()(const command::ResetProgram&) {
    keep_typed(editing);
    if (editing.own_program)
      set_text(editing, editing.own.content.program, false);
    else
      build_text(editing);
    return true;
  }
  bool operator()(const command::RestoreTyped&) {
    if (!editing.replaced.empty()) set_text(editing, std::exchange(editing.replaced, {}), true);
    return false;
  }
  bool operator()(const command::BackToPipeline&) {
    keep_typed(editing);
    editing.own_program = false;
    editing.path.clear();
    editing.own_code.clear();
    editing.experiment_name = tr("pipeline");
    build_text(editing);
    return true;
  }
  bool operator()(const command::LeaveLongKernels&) {
    editing.refused.reset();
    return false;
  }
  bool operator()(const command::LookAtError& c) {
    if (editing.uncompiled && c.error <= editing.uncompiled->errors.size()) editing.uncompiled->looked_at = c.error;
    return false;
  }
  bool operator()(const command::FilesListed& c) {
    editing.shipped = c.files;
    return false;
  }
};

}  // namespace

std::string why_not_built(const experiment::Experiment& experiment) {
  const auto valid = experiment::check(experiment);
  return valid ? std::string() : valid.error().message;
}

bool update(Editing& editing, const EditingCommand& command) { return std::visit(EditingUpdate{editing}, command); }

void take(Editing& editing, OpenedFile file) {
  editing.own_code.clear();
  keep_typed(editing);
  editing.experiment_name = file.name;
  editing.path = file.path;
  editing.own_program = file.is_program();
  if (editing.own_program) {
    editing.own = std::move(file);
    editing.experiment_error.clear();
    set_text(editing, editing.own.content.program, false);
  } else {
    editing.experiment = std::move(file.content);
    build_text(editing);
  }
}

void apply(Editing& editing, const remedy::Source& changed) {
  keep_typed(editing);
  auto parsed = experiment::parse_experiment(changed.experiment, "experiment");
  if (changed.experiment.empty() || !parsed || !parsed->experiment.program.empty())
    return set_text(editing, changed.program, true);
  editing.own_program = false;
  editing.experiment = std::move(parsed->experiment);
  build_text(editing);
}

void bring_back(Editing& editing, Editing before) {
  const bool edited = before.edited;
  before.shipped = std::move(editing.shipped);
  before.version = editing.version;  // which counts on
  // It was let run for the file that is left here.
  if (before.path != editing.path || before.own != editing.own) before.own_code.clear();
  std::string text = before.program;
  editing = std::move(before);
  set_text(editing, std::move(text), edited);
}

SavedText to_save_as_cuda(const Editing& editing, std::filesystem::path path) {
  if (path.extension() != ".cu") path += ".cu";
  return {std::move(path), editing.program, SavedAs::cuda};
}

SavedText to_save(const Editing& editing, std::filesystem::path path) {
  const bool is_program = editing.edited || editing.own_program;
  const std::string_view ending = is_program ? ".streams" : ".toml";
  if (!path.empty() && path.extension() != ending) path += ending;
  return {std::move(path), is_program ? editing.program : experiment::to_toml(editing.experiment),
          is_program ? SavedAs::program : SavedAs::experiment};
}

void saved(Editing& editing, const SavedText& what) {
  const bool still = what.text == to_save(editing, {}).text;  // nothing was typed since
  editing.path = what.path;
  editing.experiment_name = what.path.stem().string();
  if (what.as != SavedAs::program) return;
  editing.own_program = true;
  editing.own = {.name = editing.experiment_name, .content = {}, .path = what.path};
  editing.own.content.program = what.text;
  editing.own.content.about = experiment::head_of(what.text).about;
  if (still) editing.edited = false;
}

bool in_shipped_file(const Editing& editing) {
  return std::ranges::any_of(editing.shipped, [&](const auto& each) { return each.path == editing.path; });
}

bool unsaved(const Editing& editing) { return editing.edited || !editing.replaced.empty(); }

bool has_error(const std::vector<program::Diagnostic>& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(), [](const program::Diagnostic& each) {
    return each.severity == program::Diagnostic::Severity::error;
  });
}

bool must_be_checked(const Editing& editing) {
  return (editing.edited || editing.own_program) && editing.checked != editing.version;
}

std::vector<std::string> own_files(const std::string& text) {
  std::vector<std::string> all;
  for (const program::syntax::Line& line : program::parse(text).syntax.lines) {
    if (!line.statement || line.statement->verb != program::syntax::Verb::own_kernel || line.statement->broken)
      continue;
    const std::string& quoted = std::get<program::syntax::Word>(line.statement->arguments[1]).text;
    std::string file = quoted.substr(1, quoted.size() - 2);
    if (std::ranges::find(all, file) == all.end()) all.push_back(std::move(file));
  }
  return all;
}

const kernels::OwnSource* source_of(const Uncompiled& uncompiled, const kernels::SourceError& error) {
  const auto found = std::ranges::find(uncompiled.sources, error.file, &kernels::OwnSource::file);
  return found == uncompiled.sources.end() ? nullptr : &*found;
}

std::size_t devices_named(const Editing& editing) {
  return editing.edited || editing.own_program ? editing.devices : editing.experiment.devices;
}

bool ends_its_process(const Editing& editing) {
  return (editing.edited || editing.own_program) && editing.ends_process;
}

std::string label(const Editing& editing) {
  if (editing.edited) return tr("typed program");
  if (editing.own_program) return editing.own.name;
  const experiment::Experiment& e = editing.experiment;
  const std::string streams = tr_n("{} stream", "{} streams", static_cast<unsigned long>(e.streams), e.streams);
  const std::string devices = e.devices > 1 ? tr("{} devices, {}", e.devices, tr(name_of(e.across))) : std::string();
  const std::string gap = devices.empty() || in_parts(e) ? "" : " · ";
  std::string out = devices + gap + (in_parts(e) ? "" : streams) + " · " + display_bytes(e.chunk);
  // And what is not as usual, which the runs of a list are told apart by.
  const experiment::Experiment usual;
  if (e.mode != usual.mode) out += fmt::format(" · {}", tr(name_of(e.mode)));
  if (e.order != usual.order) out += fmt::format(" · {}", tr(name_of(e.order)));
  if (e.host != usual.host) out += fmt::format(" · {}", tr(program::name(e.host)));
  if (e.stream_flags != usual.stream_flags) out += fmt::format(" · {}", tr(name_of(e.stream_flags)));
  if (e.kernel.kernel != usual.kernel.kernel)
    out += fmt::format(" · {}", e.kernel.kernel == nullptr ? tr("no kernel") : std::string(e.kernel.kernel->word));
  return out;
}

std::string why_not_run(const Editing& editing) {
  if (!editing.edited && !editing.own_program && !editing.experiment_error.empty()) return editing.experiment_error;
  for (const program::Diagnostic& each : editing.diagnostics)
    if (each.severity == program::Diagnostic::Severity::error) return tr("line {}: {}", each.line, each.message);
  return {};
}

}  // namespace streamscope::window
