#include "engine/input/imported_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "engine/base/translate.h"
#include "engine/base/utf8.h"
#include "engine/input/cuda_names.h"
#include "engine/trace/packed_spans.h"

namespace streamscope::input {
namespace {

constexpr std::size_t kLongestName = 16u << 10, kLongestLabel = 400;
constexpr std::string_view kUnnamed = "(unnamed)";

// What became of a slice when calls and executions were matched.
enum class Match : std::uint32_t {
  none,
  call,      // `correlation` is the index of its execution
  taken,     // the execution of such a call: part of the call's span
  launched,  // `correlation` is the index of the call that led to it and to others
};

// Names that are the same get a number, so that each is distinct.
void make_distinct(std::vector<std::string>& names) {
  std::unordered_map<std::string, std::uint32_t> seen;
  for (std::string& name : names) {
    const std::string plain = name;
    for (std::uint32_t& count = seen[plain]; count++ > 0;) {
      name = fmt::format("{} ({})", plain, count);
      if (seen.emplace(name, 1).second) break;
    }
  }
}

}  // namespace

struct ImportedTrace::Packed {
  Nanoseconds start, duration;
  std::uint32_t name;
  std::uint32_t correlation;
  std::uint32_t track : 24, kind : 8;
  std::uint32_t bytes : 30, match : 2;  // index into bytes_

  Match matched() const { return static_cast<Match>(match); }
  void matched(Match with, std::size_t other) {
    match = static_cast<std::uint32_t>(with) & 3u;
    correlation = static_cast<std::uint32_t>(other);
  }
};

ImportedTrace::ImportedTrace() = default;
ImportedTrace::ImportedTrace(ImportedTrace&&) noexcept = default;
ImportedTrace::~ImportedTrace() = default;

ImportedTrace::Packed& ImportedTrace::at(std::size_t index) { return chunks_[index / kChunk][index % kChunk]; }

std::uint32_t ImportedTrace::name(std::string_view text) {
  if (text.empty()) text = kUnnamed;
  text = text.substr(0, kLongestName);
  const auto known_name = name_numbers_.find(text);
  if (known_name != name_numbers_.end()) return known_name->second;
  if (name_bytes_ + text.size() > most_name_bytes_ && text != kUnnamed) {
    leave_out(tr_later("Shown without their names, which would be longer than the file"));
    return name(kUnnamed);
  }
  name_bytes_ += text.size();
  const auto number = static_cast<std::uint32_t>(names_.size());
  names_.push_back(cut_text(valid_utf8(text), kLongestName));
  name_texts_.push_back(std::make_unique<std::string>(text));  // as the file has it, to be found again
  name_numbers_.emplace(*name_texts_.back(), number);
  return number;
}

std::uint32_t ImportedTrace::add_track(Track track) {
  too_many_ |= tracks_.size() >= kMostTracks;
  tracks_.push_back(std::move(track));
  return static_cast<std::uint32_t>(tracks_.size() - 1);
}

void ImportedTrace::add(const Slice& slice) {
  const auto far = [](Nanoseconds time) { return time > kFarthest || time < -kFarthest; };
  if (far(slice.start) || far(slice.end)) {
    ++out_of_range_;
    return;
  }
  too_many_ |= size_ >= kMostSlices;
  if (too_many_) return;
  if (slice.end < slice.start) ++reversed_;
  last_ = size_ == 0 ? slice.end : std::max(last_, slice.end);
  if (size_ % kChunk == 0) chunks_.push_back(std::make_unique_for_overwrite<Packed[]>(kChunk));
  Packed& kept = at(size_++);
  kept.start = slice.start;
  kept.duration = std::max<Nanoseconds>(slice.end - slice.start, 0);
  kept.name = slice.name;
  kept.track = slice.track & 0xFFFFFFu;
  kept.kind = static_cast<std::uint8_t>(slice.kind);
  const bool fits = slice.correlation < std::numeric_limits<std::uint32_t>::max();
  kept.correlation = fits ? static_cast<std::uint32_t>(slice.correlation) : 0;
  kept.match = 0;
  kept.bytes = slice.bytes > 0 ? static_cast<std::uint32_t>(bytes_.size()) & 0x3FFFFFFFu : 0;
  if (slice.bytes > 0) bytes_.push_back(slice.bytes);
}

// Calls are sorted by group and correlation, and the call of each execution is looked up there. Executions come in
// about the same order, so the search begins where the last one ended.
void ImportedTrace::match() {
  struct Call {
    std::uint64_t key;
    std::uint32_t index, executions, first;
    bool operator<(const Call& other) const { return key < other.key; }
  };
  const auto key = [&](const Packed& slice) {
    return (std::uint64_t{tracks_[slice.track].group} << 32) | slice.correlation;
  };
  std::vector<Call> calls;
  for (std::size_t i = 0; i < size_; ++i) {
    const Packed& slice = at(i);
    if (slice.correlation != 0 && !tracks_[slice.track].stream)
      calls.push_back({key(slice), static_cast<std::uint32_t>(i), 0, 0});
  }
  if (!std::is_sorted(calls.begin(), calls.end())) std::stable_sort(calls.begin(), calls.end());
  std::size_t last = 0;
  const auto find = [&](std::uint64_t wanted) -> Call* {
    std::size_t low = last < calls.size() && calls[last].key < wanted ? last : 0, step = 1;
    while (low + step < calls.size() && calls[low + step].key < wanted) step *= 2;
    const auto from = calls.begin() + static_cast<std::ptrdiff_t>(low);
    const auto to = calls.begin() + static_cast<std::ptrdiff_t>(std::min(low + step + 1, calls.size()));
    const auto found = std::lower_bound(from, to, wanted, [](const Call& a, std::uint64_t b) { return a.key < b; });
    if (found == calls.end() || found->key != wanted) return nullptr;
    last = static_cast<std::size_t>(found - calls.begin());
    return &*found;
  };
  std::vector<std::uint32_t> found_by(0);
  for (std::size_t i = 0; i < size_; ++i) {
    Packed& slice = at(i);
    if (!tracks_[slice.track].stream || slice.correlation == 0) continue;
    Call* call = find(key(slice));
    if (call == nullptr) continue;
    if (call->executions++ == 0) call->first = static_cast<std::uint32_t>(i);
    slice.matched(Match::launched, call->index);
  }
  for (const Call& call : calls) {
    if (call.executions != 1) continue;
    at(call.index).matched(Match::call, call.first);
    at(call.first).matched(Match::taken, call.index);
    ++matched_;
  }
}

// Of the call and its execution the earlier.
Nanoseconds ImportedTrace::begin_of(const Packed& slice) {
  return slice.matched() == Match::call ? std::min(slice.start, at(slice.correlation).start) : slice.start;
}

// The indices of the slices that become spans, in order of their beginning.
std::vector<std::uint32_t> ImportedTrace::by_begin() {
  struct Begin {
    Nanoseconds at;
    std::uint32_t index;
    bool operator<(const Begin& other) const { return at != other.at ? at < other.at : index < other.index; }
  };
  std::vector<Begin> begins;
  begins.reserve(size_ - matched_);
  for (std::size_t i = 0; i < size_; ++i) {
    const Packed& slice = at(i);
    if (slice.matched() == Match::taken) continue;
    begins.push_back({begin_of(slice), static_cast<std::uint32_t>(i)});
  }
  if (!std::is_sorted(begins.begin(), begins.end())) std::sort(begins.begin(), begins.end());
  std::vector<std::uint32_t> order;
  order.reserve(begins.size());
  for (const Begin& each : begins) order.push_back(each.index);
  return order;
}

// Tracks that hold a slice become threads and streams of the trace, in their order, and the GPUs of these its devices.
std::vector<ImportedTrace::Place> ImportedTrace::number_tracks(trace::Trace& trace) const {
  std::vector<std::uint32_t> sorted(tracks_.size());
  std::iota(sorted.begin(), sorted.end(), 0u);
  std::stable_sort(sorted.begin(), sorted.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tie(tracks_[a].process_order, tracks_[a].order) < std::tie(tracks_[b].process_order, tracks_[b].order);
  });
  std::vector<bool> used(tracks_.size());
  for (std::size_t i = 0; i < size_; ++i) used[chunks_[i / kChunk][i % kChunk].track] = true;
  std::set<std::string_view> of_threads, of_streams;  // the processes
  std::set<std::int64_t> gpus;
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    if (!used[i]) continue;
    (tracks_[i].stream ? of_streams : of_threads).insert(tracks_[i].process);
    if (tracks_[i].stream && gpus.size() < trace::kMostDevices) gpus.insert(tracks_[i].process_order);
  }
  if (gpus.size() > 1) trace.other_devices.assign(gpus.size() - 1, trace.provenance);
  std::vector<Place> places(tracks_.size());
  std::vector<std::string> streams;
  for (const std::uint32_t i : sorted) {
    if (!used[i]) continue;
    const Track& track = tracks_[i];
    std::vector<std::string>& list = track.stream ? streams : trace.threads;
    places[i].number = static_cast<std::uint32_t>(list.size());
    if (track.stream) {
      const auto before = std::distance(gpus.begin(), gpus.lower_bound(track.process_order));
      places[i].device = static_cast<std::uint8_t>(std::min<std::size_t>(before, trace.other_devices.size()));
      trace.streams.push_back({{}, false, 0, places[i].device});
    }
    const bool several = (track.stream ? of_streams : of_threads).size() > 1 && !track.process.empty();
    list.push_back(label(several ? track.process + " · " + track.name : track.name));
  }
  make_distinct(trace.threads);
  make_distinct(streams);
  for (std::size_t i = 0; i < streams.size(); ++i) trace.streams[i].name = std::move(streams[i]);
  return places;
}

void ImportedTrace::add_notes(trace::Run& run) const {
  const auto note = [&](std::uint64_t count, std::string_view what) {
    if (count > 0) run.notes.push_back({trace::NoteKind::file, fmt::format("{}: {}.", what, count)});
  };
  note(out_of_range_, tr("Left out because their time is more than 146 years off"));
  note(reversed_, tr("Shown without length because they end before they start"));
  std::vector<std::pair<std::string, std::uint64_t>> rest(left_out_.begin(), left_out_.end());
  std::sort(rest.begin(), rest.end());
  for (const auto& [what, count] : rest) note(count, tr(std::string_view(what)));
}

trace::Run ImportedTrace::finish(trace::Run about, Finished* slices) && {
  trace::Run run = std::move(about);
  trace::Trace& trace = run.trace;
  match();
  const std::vector<Place> places = number_tracks(trace);
  const std::vector<std::uint32_t> order = by_begin();
  // The operations of calls that launched several: few.
  std::unordered_map<std::uint32_t, OperationIndex> launches;
  for (std::size_t i = 0; i < size_; ++i)
    if (at(i).matched() == Match::launched) launches.emplace(at(i).correlation, kNoOperation);
  const Nanoseconds origin = order.empty() ? 0 : begin_of(at(order.front()));
  if (!launches.empty()) {
    for (std::size_t i = 0; i < order.size(); ++i)
      if (const auto launch = launches.find(order[i]); launch != launches.end())
        launch->second = static_cast<OperationIndex>(i);
  }
  trace::SpanPacker packer;
  Nanoseconds first = kAbsent, last = kAbsent;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Packed& slice = at(order[i]);
    const bool on_stream = tracks_[slice.track].stream;
    trace::Span span;
    span.operation = static_cast<OperationIndex>(i);
    const auto called = [&](const Packed& call) {
      span.thread = places[call.track].number;
      span.host_begin = call.start - origin;
      span.host_end = span.host_begin + call.duration;
    };
    const auto executed = [&](const Packed& execution) {
      span.stream = places[execution.track].number;
      span.device = places[execution.track].device;
      span.start = execution.start - origin;
      span.end = span.start + execution.duration;
      span.source = span.start_source = trace::Source::cupti;
      if (!known(first) || span.start < first) first = span.start;
      if (!known(last) || span.end > last) last = span.end;
    };
    const Packed& named = slice.matched() == Match::call ? at(slice.correlation) : slice;
    span.name = named.name;
    span.kind = static_cast<OperationKind>(named.kind);
    span.bytes = bytes_[named.bytes];
    span.engine = on_stream || slice.matched() == Match::call ? engine_of(span.kind) : Engine::host;
    if (!on_stream) called(slice);
    if (on_stream) executed(slice);
    if (slice.matched() == Match::call) executed(named);
    if (slice.matched() == Match::launched) span.launch = launches[slice.correlation];
    packer.add(span);
  }
  if (slices != nullptr) {
    slices->slices.resize(size_);
    slices->origin = origin;
    slices->operations = order.size();
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto keep = [&](std::uint32_t which, bool of_execution) {
        const Packed& slice = at(which);
        slices->slices[which] = {slice.start, slice.start + slice.duration, slice.track, static_cast<OperationIndex>(i),
                                 of_execution};
      };
      keep(order[i], false);
      if (at(order[i]).matched() == Match::call) keep(at(order[i]).correlation, true);
    }
  }
  chunks_.clear();
  trace.packed = std::move(packer).finish();
  trace.names = std::move(names_);
  if (known(first)) {
    const Nanoseconds makespan = elapsed(first, last);
    run.makespan = trace::Statistic{makespan, makespan, makespan, kAbsent};
  }
  run.runs = 1;
  add_notes(run);
  return run;
}

std::string label(std::string_view text) {
  return cut_text(valid_utf8(text.substr(0, 2 * kLongestLabel)), kLongestLabel);
}

std::string too_much(const ImportedTrace& trace) {
  return trace.size() >= ImportedTrace::kMostSlices
             ? tr("more than {} slices; record a shorter time", ImportedTrace::kMostSlices)
             : tr("more than {} threads and streams", ImportedTrace::kMostTracks);
}

}  // namespace streamscope::input
