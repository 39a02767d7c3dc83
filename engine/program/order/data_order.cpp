#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "engine/program/order/accesses.h"
#include "engine/program/order/order.h"

namespace streamscope::program {
namespace {

// By operation of `before` its index in `after`; empty where they are not the same operations.
std::vector<OperationIndex> places_in(const Program& before, const Program& after) {
  if (before.operations.size() != after.operations.size()) return {};
  std::unordered_map<std::string, std::vector<OperationIndex>> places;
  for (OperationIndex i = 0; i < after.operations.size(); ++i) places[statement_of(after, i)].push_back(i);
  std::unordered_map<std::string, std::size_t> used;
  std::vector<OperationIndex> found;
  for (OperationIndex i = 0; i < before.operations.size(); ++i) {
    const std::string its = statement_of(before, i);
    const auto at = places.find(its);
    std::size_t& next = used[its];
    if (at == places.end() || next == at->second.size()) return {};
    found.push_back(at->second[next++]);
  }
  return found;
}

// The latest places, in the other order, of what has written a range and of what has read it.
struct TouchedSegment {
  std::uint64_t end = 0;
  OperationIndex written = 0, read = 0;  // one more than the place; 0: none
};
using TouchedSegments = std::map<std::uint64_t, TouchedSegment>;  // by first byte; they do not overlap

// So that a segment begins at that byte, where one covers it.
void cut(TouchedSegments& segments, std::uint64_t at) {
  auto next = segments.upper_bound(at);
  if (next == segments.begin()) return;
  const auto before = std::prev(next);
  if (before->first == at || before->second.end <= at) return;
  segments.emplace_hint(next, at, before->second);
  before->second.end = at;
}

// False where something at a later place has touched these bytes, and one of the two writes.
bool touch(TouchedSegments& segments, const Access& access, OperationIndex place) {
  const std::uint64_t from = access.range.offset, to = from + access.range.bytes;
  cut(segments, from);
  cut(segments, to);
  std::uint64_t at = from;
  for (auto each = segments.lower_bound(from); at < to; ++each) {
    if (each == segments.end() || each->first > at) {
      const std::uint64_t end = each == segments.end() ? to : std::min(to, each->first);
      each = segments.emplace_hint(each, at, TouchedSegment{end});
    }
    TouchedSegment& segment = each->second;
    if (segment.written > place + 1 || (access.writes && segment.read > place + 1)) return false;
    OperationIndex& latest = access.writes ? segment.written : segment.read;
    latest = std::max(latest, place + 1);
    at = segment.end;
  }
  return true;
}

}  // namespace

bool reverses_data_order(const Program& before, const Program& after) {
  const std::vector<OperationIndex> places = places_in(before, after);
  if (places.empty()) return false;
  Accesses accesses(before);
  std::map<std::tuple<std::uint32_t, MemorySide, std::uint32_t>, TouchedSegments> touched;
  std::map<std::uint32_t, std::vector<Access>> since;  // the last host function of a stream, all that was done there
  for (OperationIndex i = 0; i < before.operations.size(); ++i) {
    const Operation& operation = before.operations[i];
    std::vector<Access> its;
    if (operation.stream && std::holds_alternative<op::HostFunction>(operation.work)) {
      its.swap(since[operation.stream->value]);
      for (Access& each : its) each.writes = false;
    } else {
      const auto all = accesses.of(operation);
      its.assign(all.begin(), all.end());
      if (const auto* const prefetch = std::get_if<op::Prefetch>(&operation.work))
        its.push_back({prefetch->range, MemorySide::device, side_of(before, operation), false, true});
      if (operation.stream) {
        auto& list = since[operation.stream->value];
        list.insert(list.end(), its.begin(), its.end());
      }
    }
    for (const Access& access : its) {
      // Both sides of managed and mapped memory are one.
      const bool one_memory = is_shared(before.buffers[access.range.buffer.value].host);
      const auto side = one_memory ? MemorySide::device : access.side;
      const auto device = one_memory || side == MemorySide::host ? DeviceId{} : access.device;
      if (!touch(touched[{access.range.buffer.value, side, device.value}], access, places[i])) return true;
    }
  }
  return false;
}

}  // namespace streamscope::program
