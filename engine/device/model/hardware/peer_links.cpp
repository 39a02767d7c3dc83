#include "engine/device/model/hardware/peer_links.h"

#include <algorithm>

namespace streamscope::model {

void PeerLinks::catch_up(Nanoseconds now) {
  for (Active& each : active_) {
    const __int128 done = static_cast<__int128>(now - since_) * each.rate;
    each.left = done < each.left ? each.left - done : 0;
  }
  since_ = now;
}

void PeerLinks::count(const PeerTransfer& transfer, int by) {
  const auto add = [by](std::uint32_t& to) { to = static_cast<std::uint32_t>(static_cast<int>(to) + by); };
  Use &from = use_[transfer.from], &to = use_[transfer.to];
  add(transfer.over_bus ? from.bus.out : from.out);
  add(transfer.over_bus ? to.bus.in : to.in);
}

void PeerLinks::add(Nanoseconds now, const PeerTransfer& transfer) {
  catch_up(now);
  active_.push_back({transfer, static_cast<__int128>(transfer.alone) * EngineQueue::kFullRate});
  count(transfer, 1);
}

void PeerLinks::finish(Nanoseconds now, std::vector<OperationIndex>& ended) {
  if (next_ > now) return;
  catch_up(now);
  std::erase_if(active_, [&](const Active& each) {
    if (each.left > 0) return false;
    count(each.transfer, -1);
    ended.push_back(each.transfer.operation);
    return true;
  });
  next_ = kNever;
}

std::uint32_t PeerLinks::rate_of(const PeerTransfer& transfer, const std::vector<BusUsers>& others) const {
  constexpr std::uint32_t kFull = EngineQueue::kFullRate;
  const Use &from = use_[transfer.from], &to = use_[transfer.to];
  if (transfer.over_bus) {
    const std::uint32_t out = from.bus.out + others[transfer.from].out, in = to.bus.in + others[transfer.to].in;
    return kFull / std::max(out, in);
  }
  const std::uint64_t share = std::min(kFull, links_.together / std::max(from.out, to.in));
  const bool both_ways = from.in > 0 || to.out > 0;
  const std::uint64_t rate = both_ways ? share * links_.both_ways / kFull : share;
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(rate, 1));
}

void PeerLinks::share(Nanoseconds now, const std::vector<BusUsers>& others) {
  catch_up(now);
  next_ = kNever;
  for (Active& each : active_) {
    each.rate = rate_of(each.transfer, others);
    next_ = std::min(next_, now + static_cast<Nanoseconds>((each.left + each.rate - 1) / each.rate));
  }
}

}  // namespace streamscope::model
