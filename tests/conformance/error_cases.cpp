// Errors: rule 21. No program faults, so what sticks cannot be a case: tests/engine/cuda/failure_test.cpp has a
// kernel fault on the fake, and every later call return it. What is refused at once, and does not stick, can be shown.
#include "tests/conformance/conformance.h"

namespace streamscope::conformance {

std::vector<Case> error_cases() {
  using By = Refusal::By;
  return {
      {21,
       "a block of more threads than any device takes is refused by its line",
       "stream A\nA: spin 1us\nA: spin 1us threads=1025  # here\n",
       nullptr,
       {},
       {},
       Refusal{By::check, "1024"}},

      {21,
       "a block of more shared memory than any device has is refused by its line",
       "stream A\nA: spin 1us smem=228KiB  # here\n",
       nullptr,
       {},
       {},
       Refusal{By::check, "227KiB"}},

      {21,
       "a reset takes the current device alone, and beside another one it is refused by its line",
       "stream B device=1\nB: spin 1us\nhost: reset  # here\n",
       nullptr,
       {},
       {},
       Refusal{By::check, "one device"}},

      {21,
       "a bad launch configuration is reported at once by the launch and does not stick",
       "stream A\nA: spin 1us\nA: spin 1us smem=1024  # here\n",
       nullptr,
       {},
       {},
       Refusal{By::device, ""},
       [](program::Program& program) { program.kernels[1].values[program.kernels[1].kernel->find("threads")] = 2048; }},
  };
}

}  // namespace streamscope::conformance
