// What a trace says of a GPU: its limits as the driver has them, and its hand-overs as they were measured when it was
// opened; and what a reconstruction needs of all GPUs of a run.
#pragma once

#include "engine/device/cuda/runtime/gpus.h"
#include "engine/device/device_info.h"
#include "engine/device/dispatch_latency.h"
#include "engine/trace/device_facts.h"

namespace streamscope::cuda {

// `connections`: the value of CUDA_DEVICE_MAX_CONNECTIONS; null: it is not set. The depth of launch queues, how many
// kernels run at once and how long host functions take to begin are not known.
trace::DeviceFacts device_facts(const device::DeviceInfo& info, const device::DispatchLatency& dispatch,
                                const char* connections);

// `opened`: when the gate opened, on the trace's axis; kAbsent without one.
device::Circumstances circumstances_of(const Gpus& gpus, Nanoseconds opened);

}  // namespace streamscope::cuda
