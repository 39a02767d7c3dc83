#include "tests/generated/first_lag.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/device/model/hardware/handoff.h"
#include "engine/device/model/host/host_call.h"

namespace streamscope::generated {
namespace {

using program::describe;
using trace::Span;
using trace::WaitReason;

enum class Moment : std::uint8_t { host_begin, host_end, ready, start, end };
constexpr std::array kMoments{&Span::host_begin, &Span::host_end, &Span::ready, &Span::start, &Span::end};
constexpr std::string_view kMomentNames[] = {"call", "return", "ready", "start", "end"};

class Comparison {
 public:
  Comparison(const program::Program& program, const model::Profile& profile, const model::LoggedRun& slower,
             const model::LoggedRun& faster)
      : program_(program),
        profile_(profile),
        slower_run_(slower),
        faster_run_(faster),
        slower_(slower.pass.spans),
        faster_(faster.pass.spans) {}

  Lag find() const {
    struct First {
      Nanoseconds at;
      int rank;  // of one instant what ends comes first, and what has taken time before what has not
      OperationIndex operation;
      Moment moment;
      auto key() const { return std::tuple(at, rank, operation); }
    };
    std::optional<First> first;
    for (OperationIndex i = 0; i < faster_.size(); ++i) {
      for (std::size_t moment = 0; moment < kMoments.size(); ++moment) {
        const Nanoseconds at = faster_[i].*kMoments[moment];
        const bool ends = static_cast<Moment>(moment) == Moment::end;
        const int rank = !ends ? 2 : faster_[i].start < at ? 0 : 1;
        const First one{at, rank, i, static_cast<Moment>(moment)};
        if (at > slower_[i].*kMoments[moment] && (!first || one.key() < first->key())) first = one;
      }
    }
    if (!first) return {"", "no time is later"};
    const OperationIndex i = first->operation;
    const Span &was = slower_[i], &is = faster_[i];
    Lag lag;
    // Times are whole nanoseconds, which are rounded at other instants.
    const Nanoseconds was_at = slower_[i].*kMoments[static_cast<std::size_t>(first->moment)];
    lag.anomaly = first->at - was_at <= 1 ? "rounding" : anomaly(i, first->moment);
    if (lag.anomaly.empty() && calls(slower_) != calls(faster_)) lag.anomaly = "turns";
    lag.what = fmt::format(
        "the {} of {} is the first time that is later; call {} to {}, ready {}, {} to {} ({}) became {} to {}, ready "
        "{}, {} to {} ({})",
        kMomentNames[static_cast<std::size_t>(first->moment)], describe(program_, i), was.host_begin, was.host_end,
        was.ready, was.start, was.end, trace::name(was.reason), is.host_begin, is.host_end, is.ready, is.start, is.end,
        trace::name(is.reason));
    return lag;
  }

 private:
  std::string_view anomaly(OperationIndex i, Moment moment) const {
    switch (moment) {
      case Moment::host_begin: return {};
      case Moment::host_end: return of_call(i);
      case Moment::ready:
        return faster_[i].ready - given(faster_[i]) > slower_[i].ready - given(slower_[i]) ? of_ready(i) : "";
      case Moment::start: return of_start(i);
      case Moment::end:
        if (!program::ordered_in(program_.operations[i])) return of_call(i);
        // Given sooner, a wait comes while what it waits for goes on, which has to be handed over then.
        if (faster_[i].kind == OperationKind::wait && waits_for_another(i)) return "hand-over";
        return faster_[i].start > slower_[i].start ? of_start(i) : of_execution(i);  // of no length
    }
    return {};
  }

  // A call that returns behind it has begun before it was given; what held the call up is what held the operation.
  static Nanoseconds given(const Span& span) { return span.ready < span.host_end ? span.host_begin : span.host_end; }

  std::string_view of_call(OperationIndex i) const {
    const Span &was = slower_[i], &is = faster_[i];
    if (is.host_end - is.host_begin <= was.host_end - was.host_begin) return {};  // it only began later
    // Asked earlier, a poll asks at other times, too, and may find out later.
    if (is.kind == OperationKind::poll) return "poll";
    // Its stream is idle when it is given, so that the host itself writes it.
    if (is_for_the_stream_to_say(i)) return "by the host";
    if (is.kind == OperationKind::touch && pages_went_otherwise(i)) return "pages";
    // Its event has fired by now, so that the driver asks for that and leaves it out; that may take the longer.
    const auto* wait = std::get_if<program::op::Wait>(&program_.operations[i].work);
    if (wait != nullptr && wait->record != kNoOperation && faster_[wait->record].end < is.host_end &&
        slower_[wait->record].end >= was.host_begin)
      return "left out";
    // What was done when the call was made later is not done yet, so that the thread has to be woken.
    if (is.host_begin < was.host_begin && is.kind != OperationKind::work) return "earlier";
    return another_was_woken_first(i) || another_came_first(i) ? "turns" : "";
  }
  static Nanoseconds beside(const Span& call, const Span& other) {
    return std::max<Nanoseconds>(0,
                                 std::min(call.host_end, other.host_end) - std::max(call.host_begin, other.host_begin));
  }
  // Another thread's call began after this one, and now does not.
  bool another_came_first(OperationIndex i) const {
    for (OperationIndex other = 0; other < faster_.size(); ++other) {
      const Span &was = slower_[other], &is = faster_[other];
      if (is.thread == faster_[i].thread || is.host_end <= is.host_begin) continue;
      if (was.host_begin > slower_[i].host_begin && was.host_begin < slower_[i].host_end &&
          is.host_begin <= faster_[i].host_begin)
        return true;
      // Or it is beside this one for longer now, and the driver serves one at a time.
      if (beside(is, faster_[i]) > beside(was, slower_[i])) return true;
    }
    return false;
  }
  // Another thread's call waited for the device until this one had begun; now it goes on before, and has the driver.
  bool another_was_woken_first(OperationIndex i) const {
    for (OperationIndex other = 0; other < faster_.size(); ++other) {
      const Span& is = faster_[other];
      const bool waits =
          is.reason == WaitReason::host && is.waits_for != kNoOperation && is.thread != faster_[i].thread;
      if (waits && is.host_end > faster_[i].host_begin && faster_[is.waits_for].end <= faster_[i].host_begin &&
          slower_[is.waits_for].end > slower_[i].host_begin)
        return true;
    }
    return false;
  }

  // Whether the host writes it or an engine depends on whether its stream is idle.
  bool is_for_the_stream_to_say(OperationIndex i) const {
    const program::Work& work = program_.operations[i].work;
    return model::goes_with_commands(profile_, program_, work, true) !=
           model::goes_with_commands(profile_, program_, work, false);
  }

  std::string_view of_ready(OperationIndex i) const {
    // Memory of the pool that was free already, or belonged to another stream.
    if (faster_[i].kind == OperationKind::malloc) return "pool";
    if (is_for_the_stream_to_say(i)) return "by the host";
    // Another thread's work that was given after it is given before it now, as calls take turns.
    return is_held_by_more(i, [&](OperationIndex by) { return slower_[by].host_end > slower_[i].host_begin; }) ? "turns"
                                                                                                               : "";
  }

  std::string_view of_start(OperationIndex i) const {
    const Span &was = slower_[i], &is = faster_[i];
    if (came_before(i)) return "order";
    if (is.reason == WaitReason::queue) return "channel";
    const bool later = is.start - is.ready > was.start - was.ready && is.reason != WaitReason::engine;
    // Its stream is no longer idle when it is given, so that not the host itself writes it, but an engine.
    if (is_for_the_stream_to_say(i)) return "by the host";
    // Given to the device sooner it comes while something before it goes on, which has to be handed over then.
    if (later && waits_for_another(i)) return "hand-over";
    // An engine that has waited for longer asks less often; a thread that has slept for longer wakes later.
    if (later && is_polled_for_longer(i)) return "longer wait";
    if (later && wait_before_is_kept(i)) return "kept";
    if (is.reason == WaitReason::engine && is.kind == OperationKind::kernel) return "room";
    // The thread of the host functions has had nothing to do for longer, and sleeps.
    if (later && is.kind == OperationKind::hostfn) return "asleep";
    return {};
  }
  // The event of the wait before it in its stream had fired, so that the driver left the wait out, and has not now.
  bool wait_before_is_kept(OperationIndex i) const {
    for (OperationIndex before = i; before-- > 0;) {
      if (stream_of(faster_, before) != stream_of(faster_, i)) continue;
      const auto* wait = std::get_if<program::op::Wait>(&program_.operations[before].work);
      return wait != nullptr && wait->record != kNoOperation && slower_[wait->record].end < slower_[before].host_end &&
             faster_[wait->record].end >= faster_[before].host_begin;
    }
    return false;
  }
  bool waits_for_another(OperationIndex i) const {
    const Span &was = slower_[i], &is = faster_[i];
    if (is.reason == WaitReason::none) return false;
    return is.reason != was.reason || is.waits_for != was.waits_for ||
           is_held_by_more(i, [](OperationIndex) { return true; });
  }
  // What it had to wait for when it was given, by operation.
  template <class Take>
  static void each_awaited(const model::LoggedRun& run, OperationIndex i, const Take& take) {
    for (const model::Hold& hold : run.holds) {
      const bool depends = hold.kind != model::HoldKind::queue && hold.kind != model::HoldKind::occupant;
      if (hold.operation == i && depends && hold.until > hold.from) take(hold);
    }
  }
  // Something that it depends on was over when it was given, and is not now: its hand-over is one more.
  template <class Counts>
  bool is_held_by_more(OperationIndex i, const Counts& counts) const {
    std::vector<OperationIndex> was;
    each_awaited(slower_run_, i, [&](const model::Hold& hold) { was.push_back(hold.by); });
    bool more = false;
    each_awaited(faster_run_, i, [&](const model::Hold& hold) {
      more |= std::ranges::find(was, hold.by) == was.end() && counts(hold.by);
    });
    return more;
  }
  // What executes it: what reads the commands, where the data travels with them.
  Engine unit_of(const model::LoggedRun& run, OperationIndex i) const {
    bool is_idle = true;
    each_awaited(run, i, [&](const model::Hold&) { is_idle = false; });
    const bool with_commands = model::goes_with_commands(profile_, program_, program_.operations[i].work, is_idle);
    return with_commands ? Engine::compute : run.pass.spans[i].engine;
  }
  Nanoseconds first_latency(OperationIndex i, Engine unit) const {
    return program_.operations[i].launch == kNoOperation ? model::first_latency(profile_, unit) : 0;
  }
  // By what it waits for: for how long its engine has polled for it when that is over, since it reached that, or since
  // the engine's last turn of the stream that has ended.
  std::map<OperationIndex, Nanoseconds> polled_for(const model::LoggedRun& run, OperationIndex i) const {
    const std::vector<Span>& spans = run.pass.spans;
    const Engine unit = unit_of(run, i);
    std::map<OperationIndex, Nanoseconds> all;
    each_awaited(run, i, [&](const model::Hold& hold) {
      Nanoseconds since = hold.from + profile_.streams.submit + first_latency(i, unit);
      for (OperationIndex each = 0; each < i; ++each) {
        if (stream_of(spans, each) == stream_of(spans, i) && spans[each].end <= hold.until && each != hold.by &&
            unit_of(run, each) == unit)
          since = std::max(since, spans[each].start);
      }
      Nanoseconds& longest = all.try_emplace(hold.by, kAbsent).first->second;
      longest = std::max(longest, hold.until - since);
    });
    return all;
  }
  bool is_polled_for_longer(OperationIndex i) const {
    const auto was = polled_for(slower_run_, i);
    return std::ranges::any_of(polled_for(faster_run_, i), [&](const auto& one) {
      const auto before = was.find(one.first);
      return before != was.end() && one.second > before->second;
    });
  }
  // Nodes of a graph are carried out in the stream that it was launched in.
  static std::uint32_t stream_of(std::span<const Span> spans, OperationIndex i) {
    return spans[spans[i].launch == kNoOperation ? i : spans[i].launch].stream;
  }
  static bool works(const Span& span) { return span.engine != Engine::none || span.kind == OperationKind::hostfn; }
  // A record is written by the engine of the work before it.
  static bool takes_turns(const Span& span) {
    return works(span) || (span.kind == OperationKind::record && span.end > span.start);
  }
  // Something that was behind it in the slower run, ready or started, came before it in the faster one.
  bool came_before(OperationIndex i) const {
    return has_other(i, [&](OperationIndex other, auto moment) {
      return faster_[other].*moment <= faster_[i].*moment && slower_[other].*moment > slower_[i].*moment;
    });
  }
  // Or the other way round: managed pages may have been moved by what came before.
  bool came_behind(OperationIndex i) const {
    return has_other(i, [&](OperationIndex other, auto moment) {
      return faster_[other].*moment > faster_[i].*moment && slower_[other].*moment <= slower_[i].*moment;
    });
  }
  template <class Test>
  bool has_other(OperationIndex i, const Test& test) const {
    for (OperationIndex other = 0; other < faster_.size(); ++other) {
      if (other != i && takes_turns(faster_[other]) && (test(other, &Span::start) || test(other, &Span::ready)))
        return true;
    }
    return false;
  }
  // In the order in which they gave something to the device: threads take turns, and another one may come first.
  static std::vector<OperationIndex> calls(std::span<const Span> spans) {
    std::vector<OperationIndex> all;
    for (OperationIndex i = 0; i < spans.size(); ++i) {
      if (spans[i].launch == kNoOperation) all.push_back(i);
    }
    std::ranges::stable_sort(all, {}, [&](OperationIndex i) { return spans[i].host_end; });
    return all;
  }

  std::string_view of_execution(OperationIndex i) const {
    if (!works(faster_[i])) return {};
    // Something else is beside it for longer, or comes to it earlier, and takes its share of the bus, of the memory, or
    // of the multiprocessors before all its blocks have them.
    for (OperationIndex other = 0; other < faster_.size(); ++other) {
      if (other == i || !works(faster_[other]) || overlap(faster_[other], faster_[i]) == 0) continue;
      if (overlap(faster_[other], faster_[i]) > overlap(slower_[other], slower_[i])) return "beside";
      if (faster_[other].start - faster_[i].start < slower_[other].start - slower_[i].start) return "beside";
    }
    if (came_before(i) || came_behind(i)) return "order";
    return pages_went_otherwise(i) ? "pages" : "";
  }
  // It moves more of managed memory than in the slower run, as what touches the same came in another order.
  bool pages_went_otherwise(OperationIndex i) const {
    const auto moved = [i](const model::LoggedRun& run) {
      const auto found = run.migrated.find(i);
      return found == run.migrated.end() ? 0 : found->second;
    };
    return moved(faster_run_) > moved(slower_run_);
  }
  static Nanoseconds overlap(const Span& a, const Span& b) {
    return std::max<Nanoseconds>(0, std::min(a.end, b.end) - std::max(a.start, b.start));
  }

  const program::Program& program_;
  const model::Profile& profile_;
  const model::LoggedRun &slower_run_, &faster_run_;
  const std::span<const Span> slower_, faster_;
};

}  // namespace

Lag first_lag(const program::Program& program, const model::Profile& profile, const model::LoggedRun& slower,
              const model::LoggedRun& faster) {
  return Comparison(program, profile, slower, faster).find();
}

}  // namespace streamscope::generated
