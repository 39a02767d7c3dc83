#include "engine/program/order/vector_clocks.h"

#include <algorithm>
#include <utility>

#include "engine/program/order/order.h"
#include "engine/program/order/races.h"

namespace streamscope::program {

VectorClocks::VectorClocks(const Program& program)
    : program_(program),
      views_(program.threads.size()),
      events_(program.events.size()),
      unordered_events_(program.events.size(), false),
      after_graph_(program.graphs.size()) {
  number_lanes();
  for (const Race& race : find_races(program)) {
    if (!race.stream) unordered_events_[race.event.value] = true;
  }
  for (const Graph& graph : program.graphs) last_nodes_.push_back(last_nodes(graph));
  views_[0] = std::make_unique<View>();
  View& main = *views_[0];
  main.streams.resize(program.streams.size());
  main.legacy.assign(lanes_, 0);
  main.host.assign(lanes_, 0);
  main.issued.assign(lanes_, 0);
  main.in_since_device.assign(lanes_, false);
}

void VectorClocks::number_lanes() {
  lanes_ = static_cast<std::uint32_t>(program_.streams.size());
  if (program_.threads.size() == 1) return;
  for (const Operation& operation : program_.operations) {
    const auto stream = ordered_in(operation);
    if (!stream || operation.thread == ThreadId{0}) continue;
    const std::uint64_t use = std::uint64_t{operation.thread.value} << 32 | stream->value;
    if (lane_by_use_.try_emplace(use, lanes_).second) ++lanes_;
  }
  host_lanes_ = lanes_;
  lanes_ += static_cast<std::uint32_t>(program_.threads.size());
}

std::uint32_t VectorClocks::lane_of(StreamId stream, ThreadId thread) const {
  if (thread == ThreadId{0}) return stream.value;
  return lane_by_use_.at(std::uint64_t{thread.value} << 32 | stream.value);
}

// Counted, so that a program with very many streams and events cannot take all the memory.
VectorClocks::SharedClock VectorClocks::share(Clock clock) {
  *live_entries_ += clock.size();
  return {new Clock(std::move(clock)), [live = live_entries_](const Clock* dead) {
            *live -= dead->size();
            delete dead;
          }};
}

void VectorClocks::max_into(Clock& all, const SharedClock& clock) {
  if (!clock) return;
  steps_ += all.size();
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = std::max(all[i], (*clock)[i]);
}

// One of the two where it contains the other.
VectorClocks::SharedClock VectorClocks::join(const SharedClock& left, const SharedClock& right) {
  if (!right || left == right) return left;
  if (!left) return right;
  steps_ += left->size();
  bool left_has_all = true, right_has_all = true;
  for (std::size_t i = 0; i < left->size(); ++i) {
    left_has_all &= (*left)[i] >= (*right)[i];
    right_has_all &= (*left)[i] <= (*right)[i];
  }
  if (left_has_all) return left;
  if (right_has_all) return right;
  Clock both = *left;
  max_into(both, right);
  return share(std::move(both));
}

VectorClocks::SharedClock VectorClocks::extended(const SharedClock& clock, Position position) {
  if (position.number == 0 || (clock && (*clock)[position.lane] >= position.number)) return clock;
  Clock more = clock ? *clock : Clock(lanes_, 0);
  steps_ += more.size();
  more[position.lane] = position.number;
  return share(std::move(more));
}

void VectorClocks::change_legacy() {
  view_->legacy_version = ++legacy_versions_;
  view_->legacy_shared = nullptr;
}

void VectorClocks::see_legacy(std::uint32_t stream) {
  StreamState& state = view_->streams[stream];
  if (!blocking(stream) || state.legacy_version == view_->legacy_version) return;
  state.legacy_version = view_->legacy_version;
  if (!view_->legacy_shared) {
    steps_ += view_->legacy.size();
    view_->legacy_shared = share(view_->legacy);
  }
  state.clock = join(state.clock, view_->legacy_shared);
}

// All work in blocking streams so far, and what came before it.
void VectorClocks::gather_legacy() {
  Clock& legacy = view_->legacy;
  StreamState& own = view_->streams[kLegacyStream.value];
  if (view_->since_legacy.empty() && own.last.number <= legacy[own.last.lane] && !own.clock) return;
  for (const std::uint32_t stream : view_->since_legacy) {
    StreamState& state = view_->streams[stream];
    max_into(legacy, state.clock);
    legacy[state.last.lane] = std::max(legacy[state.last.lane], state.last.number);
    state.since_legacy = false;
  }
  view_->since_legacy.clear();
  max_into(legacy, own.clock);
  own.clock = nullptr;  // kept in `legacy` from here on
  legacy[own.last.lane] = std::max(legacy[own.last.lane], own.last.number);
  change_legacy();
}

std::optional<Position> VectorClocks::enter(OperationIndex index) {
  index_ = index;
  const Operation& operation = program_.operations[index];
  view_ = views_[operation.thread.value].get();
  is_node_ = operation.launch != kNoOperation;
  if (is_node_) return enter_node(operation);
  stream_ = ordered_in(operation);
  if (stream_) return enter_stream(operation, *stream_);
  host_waits(operation);
  return std::nullopt;
}

std::optional<Position> VectorClocks::enter_host() {
  if (program_.threads.size() == 1) return std::nullopt;
  return issue(host_lanes_ + program_.operations[index_].thread.value);
}

Position VectorClocks::issue(std::uint32_t lane) {
  if (!view_->in_since_device[lane]) {
    view_->in_since_device[lane] = true;
    view_->since_device.push_back(lane);
  }
  return {lane, ++view_->issued[lane]};
}

void VectorClocks::host_waits(const Operation& operation) {
  std::visit(
      [&](const auto& work) {
        using T = std::decay_t<decltype(work)>;
        if constexpr (std::is_same_v<T, op::SyncDevice>) {
          for (const std::uint32_t lane : view_->since_device) {
            view_->host[lane] = view_->issued[lane];
            view_->in_since_device[lane] = false;
          }
          view_->since_device.clear();
        } else if constexpr (std::is_same_v<T, op::SyncStream> || std::is_same_v<T, op::PollStream>) {
          wait_for_stream(work.stream);
        } else if constexpr (std::is_same_v<T, op::SyncEvent> || std::is_same_v<T, op::PollEvent>) {
          const bool ordered = work.record != kNoOperation && !unordered_events_[work.event.value];
          if (ordered) wait_for(events_[work.event.value]);
        } else if constexpr (std::is_same_v<T, op::StartThread>) {
          *live_entries_ += size_of_view();
          if (!gave_up()) views_[work.thread.value] = std::make_unique<View>(*view_);
        } else if constexpr (std::is_same_v<T, op::JoinThread>) {
          merge(*view_, *views_[work.thread.value]);
          views_[work.thread.value].reset();
          *live_entries_ -= size_of_view();
        }
      },
      operation.work);
}

Position VectorClocks::enter_stream(const Operation& operation, StreamId stream) {
  StreamState& state = view_->streams[stream.value];
  lane_ = lane_of(stream, operation.thread);
  if (state.last.lane != lane_) state.clock = extended(state.clock, state.last);
  if (const auto* wait = std::get_if<op::Wait>(&operation.work)) {
    const Recorded& recorded = events_[wait->event.value];
    if (wait->record != kNoOperation && !unordered_events_[wait->event.value] && recorded.stream != stream) {
      state.clock = join(state.clock, extended(recorded.clock, recorded.position));
    }
  }
  if (const auto* launch = std::get_if<op::Launch>(&operation.work)) {
    state.clock = join(state.clock, after_graph_[launch->graph.value]);
  }
  if (stream == kLegacyStream) {
    gather_legacy();
  } else if (blocking(stream.value) && !state.since_legacy) {
    state.since_legacy = true;
    view_->since_legacy.push_back(stream.value);
  }
  state.last = issue(lane_);
  return state.last;
}

// The nodes of one captured stream are a chain, and so is their lane: over all launches of the graph, too.
Position VectorClocks::enter_node(const Operation& operation) {
  const auto& launch = std::get<op::Launch>(program_.operations[operation.launch].work);
  const Graph& graph = program_.graphs[launch.graph.value];
  const OperationIndex index = index_ - operation.launch - 1;
  stream_ = program_.operations[operation.launch].stream;
  const StreamState& state = view_->streams[stream_->value];
  if (index == 0) {
    nodes_.assign(graph.nodes.size(), {});
    before_nodes_ = nullptr;
  }
  lane_ = lane_of(*operation.stream, operation.thread);
  const GraphNode& node = graph.nodes[index];
  SharedClock clock;
  if (node.after.empty()) {
    if (lane_ != state.last.lane && !before_nodes_) {
      before_nodes_ = extended(state.clock, {state.last.lane, view_->issued[state.last.lane]});
    }
    clock = lane_ == state.last.lane ? state.clock : before_nodes_;
  }
  for (const std::uint32_t before : node.after) {
    const NodeState& one = nodes_[before];
    clock = join(clock, one.position.lane == lane_ ? one.clock : extended(one.clock, one.position));
  }
  nodes_[index] = {issue(lane_), std::move(clock)};
  return nodes_[index].position;
}

void VectorClocks::leave_launch(const op::Launch& launch) {
  StreamState& state = view_->streams[stream_->value];
  const std::uint32_t own = state.last.lane;
  state.last.number = view_->issued[own];
  for (const std::uint32_t last : last_nodes_[launch.graph.value]) {
    const NodeState& node = nodes_[last];
    state.clock = join(state.clock, node.position.lane == own ? node.clock : extended(node.clock, node.position));
  }
  see_legacy(stream_->value);
  after_graph_[launch.graph.value] = extended(state.clock, state.last);
  if (*stream_ == kLegacyStream) gather_legacy();
}

void VectorClocks::leave() {
  const Operation& operation = program_.operations[index_];
  if (program_.threads.size() > 1) {
    const std::uint32_t host = host_lanes_ + operation.thread.value;
    view_->host[host] = view_->issued[host];  // what the host does itself is over when its call returns
  }
  if (is_node_) {
    const auto& launch = std::get<op::Launch>(program_.operations[operation.launch].work);
    if (index_ - operation.launch == nodes_.size()) leave_launch(launch);
    return;
  }
  if (!stream_) return;
  StreamState& state = view_->streams[stream_->value];
  if (*stream_ == kLegacyStream) {
    view_->legacy[lane_] = state.last.number;
    change_legacy();
  }
  if (const auto* record = std::get_if<op::Record>(&operation.work)) {
    see_legacy(stream_->value);
    events_[record->event.value] = {state.last, *stream_, state.clock};
  }
  if (const auto* copy = std::get_if<op::Copy>(&operation.work); copy != nullptr && copy->blocking) {
    if (!returns_after_staging(program_, *copy)) wait_for_stream(kLegacyStream);
  }
}

void VectorClocks::wait_for(const Recorded& recorded) {
  max_into(view_->host, recorded.clock);
  std::uint32_t& known = view_->host[recorded.position.lane];
  known = std::max(known, recorded.position.number);
}

void VectorClocks::wait_for_stream(StreamId stream) {
  if (stream == kLegacyStream) gather_legacy();
  see_legacy(stream.value);
  const StreamState& state = view_->streams[stream.value];
  wait_for({state.last, stream, state.clock});
}

bool VectorClocks::contains(const StreamState& state, Position position) {
  if (position.number == 0) return true;
  if (state.last.lane == position.lane && state.last.number >= position.number) return true;
  return state.clock && (*state.clock)[position.lane] >= position.number;
}

// A join: what either of the two threads knew.
void VectorClocks::merge(View& view, const View& other) {
  for (std::size_t stream = 0; stream < view.streams.size() && !gave_up(); ++stream) {
    merge(view.streams[stream], other.streams[stream]);
  }
  for (const std::uint32_t stream : other.since_legacy) {
    if (std::exchange(view.streams[stream].since_legacy, true)) continue;
    view.since_legacy.push_back(stream);
  }
  for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
    view.legacy[lane] = std::max(view.legacy[lane], other.legacy[lane]);
    view.host[lane] = std::max(view.host[lane], other.host[lane]);
    view.issued[lane] = std::max(view.issued[lane], other.issued[lane]);
  }
  view.legacy_version = ++legacy_versions_;
  view.legacy_shared = nullptr;
  for (const std::uint32_t lane : other.since_device) {
    if (view.in_since_device[lane]) continue;
    view.in_since_device[lane] = true;
    view.since_device.push_back(lane);
  }
}

void VectorClocks::merge(StreamState& state, const StreamState& other) {
  const bool older = contains(other, state.last), newer = contains(state, other.last);
  state.clock = join(state.clock, other.clock);
  if (newer) return;
  if (older) {
    state.last = other.last;
  } else {
    state.clock = extended(state.clock, other.last);  // in no order: both are known
  }
}

bool VectorClocks::ended_before(Position earlier) const {
  if (view_->host[earlier.lane] >= earlier.number) return true;
  if (!stream_) return false;
  if (earlier.lane == lane_) return true;
  if (blocking(stream_->value) && view_->legacy[earlier.lane] >= earlier.number) return true;
  const SharedClock& clock =
      is_node_ ? nodes_[index_ - program_.operations[index_].launch - 1].clock : view_->streams[stream_->value].clock;
  return clock && (*clock)[earlier.lane] >= earlier.number;
}

}  // namespace streamscope::program
