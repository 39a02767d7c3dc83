#include "tests/support/fake_cuda/machine.h"

#include <cstring>
#include <memory>

namespace streamscope::fake_cuda {
namespace {

std::unique_ptr<Machine>& holder() {
  static std::unique_ptr<Machine> machine;
  return machine;
}

std::unique_ptr<Machine> new_machine() {
  auto made = std::make_unique<Machine>();
  made->queue.faults = [machine = made.get()](int fails) {
    Script& script = machine->script;
    if (fails != 0) {
      script.sticky = static_cast<cudaError_t>(fails);
      return true;
    }
    if (script.kernels_until_fault == 0 || --script.kernels_until_fault > 0) return false;
    script.sticky = script.fault_code;
    return true;
  };
  return made;
}

}  // namespace

Machine& the_machine() {
  if (!holder()) holder() = new_machine();
  return *holder();
}

cudaError_t Machine::misuse(std::string what, cudaError_t code) {
  misuses.push_back(std::move(what));
  return code;
}

cudaError_t Machine::wait(const std::vector<WorkPtr>& works) {
  if (queue.wait(works)) return cudaSuccess;
  return misuse("a wait for what will never end", cudaErrorUnknown);
}

void Machine::move_bytes(void* to, const void* from, std::uint64_t bytes) {
  if (bytes == 0) return;
  std::memmove(to, from, bytes);
  if (script.copies_until_corrupt > 0 && --script.copies_until_corrupt == 0) {
    static_cast<unsigned char*>(to)[bytes - 1] ^= 1;
  }
}

// --- fake_cuda.h

void reset() {
  holder() = new_machine();
  last_error = cudaSuccess;
  current_device = 0;
  chose_device = true;  // threads that look on have to choose it themselves
}

void gpus(std::vector<Gpu> all) {
  Machine& machine = the_machine();
  const std::lock_guard lock(machine.mutex);
  machine.gpus = std::move(all);
}

Live live() {
  Machine& machine = the_machine();
  const std::lock_guard lock(machine.mutex);
  return {machine.queue.streams(),
          machine.queue.events(),
          machine.memory.count(Place::device) + machine.memory.count(Place::pool),
          machine.memory.count(Place::pinned) + machine.memory.registrations(),
          machine.memory.count(Place::mapped) + machine.memory.count(Place::managed),
          machine.queue.graphs()};
}

std::string describe(const Live& live) {
  return fmt::format("{} streams, {} events, {} device, {} pinned and {} shared allocations, {} graphs", live.streams,
                     live.events, live.device, live.pinned, live.shared, live.graphs);
}

std::size_t held_streams() {
  Machine& machine = the_machine();
  const std::lock_guard lock(machine.mutex);
  return machine.queue.held_streams();
}

std::size_t ended_by_limit() {
  Machine& machine = the_machine();
  const std::lock_guard lock(machine.mutex);
  return machine.queue.ended_by_limit;
}

std::vector<std::string> misuses() {
  Machine& machine = the_machine();
  const std::lock_guard lock(machine.mutex);
  return machine.misuses;
}

}  // namespace streamscope::fake_cuda
