#include "engine/device/cuda/runtime/gpu_list.h"

#include <fmt/format.h>

#include <fstream>
#include <utility>
#include <vector>

#include "engine/base/translate.h"
#include "engine/device/cuda/runtime/cuda_error.h"
#include "kernels/launch.h"

namespace streamscope::cuda {
namespace {

std::string cuda_version(int number) { return fmt::format("{}.{}", number / 1000, number % 1000 / 10); }

// "580.159.04", or nothing where the system does not say.
std::string driver_release() {
  std::string release;
  if (std::ifstream file("/sys/module/nvidia/version"); file && std::getline(file, release)) return release;
  // "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  ...": the first word that starts with a digit.
  std::ifstream file("/proc/driver/nvidia/version");
  std::string line;
  if (!file || !std::getline(file, line)) return {};
  for (std::size_t at = line.find("Module"); at < line.size(); ++at) {
    if (line[at] == ' ' && at + 1 < line.size() && line[at + 1] >= '0' && line[at + 1] <= '9') {
      return line.substr(at + 1, line.find(' ', at + 1) - at - 1);
    }
  }
  return {};
}

std::string driver_text() {
  int version = 0;
  if (cudaDriverGetVersion(&version) != cudaSuccess) {
    cudaGetLastError();
    version = 0;
  }
  const std::string release = driver_release();
  return fmt::format("{}{}CUDA {}", release, release.empty() ? "" : ", ", cuda_version(version));
}

std::string why_not(cudaError_t code) {
  int driver = 0, runtime = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess) driver = 0;
  if (cudaRuntimeGetVersion(&runtime) != cudaSuccess) runtime = 0;
  switch (code) {
    case cudaErrorNoDevice: return tr("No NVIDIA GPU was found by the CUDA driver (cudaErrorNoDevice).");
    case cudaErrorInsufficientDriver:
      if (driver == 0)
        return tr("No NVIDIA driver is installed (cudaErrorInsufficientDriver); install one to use a GPU.");
      return tr(
          "The NVIDIA driver is too old: it knows CUDA {}, this program needs CUDA {} (cudaErrorInsufficientDriver); "
          "install a newer driver.",
          cuda_version(driver), cuda_version(runtime));
    default: return tr("The CUDA driver finds no usable GPU: {}; see what nvidia-smi says.", explain(code));
  }
}

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  if (cudaDeviceGetAttribute(&value, which, device) != cudaSuccess) cudaGetLastError();
  return value;
}

bool reach_each_other(int one, int other) {
  int can = 0;
  if (cudaDeviceCanAccessPeer(&can, one, other) != cudaSuccess) cudaGetLastError();
  return can != 0;
}

// Without the clock, which is set when the device is opened (context.cpp).
device::MultiprocessorLimits limits(const cudaDeviceProp& properties) {
  device::MultiprocessorLimits limits;
  limits.threads = properties.maxThreadsPerMultiProcessor;
  limits.blocks = properties.maxBlocksPerMultiProcessor;
  limits.registers = properties.regsPerMultiprocessor;
  limits.shared_bytes = properties.sharedMemPerMultiprocessor;
  limits.block_threads = properties.maxThreadsPerBlock;
  limits.block_shared = properties.sharedMemPerBlockOptin;
  limits.block_shared_reserved = properties.reservedSharedMemPerBlock;
  return limits;
}

// Empty: as far as can be seen without opening it, nothing.
std::string why_unusable(const cudaDeviceProp& properties, int device) {
  if (attribute(cudaDevAttrComputeMode, device) == cudaComputeModeProhibited)
    return tr("its compute mode is \"prohibited\"; nvidia-smi -c 0 allows computing");
  if (kernels::architecture_for(100 * properties.major + 10 * properties.minor) > 0) return {};
  return without_kernels(fmt::format("{}.{}", properties.major, properties.minor));
}

}  // namespace

std::string gpus_there_are(std::size_t count, std::size_t named) {
  return count == 1
             ? tr("there is one GPU here that can be used; a model takes any number, such as model:h200x{}", named)
             : tr("there are {} GPUs here that can be used; a model takes any number, such as model:h200x{}", count,
                  named);
}

std::string without_kernels(const std::string& capability) {
  const int lowest = kernels::lowest_architecture();
  return tr(
      "this build has no kernels for its compute capability, {}, but for {}.{} and later "
      "(cudaErrorNoKernelImageForDevice)",
      capability, lowest / 100, lowest % 100 / 10);
}

// Creates no context on any GPU, so it takes no memory there and little time. The range of stream priorities is not
// known without a context and stays 0 to 0; the info() of an opened device has it.
device::DeviceList cuda_devices() {
  device::DeviceList found;
  int count = 0;
  if (const cudaError_t code = cudaGetDeviceCount(&count); code != cudaSuccess) {
    cudaGetLastError();
    found.why_no_gpu = why_not(code);
    return found;
  }
  if (count == 0) {
    found.why_no_gpu = why_not(cudaErrorNoDevice);
    return found;
  }
  const std::string driver = driver_text();
  std::vector<int> usable;  // the numbers of found.devices
  for (int i = 0; i < count; ++i) {
    const std::string id = fmt::format("cuda:{}", i);
    cudaDeviceProp properties{};
    if (const cudaError_t code = cudaGetDeviceProperties(&properties, i); code != cudaSuccess) {
      cudaGetLastError();
      found.skipped.push_back({id, "", tr("it cannot be asked for its properties: {}", explain(code))});
      continue;
    }
    if (std::string why = why_unusable(properties, i); !why.empty()) {
      found.skipped.push_back({id, properties.name, std::move(why)});
      continue;
    }
    device::DeviceInfo info;
    info.id = id;
    info.name = properties.name;
    info.kind = trace::Provenance::Kind::measured;
    info.driver = driver;
    info.compute_capability = fmt::format("{}.{}", properties.major, properties.minor);
    info.memory_bytes = properties.totalGlobalMem;
    info.multiprocessors = properties.multiProcessorCount;
    info.copy_engines = attribute(cudaDevAttrAsyncEngineCount, i);
    info.drives_display = attribute(cudaDevAttrKernelExecTimeout, i) != 0;
    info.limits = limits(properties);
    found.devices.push_back(std::move(info));
    usable.push_back(i);
  }
  for (std::size_t i = 0; i < usable.size(); ++i) {
    found.devices[i].devices = static_cast<int>(usable.size());
    if (usable.size() > 1) found.devices[i].peer = reach_each_other(usable[i], usable[i == 0 ? 1 : 0]);
  }
  if (found.devices.empty()) {
    const device::SkippedGpu& first = found.skipped.front();
    found.why_no_gpu =
        tr_n("{} GPU is there and cannot be used; {}: {}", "{} GPUs are there and cannot be used; {}: {}",
             found.skipped.size(), found.skipped.size(), first.id, first.why);
  }
  return found;
}

}  // namespace streamscope::cuda
