#include "kernels/attention/kernel.cuh"

namespace streamscope::kernels {

AttentionForms fp32_attention() { return attention_forms<float>(); }

}  // namespace streamscope::kernels
