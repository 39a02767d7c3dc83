// The block scheduler: which blocks of which kernel run on which multiprocessor (cuda-rules 13 to 15).
//
// Kernels queue by priority, then by when they became ready. So many run at once, and one starts no sooner than the
// launch gap after the one before. The head hands out its blocks, one after the other, wherever they fit: to the
// emptiest multiprocessors first, or, where they waited, to those that are free first. The next kernel gets room only
// when the head has handed out all of its own. Nothing is preempted. Blocks that start and end together are kept as one
// batch; those without data are another.
//
// Kernels that move memory share the device's rate: where they ask for more than there is, all of them slow down alike.
// That one common speed makes a clock of its own, on which each batch's end is fixed. Those that meet on a
// multiprocessor take turns at its arithmetic, a step each: who comes later takes longer, and those before end later.
//
// Grids larger than the device break up into ever smaller batches, and a huge one has millions of waves. So that each
// costs a few steps and not thousands, a kernel's time is divided into so many shares at most: what has more waves
// hands out several as one batch, and a more urgent kernel may get in later by that share. There are thousands of
// shares until many kernels have cost many steps. Where there are few, batches of one kernel that end within a share of
// each other are one as well, and end at the mean of their ends; and a small piece waits for the next end, where a
// share sees it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <queue>
#include <vector>

#include "engine/device/model/hardware/engine_queue.h"
#include "engine/device/model/hardware/free_resources.h"
#include "engine/device/model/hardware/kernel_time.h"

namespace streamscope::model {

class Multiprocessors {
 public:
  explicit Multiprocessors(const Profile& profile);

  // `priority`: lower goes first. A block must fit on an empty multiprocessor.
  void add(OperationIndex operation, const Grid& grid, int priority, Nanoseconds ready);
  // Hands out blocks; tells which kernels got their first.
  void hand_out(Nanoseconds now, std::vector<Started>& started);
  // The next end of blocks if nothing changes; kNever where none run.
  Nanoseconds next() const { return waits_for_launch_ ? std::min(next_end_, next_launch_) : next_end_; }
  // Whether kernels keep the arithmetic of most multiprocessors busy.
  bool is_arithmetic_busy(Nanoseconds now) const {
    return !sharing_.empty() &&
           5 * room_.working(now) >= 4 * static_cast<std::uint32_t>(profile_.compute.multiprocessors);
  }
  // Ends what ends by now; tells which kernels are done with their last block. Where something did, blocks are to be
  // handed out before next() is asked for again.
  void advance(Nanoseconds now, std::vector<OperationIndex>& ended);

 private:
  using Virtual = Wide;  // nanoseconds of the common clock, in units of 1 / kFullSpeed
  static constexpr std::int64_t kFullSpeed = std::int64_t{1} << 32;
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  struct Kernel {
    OperationIndex operation;
    Grid grid;
    Pace pace;
    std::uint64_t blocks_left;     // to hand out
    std::uint64_t wave;            // blocks that fill the device
    std::uint32_t batches = 0;     // running
    std::uint32_t latest = kNone;  // of them the one begun last
    bool started = false, waits = false;
    Virtual began = 0;
    Nanoseconds share = 0;  // of its time, as its last blocks have it
  };
  struct Batch {
    std::uint32_t kernel;
    Room::Placed placed;
    std::uint64_t blocks;
    std::int64_t memory;  // share
    bool works;
    Nanoseconds step;  // arithmetic of one of each block's steps
    Virtual begin;
    Virtual end, first_end;  // mean of the ends of all that it was made of; that of the first
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
  // A clock that runs at its own speed, and what ends by it.
  struct Clock {
    Virtual now = 0;
    Nanoseconds since = 0;  // when that was right
    std::int64_t speed = kFullSpeed;
    Earliest<End> ends;  // each no later than that of its batch
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
  std::uint32_t together(const Kernel& kernel) const;
  BatchTime time_pieces(const Kernel& kernel, std::uint64_t handed_out, std::uint64_t count);
  void delay(const Kernel& kernel);
  bool better_later(const Kernel& kernel, std::uint64_t room) const;
  bool join_latest(const Kernel& kernel, const Batch& piece, Nanoseconds within);
  void end_batches(Clock& clock, std::vector<OperationIndex>& ended);
  void end_batch(std::uint32_t batch, Nanoseconds now, std::vector<OperationIndex>& ended);
  void settle();
  void settle(Clock& clock) {
    while (!clock.ends.empty() && clock.ends.top().at != batches_[clock.ends.top().batch].end) put_off(clock);
  }
  void put_off(Clock& clock);
  std::int64_t shares() const;
  bool coarse() const;

  const Profile& profile_;
  Room room_;
  OfGrids<Pace> paces_;

  std::vector<Kernel> kernels_;
  std::vector<Batch> batches_;
  std::vector<std::uint32_t> kernels_unused_, batches_unused_;
  Earliest<Queued> queue_;
  bool changed_ = false;           // room or kernels since blocks were last handed out
  std::uint32_t running_ = 0;      // kernels
  Nanoseconds next_launch_ = 0;    // when the next kernel may get its first block
  bool waits_for_launch_ = false;  // and one waits for that

  Clock fixed_, shared_;           // by the second go kernels that share rates
  Nanoseconds next_end_ = kNever;  // by either
  std::int64_t memory_ = 0;        // sums of the running batches' shares
  std::int64_t steps_left_;        // that kernels may cost before they have fewer shares

  Room::Placed placed_;  // by the latest place()
  struct Timed {
    Nanoseconds time;
    std::uint32_t piece;
    friend auto operator<=>(const Timed&, const Timed&) = default;
  };
  std::vector<Timed> timed_;            // its pieces
  std::vector<std::uint32_t> sharing_;  // batches that work and share rates
  Wide handed_until_ = 0;               // one block after the other, in units of 1 ns / compute.block_rate

  OperationIndex last_started_ = kNoOperation, last_freed_ = kNoOperation;
  Nanoseconds freed_at_ = kAbsent;
  enum class Freed : std::uint8_t { idle, working, all };  // blocks without data, those with, those of a spin
  Freed freed_ = Freed::all;
  std::uint32_t freed_threads_ = 0, freed_carveout_ = 0;
};

}  // namespace streamscope::model
