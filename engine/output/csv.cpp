#include <fmt/compile.h>
#include <fmt/format.h>

#include <iterator>

#include "engine/analysis/analysis.h"
#include "engine/output/fields.h"
#include "engine/output/output.h"
#include "engine/trace/packed_spans.h"

namespace streamscope::output {
namespace {

constexpr std::string_view kHeader =
    "op,line,kind,name,stream,thread,engine,bytes,host_begin_ns,host_end_ns,ready_ns,start_ns,end_ns,source,"
    "uncertainty_ns,polls,reason,waits_for_op,waits_for,"
    "provenance,device,driver,profile,clock,clock_uncertainty_ns,instrument,date,"
    // New columns come last: others rely on the positions of the first ones.
    "start_source,ready_source,start_uncertainty_ns,ready_uncertainty_ns,samples,spread_ns,gated,share,"
    "predicted_start_ns,predicted_end_ns,predicted_by\n";

std::string provenance(const trace::Provenance& from) {
  return fmt::format("{},{},{},{},{},{},{},{},", trace::name(from.kind), csv_field(from.device), csv_field(from.driver),
                     csv_field(from.profile), csv_field(from.clock), from.uncertainty, csv_field(from.instrument),
                     csv_field(from.date));
}

std::string how(const trace::Provenance& from) {
  return fmt::format("{},{},", from.gated, from.share > 0 ? std::to_string(from.share) : std::string());
}

template <class T>
void put(std::string& out, std::optional<T> value) {
  if (value) fmt::format_to(std::back_inserter(out), FMT_COMPILE("{}"), *value);
  out += ',';
}
void put(std::string& out, std::string_view value) {
  out += value;
  out += ',';
}
void put_time(std::string& out, Nanoseconds time) { put(out, known(time) ? std::optional(time) : std::nullopt); }

}  // namespace

std::string to_csv(const trace::Run& run) {
  const trace::Trace& trace = run.trace;
  const Table names(trace.names, csv_field, ""), streams(stream_names(trace), csv_field, ""),
      threads(trace.threads, csv_field, "");
  const std::string origin = provenance(trace.provenance), tail = how(trace.provenance);
  const std::string predicted_by =
      (run.prediction ? csv_field(run.prediction->trace.provenance.profile) : std::string()) + "\n";
  constexpr std::size_t kBytesASpan = 220;
  std::string out;
  out.reserve(kHeader.size() +
              trace::span_count(trace) * (kBytesASpan + origin.size() + tail.size() + predicted_by.size()));
  out += kHeader;
  for (std::size_t i = 0; i < trace::span_count(trace); ++i) {
    const trace::Span span = trace::span_at(trace, i);
    const Fields fields = output::fields(span);
    put(out, fields.operation);
    put(out, fields.line);
    put(out, name(span.kind));
    put(out, names[span.name]);
    put(out, streams[span.stream]);
    put(out, threads[span.thread]);
    put(out, fields.engine);
    put(out, fields.bytes);
    put_time(out, span.host_begin);
    put_time(out, span.host_end);
    put_time(out, span.ready);
    put_time(out, span.start);
    put_time(out, span.end);
    put(out, fields.source);
    put(out, fields.uncertainty);
    put(out, fields.polls);
    put(out, fields.reason);
    put(out, fields.waits_for);
    put(out, csv_field(analysis::explain_wait(trace, span)));
    out += origin;
    put(out, fields.start_source);
    put(out, fields.ready_source);
    put(out, fields.start_uncertainty);
    put(out, fields.ready_uncertainty);
    put(out, fields.samples);
    put(out, fields.spread);
    out += tail;
    const trace::Span* predicted = predicted_span(run, i);
    put_time(out, predicted != nullptr ? predicted->start : kAbsent);
    put_time(out, predicted != nullptr ? predicted->end : kAbsent);
    out += predicted_by;
  }
  return out;
}

}  // namespace streamscope::output
