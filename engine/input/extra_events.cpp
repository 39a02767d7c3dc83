#include "engine/input/extra_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <tuple>

#include "engine/base/utf8.h"

namespace streamscope::input {
namespace {

constexpr std::size_t kMostCounters = 1000;
constexpr int kDeepestNesting = 64;  // slices within slices that are looked at for the innermost

std::optional<double> number_of(JsonReader& json) {
  if (json.peek() != JsonReader::Kind::number) return std::nullopt;
  const std::string_view written = json.number();
  double value = 0;
  const auto [end, error] = std::from_chars(written.data(), written.data() + written.size(), value);
  if (error != std::errc() || end != written.data() + written.size()) return std::nullopt;
  return value;
}

}  // namespace

std::uint32_t ExtraEvents::number(std::map<std::string, std::uint32_t, std::less<>>& of, std::string_view text,
                                  std::vector<std::string>* texts) {
  const auto found = of.find(text);
  if (found != of.end()) return found->second;
  if (texts != nullptr) texts->emplace_back(text);
  return of.emplace(text, static_cast<std::uint32_t>(of.size())).first->second;
}

// Each number among its arguments is a series.
void ExtraEvents::counter(const Event& at, Nanoseconds time, std::uint64_t event) {
  JsonReader json(text_, {});
  json.seek(event);
  std::vector<std::pair<std::string, double>> values;
  json.object([&](std::string_view key) {
    if (key != "args" || json.peek() != JsonReader::Kind::object) return;
    json.object([&](std::string_view name) {
      std::string kept(name);
      if (const auto value = number_of(json)) values.emplace_back(std::move(kept), *value);
    });
  });
  for (const auto& [name, value] : values) {
    const std::string series = values.size() == 1 ? std::string() : " · " + name;
    const std::string key = fmt::format("{}\x1f{}\x1f{}\x1f{}", at.pid.view, at.id.view, at.name.view, series);
    if (counter_numbers_.size() >= kMostCounters && !counter_numbers_.contains(key)) continue;
    const std::uint32_t which = number(counter_numbers_, key);
    if (which == counters_.size()) counters_.push_back({valid_utf8(std::string(at.name.view) + series), {}, {}});
    counters_[which].times.push_back(time);
    counters_[which].values.push_back(value);
  }
}

void ExtraEvents::flow(const Event& at, Nanoseconds time, std::uint64_t event) {
  Point point;
  point.flow = number(flow_numbers_, fmt::format("{}\x1f{}\x1f{}", at.category.view, at.name.view, at.id.view));
  point.process = number(process_numbers_, at.pid.view, &processes_);
  point.thread = number(thread_numbers_, at.tid.view, &threads_);
  point.time = time;
  if (at.phase.view == "f") {
    JsonReader json(text_, {});
    json.seek(event);
    point.next = true;
    std::string buffer;
    json.object([&](std::string_view key) {
      if (key == "bp" && json.peek() == JsonReader::Kind::string) point.next = json.string(buffer) != "e";
    });
  }
  points_.push_back(point);
}

void ExtraEvents::sort_counters(Nanoseconds origin, FileExtras& out) {
  for (Counter& each : counters_) {
    std::vector<std::size_t> order(each.times.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return each.times[a] < each.times[b]; });
    Counter sorted{std::move(each.name), {}, {}};
    for (const std::size_t i : order) {
      sorted.times.push_back(each.times[i] - origin);
      sorted.values.push_back(each.values[i]);
    }
    out.counters.push_back(std::move(sorted));
  }
}

void ExtraEvents::connect(const ImportedTrace::Finished& trace, FileExtras& out) const {
  if (points_.empty()) return;
  // The slices of each track by their begins.
  std::vector<std::uint32_t> order(trace.slices.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto place = [&](std::uint32_t i) { return std::tuple(trace.slices[i].track, trace.slices[i].start, i); };
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return place(a) < place(b); });
  const auto bound = [&](const Point& point, std::uint32_t track) -> OperationIndex {
    if (track == kNoTrack) return kNoOperation;
    auto after = std::upper_bound(order.begin(), order.end(), std::pair(track, point.time),
                                  [&](const auto& wanted, std::uint32_t i) {
                                    return wanted < std::pair(trace.slices[i].track, trace.slices[i].start);
                                  });
    auto at = after;
    for (int steps = 0; at != order.begin() && steps < kDeepestNesting; ++steps) {
      const ImportedTrace::Finished::Of& slice = trace.slices[*--at];
      if (slice.track != track) break;
      if (point.next ? slice.start == point.time : slice.end >= point.time) return slice.operation;
    }
    if (point.next && after != order.end() && trace.slices[*after].track == track)
      return trace.slices[*after].operation;
    return kNoOperation;
  };
  std::vector<Point> sorted = points_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Point& a, const Point& b) { return std::tie(a.flow, a.time) < std::tie(b.flow, b.time); });
  OperationIndex before = kNoOperation;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (i == 0 || sorted[i].flow != sorted[i - 1].flow) before = kNoOperation;
    OperationIndex here = bound(sorted[i], sorted[i].tracks[0]);
    if (here == kNoOperation) here = bound(sorted[i], sorted[i].tracks[1]);
    if (here == kNoOperation) continue;
    if (before != kNoOperation && before != here) out.flows.push_back({before, here});
    before = here;
  }
  std::sort(out.flows.begin(), out.flows.end());
  out.flows.erase(std::unique(out.flows.begin(), out.flows.end()), out.flows.end());
}

FileExtras ExtraEvents::finish(const ImportedTrace::Finished& trace) {
  FileExtras out;
  sort_counters(trace.origin, out);
  connect(trace, out);
  out.events.resize(trace.operations);
  for (std::size_t i = 0; i < trace.slices.size() && i < slices_.size(); ++i) {
    const ImportedTrace::Finished::Of& slice = trace.slices[i];
    if (slice.of_execution)
      out.executions[slice.operation] = slices_[i];
    else
      out.events[slice.operation] = slices_[i];
  }
  return out;
}

}  // namespace streamscope::input
