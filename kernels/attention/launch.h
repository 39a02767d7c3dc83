// Launches of attention, on a range that holds all matrices and on any others. Compute capability 8.0 and later;
// cudaErrorNotSupported on others.
#pragma once

#include "kernels/attention/attention.h"
#include "kernels/cuda_kernel.h"

namespace streamscope::kernels {

// [heads][rows][head_size], row-major and without gaps, aligned to 16 bytes. O overlaps none of the others.
struct AttentionMatrices {
  const void* q;
  const void* k;
  const void* v;
  void* o;
  std::uint32_t queries;  // rows of Q and O a head: 1 or more
  std::uint32_t keys;     // rows of K and V a head: 1 or more
};

struct AttentionLauncher final : Launcher {
  explicit AttentionLauncher(const AttentionOptions& of) : options(of) {}
  int prepare(std::size_t shared_bytes_limit) override;
  int fit(Fit* fit) const override {
    *fit = found;
    return 0;
  }
  int launch(const LaunchData& data, const StampTo& stamp, const StagesTo& stages, Stream stream) const override;
  // cudaErrorInvalidValue: 2^31 blocks or more, or options that there are not. With stages.blocks the launch must have
  // a single stamp (no tickets), and stages.ring is 2 * buffers or more. Tile j's keys are record 2j and its values
  // record 2j + 1.
  int launch(const AttentionMatrices& on, const StampTo& stamp, const StagesTo& stages, Stream stream) const;
  const void* code() const override;

  AttentionOptions options;
  Fit found;  // from prepare() on; its shared memory is attention_shared_bytes() or more
};

}  // namespace streamscope::kernels
