// The trace as Perfetto and chrome://tracing read it. Format: "Trace Event Format" of the Chromium project; track names
// and flows as PyTorch's profiler writes them, so that tools made for its traces find kernels and copies here too.
#include <fmt/compile.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "engine/analysis/analysis.h"
#include "engine/analysis/api_calls.h"
#include "engine/output/blocks.h"
#include "engine/output/output.h"
#include "engine/output/record_json.h"
#include "engine/output/tracks.h"
#include "engine/trace/description.h"
#include "engine/trace/packed_spans.h"

namespace streamscope::output {
namespace {

enum class Process : int { host = 1, streams = 2, engines = 3, inside = 4 };

// Nanoseconds as the microseconds of the format, all three decimals: a double would lose some of them.
std::string microseconds(Nanoseconds time) {
  const std::uint64_t magnitude = time < 0 ? 0 - static_cast<std::uint64_t>(time) : static_cast<std::uint64_t>(time);
  return fmt::format(FMT_COMPILE("{}{}.{:03}"), time < 0 ? "-" : "", magnitude / 1000, magnitude % 1000);
}

// The categories that the tools for PyTorch's traces look for, where the operation has one.
std::string_view execution_category(OperationKind kind) {
  switch (kind) {
    case OperationKind::h2d:
    case OperationKind::d2h:
    case OperationKind::peer:
    case OperationKind::d2d: return "gpu_memcpy";
    case OperationKind::memset: return "gpu_memset";
    case OperationKind::prefetch: return "gpu_memcpy";
    case OperationKind::fault:
    case OperationKind::kernel: return "kernel";
    case OperationKind::record:
    case OperationKind::launch:
    case OperationKind::wait: return "cuda_sync";
    default: return "host_function";
  }
}

std::string_view host_category(OperationKind kind) {
  switch (kind) {
    case OperationKind::work:
    case OperationKind::touch:
    case OperationKind::thread:
    case OperationKind::join: return "host";
    default: return "cuda_runtime";
  }
}

bool has_call(const trace::Span& span) { return trace::has_own_call(span) && span.host_begin <= span.host_end; }
bool executed(const trace::Span& span) { return known(span.start) && known(span.end) && span.start <= span.end; }

// The index of this operation among those of its name: its chunk, where the program is a pipeline of an experiment.
std::vector<std::uint32_t> chunks(const trace::Run& run, const nlohmann::ordered_json& experiment) {
  if (!experiment.is_object() || experiment.contains("program") || experiment.contains("text")) return {};
  std::vector<std::uint32_t> seen(run.trace.names.size(), 0), result;
  result.reserve(trace::span_count(run.trace));
  for (std::size_t i = 0; i < trace::span_count(run.trace); ++i) {
    const trace::Span span = trace::span_at(run.trace, i);
    result.push_back(trace::device_work(span) && span.name < seen.size() ? seen[span.name]++ : kNoOperation);
  }
  return result;
}

class ChromeTrace : public RecordJson<ChromeTrace> {
 public:
  ChromeTrace(const trace::Run& run, Blocks& to, const TextSink& sink)
      : RecordJson(to.text),
        to_(to),
        sink_(sink),
        run_(run),
        trace_(run.trace),
        names_(trace_.names, json_string, "\"(unnamed)\""),
        streams_(stream_names(trace_), json_string, "null"),
        chunks_(chunks(run, experiment_object(run.experiment))) {}

  void write() {
    const trace::Provenance& from = trace_.provenance;
    if (several()) next_tid_ = static_cast<std::uint32_t>(kFirstDevice + trace::device_count(trace_));
    out_ += "{\"traceEvents\":[";
    process(Process::host, "Host");
    if (several()) {
      for (std::size_t device = 0; device < trace::device_count(trace_); ++device)
        process(streams_of(device), fmt::format("Device {}", device), trace::provenance_of(trace_, device));
    } else {
      process(Process::streams, "Streams");
      process(Process::engines, "Engines");
    }
    host();
    streams();
    engines();
    if (!trace_.stages.blocks.empty()) inside();
    out_ += "\n],\n\"displayTimeUnit\":\"ns\",\n\"otherData\":";
    out_ += fmt::format(
        "{{\"provenance\":{},\"device\":{},\"driver\":{},\"profile\":{},\"clock\":{},\"instrument\":{},"
        "\"date\":{},\"uncertainty_ns\":{},\"gated\":{},\"share\":{},\"runs\":{},\"observer_effect\":",
        json_string(trace::badge(from.kind)), json_string(from.device), json_string(from.driver),
        json_string(from.profile), json_string(from.clock), json_string(from.instrument), json_string(from.date),
        from.uncertainty, from.gated, from.share > 0 ? std::to_string(from.share) : "null", run_.runs);
    value(run_.observer_effect);
    if (run_.prediction) put(",\"predicted_by\":", json_string(run_.prediction->trace.provenance.profile));
    out_ += '}';
    out_ += ",\n\"streamscope\":";
    to_.pass_all_on();
    write_json(run_, sink_);
    out_ += "}\n";
    to_.pass_all_on();
  }

  std::string_view text(int, std::size_t stream) const { return streams_[stream]; }
  void computed(std::string_view, const trace::Span& span) {
    const std::string why = analysis::explain_wait(trace_, span);
    out_ += why.empty() ? std::string("null") : json_string(why);
  }

 private:
  template <class... Values>
  void put(const Values&... values) {
    (fmt::format_to(std::back_inserter(out_), FMT_COMPILE("{}"), values), ...);
  }

  // Opens an event; the caller adds to it and closes it.
  void event(std::string_view phase, Process process, std::uint32_t tid) {
    to_.pass_on();
    put(first_ ? "\n" : ",\n", "{\"ph\":\"", phase, "\",\"pid\":", static_cast<int>(process), ",\"tid\":", tid);
    first_ = false;
  }

  void metadata(Process process, std::uint32_t tid, std::string_view what, std::string_view key,
                std::string_view value) {
    event("M", process, tid);
    put(",\"name\":\"", what, "\",\"args\":{\"", key, "\":", value, "}}");
  }

  static constexpr std::size_t kFirstDevice = 16;
  // Of several devices each is a process of its own, with its streams and its engines.
  bool several() const { return trace::device_count(trace_) > 1; }
  Process streams_of(std::size_t device) const {
    return several() ? static_cast<Process>(kFirstDevice + device) : Process::streams;
  }
  Process engines_of(std::size_t device) const { return several() ? streams_of(device) : Process::engines; }

  void process(Process which, std::string_view title) { process(which, title, trace_.provenance); }
  void process(Process which, std::string_view title, const trace::Provenance& from) {
    const std::string name = fmt::format("{} ({}, {})", title, trace::badge(from.kind), from.device);
    metadata(which, 0, "process_name", "name", json_string(name));
    metadata(which, 0, "process_sort_index", "sort_index", std::to_string(static_cast<int>(which)));
  }

  // Thread ids count on across the processes, since Perfetto names a thread by its id alone; none equals a process's.
  template <class WriteSlice>
  void tracks(Process process, const std::string& title, std::vector<Slice> slices, WriteSlice write_slice) {
    std::size_t number = 0;
    for (const std::vector<Slice>& track : spread(std::move(slices))) {
      const std::uint32_t tid = next_tid_++;
      ++number;
      const std::string name = number == 1 ? title : fmt::format("{} ({})", title, number);
      metadata(process, tid, "thread_name", "name", json_string(name));
      metadata(process, tid, "thread_sort_index", "sort_index", std::to_string(tid));
      for (const Slice& slice : track) write_slice(slice, tid);
    }
  }

  // Opens a slice up to its arguments, which all begin with the operation's number.
  void slice(Process process, std::uint32_t tid, const Slice& slice, std::string_view category,
             std::string_view quoted_name) {
    event("X", process, tid);
    put(",\"ts\":", microseconds(slice.start), ",\"dur\":", microseconds(elapsed(slice.start, slice.end)),
        ",\"cat\":\"", category, "\",\"name\":", quoted_name, ",\"args\":{\"op\":");
    member(trace::span_at(trace_, slice.span), schema::kMember<trace::Span, "op">);
  }

  template <schema::Key... keys>
  void arguments(const trace::Span& span) {
    ((out_ += ',', key(keys), member(span, schema::kMember<trace::Span, keys>)), ...);
  }
  void time(std::string_view name, Nanoseconds nanoseconds) {
    out_ += ',';
    key(name);
    value(known(nanoseconds) ? std::optional(nanoseconds) : std::nullopt);
  }

  void host() {
    std::vector<std::vector<Slice>> threads(trace_.threads.size() + 1);  // the last: of a thread that has no name
    for (std::size_t i = 0; i < trace::span_count(trace_); ++i) {
      const trace::Span span = trace::span_at(trace_, i);
      if (!has_call(span)) continue;
      threads[std::min<std::size_t>(span.thread, trace_.threads.size())].push_back({span.host_begin, span.host_end, i});
    }
    for (std::size_t i = 0; i < threads.size(); ++i) {
      const std::string title = i < trace_.threads.size() ? trace_.threads[i] : "(unnamed thread)";
      tracks(Process::host, title, std::move(threads[i]), [this](const Slice& at, std::uint32_t tid) {
        const trace::Span span = trace::span_at(trace_, at.span);
        const std::string_view call = analysis::call_name(span);
        slice(Process::host, tid, at, host_category(span.kind),
              call.empty() ? std::string_view(names_[span.name]) : json_string_of(call));
        describe(span, at.span);
        if (!executed(span) || span.stream >= trace_.streams.size()) explain(span, at.span);
        put("}}");
        if (flows(span)) flow("s", Process::host, tid, at.span, span.host_begin, "");
      });
    }
  }

  void streams() {
    std::vector<std::vector<Slice>> queues(trace_.streams.size());
    for (std::size_t i = 0; i < trace::span_count(trace_); ++i) {
      const trace::Span span = trace::span_at(trace_, i);
      if (executed(span) && span.stream < queues.size()) queues[span.stream].push_back({span.start, span.end, i});
    }
    for (std::size_t i = 0; i < queues.size(); ++i) {
      const Process of = streams_of(trace_.streams[i].device);
      tracks(of, trace_.streams[i].name, std::move(queues[i]), [this, of](const Slice& at, std::uint32_t tid) {
        const trace::Span span = trace::span_at(trace_, at.span);
        slice(of, tid, at, execution_category(span.kind), names_[span.name]);
        describe(span, at.span);
        explain(span, at.span);
        put("}}");
        if (flows(span)) flow("f", of, tid, at.span, span.start, ",\"bp\":\"e\"");
      });
    }
  }

  // The same operations by the hardware that carries them out, in a category of their own so that tools do not count
  // them twice.
  void engines() {
    constexpr std::pair<Engine, const char*> kTracks[] = {
        {Engine::h2d, "H2D"}, {Engine::d2h, "D2H"}, {Engine::compute, "Compute"}, {Engine::peer, "Link out"}};
    std::map<DeviceEngine, std::vector<Slice>> queues;
    for (std::size_t i = 0; i < trace::span_count(trace_); ++i) {
      const trace::Span span = trace::span_at(trace_, i);
      const bool drawn = std::any_of(std::begin(kTracks), std::end(kTracks),
                                     [&](const auto& track) { return track.first == span.engine; });
      if (drawn && executed(span)) queues[trace::queue_of(span)].push_back({span.start, span.end, i});
    }
    for (std::uint32_t device = 0; device < trace::device_count(trace_); ++device) {
      for (const auto& [which, title] : kTracks) {
        const Process of = engines_of(device);
        tracks(of, title + trace::of_device(trace_, device), std::move(queues[{device, which}]),
               [this, of](const Slice& at, std::uint32_t tid) {
                 const trace::Span span = trace::span_at(trace_, at.span);
                 slice(of, tid, at, "engine", names_[span.name]);
                 describe(span, at.span);
                 put("}}");
               });
      }
    }
  }

  // The recorded blocks of kernels: a row for each multiprocessor's blocks, and below it one for each place of their
  // shared memory. A place is filled, then the block waits for it, then works on it.
  void inside() {
    struct Piece {
      const trace::StageBlock* block;
      const trace::Stage* stage;  // null: of the whole block
      std::string_view what;
    };
    process(Process::inside, "Inside kernels");
    std::vector<Piece> pieces;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Slice>> rows;  // by multiprocessor; 0, then by place
    for (const trace::StageBlock& block : trace_.stages.blocks) {
      const auto add = [&](std::uint32_t row, Nanoseconds start, Nanoseconds end, Piece piece) {
        if (!known(start) || !known(end) || end < start) return;
        rows[{block.multiprocessor, row}].push_back({start, end, pieces.size()});
        pieces.push_back(piece);
      };
      add(0, block.begin, block.end, {&block, nullptr, "block"});
      for (const trace::Stage& stage : block.stages) {
        const std::uint32_t row = 1 + stage.tile % block.places;
        add(row, stage.load_issued, stage.wait_begun, {&block, &stage, "copy"});
        add(row, std::max(stage.load_issued, stage.wait_begun), stage.wait_over, {&block, &stage, "wait"});
        add(row, stage.wait_over, stage.compute_over, {&block, &stage, "work"});
      }
    }
    for (auto& [row, slices] : rows) {
      const std::string title =
          row.second == 0 ? fmt::format("SM {}", row.first) : fmt::format("SM {} stage {}", row.first, row.second - 1);
      tracks(Process::inside, title, std::move(slices), [&](const Slice& at, std::uint32_t tid) {
        const Piece& piece = pieces[at.span];
        event("X", Process::inside, tid);
        put(",\"ts\":", microseconds(at.start), ",\"dur\":", microseconds(elapsed(at.start, at.end)),
            ",\"cat\":\"stage\",\"name\":\"", piece.what, "\",\"args\":{\"op\":", piece.block->operation,
            ",\"block\":", piece.block->block);
        if (piece.stage != nullptr) {
          put(",\"tile\":", piece.stage->tile,
              ",\"warp\":", piece.what == "copy" ? piece.block->copy_warp : piece.block->warp);
        } else {
          put(",\"tiles\":", piece.block->tiles);
          if (piece.block->uncertainty > 0)
            put(",\"uncertainty_ns\":", piece.block->uncertainty,
                ",\"rate_uncertainty\":", fmt::format("{:.3g}", piece.block->rate_uncertainty));
        }
        put("}}");
      });
    }
  }

  void describe(const trace::Span& span, std::size_t index) {
    arguments<"line">(span);
    if (index < chunks_.size() && chunks_[index] != kNoOperation) put(",\"chunk\":", chunks_[index]);
    arguments<"kind", "stream", "bytes">(span);
  }

  void explain(const trace::Span& span, std::size_t index) {
    arguments<"ready_ns">(span);
    time("waiting_ns", elapsed(span.ready, span.start));
    arguments<"waits_for", "source", "uncertainty_ns", "start_source", "start_uncertainty_ns", "ready_source",
              "ready_uncertainty_ns", "samples", "spread_ns">(span);
    if (span.kind == OperationKind::poll) arguments<"polls">(span);
    if (trace::is_told(span)) arguments<"result", "elapsed_ns">(span);
    if (const trace::Span* predicted = predicted_span(run_, index)) {
      time("predicted_start_ns", predicted->start);
      time("predicted_end_ns", predicted->end);
    }
  }

  // An arrow from the call to the execution. Viewers take its ends in order of time: none where the clocks' uncertainty
  // puts the execution before the call.
  bool flows(const trace::Span& span) const {
    return has_call(span) && executed(span) && span.stream < trace_.streams.size() && span.host_begin <= span.start;
  }
  void flow(std::string_view phase, Process process, std::uint32_t tid, std::size_t id, Nanoseconds at,
            std::string_view more) {
    event(phase, process, tid);
    put(",\"ts\":", microseconds(at), ",\"cat\":\"ac2g\",\"name\":\"ac2g\",\"id\":", id, more, "}");
  }

  std::string_view json_string_of(std::string_view call) {
    scratch_ = json_string(call);
    return scratch_;
  }

  Blocks& to_;
  const TextSink& sink_;
  const trace::Run& run_;
  const trace::Trace& trace_;
  Table names_, streams_;
  std::vector<std::uint32_t> chunks_;
  std::string scratch_;
  bool first_ = true;
  std::uint32_t next_tid_ = 10;
};

}  // namespace

void write_chrome_trace(const trace::Run& run, const TextSink& to) {
  Blocks blocks(to);
  ChromeTrace(run, blocks, to).write();
}

std::string to_chrome_trace(const trace::Run& run) { return whole(write_chrome_trace, run); }

}  // namespace streamscope::output
