#include "engine/program/check/capture.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/translate.h"
#include "engine/program/limits.h"
#include "engine/program/syntax/characters.h"

namespace streamscope::program {
namespace {

constexpr std::uint64_t kMaximumSteps = 200'000'000;  // of joining frontiers: well under a second

}  // namespace

Capture::Capture(Diagnostics& diagnostics, const Program& program, std::string name, SourceLocation location,
                 std::optional<StreamId> origin, CaptureMode mode)
    : diagnostics_(diagnostics), program_(program), location_(location), origin_(origin) {
  graph_.name = std::move(name);
  graph_.origin = origin.value_or(kPerThreadStream);
  graph_.line = location.line;
  graph_.mode = mode;
  if (!origin_) return;
  lanes_.push_back({std::make_shared<Frontier>(), kNone, location});
  streams_.push_back(*origin_);
  lane_by_stream_.emplace(origin_->value, 0);
}

OperationIndex Capture::record_of(EventId event) const {
  const auto at = events_.find(event.value);
  return at == events_.end() ? kNoOperation : at->second.record;
}

// The lane of its stream. A stream joins by its first wait for an event of the body (build_wait.cpp).
std::optional<std::uint32_t> Capture::lane_of(const Operation& operation, SourceLocation location) {
  const auto stream = *operation.stream;
  const auto at = lane_by_stream_.find(stream.value);
  if (at != lane_by_stream_.end()) return at->second;
  const std::string& name = program_.streams[stream.value].name;
  if (is_legacy(program_, stream)) {
    diagnostics_.error(location, tr("the legacy default stream cannot be captured; use another stream in a graph"));
    return std::nullopt;
  }
  const auto* const wait = std::get_if<op::Wait>(&operation.work);
  if ((wait == nullptr || wait->external) && origin_) {
    const std::string& origin = program_.streams[origin_->value].name;
    diagnostics_.error(location,
                       tr("'{}' has not joined the capture of '{}': write `{}: record fork` and `{}: wait fork` "
                          "before this line, with an event of your own",
                          name, origin, origin, name));
    mark_incomplete();
  }
  if (origin_ && program_.streams[stream.value].device != program_.streams[origin_->value].device) {
    diagnostics_.error(
        location, tr("'{}' is a stream of device {}, and the graph's work is of device {}; a graph is of "
                     "one device here",
                     name, program_.streams[stream.value].device.value, program_.streams[origin_->value].device.value));
    mark_incomplete();
  }
  // From here on it counts as joined, so that the error is reported once.
  const auto lane = static_cast<std::uint32_t>(lanes_.size());
  lanes_.push_back({std::make_shared<Frontier>(), kNone, location});
  streams_.push_back(stream);
  lane_by_stream_.emplace(stream.value, lane);
  return lane;
}

void Capture::add(Operation operation, SourceLocation location) {
  if (const auto* asks = std::get_if<op::CaptureInfo>(&operation.work)) {  // in no stream
    if (origin_ && is_legacy(program_, asks->stream) && !program_.streams[origin_->value].nonblocking) {
      diagnostics_.error(
          location, tr("the legacy default stream cannot be asked while the blocking stream '{}' is captured "
                       "(cudaErrorStreamCaptureImplicit); ask behind the capture, or write `nonblocking` behind the "
                       "stream",
                       program_.streams[origin_->value].name));
    }
    before_.emplace_back();
    return graph_.body.push_back(std::move(operation));
  }
  const auto lane = lane_of(operation, location);
  if (!lane) return mark_incomplete();
  const auto body = static_cast<std::uint32_t>(graph_.body.size());
  Lane& own = lanes_[*lane];
  before_.push_back({own.tail, kNone});
  const auto* const record = std::get_if<op::Record>(&operation.work);
  const auto* const wait = std::get_if<op::Wait>(&operation.work);
  if (becomes_node(operation.work)) {
    if (record != nullptr) external_records_.insert(record->event.value);
    if (wait != nullptr) external_waits_.insert(wait->event.value);
    node(*lane, body, location);
  } else if (record != nullptr) {
    events_[record->event.value] = {body, own.frontier, own.tail};
  } else {
    const Recorded& recorded = events_[wait->event.value];
    before_.back().through_event = recorded.tail;
    this->wait(own, recorded);
    own.tail = body;
    own.location = location;
  }
  graph_.body.push_back(std::move(operation));
}

void Capture::wait(Lane& lane, const Recorded& recorded) {
  if (!recorded.frontier || recorded.frontier == lane.frontier || recorded.frontier->empty() || too_many_) return;
  if (lane.frontier->empty()) {
    lane.frontier = recorded.frontier;
    return;
  }
  if (lane.frontier.use_count() > 1) {
    steps_ += lane.frontier->size();
    lane.frontier = std::make_shared<Frontier>(*lane.frontier);
  }
  Frontier& mine = *lane.frontier;
  slot_.resize(lanes_.size(), kNone);
  for (std::uint32_t i = 0; i < mine.size(); ++i) slot_[lane_of_node_[mine[i]]] = i;
  for (const std::uint32_t node : *recorded.frontier) {
    const std::uint32_t slot = slot_[lane_of_node_[node]];
    // Of two nodes of one stream the later one stands for both.
    if (slot != kNone) {
      mine[slot] = std::max(mine[slot], node);
    } else {
      mine.push_back(node);
    }
  }
  for (const std::uint32_t node : mine) slot_[lane_of_node_[node]] = kNone;
  steps_ += mine.size() + recorded.frontier->size();
}

void Capture::node(std::uint32_t lane, std::uint32_t body, SourceLocation location) {
  Lane& own = lanes_[lane];
  const auto index = static_cast<std::uint32_t>(graph_.nodes.size());
  GraphNode node{body, *own.frontier};
  std::sort(node.after.begin(), node.after.end());
  edges_ += node.after.size();
  if ((edges_ > kMaximumGraphEdges || steps_ > kMaximumSteps) && !too_many_) {
    too_many_ = true;
    diagnostics_.error(location,
                       tr("the graph has too many edges by this line; let fewer streams wait for so many others"));
  }
  if (too_many_) node.after.clear();
  graph_.nodes.push_back(std::move(node));
  lane_of_node_.push_back(lane);
  own.frontier = std::make_shared<Frontier>(1, index);
  own.tail = body;
  own.location = location;
}

// The last operation of the origin must wait, directly or not, for every stream that joined.
void Capture::check_joined() {
  std::vector<bool> reached(graph_.body.size(), false);
  std::vector<std::uint32_t> open{lanes_[0].tail};
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    if (at == kNone || reached[at]) continue;
    reached[at] = true;
    open.push_back(before_[at].in_stream);
    open.push_back(before_[at].through_event);
  }
  const std::string& origin = program_.streams[origin_->value].name;
  for (std::size_t lane = 1; lane < lanes_.size(); ++lane) {
    if (lanes_[lane].tail == kNone || reached[lanes_[lane].tail]) continue;
    const std::string& name = program_.streams[streams_[lane].value].name;
    diagnostics_.error(lanes_[lane].location,
                       tr("'{}' is not joined back to '{}' before the graph ends; write `{}: record join` and "
                          "`{}: wait join` behind this line, with an event of your own",
                          name, origin, name, origin));
  }
}

Capture::Finished Capture::finish() {
  if (origin_ && complete_) {
    if (graph_.nodes.empty()) {
      diagnostics_.error(location_,
                         tr("the graph '{}' has nothing to launch; put a copy, a kernel or another operation "
                            "into it",
                            printable(graph_.name)));
    }
    check_joined();
  }
  Finished finished;
  finished.graph = std::move(graph_);
  finished.streams = std::move(streams_);
  finished.stream_of_node = std::move(lane_of_node_);
  finished.edges = edges_ + finished.graph.nodes.size();
  return finished;
}

}  // namespace streamscope::program
