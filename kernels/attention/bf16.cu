#include "kernels/attention/kernel.cuh"

namespace streamscope::kernels {

AttentionForms bf16_attention(std::uint32_t head_size) { return attention_forms<__nv_bfloat16>(head_size); }

}  // namespace streamscope::kernels
