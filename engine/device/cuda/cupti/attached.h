// Whether CUPTI has been attached to this process. It stays, and later passes carry it whatever their instrument.
#pragma once

#include <atomic>

namespace streamscope::cuda {

inline std::atomic<bool> cupti_is_attached = false;

}  // namespace streamscope::cuda
