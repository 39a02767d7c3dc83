#include "engine/device/cuda/own/compile.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "engine/base/translate.h"
#include "kernels/own/wrap.h"

namespace streamscope::cuda {
namespace {

// Of nvrtc.h, which need not be there.
using NvrtcProgram = struct NvrtcProgramImpl*;
using NvrtcResult = int;  // 0: success
constexpr NvrtcResult kCompilationFailed = 6;
struct Nvrtc {
  NvrtcResult (*create)(NvrtcProgram*, const char* source, const char* name, int headers, const char* const* texts,
                        const char* const* names) = nullptr;
  NvrtcResult (*destroy)(NvrtcProgram*) = nullptr;
  NvrtcResult (*compile)(NvrtcProgram, int options, const char* const* which) = nullptr;
  NvrtcResult (*log_size)(NvrtcProgram, std::size_t*) = nullptr;
  NvrtcResult (*log)(NvrtcProgram, char*) = nullptr;
  NvrtcResult (*cubin_size)(NvrtcProgram, std::size_t*) = nullptr;
  NvrtcResult (*cubin)(NvrtcProgram, char*) = nullptr;
  NvrtcResult (*add_name)(NvrtcProgram, const char*) = nullptr;
  NvrtcResult (*lowered_name)(NvrtcProgram, const char*, const char**) = nullptr;
  const char* (*error)(NvrtcResult) = nullptr;
};

// Tried in turn: the system's search path, the folder of the program, the toolkit used for the build, the usual one.
constexpr const char* kNvrtcFolders[] = {"", "$ORIGIN/",
#ifdef STREAMSCOPE_TOOLKIT_FOLDER
                                         STREAMSCOPE_TOOLKIT_FOLDER "/",
#endif
                                         "/usr/local/cuda/lib64/"};
constexpr const char* kNvrtcNames[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};

Result<Nvrtc> load() {
  void* library = nullptr;
  std::string first_reason;
  for (const std::string folder : kNvrtcFolders) {
    for (const char* const name : kNvrtcNames) {
      if (library == nullptr) library = dlopen((folder + name).c_str(), RTLD_NOW | RTLD_LOCAL);
      const char* const reason = library == nullptr ? dlerror() : nullptr;
      if (first_reason.empty() && reason != nullptr) first_reason = reason;
    }
  }
  Nvrtc api;
  bool whole = library != nullptr;
  const auto need = [&](const char* name, auto& function) {
    if (library != nullptr)
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    whole = whole && function != nullptr;
  };
  need("nvrtcCreateProgram", api.create);
  need("nvrtcDestroyProgram", api.destroy);
  need("nvrtcCompileProgram", api.compile);
  need("nvrtcGetProgramLogSize", api.log_size);
  need("nvrtcGetProgramLog", api.log);
  need("nvrtcGetCUBINSize", api.cubin_size);
  need("nvrtcGetCUBIN", api.cubin);
  need("nvrtcAddNameExpression", api.add_name);
  need("nvrtcGetLoweredName", api.lowered_name);
  need("nvrtcGetErrorString", api.error);
  if (!whole) {
    return fail(ErrorKind::bad_input,
                tr("NVRTC, which compiles kernels of your own, was not found: install the package cuda-nvrtc-13-0 (it "
                   "comes with the CUDA Toolkit too), or put the folder of libnvrtc.so.13 into LD_LIBRARY_PATH ({}).",
                   library == nullptr ? first_reason : tr("a library without CUBINs was found")));
  }
  return api;
}

const Result<Nvrtc>& nvrtc() {
  static const Result<Nvrtc> kLoaded = load();
  return kLoaded;
}

// One compilation; its program goes with it.
struct Compilation {
  const Nvrtc& api;
  NvrtcProgram program = nullptr;
  ~Compilation() {
    if (program != nullptr) api.destroy(&program);
  }

  std::string log() const {
    std::size_t size = 0;
    if (api.log_size(program, &size) != 0 || size < 2) return {};
    std::string text(size, '\0');
    api.log(program, text.data());
    text.resize(size - 1);
    return text;
  }
};

Result<CompiledKernel> compile_now(const kernels::OwnKernel& kernel, std::string_view source,
                                   std::string architecture) {
  if (!nvrtc()) return fail(nvrtc().error());
  const Nvrtc& api = *nvrtc();
  Compilation one{api};
  const std::string text = kernel.stamped ? kernels::wrapped(kernel, source) : kernels::checked(kernel, source);
  const auto failed = [&](NvrtcResult code, std::string_view call) {
    return fail(ErrorKind::device_failed,
                tr("{} failed with {} {}: {}", call, code, api.error(code), tr("while compiling {}", kernel.file)));
  };
  if (const auto code = api.create(&one.program, text.c_str(), kernel.file.c_str(), 0, nullptr, nullptr); code != 0)
    return failed(code, "nvrtcCreateProgram");
  const std::string itself = "::" + kernel.name;
  if (!kernel.stamped) {
    if (const auto code = api.add_name(one.program, itself.c_str()); code != 0)
      return failed(code, "nvrtcAddNameExpression");
  }
  const std::string target = "--gpu-architecture=sm_" + architecture;
  const char* const options[] = {target.c_str(), "--std=c++17", "--include-path=/usr/local/cuda/include"};
  if (const auto code = api.compile(one.program, static_cast<int>(std::size(options)), options); code != 0) {
    if (code != kCompilationFailed) return failed(code, "nvrtcCompileProgram");
    std::string errors = kernels::errors_of(one.log());
    const bool other = errors.find("streamscope.cu:") != std::string::npos;
    if (other && !kernel.stamped)
      errors +=
          '\n' + std::string(tr("The parameters of {} must be those that are declared, type by type.", kernel.name));
    if (other && kernel.stamped)
      errors +=
          '\n' + std::string(tr("In streamscope.cu {} is called by the function that notes its begin and end: its "
                                "parameters must be those that are declared. What cannot be called so is launched "
                                "by itself with `nostamp` behind its declaration.",
                                kernel.name));
    return fail({.message = std::move(errors), .wants_own_code = true});
  }
  CompiledKernel compiled;
  std::size_t size = 0;
  if (const auto code = api.cubin_size(one.program, &size); code != 0) return failed(code, "nvrtcGetCUBINSize");
  compiled.cubin.resize(size);
  if (const auto code = api.cubin(one.program, compiled.cubin.data()); code != 0) return failed(code, "nvrtcGetCUBIN");
  for (std::size_t i = 0; i < std::size(compiled.functions); ++i) {
    const char* name = kernels::kWrapped[i];
    if (!kernel.stamped) {
      if (const auto code = api.lowered_name(one.program, itself.c_str(), &name); code != 0)
        return failed(code, "nvrtcGetLoweredName");
    }
    compiled.functions[i] = name;
  }
  return compiled;
}

}  // namespace

// A run loads its program several times, and live mode many times.
Result<CompiledKernel> compile(const kernels::OwnKernel& kernel, std::string_view source, std::string_view capability) {
  constexpr std::size_t kMostKept = 64;
  static std::mutex mutex;
  static std::map<std::string, CompiledKernel> kept;
  std::string architecture(capability);
  std::erase(architecture, '.');
  std::string key = fmt::format("{}\n{}\n{}\n{}\n", architecture, kernel.name, kernel.file, kernel.stamped);
  for (const kernels::Parameter& one : kernel.parameters) key += one.type + ' ' + one.name + '\n';
  key += source;
  const std::lock_guard lock(mutex);
  if (const auto found = kept.find(key); found != kept.end()) return found->second;
  auto compiled = TRY(compile_now(kernel, source, std::move(architecture)));
  if (kept.size() >= kMostKept) kept.clear();
  kept.emplace(std::move(key), compiled);
  return compiled;
}

}  // namespace streamscope::cuda
