#include "engine/remedy/sentences.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/base/wide_letters.h"

namespace streamscope::remedy {
namespace {

using verdict::Cause;

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

std::string lines_text(const std::vector<std::uint32_t>& lines) {
  constexpr std::size_t kMost = 4;
  std::string out;
  for (std::size_t i = 0; i < lines.size() && i < kMost; ++i) out += fmt::format("{}{}", i == 0 ? "" : ", ", lines[i]);
  return lines.size() > kMost ? out + ", …" : out;
}

std::string busiest(const verdict::Judgement& judgement) {
  const auto most = std::ranges::max_element(judgement.idle, {}, &verdict::EngineIdle::busy);
  return most == judgement.idle.end() ? std::string() : std::string(tr(words_of(most->engine.engine).the_text));
}

// Of a run at its bound: what that is, which is never far from all of its time.
std::string at_bound(const verdict::Judgement& judgement, const verdict::Bound* bound) {
  if (bound == nullptr) return {};
  if (bound->kind == verdict::BoundKind::order && takes_all(judgement))
    return tr("One operation takes nearly all the time: only that itself could become faster.");
  if (bound->kind == verdict::BoundKind::order)
    return tr("The longest chain of operations, of which each needs the one before it, takes nearly all the time.");
  const bool is_bus = bound->kind == verdict::BoundKind::bus;
  const std::string binds(is_bus ? tr("the bus") : tr(words_of(bound->engine.engine).the_text));
  if (static_cast<double>(bound->work) >= kNearlyAll * static_cast<double>(judgement.makespan))
    return tr("It is as fast as the hardware lets it be: {} is busy nearly all the time.", binds);
  return tr(
      "It is as fast as the hardware lets it be: {} is busy from the first operation that can reach it to the "
      "last.",
      binds);
}

// Whether peer access, of a copy that went without, had been there: the program itself does not want it.
bool was_turned_off(const verdict::Judgement& judgement, const Entry& entry) {
  const program::Program* const program = judgement.history.program();
  if (program == nullptr) return false;
  return std::ranges::any_of(entry.operations, [&](OperationIndex i) {
    const auto* const copy = std::get_if<program::op::PeerCopy>(&program->operations[i].work);
    return copy != nullptr &&
           std::any_of(
               program->operations.begin(), program->operations.begin() + i, [&](const program::Operation& one) {
                 const auto* const access = std::get_if<program::op::PeerAccess>(&one.work);
                 return access != nullptr && !access->on &&
                        std::minmax(access->first, access->second) == std::minmax(copy->to_device, copy->from_device);
               });
  });
}

std::string what(const verdict::Judgement& judgement, const Entry& entry) {
  switch (entry.cause) {
    case Cause::hazard:
      return tr_n("Line {} touches the same memory again and nothing orders that: the data may come out wrong.",
                  "Lines {} touch the same memory and nothing orders them: the data may come out wrong.",
                  entry.lines.size(), lines_text(entry.lines));
    case Cause::pageable_copy:
      return tr("Copies of pageable memory are staged by the host: their calls hold it, and they move slowly.");
    case Cause::implicit_sync:
      return tr(
          "A call that allocates, frees or unregisters memory waits for the whole device, and nothing is issued "
          "meanwhile.");
    case Cause::driver_lock: return tr("A call waited for the driver while another thread was in it.");
    case Cause::legacy_barrier:
      return tr("Work in the legacy default stream is a barrier: it waits for the blocking streams, and they for it.");
    case Cause::host_sync: return tr("The host waits for the device before it issues more, and engines stand idle.");
    case Cause::launch_queue_full: return tr("A stream's launch queue was full, and the call that issues waited.");
    case Cause::host_late: return tr("The host's calls and its work come late: what could run is not issued yet.");
    case Cause::event_needless: return tr("A stream waits for an event although nothing it does needs that.");
    case Cause::event_late: return tr("A stream waits for an event that was recorded behind more than it needs.");
    case Cause::graph_serial: return tr("Launches of one executable graph run one after the other.");
    case Cause::pool_reuse: return tr("Memory that one stream freed was given to another, which waits for it.");
    case Cause::page_migration: return tr("Kernels wait for managed pages that move to the device while they run.");
    case Cause::mapped_access: return tr("Kernels read and write host memory over the bus.");
    case Cause::peer_staged:
      if (was_turned_off(judgement, entry)) {
        return tr(
            "Copies between devices go through the host's memory, as the program has turned peer access off before "
            "them.");
      }
      return tr("Copies between devices go through the host's memory, as neither may reach the other's.");
    case Cause::copy_engine_shared: return tr("Copies of both directions share one copy engine.");
    case Cause::issue_order: return tr("Operations stand behind others on their engine that could have come later.");
    case Cause::chunks_too_small:
      return tr("The operations are short: to set them up and hand over takes longer than to carry them out.");
    case Cause::one_stream:
      return tr("Operations that need nothing of each other come one after the other, and could work side by side.");
    case Cause::priority:
      return tr("Kernels of other streams took the multiprocessors before one that more waited for.");
    case Cause::sm_full: return tr("Kernels that were ready had no room on the multiprocessors.");
    case Cause::tile_stages:
      return tr("Blocks wait for their tiles: too few are on their way at once, or each takes long.");
    case Cause::divergence: return tr("Parts of a warp commit their copies apart.");
    case Cause::chunks_too_large:
      return tr("The chunks are large: the first must arrive, and the last must leave, with nothing beside them.");
    case Cause::at_the_bound: return at_bound(judgement, verdict::binding(judgement));
    case Cause::engine_busy:
      return busiest_share(judgement) >= kNearlyAll
                 ? tr("No change that was tried makes it faster: {} is busy nearly all the time.", busiest(judgement))
                 : tr("No change that was tried makes it faster: {} is busy, or about to begin what is ready, nearly "
                      "all "
                      "the time.",
                      busiest(judgement));
    case Cause::fault: break;  // see below
    case Cause::unexplained: return tr("Nothing that is known explains more of the time.");
  }
  return {};
}

}  // namespace

bool takes_all(const verdict::Judgement& judgement) {
  return std::ranges::any_of(judgement.path.pieces, [&](const verdict::Piece& each) {
    return each.kind == verdict::PieceKind::execution &&
           static_cast<double>(each.to - each.from) >= kNearlyAll * static_cast<double>(judgement.makespan);
  });
}

double busiest_share(const verdict::Judgement& judgement) {
  const auto most = std::ranges::max_element(judgement.idle, {}, &verdict::EngineIdle::busy);
  if (most == judgement.idle.end() || judgement.makespan <= 0) return 0;
  return static_cast<double>(most->busy) / static_cast<double>(judgement.makespan);
}

double occupied_share(const verdict::Judgement& judgement) {
  Nanoseconds most = 0;
  for (const verdict::EngineIdle& each : judgement.idle) {
    const auto begins = std::ranges::find(each.causes, verdict::IdleCause::hand_over, &verdict::IdleTime::cause);
    most = std::max(most, each.busy + (begins == each.causes.end() ? 0 : begins->time));
  }
  return judgement.makespan <= 0 ? 0 : static_cast<double>(most) / static_cast<double>(judgement.makespan);
}

std::string sentence(const trace::StickyError& error, const verdict::Judgement& judgement) {
  const bool several = judgement.history.devices() > 1;
  const std::string follows =
      several
          ? tr("Calls behind that return it too, for each device, and nothing that was queued runs on any: what came "
               "before is all there is.")
          : tr("Calls behind that return it too, and nothing that was queued runs: what came before is all there is.");
  if (error.fault == kNoOperation) {
    return behind(tr("A call returned {} at {}.", name(error.error), display_duration(error.told)), follows);
  }
  const trace::Span& fault = judgement.history.span(error.fault);
  const std::string after = display_duration(error.told - error.failed);
  return behind(several ? tr("{}: the kernel of line {} failed on device {}, and it took {} until a call told so.",
                             name(error.error), fault.line, fault.device, after)
                        : tr("{}: the kernel of line {} failed, and it took {} until a call told so.",
                             name(error.error), fault.line, after),
                follows);
}

std::string sentence(const verdict::Judgement& judgement, const Entry& entry, Nanoseconds makespan, CostFrom from) {
  std::string text = what(judgement, entry);
  if (entry.cause == Cause::hazard || entry.cost <= 0) return text;
  const std::string cost = display_duration(entry.cost), all = display_duration(makespan);
  const std::string share = percent(static_cast<double>(entry.cost) / static_cast<double>(makespan));
  const bool is_more = from.time > entry.cost;
  if (!from.on_path)
    return behind(text, is_more ? tr("It costs at least {} of {}, {}.", cost, all, share)
                                : tr("It costs {} of {}, {}.", cost, all, share));
  if (is_more) return behind(text, tr("It takes at least {} of {} on the critical path, {}.", cost, all, share));
  return behind(text, tr("It takes {} of {} on the critical path, {}.", cost, all, share));
}

}  // namespace streamscope::remedy
