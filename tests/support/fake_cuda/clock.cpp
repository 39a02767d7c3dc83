#include "tests/support/fake_cuda/clock.h"

#include <cmath>

#include "tests/support/fake_cuda/machine.h"

namespace streamscope::fake_cuda {
namespace {

constexpr double kFaster = 1 + 4e-6;
constexpr double kOffset = 1.7e15;
constexpr std::uint64_t kStep = 32;

thread_local OwnClock* own_clock = nullptr;

}  // namespace

double Clock::event_nanoseconds(Nanoseconds host) { return kOffset + static_cast<double>(host) * kFaster; }

std::uint64_t Clock::globaltimer(Nanoseconds host) {
  return static_cast<std::uint64_t>(event_nanoseconds(host)) / kStep * kStep;
}

OwnClock::OwnClock(Nanoseconds start) : now_(start) { own_clock = this; }
OwnClock::~OwnClock() { own_clock = nullptr; }

Nanoseconds host_clock() {
  if (own_clock != nullptr) return own_clock->look();
  Machine& machine = the_machine();
  const std::lock_guard lock(machine.mutex);
  if (!machine.script.counts()) return machine.clock.now();
  machine.clock.pass(Clock::kLook);
  if (machine.queue.watches_host()) machine.queue.advance();
  return machine.clock.now();
}

}  // namespace streamscope::fake_cuda
