#include "engine/device/cuda/loaded_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "engine/base/quantity.h"
#include "engine/base/stop_source.h"
#include "engine/base/translate.h"
#include "engine/device/blank_trace.h"
#include "engine/device/check_devices.h"
#include "engine/device/cuda/before_load.h"
#include "engine/device/cuda/cupti/attached.h"
#include "engine/device/cuda/cupti/cupti_recorder.h"
#include "engine/device/cuda/instrument/make_instrument.h"
#include "engine/device/cuda/issue/kernel_launch_facts.h"
#include "engine/device/cuda/issue/warm_up.h"
#include "engine/device/cuda/own/time_limit.h"
#include "engine/device/cuda/runtime/cuda_error.h"
#include "engine/device/cuda/runtime/device_facts.h"
#include "engine/device/cuda/runtime/gpu_list.h"
#include "engine/device/cuda/runtime/limits.h"
#include "engine/device/cuda/runtime/peer_access.h"
#include "engine/device/cuda/verify/verify.h"
#include "engine/device/gate.h"
#include "engine/device/kernel_facts.h"

namespace streamscope::cuda {
namespace {

// A suspension takes longer; the difference of two clocks that cannot be read at once is less exact than that.
constexpr Nanoseconds kAsleep = 10'000'000;

Result<trace::Provenance> provenance_of(CudaContext& context) {
  trace::Provenance provenance;
  provenance.kind = trace::Provenance::Kind::measured;
  provenance.device = context.info.name;
  provenance.driver = context.info.driver;
  provenance.clock =
      tr("host CLOCK_MONOTONIC; device %globaltimer (step {} ns), tied by handshake", context.clock.step());
  provenance.instrument = device::name(device::Instrument::full);
  provenance.date = utc_date();
  const auto map = TRY(context.clock.map());
  provenance.uncertainty = map.uncertainty();
  return provenance;
}

// What each host thread issues, in order.
std::vector<std::vector<OperationIndex>> divided_among_threads(const program::Program& program) {
  std::vector<std::vector<OperationIndex>> by_thread(program.threads.size());
  for (std::size_t i = 0; i < program.operations.size(); ++i) {
    const program::Operation& operation = program.operations[i];
    if (operation.launch == kNoOperation) by_thread[operation.thread.value].push_back(static_cast<OperationIndex>(i));
  }
  return by_thread;
}

std::vector<std::uint8_t> devices_of_operations(const program::Program& program) {
  std::vector<std::uint8_t> all;
  all.reserve(program.operations.size());
  for (const program::Operation& operation : program.operations) {
    all.push_back(static_cast<std::uint8_t>(program::side_of(program, operation).value));
  }
  return all;
}

std::vector<std::string_view> own_names(const program::Program& program) {
  std::vector<std::string_view> all;
  for (const auto& one : program.own_kernels) all.push_back(one->name);
  return all;
}

}  // namespace

CudaProgram::CudaProgram(Gpus gpus, const program::Program& program, ProgramBuffers buffers, ProgramStreams streams)
    : gpus_(std::move(gpus)),
      program_(program),
      buffers_(std::move(buffers)),
      streams_(std::move(streams)),
      device_of_(devices_of_operations(program)),
      peers_(gpus_.size() * gpus_.size(), 0),
      by_thread_(divided_among_threads(program)),
      slots_(slots_of(program)),
      host_functions_(program, slots_, abandoned_, gpus_.first().options.host_clock),
      launched_(program.graphs.size(), 0) {}

Result<std::unique_ptr<CudaProgram>> CudaProgram::load(const Gpus& all, const program::Program& program,
                                                       const device::LoadOptions& options) {
  TRY(device::check_devices(program, all.size(), gpus_there_are(all.size(), program::device_count(program))));
  Gpus gpus = all.first_of(program::device_count(program));
  TRY(check_fits(gpus, program, options));
  TRY(measure_links(gpus, program));
  TRY(give_back_idle_memory(gpus, program));  // or a small buffer may be given a large block

  std::vector<trace::Provenance> provenance;
  for (const auto& gpu : gpus) {
    TRY(gpu->use());
    auto its = TRY(provenance_of(*gpu));
    provenance.push_back(std::move(its));
  }
  TRY(gpus.first().use());
  auto buffers = TRY(ProgramBuffers::make(gpus, program));
  auto streams = TRY(ProgramStreams::make(gpus, program));
  std::unique_ptr<CudaProgram> loaded(
      new CudaProgram(std::move(gpus), program, std::move(buffers), std::move(streams)));
  trace::Trace& frame = loaded->frame_;
  for (const trace::Provenance& its : provenance) loaded->own_clocks_.push_back(its.clock);
  frame = device::frame_of(program, provenance.front());
  frame.other_devices.assign(provenance.begin() + 1, provenance.end());
  loaded->notes_ = device::clamp_priorities(frame.streams, loaded->gpus_.first().info);

  TRY(loaded->buffers_.fill());
  for (const auto& gpu : loaded->gpus_) {
    auto& health = loaded->health_.emplace_back(HealthWatch::make(gpu->pci_bus_id));
    if (health) health->before();
  }
  TRY(loaded->make_kernels(options));
  loaded->own_limit_ = options.own_limit;
  TRY(loaded->make_graphs());
  TRY(give_back_idle_memory(loaded->gpus_, program));
  for (const auto& gpu : loaded->gpus_) {
    frame.device_facts.push_back(device_facts(gpu->info, gpu->dispatch, std::getenv("CUDA_DEVICE_MAX_CONNECTIONS")));
  }
  const double capability = std::strtod(loaded->gpus_.first().compiled_for.c_str(), nullptr);
  for (const kernels::Choice& choice : program.kernels) {
    std::string other = choice.kernel->otherwise(choice.values, capability);
    if (!other.empty()) loaded->note(trace::NoteKind::gpu, std::move(other));
  }
  return loaded;
}

CudaProgram::~CudaProgram() {
  // After a failed run work may be pending; it is bounded, and its memory must not return to the pool before it ends.
  wait_for_all();
  abandoned_ = true;
  host_functions_.wait_for_running();
  if (gpus_.first().use()) {
    buffers_.free_what_the_run_made();
    streams_.destroy_what_the_run_made(program_);
    end_peer_access();
    for (const auto& gpu : gpus_) {
      if (allocates_in_streams(program_)) gpu->trim_stream_ordered();
    }
  }
  cudaGetLastError();
}

// The thread that asks for a stop may be the one that issues, in the middle of it: its device stays current.
void CudaProgram::end_spins() const noexcept {
  int current = gpus_.first().index;
  if (gpus_.size() > 1) cudaGetDevice(&current);
  for (const auto& gpu : gpus_) gpu->abandon_spins();
  if (gpus_.size() > 1) cudaSetDevice(current);
}

cudaError_t CudaProgram::wait_for_all() const noexcept {
  cudaError_t first = cudaSuccess;
  for (std::size_t d = gpus_.size(); d-- > 0;) {
    cudaError_t code = cudaSetDevice(gpus_[device_id(d)].index);
    if (code == cudaSuccess) code = cudaDeviceSynchronize();
    if (first == cudaSuccess) first = code;
  }
  return first;
}

void CudaProgram::end_peer_access() noexcept {
  for (std::size_t pair = 0; pair < peers_.size(); ++pair) {
    if (std::exchange(peers_[pair], 0) == 0) continue;
    set_peer_access(gpus_[device_id(pair / gpus_.size())].index, gpus_[device_id(pair % gpus_.size())].index, false);
  }
}

// Each kernel on each GPU, run once before it is timed, and what the trace says of them.
Result<void> CudaProgram::make_kernels(const device::LoadOptions& options) {
  FitsByDevice fits(gpus_.size());
  kernels_.resize(gpus_.size());
  on_devices_.resize(gpus_.size());
  for (std::size_t d = gpus_.size(); d-- > 0;) {
    const DeviceId device = device_id(d);
    const CudaContext& context = gpus_[device];
    TRY(context.use());
    kernels_[d] = TRY(launchers_of(context, program_, options));
    TRY(warm_up(context, kernels_[d], streams_.real[d], slots_.kernel_nodes > 0));
    fits[d] = TRY(fits_of(kernels_[d]));
    on_devices_[d] = {context.index, buffers_.device(device), kernels_[d], context.abandon.as<std::uint32_t>(),
                      context.shared_bytes_limit};
    if (program::fails_on_purpose(program_)) {
      CUDA_TRY(kernels::prepare_faults(context.control.get()), tr("while loading the kernels that fail"));
      CUDA_TRY(cudaStreamSynchronize(context.control.get()), tr("while loading the kernels that fail"));
    }
  }
  frame_.kernels = TRY(facts_of_kernels(gpus_, program_, fits));
  frame_.launches = shapes_of_launches(gpus_, program_, frame_.names, fits);
  return {};
}

Result<void> CudaProgram::make_graphs() {
  const NodeNotes notes{{}, host_functions_.repeated()};
  graphs_ = TRY(ExecutableGraphs::make(targets(), slots_, notes, gpus_.controls()));
  return {};
}

IssueTargets CudaProgram::targets() {
  IssueTargets targets;
  targets.program = &program_;
  targets.devices = on_devices_;
  targets.device_of = device_of_;
  targets.peers = peers_;
  targets.host_clock = gpus_.first().options.host_clock;
  targets.by_thread = by_thread_;
  targets.streams = streams_.streams;
  targets.events = streams_.events;
  targets.host = buffers_.host();
  targets.registered = buffers_.registered();
  targets.abandoned = &abandoned_;
  targets.was_reset = &was_reset_;
  targets.slot = slots_.of_operation;
  targets.host_functions = host_functions_.calls();
  targets.graphs = graphs_.views();
  targets.launched = launched_;
  return targets;
}

Result<void> CudaProgram::can(const device::PassRequest& request) const {
  if (request.instrument == device::Instrument::cupti) {
    TRY(CuptiRecorder::available());
  }
  if (request.gate) {
    TRY(device::gate_opens_before(program_));
    if (program::ends_its_process(program_)) {
      return fail(ErrorKind::bad_input, tr("A gate is not opened on a device that fails; leave the gate out."));
    }
  }
  if (auto why = why_not_observable(program_, request.instrument)) return fail(ErrorKind::bad_input, std::move(*why));
  return {};
}

// One object serves full and sampled passes, which share its stamps and events.
Result<PassInstrument*> CudaProgram::instrument_of(const device::PassRequest& request) {
  device::Instrument which = request.instrument;
  if (which == device::Instrument::bare) return nullptr;
  if (which == device::Instrument::sampled) which = device::Instrument::full;
  if (const auto found = instruments_.find(which); found != instruments_.end()) return found->second.get();
  auto made = TRY(make_instrument(which, {gpus_, program_, frame_, targets(), slots_, host_functions_.repeated()}));
  return instruments_.emplace(which, std::move(made)).first->second.get();
}

// Creates and resets all that a pass needs, before its timed interval.
Result<void> CudaProgram::make_ready(const device::PassRequest& request, PassInstrument* with) {
  if (has_run_ && program::ends_its_process(program_)) {
    return fail(ErrorKind::bad_input,
                tr("The program has run, and left this process without a device; run it in a new one."));
  }
  if (request.gate && !gate_) {
    gate_ = TRY(Gate::make(gpus_));
  }
  if (has_run_) {
    TRY(buffers_.fill_again());
  }
  for (const auto& gpu : gpus_) {
    TRY(host_functions_.wake_callbacks(gpu->control.get()));
    TRY(gpu->stop_abandoning());
  }
  has_run_ = true;
  abandoned_ = false;
  std::fill(launched_.begin(), launched_.end(), 0);
  start_over(program_, graphs_.views());
  host_functions_.start_over();
  if (with == nullptr) return {};
  TRY(with->arm(request));
  start_over(program_, with->carried().graphs);
  frame_.provenance.clock = with->clock(own_clocks_.front());
  for (std::size_t d = 1; d < gpus_.size(); ++d) frame_.other_devices[d - 1].clock = with->clock(own_clocks_[d]);
  return {};
}

Result<device::Pass> CudaProgram::run(const device::PassRequest& request, const device::RunControl& control) {
  constexpr int kAttempts = 3;
  for (int attempt = 1; attempt <= kAttempts; ++attempt) {
    const Nanoseconds slept = gpus_.first().options.slept();
    auto pass = TRY(run_once(request, control));
    if (std::abs(gpus_.first().options.slept() - slept) < kAsleep) return pass;
    note(trace::NoteKind::gpu, tr("The machine was suspended while a pass went on; the pass was made again."));
  }
  return fail(
      ErrorKind::device_failed,
      tr("The machine was suspended during each of {} attempts: clocks that stood still measure nothing; run it "
         "while the machine stays awake.",
         kAttempts));
}

Result<device::Pass> CudaProgram::run_once(const device::PassRequest& request, const device::RunControl& control) {
  TRY(gpus_.first().use());
  TRY(can(request));
  if (request.instrument == device::Instrument::cupti) {
    cupti_is_attached = true;
  } else if (cupti_is_attached) {
    note(trace::NoteKind::instrument,
         tr("CUPTI is attached to this process, since the instrument cupti was asked for in it: passes with another "
            "instrument, or with none, ran with it attached and may have taken longer. A new process has none."));
  }
  if (control.stop.stop_requested()) return fail(ErrorKind::cancelled, tr("The run was stopped before it began."));
  PassInstrument* const with = TRY(instrument_of(request));
  TRY(make_ready(request, with));
  const struct Disarm {
    PassInstrument* with;
    Gate* gate;
    ~Disarm() {
      if (gate != nullptr) gate->open();
      if (with != nullptr) with->disarm();
    }
  } whatever_happens{with, request.gate ? gate_.get() : nullptr};
  std::optional<TimeLimit> limit;
  if (!program_.own_kernels.empty()) {
    limit.emplace(own_limit_, tr("A run with kernels of the program's own ({}) did not end within {}; the process was "
                                 "ended. See that each ends, or allow more with --own-limit.",
                                 fmt::join(own_names(program_), ", "), display_duration(own_limit_)));
  }
  IssueTargets to = targets();
  device::Pass pass;
  Nanoseconds opened = kAbsent;
  {
    // A stop ends running work, on the device too, so that the waits below are short.
    const std::stop_callback on_stop(StopSource::token(control.stop), [this] {
      abandoned_ = true;
      if (gate_) gate_->open();
      end_spins();
    });
    if (request.gate) {
      to.gate = gate_.get();
      to.gate_opens_before = *device::gate_opens_before(program_);
      TRY(gate_->close(streams_.real));
    }
    std::unique_ptr<LiveView> live;
    // Its questions would meet a device that is gone.
    if (with != nullptr && !program::ends_its_process(program_)) live = with->watch(control.on_spans);
    const Issued issued = issue(to, with != nullptr ? &with->carried() : nullptr, control.stop);
    live.reset();
    auto ended = after_run(issued, control.stop);
    if (!ended) return fail(ended.error());
    pass.wall = issued.end - issued.begin;
    if (request.gate) opened = issued.begin;
  }
  if (request.gate && gate_->expired()) {
    return fail(ErrorKind::bad_input,
                tr("The gate opened by itself after {} with the program not yet queued: its calls take longer "
                   "than that, or one of them waits for the device; leave the gate out.",
                   display_duration(Gate::kLongest)));
  }
  for (const auto& health : health_) {
    if (health) health->between_passes();
  }
  if (with != nullptr) {
    TRY(with->finish(pass, opened));
    const std::span<const Nanoseconds> uncertain = with->clock_uncertainties();
    for (std::size_t d = 1; d < uncertain.size(); ++d) frame_.other_devices[d - 1].uncertainty = uncertain[d];
  }
  return pass;
}

Result<void> CudaProgram::after_run(const Issued& issued, const StopFlag& stop) {
  const bool stopped = issued.cancelled || stop.stop_requested();
  const bool failed = issued.code != cudaSuccess;
  if (program::ends_its_process(program_)) {  // nothing is to be had back
    host_functions_.wait_for_running();
    if (stopped) return fail(ErrorKind::cancelled, tr("The run was stopped."));
    return {};
  }
  // Work that was issued is bounded; none may be running when memory and streams are used again.
  const cudaError_t rest = stopped || failed ? wait_for_all() : cudaSuccess;
  const auto back = gpus_.size() > 1 ? gpus_.first().use() : Result<void>();
  buffers_.free_what_the_run_made();
  streams_.destroy_what_the_run_made(program_);
  end_peer_access();
  if (program::fails_on_purpose(program_)) cudaGetLastError();  // it is the program's own
  if (failed) return fail(cuda_error(issued.code, issued.call, program::describe(program_, issued.failed)));
  if (rest != cudaSuccess) {
    return fail(cuda_error(rest, "cudaDeviceSynchronize", tr("while waiting for what a stopped run had begun")));
  }
  if (stopped) return fail(ErrorKind::cancelled, tr("The run was stopped."));
  return back;
}

trace::Notes CudaProgram::notes() const {
  trace::Notes all;
  for (const auto& [which, instrument] : instruments_) {
    for (trace::Note& note : instrument->notes()) all.push_back(std::move(note));
  }
  for (const auto& health : health_) {
    if (!health) continue;
    for (trace::Note& note : health->notes()) {
      if (std::find(all.begin(), all.end(), note) == all.end()) all.push_back(std::move(note));
    }
  }
  all.insert(all.end(), notes_.begin(), notes_.end());
  return all;
}

void CudaProgram::note(trace::NoteKind kind, std::string text) {
  trace::Note note{kind, std::move(text)};
  if (std::find(notes_.begin(), notes_.end(), note) == notes_.end()) notes_.push_back(std::move(note));
}

Result<std::optional<bool>> CudaProgram::verify() {
  TRY(gpus_.first().use());
  if (!has_run_) {
    note(trace::NoteKind::not_verified, tr("The data was not verified: the program has not run."));
    return std::optional<bool>();
  }
  auto verdict = TRY(verify_data(program_, buffers_));
  // Left out on purpose is told beside where it shows; a race may also be won.
  if (const auto why = device::wrong_on_purpose(program_); why && verdict.right) {
    if (*verdict.right) {
      note(trace::NoteKind::warning, tr("{} The data came out right all the same, this time.", *why));
    } else {
      verdict.note += ' ' + *why;
    }
  }
  if (!verdict.note.empty())
    note(verdict.right == false ? trace::NoteKind::wrong_data : trace::NoteKind::not_verified, std::move(verdict.note));
  return verdict.right;
}

}  // namespace streamscope::cuda
