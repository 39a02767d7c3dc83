#include "engine/device/model/host/pool_search.h"

#include <algorithm>
#include <list>
#include <map>
#include <set>

namespace streamscope::model {
namespace {

constexpr std::size_t kMostLookedAt = 32;  // streams: with more none was measured

// The memory of one device's pool: how many blocks each stream has freed.
class Pool {
 public:
  void give_back(std::uint32_t stream) { ++freed_[stream]; }
  // How many streams' memory an allocation in that stream looks at.
  std::uint32_t take(std::uint32_t stream) {
    std::uint32_t& own = freed_[stream];
    if (own > 0) return --own, 0;
    const auto looked = static_cast<std::uint32_t>(std::min(before_.size(), kMostLookedAt));
    if (const auto its = at_.find(stream); its != at_.end()) {
      own = its->second->blocks - 1;
      forget(its->second);
    } else if (!before_.empty() && --before_.front().blocks == 0) {
      forget(before_.begin());
    }
    return looked;
  }
  // `streams`: those that freed memory in this pass, in the order in which they did first.
  void end_pass(const std::vector<std::uint32_t>& streams) {
    for (const std::uint32_t stream : streams) {
      const std::uint32_t blocks = freed_[stream];
      if (blocks == 0) continue;
      if (const auto its = at_.find(stream); its != at_.end()) {
        its->second->blocks += blocks;
      } else {
        at_[stream] = before_.insert(before_.end(), {stream, blocks});
      }
    }
    freed_.clear();
  }

 private:
  struct Of {
    std::uint32_t stream, blocks;
  };
  void forget(std::list<Of>::iterator one) {
    at_.erase(one->stream);
    before_.erase(one);
  }

  std::map<std::uint32_t, std::uint32_t> freed_;  // in this pass
  std::list<Of> before_;                          // in earlier ones, the oldest first
  std::map<std::uint32_t, std::list<Of>::iterator> at_;
};

// One pass through the program; `looked`, if given, gets how many streams each call looks at.
void run_through(const program::Program& program, std::vector<Pool>& pools, std::vector<std::uint32_t>* looked) {
  std::vector<std::uint32_t> in_order;
  std::set<std::uint32_t> known;
  for (std::size_t i = 0; i < program.operations.size(); ++i) {
    const program::Operation& operation = program.operations[i];
    const auto* made = std::get_if<program::op::MallocAsync>(&operation.work);
    const auto* gone = std::get_if<program::op::FreeAsync>(&operation.work);
    if ((made == nullptr && gone == nullptr) || !operation.stream) continue;
    Pool& pool = pools[program.buffers[(made != nullptr ? made->buffer : gone->buffer).value].device.value];
    const std::uint32_t stream = operation.stream->value;
    if (gone != nullptr) {
      pool.give_back(stream);
      if (known.insert(stream).second) in_order.push_back(stream);
    } else if (const std::uint32_t count = pool.take(stream); looked != nullptr) {
      (*looked)[i] = count;
    }
  }
  for (Pool& pool : pools) pool.end_pass(in_order);  // a stream is of one device
}

}  // namespace

std::vector<std::uint32_t> pool_searches(const program::Program& program) {
  const bool any = std::ranges::any_of(program.operations, [](const program::Operation& operation) {
    return std::holds_alternative<program::op::MallocAsync>(operation.work);
  });
  if (!any) return {};
  std::vector<Pool> pools(program::device_count(program));
  std::vector<std::uint32_t> looked(program.operations.size(), 0);
  run_through(program, pools, nullptr);
  run_through(program, pools, &looked);
  return looked;
}

}  // namespace streamscope::model
