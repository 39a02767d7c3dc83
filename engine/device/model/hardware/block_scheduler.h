// The block scheduler: which blocks of which kernel run on which multiprocessor (docs/cuda-rules.md 13 to 15).
//
// Kernels queue by priority, then by when they became ready. At most compute.kernels run at once, and what finds no
// place among them holds up none of them; one starts no sooner than the launch gap after the one before. The first in
// the queue hands out its blocks, one after the other, wherever they fit: to the emptiest multiprocessors first, or, if
// they had to wait, to those that become free first. The next kernel's blocks follow only when the first has handed out
// all of its own. Nothing is preempted. Blocks that start and end together are kept as one batch; blocks without data
// are another.
//
// Kernels that move memory share the device's rate: if they ask for more than there is, all slow down by the same
// factor. That factor is the speed of a clock of their own (Virtual), on which each batch's end is fixed. Those on
// mapped memory share the bus in the same way, among themselves and with copies. Blocks on one
// multiprocessor take turns at its arithmetic, a step each: those that come later take longer, and those that were
// there are delayed.
//
// Grids larger than the device break up into ever smaller batches, and a huge grid has millions of waves. So that each
// costs a few steps of simulation and not thousands, a kernel's time is divided into a limited number of shares: a
// kernel with more waves than shares hands out several waves as one batch, and a more urgent kernel may get in later by
// up to one share. There are thousands of shares until many kernels have cost many steps. When few are left, batches of
// one kernel that end within a share of each other become one, which ends at the mean of their ends; and a small piece
// waits for the next end if that comes within a share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <queue>
#include <vector>

#include "engine/device/model/hardware/engine_queue.h"
#include "engine/device/model/hardware/free_resources.h"
#include "engine/device/model/hardware/kernel_time.h"

namespace streamscope::model {

class BlockScheduler {
 public:
  explicit BlockScheduler(const Profile& profile);

  // `priority`: lower goes first. A block must fit on an empty multiprocessor.
  void add(OperationIndex operation, const Grid& grid, int priority, Nanoseconds ready);
  // Hands out blocks; appends the kernels that got their first one. One that only the launch gap delayed comes after
  // none.
  void hand_out(Nanoseconds now, std::vector<Started>& started);
  // The next end of blocks if nothing changes; kNever where none run.
  Nanoseconds next() const { return waits_for_launch_ ? std::min(next_end_, next_launch_) : next_end_; }
  // Whether kernels keep the arithmetic of most multiprocessors busy.
  bool is_arithmetic_busy(Nanoseconds now) const {
    return !sharing_.empty() &&
           5 * free_.working(now) >= 4 * static_cast<std::uint32_t>(profile_.compute.multiprocessors);
  }
  // Whether kernels have data on the way over the bus, and what part of its rate they get, in millionths.
  bool uses_bus() const { return bus_load_ > 0; }
  void set_bus_rate(Nanoseconds now, std::uint32_t rate);
  // Ends what ends by now; appends the kernels whose last block has ended. If any block ended, hand_out() must follow
  // before next() is called again.
  void advance(Nanoseconds now, std::vector<OperationIndex>& ended);

 private:
  using Virtual = Int128;  // nanoseconds of a Clock, in units of 1 / kFullSpeed
  static constexpr std::int64_t kFullSpeed = std::int64_t{1} << 32;
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  struct Kernel {
    OperationIndex operation;
    Grid grid;
    Costs costs;
    std::uint64_t blocks_left;     // to hand out
    std::uint64_t wave;            // blocks that fill the device
    std::uint32_t batches = 0;     // running
    std::uint32_t latest = kNone;  // the running batch that began last
    bool started = false, waits = false;
    Virtual began = 0;
    Nanoseconds share = 0;  // of its time, as estimated when its last blocks were placed
  };
  struct Batch {
    std::uint32_t kernel;
    FreeResources::Placements placed;
    std::uint64_t blocks;
    std::int64_t memory;  // share of the memory's or the bus's rate it asks for, of BatchTime::kWhole
    bool works;           // its blocks have data
    Nanoseconds step;     // arithmetic of one step of each block
    Virtual begin;
    Virtual end, first_end;  // the mean of the ends of the pieces it was joined from; the end of the first of them
  };
  struct Queued {
    int priority;
    Nanoseconds ready;
    OperationIndex operation;
    std::uint32_t kernel;
    friend auto operator<=>(const Queued&, const Queued&) = default;
  };
  struct End {
    Virtual at;
    std::uint32_t batch;
    friend auto operator<=>(const End&, const End&) = default;
  };
  template <class T>
  using Earliest = std::priority_queue<T, std::vector<T>, std::greater<>>;
  // A clock with a speed of its own, and the batches that end by it.
  struct Clock {
    Virtual now = 0;
    Nanoseconds since = 0;  // the device time at which `now` was right
    std::int64_t speed = kFullSpeed;
    Earliest<End> ends;  // an entry may be earlier than its batch's end, never later
    void catch_up(Nanoseconds to) {
      if (to == since) return;
      now += static_cast<Virtual>(to - since) * speed;
      since = to;
    }
    Nanoseconds next() const;
    bool has_ends() const { return !ends.empty() && ends.top().at <= now; }
    // Whether next() - since < time.
    bool ends_within(Nanoseconds time) const {
      return !ends.empty() && ends.top().at - now <= static_cast<Virtual>(time - 1) * speed;
    }
  };

  std::uint64_t place(std::uint32_t kernel);
  std::uint32_t blocks_in_a_row(const Kernel& kernel) const;
  BatchTime time_pieces(const Kernel& kernel, std::uint64_t handed_out, std::uint64_t count);
  void delay(const Kernel& kernel);
  bool better_wait(const Kernel& kernel, std::uint64_t fitting) const;
  bool join_latest(const Kernel& kernel, const Batch& piece, Nanoseconds within);
  void end_batches(Clock& clock, std::vector<OperationIndex>& ended);
  void end_batch(std::uint32_t batch, Nanoseconds now, std::vector<OperationIndex>& ended);
  void settle();
  void settle(Clock& clock) {
    while (!clock.ends.empty() && clock.ends.top().at != batches_[clock.ends.top().batch].end) postpone(clock);
  }
  void postpone(Clock& clock);
  std::int64_t shares() const;
  bool coarse() const;

  const Profile& profile_;
  const kernels::Hardware hardware_;
  FreeResources free_;
  GridCache<Costs> costs_;

  std::vector<Kernel> kernels_;
  std::vector<Batch> batches_;
  std::vector<std::uint32_t> kernels_unused_, batches_unused_;
  Earliest<Queued> queue_;         // of which none has a block yet
  Earliest<Queued> begun_;         // of which some blocks run, and others are still to be handed out
  bool changed_ = false;           // resources became free or kernels came since blocks were last handed out
  std::uint32_t running_ = 0;      // kernels
  std::uint64_t idle_blocks_ = 0;  // running blocks without data
  Nanoseconds next_launch_ = 0;    // when the next kernel may get its first block
  bool waits_for_launch_ = false;  // a kernel waits for that
  bool crowded_ = false;           // a kernel waits for room or for its turn, so that all behind it do
  Nanoseconds crowded_until_ = 0;  // as far as blocks have been handed out

  Clock& clock_of(const Grid& grid) { return grid.over_the_bus ? bus_ : grid.shares_rates ? shared_ : fixed_; }
  std::int64_t& load_by(const Grid& grid) { return grid.over_the_bus ? bus_load_ : memory_; }

  Clock fixed_, shared_, bus_;     // at full speed; of kernels that share the memory's rate; that of the bus
  Nanoseconds next_end_ = kNever;  // on either clock
  std::int64_t memory_ = 0;        // sum of the running batches' shares of the memory rate
  std::int64_t bus_load_ = 0;      // of the bus's rate
  std::uint32_t bus_rate_ = EngineQueue::kFullRate;
  std::int64_t steps_left_;  // of simulation, until kernels get fewer shares

  FreeResources::Placements placed_;  // of the latest place()
  struct Timed {
    Nanoseconds time;
    std::uint32_t piece;
    friend auto operator<=>(const Timed&, const Timed&) = default;
  };
  std::vector<Timed> timed_;            // of placed_, the shortest first
  std::vector<std::uint32_t> sharing_;  // running batches that have data and share the memory rate
  Nanoseconds pages_moved_ = 0;         // when the last managed pages that kernels asked for have arrived
  Int128 handed_until_ = 0;             // one block after the other, in units of 1 ns / compute.block_rate

  OperationIndex last_started_ = kNoOperation, last_freed_ = kNoOperation;
  Nanoseconds freed_at_ = kAbsent;
  enum class Freed : std::uint8_t { idle, working, spin };  // blocks without data, with data, of a spin
  Freed freed_ = Freed::spin;
  std::uint32_t freed_threads_ = 0, freed_carveout_ = 0;
};

}  // namespace streamscope::model
