#include "engine/device/cuda/cupti_recorder.h"

#include <fmt/format.h>

#include "engine/device/cuda/check.h"
#include "engine/device/cuda/cupti_api.h"
#include "engine/device/cuda/cupti_sink.h"
#include "kernels/launch.h"

#if STREAMSCOPE_HAVE_CUPTI
#include <unistd.h>

#include <array>
#include <atomic>

namespace streamscope {
namespace {

constexpr int kTies = 8;            // tiny kernels, before and after
constexpr int kClockReadings = 32;  // of CUPTI's host clock, before and after
constexpr std::array kKinds = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                               CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_RUNTIME};
// A clock that moved by more than this against the host's was set while we looked.
constexpr Nanoseconds kClockWasSet = 100'000;
// CUPTI's line through the device's times is good to microseconds; by more than this it has lost the thread.
constexpr Nanoseconds kLostLine = 1'000'000;

std::atomic<bool>& taken() {
  static std::atomic<bool> one = false;
  return one;
}

std::uint32_t this_thread() { return static_cast<std::uint32_t>(gettid()); }

struct Attached {
  const CuptiApi* api = nullptr;
};

// Once a process: what must be told to CUPTI before it records anything.
Result<Attached> attach() {
  const auto api = cupti_api();
  if (!api) return fail(api.error());
  const CuptiApi& on = **api;
  constexpr const char* kDoing = "while attaching CUPTI";
  CUpti_SubscriberHandle subscriber = nullptr;
  CUPTI_TRY(on, on.cuptiSubscribe(&subscriber, cupti_state_changed, nullptr), kDoing);
  // Without this CUPTI tells of a fault of its own by falling silent.
  CUPTI_TRY(on, on.cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_STATE, CUPTI_CBID_STATE_FATAL_ERROR), kDoing);
  // Both are wishes: without the first CUPTI clears buffers in the thread that issues, without the second records
  // cannot be told apart by thread.
  std::uint8_t yes = 1;
  std::size_t size = sizeof yes;
  on.cuptiActivitySetAttribute(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, &size, &yes);
  if (on.cuptiSetThreadIdType != nullptr) on.cuptiSetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
  CUPTI_TRY(on, on.cuptiActivityRegisterCallbacks(cupti_buffer_requested, cupti_buffer_completed), kDoing);
  return Attached{*api};
}

const Result<Attached>& attached() {
  static const Result<Attached> once = attach();
  return once;
}

const CuptiApi& api() { return *attached()->api; }

// The thread whose calls these ties are, as CUPTI names it; 0 where it does not name it as the system does.
bool names_threads(const ActivityRecords& records, std::span<const HostInterval> ties) {
  for (const ApiCall& call : records.calls) {
    for (const HostInterval& tie : ties) {
      if (call.begin >= tie.begin && call.end <= tie.end && call.thread == this_thread()) return true;
    }
  }
  return false;
}

std::vector<ActivityBracket> brackets(const ActivityRecords& records, std::span<const HostInterval> ties) {
  std::vector<ActivityBracket> found;
  const std::vector<std::size_t> of = intervals_of(records, ties);
  for (std::size_t i = 0; i < of.size(); ++i) {
    const Activity& activity = records.activities[i];
    if (of[i] == kNoInterval || activity.kind != Activity::Kind::kernel || !known(activity.start)) continue;
    found.push_back({ties[of[i]], activity.start, activity.end});
  }
  return found;
}

}  // namespace

Result<void> CuptiRecorder::available() {
  if (!attached()) return fail(attached().error());
  return {};
}

Result<std::unique_ptr<CuptiRecorder>> CuptiRecorder::open(std::shared_ptr<CudaContext> context) {
  if (const auto can = available(); !can) return fail(can.error());
  std::unique_ptr<CuptiRecorder> made(new CuptiRecorder(std::move(context)));
  auto stamp = made->context_->pool->take(MemoryKind::device, sizeof(std::uint64_t), "to tie CUPTI's clock");
  if (!stamp) return fail(stamp.error());
  made->stamp_ = std::move(*stamp);
  // Calls of the runtime are what is looked for; where a library does not tell of them, those of the driver do.
  for (const bool driver : {false, true}) {
    made->driver_calls_ = driver;
    if (const auto started = made->start(); !started) return fail(started.error());
    const auto recorded = made->stop();
    if (recorded) break;
    if (driver) return fail(recorded.error());
  }
  return made;
}

CuptiRecorder::~CuptiRecorder() {
  if (!recording_) return;
  disable();
  api().cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  taken() = false;
}

Result<void> CuptiRecorder::tie_clock(std::optional<ClockWindow>& into) {
  std::array<Exchange, kClockReadings> readings;
  for (Exchange& reading : readings) {
    std::uint64_t time = 0;
    reading.asked = host_now();
    CUPTI_TRY(api(), api().cuptiGetTimestamp(&time), "while tying CUPTI's clock to the host's");
    reading.answered = host_now();
    reading.device = static_cast<Nanoseconds>(time);
  }
  into = window_of(readings);
  return {};
}

Result<void> CuptiRecorder::launch_ties(std::vector<HostInterval>& into) {
  constexpr const char* kDoing = "while tying CUPTI's records to the host's clock";
  into.clear();
  const cudaStream_t stream = context_->control.get();
  for (int i = 0; i < kTies; ++i) {
    HostInterval tie;
    tie.begin = host_now();
    CUDA_TRY(static_cast<cudaError_t>(kernels::stamp(stamp_.as<std::uint64_t>(), stream)), kDoing);
    CUDA_TRY(cudaStreamSynchronize(stream), kDoing);
    tie.end = host_now();
    into.push_back(tie);
  }
  return {};
}

Result<void> CuptiRecorder::start() {
  if (recording_ || taken().exchange(true)) {
    return fail(ErrorKind::bad_input, "CUPTI records already for another run of this process; wait until it is over.");
  }
  recording_ = true;
  const auto begin = [&]() -> Result<void> {
    CuptiSink::clear();
    if (auto tied = tie_clock(clock_before_); !tied) return tied;
    for (const CUpti_ActivityKind kind : kKinds) {
      CUPTI_TRY(api(), api().cuptiActivityEnable(kind), "while switching CUPTI's records on");
    }
    if (driver_calls_) {
      CUPTI_TRY(api(), api().cuptiActivityEnable(CUPTI_ACTIVITY_KIND_DRIVER), "while switching CUPTI's records on");
    }
    return launch_ties(ties_before_);
  };
  auto begun = begin();
  if (!begun) {
    disable();
    recording_ = false;
    taken() = false;
  }
  return begun;
}

void CuptiRecorder::disable() noexcept {
  for (const CUpti_ActivityKind kind : kKinds) api().cuptiActivityDisable(kind);
  if (driver_calls_) api().cuptiActivityDisable(CUPTI_ACTIVITY_KIND_DRIVER);
}

Result<Recording> CuptiRecorder::stop() {
  if (!recording_) return fail(ErrorKind::bad_input, "CUPTI was asked for records without having been started.");
  auto recording = read();
  disable();
  recording_ = false;
  taken() = false;
  return recording;
}

Result<Recording> CuptiRecorder::read() {
  if (const auto tied = launch_ties(ties_after_); !tied) return fail(tied.error());
  constexpr const char* kDoing = "while reading CUPTI's records";
  CUPTI_TRY(api(), api().cuptiActivityFlushAll(0), kDoing);
  // What is still missing then is handed over too, complete or not: the device is idle, so it is complete.
  CUPTI_TRY(api(), api().cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED), kDoing);
  if (const auto tied = tie_clock(clock_after_); !tied) return fail(tied.error());
  CuptiSink::Taken taken_records = CuptiSink::take();
  if (!taken_records.fault.empty()) {
    return fail(ErrorKind::device_failed, fmt::format("CUPTI gave up: {}.", taken_records.fault));
  }

  Recording recording;
  recording.records = std::move(taken_records.records);
  const ClockMap clock(*clock_before_);
  const Nanoseconds clock_uncertainty = clock.uncertainty_until(*clock_after_);
  if (clock_uncertainty > kClockWasSet) {
    return fail(
        ErrorKind::device_failed,
        fmt::format("The system's clock was set during the run, by about {} us, and CUPTI's records hang on it; "
                    "run again.",
                    clock_uncertainty / 1000));
  }
  for (ApiCall& call : recording.records.calls) {
    call.begin = known(call.begin) ? clock.host(call.begin) : kAbsent;
    call.end = known(call.end) ? clock.host(call.end) : kAbsent;
  }
  for (Activity& activity : recording.records.activities) {
    activity.start = known(activity.start) ? clock.host(activity.start) : kAbsent;
    activity.end = known(activity.end) ? clock.host(activity.end) : kAbsent;
  }
  if (names_threads(recording.records, ties_before_)) {
    std::erase_if(recording.records.calls, [](const ApiCall& call) { return call.thread != this_thread(); });
  }

  const auto before = shift_of(brackets(recording.records, ties_before_));
  const auto after = shift_of(brackets(recording.records, ties_after_));
  if (!before || !after) {
    return fail(
        ErrorKind::device_failed,
        fmt::format("CUPTI recorded nothing of the {} kernels that tie its clock, {} the run ({} API calls and {} "
                    "pieces of device work in all, {} records lost).",
                    kTies, before ? "after" : "before", recording.records.calls.size(),
                    recording.records.activities.size(), taken_records.lost));
  }
  const RecordShift settled = settle(*before, *after);
  recording.shift = settled.shift;
  recording.uncertainty = settled.uncertainty + clock_uncertainty;
  recording.low = std::min(before->low, after->low);
  recording.high = std::max(before->high, after->high);
  if (std::abs(settled.shift) > kLostLine || settled.uncertainty > kLostLine) {
    return fail(ErrorKind::device_failed,
                fmt::format("CUPTI's device times lie {} us (+-{} us) beside the host's clock; they mean nothing.",
                            settled.shift / 1000, settled.uncertainty / 1000));
  }
  for (Activity& activity : recording.records.activities) {
    if (known(activity.start)) activity.start += settled.shift;
    if (known(activity.end)) activity.end += settled.shift;
  }
  if (taken_records.lost > 0) {
    recording.notes.push_back(fmt::format(
        "CUPTI lost {} records, having no room for them; the operations they belong to are left without times.",
        taken_records.lost));
  }
  if (settled.shift != 0) {
    recording.notes.push_back(
        fmt::format("CUPTI's device times contradicted the host's clock and were moved by {} ns.", settled.shift));
  }
  return recording;
}

std::string CuptiRecorder::version() const {
  const std::uint32_t version = api().version;
  if (version < 100'000) return fmt::format("API {}", version);
  return fmt::format("{}.{}.{}", version / 10'000, version / 100 % 100, version % 100);
}

}  // namespace streamscope
#else
namespace streamscope {
namespace {

constexpr const char* kNotBuilt =
    "This build has no CUPTI: its header cupti.h was not found when it was built; install cuda-cupti-dev-13-0 (it "
    "comes "
    "with the CUDA Toolkit too) and build again.";

}  // namespace

Result<void> CuptiRecorder::available() { return fail(ErrorKind::bad_input, kNotBuilt); }
Result<std::unique_ptr<CuptiRecorder>> CuptiRecorder::open(std::shared_ptr<CudaContext>) {
  return fail(ErrorKind::bad_input, kNotBuilt);
}
CuptiRecorder::~CuptiRecorder() = default;
Result<void> CuptiRecorder::start() { return fail(ErrorKind::bad_input, kNotBuilt); }
Result<Recording> CuptiRecorder::stop() { return fail(ErrorKind::bad_input, kNotBuilt); }
std::string CuptiRecorder::version() const { return {}; }

}  // namespace streamscope
#endif
