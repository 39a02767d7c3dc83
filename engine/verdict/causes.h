// The causes that a verdict can name, and what in a run speaks for each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/verdict/judgement.h"

namespace streamscope::verdict {

// Where two fit, the one that stands first here is named.
enum class Cause : std::uint8_t {
  fault,               // a kernel failed, and calls return its error
  hazard,              // two accesses without an order
  pageable_copy,       // calls held by staging; copies at the pageable rate
  implicit_sync,       // a host call waited for the device unasked
  driver_lock,         // a call longer than usual while that of another thread staged or freed
  legacy_barrier,      // the legacy default stream
  host_sync,           // the host waits as asked, while more work is to come
  launch_queue_full,   // a launch held by a full queue
  host_late,           // nothing is issued: the host is in calls or its own work
  event_needless,      // a wait without which no hazard follows
  event_late,          // a wait for a record behind work that it does not need
  graph_serial,        // launches of one executable graph wait for each other
  pool_reuse,          // reuse of freed memory ordered two streams
  page_migration,      // execution slowed by managed pages that move
  mapped_access,       // execution slowed by memory behind the bus
  peer_staged,         // copies between devices without peer access
  copy_engine_shared,  // a copy behind one of the other direction, on one engine
  issue_order,         // a copy behind one of a stream that could come later
  chunks_too_small,    // set-up and calls exceed moving
  one_stream,          // order binds while engines take turns
  priority,            // a kernel that was ready behind a more urgent one, or behind blocks that could come later
  sm_full,             // ready kernels without room
  tile_stages,         // blocks wait for tiles
  divergence,          // parts of a warp commit apart
  chunks_too_large,    // fill and drain exceed a fifth
  at_the_bound,        // within a tenth of the greatest bound
  engine_busy,         // near none that is known; an engine is busy all the time and no change helps
  unexplained,         // what is left
};
std::string_view name(Cause cause);
std::string title(Cause cause);  // for people: "Pageable copies"

// What speaks for a cause: its time on the critical path, and the operations there, each once, in the order of the
// path.
struct Evidence {
  Cause cause = Cause::unexplained;
  Nanoseconds time = 0;
  std::vector<OperationIndex> operations;
};

// In the order of causes; without hazards, which a program has and not a run, and without faults, at_the_bound and
// engine_busy.
std::vector<Evidence> evidence(const Judgement& judgement);

}  // namespace streamscope::verdict

template <>
inline constexpr streamscope::NameTable<28> streamscope::kNames<streamscope::verdict::Cause>{"fault",
                                                                                             "hazard",
                                                                                             "pageable-copy",
                                                                                             "implicit-sync",
                                                                                             "driver-lock",
                                                                                             "legacy-barrier",
                                                                                             "host-sync",
                                                                                             "launch-queue-full",
                                                                                             "host-late",
                                                                                             "event-needless",
                                                                                             "event-late",
                                                                                             "graph-serial",
                                                                                             "pool-reuse",
                                                                                             "page-migration",
                                                                                             "mapped-access",
                                                                                             "peer-staged",
                                                                                             "copy-engine-shared",
                                                                                             "issue-order",
                                                                                             "chunks-too-small",
                                                                                             "one-stream",
                                                                                             "priority",
                                                                                             "sm-full",
                                                                                             "tile-stages",
                                                                                             "divergence",
                                                                                             "chunks-too-large",
                                                                                             "at-the-bound",
                                                                                             "engine-busy",
                                                                                             "unexplained"};
