// Memory that is free goes back to the system.
#pragma once

namespace streamscope {

// To be called after work on a large trace: what such work takes and frees, some hundred megabytes, the C library would
// keep for the next time.
void give_back_memory();

}  // namespace streamscope
