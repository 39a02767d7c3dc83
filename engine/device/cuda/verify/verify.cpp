#include "engine/device/cuda/verify/verify.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/device/cuda/runtime/cuda_error.h"
#include "engine/device/cuda/verify/reference.h"
#include "engine/program/order/order.h"

namespace streamscope::cuda {
namespace {

constexpr std::uint64_t kPart = 32ull << 20;  // bytes compared at a time where data must come over the bus
constexpr std::uint64_t kMostShadow = 16ull << 30;

bool leaves_data(const program::Program& program, const program::Work& work) {
  const kernels::Choice* const choice = program::kernel_of(program, work);
  return choice != nullptr && (choice->kernel->operands != kernels::Operands::none || choice->kernel->own() != nullptr);
}

std::optional<std::string> not_to_be_verified(const program::Program& program) {
  const bool moves_data =
      std::any_of(program.operations.begin(), program.operations.end(), [&](const program::Operation& operation) {
        return std::holds_alternative<program::op::Copy>(operation.work) ||
               std::holds_alternative<program::op::CopyOnDevice>(operation.work) ||
               std::holds_alternative<program::op::PeerCopy>(operation.work) ||
               std::holds_alternative<program::op::Memset>(operation.work) || leaves_data(program, operation.work);
      });
  const bool keeps_data = std::any_of(program.buffers.begin(), program.buffers.end(),
                                      [](const program::Buffer& buffer) { return !buffer.made_in_run; });
  if (!moves_data || !keeps_data) return tr("the program leaves no data behind");
  if (const auto found = program::hazards(program, 1); !found.empty()) {
    const program::Hazard& hazard = found.front();
    return tr("the result is not determined: {} and {} touch the same bytes of {} on the {}, in no order",
              program::describe(program, hazard.first), program::describe(program, hazard.second),
              program.buffers[hazard.buffer.value].name, hazard.on_host ? tr("host") : tr("device"));
  }
  const std::uint64_t needed = Reference::memory_needed(program);
  const auto available = static_cast<std::uint64_t>(std::max(0l, sysconf(_SC_AVPHYS_PAGES))) *
                         static_cast<std::uint64_t>(std::max(0l, sysconf(_SC_PAGESIZE)));
  if (needed > kMostShadow || needed > available / 10 * 9) {
    return tr("a second copy of its data takes {} of host memory", display_bytes(needed));
  }
  return std::nullopt;
}

// `left`: bytes available from there on. A bfloat16 element, an integer, or a float32 of which the last may be cut.
std::string tell_difference(const program::Buffer& buffer, std::string_view side, std::uint64_t at, const char* found,
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
  return tr("The data is wrong: {} side of buffer {} (line {}), byte {}: {} where {} was expected.", side, buffer.name,
            buffer.line, at, value(found), value(expected));
}

// Where a side of a buffer first differs, in words; empty where it does not. Of what the device has, a part at a time
// is brought over the bus.
Result<std::string> compare_on_device(const program::Buffer& buffer, std::string_view side, const char* on_device,
                                      const char* expected, const std::vector<RoughPart>& rough) {
  std::vector<char> part(std::min(kPart, buffer.bytes));
  for (std::uint64_t at = 0; at < buffer.bytes; at += kPart) {
    const std::uint64_t length = std::min(kPart, buffer.bytes - at);
    CUDA_TRY(cudaMemcpy(part.data(), on_device + at, length, cudaMemcpyDeviceToHost), tr("while verifying the data"));
    if (const auto wrong = first_wrong(part.data(), expected + at, at, length, rough)) {
      return tell_difference(buffer, side, *wrong, part.data() + (*wrong - at), expected + *wrong, at + length - *wrong,
                             rough);
    }
  }
  return std::string();
}

Result<std::string> compare_on_host(const program::Buffer& buffer, const char* on_host, char* on_device,
                                    const char* expected, const std::vector<RoughPart>& rough) {
  if (buffer.host == program::HostMemory::write_combined) {
    // Reading write-combined memory is very slow for a CPU but not for the device, whose side has been compared
    // already.
    CUDA_TRY(cudaMemcpy(on_device, on_host, buffer.bytes, cudaMemcpyHostToDevice), tr("while verifying the data"));
    return compare_on_device(buffer, tr("host"), on_device, expected, rough);
  }
  const auto wrong = first_wrong(on_host, expected, 0, buffer.bytes, rough);
  if (!wrong) return std::string();
  return tell_difference(buffer, tr("host"), *wrong, on_host + *wrong, expected + *wrong, buffer.bytes - *wrong, rough);
}

// As a message names the side: of a buffer with one there alone, "device".
std::string side_named(const program::Buffer& buffer, DeviceId device) {
  return buffer.more_devices.empty() ? tr("device") : tr("device {}", device.value);
}

Result<std::string> compare(const program::Program& program, const Reference& reference,
                            const ProgramBuffers& buffers) {
  const auto devices = static_cast<std::uint32_t>(program::device_count(program));
  for (std::size_t b = 0; b < program.buffers.size(); ++b) {
    const program::Buffer& buffer = program.buffers[b];
    if (buffer.made_in_run) continue;
    const BufferId id{static_cast<std::uint32_t>(b)};
    std::string wrong;
    for (DeviceId on{}; on.value < devices && wrong.empty() && !program::is_shared(buffer.host); ++on.value) {
      if (!program::has_side(buffer, on)) continue;
      wrong = TRY(compare_on_device(buffer, side_named(buffer, on), buffers.device(on)[b], reference.device(id, on),
                                    reference.rough_on_device(id, on)));
    }
    if (wrong.empty()) {
      wrong = TRY(compare_on_host(buffer, buffers.host()[b], buffers.device(buffer.device)[b], reference.host(id),
                                  reference.rough_on_host(id)));
    }
    if (!wrong.empty()) return wrong;
  }
  return std::string();
}

}  // namespace

Result<Verdict> verify_data(const program::Program& program, const ProgramBuffers& buffers) {
  const auto unverified = [](std::string_view why) {
    return Verdict{std::nullopt, tr("The data was not verified: {}.", why)};
  };
  if (const auto why = not_to_be_verified(program)) return unverified(*why);
  try {
    Reference reference(program);
    if (const auto why = reference.run()) return unverified(*why);
    auto wrong = TRY(compare(program, reference, buffers));
    return Verdict{wrong.empty(), std::move(wrong)};
  } catch (const std::bad_alloc&) {
    return unverified(tr("there is no host memory for a second copy of it"));
  }
}

}  // namespace streamscope::cuda
