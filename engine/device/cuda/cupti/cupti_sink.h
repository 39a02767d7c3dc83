// Receives CUPTI's records: provides the buffers it requests, and keeps what was read from them.
//
// CUPTI's callbacks have no user pointer and come from any thread until the end of the process; so there is one sink
// per process, which is never destroyed. Its size is bounded: records that do not fit are counted as lost.
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
    std::size_t lost = 0;                  // dropped by CUPTI, not readable, or too many
    std::string fault;                     // the error with which CUPTI stopped for good; stays set
  };
  // Discards all records, and keeps no more than kIdleBuffers.
  static void clear();
  static Taken take();
  // What CUPTI calls the executable node that this captured node was made into, while it is told of them
  // (CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED); 0: it was not told.
  static std::uint64_t graph_node(CUgraphNode captured);
  static void forget_graph_nodes();

  static constexpr std::size_t kBufferBytes = 1 << 20;
  static constexpr std::size_t kMostBuffers = 256;
  static constexpr std::size_t kIdleBuffers = 8;
  static constexpr std::size_t kMostRecords = 16'000'000;  // of each kind
};

// The callbacks that are registered with CUPTI.
void CUPTIAPI cupti_buffer_requested(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records);
void CUPTIAPI cupti_buffer_completed(CUcontext context, std::uint32_t stream, std::uint8_t* buffer, std::size_t size,
                                     std::size_t valid);
void CUPTIAPI cupti_called_back(void* user, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data);

}  // namespace streamscope::cuda
#endif
