// A device: what runs a stream program. The CUDA device and the model keep the same contract, so that code downstream
// can distinguish them only by the trace's provenance.
//
// The contract:
//   - load() creates all that the program declares (buffers, streams, events), fills buffers with the known pattern and
//     warms up; none of this is timed.
//   - LoadedProgram::run() runs the whole program once. `wall` is host time from just before the first statement is
//     issued to the return of the final device synchronisation.
//   - Instrument::bare: no instrumentation inside that interval; the pass has no spans. Instrument::full and
//     Instrument::cupti: one span per operation, in the program's order. Instrument::sampled: observations, to be
//     merged with those of other passes. Instrument::calls: one span per operation, of which only the host's call is
//     known.
//   - With a gate, `wall` begins where the gate opens. The gate opens by itself after half a second, and no failure
//   leaves
//     it closed.
//   - CUDA's rules hold between the spans (engine/program/order/order.h).
//   - A failure leaves no stream held and no memory leaked; after ErrorKind::device_failed a CUDA process may be
//     poisoned for good, so the caller should start a new engine process.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/stop_flag.h"
#include "engine/device/device_info.h"
#include "engine/device/dispatch_latency.h"
#include "engine/device/observed.h"
#include "engine/program/program.h"
#include "engine/trace/trace.h"

namespace streamscope::device {

enum class Instrument : std::uint8_t {
  full,     // stamps in kernels, and events only behind operations that have no stamp
  bare,     // no instrumentation
  sampled,  // stamps in kernels, events on a share of the operations in each run; many runs are merged
  cupti,    // CUPTI activity records
  calls,    // the host's calls and their times only
};
std::string_view name(Instrument instrument);

struct InstrumentInfo {
  std::string_view brief;    // what it gives, for a list
  std::string_view meaning;  // whole sentences: how it works and what it costs
  bool spans = true;         // else wall times only
  bool of_models = true;     // a model can be asked for it, too
};
const InstrumentInfo& about(Instrument instrument);
std::vector<Instrument> all_instruments();

// Which operations carry an event in a sampled pass: of those that would in a full pass, numbered from 0, every one
// whose number modulo `of` is `phase`.
struct Share {
  std::uint32_t phase = 0, of = 1;
};

// How a pass is to be made.
struct PassRequest {
  PassRequest(Instrument with = Instrument::full) : instrument(with) {}  // NOLINT: a pass is mostly just this
  Instrument instrument;
  Share share;                  // of a sampled pass
  bool gate = false;            // hold all streams until everything is queued
  std::uint32_t stages_of = 0;  // of a full pass: one block in so many records its stages; 0: none
};

// Kernels longer than this are refused unless LoadOptions::long_kernels: they freeze a display.
inline constexpr Nanoseconds kLongestKernel = 1'000'000'000;
inline constexpr Nanoseconds kOwnLimit = 10'000'000'000;

// Code of a program's own is compiled and run only where its source is given: whoever gives it was asked, or asks for
// it. A pass with such code that takes longer than the limit ends the process, for nothing else would end it.
struct LoadOptions {
  bool long_kernels = false;
  std::vector<kernels::OwnSource> own = {};
  Nanoseconds own_limit = kOwnLimit;
  // This process is the program's own: a program after which a GPU has no use for its process is taken
  // (program::ends_its_process()). It runs once, and what it loaded is never to be freed.
  bool own_process = false;
};

// Called on the thread that runs the program or on another one, never on two at once. The spans' times are final.
using SpanSink = std::function<void(std::span<const trace::Span>)>;

struct RunControl {
  StopFlag stop;      // checked between operations and in every host wait; a stopped run fails with `cancelled`
  SpanSink on_spans;  // may be empty; batches of finished spans while a long run goes on
};

// One run.
struct Pass {
  Nanoseconds wall = kAbsent;
  Nanoseconds begin = kAbsent;     // host_now() at the spans' zero; kAbsent where there are none
  std::vector<trace::Span> spans;  // empty for bare and sampled passes
  trace::Stages stages;            // as asked for
  trace::Answers answers;
  std::vector<Observed> observed;  // by operation, what the spans are made from; sampled passes are merged from these
  Circumstances circumstances;
  Nanoseconds clock_uncertainty = 0;
};

class LoadedProgram {
 public:
  virtual ~LoadedProgram() = default;
  // Whether such a pass of this program is possible. Error bad_input: why not, and what to do.
  virtual Result<void> can(const PassRequest& request) const = 0;
  virtual Result<Pass> run(const PassRequest& request, const RunControl& control) = 0;
  // Compares the data of the last run with what the CPU computes from the same start. nullopt if the device moves no
  // data, or if hazards leave the result undetermined.
  virtual Result<std::optional<bool>> verify() = 0;
  // The trace without spans: streams, threads, names, provenance.
  virtual const trace::Trace& frame() const = 0;
  // What the user must know to read the result.
  virtual trace::Notes notes() const = 0;
};

class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const = 0;
  // The program must outlive what is loaded from it. Errors: what the device cannot do (memory, a kernel too long) by
  // line.
  virtual Result<std::unique_ptr<LoadedProgram>> load(const program::Program& program, const LoadOptions& options) = 0;
  // Gives back the memory that it keeps for the next program, so that other processes find it free.
  virtual void release_memory() noexcept {}
};

}  // namespace streamscope::device

template <>
inline constexpr streamscope::NameTable<5> streamscope::kNames<streamscope::device::Instrument>{
    "full", "bare", "sampled", "cupti", "calls"};
