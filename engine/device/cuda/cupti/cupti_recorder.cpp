#include "engine/device/cuda/cupti/cupti_recorder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/translate.h"
#include "engine/device/cuda/cupti/cupti_api.h"
#include "engine/device/cuda/cupti/cupti_sink.h"
#include "engine/device/cuda/runtime/cuda_error.h"
#include "kernels/launch.h"

#ifdef STREAMSCOPE_HAVE_CUPTI
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

namespace streamscope::cuda {
namespace {

constexpr int kTies = 9;            // three tiny kernels, copies and memsets each, before and after
constexpr int kClockReadings = 32;  // of CUPTI's host clock, before and after
constexpr std::array kKinds = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                               CUPTI_ACTIVITY_KIND_MEMSET};
// The runtime calls that issue device work. Polls would add very many others, and each record costs the caller time.
constexpr std::array<CUpti_CallbackId, 8> kCalls = {
    CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_v10000, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_v11060,
    CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000, CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_v3020,       CUPTI_RUNTIME_TRACE_CBID_cudaMemsetAsync_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaMemset_v3020,       CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy2DAsync_v3020,
};
constexpr std::array<std::string_view, 3> kCallNames = {tr_later("chosen runtime calls"), tr_later("all runtime calls"),
                                                        tr_later("all runtime and driver calls")};
// A clock that moved by more than this against the host's was set meanwhile.
constexpr Nanoseconds kClockWasSet = 100'000;
// CUPTI's line through the device's times is good to microseconds; with a larger deviation it is wrong.
constexpr Nanoseconds kLostLine = 1'000'000;

std::atomic<bool>& taken() {
  static std::atomic<bool> one = false;
  return one;
}

std::uint32_t this_thread() { return static_cast<std::uint32_t>(gettid()); }

struct Attached {
  const CuptiApi* api = nullptr;
  CUpti_SubscriberHandle subscriber = nullptr;
};

// Once per process: registers with CUPTI before it records anything.
Result<Attached> attach() {
  const auto api = TRY(cupti_api());
  const CuptiApi& on = *api;
  constexpr const char* kDoing = tr_later("while attaching CUPTI");
  CUpti_SubscriberHandle subscriber = nullptr;
  CUPTI_TRY(on, on.cuptiSubscribe(&subscriber, cupti_called_back, nullptr), tr(kDoing));
  // Without this CUPTI does not report its own faults.
  CUPTI_TRY(on, on.cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_STATE, CUPTI_CBID_STATE_FATAL_ERROR), tr(kDoing));
  // Both may fail: without the first CUPTI clears buffers in the issuing thread, without the second records cannot be
  // assigned to threads.
  std::uint8_t yes = 1;
  std::size_t size = sizeof yes;
  on.cuptiActivitySetAttribute(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, &size, &yes);
  if (on.cuptiSetThreadIdType != nullptr) on.cuptiSetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
  CUPTI_TRY(on, on.cuptiActivityRegisterCallbacks(cupti_buffer_requested, cupti_buffer_completed), tr(kDoing));
  return Attached{api, subscriber};
}

const Result<Attached>& attached() {
  static const Result<Attached> once = attach();
  return once;
}

const CuptiApi& api() { return *attached()->api; }

void hear_of_graph_nodes(bool yes) {
  api().cuptiEnableCallback(yes ? 1 : 0, attached()->subscriber, CUPTI_CB_DOMAIN_RESOURCE,
                            CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED);
}

// Whether records can be assigned to threads: CUPTI must give the thread that made these ties its system id.
bool names_threads(const reconstruct::ActivityRecords& records, std::span<const reconstruct::HostInterval> ties) {
  for (const reconstruct::ApiCall& call : records.calls) {
    for (const reconstruct::HostInterval& tie : ties) {
      if (call.begin >= tie.begin && call.end <= tie.end && call.thread == this_thread()) return true;
    }
  }
  return false;
}

struct TiesFound {
  std::vector<reconstruct::ActivityBracket> brackets;
  std::array<int, 3> of_kind{};  // by Activity::Kind

  bool all_kinds() const {
    return std::ranges::none_of(of_kind, [](int count) { return count == 0; });
  }
};

TiesFound find_ties(const reconstruct::ActivityRecords& records, std::span<const reconstruct::HostInterval> ties) {
  TiesFound found;
  const std::vector<std::size_t> of = reconstruct::intervals_of(records, ties);
  for (std::size_t i = 0; i < of.size(); ++i) {
    const reconstruct::Activity& activity = records.activities[i];
    if (of[i] == reconstruct::kNoInterval || !known(activity.start) || !known(activity.end)) continue;
    found.brackets.push_back({ties[of[i]], activity.start, activity.end});
    ++found.of_kind[static_cast<std::size_t>(activity.kind)];
  }
  return found;
}

}  // namespace

Result<void> CuptiRecorder::available() {
  if (!attached()) return fail(attached().error());
  return {};
}

Result<std::unique_ptr<CuptiRecorder>> CuptiRecorder::open(std::shared_ptr<CudaContext> context) {
  TRY(available());
  std::unique_ptr<CuptiRecorder> made(new CuptiRecorder(std::move(context)));
  for (const auto& [memory, kind] :
       {std::pair(&made->word_, MemoryKind::device), std::pair(&made->host_word_, MemoryKind::pinned)}) {
    *memory = TRY(made->context_->pool->take(kind, sizeof(std::uint64_t), tr("to tie CUPTI's clock")));
  }
  for (const Calls calls : {Calls::chosen, Calls::runtime, Calls::driver}) {
    if (calls == Calls::chosen && api().cuptiActivityEnableRuntimeApi == nullptr) continue;
    made->calls_ = calls;
    if (const auto started = made->start(); !started) {
      if (calls == Calls::chosen && started.error().kind == ErrorKind::device_failed) continue;
      return fail(started.error());
    }
    const auto recorded = made->stop();
    if (recorded) break;
    if (calls == Calls::driver) return fail(recorded.error());
  }
  return made;
}

CuptiRecorder::~CuptiRecorder() {
  if (!recording_) return;
  disable();
  api().cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  taken() = false;
}

CuptiRecorder::GraphNodes::GraphNodes() { hear_of_graph_nodes(true); }

CuptiRecorder::GraphNodes::~GraphNodes() {
  hear_of_graph_nodes(false);
  CuptiSink::forget_graph_nodes();
}

std::uint64_t CuptiRecorder::GraphNodes::of(cudaGraphNode_t captured) const { return CuptiSink::graph_node(captured); }

Result<void> CuptiRecorder::tie_clock(std::optional<reconstruct::ClockWindow>& into) {
  std::array<reconstruct::Exchange, kClockReadings> readings;
  for (reconstruct::Exchange& reading : readings) {
    std::uint64_t time = 0;
    reading.asked = context_->options.host_clock();
    CUPTI_TRY(api(), api().cuptiGetTimestamp(&time), tr("while tying CUPTI's clock to the host's"));
    reading.answered = context_->options.host_clock();
    reading.device = static_cast<Nanoseconds>(time);
  }
  into = reconstruct::window_of(readings);
  return {};
}

Result<void> CuptiRecorder::launch_ties(std::vector<reconstruct::HostInterval>& into) {
  constexpr const char* kDoing = tr_later("while tying CUPTI's records to the host's clock");
  into.clear();
  const cudaStream_t stream = context_->control.get();
  auto* const word = word_.as<std::uint64_t>();
  for (int i = 0; i < kTies; ++i) {
    reconstruct::HostInterval tie;
    tie.begin = context_->options.host_clock();
    switch (i % 3) {
      case 0: CUDA_TRY(kernels::stamp(word, stream), tr(kDoing)); break;
      case 1: CUDA_TRY(cudaMemsetAsync(word, 0, sizeof *word, stream), tr(kDoing)); break;
      default:
        CUDA_TRY(cudaMemcpyAsync(host_word_.data(), word, sizeof *word, cudaMemcpyDeviceToHost, stream), tr(kDoing));
        break;
    }
    CUDA_TRY(cudaStreamSynchronize(stream), tr(kDoing));
    tie.end = context_->options.host_clock();
    into.push_back(tie);
  }
  return {};
}

Result<void> CuptiRecorder::start() {
  if (recording_ || taken().exchange(true)) {
    return fail(ErrorKind::bad_input,
                tr("CUPTI records already for another run of this process; wait until it is over."));
  }
  recording_ = true;
  const auto begin = [&]() -> Result<void> {
    CuptiSink::clear();
    TRY(tie_clock(clock_before_));
    TRY(enable());
    return launch_ties(ties_before_);
  };
  auto begun = begin();
  if (!begun) end();
  return begun;
}

Result<void> CuptiRecorder::enable() {
  constexpr const char* kDoing = tr_later("while switching CUPTI's records on");
  for (const CUpti_ActivityKind kind : kKinds) CUPTI_TRY(api(), api().cuptiActivityEnable(kind), tr(kDoing));
  if (calls_ == Calls::chosen) {
    for (const CUpti_CallbackId call : kCalls) {
      CUPTI_TRY(api(), api().cuptiActivityEnableRuntimeApi(call, 1), tr(kDoing));
    }
    return {};
  }
  CUPTI_TRY(api(), api().cuptiActivityEnable(CUPTI_ACTIVITY_KIND_RUNTIME), tr(kDoing));
  if (calls_ == Calls::driver) CUPTI_TRY(api(), api().cuptiActivityEnable(CUPTI_ACTIVITY_KIND_DRIVER), tr(kDoing));
  return {};
}

void CuptiRecorder::disable() noexcept {
  for (const CUpti_ActivityKind kind : kKinds) api().cuptiActivityDisable(kind);
  if (calls_ == Calls::chosen) {
    for (const CUpti_CallbackId call : kCalls) api().cuptiActivityEnableRuntimeApi(call, 0);
    return;
  }
  api().cuptiActivityDisable(CUPTI_ACTIVITY_KIND_RUNTIME);
  if (calls_ == Calls::driver) api().cuptiActivityDisable(CUPTI_ACTIVITY_KIND_DRIVER);
}

Result<Recording> CuptiRecorder::stop() {
  if (!recording_) return fail(ErrorKind::bad_input, tr("CUPTI was asked for records without having been started."));
  const struct End {
    CuptiRecorder& recorder;
    ~End() { recorder.end(); }
  } whatever_happens{*this};
  return read();
}

void CuptiRecorder::end() noexcept {
  disable();
  recording_ = false;
  taken() = false;
}

Result<Recording> CuptiRecorder::read() {
  TRY(launch_ties(ties_after_));
  constexpr const char* kDoing = tr_later("while reading CUPTI's records");
  CUPTI_TRY(api(), api().cuptiActivityFlushAll(0), tr(kDoing));
  // Also delivers buffers that are not full; the device is idle, so the records are complete.
  CUPTI_TRY(api(), api().cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED), tr(kDoing));
  TRY(tie_clock(clock_after_));
  CuptiSink::Taken taken_records = CuptiSink::take();
  if (!taken_records.fault.empty()) {
    return fail(ErrorKind::device_failed, tr("CUPTI gave up: {}.", taken_records.fault));
  }

  Recording recording;
  recording.records = std::move(taken_records.records);
  const reconstruct::ClockMap clock(*clock_before_);
  const Nanoseconds clock_uncertainty = clock.uncertainty_until(*clock_after_);
  if (clock_uncertainty > kClockWasSet) {
    return fail(ErrorKind::device_failed,
                tr("The system's clock was set during the run, by about {} us, and CUPTI's records hang on it; "
                   "run again.",
                   clock_uncertainty / 1000));
  }
  for (reconstruct::ApiCall& call : recording.records.calls) {
    call.begin = known(call.begin) ? clock.host(call.begin) : kAbsent;
    call.end = known(call.end) ? clock.host(call.end) : kAbsent;
  }
  for (reconstruct::Activity& activity : recording.records.activities) {
    activity.start = known(activity.start) ? clock.host(activity.start) : kAbsent;
    activity.end = known(activity.end) ? clock.host(activity.end) : kAbsent;
  }
  recording.names_threads = names_threads(recording.records, ties_before_);
  for (auto* const ties : {&ties_before_, &ties_after_}) {
    for (reconstruct::HostInterval& tie : *ties) tie.thread = recording.names_threads ? this_thread() : 0;
  }

  const TiesFound ties_before = find_ties(recording.records, ties_before_);
  const TiesFound ties_after = find_ties(recording.records, ties_after_);
  const auto before = reconstruct::shift_of(ties_before.brackets), after = reconstruct::shift_of(ties_after.brackets);
  if (!before || !after || !ties_before.all_kinds() || !ties_after.all_kinds()) {
    return fail(ErrorKind::device_failed,
                tr("CUPTI does not report all device work: of the copies, memsets and kernels that tie its "
                   "clock, {} each, {} and {} of them were recorded before the run and after (in all {} API "
                   "calls, {} pieces of device work; {} records lost; API calls: {}).",
                   kTies / 3, fmt::join(ties_before.of_kind, ", "), fmt::join(ties_after.of_kind, ", "),
                   recording.records.calls.size(), recording.records.activities.size(), taken_records.lost, calls()));
  }
  const reconstruct::RecordShift settled = reconstruct::choose_shift(*before, *after);
  recording.shift = settled.shift;
  recording.uncertainty = settled.uncertainty + clock_uncertainty;
  recording.low = std::min(before->low, after->low);
  recording.high = std::max(before->high, after->high);
  if (std::abs(settled.shift) > kLostLine || settled.uncertainty > kLostLine) {
    return fail(ErrorKind::device_failed,
                tr("CUPTI's device times lie {} us (+-{} us) beside the host's clock; they mean nothing.",
                   settled.shift / 1000, settled.uncertainty / 1000));
  }
  for (reconstruct::Activity& activity : recording.records.activities) {
    if (known(activity.start)) activity.start += settled.shift;
    if (known(activity.end)) activity.end += settled.shift;
  }
  recording.lost = taken_records.lost;
  return recording;
}

std::string CuptiRecorder::version() const {
  const std::uint32_t version = api().version;
  // Numbered in turn up to CUDA 12.9, by CUDA's version from 13.0 on.
  if (version < 100'000) return fmt::format("API {}", version);
  return fmt::format("{}.{}.{}", version / 10'000, version / 100 % 100, version % 100);
}

std::string_view CuptiRecorder::calls() const { return tr(kCallNames[static_cast<std::size_t>(calls_)]); }

}  // namespace streamscope::cuda
#else
namespace streamscope::cuda {
namespace {

constexpr const char* kNotBuilt = tr_later(
    "This build has no CUPTI: its header cupti.h was not found when it was built; install cuda-cupti-dev-13-0 (it "
    "comes with the CUDA Toolkit too) and build again.");

}  // namespace

Result<void> CuptiRecorder::available() { return fail(ErrorKind::bad_input, tr(kNotBuilt)); }
Result<std::unique_ptr<CuptiRecorder>> CuptiRecorder::open(std::shared_ptr<CudaContext>) {
  return fail(ErrorKind::bad_input, tr(kNotBuilt));
}
CuptiRecorder::~CuptiRecorder() = default;
CuptiRecorder::GraphNodes::GraphNodes() = default;
CuptiRecorder::GraphNodes::~GraphNodes() = default;
std::uint64_t CuptiRecorder::GraphNodes::of(cudaGraphNode_t) const { return 0; }
Result<void> CuptiRecorder::start() { return fail(ErrorKind::bad_input, tr(kNotBuilt)); }
Result<Recording> CuptiRecorder::stop() { return fail(ErrorKind::bad_input, tr(kNotBuilt)); }
std::string CuptiRecorder::version() const { return {}; }
std::string_view CuptiRecorder::calls() const { return {}; }

}  // namespace streamscope::cuda
#endif
