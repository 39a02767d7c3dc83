#include "app/window/effects/effect_runner.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/window/effects/files.h"
#include "app/window/effects/gallery_pictures.h"
#include "app/window/effects/remembered_file.h"
#include "app/window/state/observer_effect.h"
#include "app/window/state/playhead.h"
#include "app/window/state/run_requests.h"
#include "app/window/state/run_verdicts.h"
#include "app/window/state/state.h"
#include "app/window/state/undo.h"
#include "engine/base/files.h"
#include "engine/base/translate.h"
#include "engine/device/blank_trace.h"
#include "engine/predict/own_times.h"
#include "engine/program/check/check.h"
#include "engine/program/read_program.h"
#include "engine/program/syntax/parse.h"
#include "engine/sweep/run_sweep.h"

namespace streamscope::window {
namespace {

// A run that takes longer shows what it has so far.
constexpr Nanoseconds kPreviewAfter = 300'000'000;
constexpr Nanoseconds kPreviewEvery = 200'000'000;
constexpr Nanoseconds kProgressEvery = 250'000'000;
constexpr std::size_t kSmallRun = 4'000;  // spans
constexpr std::uintmax_t kLargestOwnSource = 4u << 20;
// Beyond that a preview would take longer to make than it is looked at.
constexpr std::size_t kMostOperations = 200'000;

// A run that goes on, as far as it is known: its spans so far in the frame of its program. Nothing where the text
// cannot be read or is too large to be worth it.
std::shared_ptr<const trace::Run> preview_of(const std::string& program, const device::DeviceInfo& device,
                                             const std::vector<trace::Span>& spans) {
  if (spans.size() > kMostOperations) return nullptr;
  const auto read = program::read_program(program, "program");
  if (!read || read->program.operations.size() > kMostOperations) return nullptr;
  auto run = std::make_shared<trace::Run>();
  run->program = program;
  run->notes = {
      {trace::NoteKind::preview, tr("This run goes on: what is shown is what has come so far of its warm-up.")}};
  run->trace = device::frame_of(read->program, {.kind = device.kind,
                                                .device = device.name,
                                                .driver = device.driver,
                                                .profile = device.profile,
                                                .clock = {},
                                                .uncertainty = 0,
                                                .instrument = {},
                                                .date = {}});
  run->trace.spans = spans;
  std::sort(run->trace.spans.begin(), run->trace.spans.end(),
            [](const trace::Span& a, const trace::Span& b) { return a.operation < b.operation; });
  return run;
}

}  // namespace

EffectRunner::EffectRunner(const std::string& engine_command, void (*wake)())
    : wake_(wake),
      background_(wake),
      cuda_writer_(wake),
      gallery_(wake),
      judges_(wake),
      session_({.engine_command = engine_command, .wake = wake}) {
  background_.post([] { return Command(command::FilesListed{shipped_files()}); });
  background_.post([] {
    const lesson::Language own = lesson::own_language();
    return Command(command::LessonsListed{lesson::list_lessons(own), own});
  });
}

EffectRunner::~EffectRunner() {
  closing_.request_stop();
  explaining_.request_stop();
}

bool EffectRunner::take(State& state) {
  bool changed = false;
  for (const session::SessionEvent& event : session_.poll()) {
    add(update(state, event));
    changed = true;
  }
  const Commands found = background_.take();
  for (const Command& each : found) add(update(state, each));
  for (Background* const other : {&cuda_writer_, &gallery_, &judges_})
    for (const Command& each : other->take()) {
      add(update(state, each));
      changed = true;
    }
  const bool came_back = !found.empty();  // perhaps the file itself: then how far it was read is of no interest
  changed |= came_back;
  std::string reading;
  {
    const std::lock_guard lock(reading_->mutex);
    reading.swap(reading_->said);
  }
  if (!reading.empty() && !came_back) {
    add(update(state, command::Say{std::move(reading)}));
    changed = true;
  }
  return changed;
}

// Once for each run that slow motion looks at; small ones at once, as runs are prepared.
void EffectRunner::make_instants(State& state) {
  if (!needs_instants(state)) instants_asked_for_.reset();
  if (!needs_instants(state) || instants_asked_for_ == state.runs.shown) return;
  const bool at_once = trace::span_count(state.runs.shown->run->trace) <= kSmallRun;
  if (!at_once) instants_asked_for_ = state.runs.shown;
  find_out(state, at_once, [of = state.runs.shown] {
    return command::InstantsFound{of, std::make_shared<const timeline::InstantIndex>(of->run->trace)};
  });
}

void EffectRunner::carry_out(State& state, const ViewFor& view_for) {
  Effects effects = std::exchange(wanted_, {});
  if (effects.stop) session_.stop();
  if (effects.restart) session_.restart();
  if (effects.check) check_program(state);
  if (effects.run && state.running.engine == EngineStatus::up) start_run(state, *effects.run);
  if (effects.exported) export_file(std::move(*effects.exported), view_for);
  compare(state, effects);
  explain(effects);
  if (effects.open) open_file_of(*effects.open);
  if (effects.own_code)
    background_.post([wanted = std::move(*effects.own_code)]() -> std::optional<Command> {
      std::vector<kernels::OwnSource> sources;
      for (const std::string& file : wanted.files) {
        auto text = read_regular(wanted.program.parent_path() / file, kLargestOwnSource);
        if (!text) return command::Say{text.error().message, true};
        sources.push_back({file, std::move(*text)});
      }
      return command::OwnCodeRead{wanted, std::move(sources)};
    });
  if (effects.own_measured)
    background_.post([of = std::move(*effects.own_measured)]() -> std::optional<Command> {
      const auto read = program::read_program(of.run->program, "program");
      if (!read) return std::nullopt;
      auto times = predict::own_times(of.run->trace, read->program, of.sources);
      predict::remember_own_times(times);
      return command::OwnTimesMeasured{of.run->program, std::move(times)};
    });
  if (effects.list) background_.post([path = *effects.list] { return command::FolderListed{list_folder(path)}; });
  for (std::filesystem::path& each : effects.gallery_pictures)
    gallery_.post([file = std::move(each)] { return gallery_picture(file); });
  if (effects.save) save(std::move(*effects.save));
  if (effects.cuda) write_cuda_of(std::move(*effects.cuda));
  sweep(state, effects);
  lessons(effects);
  for (FinishedRun& each : effects.prepare) {
    const bool small = trace::span_count(each.run->trace) <= kSmallRun;
    // Short ones take less than a millisecond, and the way over the other thread would cost a frame.
    find_out(state, small && !background_.busy(), [done = std::move(each)]() -> Command {
      try {
        return command::RunPrepared{prepare(done)};
      } catch (const std::exception& error) {
        return command::RunNotPrepared{done.number, error.what()};
      }
    });
  }
  if (effects.extras) read_extras_of(std::move(*effects.extras));  // the run is shown first
  if (effects.arguments) read_arguments_of(std::move(*effects.arguments));
  keep_readings(state);
  preview(state);
  make_instants(state);
  light_up(state);
}

// One at a time, the newest: the one before is given up.
void EffectRunner::explain(Effects& effects) {
  if (effects.drop_verdict || effects.verdict) explaining_.request_stop();
  if (!effects.verdict) return;
  explaining_ = StopSource();
  judges_.post([of = std::move(effects.verdict), stop = explaining_.flag()]() -> std::optional<Command> {
    auto verdict = make_verdict(of, stop);
    if (!verdict) return std::nullopt;
    return Command(command::VerdictFound{std::move(verdict)});
  });
}

void EffectRunner::light_up(State& state) {
  auto due = lighting_due(state);
  if (!due) return lighting_.reset();
  if (lighting_ && lighting_->of == due->of && lighting_->operations == due->operations) return;
  const bool at_once = trace::span_count(due->of->run->trace) <= kSmallRun;
  if (!at_once) lighting_ = due;
  find_out(state, at_once, [due = std::move(*due)]() mutable { return lighted(std::move(due)); });
}

// What the views read off the run in view follows the state; one of each sort is made at a time, the newest next.
void EffectRunner::keep_readings(State& state) {
  const bool at_once = state.runs.shown && trace::span_count(state.runs.shown->run->trace) <= kSmallRun;
  if (auto due = state.readings.table_under_way ? std::nullopt : table_due(state)) {
    add(update(state, command::TableRequested{}));
    find_out(state, at_once, [due = std::move(*due), before = state.readings.table] {
      return command::TableRead{std::make_shared<const TableReading>(read(due, before.get()))};
    });
  } else if (state.readings.table && state.readings.table->of != state.runs.shown && !state.readings.table_under_way) {
    add(update(state, command::TableRead{nullptr}));  // nobody looks at it, and it keeps a run in memory
  }
  if (auto due = state.readings.range_under_way ? std::nullopt : range_due(state)) {
    add(update(state, command::RangeRequested{}));
    find_out(state, at_once,
             [due = std::move(*due)] { return command::RangeRead{std::make_shared<const RangeReading>(read(due))}; });
  } else if (state.readings.range && state.readings.range->of != state.runs.shown && !state.readings.range_under_way) {
    add(update(state, command::RangeRead{nullptr}));
  }
}

// Compares two runs, and copies what came of it.
void EffectRunner::compare(State& state, Effects& effects) {
  if (effects.pair) {
    const bool small =
        trace::span_count(effects.pair->first->run->trace) + trace::span_count(effects.pair->second->run->trace) <=
        kSmallRun;
    find_out(state, small, [request = std::move(*effects.pair)] { return command::PairPrepared{make_pair(request)}; });
  }
  if (effects.copy)
    background_.post([pair = std::move(effects.copy)] {
      return Command(command::Copied{differences_csv(*pair), tr("Copied {} differences as CSV.", pair->order.size())});
    });
  if (effects.clipboard) ImGui::SetClipboardText(effects.clipboard->c_str());
}

void EffectRunner::start_run(State& state, const RunWanted& run) {
  const Nanoseconds now = host_now();
  remote::message::StartRun wanted = request(state, run.purpose, run.long_kernels);
  StartedRun begun = started(state, run, wanted, now);
  add(update(state, command::RunStarted{session_.start(std::move(wanted)), std::move(begun)}));
  previewed_ = now + kPreviewAfter - kPreviewEvery;
}

void EffectRunner::open_file_of(const std::filesystem::path& path) {
  background_.post([path, reading = reading_, stop = closing_.flag(), wake = wake_]() -> std::optional<Command> {
    if (input::looks_like_trace(path)) {
      // Not too often: each frame takes processor time from the reading.
      const auto progress = [&, reported = Nanoseconds{0}](double part) mutable {
        const Nanoseconds now = host_now();
        if (now - reported < kProgressEvery) return;
        reported = now;
        {
          const std::lock_guard lock(reading->mutex);
          reading->said = tr("Reading {}: {:.0f} %", path.filename().string(), part * 100);
        }
        wake();
      };
      auto opened = open_run(path, {stop, progress});
      {
        const std::lock_guard lock(reading->mutex);
        reading->said.clear();
      }
      if (!opened) return command::Say{opened.error().message, true};
      return command::TraceOpened{std::move(*opened)};
    }
    auto file = open_file(path);
    if (!file) return command::Say{file.error().message, true};
    return command::FileOpened{std::move(*file)};
  });
}

void EffectRunner::sweep(State& state, Effects& effects) {
  if (effects.combine)
    background_.post([source = std::move(*effects.combine)] {
      return Command(command::SweepCombined{sweep::combine(source.text, {}, source.axes)});
    });
  for (Effects::SweepRun& each : effects.sweep_results) {
    const bool small = trace::span_count(each.run->trace) <= kSmallRun;
    find_out(state, small, [done = std::move(each)] {
      return command::SweepMeasured{done.point, sweep::result_of(*done.run)};
    });
  }
}

void EffectRunner::lessons(Effects& effects) {
  if (effects.lesson)
    background_.post([folder = *effects.lesson]() -> std::optional<Command> {
      auto opened = lesson::read_lesson(folder);
      if (!opened) return command::Say{opened.error().message, true};
      return command::LessonOpened{std::make_shared<const lesson::Lesson>(std::move(*opened))};
    });
  for (LessonWork& each : effects.lesson_runs)
    background_.post([work = std::move(each), stop = closing_.flag()]() -> std::optional<Command> {
      auto facts = lesson::facts_of(*work.run.run, work.causes, stop);
      if (!facts) return command::LessonRunFailed{work.name, facts.error().message};
      return command::LessonRunReady{work.of, work.name, {std::move(*facts), prepare(work.run)}};
    });
  if (effects.answers)
    background_.post([answers = std::move(*effects.answers)]() -> std::optional<Command> {
      const std::filesystem::path path = answers.of->name + "-answers.json";
      const auto written = write_text(path, lesson::to_json(*answers.of, answers.answers));
      if (!written) return command::Say{written.error().message, true};
      return command::Say{tr("Wrote {}", path.string())};
    });
}

void EffectRunner::save(SavedText what) {
  background_.post([what = std::move(what)]() mutable -> Command {
    std::error_code ignored;
    if (!what.replace && std::filesystem::exists(what.path, ignored)) return command::FileThere{what.path};
    const auto text = what.as == SavedAs::cuda ? cuda_text(what.text, what.path) : Result<std::string>(what.text);
    if (!text) return command::Say{text.error().message, true};
    if (const auto written = write_text(what.path, *text); !written) return command::Say{written.error().message, true};
    return command::FileSaved{std::move(what)};
  });
}

void EffectRunner::remember(const State& state) {
  Remembered now = remembered(state);
  if (now == remembered_) return;
  remembered_ = std::move(now);
  write_remembered(remembered_);
}

// A second time through the file, which the first was not to wait for.
void EffectRunner::read_extras_of(ExtrasWanted wanted) {
  background_.post([wanted = std::move(wanted), stop = closing_.flag()]() -> std::optional<Command> {
    auto extras = input::read_extras(wanted.path, {stop, {}});
    if (!extras) return std::nullopt;  // that it cannot be read any more was not asked for
    FileExtrasOf file{wanted.path, nullptr, nullptr};
    auto rows = std::make_shared<std::vector<timeline::CounterRow>>();
    for (input::Counter& each : extras->counters)
      rows->push_back(timeline::counter_row(std::move(each.name), std::move(each.times), std::move(each.values)));
    extras->counters.clear();
    file.counters = std::move(rows);
    file.extras = std::make_shared<const input::FileExtras>(std::move(*extras));
    return command::ExtrasRead{wanted.run, std::move(file)};
  });
}

void EffectRunner::read_arguments_of(ArgumentsWanted wanted) {
  background_.post([wanted = std::move(wanted)]() -> std::optional<Command> {
    auto arguments = input::read_arguments(wanted.path, *wanted.extras, wanted.operation);
    if (!arguments) return command::Say{arguments.error().message, true};
    return command::ArgumentsRead{wanted.run, wanted.operation, std::move(*arguments)};
  });
}

void EffectRunner::check_program(const State& state) {
  *newest_check_ = state.editing.version;
  background_.post([words = state.editing.program, version = state.editing.version, newest = newest_check_,
                    path = state.editing.path]() -> std::optional<Command> {
    if (*newest != version) return std::nullopt;  // the text has changed since
    program::Parsed parsed = program::parse(words);
    std::size_t devices = 1;
    bool ends_process = false;
    std::vector<predict::OwnTime> own_times;
    if (!has_error(parsed.diagnostics)) {
      program::Checked checked = program::check(parsed.syntax);
      parsed.diagnostics.insert(parsed.diagnostics.end(), checked.diagnostics.begin(), checked.diagnostics.end());
      devices = program::device_count(checked.program);
      ends_process = program::ends_its_process(checked.program);
      // A program that is refused may name any file.
      if (!has_error(parsed.diagnostics))
        own_times = predict::remembered_own_times(path.parent_path(), own_files(words));
    }
    return command::ProgramChecked{version, std::move(parsed.diagnostics), devices, ends_process, std::move(own_times)};
  });
}

void EffectRunner::write_cuda_of(CudaWanted wanted) {
  *newest_cuda_ = wanted.version;
  cuda_writer_.post([wanted = std::move(wanted), newest = newest_cuda_]() -> std::optional<Command> {
    if (*newest != wanted.version) return std::nullopt;  // the text has changed since
    return command::CudaFound{write_cuda(wanted)};
  });
}

void EffectRunner::export_file(ExportedFile exported, const ViewFor& view_for) {
  if (auto* const picture = std::get_if<PictureOfRun>(&exported.what); picture != nullptr && exported.of_view) {
    picture->request.options.view = view_for(picture->request.options.width);
    exported.of_view = false;
  }
  background_.post([exported = std::move(exported)]() -> std::optional<Command> {
    const auto failed = [&](const Error& why) {
      return command::ExportFailed{exported.number, std::holds_alternative<PictureOfRun>(exported.what)
                                                        ? tr("The picture was not written: {}", why.message)
                                                        : tr("The sweep was not written: {}", why.message)};
    };
    std::error_code ignored;
    if (const auto valid = check_export(exported); !valid) return failed(valid.error());
    if (!exported.replace && std::filesystem::exists(exported.path, ignored))
      return command::FileThere{exported.path, exported};
    const auto written = write_export(exported);
    if (!written) return failed(written.error());
    return command::ExportSaved{exported.number, *written};
  });
}

// What a long run has so far, in the frame of its program.
void EffectRunner::preview(const State& state) {
  if (state.running.in_progress == 0 || state.running.preview.empty() || state.running.live) return;
  const Nanoseconds now = host_now();
  if (now - previewed_ < kPreviewEvery) return;
  previewed_ = now;
  const device::DeviceInfo* found = device_of(state.settings);
  if (found == nullptr) return;
  device::DeviceInfo device = *found;
  if (!on_gpu(state.settings) && !state.settings.what_ifs.empty()) device.profile += tr(", changed");
  background_.post([spans = state.running.preview, id = state.running.in_progress, words = state.editing.program,
                    name = label(state.editing), device = std::move(device)]() -> std::optional<Command> {
    auto run = preview_of(words, device, spans);
    if (!run) return std::nullopt;
    return command::RunPrepared{prepare({.id = id, .number = 0, .started = {.label = name}, .run = std::move(run)})};
  });
}

}  // namespace streamscope::window
