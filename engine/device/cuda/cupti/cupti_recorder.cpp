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
#include <map>
#include <utility>

namespace streamscope::cuda {
namespace {

constexpr int kTies = 9;            // three tiny kernels, copies and memsets each on each GPU, before and after
constexpr int kClockReadings = 32;  // of CUPTI's host clock, before and after
constexpr std::array kKinds = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                               CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMSET};
// The runtime calls that issue device work. Polls would add very many others, and each record costs the caller time.
constexpr std::array<CUpti_CallbackId, 9> kCalls = {
    CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_v10000,    CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_v11060,
    CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000,    CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_v3020,          CUPTI_RUNTIME_TRACE_CBID_cudaMemsetAsync_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaMemset_v3020,          CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy2DAsync_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyPeerAsync_v4000,
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

using Counts = std::array<int, 3>;  // by Activity::Kind

struct TiesFound {
  std::size_t gpu = 0;  // whose they are, by DeviceId
  std::vector<reconstruct::ActivityBracket> brackets;
  Counts of_kind{};

  bool all_kinds() const {
    return std::ranges::none_of(of_kind, [](int count) { return count == 0; });
  }
};
using TiesByDevice = std::map<std::uint32_t, TiesFound>;  // by CUPTI's number for it

TiesByDevice find_ties(const reconstruct::ActivityRecords& records, std::span<const reconstruct::HostInterval> ties) {
  TiesByDevice found;
  const std::vector<std::size_t> of = reconstruct::intervals_of(records, ties);
  for (std::size_t i = 0; i < of.size(); ++i) {
    const reconstruct::Activity& activity = records.activities[i];
    if (of[i] == reconstruct::kNoInterval || !known(activity.start) || !known(activity.end)) continue;
    TiesFound& its = found[activity.device];
    its.gpu = of[i] / kTies;
    its.brackets.push_back({ties[of[i]], activity.start, activity.end});
    ++its.of_kind[static_cast<std::size_t>(activity.kind)];
  }
  return found;
}

Counts of_all_devices(const TiesByDevice& found) {
  Counts sum{};
  for (const auto& [device, its] : found) {
    for (std::size_t kind = 0; kind < sum.size(); ++kind) sum[kind] += its.of_kind[kind];
  }
  return sum;
}

// Whether it reports all kinds of device work on as many devices.
bool on_each(const TiesByDevice& found, std::size_t gpus) {
  return found.size() == gpus && std::ranges::all_of(found, [](const auto& one) { return one.second.all_kinds(); });
}

}  // namespace

Result<void> CuptiRecorder::available() {
  if (!attached()) return fail(attached().error());
  return {};
}

Result<std::unique_ptr<CuptiRecorder>> CuptiRecorder::open(const Gpus& gpus) {
  TRY(available());
  std::unique_ptr<CuptiRecorder> made(new CuptiRecorder(gpus));
  constexpr const char* kWhy = tr_later("to tie CUPTI's clock");
  made->words_.resize(gpus.size());
  for (std::size_t d = gpus.size(); d-- > 0;) {
    TRY(gpus[device_id(d)].use());
    made->words_[d] = TRY(gpus[device_id(d)].pool->take(MemoryKind::device, sizeof(std::uint64_t), tr(kWhy)));
  }
  made->host_word_ = TRY(gpus.first().pool->take(MemoryKind::pinned, sizeof(std::uint64_t), tr(kWhy)));
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
    reading.asked = gpus_.first().options.host_clock();
    CUPTI_TRY(api(), api().cuptiGetTimestamp(&time), tr("while tying CUPTI's clock to the host's"));
    reading.answered = gpus_.first().options.host_clock();
    reading.device = static_cast<Nanoseconds>(time);
  }
  into = reconstruct::window_of(readings);
  return {};
}

Result<void> CuptiRecorder::launch_ties(std::vector<reconstruct::HostInterval>& into) {
  into.clear();
  for (std::size_t d = 0; d < gpus_.size(); ++d) {
    TRY(launch_ties_on(d, into));
  }
  return gpus_.size() > 1 ? gpus_.first().use() : Result<void>();
}

Result<void> CuptiRecorder::launch_ties_on(std::size_t gpu, std::vector<reconstruct::HostInterval>& into) {
  constexpr const char* kDoing = tr_later("while tying CUPTI's records to the host's clock");
  CudaContext& context = gpus_[device_id(gpu)];
  if (gpus_.size() > 1) {
    TRY(context.use());
  }
  const cudaStream_t stream = context.control.get();
  auto* const word = words_[gpu].as<std::uint64_t>();
  for (int i = 0; i < kTies; ++i) {
    reconstruct::HostInterval tie;
    tie.begin = context.options.host_clock();
    switch (i % 3) {
      case 0: CUDA_TRY(kernels::stamp(word, stream), tr(kDoing)); break;
      case 1: CUDA_TRY(cudaMemsetAsync(word, 0, sizeof *word, stream), tr(kDoing)); break;
      default:
        CUDA_TRY(cudaMemcpyAsync(host_word_.data(), word, sizeof *word, cudaMemcpyDeviceToHost, stream), tr(kDoing));
        break;
    }
    CUDA_TRY(cudaStreamSynchronize(stream), tr(kDoing));
    tie.end = context.options.host_clock();
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

  recording.lost = taken_records.lost;
  TRY(tie_devices(recording, clock_uncertainty));
  return recording;
}

// Brings each device's times onto the host's clock by its own ties.
Result<void> CuptiRecorder::tie_devices(Recording& recording, Nanoseconds clock_uncertainty) const {
  reconstruct::ActivityRecords& records = recording.records;
  const TiesByDevice before = find_ties(records, ties_before_), after = find_ties(records, ties_after_);
  std::map<std::uint32_t, reconstruct::RecordShift> shifts;
  for (const auto& [device, its] : before) {
    const auto later = after.find(device);
    if (later == after.end()) continue;
    const auto first = reconstruct::shift_of(its.brackets), last = reconstruct::shift_of(later->second.brackets);
    if (first && last) shifts.emplace(device, reconstruct::choose_shift(*first, *last));
  }
  if (!on_each(before, gpus_.size()) || !on_each(after, gpus_.size()) || shifts.size() != gpus_.size()) {
    return fail(
        ErrorKind::device_failed,
        tr("CUPTI does not report all device work: of the copies, memsets and kernels that tie its "
           "clock, {} each, {} and {} of them were recorded before the run and after (in all {} API "
           "calls, {} pieces of device work; {} records lost; API calls: {}).",
           gpus_.size() * kTies / 3, fmt::join(of_all_devices(before), ", "), fmt::join(of_all_devices(after), ", "),
           records.calls.size(), records.activities.size(), recording.lost, calls()));
  }
  recording.uncertainties.resize(gpus_.size());
  for (const auto& [device, settled] : shifts) {
    if (std::abs(settled.shift) > std::abs(recording.shift)) recording.shift = settled.shift;
    const Nanoseconds uncertainty = settled.uncertainty + clock_uncertainty;
    recording.uncertainties[before.at(device).gpu] = uncertainty;
    recording.uncertainty = std::max(recording.uncertainty, uncertainty);
    if (std::abs(settled.shift) <= kLostLine && settled.uncertainty <= kLostLine) continue;
    return fail(ErrorKind::device_failed,
                tr("CUPTI's device times lie {} us (+-{} us) beside the host's clock; they mean nothing.",
                   settled.shift / 1000, settled.uncertainty / 1000));
  }
  for (reconstruct::Activity& activity : records.activities) {
    const auto its = shifts.find(activity.device);
    if (its == shifts.end()) {  // a device of others', whose times nothing ties
      activity.start = activity.end = kAbsent;
      continue;
    }
    if (known(activity.start)) activity.start += its->second.shift;
    if (known(activity.end)) activity.end += its->second.shift;
    activity.uncertainty =
        static_cast<std::uint32_t>(std::clamp<Nanoseconds>(its->second.uncertainty + clock_uncertainty, 0, 0xFFFFFFFF));
  }
  return {};
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
Result<std::unique_ptr<CuptiRecorder>> CuptiRecorder::open(const Gpus&) {
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
