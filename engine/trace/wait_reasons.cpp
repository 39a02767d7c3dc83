#include "engine/trace/wait_reasons.h"

#include <array>

#include "engine/base/translate.h"

namespace streamscope::trace {
namespace {

constexpr std::array<WaitReasonHelp, kNames<WaitReason>.size()> kHelp{{
    {tr_later("The operation did not wait: it started as soon as it was issued."), {}},
    {tr_later("The operation waited for the one before it in its own stream, which was not yet done."),
     tr_later("Work that does not depend on it could go into another stream.")},
    {tr_later("The operation waited since the legacy default stream and the blocking streams wait for each other."),
     tr_later("Make the streams nonblocking, or give what is in the default stream a stream of its own.")},
    {tr_later("The operation's stream waits for an event of another stream, which was not yet complete."),
     tr_later("Record the event earlier, right behind what is really needed.")},
    {tr_later("All that the operation depends on was done, but the engine that carries it out was busy: a copy engine, "
              "or the "
              "multiprocessors."),
     tr_later(
         "Smaller chunks let others in between; among kernels a stream's priority decides whose blocks go first.")},
    {tr_later("The host issued the operation late, or waited for the device before it did."),
     tr_later("Issue further ahead, take waits of the host out, or launch a graph.")},
    {tr_later("The operation waited, and nothing that was observed says for what."), {}},
    {tr_later("The gate held all streams until everything was queued (--gate)."), {}},
    {tr_later("A node before the operation in its graph was not yet done; for a launch, the launch of the same graph "
              "before it."),
     {}},
    {tr_later("The operation's stream shares a hardware queue with others, and an operation before it in that queue "
              "was not yet "
              "done."),
     tr_later("Use no more streams than there are hardware queues, or raise CUDA_DEVICE_MAX_CONNECTIONS.")},
}};

}  // namespace

const WaitReasonHelp& help(WaitReason reason) { return kHelp[static_cast<std::size_t>(reason)]; }

}  // namespace streamscope::trace
