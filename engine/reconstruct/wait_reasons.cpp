#include <algorithm>
#include <array>
#include <vector>

#include "engine/reconstruct/reconstruction.h"

namespace streamscope::reconstruct {
namespace {

// From a launch to the first block on an idle device; a longer wait has another cause.
constexpr Nanoseconds kLaunchLatency = 10'000;

struct Cause {
  Nanoseconds time = kAbsent;
  trace::WaitReason reason = trace::WaitReason::none;
  OperationIndex operation = kNoOperation;
};

trace::WaitReason reason_of(program::DependencyKind kind) {
  constexpr std::array kReasons{trace::WaitReason::stream, trace::WaitReason::legacy, trace::WaitReason::event,
                                trace::WaitReason::host, trace::WaitReason::graph};
  return kReasons[static_cast<std::size_t>(kind)];
}

bool host_waits(const program::Operation& operation) {
  const OperationKind is = program::kind(operation.work);
  return is == OperationKind::sync || is == OperationKind::poll || is == OperationKind::join ||
         program::is_blocking_copy(operation.work);
}

// A dependency's operation; what that one waited for itself, where it takes no time of its own.
Cause cause_behind(const Reconstruction& run, const program::Dependency& dependency) {
  const trace::Span& on = run.spans[dependency.on];
  Cause cause{on.end, reason_of(dependency.kind), dependency.on};
  if (takes_no_time(on.kind) && on.waits_for != kNoOperation) {
    const bool in_order =
        dependency.kind == program::DependencyKind::stream || dependency.kind == program::DependencyKind::graph;
    if (on.kind == OperationKind::wait && in_order) cause.reason = on.reason;
    cause.operation = on.waits_for;
  }
  return cause;
}

// What held a call that waits for the whole device: of the work that was issued before, what ended last, if it ended
// during the call.
Cause device_cause(const Reconstruction& run, const trace::Span& call, OperationIndex last) {
  if (last == kNoOperation) return {};
  const trace::Span& work = run.spans[last];
  const bool during = work.end > call.host_begin && work.end - Nanoseconds{work.uncertainty} <= call.host_end;
  return during ? Cause{work.end, trace::WaitReason::host, last} : Cause{};
}

// `before`: on its engine. `dependency` is what made it ready.
Cause engine_cause(const Reconstruction& run, OperationIndex i, OperationIndex before, const Cause& dependency) {
  const trace::Span& span = run.spans[i];
  if (!known(span.ready) || !known(span.start) || span.start <= span.ready) return {};
  // Why a kernel started late is not observed. Its launch takes time too, more under a profiler, so only a wait that is
  // long compared with the one before it is put down to busy multiprocessors.
  const Nanoseconds before_ready = dependency.reason == trace::WaitReason::none ? 0 : span.ready - run.issued(i);
  const bool long_after = span.start - span.ready > std::max(kLaunchLatency, before_ready / 4);
  if (before != kNoOperation) {
    const Nanoseconds end = run.spans[before].end;
    // A kernel gets multiprocessors when the one before it ends, or once it has handed out all of its blocks.
    const bool freed = known(end) && end > span.ready && end <= span.start;
    const bool running = !known(end) || end > span.start;
    if (span.kind != OperationKind::kernel ? freed : long_after && (freed || running)) {
      return {span.start, trace::WaitReason::engine, before};
    }
  }
  if (span.kind == OperationKind::kernel && long_after) {
    return {span.start, trace::WaitReason::unknown, kNoOperation};
  }
  return {};
}

}  // namespace

void find_wait_reasons(Reconstruction& run, std::span<const OperationIndex> before_on_engine) {
  // By host thread: the last host wait, as long as nothing was issued to a stream since.
  std::vector<OperationIndex> waited;
  // By device: of the work issued so far, what ended last.
  std::vector<OperationIndex> latest(program::device_count(run.program), kNoOperation);
  for (const OperationIndex i : run.order) {
    trace::Span& span = run.spans[i];
    if (span.thread >= waited.size()) waited.resize(span.thread + 1, kNoOperation);
    OperationIndex& host_wait = waited[span.thread];
    const bool host_work = run.host_work(i);

    Cause last{host_work ? span.host_begin : run.issued(i)};
    if (!host_work && run.held_by_gate(i)) last = Cause{run.gate_opened, trace::WaitReason::gate};
    for (const program::Dependency& dependency : run.dependencies.of(i)) {
      const Cause cause = cause_behind(run, dependency);
      if (cause.time > last.time) last = cause;
    }
    if (const Cause cause = engine_cause(run, i, before_on_engine[i], last); cause.time > last.time) last = cause;
    const bool unasked = program::waits_unasked(run.program, run.operation(i).work);
    if (unasked) {
      const auto freed = program::allocation_of(run.operation(i).work);
      const std::uint32_t device = freed ? run.program.buffers[freed->value].device.value : 0;
      if (const Cause cause = device_cause(run, span, latest[device]); cause.time > last.time) last = cause;
    }
    if (last.reason == trace::WaitReason::none && !host_work && host_wait != kNoOperation) {
      last = Cause{last.time, trace::WaitReason::host, host_wait};
    }
    span.reason = last.reason;
    span.waits_for = last.operation;

    if (!host_work) {
      OperationIndex& ended = latest[span.device];
      if (ended == kNoOperation || span.end > run.spans[ended].end) ended = i;
    }
    if (host_waits(run.operation(i)) || (unasked && last.reason == trace::WaitReason::host)) {
      host_wait = i;
    } else if (!host_work) {
      host_wait = kNoOperation;
    }
  }
}

}  // namespace streamscope::reconstruct
