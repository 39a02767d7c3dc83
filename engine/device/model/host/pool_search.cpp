#include "engine/device/model/host/pool_search.h"

#include <algorithm>
#include <map>

namespace streamscope::model {
namespace {

constexpr std::size_t kMostLookedAt = 32;  // streams: with more none was measured

// The memory of one device's pool: how many blocks each stream has freed.
struct Pool {
  std::map<std::uint32_t, std::uint32_t> from_before, freed;  // in earlier passes, in this one

  // How many streams' memory an allocation in that stream looks at.
  std::uint32_t take(std::uint32_t stream) {
    std::uint32_t& own = freed[stream];
    if (own > 0) return --own, 0;
    const auto looked = static_cast<std::uint32_t>(std::min(from_before.size(), kMostLookedAt));
    auto found = from_before.find(stream);
    if (found != from_before.end()) {
      own = found->second - 1;
      from_before.erase(found);
    } else if (!from_before.empty()) {
      found = from_before.begin();
      if (--found->second == 0) from_before.erase(found);
    }
    return looked;
  }
};

// One pass through the program; `looked`, if given, gets how many streams each call looks at.
void run_through(const program::Program& program, std::vector<Pool>& pools, std::vector<std::uint32_t>* looked) {
  for (std::size_t i = 0; i < program.operations.size(); ++i) {
    const program::Operation& operation = program.operations[i];
    const auto* made = std::get_if<program::op::MallocAsync>(&operation.work);
    const auto* gone = std::get_if<program::op::FreeAsync>(&operation.work);
    if ((made == nullptr && gone == nullptr) || !operation.stream) continue;
    Pool& pool = pools[program.buffers[(made != nullptr ? made->buffer : gone->buffer).value].device.value];
    const std::uint32_t stream = operation.stream->value;
    if (gone != nullptr) {
      ++pool.freed[stream];
    } else if (const std::uint32_t count = pool.take(stream); looked != nullptr) {
      (*looked)[i] = count;
    }
  }
  for (Pool& pool : pools) {
    for (const auto& [stream, blocks] : pool.freed) {
      if (blocks > 0) pool.from_before[stream] += blocks;
    }
    pool.freed.clear();
  }
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
