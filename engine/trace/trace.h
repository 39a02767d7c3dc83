// The record of a run: immutable once made. Everything downstream (analysis, views, files) reads it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/trace/answers.h"
#include "engine/trace/device_facts.h"
#include "engine/trace/isolated_time.h"
#include "engine/trace/note.h"
#include "engine/trace/span.h"
#include "engine/trace/stages.h"

namespace streamscope::trace {

// MEASURED and MODEL never mix unlabelled: each trace says where it comes from, and every view and export shows it.
struct Provenance {
  enum class Kind : std::uint8_t { measured, model };
  Kind kind = Kind::model;
  std::string device;           // "NVIDIA H200"
  std::string driver;           // "580.159.04, CUDA 13.0"; empty for a model
  std::string profile;          // "h200"; empty for a measurement
  std::string clock;            // "host CLOCK_MONOTONIC, device %globaltimer tied by handshake"
  Nanoseconds uncertainty = 0;  // plus or minus, between the host's and the device's times
  std::string instrument;       // "full", "sampled", "cupti", "bare"
  bool gated = false;           // everything was queued before anything ran
  std::string date;             // UTC, ISO 8601
  std::uint32_t share = 0;      // sampled: in each run one in so many operations was observed; else 0
  // How often the trace's times contradict each other beyond their stated uncertainties; nothing: not checked.
  std::optional<std::uint32_t> contradictions = {};
};

struct StreamInfo {
  std::string name;
  bool nonblocking = false;
  int priority = 0;
  std::uint32_t device = 0;  // as Span::device
};

class PackedSpans;

struct Trace {
  Provenance provenance;                      // of the run, and of its first device
  std::vector<Provenance> other_devices;      // of a run on several: each with its clock's tie and uncertainty
  std::vector<StreamInfo> streams;            // in the program's order: [0] default, [1] per-thread
  std::vector<std::string> threads;           // [0] is "main"
  std::vector<std::string> names;             // operation names: "H2D", "axpb"
  std::vector<Span> spans;                    // one for each operation, in the program's order
  std::shared_ptr<const PackedSpans> packed;  // of another tool's trace, in place of `spans` (packed_spans.h)
  std::vector<KernelFacts> kernels;           // of tiles and attention, by operation
  Stages stages;                              // what happened inside them, where that was measured
  Answers answers;                            // of polls, and of streams that were asked for their attributes
  std::vector<DeviceFacts> device_facts;      // of each device, in order; empty where they are not known
  std::vector<LaunchShape> launches;          // of all kernels, by line, name and bytes; empty where not known
};

// The sort of launch that a kernel's span is; null for what is none, or is not known.
const LaunchShape* launch_of(const Trace& trace, const Span& span);

std::size_t device_count(const Trace& trace);     // 1 or more
inline constexpr std::size_t kMostDevices = 256;  // Span::device tells no more apart
// Of a trace from elsewhere: whether there are no more than that, and each span and stream is of one of them. If not,
// why.
std::optional<std::string> wrong_devices(const Trace& trace);
// ", device 1", behind the name of what there is one of on each device; empty where the run is on one.
std::string of_device(const Trace& trace, std::size_t device);
// Whose clock the device's times come from. device < device_count().
const Provenance& provenance_of(const Trace& trace, std::size_t device);

struct Statistic {
  Nanoseconds median = 0, minimum = 0, maximum = 0;
  Nanoseconds spread = kAbsent;  // half the distance between the quartiles; of fewer than kFewestForSpread not known
};
inline constexpr std::size_t kFewestForSpread = 5;
// Nothing where there are no samples. The median of an even number is the lower middle one: a time that was measured.
std::optional<Statistic> statistic(std::vector<Nanoseconds> samples);

// What the instrument costs: wall times of instrumented runs over those of bare runs, in pairs measured one after the
// other.
struct ObserverEffect {
  double median = 1;
  double low = 1, high = 1;  // the quartiles
  int pairs = 0;
  friend bool operator==(const ObserverEffect&, const ObserverEffect&) = default;
};
// Nothing of fewer than kFewestPairs: the two vectors are by pair; a pair with a bare time of 0 does not count.
inline constexpr int kFewestPairs = 3;
std::optional<ObserverEffect> observer_effect(const std::vector<Nanoseconds>& instrumented,
                                              const std::vector<Nanoseconds>& bare);

// What the model makes of a program that was measured too: drawn as a ghost under the measurement.
struct Prediction {
  Nanoseconds wall = kAbsent, makespan = kAbsent;
  Notes notes;
  Trace trace;  // of the same program: spans [i] of both are the same operation
};

// What CUPTI's records of other passes of the same program say of how long operations took (engine/referee).
struct Referee {
  int passes = 0;
  std::string by;                  // whose records: "CUPTI 13.0.1"
  std::uint64_t compared = 0;      // operations of which both know how long they took
  std::uint64_t contradicted = 0;  // of these, beyond both doubts: their doubt was widened
  std::string why_not;             // where there is no opinion: a sentence
  friend bool operator==(const Referee&, const Referee&) = default;
};

// One program, run some times on one device. The trace is that of the run whose
// makespan was the median; of a sampled run it is merged from all runs, and the makespan is its own, with minimum and
// maximum the same.
struct Run {
  std::string experiment;  // its TOML; empty where a program was typed
  std::string program;     // the text
  int runs = 0;
  std::optional<Statistic> wall;       // of the runs the trace is from
  std::optional<Statistic> bare_wall;  // of runs with no instrument at all
  std::optional<Statistic> makespan;
  std::optional<Statistic> serial;  // makespan of the same operations in one stream, in the order of issue
  std::vector<IsolatedTime> alone;  // of them, in these runs, by class; empty where none was made
  std::optional<ObserverEffect> observer_effect;
  std::optional<ObserverEffect> stage_effect;  // of recording stages, on the time of the kernels
  std::optional<bool> verified;                // the data that came back is what the CPU computes; nothing: not checked
  Notes notes;
  Trace trace;
  std::optional<Prediction> prediction;  // where one was asked for
  std::optional<Referee> referee;        // where one was asked
};

// "full", "sampled 1/16 with the gate": how the trace was made.
std::string instrument_text(const Provenance& provenance);
std::string_view name(Provenance::Kind kind);   // "measured", "model"
std::string_view badge(Provenance::Kind kind);  // "MEASURED", "MODEL": what views show
// The same, but of a file of another tool whose it is: "PYTORCH TRACE". How well its times are known is not known.
std::string_view badge(const Provenance& provenance);
bool of_another_tool(const Provenance& provenance);
// What counts as device work: h2d, d2h, d2d, peer, memset, kernel and host functions; not records, waits and host
// calls.
bool device_work(const Span& span);
// First start to last end over all device work; kAbsent if there is none. Spans that end before they start do not
// count.
Nanoseconds makespan(const std::vector<Span>& spans);

}  // namespace streamscope::trace

template <>
inline constexpr streamscope::NameTable<2> streamscope::kNames<streamscope::trace::Provenance::Kind>{"measured",
                                                                                                     "model"};
