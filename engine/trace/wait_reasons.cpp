#include "engine/trace/wait_reasons.h"

#include <array>

#include "engine/base/translate.h"

namespace streamscope::trace {
namespace {

constexpr std::array<WaitReasonHelp, kNames<WaitReason>.size()> kHelp{{
    {tr_later("It did not wait: it started as soon as it was issued."), {}},
    {tr_later("The operation before it in its own stream was not yet done."),
     tr_later("Work that does not depend on it could go into another stream.")},
    {tr_later("The legacy default stream and the blocking streams wait for each other, and one of them did."),
     tr_later("Make the streams nonblocking, or give what is in the default stream a stream of its own.")},
    {tr_later("Its stream waits for an event of another stream, which was not yet complete."),
     tr_later("Record the event earlier, right behind what is really needed.")},
    {tr_later("All it depends on was done, but the engine that carries it out was busy: a copy engine, or the "
              "multiprocessors."),
     tr_later(
         "Smaller chunks let others in between; among kernels a stream's priority decides whose blocks go first.")},
    {tr_later("The host called late, or it waited for the device before it did."),
     tr_later("Issue further ahead, take waits of the host out, or launch a graph.")},
    {tr_later("It waited, and nothing that was observed says for what."), {}},
    {tr_later("The gate held all streams until everything was queued (--gate)."), {}},
    {tr_later("A node before it in its graph was not yet done; of a launch, the launch before of the same graph."), {}},
    {tr_later("Its stream shares a hardware queue with others, and an operation before it in that queue was not yet "
              "done."),
     tr_later("Use no more streams than there are hardware queues, or raise CUDA_DEVICE_MAX_CONNECTIONS.")},
}};

}  // namespace

const WaitReasonHelp& help(WaitReason reason) { return kHelp[static_cast<std::size_t>(reason)]; }

}  // namespace streamscope::trace
