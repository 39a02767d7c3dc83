#include "engine/program/order/order.h"

#include <algorithm>
#include <numeric>

namespace streamscope::program {
namespace {

constexpr std::uint32_t kNoOne = 0xFFFFFFFFu;

// Streams by the time of their last work, the latest first.
class RecentStreams {
 public:
  explicit RecentStreams(std::size_t streams) : before_(streams, kNoOne), after_(streams, kNoOne) {}

  std::uint32_t first() const { return first_; }
  std::uint32_t next(std::uint32_t stream) const { return after_[stream]; }

  void move_to_front(std::uint32_t stream) {
    if (first_ == stream) return;
    if (before_[stream] != kNoOne) after_[before_[stream]] = after_[stream];
    if (after_[stream] != kNoOne) before_[after_[stream]] = before_[stream];
    before_[stream] = kNoOne;
    after_[stream] = first_;
    if (first_ != kNoOne) before_[first_] = stream;
    first_ = stream;
  }

 private:
  std::vector<std::uint32_t> before_, after_;
  std::uint32_t first_ = kNoOne;
};

}  // namespace

// Goes through the operations in issue order. A list of streams is emptied when it is read, or read only as far as it
// changed since the reader's last time, so the total time is proportional to operations and edges, whatever the number
// of streams.
class DependencyTracker::Builder {
 public:
  Builder(const Program& program, std::vector<Dependency>& edges)
      : program_(program),
        edges_(edges),
        streams_(program.streams.size()),
        last_record_(program.events.size(), kNoOperation),
        graphs_(program.graphs.size()),
        threads_(program.threads.size()),
        latest_(program.streams.size()),
        latest_blocking_(program.streams.size()) {
    for (std::size_t graph = 0; graph < graphs_.size(); ++graph) {
      graphs_[graph].last_nodes = last_nodes(program.graphs[graph]);
    }
  }

  void add(OperationIndex index) {
    index_ = index;
    ++rank_;
    const Operation& operation = program_.operations[index];
    if (operation.launch != kNoOperation) return node(operation);
    if (const auto stream = ordered_in(operation)) return work(operation, *stream);
    host(operation);
  }

 private:
  struct StreamState {
    OperationIndex last = kNoOperation;     // a launch ends with its last nodes
    std::uint64_t rank = 0;                 // of `last` in the issue order, from 1
    OperationIndex legacy = kNoOperation;   // the legacy operation that `last` came after
    OperationIndex awaited = kNoOperation;  // that thread has waited for this one, and so for all before it
    ThreadId awaited_by;
    bool since_legacy = false;  // is in since_legacy_
  };
  struct GraphState {
    std::vector<std::uint32_t> last_nodes;
    OperationIndex launched = kNoOperation;
  };
  // The rank up to which the thread has waited for all streams, and for the blocking ones.
  struct ThreadState {
    std::uint64_t device = 0, legacy = 0;
  };

  // cuda-rules 20
  void node(const Operation& operation) {
    const auto& launch = std::get<op::Launch>(program_.operations[operation.launch].work);
    const GraphNode& node = program_.graphs[launch.graph.value].nodes[index_ - operation.launch - 1];
    if (node.after.empty()) edge(operation.launch, DependencyKind::graph);
    for (const std::uint32_t before : node.after) edge(operation.launch + 1 + before, DependencyKind::graph);
  }

  void work(const Operation& operation, StreamId stream) {
    in_stream(stream);
    if (const auto* wait = std::get_if<op::Wait>(&operation.work)) {
      const OperationIndex record = last_record_[wait->event.value];
      // Within one stream its order says it already.
      if (record != kNoOperation && program_.operations[record].stream != stream) edge(record, DependencyKind::event);
    } else if (const auto* record = std::get_if<op::Record>(&operation.work)) {
      last_record_[record->event.value] = index_;
    } else if (const auto* launch = std::get_if<op::Launch>(&operation.work)) {
      OperationIndex& before = graphs_[launch->graph.value].launched;
      if (before != kNoOperation && program_.operations[before].stream != stream) end_of(before, DependencyKind::graph);
      before = index_;
    }
    issued(stream);
    const auto* copy = std::get_if<op::Copy>(&operation.work);
    if (copy && copy->blocking && !returns_after_staging(program_, *copy))
      awaited(kLegacyStream.value, operation.thread);
  }

  void host(const Operation& operation) {
    ThreadState& thread = threads_[operation.thread.value];
    std::visit(
        [&](const auto& work) {
          using T = std::decay_t<decltype(work)>;
          if constexpr (std::is_same_v<T, op::SyncDevice>) {
            wait_for_new(latest_, thread.device, operation.thread);
            thread = {rank_, rank_};
          } else if constexpr (std::is_same_v<T, op::SyncStream> || std::is_same_v<T, op::PollStream>) {
            if (work.stream == kLegacyStream) {
              wait_for_new(latest_blocking_, thread.legacy, operation.thread);
              thread.legacy = rank_;
            }
            wait_for(work.stream.value, operation.thread);
          } else if constexpr (std::is_same_v<T, op::SyncEvent> || std::is_same_v<T, op::PollEvent>) {
            const OperationIndex record = last_record_[work.event.value];
            if (record != kNoOperation) edge(record, DependencyKind::host);
          } else if constexpr (std::is_same_v<T, op::StartThread>) {
            threads_[work.thread.value] = thread;
          } else if constexpr (std::is_same_v<T, op::JoinThread>) {
            const ThreadState& joined = threads_[work.thread.value];
            thread = {std::max(thread.device, joined.device), std::max(thread.legacy, joined.legacy)};
          }
        },
        operation.work);
  }

  bool blocking(StreamId stream) const { return !program_.streams[stream.value].nonblocking; }

  // Its predecessor in the stream, and the legacy stream's barrier in either direction.
  void in_stream(StreamId stream) {
    StreamState& state = streams_[stream.value];
    if (state.last != kNoOperation) end_of(state.last, DependencyKind::stream);
    if (stream == kLegacyStream) {
      for (const std::uint32_t other : since_legacy_) {
        end_of(streams_[other].last, DependencyKind::legacy);
        streams_[other].since_legacy = false;
      }
      since_legacy_.clear();
    } else if (blocking(stream)) {
      // Where the stream has work since the last legacy operation, that work waited for it already.
      const OperationIndex legacy = streams_[kLegacyStream.value].last;
      if (legacy != kNoOperation && state.legacy != legacy) end_of(legacy, DependencyKind::legacy);
      state.legacy = legacy;
    }
  }

  void issued(StreamId stream) {
    StreamState& state = streams_[stream.value];
    state.last = index_;
    state.rank = rank_;
    latest_.move_to_front(stream.value);
    if (stream == kLegacyStream || !blocking(stream)) return;
    latest_blocking_.move_to_front(stream.value);
    if (state.since_legacy) return;
    state.since_legacy = true;
    since_legacy_.push_back(stream.value);
  }

  void wait_for_new(const RecentStreams& streams, std::uint64_t known, ThreadId thread) {
    for (std::uint32_t at = streams.first(); at != kNoOne && streams_[at].rank > known; at = streams.next(at)) {
      wait_for(at, thread);
    }
  }

  void wait_for(std::uint32_t stream, ThreadId thread) {
    StreamState& state = streams_[stream];
    const bool known =
        state.rank <= threads_[thread.value].device || (state.awaited == state.last && state.awaited_by == thread);
    if (state.last == kNoOperation || known) return;
    end_of(state.last, DependencyKind::host);
    awaited(stream, thread);
  }

  void awaited(std::uint32_t stream, ThreadId thread) {
    streams_[stream].awaited = streams_[stream].last;
    streams_[stream].awaited_by = thread;
  }

  // A launch is over when its last nodes are.
  void end_of(OperationIndex on, DependencyKind kind) {
    if (const auto* launch = std::get_if<op::Launch>(&program_.operations[on].work)) {
      for (const std::uint32_t node : graphs_[launch->graph.value].last_nodes) edge(on + 1 + node, kind);
    } else {
      edge(on, kind);
    }
  }

  void edge(OperationIndex on, DependencyKind kind) { edges_.push_back({on, kind}); }

  const Program& program_;
  std::vector<Dependency>& edges_;
  std::vector<StreamState> streams_;
  std::vector<OperationIndex> last_record_;  // of each event
  std::vector<GraphState> graphs_;
  std::vector<ThreadState> threads_;
  std::vector<std::uint32_t> since_legacy_;  // blocking streams with work since the last legacy operation
  RecentStreams latest_, latest_blocking_;
  OperationIndex index_ = 0;
  std::uint64_t rank_ = 0;
};

DependencyTracker::DependencyTracker(const Program& program) : builder_(std::make_unique<Builder>(program, edges_)) {}
DependencyTracker::~DependencyTracker() = default;

std::span<const Dependency> DependencyTracker::issue(OperationIndex index) {
  edges_.clear();
  builder_->add(index);
  return edges_;
}

bool returns_after_staging(const Program& program, const op::Copy& copy) {
  return copy.blocking && copy.direction == Direction::h2d && host_memory(program, copy) == HostMemory::pageable;
}

bool call_waits_for_copy(const Program& program, const Work& work) {
  const auto* copy = std::get_if<op::Copy>(&work);
  return copy != nullptr && (copy->blocking || host_memory(program, *copy) == HostMemory::pageable);
}

std::vector<std::uint32_t> last_nodes(const Graph& graph) {
  std::vector<bool> followed(graph.nodes.size(), false);
  for (const GraphNode& node : graph.nodes) {
    for (const std::uint32_t before : node.after) followed[before] = true;
  }
  std::vector<std::uint32_t> last;
  for (std::uint32_t node = 0; node < followed.size(); ++node) {
    if (!followed[node]) last.push_back(node);
  }
  return last;
}

Dependencies::Dependencies(const Program& program, std::span<const OperationIndex> issued) {
  const std::size_t count = program.operations.size();
  first_.assign(count + 1, 0);
  if (issued.empty() || std::is_sorted(issued.begin(), issued.end())) {
    DependencyTracker::Builder builder(program, edges_);
    for (std::size_t i = 0; i < count; ++i) {
      builder.add(static_cast<OperationIndex>(i));
      first_[i + 1] = edges_.size();
    }
    return;
  }
  std::vector<Dependency> edges;  // in the order of issue
  DependencyTracker::Builder builder(program, edges);
  for (const OperationIndex index : issued) {
    const std::size_t before = edges.size();
    builder.add(index);
    first_[index + 1] = edges.size() - before;
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  edges_.resize(edges.size());
  auto from = edges.begin();
  for (const OperationIndex index : issued) {
    const auto size = static_cast<std::ptrdiff_t>(first_[index + 1] - first_[index]);
    std::copy(from, from + size, edges_.begin() + static_cast<std::ptrdiff_t>(first_[index]));
    from += size;
  }
}

}  // namespace streamscope::program
