// Chrome's trace events. Format: "Trace Event Format" of the Chromium project; device work as PyTorch's profiler
// writes it: categories kernel, gpu_memcpy and gpu_memset, device, stream, correlation and bytes among the arguments.
//
// A run that we saved lies beside its events, as the member "streamscope"; then these were for other tools, and it is
// read instead. It mostly comes behind them: that it is one of ours is known last.
//
// Events are read one by one and in any order. What is not drawn (flows, counters, samples, memory) is counted and
// told; so is what cannot be: an event without a time, an end without a beginning.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "engine/base/utf8.h"
#include "engine/input/calls.h"
#include "engine/input/foreign.h"
#include "engine/input/json_reader.h"
#include "engine/input/readers.h"
#include "engine/input/trace_event.h"

namespace streamscope::input {
namespace {

using Kind = JsonReader::Kind;

constexpr std::size_t kBytesPerProgress = 4u << 20;  // bytes

class TraceEvents {
 public:
  TraceEvents(std::string_view text, const std::string& file, const Control& control)
      : text_(text), file_(file), control_(control), json_(text, file) {}

  // Where there is a saved run (saved_run()), nothing is made of the events.
  Result<trace::Run> read() {
    switch (json_.peek()) {
      case Kind::array: bare_array(); break;
      case Kind::object: whole_object(); break;
      default:
        json_.fail_here(
            "neither JSON nor SQLite; a trace is a saved run, Chrome's trace events (JSON), or an export of "
            "Nsight Systems (nsys export --type sqlite)");
    }
    if (stopped_) return cancelled(file_);
    if (json_.failed()) return fail(json_.error());
    if (saved_run_) return trace::Run{};
    if (full_at_) {
      json_.fail_at(*full_at_, too_much(trace_));
      return fail(json_.error());
    }
    if (!found_events_) {
      json_.fail_at(0, "there is no \"traceEvents\" in it, so this is no trace");
      return fail(json_.error());
    }
    return finish();
  }

  std::optional<std::size_t> saved_run() const { return saved_run_; }  // where it begins

 private:
  struct Open {
    Nanoseconds start;
    std::uint32_t name;
  };
  struct Process {
    std::string name, label;
    std::int64_t order = 0;
    std::uint32_t number = 0;  // in order of appearance
  };

  void whole_object() {
    json_.object([&](std::string_view key) {
      if (key == "traceEvents" && json_.peek() == Kind::array) {
        found_events_ = true;
        json_.array([&] { event(); });
      } else if (key == "streamscope" && json_.peek() == Kind::object) {
        if (!saved_run_) saved_run_ = json_.offset();  // one of ours: the events were for other tools
      } else if (key == "deviceProperties" && json_.peek() == Kind::array) {
        pytorch_ = true;
        json_.array([&] { device_properties(); });
      } else if (key == "traceName" || key == "schemaVersion" || key == "distributedInfo") {
        pytorch_ = true;
      }
    });
    json_.expect_end();
  }

  // Its closing bracket may be missing, by the format: a program that was stopped writes none. A comma before it is let
  // pass, too.
  void bare_array() {
    found_events_ = true;
    const std::size_t begin = json_.offset();
    std::size_t behind = begin + 1;
    json_.array([&] {
      if (json_.at_end()) return;
      event();
      if (!json_.failed()) behind = json_.offset();
    });
    if (!json_.failed()) return json_.expect_end();
    std::size_t rest = text_.find_first_not_of(" \t\r\n,", behind);
    const bool closed = rest != std::string_view::npos && text_[rest] == ']';
    if (closed) rest = text_.find_first_not_of(" \t\r\n", rest + 1);
    if (rest != std::string_view::npos || stopped_ || trace_.size() == 0) return;
    json_ = JsonReader(text_, file_);
    unfinished_ = !closed;
  }

  void device_properties() {
    if (json_.peek() != Kind::object) return;
    json_.object([&](std::string_view key) {
      if (key != "name" || json_.peek() != Kind::string) return;
      std::string room;
      const std::string name = valid_utf8(json_.string(room));
      if (std::find(devices_.begin(), devices_.end(), name) == devices_.end() && devices_.size() < 64)
        devices_.push_back(name);
    });
  }

  void event() {
    if (json_.peek() != Kind::object) {
      if (json_.peek() != Kind::nothing) trace_.leave_out("Left out because they are no events");
      return;
    }
    const std::size_t begin = json_.offset();
    if (saved_run_ || full_at_) {
      json_.skip();
    } else {
      read_event(json_, event_);
      if (!json_.failed()) take(event_);
      if (trace_.full()) full_at_ = begin;
    }
    if (json_.failed() || json_.offset() < next_progress_) return;
    next_progress_ = json_.offset() + kBytesPerProgress;
    control_.read(json_.offset(), text_.size());
    if (!control_.stopped()) return;
    stopped_ = true;
    json_.fail_here("stopped");
  }

  void take(const Event& at) {
    if (at.phase.view.size() != 1) return trace_.leave_out("Left out because they have no phase (\"ph\")");
    switch (at.phase.view.front()) {
      case 'X': return complete(at);
      case 'B': return begin(at, place_of(at), at.name);
      case 'E': return end(at, open_[place_of(at)]);
      case 'b':
      case 'S': return begin_async(at);
      case 'e':
      case 'F': return end_async(at);
      case 'i':
      case 'I':
      case 'R': return instant(at, place_of(at));
      case 'n': return instant(at, async_place(at));
      case 'M': return metadata(at);
      case 's':
      case 't':
      case 'f': return trace_.leave_out("Flow events, which are not drawn");
      case 'C': return trace_.leave_out("Counter events, which are not drawn");
      default:
        return trace_.leave_out(fmt::format("Events of the phase '{}', which are not drawn", valid_utf8(at.phase)));
    }
  }

  std::optional<Nanoseconds> time_of(const Event& at) {
    const auto time = thousandfold(at.time);
    if (!time) trace_.leave_out("Left out because their time (\"ts\") is no number of microseconds");
    return time;
  }

  void complete(const Event& at) {
    const auto start = time_of(at);
    if (!start) return;
    const auto duration = at.duration.empty() ? std::optional<Nanoseconds>(0) : thousandfold(at.duration);
    if (!duration) return trace_.leave_out("Left out because their duration (\"dur\") is no number of microseconds");
    Slice slice;
    slice.start = *start;
    if (__builtin_add_overflow(*start, *duration, &slice.end)) slice.end = ForeignTrace::kFarthest + 1;
    slice.name = trace_.name(at.name);
    slice.correlation = at.correlation && *at.correlation > 0 ? static_cast<std::uint64_t>(*at.correlation) : 0;
    if (const auto kind = device_kind(at)) {
      slice.place = stream_of(at);
      slice.kind = *kind;
      slice.bytes = at.bytes && *at.bytes > 0 ? static_cast<std::uint64_t>(*at.bytes) : 0;
    } else {
      slice.place = place_of(at);
      const bool call = at.category.view == "cuda_runtime" || at.category.view == "cuda_driver";
      if (call) slice.kind = kind_of_call(at.name);
      pytorch_ |= call || at.category.view == "cpu_op";
    }
    trace_.add(slice);
  }

  void begin(const Event& at, std::uint32_t place, std::string_view name) {
    if (const auto start = time_of(at)) open_[place].push_back({*start, trace_.name(name)});
  }
  void end(const Event& at, std::vector<Open>& open) { end(at, open, place_of(at)); }
  void end(const Event& at, std::vector<Open>& open, std::uint32_t place) {
    const auto time = time_of(at);
    if (!time) return;
    if (open.empty()) return trace_.leave_out("Left out because they end what never began");
    trace_.add({open.back().start, *time, open.back().name, place, OperationKind::work, 0, 0});
    open.pop_back();
  }
  void instant(const Event& at, std::uint32_t place) {
    if (const auto time = time_of(at))
      trace_.add({*time, *time, trace_.name(at.name), place, OperationKind::work, 0, 0});
  }

  // What belongs together begins and ends with the same category and id, wherever that was told; local ids are a
  // process's own.
  std::string async_key(const Event& at) const {
    return fmt::format("{}\x1f{}\x1f{}", at.local_id ? at.pid.view : "", at.category.view, at.id.view);
  }
  struct Async {
    std::vector<Open> open;
    std::uint32_t place = 0;
  };
  void begin_async(const Event& at) {
    const auto start = time_of(at);
    if (!start) return;
    Async& async = async_[async_key(at)];
    if (async.open.empty()) async.place = async_place(at);
    async.open.push_back({*start, trace_.name(at.name)});
  }
  void end_async(const Event& at) {
    const auto found = async_.find(async_key(at));
    if (found == async_.end()) return trace_.leave_out("Left out because they end what never began");
    end(at, found->second.open, found->second.place);
    if (found->second.open.empty()) async_.erase(found);
  }

  std::uint32_t async_place(const Event& at) {
    const std::string_view category = at.category.view.empty() ? "async" : at.category.view;
    return place('a', at.pid, category, [&](Place& made) { made.name = fmt::format("{} (async)", category); });
  }
  std::uint32_t place_of(const Event& at) {
    return place('t', at.pid, at.tid, [&](Place& made) { made.name = fmt::format("thread {}", at.tid.view); });
  }
  std::uint32_t stream_of(const Event& at) {
    const std::string_view device = at.device.view.empty() ? at.pid : at.device;
    const std::string_view stream = at.stream.view.empty() ? at.tid : at.stream;
    return place('s', device, stream, [&](Place& made) {
      const bool number = whole(stream).has_value();
      made.name = fmt::format("GPU {} {}{}", device, number ? "stream " : "", stream);
      made.stream = true;
      made.process_order = whole(device).value_or(0);
      made.order = whole(stream).value_or(0);
    });
  }

  template <class Make>
  std::uint32_t place(char sort, std::string_view process, std::string_view within, Make make) {
    key_.clear();
    key_ += sort;
    key_.append(process);
    key_ += '\x1f';
    key_.append(within);
    if (key_ == last_key_) return last_place_;
    auto found = places_.find(key_);
    if (found == places_.end()) {
      Place made;
      make(made);
      found = places_.emplace(key_, trace_.add_place(std::move(made))).first;
      process_of_.emplace_back(process);
      process_named(process);
    }
    last_key_ = key_;
    return last_place_ = found->second;
  }
  Process& process_named(std::string_view pid) {
    Process& process = processes_[std::string(pid)];
    if (process.number == 0) process.number = static_cast<std::uint32_t>(processes_.size());
    return process;
  }

  void metadata(const Event& at) {
    if (at.name.view == "process_name") process_named(at.pid).name = at.label.view;
    if (at.name.view == "process_labels") process_named(at.pid).label = at.label.view;
    if (at.name.view == "process_sort_index") process_named(at.pid).order = at.sort_index.value_or(0);
    const bool name = at.name.view == "thread_name", order = at.name.view == "thread_sort_index";
    if (!name && !order) return;
    Place& thread = trace_.place(place_of(at));
    if (name && !at.label.view.empty()) thread.name = at.label.view;
    if (order) thread.order = at.sort_index.value_or(0);
  }

  trace::Run finish() {
    close_open();
    for (std::uint32_t i = 0; i < trace_.places(); ++i) {
      Place& place = trace_.place(i);
      if (place.stream) continue;
      const Process& process = processes_[process_of_[i]];
      place.process = process.name.empty()    ? fmt::format("process {}", process_of_[i])
                      : process.label.empty() ? fmt::format("{} {}", process.name, process_of_[i])
                                              : fmt::format("{} {} ({})", process.name, process_of_[i], process.label);
      // By the index that is told, then as they came.
      place.process_order =
          std::clamp<std::int64_t>(process.order, -kLargestOrder, kLargestOrder) * kLargestOrder + process.number;
    }
    trace::Run about;
    trace::Provenance& from = about.trace.provenance;
    from.kind = trace::Provenance::Kind::measured;
    from.instrument = pytorch_ ? "pytorch" : "chrome trace";
    from.clock = "the file's own, in microseconds";
    from.device = devices_.empty() ? "device not named" : fmt::format("{}", fmt::join(devices_, ", "));
    about.notes.push_back(fmt::format("Opened from {}: a trace of another tool ({}), shown as the file tells it.",
                                      file_, pytorch_ ? "PyTorch's profiler" : "Chrome's trace events"));
    if (unfinished_) about.notes.push_back("The file's last bracket is missing: it was cut short, or never ended.");
    return std::move(trace_).finish(std::move(about));
  }

  // What never ended lasts as long as the trace.
  void close_open() {
    const Nanoseconds last = trace_.last();
    std::uint64_t count = 0;
    const auto close = [&](const std::vector<Open>& open, std::uint32_t place) {
      count += open.size();
      for (const Open& each : open)
        trace_.add({each.start, std::max(each.start, last), each.name, place, OperationKind::work, 0, 0});
    };
    for (const auto& [place, open] : open_) close(open, place);
    for (const auto& [key, async] : async_) close(async.open, async.place);
    for (; count > 0; --count) trace_.leave_out("Drawn to the trace's end because nothing ends them");
  }

  static constexpr std::int64_t kLargestOrder = 1 << 30;

  std::string_view text_;
  const std::string& file_;
  const Control& control_;
  JsonReader json_;
  ForeignTrace trace_;
  Event event_;
  std::unordered_map<std::string, std::uint32_t> places_;
  std::vector<std::string> process_of_;  // of each place, its pid
  std::unordered_map<std::string, Process> processes_;
  std::unordered_map<std::uint32_t, std::vector<Open>> open_;
  std::unordered_map<std::string, Async> async_;
  std::string key_, last_key_;
  std::uint32_t last_place_ = 0;
  std::vector<std::string> devices_;
  std::size_t next_progress_ = kBytesPerProgress;
  std::optional<std::size_t> saved_run_;
  std::optional<std::size_t> full_at_;  // the event that was one too many
  bool found_events_ = false, pytorch_ = false, stopped_ = false, unfinished_ = false;
};

}  // namespace

Result<trace::Run> read_trace_events(std::string_view text, const std::string& file, const Control& control) {
  auto events = std::make_unique<TraceEvents>(text, file, control);
  Result<trace::Run> run = events->read();
  const auto saved = events->saved_run();
  if (!run || !saved) return run;
  events.reset();  // its memory goes before the run takes its own
  return read_saved_run(text, file, *saved, control);
}

}  // namespace streamscope::input
