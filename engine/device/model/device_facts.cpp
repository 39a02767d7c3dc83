#include "engine/device/model/device_facts.h"

#include <algorithm>
#include <array>
#include <span>

#include "engine/device/kernel_facts.h"
#include "engine/device/model/hardware/handoff.h"
#include "engine/device/model/hardware/kernel_time.h"
#include "engine/device/model/host/host_call.h"

namespace streamscope::model {
namespace {

using trace::WaitReason;

// What may carry out an operation that the trace shows on that engine: small copies to the device travel in the command
// stream, which counts as compute; records and waits count as work of whatever their stream had last.
std::span<const Engine> units_of(Engine engine) {
  static constexpr std::array kCopy{Engine::h2d, Engine::compute}, kOut{Engine::d2h, Engine::d2h},
      kCompute{Engine::compute, Engine::compute}, kHost{Engine::host, Engine::host}, kPeer{Engine::peer, Engine::peer};
  static constexpr std::array kAny{Engine::none, Engine::h2d, Engine::d2h, Engine::compute, Engine::host};
  switch (engine) {
    case Engine::none: return kAny;
    case Engine::h2d: return kCopy;
    case Engine::d2h: return kOut;
    case Engine::compute: return kCompute;
    case Engine::host: return kHost;
    case Engine::peer: return kPeer;
  }
  return kAny;
}

class HandOvers {
 public:
  explicit HandOvers(const Profile& profile) : profile_(profile), streams_(profile.streams) {}

  std::vector<trace::HandOver> all() && {
    constexpr std::array kTo{Engine::none, Engine::h2d, Engine::d2h, Engine::compute, Engine::host, Engine::peer};
    // Of one device nothing goes to another.
    const std::span to = std::span(kTo).first(profile_.devices > 1 ? kTo.size() : kTo.size() - 1), from = to.subspan(1);
    for (const WaitReason after : {WaitReason::none, WaitReason::stream, WaitReason::legacy, WaitReason::event,
                                   WaitReason::engine, WaitReason::graph, WaitReason::queue}) {
      for (const Engine unit : to) add(after, Engine::none, unit);
      if (after == WaitReason::none) continue;
      for (const Engine before : from) {
        for (const Engine unit : to) add(after, before, unit);
      }
    }
    return std::move(all_);
  }

 private:
  // Less specific ones come first, and one that says the same as they do is left out.
  void add(WaitReason after, Engine from, Engine to) {
    const Nanoseconds usual = longest(after, from, to);
    if (trace::usual_hand_over(all_, after, from, to) != usual) all_.push_back({after, from, to, usual});
  }

  Nanoseconds longest(WaitReason after, Engine from, Engine to) const {
    Nanoseconds most = 0;
    for (const Engine before : units_of(from)) {
      for (const Engine unit : units_of(to)) {
        // A record or a wait is work of the unit before it, which is the host's only behind a host function.
        if (to == Engine::none && unit == Engine::host && before != Engine::host) continue;
        most = std::max(most, between(after, before, unit));
      }
    }
    const bool may_be_inlined = from != Engine::compute || to != Engine::compute;
    if (after == WaitReason::stream && may_be_inlined) most = std::max(most, inlined(from, to));
    // Kernels that could start at the same time do so one launch gap after the other.
    return to == Engine::compute ? most + profile_.compute.launch_gap : most;
  }

  Nanoseconds between(WaitReason after, Engine before, Engine unit) const {
    switch (after) {
      case WaitReason::none: return streams_.submit + first(unit);
      case WaitReason::stream: {
        // An engine that ran what a wait in the stream waited for polls for it all the same.
        const bool behind_wait = before == unit && (unit == Engine::h2d || unit == Engine::d2h);
        const Nanoseconds late = latest_handoff(streams_, before, unit);
        return behind_wait ? std::max(late, streams_.short_handoff) : late;
      }
      case WaitReason::legacy: return streams_.legacy + late_handoff(streams_, before, unit);
      case WaitReason::event: return streams_.event + (profile_.devices > 1 ? profile_.links.event : 0);
      case WaitReason::graph:
        return before == Engine::none ? streams_.graph_start : handoff_in_graph(streams_, before, unit);
      default: return 0;
    }
  }

  // Between a kernel and a copy that travels with the commands.
  Nanoseconds inlined(Engine from, Engine to) const {
    const auto on_multiprocessors = [](Engine engine) {
      return engine == Engine::none || engine == Engine::h2d || engine == Engine::compute;
    };
    return on_multiprocessors(from) && on_multiprocessors(to) ? streams_.inlined : 0;
  }

  Nanoseconds first(Engine unit) const {
    switch (unit) {
      case Engine::none: return 0;
      case Engine::h2d: return profile_.copies.h2d_first;
      case Engine::d2h: return profile_.copies.d2h_first;
      case Engine::compute: return profile_.compute.first;
      case Engine::host: return streams_.host_function;
      case Engine::peer: return profile_.copies.d2h_first;
    }
    return 0;
  }

  const Profile& profile_;
  const Profile::Streams& streams_;
  std::vector<trace::HandOver> all_;
};

}  // namespace

trace::DeviceFacts device_facts(const Profile& profile) {
  const Profile::Compute& sm = profile.compute;
  trace::DeviceFacts facts;
  facts.multiprocessors = static_cast<std::uint32_t>(sm.multiprocessors);
  facts.threads = sm.threads;
  facts.blocks = sm.blocks;
  facts.registers = sm.registers;
  facts.shared_bytes = sm.shared_bytes;
  facts.block_shared_reserved = sm.block_shared_reserved;
  facts.kernels = sm.kernels;
  facts.copy_engines = static_cast<std::uint32_t>(profile.copies.engines);
  if (profile.copies.engines > 1) facts.h2d_beside_d2h = facts.d2h_beside_h2d = profile.copies.both_directions;
  facts.queue_depth = profile.streams.queue_depth;
  facts.connections = profile.streams.connections;
  if (profile.copies.queue == CopyQueue::channel) facts.copy_connections = profile.copies.channels;
  facts.copies_in_issue_order = profile.copies.queue == CopyQueue::issue;
  facts.inlined_bytes = profile.copies.inlined;
  facts.inlined_idle_bytes = profile.copies.by_host;
  facts.inlined_pageable_bytes = kLastPiece;
  facts.hand_overs = HandOvers(profile).all();
  return facts;
}

std::vector<trace::KernelFacts> kernel_facts(const Profile& profile, const program::Program& program) {
  const Profile::Compute& sm = profile.compute;
  std::vector<trace::KernelFacts> all = device::kernel_facts(program, sm.multiprocessors);
  for (trace::KernelFacts& facts : all) {
    const program::Work& work = program.operations[facts.operation].work;
    const Grid grid = grid_of(profile, program, work);
    facts.registers = device::shape_of(program, work, static_cast<std::uint32_t>(sm.multiprocessors)).registers;
    facts.shared_bytes = grid.shared_bytes - sm.block_shared_reserved;
    facts.blocks_at_once = blocks_that_fit(profile, grid);
    facts.most_threads = sm.threads;
    facts.copy_rate = copy_rate(profile);
    facts.peak_flops = 2e6 * sm.fma_per_clock * sm.clock_mhz * sm.multiprocessors;
  }
  return all;
}

std::vector<trace::LaunchShape> launch_shapes(const Profile& profile, const program::Program& program,
                                              const std::vector<std::string>& names) {
  const auto fill = [&](OperationIndex first, trace::LaunchShape& launch) {
    const Grid grid = grid_of(profile, program, program.operations[first].work);
    launch.blocks = grid.blocks;
    launch.registers = grid.registers / std::max(1u, grid.threads);
    launch.shared_bytes = grid.shared_bytes - profile.compute.block_shared_reserved;
    launch.blocks_at_once = blocks_that_fit(profile, grid);
  };
  return device::launch_shapes(program, names, profile.compute.multiprocessors, fill);
}

}  // namespace streamscope::model
