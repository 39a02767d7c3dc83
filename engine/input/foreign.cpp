#include "engine/input/foreign.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "engine/base/utf8.h"
#include "engine/input/calls.h"
#include "engine/trace/packed_spans.h"

namespace streamscope::input {
namespace {

constexpr std::size_t kLongestName = 16u << 10;

// What became of a slice when calls and executions were matched.
enum class Match : std::uint32_t {
  none,
  call,      // `correlation` is the index of its execution
  taken,     // the execution of such a call: it is told there
  launched,  // `correlation` is the index of the call that led to it and to others
};

// Names that are the same get a number, so that each can be told from the others.
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

struct ForeignTrace::Packed {
  Nanoseconds start, duration;
  std::uint32_t name;
  std::uint32_t correlation;
  std::uint32_t place : 24, kind : 8;
  std::uint32_t bytes : 30, match : 2;  // index into bytes_

  Match matched() const { return static_cast<Match>(match); }
  void matched(Match with, std::size_t other) {
    match = static_cast<std::uint32_t>(with) & 3u;
    correlation = static_cast<std::uint32_t>(other);
  }
};

ForeignTrace::ForeignTrace() = default;
ForeignTrace::ForeignTrace(ForeignTrace&&) noexcept = default;
ForeignTrace::~ForeignTrace() = default;

ForeignTrace::Packed& ForeignTrace::at(std::size_t index) { return chunks_[index / kChunk][index % kChunk]; }

std::uint32_t ForeignTrace::name(std::string_view text) {
  if (text.empty()) text = "(unnamed)";
  const auto known_name = name_numbers_.find(text);
  if (known_name != name_numbers_.end()) return known_name->second;
  const auto number = static_cast<std::uint32_t>(names_.size());
  names_.push_back(cut_text(valid_utf8(text), kLongestName));
  name_texts_.push_back(std::make_unique<std::string>(text));  // as the file has it, to be found again
  name_numbers_.emplace(*name_texts_.back(), number);
  return number;
}

std::uint32_t ForeignTrace::add_place(Place place) {
  places_.push_back(std::move(place));
  return static_cast<std::uint32_t>(places_.size() - 1);
}

void ForeignTrace::add(const Slice& slice) {
  const auto far = [](Nanoseconds time) { return time > kFarthest || time < -kFarthest; };
  if (far(slice.start) || far(slice.end)) {
    ++out_of_range_;
    return;
  }
  if (full()) return;
  if (slice.end < slice.start) ++reversed_;
  last_ = size_ == 0 ? slice.end : std::max(last_, slice.end);
  if (size_ % kChunk == 0) chunks_.push_back(std::make_unique_for_overwrite<Packed[]>(kChunk));
  Packed& kept = at(size_++);
  kept.start = slice.start;
  kept.duration = std::max<Nanoseconds>(slice.end - slice.start, 0);
  kept.name = slice.name;
  kept.place = slice.place & 0xFFFFFFu;
  kept.kind = static_cast<std::uint8_t>(slice.kind);
  const bool fits = slice.correlation < std::numeric_limits<std::uint32_t>::max();
  kept.correlation = fits ? static_cast<std::uint32_t>(slice.correlation) : 0;
  kept.match = 0;
  kept.bytes = slice.bytes > 0 ? static_cast<std::uint32_t>(bytes_.size()) & 0x3FFFFFFFu : 0;
  if (slice.bytes > 0) bytes_.push_back(slice.bytes);
}

// Calls are sorted by group and correlation; executions look themselves up there. They come in about the same order,
// so the search begins where the last one ended.
void ForeignTrace::match() {
  struct Call {
    std::uint64_t key;
    std::uint32_t index, executions, first;
    bool operator<(const Call& other) const { return key < other.key; }
  };
  const auto key = [&](const Packed& slice) {
    return (std::uint64_t{places_[slice.place].group} << 32) | slice.correlation;
  };
  std::vector<Call> calls;
  for (std::size_t i = 0; i < size_; ++i) {
    const Packed& slice = at(i);
    if (slice.correlation != 0 && !places_[slice.place].stream)
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
    if (!places_[slice.place].stream || slice.correlation == 0) continue;
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

// The indices of the slices that become spans, in order of their beginning.
std::vector<std::uint32_t> ForeignTrace::by_begin() {
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
    Nanoseconds begin = slice.start;
    if (slice.matched() == Match::call) begin = std::min(begin, at(slice.correlation).start);
    begins.push_back({begin, static_cast<std::uint32_t>(i)});
  }
  if (!std::is_sorted(begins.begin(), begins.end())) std::sort(begins.begin(), begins.end());
  std::vector<std::uint32_t> order;
  order.reserve(begins.size());
  for (const Begin& each : begins) order.push_back(each.index);
  return order;
}

// Places that hold a slice become threads and streams of the trace, in their order. Gives back the number of each.
std::vector<std::uint32_t> ForeignTrace::number_places(trace::Trace& trace) const {
  std::vector<std::uint32_t> sorted(places_.size());
  std::iota(sorted.begin(), sorted.end(), 0u);
  std::stable_sort(sorted.begin(), sorted.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tie(places_[a].process_order, places_[a].order) < std::tie(places_[b].process_order, places_[b].order);
  });
  std::vector<bool> used(places_.size());
  for (std::size_t i = 0; i < size_; ++i) used[chunks_[i / kChunk][i % kChunk].place] = true;
  std::set<std::string_view> of_threads, of_streams;  // the processes
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (used[i]) (places_[i].stream ? of_streams : of_threads).insert(places_[i].process);
  std::vector<std::uint32_t> numbers(places_.size());
  std::vector<std::string> streams;
  for (const std::uint32_t i : sorted) {
    if (!used[i]) continue;
    const Place& place = places_[i];
    std::vector<std::string>& list = place.stream ? streams : trace.threads;
    numbers[i] = static_cast<std::uint32_t>(list.size());
    const bool told = (place.stream ? of_streams : of_threads).size() > 1 && !place.process.empty();
    list.push_back(cut_text(valid_utf8(told ? place.process + " · " + place.name : place.name), 400));
  }
  make_distinct(trace.threads);
  make_distinct(streams);
  for (std::string& name : streams) trace.streams.push_back({std::move(name), false, 0});
  return numbers;
}

void ForeignTrace::tell(trace::Run& run) const {
  std::vector<std::string> notes;
  const auto note = [&](std::uint64_t count, std::string_view what) {
    if (count > 0) notes.push_back(fmt::format("{}: {}.", what, count));
  };
  note(out_of_range_, "Left out because their time is more than 146 years off");
  note(reversed_, "Shown without length because they end before they start");
  std::vector<std::pair<std::string, std::uint64_t>> rest(left_out_.begin(), left_out_.end());
  std::sort(rest.begin(), rest.end());
  for (const auto& [what, count] : rest) note(count, what);
  run.notes.insert(run.notes.end(), notes.begin(), notes.end());
}

trace::Run ForeignTrace::finish(trace::Run about) && {
  trace::Run run = std::move(about);
  trace::Trace& trace = run.trace;
  match();
  const std::vector<std::uint32_t> numbers = number_places(trace);
  const std::vector<std::uint32_t> order = by_begin();
  // The operations of calls that launched several: few.
  std::unordered_map<std::uint32_t, OperationIndex> launches;
  for (std::size_t i = 0; i < size_; ++i)
    if (at(i).matched() == Match::launched) launches.emplace(at(i).correlation, kNoOperation);
  Nanoseconds origin = 0;
  if (!order.empty()) {
    const Packed& first = at(order.front());
    origin = first.matched() == Match::call ? std::min(first.start, at(first.correlation).start) : first.start;
  }
  if (!launches.empty()) {
    for (std::size_t i = 0; i < order.size(); ++i)
      if (const auto launch = launches.find(order[i]); launch != launches.end())
        launch->second = static_cast<OperationIndex>(i);
  }
  trace::SpanPacker packer;
  Nanoseconds first = kAbsent, last = kAbsent;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Packed& slice = at(order[i]);
    const bool on_stream = places_[slice.place].stream;
    trace::Span span;
    span.operation = static_cast<OperationIndex>(i);
    const auto called = [&](const Packed& call) {
      span.thread = numbers[call.place];
      span.host_begin = call.start - origin;
      span.host_end = span.host_begin + call.duration;
    };
    const auto executed = [&](const Packed& execution) {
      span.stream = numbers[execution.place];
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
  chunks_.clear();
  trace.packed = std::move(packer).finish();
  trace.names = std::move(names_);
  if (known(first)) {
    const Nanoseconds whole = elapsed(first, last);
    run.makespan = trace::Statistic{whole, whole, whole, kAbsent};
  }
  run.runs = 1;
  tell(run);
  return run;
}

std::string too_much(const ForeignTrace& trace) {
  return trace.size() >= ForeignTrace::kMostSlices
             ? fmt::format("more than {} slices; record a shorter time", ForeignTrace::kMostSlices)
             : fmt::format("more than {} threads and streams", ForeignTrace::kMostPlaces);
}

}  // namespace streamscope::input
