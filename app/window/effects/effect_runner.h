// Carries out what update() wants done: runs by the session; files, checks, pictures and whatever takes long by a
// background thread. What comes of it goes into the state by update().
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "app/window/effects/background.h"
#include "app/window/state/update.h"
#include "engine/base/stop_source.h"

namespace streamscope::window {

class EffectRunner {
 public:
  // `wake` makes the window's loop go round; it is called from other threads.
  EffectRunner(const std::string& engine_command, void (*wake)());
  ~EffectRunner();

  using ViewFor = std::function<timeline::View(int width)>;  // what is in sight, on a picture of that width

  bool take(State& state);                                      // what came back; whether anything did
  void add(Effects effects) { wanted_ += std::move(effects); }  // to what is carried out next
  // The effects that were added, and what views want to know of the run in view.
  void carry_out(State& state, const ViewFor& view_for);
  void remember(const State& state);  // for the next start, where that has changed
  int engine_process() const { return session_.engine_process(); }

 private:
  // What `make` gives goes into the state: at once, or when the background thread has made it.
  template <class Make>
  void find_out(State& state, bool at_once, Make make) {
    if (at_once)
      add(update(state, Command(make())));
    else
      background_.post([made = std::move(make)]() mutable { return Command(made()); });
  }
  void start_run(State& state, const RunWanted& run);
  void compare(State& state, Effects& effects);
  void check_program(const State& state);
  void write_cuda_of(CudaWanted wanted);
  void save(SavedText what);
  void sweep(State& state, Effects& effects);
  void lessons(Effects& effects);
  void export_file(ExportedFile exported, const ViewFor& view_for);
  void open_file_of(const std::filesystem::path& path);
  void read_extras_of(ExtrasWanted wanted);
  void read_arguments_of(ArgumentsWanted wanted);
  void preview(const State& state);
  void keep_readings(State& state);
  void make_instants(State& state);
  void explain(Effects& effects);
  void light_up(State& state);

  Effects wanted_;
  Nanoseconds previewed_ = kAbsent;
  Remembered remembered_;                               // as it stands in the file
  std::shared_ptr<const ShownRun> instants_asked_for_;  // of the background thread
  std::shared_ptr<std::atomic<std::uint64_t>> newest_check_ = std::make_shared<std::atomic<std::uint64_t>>(0);
  std::shared_ptr<std::atomic<std::uint64_t>> newest_cuda_ = std::make_shared<std::atomic<std::uint64_t>>(0);
  // How far the file is read, as the background thread reports it, which reads one at a time.
  struct Reading {
    std::mutex mutex;
    std::string said;  // "Reading trace.json: 42 %"; empty: nothing new
  };
  std::shared_ptr<Reading> reading_ = std::make_shared<Reading>();
  std::optional<command::Lighted> lighting_;  // that the background thread is at
  StopSource closing_, explaining_;
  void (*wake_)();
  Background background_;
  Background cuda_writer_;  // of its own, too: what takes seconds must not come before a check
  Background gallery_;      // of its own: dozens of runs on the model
  Background judges_;       // of its own: a verdict takes up to seconds, and what is typed is checked at once
  session::Session session_;
};

}  // namespace streamscope::window
