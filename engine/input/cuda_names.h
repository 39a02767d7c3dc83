// The kind of an operation by the name that CUDA's tools give it.
#pragma once

#include <string_view>

#include "engine/base/kind.h"

namespace streamscope::input {

// Of a call of the runtime or the driver: "cudaStreamSynchronize_v3020" is a sync. Any other is work.
OperationKind kind_of_call(std::string_view name);

// Of a copy, by its direction: "Memcpy HtoD (Pinned -> Device)".
OperationKind kind_of_copy(std::string_view name);

// The engine that carries out an operation of the device, as in a trace of our own.
Engine engine_of(OperationKind kind);

}  // namespace streamscope::input
