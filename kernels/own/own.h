// A kernel that a stream program brings along: its name, the file of its source, and the parameters that the program
// declares for it. Of what it does nothing is known but that.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "kernels/kernel.h"

namespace streamscope::kernels {

// As CUDA C++ has it: "const float* x" is read, "float* y" is written (and may be read), "int n" is a number.
struct Parameter {
  enum class Kind : std::uint8_t { reads, writes, whole_number, real_number };
  std::string type;  // "const float*", "unsigned long long"
  std::string name;
  Kind kind = Kind::whole_number;
  std::uint32_t bytes = 1;  // of a number; of an element behind a pointer, 1 where its type is not known here
};
constexpr bool is_pointer(Parameter::Kind kind) {
  return kind == Parameter::Kind::reads || kind == Parameter::Kind::writes;
}

inline constexpr std::size_t kMostParameters = 16;
// From "(float* y, const float* x, int n)". Error bad_input: what is wrong, without its place.
Result<std::vector<Parameter>> parameters_of(std::string_view text);

// Its options are those of a launch: blocks, threads, smem, and what a model takes in place of a measurement.
struct OwnKernel final : Kernel {
  OwnKernel(std::string name, std::string file, std::vector<Parameter> parameters, bool stamped,
            std::string measured_on = {});
  Shape shape(const Values& values, std::uint64_t bytes, std::uint32_t multiprocessors) const override;
  AtLeast at_least(const Values& values, std::uint64_t, std::uint32_t, double) const override;
  CudaCode cuda_code(const Values&, std::string_view name) const override;
  CudaLaunch cuda_launch(const Values& values, const CudaOperands& on) const override;
  const OwnKernel* own() const override { return this; }

  const std::string name, file;  // as written: relative to the program's file
  const std::vector<Parameter> parameters;
  const bool stamped;             // launched by a function around it that stamps its begin and end
  const std::string measured_on;  // the GPU on which its launches took what they say; empty: the program says it
  // Whether a launch of it is stamped. At least 1024 blocks of 512 threads or more are not: what stamps add to each
  // block there made a kernel of 17 us 3 to 7 us longer (H100); an event tells its end.
  bool stamps(const Values& values) const;
};
// The values of a launch that takes so long on a model, with so many registers; 0: as they are.
Values lasting(Values values, Nanoseconds time, std::uint32_t registers);
// Without a name: whose options a launch has is the same for all.
const OwnKernel& any_own_kernel();

// The source of a kernel, as it was read from its file by whoever may do that.
struct OwnSource {
  std::string file;  // as the program names it
  std::string text;
  friend bool operator==(const OwnSource&, const OwnSource&) = default;
};

}  // namespace streamscope::kernels
