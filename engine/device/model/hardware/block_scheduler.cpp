#include "engine/device/model/hardware/block_scheduler.h"

#include <algorithm>
#include <utility>

namespace streamscope::model {
namespace {

// Steps of simulation that all kernels together may cost before their time is divided into fewer shares, and how many
// more each kernel adds.
constexpr std::int64_t kSteps = 1 << 17, kStepsEach = 2;
constexpr std::int64_t kFinest = 4096, kCoarsest = 4;
// Grids larger than the device break up into pieces of about 1/kPieces of it.
constexpr int kPieces = 24;
// Blocks that begin together form one batch if their times differ by no more than 1/kClose.
constexpr Nanoseconds kClose = 8;
// One multiprocessor in so many gets several blocks of a larger grid before the others get any (H200: 8 of 132).
constexpr std::uint32_t kSooner = 16;

// The index of an unused entry of the table, or of a new one.
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

// How many of the first blocks one multiprocessor gets, where a grid has more blocks than there are multiprocessors.
// `working`: blocks with data.
std::uint32_t first_blocks(const Profile::Compute& compute, const Grid& grid, std::uint64_t working) {
  const auto each = [](std::uint64_t blocks, std::uint64_t places) { return (blocks + places - 1) / places; };
  return static_cast<std::uint32_t>(
      std::min(each(working, compute.spread), each(grid.blocks, static_cast<std::uint64_t>(compute.multiprocessors))));
}

bool overlap(const FreeResources::Placements& placed, const FreeResources::Placement& piece) {
  return std::any_of(placed.begin(), placed.end(), [&](const FreeResources::Placement& some) {
    return some.first < piece.first + piece.multiprocessors && piece.first < some.first + some.multiprocessors;
  });
}

}  // namespace

BlockScheduler::BlockScheduler(const Profile& profile)
    : profile_(profile), hardware_(hardware_of(profile)), free_(profile), steps_left_(kSteps) {}

void BlockScheduler::add(OperationIndex operation, const Grid& grid, int priority, Nanoseconds ready) {
  const Costs& costs = costs_.at(grid, [this](const Grid& one) { return costs_of(hardware_, one); });
  const auto multiprocessors = static_cast<std::uint64_t>(profile_.compute.multiprocessors);
  const std::uint32_t kernel = slot(kernels_, kernels_unused_);
  const std::uint64_t wave = blocks_that_fit(profile_, grid) * multiprocessors;
  kernels_[kernel] = {operation, grid, costs, grid.blocks, wave};
  steps_left_ += kStepsEach;
  queue_.push({priority, ready, operation, kernel});
  changed_ = true;
}

void BlockScheduler::hand_out(Nanoseconds now, std::vector<Started>& started) {
  if (!changed_) return;
  changed_ = waits_for_launch_ = false;
  if (std::exchange(crowded_, false)) crowded_until_ = now;
  fixed_.catch_up(now);
  shared_.catch_up(now);
  bus_.catch_up(now);
  // The kernel that waited for room goes first; what is behind it gets room as it becomes free, too.
  bool waited = false;
  while (!queue_.empty() || !begun_.empty()) {
    // One that finds no place among those that run, however urgent, holds up none of them.
    const bool has_place = running_ < profile_.compute.kernels;
    const bool begins = !queue_.empty() && has_place && (begun_.empty() || queue_.top() < begun_.top());
    if (!begins && begun_.empty()) {
      crowded_ = true;
      break;
    }
    const Queued first = begins ? queue_.top() : begun_.top();
    const std::uint32_t index = first.kernel;
    waited = kernels_[index].waits = kernels_[index].waits || waited;
    if (begins && now < next_launch_) {
      kernels_[index].waits = waits_for_launch_ = true;
      break;
    }
    std::uint64_t placed = 0;
    while (const std::uint64_t more = place(index)) placed += more;
    Kernel& kernel = kernels_[index];
    if (placed > 0 && !kernel.started) {
      kernel.started = true;
      ++running_;
      next_launch_ = now + profile_.compute.launch_gap;
      const bool had_to_wait = first.ready < crowded_until_;
      const OperationIndex after = freed_at_ == now ? last_freed_ : last_started_;
      started.push_back({kernel.operation, had_to_wait ? after : kNoOperation});
      last_started_ = kernel.operation;
    }
    // Head-of-line blocking: no kernel behind it, nor one of a lower priority, gets blocks before it has handed out all
    // of its own.
    kernel.waits = crowded_ = kernel.blocks_left > 0;
    if (begins && kernel.started) {
      queue_.pop();
      if (crowded_) begun_.push(first);
    } else if (!crowded_) {
      begun_.pop();
    }
    if (crowded_) break;
  }
  settle();
}

// Starts as many blocks as fit now, those with data and those without separately. Blocks that end at about the same
// time become one batch.
std::uint64_t BlockScheduler::place(std::uint32_t index) {
  Kernel& kernel = kernels_[index];
  if (kernel.blocks_left == 0) return 0;
  const std::uint64_t fitting = free_.fitting(kernel.grid);
  if (fitting == 0 || (coarse() && better_wait(kernel, fitting))) return 0;
  const Grid& grid = kernel.grid;
  const std::uint64_t handed_out = grid.blocks - kernel.blocks_left, working = kernel.costs.working;
  const bool works = handed_out < working;
  // Blocks without data end one after the other all over the device, not in batches: their places count as free, so that
  // those who waited do not crowd where the first batch ends.
  if (kernel.waits && works && idle_blocks_ > fitting) return 0;
  const std::uint64_t alike = works ? working - handed_out : kernel.blocks_left;
  Clock& clock = clock_of(grid);
  FreeResources::Request request{
      grid, alike, static_cast<std::uint32_t>(profile_.compute.multiprocessors), blocks_in_a_row(kernel), 0, 0};
  if (handed_out == 0 && working < grid.blocks && request.each == 1) {
    request.places /= kSooner;
    request.each = first_blocks(profile_.compute, grid, alike);
  }
  if (works) {
    request.work = kernel.costs.work;
    if (!coarse()) request.step = kernel.costs.work_per_step;  // else more multiprocessors are alike
  }
  const std::uint64_t count = free_.take(request, static_cast<Nanoseconds>(shared_.now / kFullSpeed), placed_);
  const Int128 rate = profile_.compute.block_rate;
  handed_until_ = std::max(handed_until_, fixed_.since * rate) + static_cast<Int128>(count) * 1'000'000'000;
  const BatchTime time = time_pieces(kernel, handed_out, count);

  if (handed_out == 0) kernel.began = clock.now;
  const auto gone_on = static_cast<Nanoseconds>((clock.now - kernel.began) / kFullSpeed);
  const Nanoseconds longest = timed_.back().time;
  const Nanoseconds to_go = static_cast<Nanoseconds>(quotient(alike, kernel.wave)) * longest;
  kernel.share = std::max(longest, gone_on + to_go) / shares();
  if (works && grid.shares_rates) delay(kernel);
  // Its first blocks ask for its pages. They move one after the other, whichever kernel asked for them.
  Nanoseconds moving = 0;
  if (handed_out == 0 && grid.migration > 0) {
    pages_moved_ = std::max(pages_moved_, fixed_.since) + grid.migration;
    moving = pages_moved_ - fixed_.since;
  }
  for (std::size_t first = 0, end = 0; first < timed_.size(); first = end) {
    const Nanoseconds close = timed_[first].time + timed_[first].time / kClose;
    const std::uint32_t batch_index = slot(batches_, batches_unused_);
    Batch& batch = batches_[batch_index];
    batch.placed.clear();
    batch.blocks = 0;
    for (; end < timed_.size() && (coarse() || timed_[end].time <= close); ++end) {
      const FreeResources::Placement& some = placed_[timed_[end].piece];
      batch.placed.push_back(some);
      batch.blocks += std::uint64_t{some.multiprocessors} * some.blocks;
    }
    --steps_left_;
    Nanoseconds alone = timed_[end - 1].time;
    Nanoseconds waves = quotient(kernel.share, alone);
    if (waves > 1) waves = std::min(waves, static_cast<Nanoseconds>(alike / count));
    waves = std::max<Nanoseconds>(waves, 1);
    kernel.blocks_left -= batch.blocks * static_cast<std::uint64_t>(waves);
    batch.works = works;
    batch.step = request.step;
    // While pages move the memory has as little to do as they bring.
    const Int128 memory = divided(time.memory * batch.blocks, count) * waves;
    alone = alone * waves + moving;
    batch.memory =
        static_cast<std::int64_t>(std::min<Int128>(divided(memory * BatchTime::kWhole, alone), BatchTime::kWhole));

    batch.kernel = index;
    batch.begin = clock.now;
    batch.end = batch.first_end = clock.now + static_cast<Virtual>(alone) * kFullSpeed;
    load_by(grid) += batch.memory;
    if (!works) idle_blocks_ += batch.blocks;
    if (coarse() && join_latest(kernel, batch, std::max(alone, gone_on) / shares())) {
      batches_unused_.push_back(batch_index);
      continue;
    }
    kernel.latest = batch_index;
    ++kernel.batches;
    if (works && grid.shares_rates) sharing_.push_back(batch_index);
    clock.ends.push({batch.end, batch_index});
  }
  return count;
}

// How many blocks one multiprocessor gets before another gets any. Blocks that waited go to the multiprocessor that is
// free first: as many as fit where a block ended, then to the next. All blocks of a spin that began together end
// together. To set more shared memory aside a multiprocessor must be empty; it gets three quarters of what fits before
// the next one is empty.
std::uint32_t BlockScheduler::blocks_in_a_row(const Kernel& kernel) const {
  if (!kernel.waits || freed_at_ == kAbsent) return 1;
  const Nanoseconds ago = fixed_.since - freed_at_;
  if (freed_ == Freed::spin) return ago == 0 ? profile_.compute.blocks : 1;
  if (kernel.grid.carveout > freed_carveout_) {
    return ago <= profile_.compute.launch_gap ? std::max(1u, blocks_that_fit(profile_, kernel.grid) * 3 / 4) : 1;
  }
  return ago == 0 ? std::max(1u, freed_threads_ / kernel.grid.threads) : 1;
}

// How long the blocks of each placement take, the shortest first. Warps take turns at a multiprocessor's arithmetic,
// each for one step: in each of its steps a block waits for one step of every other block there. With a single step its
// data arrives meanwhile.
BatchTime BlockScheduler::time_pieces(const Kernel& kernel, std::uint64_t handed_out, std::uint64_t count) {
  const Grid& grid = kernel.grid;
  BatchTime time;
  const Int128 rate = profile_.compute.block_rate;
  const auto handing_out = static_cast<Nanoseconds>(divided_up(handed_until_ - fixed_.since * rate, rate));
  std::uint32_t blocks = 0, least = 0;
  if (coarse()) {
    for (const FreeResources::Placement& some : placed_) least = std::max(least, some.blocks);
  }
  timed_.clear();
  for (const FreeResources::Placement& some : placed_) {
    if (const std::uint32_t busiest = std::max(least, some.blocks); busiest != blocks) {
      blocks = busiest;
      time = batch_time(profile_, hardware_, grid, kernel.costs, handed_out, count, blocks, handing_out);
    }
    Nanoseconds took = time.alone;
    if (grid.shares_rates && some.wait > 0) {
      const bool works = handed_out < kernel.costs.working;
      const Int128 turns = works ? kernel.costs.steps : Int128{1};
      const auto others =
          static_cast<Nanoseconds>(coarse() ? Int128{some.wait} : std::min<Int128>(some.wait, turns * some.others));
      const Nanoseconds brings = works ? some.blocks * kernel.costs.work : 0;
      // Blocks on mapped memory wait for the bus, and the others' arithmetic goes on meanwhile.
      const bool in_turns = turns > 1 && !grid.over_the_bus;
      took = in_turns ? took + others : std::max(took, profile_.compute.block_overhead + brings + others);
    }
    timed_.push_back({took, static_cast<std::uint32_t>(timed_.size())});
  }
  std::sort(timed_.begin(), timed_.end());
  return time;
}

// Delays the blocks that run already where the kernel's blocks came: in each step but the present one they wait for one
// step of the new blocks.
void BlockScheduler::delay(const Kernel& kernel) {
  for (const std::uint32_t index : sharing_) {
    Batch& batch = batches_[index];
    const Int128 steps = kernels_[batch.kernel].costs.steps;
    if (steps == 1 || kernels_[batch.kernel].grid.over_the_bus) continue;
    const Virtual now = clock_of(kernels_[batch.kernel].grid).now;
    const Int128 to_go = (batch.end - now) / kFullSpeed, length = (batch.end - batch.begin) / kFullSpeed;
    if (steps * to_go <= length) continue;
    Int128 by = 0;
    for (const FreeResources::Placement& piece : placed_) {
      if (piece.wait == 0 || !overlap(batch.placed, piece)) continue;
      const Int128 brings = static_cast<Int128>(piece.blocks) * kernel.costs.work;
      const Int128 step = static_cast<Int128>(piece.blocks) * kernel.costs.work_per_step;
      const Int128 gives_way = std::min(brings, divided((steps * to_go - length) * step, length));
      by = std::max(by, std::min(gives_way, piece.wait + brings - to_go));
    }
    batch.end += by * kFullSpeed;
  }
}

// Whether only a small piece fits now and the next blocks end within a share, so that waiting saves a batch.
bool BlockScheduler::better_wait(const Kernel& kernel, std::uint64_t fitting) const {
  if (fitting >= std::min(kernel.blocks_left, kernel.wave / kCoarsest)) return false;
  return fixed_.ends_within(kernel.share) || shared_.ends_within(kernel.share) || bus_.ends_within(kernel.share);
}

// Joins the piece to the kernel's latest batch, if both have data or neither has, and their ends are no further apart
// than `within`.
bool BlockScheduler::join_latest(const Kernel& kernel, const Batch& piece, Nanoseconds within) {
  if (kernel.latest == kNone) return false;
  Batch& batch = batches_[kernel.latest];
  if (batch.works != piece.works) return false;
  const Virtual later = piece.end - batch.first_end, most = static_cast<Virtual>(within) * kFullSpeed;
  if (later < -most || later > most) return false;
  batch.blocks += piece.blocks;
  batch.end += (piece.end - batch.end) * static_cast<Virtual>(piece.blocks) / static_cast<Virtual>(batch.blocks);
  batch.end = std::max(batch.end, batch.first_end);
  batch.memory += piece.memory;
  batch.placed.insert(batch.placed.end(), piece.placed.begin(), piece.placed.end());
  return true;
}

// Into how many shares a kernel's time is divided.
std::int64_t BlockScheduler::shares() const { return std::clamp(steps_left_ / (kSteps / kFinest), kCoarsest, kFinest); }

// Few shares are left, so batches are joined.
bool BlockScheduler::coarse() const { return shares() < kPieces; }

void BlockScheduler::advance(Nanoseconds now, std::vector<OperationIndex>& ended) {
  if (waits_for_launch_ && next_launch_ <= now) {
    waits_for_launch_ = false;
    changed_ = true;
  }
  if (next_end_ > now) return;
  next_end_ = kNever;
  for (Clock* clock : {&fixed_, &shared_, &bus_}) {
    clock->catch_up(now);
    end_batches(*clock, ended);
  }
}

void BlockScheduler::end_batches(Clock& clock, std::vector<OperationIndex>& ended) {
  for (; clock.has_ends(); settle(clock)) {
    end_batch(clock.ends.top().batch, clock.since, ended);
    clock.ends.pop();
  }
}

void BlockScheduler::end_batch(std::uint32_t index, Nanoseconds now, std::vector<OperationIndex>& ended) {
  Batch& batch = batches_[index];
  Kernel& kernel = kernels_[batch.kernel];
  free_.give_back(kernel.grid, batch.step, batch.placed);
  load_by(kernel.grid) -= batch.memory;
  if (!batch.works) idle_blocks_ -= batch.blocks;
  if (const auto at = std::find(sharing_.begin(), sharing_.end(), index); at != sharing_.end()) {
    *at = sharing_.back();
    sharing_.pop_back();
  }
  if (kernel.latest == index) kernel.latest = kNone;
  changed_ = true;
  last_freed_ = kernel.operation;
  freed_at_ = now;
  freed_ = !kernel.grid.shares_rates ? Freed::spin : batch.works ? Freed::working : Freed::idle;
  freed_threads_ = kernel.grid.threads;
  freed_carveout_ = kernel.grid.sets_aside;
  batches_unused_.push_back(index);
  if (--kernel.batches == 0 && kernel.blocks_left == 0) {
    ended.push_back(kernel.operation);
    --running_;
    kernels_unused_.push_back(batch.kernel);
  }
}

void BlockScheduler::set_bus_rate(Nanoseconds now, std::uint32_t rate) {
  if (rate == bus_rate_) return;
  bus_.catch_up(now);
  bus_rate_ = rate;
  settle();
}

// The speeds of the clocks follow from what runs now; and with them, what ends next.
void BlockScheduler::settle() {
  const auto speed = [](std::int64_t load) {
    if (load <= BatchTime::kWhole) return kFullSpeed;
    return static_cast<std::int64_t>(divided(static_cast<Virtual>(kFullSpeed) * BatchTime::kWhole, load));
  };
  shared_.speed = speed(memory_);
  bus_.speed = static_cast<std::int64_t>(static_cast<Virtual>(speed(bus_load_)) * bus_rate_ / EngineQueue::kFullRate);
  for (Clock* clock : {&fixed_, &shared_, &bus_}) settle(*clock);
  next_end_ = std::min({fixed_.next(), shared_.next(), bus_.next()});
}

// The batch at the head ends later than its entry says: pieces were joined to it, or it was delayed.
void BlockScheduler::postpone(Clock& clock) {
  const std::uint32_t batch = clock.ends.top().batch;
  clock.ends.pop();
  clock.ends.push({batches_[batch].end, batch});
}

Nanoseconds BlockScheduler::Clock::next() const {
  if (ends.empty()) return kNever;
  return since + static_cast<Nanoseconds>(divided_up(ends.top().at - now, speed));
}

}  // namespace streamscope::model
