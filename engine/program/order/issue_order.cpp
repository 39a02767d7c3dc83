#include <numeric>
#include <queue>
#include <utility>

#include "engine/program/order/order.h"

namespace streamscope::program {
namespace {

class Merge {
 public:
  Merge(const Program& program, std::span<const Nanoseconds> host_begin)
      : program_(program), host_begin_(host_begin), threads_(program.threads.size()) {
    const auto& operations = program.operations;
    for (OperationIndex i = 0; i < operations.size(); ++i) {
      if (operations[i].launch == kNoOperation) threads_[operations[i].thread.value].own.push_back(i);
    }
  }

  std::vector<OperationIndex> run() {
    order_.reserve(program_.operations.size());
    offer(0);
    while (!open_.empty()) {
      const std::uint32_t thread = open_.top().thread;
      open_.pop();
      issue(thread);
    }
    return std::move(order_);
  }

 private:
  struct Next {
    Nanoseconds time;
    OperationIndex operation;
    std::uint32_t thread;
    friend bool operator<(const Next& left, const Next& right) {  // the top of the queue is the largest
      return std::pair(left.time, left.operation) > std::pair(right.time, right.operation);
    }
  };
  struct ThreadState {
    std::vector<OperationIndex> own;
    std::size_t at = 0;
    Nanoseconds time = kAbsent;           // of its last operation; never goes back
    std::optional<std::uint32_t> joiner;  // waits for its end
    bool over() const { return at == own.size(); }
  };

  // The thread's next operation, once it can be issued.
  void offer(std::uint32_t index) {
    ThreadState& thread = threads_[index];
    if (thread.over()) {
      if (!thread.joiner) return;
      const std::uint32_t joiner = *std::exchange(thread.joiner, std::nullopt);
      threads_[joiner].time = std::max(threads_[joiner].time, thread.time);
      return offer(joiner);
    }
    const OperationIndex operation = thread.own[thread.at];
    if (const auto* join = std::get_if<op::JoinThread>(&program_.operations[operation].work)) {
      ThreadState& joined = threads_[join->thread.value];
      if (!joined.over()) {
        joined.joiner = index;
        return;
      }
    }
    thread.time = std::max(thread.time, host_begin_[operation]);
    open_.push({thread.time, operation, index});
  }

  void issue(std::uint32_t index) {
    ThreadState& thread = threads_[index];
    OperationIndex operation = thread.own[thread.at++];
    order_.push_back(operation);
    const Work& work = program_.operations[operation].work;
    if (const auto* launch = std::get_if<op::Launch>(&work)) {
      for (std::size_t n = program_.graphs[launch->graph.value].nodes.size(); n > 0; --n) order_.push_back(++operation);
    } else if (const auto* start = std::get_if<op::StartThread>(&work)) {
      threads_[start->thread.value].time = thread.time;
      offer(start->thread.value);
    }
    offer(index);
  }

  const Program& program_;
  std::span<const Nanoseconds> host_begin_;
  std::vector<ThreadState> threads_;
  std::priority_queue<Next> open_;
  std::vector<OperationIndex> order_;
};

}  // namespace

std::vector<OperationIndex> issue_order(const Program& program, std::span<const Nanoseconds> host_begin) {
  if (program.threads.size() > 1) return Merge(program, host_begin).run();
  std::vector<OperationIndex> order(program.operations.size());
  std::iota(order.begin(), order.end(), OperationIndex{0});
  return order;
}

}  // namespace streamscope::program
