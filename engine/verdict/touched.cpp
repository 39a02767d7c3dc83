#include "engine/verdict/touched.h"

namespace streamscope::verdict {

using program::HostMemory;

Touched touched(const History& history, OperationIndex i) {
  if (history.program() == nullptr) return {};
  const program::Program& program = *history.program();
  Touched out;
  const auto add = [&](const program::Range& range) {
    if (range.bytes == 0) return;
    const HostMemory memory = program.buffers[range.buffer.value].host;
    out.mapped = out.mapped || memory == HostMemory::mapped;
    out.managed = out.managed || memory == HostMemory::managed;
  };
  const program::Work& work = program.operations[i].work;
  if (const auto* copy = std::get_if<program::op::Copy>(&work)) {
    out.pageable = program::host_memory(program, *copy) == HostMemory::pageable;
  } else if (const auto* kernel = std::get_if<program::op::Kernel>(&work)) {
    for (const program::Range& range : program::ranges_of(program, *kernel)) add(range);
  } else if (const auto* memset = std::get_if<program::op::Memset>(&work)) {
    add(memset->range);
  } else if (const auto* within = std::get_if<program::op::CopyOnDevice>(&work)) {
    add(within->from);
    add(within->to);
  } else if (const auto* touch = std::get_if<program::op::Touch>(&work)) {
    add(touch->range);
  }
  return out;
}

}  // namespace streamscope::verdict
