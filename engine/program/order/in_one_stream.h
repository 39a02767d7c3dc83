// A program's operations in one stream, in the order of issue: what a run without any concurrency would be, with which
// one is compared.
#pragma once

#include <optional>

#include "engine/program/program.h"

namespace streamscope::program {

// Whether its device work already follows one another: in one stream, issued by one host thread, graphs without
// branches.
bool is_in_one_stream(const Program& program);

// The same operations issued by the main thread into one blocking stream, of several devices into one each: where the
// device changes, a record and a wait let what comes begin behind what went before. What orders streams or threads only
// is left out: waits for events, records that the host does not wait for, starts and joins of threads. Graphs are
// captured from that stream, each node after the one before it. Host work and what the host waits for stay where they
// are. Nothing for programs whose other threads choose a device, or call for the current one while main has another,
// and for those that fail on purpose.
std::optional<Program> in_one_stream(const Program& program);

}  // namespace streamscope::program
