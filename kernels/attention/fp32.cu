#include "kernels/attention/kernel.cuh"

namespace streamscope::kernels {

AttentionForms fp32_attention(std::uint32_t head_size) { return attention_forms<float>(head_size); }

}  // namespace streamscope::kernels
