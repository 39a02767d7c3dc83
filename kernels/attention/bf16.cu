#include "kernels/attention/kernel.cuh"

namespace streamscope::kernels {

AttentionForms bf16_attention() { return attention_forms<__nv_bfloat16>(); }

}  // namespace streamscope::kernels
