#include "engine/device/cuda/cupti/cupti_sink.h"

#ifdef STREAMSCOPE_HAVE_CUPTI
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/base/translate.h"
#include "engine/device/cuda/cupti/cupti_api.h"

namespace streamscope::cuda {
namespace {

// Newer versions only append to records, so the layouts of the oldest accepted library fit all. They are checked
// against newer layouts where the headers have these.
using Kernel = CUpti_ActivityKernel9;
using Memcpy = CUpti_ActivityMemcpy5;
using PeerCopy = CUpti_ActivityMemcpyPtoP4;
using Memset = CUpti_ActivityMemset4;
using Api = CUpti_ActivityAPI;
#if CUPTI_API_VERSION >= 130000
#define SAME_PLACE(Old, New, field) \
  static_assert(offsetof(Old, field) == offsetof(New, field) && sizeof(Old::field) == sizeof(New::field))
SAME_PLACE(Kernel, CUpti_ActivityKernel10, start);
SAME_PLACE(Kernel, CUpti_ActivityKernel10, end);
SAME_PLACE(Kernel, CUpti_ActivityKernel10, correlationId);
SAME_PLACE(Kernel, CUpti_ActivityKernel10, graphNodeId);
SAME_PLACE(Memcpy, CUpti_ActivityMemcpy6, bytes);
SAME_PLACE(Memcpy, CUpti_ActivityMemcpy6, start);
SAME_PLACE(Memcpy, CUpti_ActivityMemcpy6, end);
SAME_PLACE(Memcpy, CUpti_ActivityMemcpy6, correlationId);
SAME_PLACE(Memcpy, CUpti_ActivityMemcpy6, graphNodeId);
#undef SAME_PLACE
#endif

struct State {
  std::mutex mutex;
  std::vector<std::uint8_t*> idle;  // all zero
  std::size_t made = 0;
  std::size_t lost = 0;
  reconstruct::ActivityRecords records;
  std::unordered_map<CUgraphNode, std::uint64_t> graph_nodes;
  std::string fault;
};

State& state() {
  static State& one = *new State;
  return one;
}

// "A value of 0 for both the start and end timestamps indicates that timestamp information could not be collected."
Nanoseconds time_of(std::uint64_t time) { return time == 0 ? kAbsent : static_cast<Nanoseconds>(time); }

// Polls make very many of these records, and they are not needed.
bool asks_only(const Api& call) {
  return call.kind == CUPTI_ACTIVITY_KIND_RUNTIME && (call.cbid == CUPTI_RUNTIME_TRACE_CBID_cudaStreamQuery_v3020 ||
                                                      call.cbid == CUPTI_RUNTIME_TRACE_CBID_cudaEventQuery_v3020 ||
                                                      call.cbid == CUPTI_RUNTIME_TRACE_CBID_cudaGetLastError_v3020);
}

template <class Record>
const Record* as(const CUpti_Activity* record, const std::uint8_t* end) {
  const auto* const from = reinterpret_cast<const std::uint8_t*>(record);
  return end - from >= static_cast<std::ptrdiff_t>(sizeof(Record)) ? reinterpret_cast<const Record*>(record) : nullptr;
}

void read_record(const CUpti_Activity* record, const std::uint8_t* end, reconstruct::ActivityRecords& into,
                 std::size_t& lost) {
  using Kind = reconstruct::Activity::Kind;
  const auto add = [&](Kind kind, const auto& of, std::uint64_t bytes) {
    into.activities.push_back(
        {kind, of.correlationId, bytes, of.graphNodeId, time_of(of.start), time_of(of.end), of.deviceId});
  };
  switch (record->kind) {
    case CUPTI_ACTIVITY_KIND_MEMCPY:
      if (const auto* copy = as<Memcpy>(record, end)) return add(Kind::copy, *copy, copy->bytes);
      break;
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
      if (const auto* copy = as<PeerCopy>(record, end)) return add(Kind::copy, *copy, copy->bytes);
      break;
    case CUPTI_ACTIVITY_KIND_MEMSET:
      if (const auto* memset = as<Memset>(record, end)) return add(Kind::memset, *memset, memset->bytes);
      break;
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      if (const auto* kernel = as<Kernel>(record, end)) return add(Kind::kernel, *kernel, 0);
      break;
    case CUPTI_ACTIVITY_KIND_RUNTIME:
    case CUPTI_ACTIVITY_KIND_DRIVER:
      if (const auto* call = as<Api>(record, end)) {
        if (asks_only(*call)) return;
        into.calls.push_back({call->correlationId, call->threadId, time_of(call->start), time_of(call->end)});
        return;
      }
      break;
    default: return;
  }
  ++lost;
}

void read_buffer(std::uint8_t* buffer, std::size_t valid) {
  const auto api = cupti_api();
  if (!api) return;
  reconstruct::ActivityRecords found;
  std::size_t lost = 0;
  CUpti_Activity* record = nullptr;
  while (true) {
    const CUptiResult code = (*api)->cuptiActivityGetNextRecord(buffer, valid, &record);
    if (code == CUPTI_ERROR_MAX_LIMIT_REACHED) break;
    if (code != CUPTI_SUCCESS || record == nullptr) {
      ++lost;  // at least one: the records behind it cannot be found
      break;
    }
    read_record(record, buffer + valid, found, lost);
  }
  std::size_t dropped = 0;
  if ((*api)->cuptiActivityGetNumDroppedRecords(nullptr, 0, &dropped) == CUPTI_SUCCESS) lost += dropped;

  State& to = state();
  const std::scoped_lock lock(to.mutex);
  to.lost += lost;
  const auto append = [&](auto& all, const auto& some) {
    if (all.size() + some.size() > CuptiSink::kMostRecords) {
      to.lost += some.size();
      return;
    }
    all.insert(all.end(), some.begin(), some.end());
  };
  append(to.records.calls, found.calls);
  append(to.records.activities, found.activities);
}

}  // namespace

void CuptiSink::clear() {
  State& from = state();
  const std::scoped_lock lock(from.mutex);
  from.records = {};
  from.lost = 0;
  for (; from.idle.size() > kIdleBuffers; --from.made) {
    std::free(from.idle.back());
    from.idle.pop_back();
  }
}

CuptiSink::Taken CuptiSink::take() {
  State& from = state();
  const std::scoped_lock lock(from.mutex);
  return {std::exchange(from.records, {}), std::exchange(from.lost, 0), from.fault};
}

std::uint64_t CuptiSink::graph_node(CUgraphNode captured) {
  const std::scoped_lock lock(state().mutex);
  const auto at = state().graph_nodes.find(captured);
  return at == state().graph_nodes.end() ? 0 : at->second;
}

void CuptiSink::forget_graph_nodes() {
  const std::scoped_lock lock(state().mutex);
  state().graph_nodes.clear();
}

void CUPTIAPI cupti_buffer_requested(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
  *buffer = nullptr;
  *size = 0;
  *most_records = 0;
  State& from = state();
  const std::scoped_lock lock(from.mutex);
  if (!from.idle.empty()) {
    *buffer = from.idle.back();
    from.idle.pop_back();
  } else if (from.made < CuptiSink::kMostBuffers) {
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(64, CuptiSink::kBufferBytes));
    if (*buffer == nullptr) return;
    std::memset(*buffer, 0, CuptiSink::kBufferBytes);
    ++from.made;
  } else {
    return;  // CUPTI drops records and counts them
  }
  *size = CuptiSink::kBufferBytes;
}

void CUPTIAPI cupti_buffer_completed(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t size,
                                     std::size_t valid) {
  if (buffer == nullptr) return;
  // CUPTI is C and lets no exception through.
  try {
    if (valid > 0) read_buffer(buffer, valid);
  } catch (...) {
    const std::scoped_lock lock(state().mutex);
    ++state().lost;
  }
  std::memset(buffer, 0, size);
  const std::scoped_lock lock(state().mutex);
  try {
    state().idle.push_back(buffer);
  } catch (...) {
    std::free(buffer);
    --state().made;
  }
}

namespace {

void note_fault(const CUpti_StateData& data) {
  const std::scoped_lock lock(state().mutex);
  try {
    state().fault = data.notification.message != nullptr ? data.notification.message : tr("it did not say why");
  } catch (...) {
    state().fault.clear();
  }
}

void note_graph_node(const CUpti_ResourceData& data) {
  const auto* const graph = static_cast<const CUpti_GraphData*>(data.resourceDescriptor);
  const auto api = cupti_api();
  std::uint64_t id = 0;
  if (graph == nullptr || !api || (*api)->cuptiGetGraphNodeId == nullptr) return;
  if ((*api)->cuptiGetGraphNodeId(graph->node, &id) != CUPTI_SUCCESS) return;
  const std::scoped_lock lock(state().mutex);
  try {
    state().graph_nodes[graph->originalNode] = id;
  } catch (...) {  // no memory: the node's records stay without an operation, and are counted
  }
}

}  // namespace

void CUPTIAPI cupti_called_back(void*, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
  if (data == nullptr) return;
  if (domain == CUPTI_CB_DOMAIN_STATE && id == CUPTI_CBID_STATE_FATAL_ERROR) {
    note_fault(*static_cast<const CUpti_StateData*>(data));
  } else if (domain == CUPTI_CB_DOMAIN_RESOURCE && id == CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED) {
    note_graph_node(*static_cast<const CUpti_ResourceData*>(data));
  }
}

}  // namespace streamscope::cuda
#endif
