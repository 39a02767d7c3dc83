#include "engine/device/cuda/cupti/cupti_api.h"

#ifdef STREAMSCOPE_HAVE_CUPTI
#include <dlfcn.h>
#include <fmt/format.h>

#include <string>

#include "engine/base/translate.h"

namespace streamscope::cuda {
namespace {

constexpr const char* kHowToGetIt = tr_later(
    "install the package cuda-cupti-13-0 (it comes with the CUDA Toolkit too), or put the folder of libcupti.so.13 "
    "into LD_LIBRARY_PATH");

// Tried in turn: the system's search path, the folder of the program, the toolkit used for the build, the usual folders
// of toolkits.
constexpr const char* kFolders[] = {"", "$ORIGIN/", STREAMSCOPE_CUPTI_FOLDER "/", "/usr/local/cuda/extras/CUPTI/lib64/",
                                    "/usr/local/cuda/lib64/"};
constexpr const char* kLibraryNames[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

Result<CuptiApi> load() {
  void* library = nullptr;
  std::string first_reason;
  for (const std::string_view folder : kFolders) {
    for (const std::string_view name : kLibraryNames) {
      library = dlopen((std::string(folder) + std::string(name)).c_str(), RTLD_NOW | RTLD_LOCAL);
      if (library != nullptr) break;
      const char* const reason = dlerror();
      if (first_reason.empty() && reason != nullptr) first_reason = reason;
    }
    if (library != nullptr) break;
  }
  if (library == nullptr) {
    return fail(ErrorKind::bad_input, tr("CUPTI was not found: {} ({}).", tr(kHowToGetIt), first_reason));
  }
  CuptiApi api;
  const char* missing = nullptr;
  const auto need = [&](const char* name, auto& function) {
    if (!find(library, name, function) && missing == nullptr) missing = name;
  };
  need("cuptiGetVersion", api.cuptiGetVersion);
  need("cuptiGetResultString", api.cuptiGetResultString);
  need("cuptiGetTimestamp", api.cuptiGetTimestamp);
  need("cuptiSubscribe", api.cuptiSubscribe);
  need("cuptiEnableCallback", api.cuptiEnableCallback);
  need("cuptiActivitySetAttribute", api.cuptiActivitySetAttribute);
  need("cuptiActivityRegisterCallbacks", api.cuptiActivityRegisterCallbacks);
  need("cuptiActivityEnable", api.cuptiActivityEnable);
  need("cuptiActivityDisable", api.cuptiActivityDisable);
  need("cuptiActivityFlushAll", api.cuptiActivityFlushAll);
  need("cuptiActivityGetNextRecord", api.cuptiActivityGetNextRecord);
  need("cuptiActivityGetNumDroppedRecords", api.cuptiActivityGetNumDroppedRecords);
  find(library, "cuptiSetThreadIdType", api.cuptiSetThreadIdType);
  find(library, "cuptiGetGraphNodeId", api.cuptiGetGraphNodeId);
  find(library, "cuptiActivityEnableRuntimeApi", api.cuptiActivityEnableRuntimeApi);
  if (missing == nullptr && api.cuptiGetVersion(&api.version) != CUPTI_SUCCESS) missing = "cuptiGetVersion";
  if (missing != nullptr || api.version < kOldestCupti) {
    return fail(ErrorKind::bad_input,
                tr("The CUPTI that was found is too old (version {}{}{}): {}.", api.version,
                   missing != nullptr ? tr(", without ") : "", missing != nullptr ? missing : "", tr(kHowToGetIt)));
  }
  return api;
}

}  // namespace

Result<const CuptiApi*> cupti_api() {
  static const Result<CuptiApi> loaded = load();
  if (!loaded) return fail(loaded.error());
  return &*loaded;
}

Error cupti_error(const CuptiApi& api, CUptiResult code, std::string_view call, std::string_view doing) {
  call = call.substr(0, call.find('('));
  if (const auto from = call.find_last_of(".:>"); from != std::string_view::npos) call = call.substr(from + 1);
  const char* text = nullptr;
  if (api.cuptiGetResultString(code, &text) != CUPTI_SUCCESS || text == nullptr) text = "unknown";
  Error error;
  switch (code) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
      error.kind = ErrorKind::bad_input;
      error.message =
          tr("CUPTI may not be used by this user ({}): the administrator has to load the driver's kernel module with "
             "NVreg_RestrictProfilingToAdminUsers=0 (options nvidia in /etc/modprobe.d, then a reboot), or run this as "
             "root.",
             text);
      return error;
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
      error.kind = ErrorKind::bad_input;
      error.message = tr(
          "Another profiler or debugger holds CUPTI in this process ({}): run without it, or use another instrument.",
          text);
      return error;
    case CUPTI_ERROR_NOT_SUPPORTED:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
      error.kind = ErrorKind::bad_input;
      error.message = tr("CUPTI cannot watch this device ({}): use another instrument.", text);
      return error;
    default: break;
  }
  error.kind = ErrorKind::device_failed;
  error.message = tr("{} failed with {} {}: {}", call, static_cast<int>(code), text, doing);
  error.fault = DeviceFault{std::string(call), static_cast<int>(code), text, std::string(doing)};
  return error;
}

}  // namespace streamscope::cuda
#endif
