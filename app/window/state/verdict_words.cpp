#include "app/window/state/verdict_words.h"

#include "engine/base/translate.h"

namespace streamscope::window {

std::string in_words(verdict::Cause cause) { return verdict::title(cause); }

std::string in_words(verdict::WaitCause cause) {
  using verdict::WaitCause;
  switch (cause) {
    case WaitCause::stream: return tr("the one before it in its stream");
    case WaitCause::event: return tr("an event of another stream");
    case WaitCause::legacy: return tr("the legacy default stream");
    case WaitCause::graph: return tr("what comes before it in its graph");
    case WaitCause::pool: return tr("memory freed in another stream");
    case WaitCause::gate: return tr("the gate: everything is queued first");
    case WaitCause::queue: return tr("another stream in a shared hardware queue");
    case WaitCause::engine: return tr("its engine, which was busy");
    case WaitCause::other_direction: return tr("a copy of the other direction");
    case WaitCause::host_functions: return tr("the thread of host functions");
    case WaitCause::blocks: return tr("a kernel with blocks to hand out");
    case WaitCause::room: return tr("room on the multiprocessors");
    case WaitCause::priority: return tr("a more urgent stream");
    case WaitCause::hand_over: return tr("hand-over: nothing holds it any more");
    case WaitCause::unexplained: return tr("nothing that is known");
  }
  return {};
}

std::string in_words(verdict::SlowCause cause) {
  using verdict::SlowCause;
  switch (cause) {
    case SlowCause::alone: return tr("what it takes alone");
    case SlowCause::bus: return tr("the bus, shared with the other way");
    case SlowCause::multiprocessors: return tr("kernels beside it");
    case SlowCause::memory: return tr("the device's memory, shared");
    case SlowCause::migration: return tr("managed pages that moved to it");
    case SlowCause::unexplained: return tr("nothing that is known");
  }
  return {};
}

std::string in_words(verdict::CallCause cause) {
  using verdict::CallCause;
  switch (cause) {
    case CallCause::usual: return tr("what such a call takes");
    case CallCause::waiting: return tr("the device, as it was asked to");
    case CallCause::implicit_sync: return tr("the device, unasked: it allocates, frees or unregisters memory");
    case CallCause::queue_full: return tr("room in its stream's launch queue");
    case CallCause::staging: return tr("staging of pageable memory");
    case CallCause::driver_lock: return tr("another thread in the driver");
    case CallCause::migration: return tr("managed pages that come to the host");
    case CallCause::unexplained: return tr("nothing that is known");
  }
  return {};
}

}  // namespace streamscope::window
