#include "engine/device/cuda/loaded_program.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/quantity.h"
#include "engine/device/cuda/check.h"
#include "engine/device/cuda/live_spans.h"
#include "engine/device/cuda/prefetch.h"
#include "engine/device/cuda/reference.h"
#include "engine/device/cuda/verify.h"
#include "engine/device/gate.h"
#include "kernels/launch.h"

namespace streamscope {
namespace {

MemoryKind memory_kind(HostMemory host) {
  switch (host) {
    case HostMemory::pinned: return MemoryKind::pinned;
    case HostMemory::pageable: return MemoryKind::pageable;
    case HostMemory::write_combined: return MemoryKind::write_combined;
    case HostMemory::mapped: return MemoryKind::mapped;
    case HostMemory::managed: return MemoryKind::managed;
  }
  return MemoryKind::pinned;
}

}  // namespace

Result<std::unique_ptr<CudaProgram>> CudaProgram::load(std::shared_ptr<CudaContext> context, const Program& program,
                                                       const LoadOptions& options) {
  if (const auto used = context->use(); !used) return fail(used.error());
  std::size_t free_bytes = 0, total_bytes = 0;
  CUDA_TRY(cudaMemGetInfo(&free_bytes, &total_bytes), "while looking how much memory the device has free");
  const std::uint64_t to_be_had = free_bytes + context->pool->idle_bytes(MemoryKind::device);
  std::uint64_t on_host = host_memory_available();
  for (const MemoryKind kind :
       {MemoryKind::pinned, MemoryKind::write_combined, MemoryKind::pageable, MemoryKind::mapped}) {
    if (__builtin_add_overflow(on_host, context->pool->idle_bytes(kind), &on_host)) on_host = ~0ull;
  }
  if (auto cannot = beyond_device(program, context->info, to_be_had, context->cycle_picoseconds, options, on_host)) {
    return fail(ErrorKind::bad_input, std::move(*cannot));
  }
  if (auto lacks = lacking(program, *context)) return fail(ErrorKind::bad_input, std::move(*lacks));
  if (allocates_in_streams(program)) {
    if (const auto kept = context->keep_stream_ordered(); !kept) return fail(kept.error());
  }

  std::unique_ptr<CudaProgram> loaded(new CudaProgram(std::move(context), program));
  const DeviceInfo& info = loaded->context_->info;
  const DeviceClock& clock = loaded->context_->clock;
  Provenance provenance;
  provenance.kind = Provenance::Kind::measured;
  provenance.device = info.name;
  provenance.driver = info.driver;
  provenance.clock =
      fmt::format("host CLOCK_MONOTONIC; device %globaltimer (step {} ns), tied by handshake", clock.step());
  provenance.instrument = name(Instrument::full);
  provenance.date = utc_date();
  const auto map = loaded->context_->clock.map();
  if (!map) return fail(map.error());
  provenance.uncertainty = map->uncertainty();
  loaded->own_clock_ = provenance.clock;
  loaded->frame_ = frame_of(program, std::move(provenance));

  if (const auto made = loaded->make_buffers(); !made) return fail(made.error());
  if (const auto made = loaded->make_streams_and_events(); !made) return fail(made.error());
  loaded->make_slots();
  loaded->divide_among_threads();
  if (const auto reset = loaded->reset_data(true); !reset) return fail(reset.error());
  loaded->health_ = HealthWatch::make(loaded->context_->pci_bus_id);
  if (loaded->health_) loaded->health_->before();
  if (const auto warm = loaded->warm_up(); !warm) return fail(warm.error());
  if (const auto made = loaded->make_graphs(); !made) return fail(made.error());
  return loaded;
}

CudaProgram::~CudaProgram() {
  // Work may be pending where a run failed; it is bounded, and memory must not go back to the pool under it.
  if (cudaSetDevice(context_->index) == cudaSuccess) {
    cudaDeviceSynchronize();
    free_what_the_run_made();
    if (allocates_in_streams(program_)) context_->trim_stream_ordered();
  }
  cudaGetLastError();
}

Result<void> CudaProgram::make_buffers() {
  const std::size_t count = program_.buffers.size();
  host_views_.resize(count, nullptr);
  device_views_.resize(count, nullptr);
  host_written_.resize(count, false);
  for (std::size_t b = 0; b < count; ++b) {
    const Buffer& buffer = program_.buffers[b];
    if (buffer.made_in_run) continue;
    const std::string purpose = fmt::format("line {}: buffer {}", buffer.line, buffer.name);
    if (is_shared(buffer.host)) {
      auto memory = context_->pool->take(memory_kind(buffer.host), buffer.bytes, purpose);
      if (!memory) return fail(memory.error());
      host_views_[b] = device_views_[b] = memory->as<char>();
      memory_.push_back(std::move(*memory));
      if (buffer.host == HostMemory::mapped) {
        const auto view = device_view(host_views_[b], purpose);
        if (!view) return fail(view.error());
        device_views_[b] = *view;
      }
      continue;
    }
    for (const MemoryKind kind : {MemoryKind::device, memory_kind(buffer.host)}) {
      auto memory = context_->pool->take(kind, buffer.bytes, purpose);
      if (!memory) return fail(memory.error());
      (kind == MemoryKind::device ? device_views_ : host_views_)[b] = memory->as<char>();
      memory_.push_back(std::move(*memory));
    }
  }
  for (const Operation& operation : program_.operations) {
    if (const auto* copy = std::get_if<op::Copy>(&operation.work); copy && copy->direction == Direction::d2h) {
      host_written_[copy->range.buffer.value] = true;
    }
    if (const auto* copy = std::get_if<op::BlockingCopy>(&operation.work); copy && copy->direction == Direction::d2h) {
      host_written_[copy->range.buffer.value] = true;
    }
  }
  return {};
}

Result<void> CudaProgram::make_streams_and_events() {
  streams_ = {cudaStreamLegacy, cudaStreamPerThread};
  real_streams_ = streams_;
  for (std::size_t s = streams_.size(); s < program_.streams.size(); ++s) {
    const Stream& stream = program_.streams[s];
    if (stream.per_thread || stream.of_graph) {
      // One handle, and another stream in every thread; a lane of a graph is no stream.
      streams_.push_back(stream.per_thread ? cudaStreamPerThread : nullptr);
      continue;
    }
    auto made = make_stream(stream.nonblocking ? cudaStreamNonBlocking : cudaStreamDefault, stream.priority);
    if (!made) return fail(made.error());
    streams_.push_back(made->get());
    real_streams_.push_back(made->get());
    owned_streams_.push_back(std::move(*made));
  }
  for (const Event& event : program_.events) {
    auto made = make_event(event.timing);
    if (!made) return fail(made.error());
    events_.push_back(made->get());
    owned_events_.push_back(std::move(*made));
  }
  return {};
}

void CudaProgram::make_slots() {
  slots_ = slots_of(program_);
  host_functions_.resize(slots_.host_functions);
  for (std::size_t i = 0; i < program_.operations.size(); ++i) {
    const Operation& operation = program_.operations[i];
    const auto* function = std::get_if<op::HostFunction>(&operation.work);
    if (function == nullptr) continue;
    const std::size_t count =
        operation.launch == kNoOperation ? 1 : slots_.launches[graph_of(program_, operation).value];
    for (std::size_t n = 0; n < count; ++n) {
      host_functions_[slots_.of_operation[i] + n] = {function->duration, &abandoned_};
    }
  }
  repeated_ = std::make_unique<RepeatedHostFunction[]>(slots_.host_function_nodes);
  for (std::size_t g = 0; g < program_.graphs.size(); ++g) {
    const Graph& graph = program_.graphs[g];
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
      if (!std::holds_alternative<op::HostFunction>(graph.body[graph.nodes[n].body].work)) continue;
      const Slots::Node& node = slots_.nodes[g][n];
      repeated_[node.number].calls = std::span(host_functions_).subspan(node.first, slots_.launches[g]);
    }
  }
}

void CudaProgram::divide_among_threads() {
  by_thread_.resize(program_.threads.size());
  for (std::size_t i = 0; i < program_.operations.size(); ++i) {
    const Operation& operation = program_.operations[i];
    if (operation.launch == kNoOperation) by_thread_[operation.thread.value].push_back(static_cast<OperationIndex>(i));
  }
  launched_.resize(program_.graphs.size(), 0);
}

Result<void> CudaProgram::make_graphs() {
  auto made = ExecutableGraphs::make(targets(), slots_, {nullptr, nullptr, repeated()}, context_->control.get());
  if (!made) return fail(made.error());
  graphs_ = std::move(*made);
  return {};
}

IssueTargets CudaProgram::targets() {
  IssueTargets targets;
  targets.program = &program_;
  targets.device = context_->index;
  targets.by_thread = by_thread_;
  targets.streams = streams_;
  targets.events = events_;
  targets.host = host_views_;
  targets.device_side = device_views_;
  targets.default_blocks = 2 * static_cast<std::uint32_t>(std::max(1, context_->info.multiprocessors));
  targets.abandon = context_->abandon.as<std::uint32_t>();
  targets.abandoned = &abandoned_;
  targets.slot = slots_.of_operation;
  targets.host_functions = host_functions_;
  targets.graphs = graphs_.views();
  targets.launched = launched_;
  return targets;
}

// The device makes the pattern and the bus carries it: 256 MiB take 5 ms so, a CPU would need a quarter of a second.
Result<void> CudaProgram::reset_data(bool all) {
  const cudaStream_t stream = context_->control.get();
  for (std::size_t b = 0; b < program_.buffers.size(); ++b) {
    const Buffer& buffer = program_.buffers[b];
    if (buffer.made_in_run) continue;
    const BufferId id{static_cast<std::uint32_t>(b)};
    const std::string doing = fmt::format("while filling buffer {}, line {}", buffer.name, buffer.line);
    if (is_shared(buffer.host)) {
      if (const auto reset = reset_shared(id, doing); !reset) return reset;
      continue;
    }
    if (all || host_written_[b]) {
      CUDA_TRY(static_cast<cudaError_t>(kernels::fill(device_views_[b], buffer.bytes, host_seed(id), stream)), doing);
      CUDA_TRY(cudaMemcpyAsync(host_views_[b], device_views_[b], buffer.bytes, cudaMemcpyDeviceToHost, stream), doing);
    }
    CUDA_TRY(static_cast<cudaError_t>(kernels::fill(device_views_[b], buffer.bytes, device_seed(id), stream)), doing);
  }
  CUDA_TRY(cudaStreamSynchronize(stream), "while filling the buffers");
  return {};
}

// Managed memory lies on the host then, whatever touched it before: every run meets the same moves.
Result<void> CudaProgram::reset_shared(BufferId id, const std::string& doing) {
  const Buffer& buffer = program_.buffers[id.value];
  const cudaStream_t stream = context_->control.get();
  char* const data = device_views_[id.value];
  CUDA_TRY(static_cast<cudaError_t>(kernels::fill(data, buffer.bytes, host_seed(id), stream)), doing);
  if (buffer.host != HostMemory::managed) return {};
  const cudaError_t moved = prefetch(data, buffer.bytes, cudaCpuDeviceId, stream);
  if (moved != cudaSuccess) return fail(cuda_error(moved, "cudaMemPrefetchAsync", doing));
  return {};
}

// Every kernel once, as a launch that does nothing, in each of its forms: a kernel's code is loaded by its
// first launch. Memory has been touched by reset_data(); the first use of a stream is made here too.
Result<void> CudaProgram::warm_up() {
  constexpr const char* kDoing = "while warming up";
  struct Words {
    kernels::Stamp stamps[2];
    unsigned long long ticket;
  };
  auto memory = context_->pool->take(MemoryKind::device, sizeof(Words), "to warm up");
  if (!memory) return fail(memory.error());
  auto* const words = memory->as<Words>();
  CUDA_TRY(static_cast<cudaError_t>(kernels::reset_stamps(words->stamps, 2, cudaStreamLegacy)), kDoing);
  CUDA_TRY(cudaMemsetAsync(&words->ticket, 0, sizeof words->ticket, cudaStreamLegacy), kDoing);
  CUDA_TRY(cudaDeviceSynchronize(), kDoing);
  const auto launch = [&](const kernels::StampTo& to, cudaStream_t stream) -> Result<void> {
    const kernels::Spin spin{0, 1, 32, 0, context_->abandon.as<std::uint32_t>()};
    CUDA_TRY(static_cast<cudaError_t>(kernels::spin(spin, to, stream)), kDoing);
    const kernels::Axpb axpb{nullptr, 0, 0, 1, 32};
    CUDA_TRY(static_cast<cudaError_t>(kernels::axpb(axpb, to, stream)), kDoing);
    return {};
  };
  for (const cudaStream_t stream : real_streams_) {
    if (const auto bare = launch(nullptr, stream); !bare) return bare;
    if (const auto stamped = launch(words->stamps, stream); !stamped) return stamped;
  }
  // The form for graphs: one ticket after the other, so each takes a stamp of its own.
  if (slots_.kernel_nodes > 0) {
    if (const auto repeated = launch({words->stamps, &words->ticket}, cudaStreamLegacy); !repeated) return repeated;
  }
  CUDA_TRY(cudaDeviceSynchronize(), kDoing);
  return {};
}

Result<void> CudaProgram::can(const PassRequest& request) const {
  if (request.instrument == Instrument::cupti) {
    if (auto there = CuptiRecorder::available(); !there) return there;
  }
  if (request.gate) {
    if (const auto opens = gate_opens_before(program_); !opens) return fail(opens.error());
  }
  if (auto why = not_to_be_seen(program_, request.instrument)) return fail(ErrorKind::bad_input, std::move(*why));
  return {};
}

// All that a pass needs, made and set before its clock starts.
// The driver's thread for host functions sleeps when it has had none for about 150 us, and takes some 250 us more then
// (measured on an H200): whether it does would depend on how long ago the last pass was.
Result<void> CudaProgram::wake_callbacks() {
  if (host_functions_.empty() && slots_.host_function_nodes == 0) return {};
  const cudaStream_t stream = context_->control.get();
  CUDA_TRY(cudaLaunchHostFunc(
               stream, [](void*) {}, nullptr),
           "while waking the thread for host functions");
  CUDA_TRY(cudaStreamSynchronize(stream), "while waking the thread for host functions");
  return {};
}

Result<void> CudaProgram::make_ready(const PassRequest& request) {
  const bool with_cupti = request.instrument == Instrument::cupti;
  const bool instrumented = request.instrument != Instrument::bare && !with_cupti;
  if (with_cupti && !cupti_) {
    auto made = CuptiPass::make(context_, program_, frame_, targets());
    if (!made) return fail(made.error());
    cupti_ = std::move(*made);
  }
  if (instrumented && !instruments_) {
    auto made = Instruments::make(context_, program_, frame_, targets(), slots_, repeated());
    if (!made) return fail(made.error());
    instruments_ = std::move(*made);
  }
  if (request.gate && !gate_) {
    auto made = Gate::make(*context_);
    if (!made) return fail(made.error());
    gate_ = std::move(*made);
  }
  if (has_run_) {
    if (const auto reset = reset_data(false); !reset) return reset;
  }
  if (const auto awake = wake_callbacks(); !awake) return awake;
  has_run_ = true;
  abandoned_ = false;
  std::fill(launched_.begin(), launched_.end(), 0);
  for (RepeatedHostFunction& function : repeated()) function.times = 0;
  if (const auto ready = context_->stop_abandoning(); !ready) return ready;
  if (with_cupti) {
    frame_.provenance.clock = cupti_->clock();
    return cupti_->arm();
  }
  if (!instrumented) return {};
  if (const auto armed = instruments_->arm(request); !armed) return armed;
  frame_.provenance.clock = fmt::format("{}; {}", own_clock_, instruments_->how_events_tell());
  if (request.instrument == Instrument::full && !instruments_->watching()) {
    note(
        "Events carried their own times here, which costs microseconds each: a thread that watches them instead needs "
        "one of four or more processor cores, and a program without pageable or blocking copies and cudaFree.");
  }
  return {};
}

Result<Pass> CudaProgram::run(const PassRequest& request, const RunControl& control) {
  if (const auto used = context_->use(); !used) return fail(used.error());
  if (const auto possible = can(request); !possible) return fail(possible.error());
  if (control.stop.stop_requested()) return fail(ErrorKind::cancelled, "The run was stopped before it began.");
  if (const auto ready = make_ready(request); !ready) return fail(ready.error());
  const bool with_cupti = request.instrument == Instrument::cupti;
  const bool instrumented = request.instrument != Instrument::bare && !with_cupti;
  const struct Disarm {
    Instruments* instruments;
    CuptiPass* cupti;
    Gate* gate;
    ~Disarm() {
      if (gate != nullptr) gate->open();
      if (instruments != nullptr) instruments->disarm();
      if (cupti != nullptr) cupti->disarm();
    }
  } whatever_happens{instrumented ? instruments_.get() : nullptr, with_cupti ? cupti_.get() : nullptr,
                     request.gate ? gate_.get() : nullptr};
  const IssueInstruments* const carried = instrumented ? &instruments_->carried()
                                          : with_cupti ? &cupti_->carried()
                                                       : nullptr;
  IssueTargets to = targets();
  Pass pass;
  Nanoseconds opened = kAbsent;
  {
    // A stop ends what is under way, on the device too, so that the waits below are short.
    const std::stop_callback on_stop(control.stop, [this] {
      abandoned_ = true;
      if (gate_) gate_->open();
      context_->abandon_spins();
    });
    if (request.gate) {
      to.gate = gate_.get();
      to.gate_opens_before = *gate_opens_before(program_);
      if (const auto closed = gate_->close(real_streams_); !closed) return fail(closed.error());
    }
    std::optional<LiveSpans> live;
    if (request.instrument == Instrument::full) live.emplace(*instruments_, control.on_spans);
    const Issued issued = issue(to, carried, control.stop);
    if (live) live->finish();
    auto ended = after_run(issued, control.stop);
    if (instrumented) instruments_->disarm();
    if (!ended) return fail(ended.error());
    pass.wall = issued.end - issued.begin;
    if (request.gate) opened = issued.begin;
  }
  if (request.gate && gate_->expired()) {
    return fail(ErrorKind::bad_input,
                fmt::format("The gate opened by itself after {} with the program not yet queued: its calls take longer "
                            "than that, or one of them waits for the device; leave the gate out.",
                            display_duration(Gate::kLongest)));
  }
  if (health_) health_->between_passes();
  if (with_cupti) {
    if (const auto finished = cupti_->finish(pass, opened); !finished) return fail(finished.error());
  } else if (instrumented) {
    if (const auto read = read_instruments(request, pass); !read) return fail(read.error());
  }
  return pass;
}

Result<void> CudaProgram::read_instruments(const PassRequest& request, Pass& pass) {
  if (const auto looked = instruments_->look(program_.operations.size(), true); !looked) return looked;
  if (request.instrument == Instrument::sampled) {
    pass.observed = instruments_->observed();
    pass.circumstances = instruments_->circumstances();
  } else {
    const std::span<const Span> spans = instruments_->spans();
    pass.spans.assign(spans.begin(), spans.end());
  }
  pass.begin = instruments_->zero();
  const auto uncertainty = instruments_->uncertainty();
  if (!uncertainty) return fail(uncertainty.error());
  pass.clock_uncertainty = *uncertainty;
  return {};
}

Result<void> CudaProgram::after_run(const Issued& issued, const std::stop_token& stop) {
  const bool stopped = issued.cancelled || stop.stop_requested();
  const bool failed = issued.code != cudaSuccess;
  // What was issued before is bounded; nothing may be under way when memory and streams are used again.
  const cudaError_t rest = stopped || failed ? cudaDeviceSynchronize() : cudaSuccess;
  free_what_the_run_made();
  if (failed) return fail(cuda_error(issued.code, issued.call, describe(program_, issued.failed)));
  if (rest != cudaSuccess) {
    return fail(cuda_error(rest, "cudaDeviceSynchronize", "while waiting for what a stopped run had begun"));
  }
  if (stopped) return fail(ErrorKind::cancelled, "The run was stopped.");
  return {};
}

void CudaProgram::free_what_the_run_made() noexcept {
  for (std::size_t b = 0; b < device_views_.size(); ++b) {
    if (program_.buffers[b].made_in_run && device_views_[b] != nullptr) {
      cudaFree(std::exchange(device_views_[b], nullptr));
    }
  }
}

// What verify() said stays the last.
std::vector<std::string> CudaProgram::notes() const {
  std::vector<std::string> all;
  if (cupti_) all = cupti_->notes();
  if (health_) {
    for (std::string& note : health_->notes()) all.push_back(std::move(note));
  }
  all.insert(all.end(), notes_.begin(), notes_.end());
  return all;
}

void CudaProgram::note(std::string text) {
  if (std::find(notes_.begin(), notes_.end(), text) == notes_.end()) notes_.push_back(std::move(text));
}

Result<std::optional<bool>> CudaProgram::verify() {
  if (const auto used = context_->use(); !used) return fail(used.error());
  if (!has_run_) {
    note("The data was not verified: the program has not run.");
    return std::optional<bool>();
  }
  auto verdict = verify_data(program_, host_views_, device_views_);
  if (!verdict) return fail(verdict.error());
  if (!verdict->note.empty()) note(std::move(verdict->note));
  return verdict->right;
}

}  // namespace streamscope
