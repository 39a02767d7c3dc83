#include <fmt/compile.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iterator>

#include "engine/analysis/analysis.h"
#include "engine/analysis/compare.h"
#include "engine/analysis/kernel_figures.h"
#include "engine/output/fields.h"
#include "engine/output/output.h"
#include "engine/trace/packed_spans.h"

namespace streamscope::output {
namespace {

using Json = nlohmann::ordered_json;

std::string text(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

// Null for a run without spans (a bare one): nothing is known of it, which is not the same as nothing done.
Json analysis(const trace::Trace& trace) {
  if (trace::span_count(trace) == 0) return nullptr;
  const analysis::Analysis found = analysis::analyse(trace);
  const bool ratios = known(found.makespan) && found.makespan > 0;
  const auto ratio = [&](double value) { return ratios ? Json(value) : Json(nullptr); };
  Json engines = Json::array();
  for (const analysis::EngineUse& use : found.engines) {
    // Only copies count as bytes moved; the compute engine may have done none.
    const bool counts = use.engine != Engine::compute || use.bytes != 0;
    const Json bytes = counts ? Json(use.bytes) : Json(nullptr);
    engines.push_back(Json{{"engine", name(use.engine)},
                           {"busy_ns", use.busy},
                           {"use", ratio(use.use)},
                           {"bytes", bytes},
                           {"operations", use.operations}});
  }
  return Json{{"serial_sum_ns", found.serial_sum}, {"speed_up", ratio(found.speed_up)},
              {"overlap", ratio(found.overlap)},   {"overlapped_ns", found.overlapped},
              {"waiting_ns", found.waiting},       {"host_calls_ns", found.host_calls},
              {"engines", std::move(engines)}};
}

Json streams(const trace::Trace& trace) {
  Json list = Json::array();
  for (const trace::StreamInfo& stream : trace.streams) {
    list.push_back(Json{{"name", stream.name}, {"nonblocking", stream.nonblocking}, {"priority", stream.priority}});
  }
  return list;
}

// Spans are written by hand: there may be millions, and a tree of them would take twenty times their memory.
class SpanWriter {
 public:
  SpanWriter(const trace::Trace& trace, std::string& out)
      : trace_(trace),
        names_(trace.names, json_string, "null"),
        streams_(stream_names(trace), json_string, "null"),
        threads_(trace.threads, json_string, "null"),
        out_(out) {}

  void write(const trace::Span& span) {
    const Fields fields = output::fields(span);
    out_ += '{';
    first_ = true;
    integer("op", fields.operation);
    integer("line", fields.line);
    word("kind", name(span.kind));
    raw("name", names_[span.name]);
    raw("stream", streams_[span.stream]);
    raw("thread", threads_[span.thread]);
    word("engine", fields.engine);
    integer("bytes", fields.bytes);
    time("host_begin_ns", span.host_begin);
    time("host_end_ns", span.host_end);
    time("ready_ns", span.ready);
    time("start_ns", span.start);
    time("end_ns", span.end);
    word("source", fields.source);
    const std::string why = analysis::explain_wait(trace_, span);
    raw("waits_for", why.empty() ? std::string("null") : json_string(why));
    integer("uncertainty_ns", fields.uncertainty);
    integer("polls", fields.polls);
    word("reason", fields.reason);
    integer("waits_for_op", fields.waits_for);
    word("start_source", fields.start_source);
    word("ready_source", fields.ready_source);
    integer("start_uncertainty_ns", fields.start_uncertainty);
    integer("ready_uncertainty_ns", fields.ready_uncertainty);
    integer("samples", fields.samples);
    integer("spread_ns", fields.spread);
    integer("launch_op", span.launch != kNoOperation ? std::optional(span.launch) : std::nullopt);
    out_ += '}';
  }

 private:
  void key(std::string_view key) {
    if (!first_) out_ += ',';
    first_ = false;
    out_ += '"';
    out_ += key;
    out_ += "\":";
  }
  void raw(std::string_view name, std::string_view value) {
    key(name);
    out_ += value;
  }
  void word(std::string_view name, std::optional<std::string_view> value) {  // letters only: nothing to escape
    key(name);
    if (value) {
      fmt::format_to(std::back_inserter(out_), FMT_COMPILE("\"{}\""), *value);
    } else {
      out_ += "null";
    }
  }
  template <class T>
  void integer(std::string_view name, std::optional<T> value) {
    key(name);
    if (value) {
      fmt::format_to(std::back_inserter(out_), FMT_COMPILE("{}"), *value);
    } else {
      out_ += "null";
    }
  }
  void time(std::string_view name, Nanoseconds value) {
    integer(name, known(value) ? std::optional(value) : std::nullopt);
  }

  const trace::Trace& trace_;
  Table names_, streams_, threads_;
  std::string& out_;
  bool first_ = true;
};

// Written into the text directly: a copy would be as large as the file.
void put_spans(std::string& out, const trace::Trace& trace) {
  constexpr std::size_t kBytesASpan = 550;
  const std::size_t count = trace::span_count(trace);
  out.reserve(out.size() + 4096 + count * kBytesASpan);
  out += '[';
  SpanWriter writer(trace, out);
  bool first = true;
  for (std::size_t i = 0; i < count; ++i) {
    out += first ? "\n    " : ",\n    ";
    first = false;
    writer.write(trace::span_at(trace, i));
  }
  out += first ? "]" : "\n  ]";
}

Json differences(const analysis::Comparison& comparison) {
  Json list = Json::array();
  for (const analysis::Deviation& each : comparison.deviations) {
    list.push_back(Json{{"op", each.operation},
                        {"line", each.line != 0 ? Json(each.line) : Json(nullptr)},
                        {"what", analysis::name(each.what)},
                        {"ns", each.by},
                        {"end_ns", known(each.end) ? Json(each.end) : Json(nullptr)},
                        {"uncertainty_ns", each.uncertainty},
                        {"cause", each.cause}});
  }
  return list;
}

// The launch parameters and figures of tiles and attention.
Json kernels(const trace::Trace& trace) {
  const auto some = [](auto value) { return value > 0 ? Json(value) : Json(nullptr); };
  Json list = Json::array();
  for (const trace::KernelFacts& kernel : trace.kernels) {
    const trace::Span* span = kernel.operation < trace.spans.size() ? &trace.spans[kernel.operation] : nullptr;
    const analysis::KernelFigures figures =
        analysis::kernel_figures(kernel, span != nullptr ? elapsed(span->start, span->end) : kAbsent, trace.stages);
    list.push_back(Json{{"op", kernel.operation},
                        {"blocks", kernel.blocks},
                        {"threads", kernel.threads},
                        {"registers", some(kernel.registers)},
                        {"shared_bytes", kernel.shared_bytes},
                        {"blocks_at_once", some(kernel.blocks_at_once)},
                        {"most_threads", some(kernel.most_threads)},
                        {"multiprocessors", some(kernel.multiprocessors)},
                        {"bytes", kernel.bytes},
                        {"flops", kernel.flops},
                        {"device_copy_bytes_per_s", some(kernel.copy_rate)},
                        {"device_peak_flops", some(kernel.peak_flops)},
                        {"bytes_per_s", some(figures.bytes_rate)},
                        {"flops_per_s", some(figures.flops_rate)},
                        {"occupancy", some(figures.occupancy)},
                        {"waiting", figures.waited ? Json(*figures.waited) : Json(nullptr)}});
  }
  return list;
}

// Of each recorded block: its tiles as [tile, load_issued, wait_begun, wait_over, compute_over], times in nanoseconds.
void put_stages(std::string& out, const trace::Stages& stages) {
  if (stages.every == 0) {
    out += "null";
    return;
  }
  fmt::format_to(std::back_inserter(out), "{{ \"every\": {}, \"blocks\": [", stages.every);
  bool first = true;
  for (const trace::StageBlock& block : stages.blocks) {
    fmt::format_to(std::back_inserter(out),
                   FMT_COMPILE("{}\n    {{\"op\":{},\"block\":{},\"multiprocessor\":{},\"warp\":{},\"copy_warp\":{},"
                               "\"places\":{},\"tiles\":{},\"begin_ns\":{},\"end_ns\":{},\"tiles_ns\":["),
                   first ? "" : ",", block.operation, block.block, block.multiprocessor, block.warp, block.copy_warp,
                   block.places, block.tiles, block.begin, block.end);
    first = false;
    const char* between = "";
    for (const trace::Stage& stage : block.stages) {
      fmt::format_to(std::back_inserter(out), FMT_COMPILE("{}[{},{},{},{},{}]"), between, stage.tile, stage.load_issued,
                     stage.wait_begun, stage.wait_over, stage.compute_over);
      between = ",";
    }
    out += "]}";
  }
  out += first ? "] }" : "\n  ] }";
}

Json sum(const analysis::Comparison::Sum& of) {
  return Json{{"count", of.count}, {"ns", known(of.by) ? Json(of.by) : Json(nullptr)}};
}

// The model's run of the same program, and where the two deviate. Null where no prediction was asked for.
void put_prediction(std::string& out, const trace::Run& run) {
  if (!run.prediction) {
    out += "null";
    return;
  }
  const trace::Prediction& from = *run.prediction;
  const analysis::PredictionError error = analysis::prediction_error(run);
  const analysis::Comparison comparison = analysis::compare(run);
  const auto time = [](Nanoseconds value) { return known(value) ? Json(value) : Json(nullptr); };
  const auto ratio = [](std::optional<double> value) { return value ? Json(*value) : Json(nullptr); };
  const Json head = {{"profile", from.trace.provenance.profile},
                     {"device", from.trace.provenance.device},
                     {"wall_ns", time(from.wall)},
                     {"makespan_ns", time(from.makespan)},
                     {"wall_error", ratio(error.wall)},
                     {"makespan_error", ratio(error.makespan)},
                     {"measured_wall_ns", time(error.measured_wall)},
                     {"differences_found", comparison.count},
                     {"differences_in_all", Json{{"execution", sum(comparison.execution)},
                                                 {"waiting", sum(comparison.waiting)},
                                                 {"call", sum(comparison.call)}}},
                     {"differences", differences(comparison)},
                     {"notes", from.notes}};
  out += text(head);
  out.back() = ',';  // the object goes on
  out += "\"spans\": ";
  put_spans(out, from.trace);
  // The rest of its trace: what a saved run needs to be opened again.
  out += ",\"stages\": ";
  put_stages(out, from.trace.stages);
  const Json tables = {{"provenance", provenance_object(from.trace.provenance)},
                       {"kernels", kernels(from.trace)},
                       {"streams", streams(from.trace)},
                       {"threads", from.trace.threads},
                       {"names", from.trace.names}};
  out += ',';
  out += std::string_view(text(tables)).substr(1);
}

}  // namespace

std::string to_json(const trace::Run& run) {
  const auto effect_text = [](const std::optional<trace::ObserverEffect>& of) {
    if (!of) return std::string("null");
    return fmt::format("{{\"median\":{},\"low\":{},\"high\":{},\"pairs\":{}}}", number(of->median), number(of->low),
                       number(of->high), of->pairs);
  };
  std::string out;
  const auto line = [&out](std::string_view key, const std::string& value) {
    fmt::format_to(std::back_inserter(out), "  \"{}\": {},\n", key, value);
  };
  const std::optional<trace::ObserverEffect>& effect = run.observer_effect;
  out += "{\n";
  line("schema", "1");
  line("provenance", text(provenance_object(run.trace.provenance)));
  line("experiment", text(experiment_object(run.experiment)));
  line("program", json_string(run.program));
  line("runs", std::to_string(run.runs));
  line("wall_ns", text(statistic_object(run.wall)));
  line("bare_wall_ns", text(statistic_object(run.bare_wall)));
  line("makespan_ns", text(statistic_object(run.makespan)));
  line("observer_effect", effect ? number(effect->median) : "null");
  line("observer_effect_spread", effect_text(effect));
  line("stage_effect", effect_text(run.stage_effect));
  line("verified", run.verified ? (*run.verified ? "true" : "false") : "null");
  out += "  \"spans\": ";
  put_spans(out, run.trace);
  out += ",\n";
  line("kernels", text(kernels(run.trace)));
  out += "  \"stages\": ";
  put_stages(out, run.trace.stages);
  out += ",\n";
  line("analysis", text(analysis(run.trace)));
  line("notes", text(Json(run.notes)));
  line("streams", text(streams(run.trace)));
  line("threads", text(Json(run.trace.threads)));
  line("names", text(Json(run.trace.names)));
  line("experiment_toml", json_string(run.experiment));
  out += "  \"prediction\": ";
  put_prediction(out, run);
  out += "\n}\n";
  return out;
}

}  // namespace streamscope::output
