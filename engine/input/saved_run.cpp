#include "engine/input/saved_run.h"

#include <algorithm>
#include <utility>

#include "engine/input/saved_trace.h"

namespace streamscope::input {
namespace {

class SavedRun : SavedTrace {
 public:
  SavedRun(std::string_view text, const std::string& file, std::size_t offset, const ReadControl& control)
      : SavedTrace(text, file, control), file_(file) {
    json_.seek(offset);
  }

  Result<trace::Run> read() && {
    trace::Run run;
    run.trace.provenance.kind = trace::Provenance::Kind::measured;
    Tables tables;
    std::size_t prediction = 0;
    json_.object([&](std::string_view key) {
      if (key == "schema") {
        const std::size_t at = json_.offset();
        if (integer<int>() != 1) json_.fail_at(at, "this schema is of another version of streamscope; 1 can be read");
      } else if (key == "experiment_toml") {
        run.experiment = text();
      } else if (key == "program") {
        run.program = text();
      } else if (key == "runs") {
        run.runs = integer<int>();
      } else if (key == "wall_ns") {
        statistic(run.wall);
      } else if (key == "bare_wall_ns") {
        statistic(run.bare_wall);
      } else if (key == "makespan_ns") {
        statistic(run.makespan);
      } else if (key == "observer_effect_spread") {
        effect(run.observer_effect);
      } else if (key == "stage_effect") {
        effect(run.stage_effect);
      } else if (key == "verified") {
        run.verified = null() ? std::nullopt : std::optional(json_.boolean());
      } else if (key == "notes") {
        run.notes = texts();
      } else if (key == "prediction" && !null()) {
        prediction = json_.offset();
        run.prediction = read_prediction();
      } else {
        member_of_trace(key, run.trace, tables);
      }
    });
    if (stopped()) return cancelled(file_);
    complete(run.trace, tables);
    if (run.prediction && !json_.failed() && !same_operations(run.trace, run.prediction->trace))
      json_.fail_at(prediction, "the prediction's spans are not those of the run");
    if (json_.failed()) return fail(json_.error());
    return run;
  }

 private:
  static bool same_operations(const trace::Trace& trace, const trace::Trace& predicted) {
    return std::equal(trace.spans.begin(), trace.spans.end(), predicted.spans.begin(), predicted.spans.end(),
                      [](const trace::Span& a, const trace::Span& b) { return a.operation == b.operation; });
  }

  trace::Prediction read_prediction() {
    trace::Prediction made;
    made.trace.provenance.kind = trace::Provenance::Kind::model;
    Tables tables;
    json_.object([&](std::string_view key) {
      if (key == "profile")
        made.trace.provenance.profile = text();
      else if (key == "device")
        made.trace.provenance.device = text();
      else if (key == "wall_ns")
        made.wall = null() ? kAbsent : time();
      else if (key == "makespan_ns")
        made.makespan = null() ? kAbsent : time();
      else if (key == "notes")
        made.notes = texts();
      else
        member_of_trace(key, made.trace, tables);
    });
    complete(made.trace, tables);
    return made;
  }

  void statistic(std::optional<trace::Statistic>& to) {
    if (null()) return;
    trace::Statistic made;
    json_.object([&](std::string_view key) {
      if (null()) return;
      if (key == "median")
        made.median = time();
      else if (key == "min")
        made.minimum = time();
      else if (key == "max")
        made.maximum = time();
      else if (key == "spread")
        made.spread = time();
    });
    to = made;
  }

  void effect(std::optional<trace::ObserverEffect>& to) {
    if (null()) return;
    trace::ObserverEffect made;
    json_.object([&](std::string_view key) {
      if (null()) return;
      if (key == "median")
        made.median = real();
      else if (key == "low")
        made.low = real();
      else if (key == "high")
        made.high = real();
      else if (key == "pairs")
        made.pairs = integer<int>();
    });
    to = made;
  }

  const std::string& file_;
};

}  // namespace

Result<trace::Run> read_saved_run(std::string_view text, const std::string& file, std::size_t offset,
                                  const ReadControl& control) {
  return SavedRun(text, file, offset, control).read();
}

}  // namespace streamscope::input
