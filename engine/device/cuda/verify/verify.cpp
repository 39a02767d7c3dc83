#include "engine/device/cuda/verify/verify.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "engine/base/quantity.h"
#include "engine/device/cuda/runtime/cuda_error.h"
#include "engine/device/cuda/verify/reference.h"
#include "engine/program/order/order.h"

namespace streamscope::cuda {
namespace {

constexpr std::uint64_t kPart = 32ull << 20;  // bytes compared at a time where data must come over the bus
constexpr std::uint64_t kMostShadow = 16ull << 30;

bool leaves_data(const program::Program& program, const program::Work& work) {
  const kernels::Choice* const choice = program::kernel_of(program, work);
  return choice != nullptr && choice->kernel->operands != kernels::Operands::none;
}

std::optional<std::string> not_to_be_verified(const program::Program& program) {
  const bool moves_data =
      std::any_of(program.operations.begin(), program.operations.end(), [&](const program::Operation& operation) {
        return std::holds_alternative<program::op::Copy>(operation.work) ||
               std::holds_alternative<program::op::CopyOnDevice>(operation.work) ||
               std::holds_alternative<program::op::Memset>(operation.work) || leaves_data(program, operation.work);
      });
  const bool keeps_data = std::any_of(program.buffers.begin(), program.buffers.end(),
                                      [](const program::Buffer& buffer) { return !buffer.made_in_run; });
  if (!moves_data || !keeps_data) return "the program leaves no data behind";
  if (const auto found = program::hazards(program, 1); !found.empty()) {
    const program::Hazard& hazard = found.front();
    return fmt::format("the result is not determined: {} and {} touch the same bytes of {} on the {}, in no order",
                       program::describe(program, hazard.first), program::describe(program, hazard.second),
                       program.buffers[hazard.buffer.value].name, hazard.on_host ? "host" : "device");
  }
  const std::uint64_t needed = Reference::memory_needed(program);
  const auto available = static_cast<std::uint64_t>(std::max(0l, sysconf(_SC_AVPHYS_PAGES))) *
                         static_cast<std::uint64_t>(std::max(0l, sysconf(_SC_PAGESIZE)));
  if (needed > kMostShadow || needed > available / 10 * 9) {
    return fmt::format("a second copy of its data takes {} of host memory", display_bytes(needed));
  }
  return std::nullopt;
}

// `left`: bytes available from there on. A bfloat16 element, an integer, or a float32 of which the last may be cut.
std::string tell_difference(const program::Buffer& buffer, const char* side, std::uint64_t at, const char* found,
                            const char* expected, std::uint64_t left, const std::vector<RoughPart>& rough) {
  const auto part =
      std::find_if(rough.begin(), rough.end(), [&](const RoughPart& one) { return one.begin <= at && at < one.end; });
  const kernels::Precision of = part != rough.end() ? part->precision : kernels::Precision{};
  const auto value = [&](const char* from) {
    std::uint32_t word = 0;
    const std::size_t size = std::min<std::uint64_t>(of.bf16 ? 2 : 4, left);
    std::memcpy(reinterpret_cast<char*>(&word) + (of.bf16 ? 4 - size : 0), from, size);
    if (of.integers) return fmt::format("{}", word);
    float number = 0;
    std::memcpy(&number, &word, sizeof number);
    return fmt::format("{}", number);
  };
  return fmt::format("The data is wrong: {} side of buffer {} (line {}), byte {}: {} where {} was expected.", side,
                     buffer.name, buffer.line, at, value(found), value(expected));
}

class Comparison {
 public:
  Comparison(const program::Program& program, std::span<char* const> host, std::span<char* const> device)
      : program_(program), host_(host), device_(device) {}

  Result<std::string> run() {
    Reference reference(program_);
    if (auto why = reference.run()) {
      undetermined_ = true;
      return std::move(*why);
    }
    for (std::size_t b = 0; b < program_.buffers.size(); ++b) {
      const program::Buffer& buffer = program_.buffers[b];
      if (buffer.made_in_run) continue;
      const BufferId id{static_cast<std::uint32_t>(b)};
      if (program::is_shared(buffer.host)) {
        auto wrong = host_side(buffer, host_[b], device_[b], reference.host(id), reference.rough_on_host(id));
        if (!wrong || !wrong->empty()) return wrong;
        continue;
      }
      auto wrong = over_the_bus(buffer, "device", device_[b], reference.device(id), reference.rough_on_device(id));
      if (!wrong || !wrong->empty()) return wrong;
      wrong = host_side(buffer, host_[b], device_[b], reference.host(id), reference.rough_on_host(id));
      if (!wrong || !wrong->empty()) return wrong;
    }
    return std::string();
  }
  bool undetermined() const { return undetermined_; }

 private:
  Result<std::string> over_the_bus(const program::Buffer& buffer, const char* side, const char* on_device,
                                   const char* expected, const std::vector<RoughPart>& rough) {
    part_.resize(std::min(kPart, buffer.bytes));
    for (std::uint64_t at = 0; at < buffer.bytes; at += kPart) {
      const std::uint64_t length = std::min(kPart, buffer.bytes - at);
      CUDA_TRY(cudaMemcpy(part_.data(), on_device + at, length, cudaMemcpyDeviceToHost), "while verifying the data");
      if (const auto wrong = first_wrong(part_.data(), expected + at, at, length, rough)) {
        return tell_difference(buffer, side, *wrong, part_.data() + (*wrong - at), expected + *wrong,
                               at + length - *wrong, rough);
      }
    }
    return std::string();
  }

  Result<std::string> host_side(const program::Buffer& buffer, const char* on_host, char* on_device,
                                const char* expected, const std::vector<RoughPart>& rough) {
    if (buffer.host == program::HostMemory::write_combined) {
      // Reading write-combined memory is very slow for a CPU but not for the device, whose side has been compared
      // already.
      CUDA_TRY(cudaMemcpy(on_device, on_host, buffer.bytes, cudaMemcpyHostToDevice), "while verifying the data");
      return over_the_bus(buffer, "host", on_device, expected, rough);
    }
    if (const auto wrong = first_wrong(on_host, expected, 0, buffer.bytes, rough)) {
      return tell_difference(buffer, "host", *wrong, on_host + *wrong, expected + *wrong, buffer.bytes - *wrong, rough);
    }
    return std::string();
  }

  const program::Program& program_;
  std::span<char*const> host_, device_;
  std::vector<char> part_;
  bool undetermined_ = false;
};

}  // namespace

Result<Verdict> verify_data(const program::Program& program, std::span<char* const> host,
                            std::span<char* const> device) {
  if (const auto why = not_to_be_verified(program)) {
    return Verdict{std::nullopt, fmt::format("The data was not verified: {}.", *why)};
  }
  try {
    Comparison comparison(program, host, device);
    auto wrong = TRY(comparison.run());
    if (comparison.undetermined()) return Verdict{std::nullopt, fmt::format("The data was not verified: {}.", wrong)};
    return Verdict{wrong.empty(), std::move(wrong)};
  } catch (const std::bad_alloc&) {
    return Verdict{std::nullopt, "The data was not verified: there is no host memory for a second copy of it."};
  }
}

}  // namespace streamscope::cuda
