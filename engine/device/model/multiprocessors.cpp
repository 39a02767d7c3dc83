#include "engine/device/model/multiprocessors.h"

#include <algorithm>
#include <utility>

namespace streamscope {
namespace {

constexpr std::uint64_t kMostWaves = 4096;

// A slot of the table that is free, or a new one.
template <class T>
std::uint32_t slot(std::vector<T>& table, std::vector<std::uint32_t>& unused) {
  if (unused.empty()) {
    table.emplace_back();
    return static_cast<std::uint32_t>(table.size() - 1);
  }
  const std::uint32_t index = unused.back();
  unused.pop_back();
  return index;
}

}  // namespace

Multiprocessors::Multiprocessors(const Profile& profile) : profile_(profile), room_(profile) {}

void Multiprocessors::add(OperationIndex operation, const Grid& grid, int priority, Nanoseconds ready) {
  const std::uint32_t kernel = slot(kernels_, kernels_unused_);
  kernels_[kernel] = {operation, grid, ready, grid.blocks, 0, false};
  queue_.push({priority, ready, operation, kernel});
  changed_ = true;
}

void Multiprocessors::hand_out(Nanoseconds now, std::vector<Started>& started) {
  if (!changed_) return;
  changed_ = waits_for_launch_ = false;
  catch_up(now);
  while (!queue_.empty()) {
    const std::uint32_t index = queue_.top().kernel;
    if (!kernels_[index].started) {
      if (running_ >= profile_.compute.kernels) break;
      if (now < next_launch_) {
        waits_for_launch_ = true;
        break;
      }
    }
    const std::uint64_t placed = place(index, now);
    Kernel& kernel = kernels_[index];
    if (placed > 0 && !kernel.started) {
      kernel.started = true;
      ++running_;
      next_launch_ = now + profile_.compute.launch_gap;
      started.push_back({kernel.operation, freed_at_ == now ? last_freed_ : last_started_});
      last_started_ = kernel.operation;
    }
    // Head-of-line blocking: nobody behind it, nor of a lower priority, gets blocks before it has handed out its own.
    if (kernel.blocks_left > 0) break;
    queue_.pop();
  }
  set_speed();
}

// As many blocks as fit now, to the multiprocessors with the most room first.
std::uint64_t Multiprocessors::place(std::uint32_t index, Nanoseconds now) {
  Kernel& kernel = kernels_[index];
  const Grid& grid = kernel.grid;
  const std::uint32_t batch_index = slot(batches_, batches_unused_);
  Batch& batch = batches_[batch_index];
  batch.kernel = index;
  const std::uint64_t count = room_.take(grid, kernel.blocks_left, batch.blocks);
  if (count == 0) {
    batches_unused_.push_back(batch_index);
    return 0;
  }
  std::uint32_t busiest = 0;
  for (const Room::Some& some : batch.blocks) busiest = std::max(busiest, some.blocks);
  ++kernel.batches;
  batch.time = batch_time(profile_, grid, grid.blocks - kernel.blocks_left, count, busiest);
  // A huge grid alone on the device goes on wave after wave, all alike: then several are taken as one, so that a kernel
  // costs thousands of steps and not millions. A more urgent kernel may get in later by that small share of its time.
  const bool alone = fixed_ends_.empty() && shared_ends_.empty();
  const std::uint64_t working = working_blocks(grid), handed_out = grid.blocks - kernel.blocks_left;
  const std::uint64_t alike = handed_out < working ? working - handed_out : kernel.blocks_left;
  const std::uint64_t waves = alone ? std::max<std::uint64_t>(1, alike / count / kMostWaves) : 1;
  batch.time.alone *= static_cast<Nanoseconds>(waves);
  if (!kernel.started) batch.time.alone += grid.extra;
  kernel.blocks_left -= count * waves;
  if (grid.shares_rates) {
    arithmetic_ += batch.time.arithmetic;
    memory_ += batch.time.memory;
    shared_ends_.push({virtual_now_ + static_cast<Virtual>(batch.time.alone) * kFullSpeed, batch_index});
  } else {
    fixed_ends_.push({now + batch.time.alone, batch_index});
  }
  return count;
}

Nanoseconds Multiprocessors::next() const {
  Nanoseconds soonest = fixed_ends_.empty() ? kNever : fixed_ends_.top().at;
  if (waits_for_launch_) soonest = std::min(soonest, next_launch_);
  if (!shared_ends_.empty()) {
    const Virtual left = shared_ends_.top().at - virtual_now_;
    soonest = std::min(soonest, since_ + static_cast<Nanoseconds>((left + speed_ - 1) / speed_));
  }
  return soonest;
}

void Multiprocessors::advance(Nanoseconds now, std::vector<OperationIndex>& ended) {
  if (waits_for_launch_ && next_launch_ <= now) {
    waits_for_launch_ = false;
    changed_ = true;
  }
  catch_up(now);
  while (!fixed_ends_.empty() && fixed_ends_.top().at <= now) {
    end_batch(fixed_ends_.top().batch, now, ended);
    fixed_ends_.pop();
  }
  while (!shared_ends_.empty() && shared_ends_.top().at <= virtual_now_) {
    end_batch(shared_ends_.top().batch, now, ended);
    shared_ends_.pop();
  }
  set_speed();
}

void Multiprocessors::end_batch(std::uint32_t index, Nanoseconds now, std::vector<OperationIndex>& ended) {
  Batch& batch = batches_[index];
  Kernel& kernel = kernels_[batch.kernel];
  room_.give_back(kernel.grid, batch.blocks);
  arithmetic_ -= batch.time.arithmetic;
  memory_ -= batch.time.memory;
  changed_ = true;
  last_freed_ = kernel.operation;
  freed_at_ = now;
  batches_unused_.push_back(index);
  if (--kernel.batches == 0 && kernel.blocks_left == 0) {
    ended.push_back(kernel.operation);
    --running_;
    kernels_unused_.push_back(batch.kernel);
  }
}

void Multiprocessors::catch_up(Nanoseconds now) {
  virtual_now_ += static_cast<Virtual>(now - since_) * speed_;
  since_ = now;
}

void Multiprocessors::set_speed() {
  const std::int64_t asked = std::max(arithmetic_, memory_);
  speed_ = asked <= BatchTime::kWhole
               ? kFullSpeed
               : static_cast<std::int64_t>(static_cast<Virtual>(kFullSpeed) * BatchTime::kWhole / asked);
}

}  // namespace streamscope
