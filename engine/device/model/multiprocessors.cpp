#include "engine/device/model/multiprocessors.h"

#include <algorithm>
#include <utility>

namespace streamscope {
namespace {

// Steps that all kernels together may cost before they are divided into fewer shares, and those that each brings along.
constexpr std::int64_t kSteps = 1 << 17, kStepsEach = 2;
constexpr std::int64_t kFinest = 4096, kCoarsest = 4;
// What grids larger than the device break up into: pieces of about such a share of it.
constexpr int kPieces = 24;

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

// Divisions take long, and most of these give 0.
template <class T>
T quotient(T value, T by) {
  return value < by ? 0 : value / by;
}

// Where a grid has more blocks than there are multiprocessors, its first ones do not all go to multiprocessors of their
// own: so many come together, of those that work.
std::uint32_t crowd(const Profile::Compute& compute, const Grid& grid, std::uint64_t working) {
  const auto each = [](std::uint64_t blocks, std::uint64_t places) { return (blocks + places - 1) / places; };
  return static_cast<std::uint32_t>(std::min(each(working, compute.spread),
                                             each(grid.blocks, static_cast<std::uint64_t>(compute.multiprocessors))));
}

}  // namespace

Multiprocessors::Multiprocessors(const Profile& profile) : profile_(profile), room_(profile), steps_left_(kSteps) {}

void Multiprocessors::add(OperationIndex operation, const Grid& grid, int priority, Nanoseconds ready) {
  const Pace& pace = paces_.at(grid, [this](const Grid& one) { return pace_of(profile_, one); });
  const auto multiprocessors = static_cast<std::uint64_t>(profile_.compute.multiprocessors);
  const std::uint32_t kernel = slot(kernels_, kernels_unused_);
  const std::uint64_t wave = blocks_that_fit(profile_, grid) * multiprocessors;
  kernels_[kernel] = {operation, grid, pace, grid.blocks, wave};
  steps_left_ += kStepsEach;
  queue_.push({priority, ready, operation, kernel});
  changed_ = true;
}

void Multiprocessors::hand_out(Nanoseconds now, std::vector<Started>& started) {
  if (!changed_) return;
  changed_ = waits_for_launch_ = false;
  fixed_.catch_up(now);
  shared_.catch_up(now);
  if (running_ == 0 && freed_at_ != now) staggered_ = false;
  while (!queue_.empty()) {
    const std::uint32_t index = queue_.top().kernel;
    if (!kernels_[index].started) {
      if (running_ >= profile_.compute.kernels) break;
      if (now < next_launch_) {
        waits_for_launch_ = true;
        break;
      }
    }
    std::uint64_t placed = 0;
    while (const std::uint64_t more = place(index)) placed += more;
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
  settle();
}

// As many blocks as fit now, to the multiprocessors with the most room first; those with nothing to do apart from those
// that work, since they end at once.
std::uint64_t Multiprocessors::place(std::uint32_t index) {
  Kernel& kernel = kernels_[index];
  if (kernel.blocks_left == 0) return 0;
  const std::uint64_t room = room_.room(kernel.grid);
  if (room == 0 || (coarse() && better_later(kernel, room))) return 0;
  const Grid& grid = kernel.grid;
  const std::uint64_t handed_out = grid.blocks - kernel.blocks_left, working = kernel.pace.working;
  const std::uint64_t alike = handed_out < working ? working - handed_out : kernel.blocks_left;
  const std::uint32_t batch_index = slot(batches_, batches_unused_);
  Batch& batch = batches_[batch_index];
  // What waited goes to whichever multiprocessor is free first. All blocks of a spin that began together on one end
  // together, those of other kernels one by one.
  const bool all_at_once = freed_at_ == fixed_.since && freed_all_;
  const auto spread = all_at_once ? Room::Spread::fill : Room::Spread::level;
  const std::uint64_t count = room_.take(grid, alike, spread, batch.placed);
  --steps_left_;
  std::uint32_t busiest = 0;
  for (const Room::Some& some : batch.placed) busiest = std::max(busiest, some.blocks);
  if (handed_out == 0 && working < grid.blocks) busiest = std::max(busiest, crowd(profile_.compute, grid, count));
  const std::uint64_t in_a_row = staggered_ ? std::min(count, kernel.wave / kPieces + 1) : count;
  BatchTime time = batch_time(profile_, grid, kernel.pace, handed_out, count, busiest, in_a_row);

  Clock& clock = grid.shares_rates ? shared_ : fixed_;
  if (handed_out == 0) kernel.began = clock.now;
  const auto gone_on = static_cast<Nanoseconds>((clock.now - kernel.began) / kFullSpeed);
  const Nanoseconds to_go = static_cast<Nanoseconds>(quotient(alike, kernel.wave)) * time.alone;
  kernel.share = std::max(time.alone, gone_on + to_go) / shares();
  Nanoseconds waves = quotient(kernel.share, time.alone);
  if (waves > 1) waves = std::min(waves, static_cast<Nanoseconds>(alike / count));
  waves = std::max<Nanoseconds>(waves, 1);
  kernel.blocks_left -= count * static_cast<std::uint64_t>(waves);
  time.alone *= waves;
  if (handed_out == 0) time.alone += grid.extra;

  batch.kernel = index;
  batch.blocks = count;
  batch.arithmetic = time.arithmetic;
  batch.memory = time.memory;
  batch.end = batch.first_end = clock.now + static_cast<Virtual>(time.alone) * kFullSpeed;
  arithmetic_ += batch.arithmetic;
  memory_ += batch.memory;
  if (coarse() && join_latest(kernel, batch, std::max(time.alone, gone_on) / shares())) {
    batches_unused_.push_back(batch_index);
    return count;
  }
  kernel.latest = batch_index;
  ++kernel.batches;
  clock.ends.push({batch.end, batch_index});
  return count;
}

// Whether there is room for a small piece only, and the next blocks end within a share.
bool Multiprocessors::better_later(const Kernel& kernel, std::uint64_t room) const {
  if (room >= std::min(kernel.blocks_left, kernel.wave / kCoarsest)) return false;
  return fixed_.ends_within(kernel.share) || shared_.ends_within(kernel.share);
}

// The kernel's latest batch takes the piece in, should they end within so much of each other.
bool Multiprocessors::join_latest(const Kernel& kernel, const Batch& piece, Nanoseconds within) {
  if (kernel.latest == kNone) return false;
  Batch& batch = batches_[kernel.latest];
  const Virtual later = piece.end - batch.first_end, most = static_cast<Virtual>(within) * kFullSpeed;
  if (later < -most || later > most) return false;
  batch.blocks += piece.blocks;
  batch.end += (piece.end - batch.end) * static_cast<Virtual>(piece.blocks) / static_cast<Virtual>(batch.blocks);
  batch.end = std::max(batch.end, batch.first_end);
  batch.arithmetic += piece.arithmetic;
  batch.memory += piece.memory;
  batch.placed.insert(batch.placed.end(), piece.placed.begin(), piece.placed.end());
  staggered_ = true;
  return true;
}

// Into how many shares a kernel's time is divided at most.
std::int64_t Multiprocessors::shares() const {
  return std::clamp(steps_left_ / (kSteps / kFinest), kCoarsest, kFinest);
}

// Then batches join.
bool Multiprocessors::coarse() const { return shares() < kPieces; }

void Multiprocessors::advance(Nanoseconds now, std::vector<OperationIndex>& ended) {
  if (waits_for_launch_ && next_launch_ <= now) {
    waits_for_launch_ = false;
    changed_ = true;
  }
  if (next_end_ > now) return;
  next_end_ = kNever;
  for (Clock* clock : {&fixed_, &shared_}) {
    clock->catch_up(now);
    end_batches(*clock, ended);
  }
}

void Multiprocessors::end_batches(Clock& clock, std::vector<OperationIndex>& ended) {
  for (; clock.has_ends(); settle(clock)) {
    end_batch(clock.ends.top().batch, clock.since, ended);
    clock.ends.pop();
  }
}

void Multiprocessors::end_batch(std::uint32_t index, Nanoseconds now, std::vector<OperationIndex>& ended) {
  Batch& batch = batches_[index];
  Kernel& kernel = kernels_[batch.kernel];
  room_.give_back(kernel.grid, batch.placed);
  arithmetic_ -= batch.arithmetic;
  memory_ -= batch.memory;
  if (kernel.latest == index) kernel.latest = kNone;
  changed_ = true;
  last_freed_ = kernel.operation;
  freed_at_ = now;
  freed_all_ = !kernel.grid.shares_rates;
  batches_unused_.push_back(index);
  if (--kernel.batches == 0 && kernel.blocks_left == 0) {
    ended.push_back(kernel.operation);
    --running_;
    kernels_unused_.push_back(batch.kernel);
  }
}

// What runs now decides the common speed, and with it what ends next.
void Multiprocessors::settle() {
  const std::int64_t asked = std::max(arithmetic_, memory_);
  shared_.speed = asked <= BatchTime::kWhole
                      ? kFullSpeed
                      : static_cast<std::int64_t>(divided(static_cast<Virtual>(kFullSpeed) * BatchTime::kWhole, asked));
  settle(fixed_);
  settle(shared_);
  next_end_ = std::min(fixed_.next(), shared_.next());
}

// A batch that others have joined ends later than it was to.
void Multiprocessors::put_off(Clock& clock) {
  const std::uint32_t batch = clock.ends.top().batch;
  clock.ends.pop();
  clock.ends.push({batches_[batch].end, batch});
}

Nanoseconds Multiprocessors::Clock::next() const {
  if (ends.empty()) return kNever;
  return since + static_cast<Nanoseconds>(divided_up(ends.top().at - now, speed));
}

}  // namespace streamscope
