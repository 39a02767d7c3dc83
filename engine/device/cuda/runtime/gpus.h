// The GPUs that a program runs on, by its DeviceId. The first is the one that was opened; it also has what belongs to
// no device: pinned memory, which all of them reach (CUDA C++ Programming Guide, "Unified Virtual Addressing"), and the
// host's clock.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "engine/base/id.h"
#include "engine/device/cuda/runtime/context.h"
#include "engine/program/program.h"

namespace streamscope::cuda {

class Gpus {
 public:
  Gpus(std::shared_ptr<CudaContext> only) { all_.push_back(std::move(only)); }  // NOLINT: a program is mostly of one

  std::size_t size() const { return all_.size(); }
  CudaContext& first() const { return *all_.front(); }
  CudaContext& operator[](DeviceId device) const { return *all_[device.value]; }
  const std::shared_ptr<CudaContext>& shared(DeviceId device) const { return all_[device.value]; }
  std::vector<cudaStream_t> controls() const {  // by DeviceId: see CudaContext
    std::vector<cudaStream_t> streams;
    for (const auto& gpu : all_) streams.push_back(gpu->control.get());
    return streams;
  }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

  // The first `count` of them, at least one.
  Gpus first_of(std::size_t count) const {
    Gpus some(all_.front());
    some.all_.assign(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(count));
    return some;
  }
  void add(std::shared_ptr<CudaContext> next) { all_.push_back(std::move(next)); }

 private:
  std::vector<std::shared_ptr<CudaContext>> all_;
};

inline DeviceId device_id(std::size_t place) { return DeviceId{static_cast<std::uint32_t>(place)}; }

}  // namespace streamscope::cuda
