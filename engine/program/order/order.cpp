#include "engine/program/order/order.h"

#include <algorithm>
#include <numeric>

#include "engine/program/order/order_walk.h"

namespace streamscope::program {
namespace {

// Listens to the walk: every operation is its own point, and what it comes behind is appended.
struct DependencyList {
  using Point = OperationIndex;
  std::vector<Dependency>& edges;

  void begin(const Operation&, std::optional<StreamId>) {}
  void behind(Point on, DependencyKind kind) { edges.push_back({on, kind}); }
  Point issued(OperationIndex index) { return index; }
  void waited(Point) {}
  void starts(ThreadId) {}
  void joins(ThreadId) {}
};

}  // namespace

struct DependencyTracker::Builder {
  Builder(const Program& program, std::vector<Dependency>& edges)
      : list{edges}, walk(program, list, Interleaving::as_issued) {}

  DependencyList list;
  OrderWalk<DependencyList> walk;
};

DependencyTracker::DependencyTracker(const Program& program) : builder_(std::make_unique<Builder>(program, edges_)) {}
DependencyTracker::~DependencyTracker() = default;

std::span<const Dependency> DependencyTracker::issue(OperationIndex index) {
  edges_.clear();
  builder_->walk.add(index);
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

Dependencies::Dependencies(const Program& program, std::span<const OperationIndex> issued)
    : first_(program.operations.size()), count_(program.operations.size()) {
  DependencyTracker::Builder builder(program, edges_);
  for (std::size_t i = 0; i < (issued.empty() ? first_.size() : issued.size()); ++i) {
    const OperationIndex index = issued.empty() ? static_cast<OperationIndex>(i) : issued[i];
    first_[index] = edges_.size();
    builder.walk.add(index);
    count_[index] = static_cast<std::uint32_t>(edges_.size() - first_[index]);
  }
}

std::vector<OperationIndex> issue_order(const Program& program, std::span<const Nanoseconds> host_begin) {
  std::vector<OperationIndex> order(program.operations.size());
  std::iota(order.begin(), order.end(), OperationIndex{0});
  if (program.threads.size() == 1) return order;
  std::vector<Nanoseconds> at(order.size()), latest(program.threads.size(), kAbsent);  // of a thread: never goes back
  for (const OperationIndex i : order) {
    const Operation& operation = program.operations[i];
    Nanoseconds& time = latest[operation.thread.value];
    if (operation.launch == kNoOperation) time = std::max(time, host_begin[i]);
    if (const auto* join = std::get_if<op::JoinThread>(&operation.work)) {
      const Nanoseconds last = latest[join->thread.value];
      time = std::max(time, known(last) ? last + 1 : last);  // behind its calls of that instant, too
    } else if (const auto* start = std::get_if<op::StartThread>(&operation.work)) {
      latest[start->thread.value] = time;
    }
    at[i] = time;
  }
  std::stable_sort(order.begin(), order.end(), [&](OperationIndex a, OperationIndex b) {
    if (at[a] != at[b] || !known(at[a])) return at[a] < at[b];
    return program.operations[a].thread.value < program.operations[b].thread.value;
  });
  return order;
}

bool has_failed_launch(const Program& program, const std::function<bool(OperationIndex)>& failed) {
  for (OperationIndex i = 0; i < program.operations.size(); ++i) {
    if (std::holds_alternative<op::Launch>(program.operations[i].work) && failed(i)) return true;
  }
  return false;
}

std::vector<OperationIndex> without_failed_launches(const Program& program, std::vector<OperationIndex> order,
                                                    const std::function<bool(OperationIndex)>& failed) {
  std::erase_if(order, [&](OperationIndex i) {
    const OperationIndex launch = program.operations[i].launch == kNoOperation ? i : program.operations[i].launch;
    return std::holds_alternative<op::Launch>(program.operations[launch].work) && failed(launch);
  });
  return order;
}

}  // namespace streamscope::program
