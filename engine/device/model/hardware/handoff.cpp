#include "engine/device/model/hardware/handoff.h"

#include <algorithm>

#include "engine/device/model/host/host_call.h"

namespace streamscope::model {
namespace {

bool polls(Engine from, Engine to) {
  return from != to && from != Engine::none && to != Engine::none && to != Engine::host;
}

}  // namespace

Nanoseconds first_latency(const Profile& profile, Engine unit) {
  switch (unit) {
    case Engine::none: return 0;
    case Engine::compute: return profile.compute.first;
    case Engine::h2d: return profile.copies.h2d_first;
    case Engine::d2h:
    case Engine::peer: return profile.copies.d2h_first;
    case Engine::host: return profile.streams.host_function;
  }
  return 0;
}

Nanoseconds late_handoff(const Profile::Streams& streams, Engine from, Engine to) {
  if (from == Engine::none || to == Engine::none) return 0;
  if (to == Engine::host) return from == Engine::host ? streams.host_function_again : streams.host_function_after_work;
  if (from == Engine::host) return streams.after_host_function;
  if (from == Engine::compute) return to == Engine::compute ? streams.kernel_after_kernel : streams.copy_after_kernel;
  if (to == Engine::compute) return streams.kernel_after_copy;
  return from == to ? streams.copy_after_copy : streams.copy_after_other_copy;
}

Nanoseconds wake_callbacks(const Profile::Streams& streams, Nanoseconds idle) {
  if (idle <= streams.host_function_patience) return streams.host_function_after_work;
  return streams.host_function_asleep + std::min(idle, kLongestDoze) * streams.host_function_doze / 1'000'000;
}

Nanoseconds latest_handoff(const Profile::Streams& streams, Engine from, Engine to) {
  const Nanoseconds late = late_handoff(streams, from, to);
  if (to != Engine::host || from == Engine::host || from == Engine::none) return late;
  return std::max(late, wake_callbacks(streams, std::max(kLongestDoze, streams.host_function_patience + 1)));
}

Nanoseconds handoff_in_graph(const Profile::Streams& streams, Engine from, Engine to) {
  if (from == Engine::compute && to == Engine::compute) return streams.graph_node;
  if (from == to || from == Engine::host || to == Engine::host) return late_handoff(streams, from, to);
  return streams.graph_copy;
}

Nanoseconds handoff(const Profile::Streams& streams, Engine from, Engine to, Nanoseconds waited) {
  const Nanoseconds late = late_handoff(streams, from, to);
  if (!polls(from, to) || waited > streams.long_wait) return late;
  const Nanoseconds soon = std::min(late, streams.short_handoff);
  return waited > streams.short_wait ? (soon + late) / 2 : soon;
}

std::vector<bool> released_copies(const program::Program& program) {
  std::vector<bool> all(program.operations.size(), false);
  std::vector<Engine> next(program.streams.size(), Engine::none);  // of what comes behind in each stream
  for (std::size_t i = program.operations.size(); i-- > 0;) {
    const program::Operation& operation = program.operations[i];
    const auto stream = program::ordered_in(operation);
    if (!stream || operation.launch != kNoOperation) continue;
    const Engine engine = program::engine_of(operation.work);
    Engine& behind = next[stream->value];
    const auto* copy = std::get_if<program::op::Copy>(&operation.work);
    if (copy != nullptr && !copy->blocking && !is_pageable(program, *copy)) {
      all[i] = behind != Engine::none && behind != engine;
    }
    if (engine != Engine::none) behind = engine;
  }
  return all;
}

}  // namespace streamscope::model
