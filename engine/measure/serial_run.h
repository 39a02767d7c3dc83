// The passes of the same operations in one stream, behind a run's own: what its speed-up is measured against, and how
// long each class of operations takes alone. Internal to this room; measure.h says when they are made.
#pragma once

#include <optional>

#include "engine/measure/measure.h"
#include "engine/program/program.h"

namespace streamscope::measure {

// The program whose makespan a run's is compared with.
struct SerialProgram {
  std::optional<program::Program> program;  // nothing where none has to be run
  bool itself = false;                      // it is the run's own
  int runs = 0;
  int passes() const { return program ? 1 + runs : 0; }
};
SerialProgram serial_program(const device::Device& device, const program::Program& program,
                             const MeasureOptions& options);

// Of a run that is complete. `own`: the durations in its first passes, where it is in one stream itself and they have
// spans.
void add_serial(device::Device& device, const SerialProgram& serial, const MeasureOptions& options,
                const device::RunControl& control, const Progress& progress, Step step, trace::Durations own,
                trace::Run& run);

}  // namespace streamscope::measure
