#include "engine/device/model/host/pool_search.h"

#include <algorithm>
#include <map>
#include <set>

namespace streamscope::model {
namespace {

constexpr std::size_t kMostLookedAt = 4;  // blocks: with more none was measured

// The memory of one device's pool, by the sizes of its blocks.
struct Pool {
  using Blocks = std::multiset<std::uint64_t>;
  Blocks from_before;
  std::map<std::uint32_t, Blocks> freed;  // in this pass, by stream

  // Takes the smallest that is large enough; false: there is none.
  static bool take(Blocks& blocks, std::uint64_t bytes) {
    const auto found = blocks.lower_bound(bytes);
    if (found == blocks.end()) return false;
    blocks.erase(found);
    return true;
  }
};

// One pass through the program; `looked`, if given, gets how many blocks each call looks at.
void run_through(const program::Program& program, std::vector<Pool>& pools, std::vector<std::uint32_t>* looked) {
  for (std::size_t i = 0; i < program.operations.size(); ++i) {
    const program::Operation& operation = program.operations[i];
    const auto* made = std::get_if<program::op::MallocAsync>(&operation.work);
    const auto* gone = std::get_if<program::op::FreeAsync>(&operation.work);
    if ((made == nullptr && gone == nullptr) || !operation.stream) continue;
    const program::Buffer& buffer = program.buffers[(made != nullptr ? made->buffer : gone->buffer).value];
    Pool& pool = pools[buffer.device.value];
    Pool::Blocks& own = pool.freed[operation.stream->value];
    if (gone != nullptr) {
      own.insert(buffer.bytes);
      continue;
    }
    if (Pool::take(own, buffer.bytes)) continue;
    if (looked != nullptr) (*looked)[i] = static_cast<std::uint32_t>(std::min(pool.from_before.size(), kMostLookedAt));
    Pool::take(pool.from_before, buffer.bytes);
  }
  for (Pool& pool : pools) {
    for (auto& [stream, blocks] : pool.freed) pool.from_before.merge(blocks);
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
