#include "engine/device/cuda/runtime/device_facts.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace streamscope::cuda {
namespace {

// CUDA C++ Programming Guide, "CUDA Environment Variables".
constexpr long kConnections = 8, kMostConnections = 32;
// Measured on H100s and H200s, driver 580: the call for the next operation returned when the first of them had ended.
constexpr std::uint32_t kQueueDepth = 1022;

std::uint32_t connections_of(const char* text) {
  const long asked = text == nullptr ? 0 : std::strtol(text, nullptr, 10);
  return static_cast<std::uint32_t>(asked < 1 ? kConnections : std::min(asked, kMostConnections));
}

template <class T>
std::uint32_t count(T value) {
  return static_cast<std::uint32_t>(std::max<T>(0, value));
}

std::vector<trace::HandOver> hand_overs(const device::DispatchLatency& dispatch) {
  using trace::WaitReason;
  if (dispatch.after_dependency <= 0) return {};  // it was not measured
  std::vector<trace::HandOver> all;
  for (const Engine to : {Engine::h2d, Engine::d2h, Engine::compute}) {
    for (const WaitReason after : {WaitReason::none, WaitReason::stream, WaitReason::legacy, WaitReason::event,
                                   WaitReason::graph, WaitReason::engine, WaitReason::queue, WaitReason::gate}) {
      all.push_back({after, Engine::none, to, dispatch.after_dependency});
    }
    if (to == Engine::compute) continue;
    for (const WaitReason after : {WaitReason::stream, WaitReason::engine}) {
      all.push_back({after, to, to, dispatch.after_copy});
    }
  }
  return all;
}

// In millionths; 0: not measured.
std::uint32_t rate_beside(const device::CopyTime& time) {
  if (!time.known() || time.both <= 0) return 0;
  return static_cast<std::uint32_t>(std::lround(1e6 * std::min(1.0, time.alone / time.both)));
}

}  // namespace

trace::DeviceFacts device_facts(const device::DeviceInfo& info, const device::DispatchLatency& dispatch,
                                const char* connections) {
  const device::MultiprocessorLimits& limits = info.limits;
  trace::DeviceFacts facts;
  facts.multiprocessors = count(info.multiprocessors);
  facts.threads = count(limits.threads);
  facts.blocks = count(limits.blocks);
  facts.registers = count(limits.registers);
  facts.shared_bytes = limits.shared_bytes;
  facts.block_shared_reserved = limits.block_shared_reserved;
  facts.copy_engines = count(info.copy_engines);
  if (info.copy_engines > 1) {
    facts.h2d_beside_d2h = rate_beside(dispatch.h2d);
    facts.d2h_beside_h2d = rate_beside(dispatch.d2h);
  }
  facts.queue_depth = kQueueDepth;
  facts.connections = connections_of(connections);
  facts.hand_overs = hand_overs(dispatch);
  return facts;
}

device::Circumstances circumstances_of(const Gpus& gpus, Nanoseconds opened) {
  const CudaContext& first = gpus.first();
  device::Circumstances found{first.dispatch, opened, first.info.copy_engines};
  for (std::size_t d = 1; d < gpus.size(); ++d) found.others.push_back(gpus[device_id(d)].dispatch);
  if (gpus.size() == 1) return found;
  for (const auto& from : gpus) {
    for (const auto& to : gpus) {
      const auto link = from->to_peer.find(to->index);
      found.peers.push_back(link == from->to_peer.end() ? device::PeerTime{} : link->second);
    }
  }
  return found;
}

}  // namespace streamscope::cuda
