#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <utility>

#include "engine/analysis/analysis.h"
#include "engine/analysis/api_calls.h"
#include "engine/analysis/compare.h"
#include "engine/analysis/figures.h"
#include "engine/analysis/kernel_figures.h"
#include "engine/output/blocks.h"
#include "engine/output/output.h"
#include "engine/output/record_json.h"
#include "engine/trace/description.h"
#include "engine/trace/packed_spans.h"
#include "engine/trace/sticky_error.h"

namespace streamscope::output {
namespace {

using Json = nlohmann::ordered_json;

std::string text(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }
Json time(Nanoseconds value) { return known(value) ? Json(value) : Json(nullptr); }
Json ratio(std::optional<double> value) { return value ? Json(*value) : Json(nullptr); }

Json figure(const analysis::Figure& of) {
  if (!of.value) return nullptr;
  return of.unit == analysis::FigureUnit::time ? Json(analysis::whole_nanoseconds(*of.value)) : Json(*of.value);
}

// Null for a run without spans (a bare one): nothing is known of it, which is not the same as nothing done.
Json analysis(const trace::Run& run) {
  const trace::Trace& trace = run.trace;
  if (trace::span_count(trace) == 0) return nullptr;
  const analysis::Analysis found = analysis::analyse(run);
  const bool ratios = known(found.makespan) && found.makespan > 0;
  const auto of_makespan = [&](double value) { return ratios ? Json(value) : Json(nullptr); };
  Json engines = Json::array();
  for (const analysis::EngineUse& use : found.engines) {
    // Only copies count as bytes moved; the compute engine may have done none.
    const bool counts = use.engine != Engine::compute || use.bytes != 0;
    const Json bytes = counts ? Json(use.bytes) : Json(nullptr);
    engines.push_back(Json{{"engine", name(use.engine)},
                           {"busy_ns", use.busy},
                           {"use", of_makespan(use.use)},
                           {"bytes", bytes},
                           {"operations", use.operations},
                           {"device_index", use.device}});
  }
  Json out;
  for (const analysis::Figure& each : analysis::figures(found)) out[each.key] = figure(each);
  out["engines"] = std::move(engines);
  const analysis::ApiCalls calls = analysis::api_calls(trace);
  Json by_name = Json::object(), time_by_name = Json::object();
  for (const analysis::ApiCalls::Count& each : calls.by_name) {
    by_name[each.name] = each.calls;
    time_by_name[each.name] = each.time;
  }
  // A trace of another tool does not say what was called.
  out["api_calls"] = trace.packed ? Json(nullptr)
                                  : Json{{"total", calls.total},
                                         {"by_name", std::move(by_name)},
                                         {"ns", calls.time},
                                         {"ns_by_name", std::move(time_by_name)}};
  out["serial_source"] = kNames<analysis::SerialSource>[static_cast<std::size_t>(found.serial.source)];
  const auto sticky = trace::sticky_error(trace);
  out["sticky_error"] =
      !sticky ? Json(nullptr) : Json{{"error", name(sticky->error)},
                                     {"fault", sticky->fault != kNoOperation ? Json(sticky->fault) : Json(nullptr)},
                                     {"failed_ns", time(sticky->failed)},
                                     {"told_ns", sticky->told},
                                     {"until_ns", sticky->until},
                                     {"calls", sticky->calls},
                                     {"reset_ns", time(sticky->reset)}};
  return out;
}

Json sum(const analysis::Comparison::Sum& of) { return Json{{"count", of.count}, {"ns", time(of.by)}}; }

Json differences(const analysis::Comparison& comparison) {
  Json list = Json::array();
  for (const analysis::Deviation& each : comparison.deviations) {
    list.push_back(Json{{"op", each.operation},
                        {"line", each.line != 0 ? Json(each.line) : Json(nullptr)},
                        {"what", analysis::name(each.what)},
                        {"ns", each.by},
                        {"end_ns", time(each.end)},
                        {"uncertainty_ns", each.uncertainty},
                        {"cause", each.cause}});
  }
  return list;
}

class RunJson : public RecordJson<RunJson> {
 public:
  RunJson(const trace::Run& run, Blocks& to) : RecordJson(to.text), to_(to), run_(run) { look_at(run.trace); }

  // Each member on a line of its own.
  void write() {
    out_ += '{';
    const char* between = "\n  ";
    schema::each_member<trace::Run>([&](const auto& each) {
      out_ += between;
      between = ",\n  ";
      key(each.key);
      out_ += ' ';
      member(run_, each);
    });
    out_ += "\n}\n";
  }

  using RecordJson::value;
  // The spans.
  void value(const trace::Trace& trace) {
    on_lines(trace::span_count(trace), [&](std::size_t i) { value(trace::span_at(trace, i)); });
  }
  void value(const std::vector<trace::StageBlock>& blocks) {
    on_lines(blocks.size(), [&](std::size_t i) { value(blocks[i]); });
  }
  // Their texts; their kinds, which came later, are a member of their own.
  void value(const trace::Notes& notes) { value(trace::texts(notes)); }
  void value(const trace::Prediction& prediction) {
    look_at(prediction.trace);
    error_ = analysis::prediction_error(run_);
    comparison_ = analysis::compare(run_);
    value<trace::Prediction>(prediction);
    look_at(run_.trace);
  }

  std::string_view text(int table, std::size_t index) const { return tables_[static_cast<std::size_t>(table)][index]; }

  void computed(std::string_view, const trace::Span& span) {
    const std::string why = analysis::explain_wait(*trace_, span);
    out_ += why.empty() ? std::string("null") : json_string(why);
  }
  void computed(std::string_view key, const trace::KernelFacts& kernel) {
    if (key == "bytes_per_s") {  // the first of them
      const trace::Span* span = kernel.operation < trace_->spans.size() ? &trace_->spans[kernel.operation] : nullptr;
      const Nanoseconds took = span != nullptr ? elapsed(span->start, span->end) : kAbsent;
      figures_ = analysis::kernel_figures(kernel, took, trace_->stages);
    }
    const analysis::KernelFigures& figures = figures_;
    const auto some = [](double figure) { return figure > 0 ? std::optional(figure) : std::nullopt; };
    value(key == "bytes_per_s"   ? some(figures.bytes_rate)
          : key == "flops_per_s" ? some(figures.flops_rate)
          : key == "occupancy"   ? some(figures.occupancy)
                                 : figures.waited);
  }
  void computed(std::string_view key, const trace::Prediction& prediction) {
    if (key == "note_kinds") return note_kinds(prediction.notes);
    out_ += output::text(key == "wall_error"          ? ratio(error_.wall)
                         : key == "makespan_error"    ? ratio(error_.makespan)
                         : key == "measured_wall_ns"  ? time(error_.measured_wall)
                         : key == "differences_found" ? Json(comparison_.count)
                         : key == "differences"       ? differences(comparison_)
                                                      : Json{{"execution", sum(comparison_.execution)},
                                                       {"waiting", sum(comparison_.waiting)},
                                                       {"call", sum(comparison_.call)}});
  }
  void computed(std::string_view key, const trace::Run& run) {
    if (key == "schema") {
      out_ += '1';
    } else if (key == "experiment") {
      out_ += output::text(experiment_object(run.experiment));
    } else if (key == "observer_effect") {
      out_ += run.observer_effect ? number(run.observer_effect->median) : "null";
    } else if (key == "note_kinds") {
      note_kinds(run.notes);
    } else {
      out_ += output::text(analysis(run));
    }
  }

 private:
  void note_kinds(const trace::Notes& notes) {
    std::vector<trace::NoteKind> kinds;
    for (const trace::Note& note : notes) kinds.push_back(note.kind);
    value(kinds);
  }

  // Whose tables the texts are of.
  void look_at(const trace::Trace& trace) {
    trace_ = &trace;
    tables_.clear();
    tables_.emplace_back(trace.names, json_string, "null");
    tables_.emplace_back(stream_names(trace), json_string, "null");
    tables_.emplace_back(trace.threads, json_string, "null");
  }

  template <class Write>
  void on_lines(std::size_t count, Write write) {
    out_ += '[';
    for (std::size_t i = 0; i < count; ++i) {
      out_ += i == 0 ? "\n    " : ",\n    ";
      write(i);
      to_.pass_on();
    }
    out_ += count == 0 ? "]" : "\n  ]";
  }

  Blocks& to_;
  const trace::Run& run_;
  const trace::Trace* trace_ = nullptr;
  std::vector<Table> tables_;        // by trace::Table
  analysis::KernelFigures figures_;  // of the kernel that is written
  analysis::PredictionError error_;
  analysis::Comparison comparison_;
};

}  // namespace

void write_json(const trace::Run& run, const TextSink& to) {
  Blocks blocks(to);
  RunJson(run, blocks).write();
  blocks.pass_all_on();
}

std::string to_json(const trace::Run& run) { return whole(write_json, run); }

}  // namespace streamscope::output
