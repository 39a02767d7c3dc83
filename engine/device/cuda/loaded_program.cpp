#include "engine/device/cuda/loaded_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "engine/base/quantity.h"
#include "engine/base/stop_source.h"
#include "engine/base/translate.h"
#include "engine/device/blank_trace.h"
#include "engine/device/check_devices.h"
#include "engine/device/cuda/cupti/attached.h"
#include "engine/device/cuda/cupti/cupti_recorder.h"
#include "engine/device/cuda/instrument/make_instrument.h"
#include "engine/device/cuda/issue/kernel_launch_facts.h"
#include "engine/device/cuda/issue/warm_up.h"
#include "engine/device/cuda/runtime/cuda_error.h"
#include "engine/device/cuda/runtime/device_facts.h"
#include "engine/device/cuda/runtime/limits.h"
#include "engine/device/cuda/verify/verify.h"
#include "engine/device/gate.h"
#include "engine/device/kernel_facts.h"

namespace streamscope::cuda {
namespace {

// A suspension takes longer; the difference of two clocks that cannot be read at once is less exact than that.
constexpr Nanoseconds kAsleep = 10'000'000;

// What is available on the host, including idle blocks of the pool.
std::uint64_t available_host_memory(const MemoryPool& pool) {
  std::uint64_t bytes = host_memory_available();
  for (const MemoryKind kind :
       {MemoryKind::pinned, MemoryKind::write_combined, MemoryKind::pageable, MemoryKind::mapped}) {
    if (__builtin_add_overflow(bytes, pool.idle_bytes(kind), &bytes)) bytes = ~0ull;
  }
  return bytes;
}

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

}  // namespace

CudaProgram::CudaProgram(std::shared_ptr<CudaContext> context, const program::Program& program, ProgramBuffers buffers,
                         ProgramStreams streams)
    : context_(std::move(context)),
      program_(program),
      buffers_(std::move(buffers)),
      streams_(std::move(streams)),
      by_thread_(divided_among_threads(program)),
      slots_(slots_of(program)),
      host_functions_(program, slots_, abandoned_, context_->options.host_clock),
      launched_(program.graphs.size(), 0) {}

Result<std::unique_ptr<CudaProgram>> CudaProgram::load(std::shared_ptr<CudaContext> context,
                                                       const program::Program& program,
                                                       const device::LoadOptions& options) {
  TRY(device::check_devices(
      program, 1, tr("the CUDA device runs one GPU so far; a model takes any number of them, such as model:h200x2")));
  TRY(context->use());
  std::size_t free_bytes = 0, total_bytes = 0;
  CUDA_TRY(cudaMemGetInfo(&free_bytes, &total_bytes), tr("while looking how much memory the device has free"));
  const std::uint64_t available = free_bytes + context->pool->idle_bytes(MemoryKind::device);
  const std::uint64_t on_host = available_host_memory(*context->pool);
  if (auto cannot = beyond_device(program, context->info, available, context->cycle_picoseconds, options, on_host)) {
    return fail(std::move(*cannot));
  }
  if (auto lacks = lacking(program, *context)) return fail(ErrorKind::bad_input, std::move(*lacks));
  if (allocates_in_streams(program)) {
    TRY(context->keep_stream_ordered());
  }

  auto provenance = TRY(provenance_of(*context));
  auto buffers = TRY(ProgramBuffers::make(context, program));
  auto streams = TRY(ProgramStreams::make(program));
  std::unique_ptr<CudaProgram> loaded(
      new CudaProgram(std::move(context), program, std::move(buffers), std::move(streams)));
  loaded->own_clock_ = provenance.clock;
  loaded->frame_ = device::frame_of(program, std::move(provenance));
  loaded->notes_ = device::clamp_priorities(loaded->frame_.streams, loaded->context_->info);

  TRY(loaded->buffers_.fill());
  loaded->health_ = HealthWatch::make(loaded->context_->pci_bus_id);
  if (loaded->health_) loaded->health_->before();
  const bool in_graphs = loaded->slots_.kernel_nodes > 0;
  loaded->kernels_ = TRY(launchers_of(*loaded->context_, program));
  TRY(warm_up(*loaded->context_, loaded->kernels_, loaded->streams_.real, in_graphs));
  TRY(loaded->make_graphs());
  const auto fits = TRY(fits_of(loaded->kernels_));
  loaded->frame_.kernels = TRY(facts_of_kernels(*loaded->context_, program, fits));
  loaded->frame_.launches = shapes_of_launches(*loaded->context_, program, loaded->frame_.names, fits);
  loaded->frame_.device_facts = {
      device_facts(loaded->context_->info, loaded->context_->dispatch, std::getenv("CUDA_DEVICE_MAX_CONNECTIONS"))};
  const double capability = std::strtod(loaded->context_->compiled_for.c_str(), nullptr);
  for (const kernels::Choice& choice : program.kernels) {
    std::string other = choice.kernel->otherwise(choice.values, capability);
    if (!other.empty()) loaded->note(trace::NoteKind::gpu, std::move(other));
  }
  return loaded;
}

CudaProgram::~CudaProgram() {
  // After a failed run work may be pending; it is bounded, and its memory must not return to the pool before it ends.
  if (cudaSetDevice(context_->index) == cudaSuccess) {
    cudaDeviceSynchronize();
    buffers_.free_what_the_run_made();
    streams_.destroy_what_the_run_made(program_);
    if (allocates_in_streams(program_)) context_->trim_stream_ordered();
  }
  cudaGetLastError();
}

Result<void> CudaProgram::make_graphs() {
  const NodeNotes notes{nullptr, nullptr, host_functions_.repeated()};
  graphs_ = TRY(ExecutableGraphs::make(targets(), slots_, notes, context_->control.get()));
  return {};
}

IssueTargets CudaProgram::targets() {
  IssueTargets targets;
  targets.program = &program_;
  targets.device = context_->index;
  targets.host_clock = context_->options.host_clock;
  targets.by_thread = by_thread_;
  targets.streams = streams_.streams;
  targets.events = streams_.events;
  targets.host = buffers_.host();
  targets.registered = buffers_.registered();
  targets.device_side = buffers_.device();
  targets.kernels = kernels_;
  targets.abandon = context_->abandon.as<std::uint32_t>();
  targets.abandoned = &abandoned_;
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
  auto made = TRY(make_instrument(which, {context_, program_, frame_, targets(), slots_, host_functions_.repeated()}));
  return instruments_.emplace(which, std::move(made)).first->second.get();
}

// Creates and resets all that a pass needs, before its timed interval.
Result<void> CudaProgram::make_ready(const device::PassRequest& request, PassInstrument* with) {
  if (request.gate && !gate_) {
    gate_ = TRY(Gate::make(*context_));
  }
  if (has_run_) {
    TRY(buffers_.fill_again());
  }
  TRY(host_functions_.wake_callbacks(context_->control.get()));
  has_run_ = true;
  abandoned_ = false;
  std::fill(launched_.begin(), launched_.end(), 0);
  host_functions_.start_over();
  TRY(context_->stop_abandoning());
  if (with == nullptr) return {};
  TRY(with->arm(request));
  frame_.provenance.clock = with->clock(own_clock_);
  return {};
}

Result<device::Pass> CudaProgram::run(const device::PassRequest& request, const device::RunControl& control) {
  constexpr int kAttempts = 3;
  for (int attempt = 1; attempt <= kAttempts; ++attempt) {
    const Nanoseconds slept = context_->options.slept();
    auto pass = TRY(run_once(request, control));
    if (std::abs(context_->options.slept() - slept) < kAsleep) return pass;
    note(trace::NoteKind::gpu, tr("The machine was suspended while a pass went on; the pass was made again."));
  }
  return fail(
      ErrorKind::device_failed,
      tr("The machine was suspended during each of {} attempts: clocks that stood still measure nothing; run it "
         "while the machine stays awake.",
         kAttempts));
}

Result<device::Pass> CudaProgram::run_once(const device::PassRequest& request, const device::RunControl& control) {
  TRY(context_->use());
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
  IssueTargets to = targets();
  device::Pass pass;
  Nanoseconds opened = kAbsent;
  {
    // A stop ends running work, on the device too, so that the waits below are short.
    const std::stop_callback on_stop(StopSource::token(control.stop), [this] {
      abandoned_ = true;
      if (gate_) gate_->open();
      context_->abandon_spins();
    });
    if (request.gate) {
      to.gate = gate_.get();
      to.gate_opens_before = *device::gate_opens_before(program_);
      TRY(gate_->close(streams_.real));
    }
    std::unique_ptr<LiveView> live;
    if (with != nullptr) live = with->watch(control.on_spans);
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
  if (health_) health_->between_passes();
  if (with != nullptr) {
    TRY(with->finish(pass, opened));
  }
  return pass;
}

Result<void> CudaProgram::after_run(const Issued& issued, const StopFlag& stop) {
  const bool stopped = issued.cancelled || stop.stop_requested();
  const bool failed = issued.code != cudaSuccess;
  // Work that was issued is bounded; none may be running when memory and streams are used again.
  const cudaError_t rest = stopped || failed ? cudaDeviceSynchronize() : cudaSuccess;
  buffers_.free_what_the_run_made();
  streams_.destroy_what_the_run_made(program_);
  if (failed) return fail(cuda_error(issued.code, issued.call, program::describe(program_, issued.failed)));
  if (rest != cudaSuccess) {
    return fail(cuda_error(rest, "cudaDeviceSynchronize", tr("while waiting for what a stopped run had begun")));
  }
  if (stopped) return fail(ErrorKind::cancelled, tr("The run was stopped."));
  return {};
}

trace::Notes CudaProgram::notes() const {
  trace::Notes all;
  for (const auto& [which, instrument] : instruments_) {
    for (trace::Note& note : instrument->notes()) all.push_back(std::move(note));
  }
  if (health_) {
    for (trace::Note& note : health_->notes()) all.push_back(std::move(note));
  }
  all.insert(all.end(), notes_.begin(), notes_.end());
  return all;
}

void CudaProgram::note(trace::NoteKind kind, std::string text) {
  trace::Note note{kind, std::move(text)};
  if (std::find(notes_.begin(), notes_.end(), note) == notes_.end()) notes_.push_back(std::move(note));
}

Result<std::optional<bool>> CudaProgram::verify() {
  TRY(context_->use());
  if (!has_run_) {
    note(trace::NoteKind::not_verified, tr("The data was not verified: the program has not run."));
    return std::optional<bool>();
  }
  auto verdict = TRY(verify_data(program_, buffers_.host(), buffers_.device()));
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
