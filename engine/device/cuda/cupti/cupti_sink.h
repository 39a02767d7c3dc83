// Where CUPTI puts its records: the buffers it asks for, and what was read out of them.
//
// CUPTI calls back without saying for whom, from any thread, up to the end of the process; so this is one a process and
// is never destroyed. Room is bounded: what does not fit is counted as lost.
#pragma once

#ifdef STREAMSCOPE_HAVE_CUPTI
#include <cupti.h>

#include <cstddef>
#include <string>

#include "engine/reconstruct/activity.h"

namespace streamscope::cuda {

struct CuptiSink {
  struct Taken {
    reconstruct::ActivityRecords records;  // times on CUPTI's clock
    std::size_t lost = 0;                  // dropped by CUPTI, not readable, or beyond our room
    std::string fault;                     // what CUPTI said when it gave up for good; stays
  };
  // Forgets what came so far, and keeps no more than kIdleBuffers.
  static void clear();
  static Taken take();

  static constexpr std::size_t kBufferBytes = 1 << 20;
  static constexpr std::size_t kMostBuffers = 256;
  static constexpr std::size_t kIdleBuffers = 8;
  static constexpr std::size_t kMostRecords = 16'000'000;  // of each sort
};

// What CUPTI is told to call.
void CUPTIAPI cupti_buffer_requested(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records);
void CUPTIAPI cupti_buffer_completed(CUcontext context, std::uint32_t stream, std::uint8_t* buffer, std::size_t size,
                                     std::size_t valid);
void CUPTIAPI cupti_state_changed(void* user, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data);

}  // namespace streamscope::cuda
#endif
