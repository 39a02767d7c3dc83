// CUPTI, loaded on first use; nothing else needs it.
//
// Only in builds that found CUPTI's headers (STREAMSCOPE_HAVE_CUPTI); others return an error that says so. It is never
// unloaded, and not used before an instrument needs it: a process that has attached CUPTI runs a little slower from
// then on.
#pragma once

#ifdef STREAMSCOPE_HAVE_CUPTI
#include <cupti.h>

#include <string_view>

#include "engine/base/result.h"

namespace streamscope::cuda {

// Its functions by their names.
struct CuptiApi {
  decltype(&::cuptiGetVersion) cuptiGetVersion = nullptr;
  decltype(&::cuptiGetResultString) cuptiGetResultString = nullptr;
  decltype(&::cuptiGetTimestamp) cuptiGetTimestamp = nullptr;
  decltype(&::cuptiSubscribe) cuptiSubscribe = nullptr;
  decltype(&::cuptiEnableCallback) cuptiEnableCallback = nullptr;
  decltype(&::cuptiActivitySetAttribute) cuptiActivitySetAttribute = nullptr;
  decltype(&::cuptiActivityRegisterCallbacks) cuptiActivityRegisterCallbacks = nullptr;
  decltype(&::cuptiActivityEnable) cuptiActivityEnable = nullptr;
  decltype(&::cuptiActivityDisable) cuptiActivityDisable = nullptr;
  decltype(&::cuptiActivityFlushAll) cuptiActivityFlushAll = nullptr;
  decltype(&::cuptiActivityGetNextRecord) cuptiActivityGetNextRecord = nullptr;
  decltype(&::cuptiActivityGetNumDroppedRecords) cuptiActivityGetNumDroppedRecords = nullptr;
  // Null where the library does not have them.
  decltype(&::cuptiSetThreadIdType) cuptiSetThreadIdType = nullptr;
  decltype(&::cuptiGetGraphNodeId) cuptiGetGraphNodeId = nullptr;
  // Enables the records of single runtime calls. Null where the library does not have it.
  CUptiResult(CUPTIAPI* cuptiActivityEnableRuntimeApi)(CUpti_CallbackId, std::uint8_t) = nullptr;
  std::uint32_t version = 0;
};

// Loads it once. Error bad_input: why not, and how to get it.
Result<const CuptiApi*> cupti_api();

// The oldest library whose records this reads: that of CUDA 12.4.
inline constexpr std::uint32_t kOldestCupti = 22;

// bad_input if the user can change it (permission, another profiler), otherwise device_failed.
Error cupti_error(const CuptiApi& api, CUptiResult code, std::string_view call, std::string_view doing);

}  // namespace streamscope::cuda

#define CUPTI_TRY(api, call, doing)                                                                  \
  do {                                                                                               \
    const CUptiResult code_of_call = (call);                                                         \
    if (code_of_call != CUPTI_SUCCESS) [[unlikely]]                                                  \
      return ::streamscope::fail(::streamscope::cuda::cupti_error(api, code_of_call, #call, doing)); \
  } while (false)
#endif
