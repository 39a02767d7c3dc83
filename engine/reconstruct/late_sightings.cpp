#include <algorithm>

#include "engine/reconstruct/reconstruction.h"
#include "engine/reconstruct/traffic.h"

namespace streamscope::reconstruct {
namespace {

using program::HostMemory;

// From the last block's end to the kernel's where there is nothing to wait for; more where others keep the memory busy,
// or its stores must cross the bus (CUPTI's records on an H100, 2026: 0.8, up to 3.5, up to 8 us).
constexpr Nanoseconds kKernelEnd = 1'500, kBusyMemory = 3'000, kAcrossTheBus = 10'000;
// While pages migrate an event may be seen so much later (H200, 2026: up to 35 us).
constexpr Nanoseconds kMigrations = 50'000;

void widen(std::uint32_t& uncertainty, Nanoseconds by) {
  uncertainty = static_cast<std::uint32_t>(std::clamp<Nanoseconds>(Nanoseconds{uncertainty} + by, 0, 0xFFFFFFFF));
}

// Page migrations hold up any kernel, from its first block on; for how long only what comes after it tells.
void widen_kernel(const Reconstruction& run, OperationIndex i, Nanoseconds latest, const Traffic& traffic) {
  trace::Span& span = run.spans[i];
  const Nanoseconds until = known(span.end) ? span.end : span.start;
  const bool migrations = traffic.migrations(span.ready - kMigrations, until);
  const Nanoseconds busy =
      traffic.memory_busy(span.device, span.ready, until, bytes_within(run.program, run.operation(i))) ? kBusyMemory
                                                                                                       : 0;
  const Nanoseconds waited = std::max<Nanoseconds>(0, span.start - span.ready);
  widen(span.start_uncertainty, migrations ? waited : std::min(waited, busy + traffic.seen_late(span.start)));
  if (!known(span.end)) return;
  const Nanoseconds stamp = run.observed[i].end;
  const auto written = static_cast<double>(std::min(span.bytes, run.dispatch(i).cache_bytes));
  Nanoseconds most = EndBounds::kNone;
  if (!migrations) {
    most = kKernelEnd + busy + static_cast<Nanoseconds>(written * run.dispatch(i).set.in_memory) +
           traffic.seen_late(span.end);
    if (bytes_to_host(run.program, run.operation(i)) > 0) most += kAcrossTheBus;
  }
  // The bound has its own doubt.
  if (latest != EndBounds::kNone) most = std::min(most, std::max(kKernelEnd, latest - stamp + kKernelEnd));
  // As far as to the stamp it has been widened where it was placed.
  const Nanoseconds placed = span.end - stamp;
  widen(span.uncertainty, std::clamp<Nanoseconds>(most - 2 * placed, 0, 0xFFFFFFFF));
}

}  // namespace

void place_kernel_ends(Reconstruction& run, const EndBounds& bounds) {
  for (OperationIndex i = 0; i < run.count(); ++i) {
    trace::Span& span = run.spans[i];
    if (span.kind != OperationKind::kernel || span.source != trace::Source::stamp || !known(span.end)) continue;
    // No later than what must come after it had begun.
    const Nanoseconds room = std::max<Nanoseconds>(0, bounds.latest[i] - span.end);
    Nanoseconds most = kKernelEnd;
    if (bytes_to_host(run.program, run.operation(i)) > 0)
      most += std::clamp<Nanoseconds>(room - most, 0, kAcrossTheBus);
    const Nanoseconds middle = std::min(most / 2, room);
    span.end += middle;
    widen(span.uncertainty, middle);
  }
}

void widen_late_sightings(Reconstruction& run, const EndBounds& bounds,
                          std::span<const OperationIndex> before_on_engine) {
  const Traffic traffic(run);
  for (OperationIndex i = 0; i < run.count(); ++i) {
    trace::Span& span = run.spans[i];
    if (run.host_work(i) || !known(span.start) || !known(span.ready)) continue;
    if (span.kind == OperationKind::kernel && span.source == trace::Source::stamp) {
      widen_kernel(run, i, bounds.latest[i], traffic);
      continue;
    }
    if (!known(span.end) || takes_no_time(span.kind) || span.kind == OperationKind::hostfn) continue;
    const Nanoseconds room = std::max<Nanoseconds>(0, span.end - span.ready - transfer_time(run, i, false).shortest);
    const bool returned_later =
        span.kind == OperationKind::d2h && program::call_waits_for_copy(run.program, run.operation(i).work);
    const auto late = [&](Nanoseconds time) {
      return traffic.migrations(time - kMigrations, time + 1) ? std::max(kMigrations, traffic.seen_late(time))
                                                              : traffic.seen_late(time);
    };
    const auto ready_earlier = [&](Nanoseconds time) {
      const Nanoseconds by = late(time);
      widen(span.start_uncertainty, by);
      widen(span.ready_uncertainty, by);
    };
    // It may have started as much earlier as the end of what it waited for was seen late. What the host did and what a
    // kernel stamped was not.
    const OperationIndex before = before_on_engine[i];
    const bool waited_for_engine = before != kNoOperation && run.spans[before].end > span.ready;
    const Nanoseconds shorter = Nanoseconds{span.start_uncertainty} - span.uncertainty;
    if (waited_for_engine || (span.ready_source != trace::Source::host && span.ready_source != trace::Source::stamp)) {
      ready_earlier(span.start - span.start_uncertainty);
    }
    widen(span.uncertainty, returned_later ? room : std::min(room, late(span.end)));
    // How much later than drawn it can have started while its end is right is not less for that.
    const Nanoseconds longer = span.start - span.ready + Nanoseconds{span.ready_uncertainty} + span.uncertainty;
    if (shorter > longer) {
      span.start_uncertainty =
          std::max(span.start_uncertainty,
                   static_cast<std::uint32_t>(std::min<Nanoseconds>(shorter + span.uncertainty, 0xFFFFFFFF)));
    }
  }
}

}  // namespace streamscope::reconstruct
