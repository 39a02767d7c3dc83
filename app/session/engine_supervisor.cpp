#include "app/session/engine_supervisor.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/base/utf8.h"
#include "engine/remote/serve.h"

namespace streamscope::session {
namespace {

constexpr int kRestarts = 3;
constexpr Nanoseconds kGrace = 400'000'000;  // for an engine to end by itself once its input has
// For all to be closed at the end: the grace, and as long as anywhere else for a command that is asked to end.
constexpr Nanoseconds kPatience = 1'000'000'000;
// What an engine may say to people: more of it would be laid out in every frame.
constexpr std::size_t kLongestName = 200, kLongestWords = 16u << 10;  // bytes
constexpr std::size_t kMostDevices = 1000;

std::uint64_t milliseconds(Nanoseconds time) {
  return static_cast<std::uint64_t>(std::max<Nanoseconds>(0, (time + 999'999) / 1'000'000));
}

}  // namespace

EngineSupervisor::EngineSupervisor(uv_loop_t* loop, const SessionOptions& options, EventQueue& queue,
                                   std::atomic<int>& process)
    : loop_(loop), options_(options), queue_(queue), process_(process) {
  for (uv_timer_t* timer : {&silence_, &stopping_, &quitting_}) {
    uv_timer_init(loop, timer);
    timer->data = this;
  }
}

void EngineSupervisor::launch() {
  auto child = std::make_unique<EngineProcess>();
  EngineProcess* const started = child.get();
  started->listen({[this, started](remote::Message message) {
                     if (started == engine_) take(std::move(message));
                   },
                   [this, started](const EngineExit& end) {
                     if (started == engine_) gone(end);
                   },
                   [this, started] { closed(started); }});
  children_.push_back(std::move(child));
  engine_ = started;
  phase_ = Phase::greeting;
  device_failed_ = false;
  program_.clear();
  started->start(loop_, options_.engine_command);
  process_ = started->process();
  started->send(remote::message::Hello{remote::kProtocol, "streamscope"});
  watch(options_.hello_limit);
}

void EngineSupervisor::start(remote::message::StartRun request) {
  const std::uint64_t run = request.id;
  if (std::max(request.program.size(), request.experiment.size()) > remote::kMaximumText) {
    return fail_run(run, ErrorKind::bad_input,
                    tr("The program is {} long; an engine takes {} at most.",
                       display_bytes(std::max(request.program.size(), request.experiment.size())),
                       display_bytes(remote::kMaximumText)));
  }
  if (engine_ == nullptr) {
    return fail_run(run, ErrorKind::device_failed, tr("There is no engine to run it; start a new one."));
  }
  if (waiting_) fail_run(waiting_->id, ErrorKind::cancelled, tr("A newer run took its place before it began."));
  waiting_ = std::move(request);
  begin_waiting();
}

void EngineSupervisor::stop() {
  if (waiting_) {
    const std::uint64_t run = waiting_->id;
    waiting_.reset();
    fail_run(run, ErrorKind::cancelled, tr("The run was stopped before it began."));
  }
  if (!flight_ || engine_ == nullptr) return;
  if (uv_is_active(reinterpret_cast<uv_handle_t*>(&stopping_))) return;
  engine_->send(remote::message::Stop{flight_->request.id});
  const auto too_late = [](uv_timer_t* timer) {
    auto& self = *static_cast<EngineSupervisor*>(timer->data);
    self.lose(
        tr("The engine did not stop its run within {} and was ended.", display_duration(self.options_.stop_limit)));
  };
  uv_timer_start(&stopping_, too_late, milliseconds(options_.stop_limit), 0);
}

void EngineSupervisor::restart() {
  dismiss();
  if (flight_) {
    const std::uint64_t run = flight_->request.id;
    finished();
    fail_run(run, ErrorKind::cancelled, tr("The engine was replaced by a new one during the run."));
  }
  restarts_ = 0;
  launch();
}

void EngineSupervisor::quit() {
  quits_ = true;
  dismiss();
  for (uv_timer_t* timer : {&silence_, &stopping_}) uv_close(reinterpret_cast<uv_handle_t*>(timer), nullptr);
  if (children_.empty()) {
    uv_close(reinterpret_cast<uv_handle_t*>(&quitting_), nullptr);
    return;
  }
  const auto too_late = [](uv_timer_t* timer) {
    for (const auto& child : static_cast<EngineSupervisor*>(timer->data)->children_) child->abandon();
  };
  uv_timer_start(&quitting_, too_late, milliseconds(kPatience), 0);
}

void EngineSupervisor::take(remote::Message message) {
  if (const auto* failed = std::get_if<remote::message::Failed>(&message); failed != nullptr && failed->id == 0) {
    return lose(tr("The engine gave up: {}", cut_text(failed->error.message, kLongestWords)));
  }
  switch (phase_) {
    case Phase::none: return;
    case Phase::greeting: {
      auto* hello = std::get_if<remote::message::Hello>(&message);
      if (hello == nullptr) return lose(tr("The engine sent an invalid message. Its first message is no hello."));
      program_ = cut_text(std::move(hello->program), kLongestName);
      if (hello->protocol != remote::kProtocol) {
        return lose(
            tr("The engine is {} and speaks protocol {}, this end {}: install the same version of "
               "Streamscope on both ends.",
               program_, hello->protocol, remote::kProtocol));
      }
      phase_ = Phase::listing;
      engine_->send(remote::message::AskDevices{});
      return watch(options_.silence_limit);
    }
    case Phase::listing: {
      auto* devices = std::get_if<remote::message::Devices>(&message);
      if (devices == nullptr)
        return lose(tr("The engine sent an invalid message. It was asked for its devices and said something else."));
      if (const std::size_t count = devices->list.devices.size() + devices->list.skipped.size(); count > kMostDevices)
        return lose(
            tr("The engine sent an invalid message. It lists {} devices; {} are possible.", count, kMostDevices));
      phase_ = Phase::up;
      uv_timer_stop(&silence_);
      queue_.put(session_event::EngineUp{program_, std::move(devices->list)});
      return begin_waiting();
    }
    case Phase::up: return take_of_run(std::move(message));
  }
}

void EngineSupervisor::take_of_run(remote::Message message) {
  const std::uint64_t current = flight_ ? flight_->request.id : 0;
  const auto of_run = [&](std::uint64_t run) {
    if (run != current || run == 0) return false;
    flight_->answered = true;
    watch(options_.silence_limit);
    return true;
  };
  const auto check = [&](const Result<void>& result) {
    if (!result) lose(tr("The engine sent an invalid message. {}", result.error().message));
    return result.has_value();
  };
  if (auto* passes = std::get_if<remote::message::Passes>(&message)) {
    // A heartbeat may come just after its run has ended.
    if (!of_run(passes->id)) return;
    const int total = std::max(passes->total, 0);
    queue_.put(session_event::RunPasses{current, std::clamp(passes->done, 0, total), total});
  } else if (auto* spans = std::get_if<remote::message::Spans>(&message)) {
    if (!of_run(spans->id)) return;
    if (spans->final) {
      check(flight_->assembly.add(std::move(spans->spans), spans->predicted));
    } else if (check(check_times(spans->spans)) && !spans->spans.empty()) {
      // A bound for those who keep previews.
      if ((flight_->preview_spans += spans->spans.size()) > kMostSpans) return;
      queue_.put(session_event::RunSpans{current, std::move(spans->spans)});
    }
  } else if (auto* done = std::get_if<remote::message::Done>(&message); done != nullptr && of_run(done->id)) {
    auto run = flight_->assembly.finish(std::move(*done));
    if (!run) return lose(tr("The engine sent an invalid message. {}", run.error().message));
    restarts_ = 0;
    finished();
    queue_.put(session_event::RunDone{current, std::move(*run)});
    begin_waiting();
  } else if (auto* opinion = std::get_if<remote::message::Opinion>(&message);
             opinion != nullptr && flight_ && flight_->request.referee && of_run(opinion->id)) {
    restarts_ = 0;
    finished();
    queue_.put(
        session_event::RunJudged{current, std::make_shared<const referee::Opinion>(std::move(opinion->opinion))});
    begin_waiting();
  } else if (auto* failed = std::get_if<remote::message::Failed>(&message); failed != nullptr && of_run(failed->id)) {
    device_failed_ = failed->error.kind == ErrorKind::device_failed;
    finished();
    failed->error.message = cut_text(std::move(failed->error.message), kLongestWords);
    queue_.put(session_event::RunFailed{current, std::move(failed->error)});
    begin_waiting();
  } else {
    lose(tr("The engine sent an invalid message. It answered what was not asked."));
  }
}

void EngineSupervisor::gone(const EngineExit& end) {
  engine_ = nullptr;
  phase_ = Phase::none;
  process_ = 0;
  uv_timer_stop(&silence_);
  session_event::EngineLost lost{end.why, end.last_words};
  const bool by_itself = device_failed_ && end.exit_code == remote::kEndedAfterFailure;
  if (by_itself) {
    lost.why = tr("The engine ended itself after the run failed on the device, as the device is of no more use to it.");
    lost.restarting = restarts_ < kRestarts;
    // The engine ended before it came to a run sent after the failed one.
    if (lost.restarting && flight_ && !flight_->answered && !waiting_) {
      waiting_ = std::move(flight_->request);
      flight_.reset();
    }
  }
  if (flight_) lost.run = flight_->request.id;
  finished();
  std::optional<remote::message::StartRun> stranded;
  if (!lost.restarting) stranded = std::exchange(waiting_, std::nullopt);
  const bool again = lost.restarting;
  queue_.put(std::move(lost));
  if (stranded) fail_run(stranded->id, ErrorKind::cancelled, tr("The engine was lost before the run began."));
  if (!again) return;
  ++restarts_;
  launch();
}

void EngineSupervisor::closed(const EngineProcess* child) {
  children_.remove_if([&](const auto& other) { return other.get() == child; });
  if (quits_ && children_.empty()) uv_close(reinterpret_cast<uv_handle_t*>(&quitting_), nullptr);
}

void EngineSupervisor::dismiss() {
  if (engine_ == nullptr) return;
  std::exchange(engine_, nullptr)->end(kGrace);
  phase_ = Phase::none;
  process_ = 0;
  uv_timer_stop(&silence_);
}

void EngineSupervisor::begin_waiting() {
  if (phase_ != Phase::up || flight_ || !waiting_) return;
  flight_.emplace();
  flight_->request = *std::exchange(waiting_, std::nullopt);
  engine_->send(flight_->request);
  watch(options_.silence_limit);
}

void EngineSupervisor::fail_run(std::uint64_t run, ErrorKind kind, std::string message) {
  queue_.put(session_event::RunFailed{run, Error{kind, std::move(message)}});
}

void EngineSupervisor::finished() {
  flight_.reset();
  uv_timer_stop(&silence_);
  uv_timer_stop(&stopping_);
}

void EngineSupervisor::lose(std::string why) {
  if (engine_ != nullptr) engine_->lose(std::move(why));
}

void EngineSupervisor::watch(Nanoseconds limit) {
  uv_timer_start(
      &silence_, [](uv_timer_t* timer) { static_cast<EngineSupervisor*>(timer->data)->on_silence(); },
      milliseconds(limit), 0);
}

void EngineSupervisor::on_silence() {
  if (phase_ == Phase::greeting) {
    return lose(tr("The engine did not say hello within {}.", display_duration(options_.hello_limit)));
  }
  lose(tr("The engine said nothing for {}{}.", display_duration(options_.silence_limit),
          phase_ == Phase::listing ? tr(" when asked for its devices") : ""));
}

}  // namespace streamscope::session
