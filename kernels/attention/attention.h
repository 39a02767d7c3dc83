// attention: forward, O = softmax(Q K^T / sqrt(head)) V for each head. The range holds Q, K, V and O one after the
// other, each [heads][rows][head]; blocks take tiles of K and V one after the other (launch.h says how).
#pragma once

#include "kernels/attention/options.h"
#include "kernels/kernel.h"

namespace streamscope::kernels {

const Kernel& attention_kernel();

AttentionOptions attention_options(const Values& values);

}  // namespace streamscope::kernels
