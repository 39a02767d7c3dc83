#include "engine/verdict/touched.h"

#include <algorithm>
#include <utility>

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

std::set<OperationIndex> staged_peer_copies(const program::Program* program) {
  std::set<OperationIndex> copies;
  if (program == nullptr) return copies;
  std::set<std::pair<DeviceId, DeviceId>> open;
  for (OperationIndex i = 0; i < program->operations.size(); ++i) {
    const program::Work& work = program->operations[i].work;
    if (const auto* access = std::get_if<program::op::PeerAccess>(&work)) {
      const auto pair = std::minmax(access->first, access->second);
      access->on ? static_cast<void>(open.insert(pair)) : static_cast<void>(open.erase(pair));
    } else if (const auto* peer = std::get_if<program::op::PeerCopy>(&work)) {
      if (!open.contains(std::minmax(peer->to_device, peer->from_device))) copies.insert(i);
    }
  }
  return copies;
}

}  // namespace streamscope::verdict
