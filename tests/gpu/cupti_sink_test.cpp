// What is read out of CUPTI's buffers: written here by hand, walked by the real library. No GPU is needed.
#ifdef STREAMSCOPE_HAVE_CUPTI
#include "engine/device/cuda/cupti/cupti_sink.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "engine/device/cuda/cupti/cupti_api.h"

namespace streamscope::cuda {
namespace {

class CuptiSinkTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto api = cupti_api(); !api) GTEST_SKIP() << "skipped: " << api.error().message;
    CuptiSink::clear();
    cupti_buffer_requested(&buffer_, &size_, &most_);
    ASSERT_NE(buffer_, nullptr);
    ASSERT_EQ(size_, CuptiSink::kBufferBytes);
    EXPECT_EQ(most_, 0u);
    EXPECT_TRUE(std::all_of(buffer_, buffer_ + size_, [](std::uint8_t byte) { return byte == 0; }));
  }
  void TearDown() override {
    if (buffer_ != nullptr) complete(0);
  }

  template <class Record>
  Record& add(CUpti_ActivityKind kind, std::uint32_t correlation, std::uint64_t start, std::uint64_t end) {
    auto& record = *reinterpret_cast<Record*>(buffer_ + used_);
    used_ += sizeof(Record);
    record.kind = kind;
    record.correlationId = correlation;
    record.start = start;
    record.end = end;
    return record;
  }
  CuptiSink::Taken complete(std::size_t valid) {
    cupti_buffer_completed(nullptr, 0, std::exchange(buffer_, nullptr), size_, valid);
    return CuptiSink::take();
  }

  std::uint8_t* buffer_ = nullptr;
  std::size_t size_ = 0, most_ = 1, used_ = 0;
};

// The records of the headers this is built with; read with the layouts of the oldest library that is accepted.
#if CUPTI_API_VERSION >= 130000
using NewestKernel = CUpti_ActivityKernel10;
using NewestMemcpy = CUpti_ActivityMemcpy6;
#else
using NewestKernel = CUpti_ActivityKernel9;
using NewestMemcpy = CUpti_ActivityMemcpy5;
#endif

TEST_F(CuptiSinkTest, ReadsEveryKindOfRecord) {
  add<NewestKernel>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, 7, 100, 200);
  add<NewestMemcpy>(CUPTI_ACTIVITY_KIND_MEMCPY, 8, 300, 400).bytes = 77;
  add<CUpti_ActivityMemset4>(CUPTI_ACTIVITY_KIND_MEMSET, 9, 500, 600).bytes = 78;
  auto& between = add<CUpti_ActivityMemcpyPtoP4>(CUPTI_ACTIVITY_KIND_MEMCPY2, 10, 700, 800);
  between.bytes = 79;
  between.deviceId = 1;
  auto& call = add<CUpti_ActivityAPI>(CUPTI_ACTIVITY_KIND_RUNTIME, 9, 450, 460);
  call.cbid = CUPTI_RUNTIME_TRACE_CBID_cudaMemsetAsync_v3020;
  call.threadId = 5;
  const CuptiSink::Taken taken = complete(used_);
  EXPECT_EQ(taken.lost, 0u);
  EXPECT_EQ(taken.fault, "");
  ASSERT_EQ(taken.records.activities.size(), 4u);
  const auto& [kernel, copy, memset] =
      std::tie(taken.records.activities[0], taken.records.activities[1], taken.records.activities[2]);
  EXPECT_EQ(kernel.kind, reconstruct::Activity::Kind::kernel);
  EXPECT_EQ(kernel.correlation, 7u);
  EXPECT_EQ(kernel.start, 100);
  EXPECT_EQ(kernel.end, 200);
  EXPECT_EQ(copy.kind, reconstruct::Activity::Kind::copy);
  EXPECT_EQ(copy.bytes, 77u);
  EXPECT_EQ(copy.start, 300);
  EXPECT_EQ(memset.kind, reconstruct::Activity::Kind::memset);
  EXPECT_EQ(memset.bytes, 78u);
  EXPECT_EQ(memset.end, 600);
  EXPECT_EQ(copy.device, 0u);
  const reconstruct::Activity& peer = taken.records.activities[3];
  EXPECT_EQ(peer.kind, reconstruct::Activity::Kind::copy);
  EXPECT_EQ(peer.correlation, 10u);
  EXPECT_EQ(peer.bytes, 79u);
  EXPECT_EQ(peer.device, 1u);
  EXPECT_EQ(peer.end, 800);
  ASSERT_EQ(taken.records.calls.size(), 1u);
  EXPECT_EQ(taken.records.calls[0].correlation, 9u);
  EXPECT_EQ(taken.records.calls[0].thread, 5u);
  EXPECT_EQ(taken.records.calls[0].begin, 450);
  EXPECT_EQ(taken.records.calls[0].end, 460);
}

TEST_F(CuptiSinkTest, TimesThatCouldNotBeTakenAreAbsent) {
  add<NewestKernel>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, 7, 0, 0);
  const CuptiSink::Taken taken = complete(used_);
  ASSERT_EQ(taken.records.activities.size(), 1u);
  EXPECT_FALSE(known(taken.records.activities[0].start));
  EXPECT_FALSE(known(taken.records.activities[0].end));
}

TEST_F(CuptiSinkTest, CallsThatOnlyAskAreLeftOut) {
  for (const CUpti_CallbackId id :
       {CUPTI_RUNTIME_TRACE_CBID_cudaStreamQuery_v3020, CUPTI_RUNTIME_TRACE_CBID_cudaEventQuery_v3020,
        CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_v11060}) {
    add<CUpti_ActivityAPI>(CUPTI_ACTIVITY_KIND_RUNTIME, id, 1, 2).cbid = id;
  }
  const CuptiSink::Taken taken = complete(used_);
  ASSERT_EQ(taken.records.calls.size(), 1u);
  EXPECT_EQ(taken.records.calls[0].correlation, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_v11060);
}

TEST_F(CuptiSinkTest, WhatCannotBeReadIsCountedAndTheRestKept) {
  add<NewestMemcpy>(CUPTI_ACTIVITY_KIND_MEMCPY, 8, 300, 400);
  *reinterpret_cast<std::uint32_t*>(buffer_ + used_) = 0x7FFF'0000;
  const CuptiSink::Taken taken = complete(used_ + 64);
  EXPECT_EQ(taken.records.activities.size(), 1u);
  EXPECT_EQ(taken.lost, 1u);
}

TEST_F(CuptiSinkTest, TakenRecordsAreGone) {
  add<NewestMemcpy>(CUPTI_ACTIVITY_KIND_MEMCPY, 8, 300, 400);
  EXPECT_EQ(complete(used_).records.activities.size(), 1u);
  EXPECT_TRUE(CuptiSink::take().records.activities.empty());
}

TEST_F(CuptiSinkTest, RoomIsBoundedAndBuffersAreUsedAgain) {
  std::vector<std::uint8_t*> held;
  std::uint8_t* more = nullptr;
  std::size_t size = 0, most = 0;
  for (cupti_buffer_requested(&more, &size, &most); more != nullptr; cupti_buffer_requested(&more, &size, &most)) {
    held.push_back(more);
    ASSERT_LE(held.size(), CuptiSink::kMostBuffers);
  }
  EXPECT_EQ(held.size(), CuptiSink::kMostBuffers - 1);  // and the one that SetUp() took
  EXPECT_EQ(size, 0u);
  for (std::uint8_t* const buffer : held) {
    buffer[17] = 1;
    cupti_buffer_completed(nullptr, 0, buffer, CuptiSink::kBufferBytes, 0);
  }
  cupti_buffer_requested(&more, &size, &most);
  ASSERT_NE(more, nullptr);
  EXPECT_EQ(more[17], 0);
  cupti_buffer_completed(nullptr, 0, more, size, 0);
}

}  // namespace
}  // namespace streamscope::cuda
#endif
