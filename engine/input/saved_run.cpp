// A run as to_json() of engine/output wrote it, by itself or within the Chrome trace of to_chrome_trace(). What it
// derives from the rest (figures, reasons in words) is passed over; members that are not there leave what they stand
// for empty, so that files of earlier versions open, too. What is there must be right.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "engine/base/utf8.h"
#include "engine/input/json_reader.h"
#include "engine/input/readers.h"

namespace streamscope::input {
namespace {

using Kind = JsonReader::Kind;

constexpr std::size_t kProgressEvery = 4096;  // spans
// Times further off are no times, and sums of them would not fit.
constexpr Nanoseconds kFarthest = std::int64_t{1} << 61;

// Texts of a table by number, in the order in which they are first met.
class Names {
 public:
  std::uint32_t number(std::string_view text) {
    const auto found = numbers_.find(std::string(text));
    if (found != numbers_.end()) return found->second;
    const auto number = static_cast<std::uint32_t>(list_.size());
    list_.emplace_back(text);
    numbers_.emplace(list_.back(), number);
    return number;
  }
  // The table as it was told, with what it lacks behind; and for each number of ours the one of that table.
  std::vector<std::uint32_t> fit(std::vector<std::string>& told) const {
    std::unordered_map<std::string, std::uint32_t> places;
    for (std::size_t i = 0; i < told.size(); ++i) places.emplace(told[i], static_cast<std::uint32_t>(i));
    std::vector<std::uint32_t> numbers;
    for (const std::string& text : list_) {
      const auto [place, missing] = places.emplace(text, static_cast<std::uint32_t>(told.size()));
      if (missing) told.push_back(text);
      numbers.push_back(place->second);
    }
    return numbers;
  }

 private:
  std::vector<std::string> list_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

class SavedRun {
 public:
  SavedRun(std::string_view text, const std::string& file, std::size_t offset, const Control& control)
      : text_(text), file_(file), control_(control), json_(text, file) {
    json_.seek(offset);
  }

  Result<Run> read() && {
    Run run;
    run.trace.provenance.kind = Provenance::Kind::measured;
    std::string toml;
    Tables tables;
    std::size_t prediction = 0;
    json_.object([&](std::string_view key) {
      if (key == "schema") {
        const std::size_t at = json_.offset();
        if (integer<int>() != 1) json_.fail_at(at, "this schema is of another version of streamscope; 1 can be read");
      } else if (key == "provenance") {
        provenance(run.trace.provenance);
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
    if (stopped_) return cancelled(file_);
    complete(run.trace, tables);
    if (run.prediction && !json_.failed() && !same_operations(run.trace, run.prediction->trace))
      json_.fail_at(prediction, "the prediction's spans are not those of the run");
    if (json_.failed()) return fail(json_.error());
    return run;
  }

 private:
  struct Tables {
    Names names, streams, threads;
  };

  // Trace
  // --------------------------------------------------------------------------------------------------------------

  bool member_of_trace(std::string_view key, Trace& trace, Tables& tables) {
    if (key == "spans") {
      json_.array([&] { span(trace.spans, tables); });
    } else if (key == "kernels") {
      json_.array([&] { trace.kernels.push_back(kernel()); });
    } else if (key == "stages" && !null()) {
      trace.stages = stages();
    } else if (key == "streams") {
      json_.array([&] { trace.streams.push_back(stream()); });
    } else if (key == "threads") {
      trace.threads = texts();
    } else if (key == "names") {
      trace.names = texts();
    } else {
      return false;
    }
    return true;
  }

  // The tables stand behind the spans in the file, so that the spans' numbers are put right at the end.
  void complete(Trace& trace, const Tables& tables) {
    std::vector<std::string> streams;
    for (const StreamInfo& each : trace.streams) streams.push_back(each.name);
    const auto names = tables.names.fit(trace.names), threads = tables.threads.fit(trace.threads),
               lanes = tables.streams.fit(streams);
    for (std::size_t i = trace.streams.size(); i < streams.size(); ++i) trace.streams.push_back({streams[i], false, 0});
    for (Span& span : trace.spans) {
      if (span.name < names.size()) span.name = names[span.name];
      if (span.thread < threads.size()) span.thread = threads[span.thread];
      if (span.stream < lanes.size()) span.stream = lanes[span.stream];
    }
    const auto by_operation = [](const auto& a, const auto& b) { return a.operation < b.operation; };
    std::stable_sort(trace.spans.begin(), trace.spans.end(), by_operation);
    std::stable_sort(trace.kernels.begin(), trace.kernels.end(), by_operation);
    std::stable_sort(trace.stages.blocks.begin(), trace.stages.blocks.end(),
                     [](const StageBlock& a, const StageBlock& b) {
                       return std::pair(a.operation, a.block) < std::pair(b.operation, b.block);
                     });
  }

  static bool same_operations(const Trace& trace, const Trace& predicted) {
    return std::equal(trace.spans.begin(), trace.spans.end(), predicted.spans.begin(), predicted.spans.end(),
                      [](const Span& a, const Span& b) { return a.operation == b.operation; });
  }

  void span(std::vector<Span>& spans, Tables& tables) {
    Span at;
    json_.object([&](std::string_view key) {
      if (null()) return;
      if (key == "op")
        at.operation = integer<OperationIndex>();
      else if (key == "line")
        at.line = integer<std::uint32_t>();
      else if (key == "kind")
        at.kind = word<OperationKind>(operation_kind);
      else if (key == "name")
        at.name = tables.names.number(text());
      else if (key == "stream")
        at.stream = tables.streams.number(text());
      else if (key == "thread")
        at.thread = tables.threads.number(text());
      else if (key == "engine")
        at.engine = word<Engine>(engine);
      else if (key == "bytes")
        at.bytes = integer<std::uint64_t>();
      else if (key == "host_begin_ns")
        at.host_begin = time();
      else if (key == "host_end_ns")
        at.host_end = time();
      else if (key == "ready_ns")
        at.ready = time();
      else if (key == "start_ns")
        at.start = time();
      else if (key == "end_ns")
        at.end = time();
      else if (key == "source")
        at.source = word<Source>(streamscope::source);
      else if (key == "uncertainty_ns")
        at.uncertainty = integer<std::uint32_t>();
      else if (key == "polls")
        at.polls = integer<std::uint32_t>();
      else if (key == "reason")
        at.reason = word<WaitReason>(wait_reason);
      else if (key == "waits_for_op")
        at.waits_for = integer<OperationIndex>();
      else if (key == "launch_op")
        at.launch = integer<OperationIndex>();
      else if (key == "start_source")
        at.start_source = word<Source>(streamscope::source);
      else if (key == "ready_source")
        at.ready_source = word<Source>(streamscope::source);
      else if (key == "start_uncertainty_ns")
        at.start_uncertainty = integer<std::uint32_t>();
      else if (key == "ready_uncertainty_ns")
        at.ready_uncertainty = integer<std::uint32_t>();
      else if (key == "samples")
        at.samples = integer<std::uint32_t>();
      else if (key == "spread_ns")
        at.spread = integer<std::uint32_t>();
    });
    spans.push_back(at);
    if (json_.failed() || spans.size() % kProgressEvery != 0) return;
    control_.read(json_.offset(), text_.size());
    if (!control_.stopped()) return;
    stopped_ = true;
    json_.fail_here("stopped");
  }

  StreamInfo stream() {
    StreamInfo info;
    json_.object([&](std::string_view key) {
      if (key == "name")
        info.name = text();
      else if (key == "nonblocking")
        info.nonblocking = json_.boolean();
      else if (key == "priority")
        info.priority = integer<int>();
    });
    return info;
  }

  KernelFacts kernel() {
    KernelFacts facts;
    json_.object([&](std::string_view key) {
      if (null()) return;
      if (key == "op")
        facts.operation = integer<OperationIndex>();
      else if (key == "blocks")
        facts.blocks = integer<std::uint32_t>();
      else if (key == "threads")
        facts.threads = integer<std::uint32_t>();
      else if (key == "registers")
        facts.registers = integer<std::uint32_t>();
      else if (key == "shared_bytes")
        facts.shared_bytes = integer<std::uint64_t>();
      else if (key == "blocks_at_once")
        facts.blocks_at_once = integer<std::uint32_t>();
      else if (key == "most_threads")
        facts.most_threads = integer<std::uint32_t>();
      else if (key == "multiprocessors")
        facts.multiprocessors = integer<std::uint32_t>();
      else if (key == "bytes")
        facts.bytes = integer<std::uint64_t>();
      else if (key == "flops")
        facts.flops = real();
      else if (key == "device_copy_bytes_per_s")
        facts.copy_rate = real();
      else if (key == "device_peak_flops")
        facts.peak_flops = real();
    });
    return facts;
  }

  Stages stages() {
    Stages all;
    json_.object([&](std::string_view key) {
      if (key == "every")
        all.every = integer<std::uint32_t>();
      else if (key == "blocks")
        json_.array([&] { all.blocks.push_back(block()); });
    });
    return all;
  }

  StageBlock block() {
    StageBlock made;
    json_.object([&](std::string_view key) {
      if (key == "op")
        made.operation = integer<OperationIndex>();
      else if (key == "block")
        made.block = integer<std::uint32_t>();
      else if (key == "multiprocessor")
        made.multiprocessor = integer<std::uint32_t>();
      else if (key == "warp")
        made.warp = integer<std::uint32_t>();
      else if (key == "copy_warp")
        made.copy_warp = integer<std::uint32_t>();
      else if (key == "places")
        made.places = integer<std::uint32_t>(1, 1u << 16);
      else if (key == "tiles")
        made.tiles = integer<std::uint32_t>();
      else if (key == "begin_ns")
        made.begin = time();
      else if (key == "end_ns")
        made.end = time();
      else if (key == "tiles_ns")
        json_.array([&] { made.stages.push_back(stage()); });
    });
    return made;
  }

  Stage stage() {
    Stage made;
    int part = 0;
    json_.array([&] {
      switch (part++) {
        case 0: made.tile = integer<std::uint32_t>(); break;
        case 1: made.load_issued = time(); break;
        case 2: made.wait_begun = time(); break;
        case 3: made.wait_over = time(); break;
        case 4: made.compute_over = time(); break;
        default: break;
      }
    });
    return made;
  }

  // Run
  // ----------------------------------------------------------------------------------------------------------------

  Prediction read_prediction() {
    Prediction made;
    made.trace.provenance.kind = Provenance::Kind::model;
    Tables tables;
    json_.object([&](std::string_view key) {
      if (key == "provenance")
        provenance(made.trace.provenance);
      else if (key == "profile")
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

  void provenance(Provenance& from) {
    json_.object([&](std::string_view key) {
      if (null()) return;
      if (key == "kind") {
        const std::size_t at = json_.offset();
        const std::string kind = text();
        if (kind != name(Provenance::Kind::measured) && kind != name(Provenance::Kind::model))
          json_.fail_at(at, "the kind is either \"measured\" or \"model\"");
        from.kind = kind == name(Provenance::Kind::model) ? Provenance::Kind::model : Provenance::Kind::measured;
      } else if (key == "device")
        from.device = text();
      else if (key == "driver")
        from.driver = text();
      else if (key == "profile")
        from.profile = text();
      else if (key == "clock")
        from.clock = text();
      else if (key == "uncertainty_ns")
        from.uncertainty = time();
      else if (key == "instrument")
        from.instrument = text();
      else if (key == "gated")
        from.gated = json_.boolean();
      else if (key == "date")
        from.date = text();
      else if (key == "share")
        from.share = integer<std::uint32_t>();
    });
  }

  void statistic(std::optional<Statistic>& to) {
    if (null()) return;
    Statistic made;
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

  void effect(std::optional<ObserverEffect>& to) {
    if (null()) return;
    ObserverEffect made;
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

  // Values
  // -------------------------------------------------------------------------------------------------------------

  bool null() {
    return json_.peek() == Kind::null;  // whoever asks leaves it, and the reader passes it over
  }
  std::string text() { return valid_utf8(json_.string(room_)); }
  std::vector<std::string> texts() {
    std::vector<std::string> list;
    json_.array([&] { list.push_back(text()); });
    return list;
  }

  template <class T>
  T integer(T least = std::numeric_limits<T>::min(), T most = std::numeric_limits<T>::max()) {
    json_.peek();
    const std::size_t at = json_.offset();
    const std::string_view digits = json_.number();
    if (json_.failed()) return least;
    T value{};
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (end.ec == std::errc() && end.ptr == digits.data() + digits.size() && value >= least && value <= most)
      return value;
    json_.fail_at(at, fmt::format("a whole number from {} to {} should be here", least, most));
    return least;
  }
  Nanoseconds time() {
    json_.peek();
    const std::size_t at = json_.offset();
    const auto value = integer<Nanoseconds>();
    if (value == kAbsent || (value >= -kFarthest && value <= kFarthest)) return value;
    json_.fail_at(at, "a time more than 73 years off is none");
    return kAbsent;
  }
  double real() {
    json_.peek();
    const std::size_t at = json_.offset();
    const std::string_view digits = json_.number();
    if (json_.failed()) return 0;
    double value = 0;
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (end.ec == std::errc() && end.ptr == digits.data() + digits.size() && value - value == 0) return value;
    json_.fail_at(at, "a finite number should be here");
    return 0;
  }
  template <class T, class Of>
  T word(Of of) {
    json_.peek();
    const std::size_t at = json_.offset();
    const std::string_view spelled = json_.string(room_);
    if (json_.failed()) return T{};
    if (const auto value = of(spelled)) return *value;
    json_.fail_at(at, fmt::format("\"{}\" is unknown here", cut_text(valid_utf8(spelled), 80)));
    return T{};
  }

  std::string_view text_;
  const std::string& file_;
  const Control& control_;
  JsonReader json_;
  std::string room_;
  bool stopped_ = false;
};

}  // namespace

Result<Run> read_saved_run(std::string_view text, const std::string& file, std::size_t offset, const Control& control) {
  return SavedRun(text, file, offset, control).read();
}

}  // namespace streamscope::input
