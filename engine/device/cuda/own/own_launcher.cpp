#include "engine/device/cuda/own/own_launcher.h"

#include <cuda.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "engine/base/translate.h"
#include "engine/device/cuda/own/compile.h"
#include "engine/device/cuda/runtime/cuda_error.h"
#include "engine/program/diagnostic.h"

namespace streamscope::cuda {
namespace {

// The driver's functions that the runtime of CUDA 12.4 does not have. A CUresult is the cudaError_t of that number, and
// a CUkernel what the runtime's functions take for a kernel: CUPTI then knows its launches like all others.
struct Driver {
  decltype(&cuLibraryLoadData) load = nullptr;
  decltype(&cuLibraryUnload) unload = nullptr;
  decltype(&cuLibraryGetKernel) kernel = nullptr;
};

Result<Driver> load_driver() {
  void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  Driver driver;
  bool whole = library != nullptr;
  const auto need = [&](const char* name, auto& function) {
    if (library != nullptr)
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    whole = whole && function != nullptr;
  };
  need("cuLibraryLoadData", driver.load);
  need("cuLibraryUnload", driver.unload);
  need("cuLibraryGetKernel", driver.kernel);
  if (!whole)
    return fail(ErrorKind::device_failed,
                tr("The driver's library libcuda.so.1 cannot be loaded, and kernels of your own are launched by it; "
                   "install NVIDIA's driver."));
  return driver;
}

const Result<Driver>& driver() {
  static const Result<Driver> kLoaded = load_driver();
  return kLoaded;
}

}  // namespace

struct OwnModule {
  explicit OwnModule(const Driver& of) : driver(of) {}
  OwnModule(const OwnModule&) = delete;
  OwnModule& operator=(const OwnModule&) = delete;
  ~OwnModule() {
    if (library != nullptr) driver.unload(library);
  }
  const Driver& driver;
  CUlibrary library = nullptr;
  std::array<CUkernel, 3> functions{};
  std::uint64_t shared_bytes = 0;  // the most that a launch of it asks for
};

namespace {

class OwnLauncher final : public kernels::Launcher {
 public:
  OwnLauncher(const kernels::OwnKernel& kernel, const kernels::Values& values, std::shared_ptr<OwnModule> module)
      : kernel_(kernel),
        shape_(kernel.shape(values, 0, 1)),
        stamps_(kernel.stamps(values)),
        module_(std::move(module)) {}

  int prepare(std::size_t) override {
    // The limit is the function's, which all its launches share; the usual one counts what it declares itself, too.
    if (shape_.shared_bytes <= module_->shared_bytes) return cudaSuccess;
    module_->shared_bytes = shape_.shared_bytes;
    for (const CUkernel one : module_->functions) {
      const cudaError_t code =
          cudaFuncSetAttribute(one, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shape_.shared_bytes));
      if (code != cudaSuccess) return code;
    }
    return cudaSuccess;
  }
  int fit(kernels::Fit* fit) const override {
    const CUkernel function = module_->functions[0];
    cudaFuncAttributes attributes{};
    cudaError_t code = cudaFuncGetAttributes(&attributes, function);
    fit->registers = attributes.numRegs;
    fit->shared_bytes = shape_.shared_bytes;
    fit->static_bytes = attributes.sharedSizeBytes;
    if (code == cudaSuccess) {
      code = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit->blocks, function, static_cast<int>(shape_.threads),
                                                           shape_.shared_bytes);
    }
    if (code != cudaSuccess) cudaGetLastError();
    return code;
  }
  int launch(const kernels::LaunchData& data, const kernels::StampTo& stamp, const kernels::StagesTo&,
             kernels::Stream stream) const override {
    const std::size_t form = stamp.stamps == nullptr || !stamps_ ? 0 : stamp.tickets == nullptr ? 1 : 2;
    std::array<void*, kernels::kMostParameters + 2> arguments{};
    const std::size_t count = kernel_.parameters.size();
    const auto& given = static_cast<const OwnLaunchData&>(data);
    for (std::size_t i = 0; i < count; ++i) arguments[i] = const_cast<std::uint64_t*>(&given.arguments[i]);
    kernels::StampTo to = stamp;
    if (kernel_.stamped) {
      arguments[count] = &to.stamps;
      arguments[count + 1] = &to.tickets;
    }
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(static_cast<unsigned>(shape_.blocks));
    config.blockDim = dim3(shape_.threads);
    config.dynamicSmemBytes = shape_.shared_bytes;
    config.stream = stream;
    return cudaLaunchKernelExC(&config, module_->functions[form], arguments.data());
  }
  const void* code() const override { return module_.get(); }

 private:
  const kernels::OwnKernel& kernel_;
  const kernels::Shape shape_;
  const bool stamps_;
  const std::shared_ptr<OwnModule> module_;
};

Result<std::shared_ptr<OwnModule>> make_module(const CudaContext& context, const kernels::OwnKernel& kernel,
                                               std::string_view source, std::uint32_t line) {
  auto compiled = compile(kernel, source, context.info.compute_capability);
  if (!compiled) {
    Error error = std::move(compiled.error());
    if (error.kind == ErrorKind::bad_input)
      error.message = program::at_line(line, tr("the kernel {} does not compile:\n{}", kernel.name, error.message));
    return fail(std::move(error));
  }
  if (!driver()) return fail(driver().error());
  auto made = std::make_shared<OwnModule>(*driver());
  CUresult code = made->driver.load(&made->library, compiled->cubin.data(), nullptr, nullptr, 0, nullptr, nullptr, 0);
  for (std::size_t i = 0; code == CUDA_SUCCESS && i < made->functions.size(); ++i)
    code = made->driver.kernel(&made->functions[i], made->library, compiled->functions[i].c_str());
  if (code != CUDA_SUCCESS)
    return fail(cuda_error(static_cast<cudaError_t>(code), "cuLibraryLoadData", tr("while loading {}", kernel.name)));
  return made;
}

}  // namespace

Result<std::unique_ptr<kernels::Launcher>> own_launcher(const CudaContext& context, const program::Program& program,
                                                        const kernels::Choice& choice,
                                                        const device::LoadOptions& options, OwnModules& modules) {
  const kernels::OwnKernel& kernel = *choice.kernel->own();
  const auto declared = std::ranges::find(program.own_kernels, &kernel, [](const auto& one) { return one.get(); });
  const std::uint32_t line = program.own_lines[static_cast<std::size_t>(declared - program.own_kernels.begin())];
  const auto source = std::ranges::find(options.own, kernel.file, &kernels::OwnSource::file);
  if (source == options.own.end()) {
    return fail({.message = program::at_line(
                     line, tr("{} is code of the program's own, in {}: it is compiled and run on a GPU only "
                              "when you say so. Read it, then run the program with --own-kernels; or "
                              "run it on a model (--device model)",
                              kernel.name, kernel.file)),
                 .wants_own_code = true});
  }
  std::shared_ptr<OwnModule>& module = modules[&kernel];
  if (module == nullptr) module = TRY(make_module(context, kernel, source->text, line));
  return std::make_unique<OwnLauncher>(kernel, choice.values, module);
}

}  // namespace streamscope::cuda
