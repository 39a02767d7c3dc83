#include "engine/input/cuda_names.h"

#include <utility>

namespace streamscope::input {
namespace {

// What the name begins with behind "cuda" or "cu", with versions and suffixes after it.
constexpr std::pair<std::string_view, OperationKind> kCalls[] = {
    {"StreamSynchronize", OperationKind::sync},
    {"DeviceSynchronize", OperationKind::sync},
    {"EventSynchronize", OperationKind::sync},
    {"CtxSynchronize", OperationKind::sync},
    {"ThreadSynchronize", OperationKind::sync},
    {"EventRecord", OperationKind::record},
    {"StreamWaitEvent", OperationKind::wait},
    {"EventQuery", OperationKind::poll},
    {"StreamQuery", OperationKind::poll},
    {"GraphLaunch", OperationKind::launch},
    {"Malloc", OperationKind::malloc},
    {"MemAlloc", OperationKind::malloc},
    {"Free", OperationKind::free},
    {"MemFree", OperationKind::free},
    {"HostAlloc", OperationKind::malloc},
    {"MemHostAlloc", OperationKind::malloc},
    {"HostRegister", OperationKind::pin},
    {"MemHostRegister", OperationKind::pin},
    {"HostUnregister", OperationKind::unpin},
    {"MemHostUnregister", OperationKind::unpin},
    {"DeviceReset", OperationKind::reset},
};

}  // namespace

OperationKind kind_of_call(std::string_view name) {
  if (!name.starts_with("cu")) return OperationKind::work;
  name.remove_prefix(name.starts_with("cuda") ? 4 : 2);
  for (const auto& [begin, kind] : kCalls)
    if (name.starts_with(begin)) return kind;
  return OperationKind::work;
}

OperationKind kind_of_copy(std::string_view name) {
  if (name.find("HtoD") != std::string_view::npos || name.find("HostToDevice") != std::string_view::npos)
    return OperationKind::h2d;
  if (name.find("DtoH") != std::string_view::npos || name.find("DeviceToHost") != std::string_view::npos)
    return OperationKind::d2h;
  return OperationKind::d2d;
}

Engine engine_of(OperationKind kind) {
  switch (kind) {
    case OperationKind::h2d: return Engine::h2d;
    case OperationKind::d2h: return Engine::d2h;
    case OperationKind::d2d:
    case OperationKind::memset:
    case OperationKind::kernel: return Engine::compute;
    default: return Engine::none;
  }
}

}  // namespace streamscope::input
