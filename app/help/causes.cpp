// Entries of what the verdict names: the causes of a run's time, and the reasons for a wait that it knows beside the
// trace's.
#include <array>

#include "app/help/help.h"
#include "app/help/words.h"
#include "engine/base/translate.h"
#include "engine/trace/span.h"
#include "engine/verdict/causes.h"
#include "engine/verdict/history.h"

namespace streamscope::help {
namespace {

struct Explained {
  std::string_view sentence, see;
};

// In the order of verdict::Cause.
constexpr std::array<Explained, kNames<verdict::Cause>.size()> kCauses{{
    {tr_later("A kernel failed: each later call returns its error, and nothing that was queued runs any more."),
     "fault, lasterror, reset"},
    {tr_later("Two operations access the same bytes, one of them writes, and nothing orders them."),
     "hazard, wait, check"},
    {tr_later(
         "Copies of pageable memory go through a pinned buffer of the driver: slower, and their calls hold the host."),
     "pageable memory, pinned memory"},
    {tr_later("A call that allocates, frees or unregisters memory waited for the device, though nobody asked it to."),
     "malloc, free-host, register, sync"},
    {tr_later("A host thread's call waited for that of another thread, which held the driver."), "thread"},
    {tr_later("The legacy default stream and the blocking streams wait for each other."),
     "blocking stream, default stream"},
    {tr_later("The host waits for the device as it was told to, while more work is still to be issued."), "sync, poll"},
    {tr_later("A launch waited until its stream's launch queue had room."), "asynchronous call"},
    {tr_later("An engine had nothing to do since nothing was issued: the host was in calls or in work of its own."),
     "graph, host"},
    {tr_later("A stream waits for an event though no access would go wrong without that."), "wait, record, hazard"},
    {tr_later("A stream waits for an event that stands behind work which it does not need."), "wait, record"},
    {tr_later("Launches of one executable graph wait for each other, whichever streams they are in."), "graph"},
    {tr_later("Memory that was freed in one stream was taken in another, which had to wait for it."), "malloc, free"},
    {tr_later("Managed pages moved while the work on them ran, and slowed it."), "managed memory, prefetch"},
    {tr_later("A kernel reads or writes memory of the host, over the bus."), "mapped memory"},
    {tr_later(
         "Copies between devices went through the host's memory: without peer access, or where the devices have no "
         "link."),
     "peer, peer access"},
    {tr_later("A copy waited for one of the other direction, as one engine does both."), "copy engine, copies.engines"},
    {tr_later("An operation waited on its engine for one that could as well have come later."), "order, depth-first"},
    {tr_later("Setting the operations up and calling them takes longer than what they do."), "chunk, graph"},
    {tr_later("The order of the operations lets engines take turns that could work at the same time."),
     "stream, overlap"},
    {tr_later("A kernel that was ready waited for a more urgent one, or for blocks that could have come later."),
     "priority"},
    {tr_later("Kernels were ready, and those that ran left their blocks no room."), "occupancy, wave"},
    {tr_later("A kernel's blocks waited for their tiles to be copied in."), "stages, double buffering"},
    {tr_later("Parts of a warp commit their asynchronous copies apart, which costs each."), "tiles"},
    {tr_later("Until the first chunk is in and after the last is worked on some engine idles: more than a fifth of the "
              "run."),
     "chunk, pipeline"},
    {tr_later("The run is within a tenth of what no schedule of its operations can beat: only other work would be "
              "faster."),
     "bound"},
    {tr_later("An engine works nearly all the time, and no change that was tried makes that less; no bound is known "
              "that the run comes near."),
     "bound, at-the-bound"},
    {tr_later("What is left of the time, for which nothing that is known accounts."), "uncertainty"},
}};

// Of the causes of a wait those that a trace has no reason for.
struct WaitExplained {
  verdict::WaitCause cause;
  std::string_view sentence;
};
constexpr WaitExplained kWaits[] = {
    {verdict::WaitCause::pool,
     tr_later("Memory that the operation takes was freed in another stream, which was not yet there.")},
    {verdict::WaitCause::other_direction,
     tr_later("A copy of the other direction ran, on the one engine that does both ways.")},
    {verdict::WaitCause::host_functions,
     tr_later("The thread that runs all host functions was busy with another one.")},
    {verdict::WaitCause::blocks, tr_later("A kernel before it still had blocks to hand out, which go first.")},
    {verdict::WaitCause::room, tr_later("The kernels that ran left its blocks no room on the multiprocessors.")},
    {verdict::WaitCause::priority, tr_later("A kernel of a more urgent stream, which came later, went first.")},
    {verdict::WaitCause::hand_over,
     tr_later("Nothing held the operation any more: what it takes from one to the next.")},
    {verdict::WaitCause::unexplained,
     tr_later("The operation waited longer than a hand-over takes, for nothing that is known.")},
};

}  // namespace

Entries causes() {
  Entries out;
  for (std::size_t i = 0; i < kCauses.size(); ++i) {
    const Explained& each = kCauses[i];
    std::vector<std::string> see = separated(each.see);
    see.emplace_back("verdict");
    out.push_back({.kind = Kind::cause,
                   .word = std::string(kNames<verdict::Cause>[i]),
                   .also = {verdict::title(static_cast<verdict::Cause>(i))},
                   .sentence = std::string(tr(each.sentence)),
                   .see = std::move(see)});
  }
  for (const WaitExplained& each : kWaits)
    out.push_back({.kind = Kind::wait_reason,
                   .word = std::string(name_of(each.cause)),
                   .sentence = std::string(tr(each.sentence)),
                   .see = {"waiting", "verdict"}});
  return out;
}

}  // namespace streamscope::help
