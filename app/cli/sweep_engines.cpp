#include "app/cli/sweep_engines.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include "app/cli/run_options.h"
#include "engine/base/stop_source.h"
#include "engine/base/translate.h"
#include "engine/base/utf8.h"
#include "engine/sweep/points.h"

namespace streamscope::cli {
namespace {

using namespace session::session_event;

constexpr std::size_t kLongestReason = 500;  // bytes

// Rung by the sessions' threads, and by a stop.
class Bell {
 public:
  void ring() {
    const std::lock_guard lock(mutex_);
    rung_ = true;
    changed_.notify_all();
  }
  void wait(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, stop, [&] { return rung_; });
    rung_ = false;
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool rung_ = false;
};

// What it complained of last is what ended it, as a rule.
std::string last_line(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  return std::string(text.substr(text.rfind('\n') + 1));
}

std::string why_lost(const EngineLost& lost) {
  const std::string words = last_line(lost.last_words);
  return cut_text(words.empty() ? lost.why : fmt::format("{} ({})", lost.why, words), kLongestReason);
}

// The device that the engine will take; null: it lists none of that name.
const device::DeviceInfo* device_on(const device::DeviceList& list, const device::DeviceSpec& asked) {
  if (asked.kind == device::DeviceSpec::Kind::automatic) return list.devices.empty() ? nullptr : &list.devices.front();
  const std::string id = text(device::unchanged(asked));
  const auto at = std::find_if(list.devices.begin(), list.devices.end(),
                               [&](const device::DeviceInfo& each) { return each.id == id; });
  return at == list.devices.end() ? nullptr : &*at;
}

struct Member {
  std::string name;
  bool up = false, lost = false;
  bool was_up = false;                                            // so that it could be used
  std::size_t devices = 0;                                        // as asked for, that it has at least
  trace::Provenance::Kind kind = trace::Provenance::Kind::model;  // of its device
  std::optional<std::size_t> point;                               // that it has
  std::set<std::size_t> too_large;                                // points for more devices than it has
  std::uint64_t run = 0;                                          // the session's number of it
  std::unique_ptr<session::Session> session;
};

class Crew {
 public:
  Crew(const EngineSweep& asked, const experiment::InputText& source, const sweep::Combinations& combinations,
       const StopFlag& stop, const EngineSweepCalls& calls, sweep::Sweep& sweep)
      : asked_(asked),
        source_(source),
        combinations_(combinations),
        stop_(stop),
        calls_(calls),
        sweep_(sweep),
        points_(combinations, sweep),
        to_run_(points_.left()) {
    const std::vector<std::string> names = engine_names(asked.commands);
    for (std::size_t i = 0; i < names.size(); ++i) {
      session::SessionOptions options = asked.limits;
      options.engine_command = asked.commands[i];
      options.wake = [this] { bell_.ring(); };
      Member& member = members_.emplace_back();
      member.name = names[i];
      member.session = std::make_unique<session::Session>(std::move(options));
    }
  }

  std::optional<Error> run() {
    std::optional<Error> ended = work();
    points_.finish(ended);
    return ended ? ended : failed_;
  }

 private:
  std::optional<Error> work() {
    bool stopped = false;
    while (points_.left() > 0) {
      bell_.wait(stopped ? std::stop_token() : StopSource::token(stop_));
      for (Member& member : members_) {
        for (session::SessionEvent& event : member.session->poll())
          std::visit([&](auto& what) { take(member, what); }, event);
      }
      keep_what_none_can_run();
      const auto has = [&](auto what) { return std::any_of(members_.begin(), members_.end(), what); };
      if (stop_.stop_requested()) {
        for (Member& member : members_)
          if (member.point && !stopped) member.session->stop();
        stopped = true;
        if (!has([](const Member& each) { return each.point.has_value(); })) break;
      } else if (points_.left() > 0 && !has([](const Member& each) { return !each.lost; })) {
        return Error{ErrorKind::device_failed, tr("No engine is left to run the sweep.")};
      } else {
        deal();
      }
    }
    if (stop_.stop_requested()) return sweep::stopped_on_request();
    return {};
  }

  void deal() {
    for (Member& member : members_) {
      if (!member.up || member.point) continue;
      member.point = points_.take();
      if (!member.point) member.point = take_refused(member);
      if (!member.point) continue;
      member.run = member.session->start(request(member, *member.point));
      if (calls_.progress)
        calls_.progress({to_run_ - points_.left(), to_run_, 0, 0, settings_of(sweep_.axes, *member.point)});
    }
  }

  // One that another engine has too few devices for.
  std::optional<std::size_t> take_refused(const Member& member) {
    const auto at = std::find_if(refused_.begin(), refused_.end(),
                                 [&](const auto& each) { return !member.too_large.contains(each.first); });
    if (at == refused_.end()) return {};
    const std::size_t point = at->first;
    refused_.erase(at);
    return point;
  }
  void keep_what_none_can_run() {
    std::erase_if(refused_, [&](const auto& each) {
      const bool may_run = std::any_of(members_.begin(), members_.end(), [&](const Member& member) {
        return !member.lost && !member.too_large.contains(each.first);
      });
      if (!may_run) points_.keep(each.first, fail(each.second));
      return !may_run;
    });
  }

  remote::message::StartRun request(const Member& member, std::size_t point) const {
    const sweep::Combination& one = combinations_.all[point];
    remote::message::StartRun request;
    request.device = text(asked_.device);
    request.program = one.program;
    request.options = {.runs = asked_.runs_given ? asked_.how.runs : default_runs({}, member.kind),
                       .timeout = asked_.how.timeout,
                       .serial = false,
                       .verify = one.verify,
                       .long_kernels = asked_.how.long_kernels};
    return request;
  }

  void take(Member& member, const EngineUp& up) {
    member.up = member.was_up = true;
    const device::DeviceInfo* const device = device_on(up.devices, asked_.device);
    member.devices = device != nullptr ? 1 : 0;
    member.kind = device != nullptr                                      ? device->kind
                  : asked_.device.kind == device::DeviceSpec::Kind::cuda ? trace::Provenance::Kind::measured
                                                                         : trace::Provenance::Kind::model;
    const std::string name = device != nullptr ? device->name : text(asked_.device);
    tell(tr("engine {}: {}, {}", member.name, name, tr(trace::badge(member.kind))));
    // Until a run says more.
    if (!sweep_.provenance.device.empty()) return;
    sweep_.provenance.kind = member.kind;
    sweep_.provenance.device = name;
    if (device == nullptr) return;
    sweep_.provenance.driver = device->driver;
    sweep_.provenance.profile = device->profile;
  }

  void take(Member& member, const EngineLost& lost) {
    member.up = false;
    // A new one is on its way, and has the run that the old one did not come to.
    if (lost.restarting && lost.run != member.run) return;
    give_back(member);
    if (!lost.restarting) give_up(member, why_lost(lost));
  }

  void take(Member& member, const RunDone& done) {
    if (!member.point || done.run != member.run) return;
    sweep::SweepResult result = sweep::result_of(*done.result);
    result.engine = member.name;
    member.devices = std::max(member.devices, combinations_.all[*member.point].devices);
    points_.keep(*std::exchange(member.point, std::nullopt), std::move(result));
  }

  void take(Member& member, const RunFailed& failed) {
    if (!member.point || failed.run != member.run) return;
    const std::size_t point = *member.point;
    switch (failed.error.kind) {
      case ErrorKind::no_device:
        if (member.devices > 0 && combinations_.all[point].devices > member.devices) {
          member.point.reset();
          member.too_large.insert(point);
          refused_.emplace(point, failed.error);
          return;
        }
        give_back(member);
        if (member.devices == 0) member.was_up = false;  // for a sweep
        return give_up(member, sweep::reason_of(failed.error));
      case ErrorKind::cancelled: return give_back(member);
      case ErrorKind::device_failed:
        note(tr("Engine {} failed at {}: {}", member.name, fmt::join(settings_of(sweep_.axes, point), " "),
                cut_text(sweep::reason_of(failed.error), kLongestReason)));
        // The device may be at fault, or the program.
        if (failed_once_.insert(point).second) return give_back(member);
        failed_ = failed.error;
        break;
      case ErrorKind::bad_input:
      case ErrorKind::wrong_data: break;
    }
    member.point.reset();
    const auto input = sweep::input_of(source_, sweep_, point);
    const bool about_text = input && failed.error.kind == ErrorKind::bad_input;
    points_.keep(point, fail(about_text ? experiment::placed(failed.error, *input) : failed.error));
  }

  template <class Event>
  void take(Member&, const Event&) {}  // how far a run is, and what no sweep asks for

  void give_back(Member& member) {
    if (member.point) points_.give_back(*std::exchange(member.point, std::nullopt));
  }

  void give_up(Member& member, const std::string& why) {
    if (std::exchange(member.lost, true)) return;
    note(member.was_up ? tr("Engine {} was lost: {}", member.name, why)
                       : tr("Engine {} cannot be used: {}", member.name, why));
    member.up = false;
  }

  // Said at once, as the sweep may go on for long, and kept for the files.
  void note(std::string line) {
    tell(line);
    sweep_.notes.push_back({trace::NoteKind::other, std::move(line)});
  }
  void tell(const std::string& line) const {
    if (calls_.tell) calls_.tell(line);
  }

  const EngineSweep& asked_;
  const experiment::InputText& source_;
  const sweep::Combinations& combinations_;
  const StopFlag& stop_;
  const EngineSweepCalls& calls_;
  sweep::Sweep& sweep_;
  sweep::Points points_;
  const std::size_t to_run_;
  std::set<std::size_t> failed_once_;
  std::map<std::size_t, Error> refused_;  // points that nobody has now, and why an engine could not run them
  std::optional<Error> failed_;
  Bell bell_;
  std::vector<Member> members_;  // last: their threads end before what they ring
};

}  // namespace

std::vector<std::string> engine_names(const std::vector<std::string>& commands) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const auto here = commands.begin() + static_cast<std::ptrdiff_t>(i);
    const bool alone = std::count(commands.begin(), commands.end(), commands[i]) == 1;
    names.push_back(alone ? commands[i]
                          : fmt::format("{} #{}", commands[i], 1 + std::count(commands.begin(), here, commands[i])));
  }
  return names;
}

std::optional<Error> sweep_on_engines(const EngineSweep& asked, const experiment::InputText& source,
                                      const sweep::Combinations& combinations, const StopFlag& stop,
                                      const EngineSweepCalls& calls, sweep::Sweep& sweep) {
  return Crew(asked, source, combinations, stop, calls, sweep).run();
}

}  // namespace streamscope::cli
