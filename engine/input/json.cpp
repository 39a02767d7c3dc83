#include "engine/input/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "engine/base/translate.h"
#include "engine/base/utf8.h"
#include "engine/input/chrome_event.h"
#include "engine/input/cuda_names.h"
#include "engine/input/extra_events.h"
#include "engine/input/imported_trace.h"
#include "engine/input/json_reader.h"

namespace streamscope::input {
namespace {

using Kind = JsonReader::Kind;

constexpr std::size_t kBytesPerProgress = 4u << 20;

class ChromeTrace {
 public:
  // `extras`: what the events carry besides is gathered there; null: it is passed over.
  ChromeTrace(std::string_view text, const std::string& file, const ReadControl& control, ExtraEvents* extras = nullptr)
      : text_(text), file_(file), control_(control), extras_(extras), json_(text, file) {}

  // Where there is a saved run (saved_run()), the events are ignored.
  Result<trace::Run> read() {
    switch (json_.peek()) {
      case Kind::array: bare_array(); break;
      case Kind::object: whole_object(); break;
      default:
        json_.fail_here(
            tr("neither JSON nor SQLite; a trace is a saved run, Chrome's trace events (JSON), or an export of "
               "Nsight Systems (nsys export --type sqlite)"));
    }
    if (stopped_) return cancelled(file_);
    if (json_.failed()) return fail(json_.error());
    if (saved_run_) return trace::Run{};
    if (full_at_) {
      json_.fail_at(*full_at_, too_much(trace_));
      return fail(json_.error());
    }
    if (!found_events_) {
      json_.fail_at(0, tr("there is no \"traceEvents\" in it, so this is no trace"));
      return fail(json_.error());
    }
    return finish();
  }

  std::optional<std::size_t> saved_run() const { return saved_run_; }  // where it begins

  // After read() of events.
  FileExtras extras() {
    return extras_->finish(finished_, [&](char sort, const std::string& process, const std::string& within) {
      const auto found = tracks_.find(fmt::format("{}{}\x1f{}", sort, process, within));
      return found == tracks_.end() ? ExtraEvents::kNoTrack : found->second;
    });
  }

 private:
  struct Open {
    Nanoseconds start;
    std::uint32_t name;
    std::size_t event;  // where it begins in the file
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

  // The format allows the closing bracket to be missing, as a program that was stopped writes none. A comma before it
  // is accepted, too.
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
      std::string buffer;
      const std::string name = valid_utf8(json_.string(buffer));
      if (std::find(devices_.begin(), devices_.end(), name) == devices_.end() && devices_.size() < 64)
        devices_.push_back(name);
    });
  }

  void event() {
    if (json_.peek() != Kind::object) {
      if (json_.peek() != Kind::nothing) trace_.leave_out(tr_later("Left out because they are no events"));
      return;
    }
    const std::size_t begin = event_at_ = json_.offset();
    if (saved_run_ || full_at_) {
      json_.skip();
    } else {
      read_event(json_, event_);
      if (!json_.failed()) take(event_);
      if (trace_.too_many()) full_at_ = begin;
    }
    if (json_.failed() || json_.offset() < next_progress_) return;
    next_progress_ = json_.offset() + kBytesPerProgress;
    control_.read(json_.offset(), text_.size());
    if (!control_.stopped()) return;
    stopped_ = true;
    json_.fail_here("stopped");
  }

  void take(const Event& at) {
    if (at.phase.view.size() != 1) return trace_.leave_out(tr_later("Left out because they have no phase (\"ph\")"));
    switch (at.phase.view.front()) {
      case 'X': return complete(at);
      case 'B': return begin(at, track_of(at), at.name);
      case 'E': return end(at, open_[track_of(at)], track_of(at));
      case 'b':
      case 'S': return begin_async(at);
      case 'e':
      case 'F': return end_async(at);
      case 'i':
      case 'I':
      case 'R': return instant(at, track_of(at));
      case 'n': return instant(at, async_track(at));
      case 'M': return metadata(at);
      case 's':
      case 't':
      case 'f': return flow(at);
      case 'C': return counter(at);
      default: return trace_.leave_out(tr("Events of the phase '{}', which are not drawn", valid_utf8(at.phase)));
    }
  }

  void flow(const Event& at) {
    if (extras_ == nullptr) return trace_.leave_out(tr_later("Flow events, which only the window draws"));
    if (const auto time = time_of(at)) extras_->flow(at, *time, event_at_);
  }
  void counter(const Event& at) {
    if (extras_ == nullptr) return trace_.leave_out(tr_later("Counter events, which only the window draws"));
    if (const auto time = time_of(at)) extras_->counter(at, *time, event_at_);
  }

  // `event`: where it begins in the file.
  void add(const Slice& slice, std::size_t event) {
    const std::size_t before = trace_.size();
    trace_.add(slice);
    if (extras_ != nullptr && trace_.size() > before) extras_->slice(event);
  }

  std::optional<Nanoseconds> time_of(const Event& at) {
    const auto time = microseconds_to_nanoseconds(at.time);
    if (!time) trace_.leave_out(tr_later("Left out because their time (\"ts\") is no number of microseconds"));
    return time;
  }

  void complete(const Event& at) {
    const auto start = time_of(at);
    if (!start) return;
    const auto duration =
        at.duration.view.empty() ? std::optional<Nanoseconds>(0) : microseconds_to_nanoseconds(at.duration);
    if (at.duration.view.empty())
      trace_.leave_out(tr_later("Shown without length because they have no duration (\"dur\")"));
    if (!duration)
      return trace_.leave_out(tr_later("Left out because their duration (\"dur\") is no number of microseconds"));
    Slice slice;
    slice.start = *start;
    if (__builtin_add_overflow(*start, *duration, &slice.end)) slice.end = ImportedTrace::kFarthest + 1;
    slice.name = trace_.name(at.name);
    slice.correlation = at.correlation && *at.correlation > 0 ? static_cast<std::uint64_t>(*at.correlation) : 0;
    if (const auto kind = device_kind(at)) {
      slice.track = stream_of(at);
      slice.kind = *kind;
      slice.bytes = at.bytes && *at.bytes > 0 ? static_cast<std::uint64_t>(*at.bytes) : 0;
    } else {
      slice.track = track_of(at);
      const bool call = at.category.view == "cuda_runtime" || at.category.view == "cuda_driver";
      if (call) slice.kind = kind_of_call(at.name);
      pytorch_ |= call || at.category.view == "cpu_op";
    }
    add(slice, event_at_);
  }

  void begin(const Event& at, std::uint32_t track, std::string_view name) {
    if (const auto start = time_of(at)) open_[track].push_back({*start, trace_.name(name), event_at_});
  }
  void end(const Event& at, std::vector<Open>& open, std::uint32_t track) {
    const auto time = time_of(at);
    if (!time) return;
    if (open.empty()) return trace_.leave_out(tr_later("Left out because they end what never began"));
    add({open.back().start, *time, open.back().name, track, OperationKind::work, 0, 0}, open.back().event);
    open.pop_back();
  }
  void instant(const Event& at, std::uint32_t track) {
    if (const auto time = time_of(at))
      add({*time, *time, trace_.name(at.name), track, OperationKind::work, 0, 0}, event_at_);
  }

  // Begin and end have the same category and id, whatever their threads; local ids are unique within a process.
  std::string async_key(const Event& at) const {
    return fmt::format("{}\x1f{}\x1f{}", at.local_id ? at.pid.view : "", at.category.view, at.id.view);
  }
  struct Async {
    std::vector<Open> open;
    std::uint32_t track = 0;
  };
  void begin_async(const Event& at) {
    const auto start = time_of(at);
    if (!start) return;
    Async& async = async_[async_key(at)];
    if (async.open.empty()) async.track = async_track(at);
    async.open.push_back({*start, trace_.name(at.name), event_at_});
  }
  void end_async(const Event& at) {
    const auto found = async_.find(async_key(at));
    if (found == async_.end()) return trace_.leave_out(tr_later("Left out because they end what never began"));
    end(at, found->second.open, found->second.track);
    if (found->second.open.empty()) async_.erase(found);
  }

  std::uint32_t async_track(const Event& at) {
    const std::string_view category = at.category.view.empty() ? "async" : at.category.view;
    return track('a', at.pid, category, [&](Track& made) { made.name = tr("{} (async)", category); });
  }
  std::uint32_t track_of(const Event& at) {
    return track('t', at.pid, at.tid, [&](Track& made) { made.name = tr("thread {}", at.tid.view); });
  }
  std::uint32_t stream_of(const Event& at) {
    const std::string_view device = at.device.view.empty() ? at.pid : at.device;
    const std::string_view stream = at.stream.view.empty() ? at.tid : at.stream;
    return track('s', device, stream, [&](Track& made) {
      const bool number = parse_integer(stream).has_value();
      made.name = number ? tr("GPU {} stream {}", device, stream) : fmt::format("GPU {} {}", device, stream);
      made.stream = true;
      made.process_order = parse_integer(device).value_or(0);
      made.order = parse_integer(stream).value_or(0);
    });
  }

  template <class Make>
  std::uint32_t track(char sort, std::string_view process, std::string_view within, Make make) {
    key_.clear();
    key_ += sort;
    key_.append(process);
    key_ += '\x1f';
    key_.append(within);
    if (key_ == last_key_) return last_track_;
    auto found = tracks_.find(key_);
    if (found == tracks_.end()) {
      Track made;
      make(made);
      found = tracks_.emplace(key_, trace_.add_track(std::move(made))).first;
      process_of_.emplace_back(process);
      process_named(process);
    }
    last_key_ = key_;
    return last_track_ = found->second;
  }
  Process& process_named(std::string_view pid) {
    Process& process = processes_[std::string(pid)];
    if (process.number == 0) process.number = static_cast<std::uint32_t>(processes_.size());
    return process;
  }

  void metadata(const Event& at) {
    if (at.name.view == "process_name") process_named(at.pid).name = label(at.label);
    if (at.name.view == "process_labels") process_named(at.pid).label = label(at.label);
    if (at.name.view == "process_sort_index") process_named(at.pid).order = at.sort_index.value_or(0);
    const bool name = at.name.view == "thread_name", order = at.name.view == "thread_sort_index";
    if (!name && !order) return;
    Track& thread = trace_.track(track_of(at));
    if (name && !at.label.view.empty()) thread.name = label(at.label);
    if (order) thread.order = at.sort_index.value_or(0);
  }

  trace::Run finish() {
    close_open();
    for (std::uint32_t i = 0; i < trace_.tracks(); ++i) {
      Track& track = trace_.track(i);
      if (track.stream) continue;
      const Process& process = processes_[process_of_[i]];
      track.process = process.name.empty()    ? tr("process {}", process_of_[i])
                      : process.label.empty() ? fmt::format("{} {}", process.name, process_of_[i])
                                              : fmt::format("{} {} ({})", process.name, process_of_[i], process.label);
      // By the sort index of the file, then as they came.
      track.process_order =
          std::clamp<std::int64_t>(process.order, -kLargestOrder, kLargestOrder) * kLargestOrder + process.number;
    }
    trace::Run about;
    trace::Provenance& from = about.trace.provenance;
    from.kind = trace::Provenance::Kind::measured;
    from.instrument = pytorch_ ? "pytorch" : "chrome trace";
    from.clock = tr("the file's own, in microseconds");
    from.device = devices_.empty() ? tr("device not named") : fmt::format("{}", fmt::join(devices_, ", "));
    about.notes.push_back(
        {trace::NoteKind::file, tr("Opened from {}: a trace of another tool ({}), shown as the file has it.", file_,
                                   pytorch_ ? tr("PyTorch's profiler") : tr("Chrome's trace events"))});
    if (unfinished_)
      about.notes.push_back(
          {trace::NoteKind::file, tr("The file's last bracket is missing: it was cut short, or never ended.")});
    return std::move(trace_).finish(std::move(about), extras_ != nullptr ? &finished_ : nullptr);
  }

  // What has no end is drawn to the end of the trace.
  void close_open() {
    const Nanoseconds last = trace_.last();
    std::uint64_t count = 0;
    const auto close = [&](const std::vector<Open>& open, std::uint32_t track) {
      count += open.size();
      for (const Open& each : open)
        add({each.start, std::max(each.start, last), each.name, track, OperationKind::work, 0, 0}, each.event);
    };
    for (const auto& [track, open] : open_) close(open, track);
    for (const auto& [key, async] : async_) close(async.open, async.track);
    for (; count > 0; --count) trace_.leave_out(tr_later("Drawn to the trace's end because nothing ends them"));
  }

  static constexpr std::int64_t kLargestOrder = 1 << 30;

  std::string_view text_;
  const std::string& file_;
  const ReadControl& control_;
  ExtraEvents* const extras_;
  ImportedTrace::Finished finished_;
  std::size_t event_at_ = 0;  // where the event that is being read begins
  JsonReader json_;
  ImportedTrace trace_;
  Event event_;
  std::unordered_map<std::string, std::uint32_t> tracks_;
  std::vector<std::string> process_of_;  // of each track, its pid
  std::unordered_map<std::string, Process> processes_;
  std::unordered_map<std::uint32_t, std::vector<Open>> open_;
  std::unordered_map<std::string, Async> async_;
  std::string key_, last_key_;
  std::uint32_t last_track_ = 0;
  std::vector<std::string> devices_;
  std::size_t next_progress_ = kBytesPerProgress;
  std::optional<std::size_t> saved_run_;
  std::optional<std::size_t> full_at_;  // the event that exceeded the limit
  bool found_events_ = false, pytorch_ = false, stopped_ = false, unfinished_ = false;
};

// A file that to_chrome_trace() wrote has our own run beside its events, as the member "streamscope": the run is read
// then, and not the events. That member mostly comes behind the events.
Result<trace::Run> read_chrome_trace(std::string_view text, const std::string& file, const ReadControl& control) {
  auto events = std::make_unique<ChromeTrace>(text, file, control);
  Result<trace::Run> run = events->read();
  const auto saved = events->saved_run();
  if (!run || !saved) return run;
  events.reset();  // its memory goes before the run takes its own
  return read_saved_run(text, file, *saved, control);
}

}  // namespace

Result<FileExtras> read_chrome_extras(std::string_view text, const std::string& file, const ReadControl& control) {
  ExtraEvents extras(text);
  ChromeTrace events(text, file, control, &extras);
  TRY(events.read());
  return events.saved_run() ? FileExtras{} : events.extras();
}

Result<trace::Run> read_json(std::string_view text, const std::string& file, const ReadControl& control) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // the mark of a text from Windows
  // Trace events may be gigabytes, so the whole is looked over only where it begins as to_json()'s text does.
  const std::size_t first = text.find('"');
  if (first != std::string_view::npos && text.substr(first).starts_with("\"schema\"")) {
    JsonReader json(text, file);
    if (json.peek() == Kind::object) {
      const std::size_t whole = json.offset();
      bool spans = false, beside_events = false;
      json.object([&](std::string_view key) {
        spans |= key == "spans";
        beside_events |= key == "streamscope" && json.peek() == Kind::object;
      });
      json.expect_end();
      if (json.failed()) return fail(json.error());
      if (spans && !beside_events) return read_saved_run(text, file, whole, control);
    }
  }
  return read_chrome_trace(text, file, control);
}

}  // namespace streamscope::input
