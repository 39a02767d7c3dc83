// Returns free memory to the system.
#pragma once

namespace streamscope {

// For after work on a large trace: the C library would keep the hundreds of megabytes that such work allocated and
// freed.
void give_back_memory();

}  // namespace streamscope
