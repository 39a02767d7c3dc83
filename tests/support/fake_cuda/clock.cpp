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

}  // namespace streamscope::fake_cuda

// The linker puts this in the place of streamscope::host_now() (--wrap, tests/CMakeLists.txt).
extern "C" streamscope::Nanoseconds __wrap__ZN11streamscope8host_nowEv() {
  using namespace streamscope::fake_cuda;
  if (own_clock != nullptr) return own_clock->look();
  Machine& machine = the_machine();
  const std::lock_guard lock(machine.mutex);
  if (!machine.script.counts()) return machine.clock.now();
  machine.clock.pass(Clock::kLook);
  if (machine.queue.watches_host()) machine.queue.advance();
  return machine.clock.now();
}

// And this in the place of std::thread::hardware_concurrency().
extern "C" unsigned __wrap__ZNSt6thread20hardware_concurrencyEv() {
  return streamscope::fake_cuda::the_machine().script.cores;
}
